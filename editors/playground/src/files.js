// Files to save: the program, and the run in the forms that the tool writes.

import { html } from "../../../src/render/html/elements.js";

/** The forms of a run: the field of the answer that has the text, the ending and the type of the file, and whether it is the whole run. */
const FORMS = {
  page: { field: "html", ending: "html", type: "text/html", whole: true },
  draw: { field: "svg", ending: "svg", type: "image/svg+xml", whole: true },
  picture: { field: "svg", ending: "svg", type: "image/svg+xml", whole: false },
  diagram: { field: "text", ending: "txt", type: "text/plain", whole: true },
  trace: { field: "text", ending: "trace", type: "text/plain", whole: true },
};

/** Offer a text as a file. */
function download(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  html("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Make the buttons of an element save; `program` returns the text and the name of the program. */
export function createFiles(menu, session, { program, told }) {
  async function save(what) {
    const { text, name } = program();
    const stem = name.replace(/\.syn$/, "");
    menu.open = false;
    if (what === "program") { download(text, `${stem}.syn`, "text/plain"); return; }
    const { field, ending, type, whole } = FORMS[what];
    const answer = await (whole ? session.askAtEnd(what) : session.ask(what));
    if (!answer) return;
    download(answer[field], `${stem}${what === "picture" ? "-network" : ""}.${ending}`, type);
    told([`Saved ${stem}.${ending}`, ...(answer.notes ?? [])].join(". "));
  }
  for (const button of menu.querySelectorAll("[data-save]")) button.addEventListener("click", () => save(button.dataset.save));
}
