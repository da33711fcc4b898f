// Do tree-sitter, TextMate, Vim and Emacs agree on what is a keyword, a comment, a text, a number, a literal, and what is none
// of these? Usage: words.mjs CORPUS TREE_SITTER VIM [EMACS]
//
// CORPUS is the folder of agreement.mjs; looked at is every word of every program that the parser accepts. This is what the words that mean
// something in their places only are tested by: tree-sitter knows the places, the others guess them by patterns.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [corpus, treeSitter, vim, emacs] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, "vscode", "package.json"));

const accepted = readFileSync(join(corpus, "seen.txt"), "utf8").matchAll(/^(\d+) accept (.*)$/gm);
// What the formatter is tested with has several lines of a scenario in one: patterns know only the first of them.
const all = Array.from(accepted, ([, number, name]) => ({ path: join(corpus, `${number}.syn`), name })).filter(
  ({ name }) => name !== "tests/suite/format/before.syn",
);
// Where a word has been taken out, words stand in places where nobody would put them.
const files = all.filter(({ name }) => !name.includes(", damage "));
for (const file of files) file.lines = readFileSync(file.path, "utf8").split("\n");
const list = join(corpus, "accepted.txt");
writeFileSync(list, files.map(({ path }) => `${path}\n`).join(""));

const TYPE_WORDS = new Set(["set", "list", "queue", "map", "of"]);

// Each gives, for a file, a map from `LINE COLUMN` (in bytes, from 0) to a class.

function byTreeSitter() {
  const args = ["query", "--paths", list, join("queries", "highlights.scm")];
  const options = { cwd: join(here, "tree-sitter-synod"), encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] };
  const found = new Map();
  let current;
  for (const line of execFileSync(treeSitter, args, options).split("\n")) {
    if (line && !line.startsWith(" ")) found.set(line.trim(), (current = []));
    const capture = /capture: (?:\d+ - )?([\w.]+), start: \((\d+), (\d+)\), end: \((\d+), (\d+)\)/.exec(line);
    if (!capture) continue;
    const [, name, row, from, endRow, to] = capture;
    current.push({ kind: classOfCapture(name), row: +row, from: +from, to: row === endRow ? +to : Infinity });
  }
  return found;
}

function classOfCapture(name) {
  if (name.startsWith("keyword")) return "keyword";
  if (name.startsWith("comment")) return "comment";
  if (name === "string" || name === "string.escape") return "text";
  if (name === "number") return "number";
  if (name === "boolean" || name === "constant.builtin") return "literal";
  // Options, outcomes and the like: `any` and `none` may be among them.
  if (name === "constant") return "constant";
  return "name";
}

/** What the others may take it for. */
function fits(kind, expected) {
  return kind === expected || (expected === "constant" && (kind === "name" || kind === "literal"));
}

async function tokenizer() {
  const oniguruma = require("vscode-oniguruma");
  const textmate = require("vscode-textmate");
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const grammar = join(here, "vscode", "syntaxes", "synod.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(grammar, "utf8"), grammar),
  });
  return { grammar: await registry.loadGrammar("source.synod"), start: textmate.INITIAL };
}

function classOfScopes(scopes) {
  const scope = scopes.findLast((one) => one !== "source.synod") ?? "";
  if (/^(keyword|storage)\./.test(scope)) return "keyword";
  if (scope.startsWith("comment.")) return "comment";
  if (/^(string\.quoted|constant\.character)/.test(scope)) return "text";
  if (scope.startsWith("constant.numeric")) return "number";
  if (scope === "constant.language.synod") return "literal";
  return "name";
}

function byVim() {
  const out = join(corpus, "vim.txt");
  const env = { ...process.env, SYNOD_PATHS: list, SYNOD_OUT: out, LC_ALL: "C.UTF-8" };
  execFileSync(vim, ["-Nu", "NONE", "-es", "-S", join(here, "vim", "test", "words.vim")], { env, stdio: ["ignore", "ignore", "inherit"] });
  return wordsOf(readFileSync(out, "utf8"));
}

