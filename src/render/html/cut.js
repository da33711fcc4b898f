// Cuts of a run: the verdict of `synod trace cut`, and the greatest consistent cut.

import { above } from "./run.js";

/** Return the operations on the cuts of a run. A cut counts the events inside it, by process. */
export function createCuts(run) {
  const { data, events, messages, processes, count, own, nth, nthThere, silent, partner, name, label, endedBy, lostWithSender } = run;

  /** Return whether a cut contains an event at all of its processes (`has`), or at one of them (`touches`). */
  const has = (cut, e) => silent.has(e) || (nth[e] > 0 && nth[e] <= cut[events.process[e]] && (!nthThere[e] || nthThere[e] <= cut[partner.get(e)]));
  const touches = (cut, e) => silent.has(e) || (nth[e] > 0 && nth[e] <= cut[events.process[e]]) || (nthThere[e] > 0 && nthThere[e] <= cut[partner.get(e)]);
  /** Return whether a cut is consistent, the messages across it, and the verdict in words. */
  function judge(cut) {
    const backwards = [], across = [];
    for (let m = 0; m < messages.from.length; m++) {
      const sent = messages.sent[m];
      // No event of the receiver ends a message that a crash of its sender loses.
      const ended = lostWithSender(m) ? -1 : messages.ended[m];
      const before = sent < 0 || has(cut, sent);
      if (!before && ended >= 0 && touches(cut, ended)) backwards.push(m);
      if (before && !(ended >= 0 && has(cut, ended))) across.push(m);
    }
    // An event of the environment depends on others without a message, and an interaction is indivisible.
    let torn = "";
    for (let i = 0; i < data.after.length && !torn; i += 2) {
      const [cause, e] = data.after.slice(i, i + 2);
      if (touches(cut, e) && !has(cut, cause)) torn = `event ${e} is inside, but depends on event ${cause}, which is outside`;
    }
    for (const e of partner.keys()) if (!torn && touches(cut, e) && !has(cut, e)) torn = `event ${e} is an event of two processes, and only one side of it is inside`;
    const consistent = !backwards.length && !torn;
    const told = (list) => list.slice(0, 4).map((m) => `${label(m)} from ${name(messages.from[m])} to ${name(messages.to[m])}`).join(", ") + (list.length > 4 ? `, and ${list.length - 4} more` : "");
    const counts = processes <= 24 ? ` (${[...cut].join(", ")})` : "";
    const text = `cut${counts}: ` + (consistent
      ? across.length ? `consistent; in transit across it: ${told(across)}` : "consistent; no messages in transit"
      : `not consistent; ${backwards.length ? `received inside, but sent outside: ${told(backwards)}` : torn}`);
    return { consistent, backwards, across, text };
  }
  /** Return the cut of the events before a position. */
  const at = (position) => Uint32Array.from(own, (list) => above(list, position - 1));
  /** Return the greatest consistent cut inside: add events in order, if all that they depend on has been added. */
  function greatestWithin(outer) {
    const cut = new Uint32Array(processes);
    const after = new Map();
    for (let i = 0; i < data.after.length; i += 2) after.set(data.after[i + 1], [...(after.get(data.after[i + 1]) ?? []), data.after[i]]);
    for (let e = 0; e < count; e++) {
      if (!nth[e] || !has(outer, e)) continue;
      const p = events.process[e], q = partner.get(e);
      if (cut[p] + 1 !== nth[e] || (nthThere[e] && cut[q] + 1 !== nthThere[e])) continue;
      if (endedBy(e).some((m) => messages.sent[m] >= 0 && !has(cut, messages.sent[m])) || (after.get(e) ?? []).some((c) => !has(cut, c))) continue;
      cut[p] = nth[e];
      if (nthThere[e]) cut[q] = nthThere[e];
    }
    return cut;
  }
  return { judge, at, greatestWithin };
}
