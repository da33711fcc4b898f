// The editor of the program: CodeMirror, with colours, completion, explanations and diagnostics of the module.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleTabFocusMode } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { forceLinting, lintGutter, lintKeymap, linter } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
import { html } from "../../../src/render/html/elements.js";
import { markdown } from "./markdown.js";

/** Milliseconds without typing after which the program is checked. */
const PAUSE = 250;

/** An effect, and a field of decorations that it replaces; edits move them. */
function decorations() {
  const effect = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update(value, transaction) {
      let next = value.map(transaction.changes);
      for (const one of transaction.effects) if (one.is(effect)) next = one.value;
      return next;
    },
    provide: (own) => EditorView.decorations.from(own),
  });
  return { effect, field };
}

/** Return an editor in an element. `ask` asks the module; `on` has the reactions.
 * `changed` (the text), `checked` (its answer), `run`, `explain` (a code) and `failed` (an error), and the `nonce` of style elements. */
export function createEditor(parent, ask, on) {
  const colours = decorations(), current = decorations(), peek = decorations();
  let version = 0;

  /** Colour the words of the program. */
  async function colour(view) {
    const asked = ++version;
    const { kinds, tokens } = await ask("tokens", { text: view.state.doc.toString() });
    if (asked !== version) return;
    const marks = kinds.map((kind) => Decoration.mark({ class: `word-${kind}` }));
    const end = view.state.doc.length;
    const ranges = tokens.filter(([from, to]) => from < to && to <= end).map(([from, to, kind]) => marks[kind].range(from, to));
    view.dispatch({ effects: colours.effect.of(Decoration.set(ranges, true)) });
  }

  async function complete(context) {
    const word = context.matchBefore(/\w*/);
    if (!context.explicit && word.from === word.to) return null;
    const { items } = await ask("complete", { text: context.state.doc.toString(), offset: context.pos });
    if (context.aborted || !items.length) return null;
    return {
      from: items[0].from,
      options: items.map((item) => ({
        label: item.label,
        detail: item.detail ?? "",
        type: item.kind,
        info: item.documentation ? () => html("div", { class: "explanation" }, ...markdown(item.documentation)) : undefined,
        apply: item.insert && item.insert !== item.label ? snippet(item.insert) : item.label,
      })),
      validFor: /^\w*$/,
    };
  }

  async function hover(view, offset) {
    const { markdown: text, from, to } = await ask("hover", { text: view.state.doc.toString(), offset });
    if (text === null) return null;
    return { pos: from, end: to, above: true, create: () => ({ dom: html("div", { class: "explanation" }, ...markdown(text)) }) };
  }

  async function check(view) {
    const doc = view.state.doc;
    const answer = await ask("check", { text: doc.toString() });
    on.checked(answer, doc === view.state.doc);
    return answer.diagnostics.filter(({ place }) => place.file === 0).map((diagnostic) => shown(diagnostic, doc));
  }

  /** Return a diagnostic as CodeMirror wants it, with its fixes. */
  function shown({ severity, code, message, label, hint, place, related = [], fixes = [] }, doc) {
    const lines = [html("p", {}, message)];
    if (label && label !== message) lines.push(html("p", { class: "quiet" }, label));
    for (const one of related) lines.push(html("p", { class: "quiet" }, `line ${one.place.line}: ${one.message}`));
    if (hint) lines.push(html("p", {}, `Help: ${hint}`));
    const explain = html("button", { type: "button", class: "link" }, code);
    explain.addEventListener("click", () => on.explain(code));
    lines.push(html("p", { class: "quiet" }, explain));
    return {
      from: Math.min(place.from, doc.length),
      to: Math.min(Math.max(place.to, place.from), doc.length),
      severity,
      message,
      renderMessage: () => html("div", { class: "explanation" }, ...lines),
      actions: fixes.map(({ title, edits }) => ({
        name: title,
        apply(view) {
          // The places are those of the text that was checked.
          if (view.state.doc !== doc) { forceLinting(view); return; }
          view.dispatch({ changes: edits.map(({ from, to, text }) => ({ from, to, insert: text })), userEvent: "input.fix" });
          view.focus();
        },
      })),
    };
  }

  async function format(view) {
    const doc = view.state.doc;
    const { text, changed } = await ask("format", { text: doc.toString() });
    if (changed && doc === view.state.doc) replace(view, text);
  }

  /** Replace the text by one change from the first to the last difference, so that the cursor and the marks elsewhere stay. */
  function replace(view, text) {
    const old = view.state.doc.toString();
    let from = 0, tail = 0;
    while (from < Math.min(old.length, text.length) && old[from] === text[from]) from++;
    while (tail < Math.min(old.length, text.length) - from && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    view.dispatch({ changes: { from, to: old.length - tail, insert: text.slice(from, text.length - tail) } });
  }

  const quietly = (work) => (...all) => work(...all).catch((error) => { on.failed(error); return null; });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: "",
      extensions: [
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), highlightSpecialChars(), drawSelection(), history(),
        bracketMatching(), closeBrackets(), indentUnit.of("  "), EditorState.tabSize.of(2), search({ top: true }), highlightSelectionMatches(),
        EditorState.languageData.of(() => [{ commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } }]),
        autocompletion({ override: [quietly(complete)] }),
        hoverTooltip(quietly(hover)),
        linter(async (view) => (await quietly(check)(view)) ?? [], { delay: PAUSE }),
        lintGutter(),
        colours.field, current.field, peek.field, EditorView.cspNonce.of(on.nonce),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          quietly(colour)(update.view);
          on.changed(update.state.doc.toString());
        }),
        keymap.of([
          { key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => { on.run(); return true; } },
          { key: "Shift-Alt-f", run: (view) => { quietly(format)(view); return true; } },
          { key: "Ctrl-m", run: toggleTabFocusMode },
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab,
        ]),
      ],
    }),
  });

  const lineAt = (place) => (place && place.file === 0 && place.line <= view.state.doc.lines ? view.state.doc.line(place.line) : null);
  return {
    get text() { return view.state.doc.toString(); },
    set text(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    },
    /** Replace the text by a similar one. */
    replace: (text) => replace(view, text),
    focus: () => view.focus(),
    format: () => quietly(format)(view),
    /** Go to a place of the program. */
    goTo({ from, to }) {
      const end = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
      view.focus();
    },
    /** Mark the line of the last event, and scroll to it; null: none. */
    showEvent(place) {
      const line = lineAt(place);
      view.dispatch({
        effects: [
          current.effect.of(line ? Decoration.set([Decoration.line({ class: "event-line" }).range(line.from)]) : Decoration.none),
          ...(line && !view.hasFocus ? [EditorView.scrollIntoView(line.from, { y: "nearest", yMargin: 40 })] : []),
        ],
      });
    },
    /** Mark the line of an enabled step; null: none. */
    peek(place) {
      const line = lineAt(place);
      view.dispatch({ effects: peek.effect.of(line ? Decoration.set([Decoration.line({ class: "peek-line" }).range(line.from)]) : Decoration.none) });
    },
  };
}
