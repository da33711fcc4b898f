// The list of the library's algorithms, with a search.

import election from "../../../src/cli/new/election.syn";
import multicast from "../../../src/cli/new/multicast.syn";
import exclusion from "../../../src/cli/new/mutual_exclusion.syn";
import { html, plural } from "../../../src/render/html/elements.js";

/** The programs to begin with: those that `synod new` writes. */
const SKELETONS = [["election", election], ["mutual exclusion", exclusion], ["multicast", multicast]];

const $ = (id) => document.getElementById(id);

/**
 * Return what opens the dialog; `load` calls a function with the files of the library, at first without facts that take long to compute; `choose`
 * reacts to a chosen file, `begin` to a skeleton.
 */
export function createLibrary(load, choose, begin) {
  const dialog = $("library"), query = $("library-query"), list = $("library-list");
  const wordsOf = (file) => [file.name, file.family, file.title, file.problem, ...[file.model, file.assumes].flat()].filter(Boolean).join(" ").toLowerCase();
  let entries = null, loading = null;
  for (const [problem, text] of SKELETONS) {
    const button = html("button", { type: "button" }, problem);
    button.addEventListener("click", () => { dialog.close(); begin(text.replaceAll("NAME", "mine")); });
    $("skeletons").append(button);
  }

  /** Load the list once. Entries are kept when facts are added, and with them the focus. */
  function prepare() {
    loading ??= load((files) => {
      const known = new Map((entries ?? []).map((entry) => [entry.file.name, entry]));
      entries = files.filter((file) => file.kind === "algorithm").map((file) => known.get(file.name) ?? entryOf(file));
      for (const file of files) known.get(file.name)?.describe(file);
      if (dialog.open && !list.contains(document.activeElement)) show();
    });
  }
  function entryOf(file) {
    const facts = html("small", {});
    const entry = html("button", { type: "button" }, html("b", {}, file.name), html("span", {}, file.title ?? ""), facts);
    entry.addEventListener("click", () => { dialog.close(); choose(file.name); });
    const own = { file, entry, words: "" };
    own.describe = (file) => {
      own.words = wordsOf(file);
      facts.textContent = [file.problem, [file.model ?? []].flat().join(", ")].filter(Boolean).join(" · ");
    };
    own.describe(file);
    return own;
  }

  function show() {
    if (!entries) { list.replaceChildren(html("p", { class: "none" }, "Loading …")); return; }
    const wanted = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    // Names that begin with the first word come first.
    const rank = ({ file }) => (wanted.length && file.name.startsWith(wanted[0]) ? 0 : 1);
    const found = entries.filter(({ words }) => wanted.every((word) => words.includes(word))).sort((a, b) => rank(a) - rank(b));
    const shelves = new Map();
    for (const one of found) shelves.set(one.file.family, [...(shelves.get(one.file.family) ?? []), one.entry]);
    list.replaceChildren(...[...shelves].flatMap(([family, own]) => [html("h3", {}, family.replaceAll("/", " · ").replaceAll("_", " ")), ...own]));
    if (!found.length) list.append(html("p", { class: "none" }, "No algorithm has all of these words."));
    list.setAttribute("aria-label", plural(found.length, "algorithm"));
  }
  /** Move the focus among the entries by arrow keys. */
  function keys(event) {
    const shown = [...list.querySelectorAll("button")];
    const at = shown.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === "Enter" && document.activeElement === query && shown.length) { event.preventDefault(); shown[0].click(); return; }
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0) query.focus();
    else shown[Math.min(to, shown.length - 1)]?.focus();
  }
  query.addEventListener("input", show);
  dialog.addEventListener("keydown", keys);
  function open() {
    dialog.showModal();
    query.select();
    query.focus();
    prepare();
    show();
  }
  return Object.assign(open, { prepare });
}
