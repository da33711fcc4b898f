// The panel of the model checker: options, verdicts in the words of the tool, counterexamples.

import { html, plural } from "../../../src/render/html/elements.js";
import { Stopped } from "./engine.js";
import { optionsOf } from "./session.js";

const $ = (id) => document.getElementById(id);

/** Return what starts a verification. `subject` returns what to verify; `load` opens a counterexample as the run. */
export function createVerification(engine, { subject, load, told, failed }) {
  const box = $("verified"), form = $("verify-options").elements;

  async function verify() {
    const asked = subject();
    box.replaceChildren(html("p", { class: "working" }, "Exploring …"));
    // With a limit of its own, a request explores the usual network, however large.
    const most = form.configurations.selectedOptions[0];
    const limits = most.defaultSelected ? {} : { configurations: Number(most.value) };
    try {
      const answer = await engine.ask("verify", { ...asked, ...limits, keep_going: form.keep_going.checked });
      show(answer, asked);
      if (answer.opened) await loadOpened(answer.opened, answer.counterexamples[0], asked);
      else told(answer.summary.split("\n")[0]);
    } catch (error) {
      if (error instanceof Stopped) box.replaceChildren(html("p", {}, error.message === "Stopped" ? "The search was stopped; nothing is decided." : error.message));
      else { box.replaceChildren(html("p", { class: "bad" }, error.message), ...(error.hint ? [html("p", {}, error.hint)] : [])); failed(error); }
    }
  }

  /** Open the counterexample that the engine holds in the session of the page, by its steps. */
  async function loadOpened(opened, counterexample, asked) {
    const { position } = opened;
    if (position.at < position.length) await engine.ask("goto", { position: position.length });
    const { script } = await engine.ask("script");
    await load({ text: asked.text, name: asked.name, ...optionsOf(opened), script, position: position.at }, { counterexample, violation: opened.violation ?? null });
  }

  async function choose(index, counterexample, asked) {
    try {
      const answer = await engine.ask("counterexample", { index });
      await loadOpened(answer.opened ?? answer, counterexample, asked);
    } catch (error) {
      if (!(error instanceof Stopped)) failed(error);
    }
  }

  function show(answer, asked) {
    const parts = [html("p", { class: answer.verdict === "holds" ? "good" : answer.verdict === "violated" ? "bad" : "" }, ...answer.summary.trim().split("\n").slice(0, 1))];
    const rest = answer.summary.trim().split("\n").slice(1).join("\n");
    if (rest) parts.push(html("pre", { class: "summary" }, rest));
    parts.push(html("p", { class: "hint" }, `on ${answer.network.topology}, ids ${answer.network.ids.slice(0, 12).join(", ")}${answer.network.ids.length > 12 ? ", …" : ""}`));
    if (answer.too_large) {
      const { topology, more_than } = answer.too_large;
      parts.push(html("p", { class: "hint" }, `The default network, ${topology}, has more than ${more_than} configurations. To explore it, enter it as the network.`));
    }
    if (answer.properties.length) {
      parts.push(html("table", {}, html("tbody", {}, ...answer.properties.map((property) => html("tr", {},
        html("th", { scope: "row" }, property.name), html("td", {}, property.kind ?? ""),
        html("td", { class: property.verdict === "violated" ? "bad" : property.verdict === "holds" ? "good" : "" }, property.text ?? property.verdict),
        html("td", { class: "why" }, property.why ?? ""))))));
    }
    answer.counterexamples.forEach((counterexample, index) => {
      const button = html("button", { type: "button" }, "Load");
      button.addEventListener("click", () => choose(index, counterexample, asked));
      parts.push(html("div", { class: "counterexample" },
        html("p", {}, html("b", {}, `Counterexample to ${counterexample.shows}`), `, ${plural(counterexample.events, "event")} `, button),
        ...(counterexample.explanation ?? []).map((line) => html("p", { class: "hint" }, line))));
    });
    box.replaceChildren(...parts);
  }
  return { verify };
}
