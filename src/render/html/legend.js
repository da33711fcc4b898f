// The legend of a run: colours of states and messages, and marks.

import { html } from "./elements.js";

/** Return the entries of the legend of a run. */
export function legend(run, view) {
  const { data, lost, violation } = run, { ink } = view;
  const swatch = (colour, text, stroke) => {
    const box = html("i", stroke ? { class: "stroke" } : {});
    box.style.background = colour;
    return html("span", {}, box, text);
  };
  const parts = [];
  if (data.states.length > 1) data.states.forEach((s, i) => parts.push(swatch(ink.states[i], s)));
  if (data.kinds.length > 1) data.kinds.slice(0, 12).forEach((k, i) => parts.push(swatch(ink.kinds[i % ink.kinds.length], k, true)));
  if (data.spans.some((s) => s.some((v, i) => i % 4 === 0 && v === 1))) parts.push(swatch(ink.critical, "in the critical section"));
  if (lost.size) parts.push(html("span", {}, html("b", { class: "lost" }, "✗"), "lost message"));
  if (violation !== null) parts.push(swatch(ink.bad, `event ${violation[0]}: ${violation[1]} (ring)`, true));
  return parts;
}