function byEmacs() {
  const env = { ...process.env, SYNOD_PATHS: list, LC_ALL: "C.UTF-8" };
  const script = join(here, "emacs", "test", "words.el");
  const options = { env, encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "inherit"] };
  return wordsOf(execFileSync(emacs, ["-Q", "--batch", "-l", script], options));
}

/** `=FILE`, and below it `LINE COLUMN WHAT` for each of its words. */
function wordsOf(text) {
  const found = new Map();
  let current;
  for (const line of text.split("\n")) {
    if (line.startsWith("=")) found.set(line.slice(1), (current = new Map()));
    const word = /^(\d+) (\d+) (.*)$/.exec(line);
    if (word) current.set(`${word[1]} ${word[2]}`, word[3]);
  }
  return found;
}

const KEYWORD_GROUPS = /^synod(Clause|Header|Statement|Conditional|Repeat|Operator|Quantifier|Metric|ScenarioWord)$/;

function classOfGroup(group, word) {
  if (KEYWORD_GROUPS.test(group) || (group === "synodType" && TYPE_WORDS.has(word))) return "keyword";
  if (/^synod(Comment|Doc|Todo)$/.test(group)) return "comment";
  if (/^synod(Text|Escape)$/.test(group)) return "text";
  if (group === "synodNumber") return "number";
  if (group === "synodConstant") return "literal";
  return "name";
}

const LITERALS = new Set(JSON.parse(readFileSync(join(here, "keywords.json"), "utf8")).reserved.constant);

function classOfFace(face, word) {
  if (face === "font-lock-keyword-face" || (face === "font-lock-type-face" && TYPE_WORDS.has(word))) return "keyword";
  if (/^font-lock-(comment|comment-delimiter|doc)-face$/.test(face)) return "comment";
  if (face === "font-lock-string-face") return "text";
  if (face === "font-lock-constant-face" && LITERALS.has(word)) return "literal";
  // Emacs has no colour for numbers.
  if (face === "nil" && /^\d+$/.test(word)) return "number";
  return "name";
}

const trees = byTreeSitter();
const groups = byVim();
const faces = emacs && byEmacs();
const { grammar, start } = await tokenizer();
let words = 0;
let wrong = 0;

for (const { path, name, lines } of files) {
  const captures = trees.get(path) ?? [];
  const byRow = groupedByRow(captures);
  let state = start;
  lines.forEach((line, row) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const found of line.matchAll(/[A-Za-z0-9_]+/g)) {
      const [word] = found;
      const column = Buffer.byteLength(line.slice(0, found.index));
      const token = tokens.find(({ endIndex }) => endIndex > found.index);
      const inside = (byRow.get(row) ?? []).filter(({ from, to }) => from <= column && column < to);
      // An escape lies in a text; the narrower capture counts.
      const expected = inside.sort((a, b) => a.to - a.from - (b.to - b.from))[0]?.kind ?? "name";
      // Topologies and rounds-robin have numbers and words of their own.
      if (/^\s*scenario\b/.test(line) && (expected === "name" || expected === "number") && /^\d/.test(word)) continue;
      words += 1;
      const seen = { TextMate: classOfScopes(token.scopes), Vim: classOfGroup(groups.get(path)?.get(`${row} ${column}`) ?? "", word) };
      if (faces) seen.Emacs = classOfFace(faces.get(path)?.get(`${row} ${column}`) ?? "", word);
      for (const [who, kind] of Object.entries(seen)) {
        if (fits(kind, expected)) continue;
        wrong += 1;
        if (wrong <= 40) {
          console.error(`${name}:${row + 1}:${found.index + 1}: \`${word}\` is a ${expected} for tree-sitter, a ${kind} for ${who}\n  ${line.trim()}`);
        }
      }
    }
  });
}

function groupedByRow(captures) {
  const found = new Map();
  for (const capture of captures) found.set(capture.row, [...(found.get(capture.row) ?? []), capture]);
  return found;
}

console.log(`${words} words of ${files.length} programs, looked at with tree-sitter, TextMate, Vim${emacs ? " and Emacs" : ""}`);
if (wrong > 0) {
  console.error(`${wrong} of them are not the same`);
  process.exit(1);
}
