// The list of the enabled steps, of which one can be chosen.

import { html, plural } from "../../../src/render/html/elements.js";

const $ = (id) => document.getElementById(id);

/** Return what an event does, in words. `names` are those of the processes. */
function effect(event, names) {
  const parts = [];
  if (event.arrived) parts.push(`⇤ woken by m${event.arrived.id} ${event.arrived.text}`);
  for (const m of event.received ?? []) parts.push(`← ${m.id === undefined ? "note" : `m${m.id}`} ${m.text} from ${names[m.peer]}`);
  for (const m of event.lost ?? []) parts.push(`✗ m${m.id} ${m.text} is lost`);
  for (const m of event.sent ?? []) parts.push(`→ ${m.text} to ${names[m.peer]}`);
  for (const change of event.changes ?? []) parts.push(`${change.name} = ${change.value}`);
  if (event.with) parts.push(`with ${names[event.with.process]}`, ...(event.with.changes ?? []).map((change) => `${change.name} = ${change.value}`));
  for (const one of event.observations ?? []) parts.push(`◆ ${one}`);
  return parts.join(" · ") || "no changes";
}

/** Return the list. `fire` reacts to a chosen step, with whether it is the recorded one; `peek` shows a step under the pointer. */
export function createSteps({ fire, peek }) {
  const list = $("steps");
  /** Return whether an enabled step is the event that is recorded next. */
  const isNext = (event, next) => next !== null && event.text === next.text;
  return {
    show({ enabled, next, state }, names) {
      const { steps, total, cut } = enabled;
      const hint = steps.length ? `${plural(total, "enabled step")}; keys 1 to 9 choose` : state.explanation.join(". ") || "No step is enabled: the run has ended.";
      $("steps-hint").textContent = [hint, cut && `shown: ${cut}`, enabled.some_delays && "of the possible delays, some are listed"].filter(Boolean).join(" · ");
      // Whoever chooses steps one after the other by keys stays in the list.
      const hadFocus = list.contains(document.activeElement);
      peek(null);
      list.replaceChildren(...steps.map(({ index, event, aborts }, i) => {
        const recorded = isNext(event, next);
        const button = html("button", { type: "button", class: recorded ? "recorded" : "" },
          html("span", { class: "who" }, html("b", {}, event.name), ` ${event.action}`),
          html("small", {}, aborts ? `✗ run-time error: ${aborts}` : effect(event, names)));
        if (i < 9) button.prepend(html("kbd", {}, String(i + 1)));
        if (recorded) button.append(html("span", { class: "badge" }, "recorded next"));
        button.addEventListener("click", () => fire(index, recorded));
        for (const enter of ["pointerenter", "focus"]) button.addEventListener(enter, () => peek(event));
        for (const leave of ["pointerleave", "blur"]) button.addEventListener(leave, () => peek(null));
        return html("li", {}, button);
      }));
      if (hadFocus) list.querySelector("button")?.focus();
    },
    /** Choose the step with a number from 1; return whether there is one. */
    choose(number) {
      const button = list.querySelectorAll("button")[number - 1];
      button?.click();
      return Boolean(button);
    },
  };
}
