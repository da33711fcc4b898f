// Do tree-sitter and the parser of Synod agree? Usage: agreement.mjs CORPUS TREE_SITTER
//
// CORPUS is the folder that `tests/suite/editors.rs` (`what_the_parser_sees`) has written: programs and, in `seen.txt`, what the parser
// says of each. Programs must be accepted by both or rejected by both, and of those that are accepted both must see the
// same clauses: line, kind, names, and number of statements, lines, parameters or parts.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [corpus, treeSitter] = process.argv.slice(2);
const grammar = join(dirname(fileURLToPath(import.meta.url)), "tree-sitter-synod");

// Where the parser goes by what looks like a slip of the pen, or counts: a grammar cannot, and an editor need not.
// What it says, and why tree-sitter accepts it.
const KNOWN = [
  [/SYN0002/, "two words on a line, the first of which resembles a keyword, are two calls"],
  [/SYN0010/, "there is no limit of nesting"],
  [/SYN0021/, "a literal is a pattern in messages only"],
  [/SYN0027/, "a former form is read, and refused with a fix"],
];

/** For clauses: the node that holds what is counted, and the nodes that count. */
const COUNTED = {
  problem: [null, /^problem_param$/],
  assumes: [null, /^assumption$/],
  uses: [null, /^used$/],
  message: [null, /^message_decl$/],
  enumeration: [null, /^case:/],
  record: ["params", /^param$/],
  function: ["params", /^param$/],
  view: [null, /^viewed$/],
  deferral: [null, /^message_guard$/],
  ignorance: [null, /^message_guard$/],
  scenario: [null, /^(?!name:|topology$|settings$)/],
};
const WITH_BLOCK = ["procedure", "operation", "client", "state", "on_handler", "when_handler", "after_handler"];
for (const kind of WITH_BLOCK) COUNTED[kind] = ["block", /./];
const NAMED = new Set(
  ("algorithm problem enumeration record constant parameter variable function procedure operation role state property " +
    "scenario").split(" "),
);

/** The tree that `tree-sitter parse` prints, as far down as is needed. */
function parsed(output) {
  const stack = [{ children: [], depth: -1 }];
  for (const line of output.split("\n")) {
    const found = /^( *)(?:(\w+): )?\((MISSING |ERROR|[\w]+)?.*?\[(\d+), (\d+)\] - \[(\d+), (\d+)\]/.exec(line);
    if (!found) continue;
    const [, indent, field, kind, row, column, endRow, endColumn] = found;
    const node = { field, kind, row: +row, column: +column, endRow: +endRow, endColumn: +endColumn, children: [], depth: indent.length };
    while (stack.at(-1).depth >= node.depth) stack.pop();
    stack.at(-1).children.push(node);
    stack.push(node);
  }
  return stack[0].children;
}

function textOf(node, lines) {
  // Columns of tree-sitter are bytes; names are ASCII, but what stands before them need not be.
  return Buffer.from(lines[node.row]).subarray(node.column, node.endColumn).toString();
}

function clauseOf(node, lines) {
  const named = NAMED.has(node.kind) ? node.children.filter((child) => child.field === "name") : [];
  const names = named.map((child) => textOf(child, lines)).join(",");
  let count = 0;
  const counted = COUNTED[node.kind];
  if (counted) {
    const [holder, what] = counted;
    const holders = holder ? node.children.filter((child) => child.kind === holder) : [node];
    const label = (child) => (child.field ? `${child.field}:` : child.kind);
    count = holders
      .flatMap((one) => one.children)
      .filter((child) => !/comment$/.test(child.kind) && what.test(label(child))).length;
  }
  return `${node.row + 1} ${node.kind} ${names} ${count}`;
}

const entries = [];
for (const line of readFileSync(join(corpus, "seen.txt"), "utf8").trimEnd().split("\n")) {
  if (line.startsWith("  ")) entries.at(-1).seen.push(line.trim());
  else {
    const [, number, verdict, name] = /^(\d+) (\w+) (.*)$/.exec(line);
    entries.push({ number, verdict, name, seen: [] });
  }
}

/** All trees, in the order of the entries; tree-sitter ends with 1 where any is wrong. */
function trees() {
  const list = join(corpus, "paths.txt");
  writeFileSync(list, entries.map(({ number }) => join(corpus, `${number}.syn\n`)).join(""));
  const options = { cwd: grammar, encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] };
  try {
    return execFileSync(treeSitter, ["parse", "--paths", list], options);
  } catch (error) {
    if (error.stdout) return error.stdout;
    throw error;
  }
}

const outputs = trees().split(/^(?=\((?:source_file|ERROR) )/m).filter((text) => text.startsWith("("));
if (outputs.length !== entries.length) {
  console.error(`${entries.length} programs, but ${outputs.length} trees`);
  process.exit(1);
}

let wrong = 0;
const known = new Map();
const tally = { accept: 0, reject: 0, clauses: 0 };
entries.forEach((entry, index) => {
  const lines = readFileSync(join(corpus, `${entry.number}.syn`), "utf8").split("\n");
  const verdict = /\((ERROR|MISSING)/.test(outputs[index]) ? "reject" : "accept";
  const complain = (what) => {
    wrong += 1;
    console.error(`${entry.name} (${join(corpus, entry.number)}.syn)\n  ${what}`);
  };
  if (verdict !== entry.verdict) {
    const reason = entry.verdict === "reject" && KNOWN.find(([code]) => code.test(entry.seen[0]));
    if (reason) return void known.set(reason[1], (known.get(reason[1]) ?? 0) + 1);
    const place = outputs[index].split("\n").find((line) => /\((ERROR|MISSING)/.test(line))?.trim() ?? "";
    return void complain(`the parser says ${entry.verdict}, tree-sitter ${verdict}\n  ${entry.verdict === "reject" ? entry.seen[0] : place}`);
  }
  tally[verdict] += 1;
  if (verdict === "reject") return;
  const clauses = parsed(outputs[index])[0].children.filter(({ kind }) => !/comment$/.test(kind)).map((node) => clauseOf(node, lines));
  tally.clauses += clauses.length;
  const at = clauses.findIndex((clause, i) => clause !== entry.seen[i]);
  if (at >= 0 || clauses.length !== entry.seen.length) {
    const i = at >= 0 ? at : clauses.length;
    complain(`the parser sees «${entry.seen[i]}», tree-sitter «${clauses[i]}»`);
  }
});
console.log(`${tally.accept} programs accepted by both, with ${tally.clauses} clauses alike; ${tally.reject} rejected by both`);
for (const [reason, count] of known) console.log(`  and ${count} that only the parser rejects: ${reason}`);
if (wrong > 0) {
  console.error(`${wrong} programs on which they do not agree`);
  process.exit(1);
}
