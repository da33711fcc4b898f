// The form with the options of a run: network, ids, parameters, scheduler, seed, initiators, faults.

import { html } from "../../../src/render/html/elements.js";

const $ = (id) => document.getElementById(id);

/** Return the form. `submit` reacts to «Start», `changed` to every change. */
export function createOptions({ schedules, daemons }, { submit, changed }) {
  const form = $("options"), fields = form.elements;
  for (const name of schedules) fields.schedule.append(html("option", {}, name));
  for (const name of daemons) fields.daemon.append(html("option", {}, name));
  form.addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  form.addEventListener("input", () => { mark(); changed(); });
  const parameters = () => [...$("parameters").querySelectorAll("input")];

  /** Show that options which are out of sight are set. */
  function mark() {
    $("more-options").classList.toggle("active", Boolean(fields.initiators.value.trim() || fields.faults.value.trim() || fields.daemon.value));
  }
  const value = (name) => fields[name].value.trim();
  return {
    /** Return the options as `open` takes them. */
    read() {
      const options = {};
      for (const name of ["on", "ids", "initiators", "faults", "schedule", "daemon"]) if (value(name)) options[name] = value(name);
      if (value("seed") !== "") options.seed = Number(value("seed"));
      const given = parameters().filter((input) => input.value.trim()).map((input) => [input.dataset.name, input.value.trim()]);
      if (given.length) options.parameters = Object.fromEntries(given);
      return options;
    },
    /** Show options; those that are absent become the defaults. */
    write(options) {
      for (const name of ["on", "ids", "initiators", "faults", "daemon"]) fields[name].value = options[name] ?? "";
      fields.schedule.value = options.schedule ?? schedules[0];
      if (fields.schedule.selectedIndex < 0) fields.schedule.selectedIndex = 0;
      fields.seed.value = String(options.seed ?? 1);
      for (const input of parameters()) input.value = options.parameters?.[input.dataset.name] ?? "";
      mark();
    },
    /** Offer what a program has: its parameters, networks that fit, its faults, and a daemon if one can be chosen. */
    offer(program) {
      fields.on.placeholder = program.topology ?? "";
      fields.faults.placeholder = program.faults.length ? `none; e.g. ${program.faults[0]}<=1` : "the program assumes none";
      fields.daemon.closest("label").hidden = !program.has_daemon;
      $("networks").replaceChildren(...(program.topologies ?? []).map((name) => html("option", { value: name })));
      const kept = new Map(parameters().map((input) => [input.dataset.name, input.value]));
      const names = program.parameters.map(({ name }) => name);
      if (names.join() === [...kept.keys()].join()) return;
      $("parameters").replaceChildren(...program.parameters.map(({ name, type, default: usual }) => {
        const input = html("input", { size: "4", placeholder: usual ?? type, spellcheck: "false", "data-name": name, title: `${name}: ${type}` });
        input.value = kept.get(name) ?? "";
        return html("label", {}, `${name} `, input);
      }));
    },
  };
}
