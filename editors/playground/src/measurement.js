// The panel of measurements: costs on networks of several sizes, their growth, and a plot.

import { html } from "../../../src/render/html/elements.js";
import { Stopped } from "./engine.js";
import { image } from "./image.js";

const $ = (id) => document.getElementById(id);
/** The costs that are shown, in order. */
const COSTS = ["messages", "bits", "time", "rounds", "moves"];

/** Return what starts a measurement. `subject` returns what to measure. */
export function createMeasurement(engine, { subject, told, failed }) {
  const box = $("measured"), form = $("measure-options").elements;

  async function measure() {
    const sizes = form.sizes.value.split(/[\s,]+/).filter(Boolean).map(Number);
    if (!sizes.length || !sizes.every((n) => Number.isSafeInteger(n) && n > 0)) { failed(new Error("Sizes are positive numbers, such as 4, 8, 16")); return; }
    box.replaceChildren(html("p", { class: "working" }, "Measuring …"));
    try {
      show(await engine.ask("measure", { ...subject(), ...(form.on.value.trim() ? { on: form.on.value.trim() } : {}), sizes, runs: Number(form.runs.value) || 1 }));
      told("Measured");
    } catch (error) {
      if (error instanceof Stopped) box.replaceChildren(html("p", {}, error.message === "Stopped" ? "The measurement was stopped." : error.message));
      else { box.replaceChildren(html("p", { class: "bad" }, error.message), ...(error.hint ? [html("p", {}, error.hint)] : [])); failed(error); }
    }
  }

  function show({ rows, fits, findings, svg }) {
    const costs = COSTS.filter((cost) => rows.some((row) => row[cost]));
    const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
    const table = html("table", {},
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "n"), html("th", { scope: "col" }, "runs"), ...costs.map((cost) => html("th", { scope: "col" }, cost)))),
      html("tbody", {}, ...rows.map((row) => html("tr", {}, html("th", { scope: "row" }, String(row.n)), html("td", {}, String(row.runs)),
        ...costs.map((cost) => html("td", {}, row[cost] ? `${number(row[cost].mean)} (${number(row[cost].greatest)})` : "–"))))));
    const growth = fits.map((fit) => html("li", {}, html("b", {}, `${fit.measure}: ${fit.growth}`), ` ${fit.formula ?? ""}`));
    box.replaceChildren(html("p", { class: "hint" }, "Mean (greatest) of the runs"), html("div", { class: "scroll" }, table));
    if (growth.length) box.append(html("h2", {}, "Growth"), html("ul", {}, ...growth));
    for (const finding of findings ?? []) box.append(html("p", { class: "bad" }, typeof finding === "string" ? finding : finding.message ?? JSON.stringify(finding)));
    if (svg) box.append(image(svg, "Costs over the size of the network"));
  }
  return { measure };
}
