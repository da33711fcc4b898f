// Questions about the run at the cursor: values of expressions, causes of values and messages, reasons why a step is not possible.

import { html } from "../../../src/render/html/elements.js";

const $ = (id) => document.getElementById(id);
/** The maximum number of expressions that are kept. */
const MOST_EXPRESSIONS = 12;

/** Return the forms. `session` is the open run, `goTo` goes to a position, `showPlace` to a place of the program. */
export function createQuestions(session, { goTo, showPlace, failed }) {
  let expressions = [];
  const answerBox = $("explanation");

  async function evaluate(expression) {
    const answer = await session.ask("evaluate", { expression });
    if (!answer) return false;
    expressions = [expression, ...expressions.filter((one) => one !== expression)].slice(0, MOST_EXPRESSIONS);
    await refresh();
    return true;
  }
  /** Evaluate all expressions again, at another position. */
  async function refresh() {
    const rows = await Promise.all(expressions.map(async (expression) => {
      let value;
      try {
        value = (await session.evaluate(expression)).value;
      } catch (error) {
        value = error.message;
      }
      const drop = html("button", { type: "button", "aria-label": `Remove ${expression}` }, "✕");
      drop.addEventListener("click", () => { expressions = expressions.filter((one) => one !== expression); refresh(); });
      return html("li", {}, html("code", {}, expression), html("b", {}, value), drop);
    }));
    $("values").replaceChildren(...rows);
  }

  /** Return a button that goes to the configuration after an event. */
  function eventButton(event) {
    const button = html("button", { type: "button", class: "link" }, `event ${event.index}`);
    button.addEventListener("click", () => goTo(event.index + 1));
    return html("li", {}, button, ` ${event.text}`);
  }
  function explain(title, ...parts) { answerBox.replaceChildren(html("h2", {}, title), ...parts); }

  async function why(what) {
    const message = /^m(\d+)$/.exec(what);
    const variable = /^(\w+)\.([\w.]+)$/.exec(what);
    if (!message && !variable) { failed(new Error("Write a process and a variable, such as p0.leader, or a message, such as m3")); return; }
    const process = variable && processNamed(variable[1]);
    if (variable && process < 0) { failed(new Error(`There is no process ${variable[1]}`)); return; }
    const answer = await session.ask("why", message ? { message: Number(message[1]) } : { process, variable: variable[2] });
    if (!answer) return;
    const parts = [];
    if (answer.definition) parts.push(html("p", {}, html("code", {}, answer.definition)));
    if (answer.events.length) parts.push(html("p", { class: "hint" }, "Causes, the last one first:"), html("ul", {}, ...answer.events.map(eventButton)));
    if (answer.initial) parts.push(html("p", {}, "No event has set it: it is the initial value."));
    explain(answer.subjects.map(({ name, value }) => (value === undefined || value === null ? name : `${name} = ${value}`)).join(", ") || what, ...parts);
  }
  const processNamed = (name) => (session.opened?.network.names ?? []).indexOf(name);

  async function whyNot(action, process) {
    const answer = await session.ask("whynot", { action, ...(process === null ? {} : { process }) });
    if (!answer) return;
    const names = session.opened.network.names;
    explain(`Why not ${action}?`, ...answer.actions.flatMap((one) => {
      const title = html("h3", {}, one.action);
      if (one.place) {
        const place = html("button", { type: "button", class: "link" }, `line ${one.place.line}`);
        place.addEventListener("click", () => showPlace(one.place));
        title.append(" ", place);
      }
      const reasons = one.reasons.map((reason) => html("li", {}, html("b", {}, reason.processes.map((p) => names[p]).join(", ")), ` ${reason.text}`));
      return [title, html("ul", {}, ...reasons)];
    }));
  }

  const on = (form, react) => $(form).addEventListener("submit", (event) => { event.preventDefault(); react(); });
  on("evaluate", async () => {
    const expression = $("expression").value.trim();
    if (expression && await evaluate(expression)) $("expression").value = "";
  });
  on("why", () => { const what = $("why-what").value.trim(); if (what) why(what); });
  on("whynot", () => {
    const action = $("whynot-what").value.trim(), process = $("whynot-process").value;
    if (action) whyNot(action, process === "" ? null : Number(process));
  });
  return {
    why, refresh,
    /** Offer the variables, messages, actions and processes of a run. */
    offer(run) {
      const { names } = session.opened.network;
      const { data } = run, own = data.variables.filter((name) => !["state", "halted", "up"].includes(name));
      const variables = names.slice(0, 20).flatMap((name) => [...own, "state"].map((variable) => `${name}.${variable}`));
      $("why-list").replaceChildren(...variables.map((value) => html("option", { value })));
      $("whynot-list").replaceChildren(...session.opened.program.actions.filter((value) => value !== "start").map((value) => html("option", { value })));
      $("whynot-process").replaceChildren(html("option", { value: "" }, "all processes"), ...names.map((name, p) => html("option", { value: String(p) }, name)));
      answerBox.replaceChildren();
    },
  };
}
