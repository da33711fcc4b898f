// One run: everything that pages show of it, computed from the data that data.rs defines.

/** Return the first index whose entry is greater than `number`. */
export function above(list, number, length = list.length) {
  let low = 0, high = length;
  while (low < high) { const mid = (low + high) >> 1; if (list[mid] > number) high = mid; else low = mid + 1; }
  return low;
}

/** Return the run of some data. A position in it is the number of events so far. */
export function createRun(data) {
  const { events, messages } = data;
  const processes = data.ids.length;
  const count = events.process.length;
  const name = (p) => data.names[p] ?? `p${p}`;

  /** Return a function from an event to the messages whose entry in `ends` is that event, as slices of one array. */
  function byEvent(ends) {
    const start = new Uint32Array(count + 2);
    for (const e of ends) if (e >= 0) start[e + 2]++;
    for (let e = 0; e <= count; e++) start[e + 1] += start[e];
    const list = new Uint32Array(start[count + 1]);
    ends.forEach((e, m) => { if (e >= 0) list[start[e + 1]++] = m; });
    return (e) => list.subarray(start[e], start[e + 1]);
  }
  const sentBy = byEvent(messages.sent);
  const endedBy = byEvent(messages.ended);
  const lost = new Set(messages.lost);
  const lostWithSender = (m) => lost.has(m) && events.process[messages.ended[m]] !== messages.to[m];
  // The message whose arrival woke the process, by event.
  const arrivedIn = new Map(messages.arrived);
  const copyOf = new Map(messages.copies);
  const kindOf = (m) => (messages.id[m] < 0 ? -1 : data.text_kinds[messages.text[m]]);
  const textOf = (m) => data.texts[messages.text[m]];
  const label = (m) => (messages.id[m] < 0 ? "note" : `m${messages.id[m]} ${textOf(m)}`);

  const partner = new Map();
  for (let i = 0; i < events.with.length; i += 2) partner.set(events.with[i], events.with[i + 1]);
  const seen = new Map(events.seen);
  /** The event that violates a property, and its words; null: none. */
  const violation = data.violation ?? null;

  // A start that sends nothing sets the initial state: it is inside every cut and not counted. An event with a run-time error is
  // undone, and inside no cut.
  const silent = new Set(data.initial_events);
  const startOf = new Int32Array(processes).fill(-1);
  for (const e of silent) startOf[events.process[e]] = e;
  // The history of each process, and the number of each event in it, from 1. An interaction is an event of both processes.
  const own = Array.from({ length: processes }, () => []);
  const nth = new Uint32Array(count), nthThere = new Uint32Array(count);
  // Direct causes: the previous event of the process, and of the responder of an interaction.
  const before = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)];
  {
    const last = new Int32Array(processes).fill(-1);
    for (let e = 0; e < count; e++) {
      const p = events.process[e], q = partner.get(e);
      if (!silent.has(e) && e !== data.undone) {
        nth[e] = own[p].push(e);
        if (q !== undefined && q !== p) nthThere[e] = own[q].push(e);
      }
      before[0][e] = last[p];
      last[p] = e;
      if (q !== undefined) { before[1][e] = last[q] === e ? -1 : last[q]; last[q] = e; }
    }
  }
  // The event that a message causally depends on: for a copy, the sending of the original.
  const byId = new Map();
  messages.id.forEach((id, m) => { if (id >= 0 && !copyOf.has(m)) byId.set(id, m); });
  const copied = new Map([...copyOf].map(([m, original]) => [messages.id[m], original]));
  const teller = (m) => {
    let id = messages.id[m];
    while (copied.has(id)) id = copied.get(id);
    return messages.sent[byId.get(id) ?? m];
  };
  function* causes(e) {
    if (before[0][e] >= 0) yield before[0][e];
    if (before[1][e] >= 0) yield before[1][e];
    for (const m of endedBy(e)) if (!lost.has(m) && teller(m) >= 0) yield teller(m);
    if (arrivedIn.has(e) && teller(arrivedIn.get(e)) >= 0) yield teller(arrivedIn.get(e));
  }

  // The changes of each event, and the values of each variable over time.
  const width = Math.max(1, data.variables.length);
  const changesFrom = new Uint32Array(count + 1);
  const histories = new Map();
  const remember = (p, variable, position, value) => {
    const key = p * width + variable;
    const known = histories.get(key);
    if (known) { known.at.push(position); known.value.push(value); } else histories.set(key, { at: [position], value: [value] });
  };
  data.initial.forEach((list, p) => { for (let i = 0; i < list.length; i += 2) remember(p, list[i], 0, list[i + 1]); });
  {
    let i = 0;
    for (let e = 0; e < count; e++) {
      changesFrom[e] = i;
      for (; i < events.changes.length && events.changes[i] === e; i += 4) {
        remember(events.changes[i + 1], events.changes[i + 2], e + 1, events.changes[i + 3]);
      }
    }
    changesFrom[count] = i;
  }
  function changes(e) {
    const list = [];
    for (let i = changesFrom[e]; i < changesFrom[e + 1]; i += 4) list.push(events.changes.slice(i + 1, i + 4));
    return list;
  }
  function value(p, variable, position) {
    const history = histories.get(p * width + variable);
    if (!history) return undefined;
    const i = above(history.at, position) - 1;
    return i < 0 ? undefined : data.values[history.value[i]];
  }
  const place = (text) => data.variables.indexOf(text);
  const [stateVar, haltedVar, upVar] = ["state", "halted", "up"].map(place);

  // The messages in transit, stored at intervals, so that any position is computed from a few hundred events.
  const EVERY = 512;
  const remembered = [];
  {
    const now = new Set();
    messages.sent.forEach((e, m) => { if (e < 0) now.add(m); });
    for (let e = 0; e < count; e++) {
      if (e % EVERY === 0) remembered.push([...now]);
      advance(now, e);
    }
    if (count === 0) remembered.push([...now]);
  }
  function advance(now, e) {
    for (const m of sentBy(e)) now.add(m);
    for (const m of endedBy(e)) now.delete(m);
  }
  function underWay(position) {
    const i = Math.min(Math.floor(position / EVERY), remembered.length - 1);
    const now = new Set(remembered[i]);
    for (let e = i * EVERY; e < position; e++) advance(now, e);
    return now;
  }
  /** Return the relation of each event to one of them: 1 happened before, 2 after, 0 concurrent or the event itself. */
  function relationTo(e) {
    const relation = new Uint8Array(count);
    relation[e] = 1;
    for (let i = e; i >= 0; i--) if (relation[i] === 1) for (const c of causes(i)) relation[c] = 1;
    relation[e] = 2;
    for (let i = e + 1; i < count; i++) for (const c of causes(i)) if (relation[c] === 2) { relation[i] = 2; break; }
    relation[e] = 0;
    return relation;
  }

  /** Return the variables that the last event before a position has changed, each as a number of process and variable. */
  const changedAt = (position) => new Set(position === 0 ? [] : changes(position - 1).map(([p, v]) => p * width + v));
  /** Return the processes of the last event before a position. */
  const actingAt = (position) => (position === 0 ? [] : [events.process[position - 1], partner.get(position - 1)].filter((p) => p !== undefined));
  /** Return an event in words. */
  function narration(e) {
    const p = events.process[e];
    const list = [];
    if (arrivedIn.has(e)) list.push(`⇤ woken by ${label(arrivedIn.get(e))} from ${name(messages.from[arrivedIn.get(e)])}`);
    for (const m of endedBy(e)) list.push(`${lost.has(m) ? "✗" : "←"} ${label(m)} from ${name(messages.from[m])}`);
    for (const m of sentBy(e)) list.push(`→ ${label(m)} to ${name(messages.to[m])}`);
    for (const [q, v, w] of changes(e)) list.push(`${q === p ? "" : `${name(q)}.`}${data.variables[v]} = ${data.values[w]}`);
    if (partner.has(e)) list.push(`with ${name(partner.get(e))}`);
    if (seen.has(e)) list.push(`◆ ${seen.get(e)}`);
    if (violation !== null && e === violation[0]) list.unshift(`✗ ${violation[1]}`);
    return { first: `event ${e}: ${name(p)} · ${data.actions[events.action[e]]}`, at: events.at.length === count ? `time ${events.at[e]}` : "", list };
  }
  /** Return the values of a process in words. */
  const narrationOf = (p, position) => [`${name(p)}, id ${data.ids[p]}`, ...data.variables.map((n, i) => [n, value(p, i, position)]).filter(([, w]) => w !== undefined).map(([n, w]) => `${n} = ${w}`)].join(" · ");
  const sentInAll = messages.id.filter((id, m) => id >= 0 && messages.sent[m] >= 0).length;

  return {
    data, events, messages, processes, count, width, histories, own, nth, nthThere, startOf, silent, lost, copyOf, partner, seen, violation,
    stateVar, haltedVar, upVar, sentInAll,
    name, label, textOf, kindOf, sentBy, endedBy, lostWithSender, changes, value, underWay, relationTo, changedAt, actingAt, narration, narrationOf,
  };
}
