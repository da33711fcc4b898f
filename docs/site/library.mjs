// The pages of the library: its page (stdlib/README.md) divided, and for each algorithm the whole description, its program, a run and its costs.

import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { escape } from "./highlight.mjs";

/** The maximum number of steps in a diagram. */
const STEPS = 60;

/** Run a command; a finding (exit code 1) is a result. Return what it prints. */
function run(synod, args) {
  return new Promise((resolve, reject) => {
    execFile(synod, ["-q", ...args], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error && error.code !== 1) reject(new Error(`synod ${args.join(" ")}: ${stderr}`)); else resolve(stdout);
    });
  });
}
/** Apply an action to all items, as many at once as there are processors. */
async function inParallel(items, action) {
  const queue = [...items];
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await action(item);
  }));
}

/** Return the text of a doc comment as Markdown; indented lines keep their layout. */
function prose(doc) {
  return doc.split("\n\n").map((paragraph) => {
    if (/^ {2}/m.test(paragraph)) return paragraph.replace(/(^ {2}.*\n?)+/gm, (block) => `\n\`\`\`text\n${block.replace(/\n?$/, "\n")}\`\`\`\n`);
    return paragraph.split("`").map((part, i) => (i % 2 ? part : part.replaceAll("<", "&lt;"))).join("`");
  }).join("\n\n");
}
/** Return the rows of a table about one algorithm: the first has its name, the following none. */
function rowsOf(name, rows) {
  const first = rows.findIndex((row) => row.startsWith(`| \`${name}\` |`));
  if (first < 0) return [];
  const next = rows.findIndex((row, i) => i > first && !row.startsWith("|  |"));
  return rows.slice(first, next < 0 ? rows.length : next);
}
/** Return one size more, with which a growth can be fitted: 4, 8, 16 and 32; 7, 15, 31 and 63; 9, 16, 25 and 36. */
function next(sizes) {
  const [first, second, third] = sizes.slice(-3), before = second - first, last = third - second;
  return third + (last === 2 * before ? 2 * last : 2 * last - before);
}
const titleOf = (svg) => /<title[^>]*>([^<]*)</.exec(readFileSync(svg, "utf8"))[1];

export async function library({ synod, root, out, text, parts, add, places }) {
  const { entries } = JSON.parse(execFileSync(synod, ["list", "--json"], { maxBuffer: 1 << 26 }));
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const pageOf = ({ path }) => `library/${path.replace(/syn$/, "md")}`;
  const link = ({ name, path }) => `[\`${name}\`](${path})`;
  const linked = (words) => words.replace(/`(\w+)`/g, (word, name) => { const found = entries.find((e) => e.name === name && e.kind !== "problem"); return found ? link(found) : word; });

  // Pictures and texts.
  const pictures = join(out, "library", "pictures");
  mkdirSync(pictures, { recursive: true });
  const known = new Map();
  const sizeOf = async (network) => {
    if (!known.has(network)) known.set(network, run(synod, ["topology", "show", network, "--json"]).then((shown) => JSON.parse(shown).n));
    return known.get(network);
  };
  const table = text.split("\n").filter((line) => line.startsWith("|"));
  await inParallel(entries.filter(({ kind }) => kind !== "problem"), async ({ name }) => {
    await run(synod, ["draw", name, "--max-steps", String(STEPS), "-o", join(pictures, `${name}.svg`)]);
    const networks = rowsOf(name, table).map((row) => row.split("|")[2].trim());
    if (networks.length === 0) return;
    const sizes = await Promise.all(networks.map(sizeOf));
    await run(synod, ["measure", name, "--n", [...sizes, next(sizes)].join(","), "--jobs", "1", "--svg", join(pictures, `${name}_costs.svg`)]);
  });

  /** The program without its doc comment, which is the text of the page. */
  const program = ({ path }) => `\`\`\`synod\n${readFileSync(join(root, "stdlib", path), "utf8").replace(/^(\/\/\/.*\n)+/, "")}\`\`\``;

  function algorithm(entry, section, shelf, rows) {
    const bullets = section.text.split("\n").filter((line) => line.startsWith("* ")).join("\n");
    const own = rowsOf(entry.name, rows), same = entries.filter((e) => e.name !== entry.name && shelf.names.includes(e.name) && base(e) === base(entry));
    const problem = entries.find((e) => e.kind === "problem" && e.name === base(entry)?.replace(/\B[A-Z]/g, "_$&").toLowerCase());
    const diagram = `pictures/${entry.name}.svg`, title = titleOf(join(out, "library", diagram)), up = "../".repeat(entry.path.split("/").length - 1);
    const image = (file, alt, kind = "plot") => `<p class="${kind}"><a href="${up}${file}"><img src="${up}${file}" alt="${escape(alt)}" loading="lazy"></a></p>`;
    const costs = own.length
      ? `${rows.slice(0, 2).join("\n")}\n${own.join("\n")}\n\n${image(`pictures/${entry.name}_costs.svg`, `Costs of ${entry.name} over the number of processes`)}`
      : `Its runs have no end, so the library states no costs. \`synod measure ${entry.name}\` measures a run up to the event after which its properties hold for good.`;
    const source = program(entry);
    return [
      `# ${entry.name}`, prose(entry.doc.replace(/\n\nSource: [^]*$/, "")), bullets,
      "## Program", source,
      "## A run", `${title.replace(/^[^:]*: /, "")}. \`synod run ${entry.name}\` shows it${title.includes("limit") ? `, to its end; here are the first ${STEPS} steps` : ""}.`,
      image(diagram, title, "diagram"),
      "## Costs", costs,
      "## Related", [
        problem ? `* The problem that it solves: [${base(entry)}](${problem.path})` : "",
        `* [${shelf.title}](#${shelf.anchor})${same.length ? `: ${same.map(link).join(", ")}` : ""}`,
      ].filter(Boolean).join("\n"),
    ].filter(Boolean).join("\n\n") + "\n";
  }
  const base = ({ problem }) => problem?.replace(/\(.*/s, "");

  const [before, ...shelves] = parts(text, 2);
  add("stdlib/README.md", "library/index.md", { text: before.replace(/^\*\*Shelves:\*\* .*$/m, () => shelves.map(({ title, anchor }) => `* [${title}](#${anchor})`).join("\n")), part: "Library" });
  for (const shelf of shelves) {
    const page = `library/${shelf.anchor}.md`;
    places.set(`stdlib/README.md#${shelf.anchor}`, page);
    const [introduction, ...sections] = parts(shelf.text, 2).map((part) => (typeof part === "string" ? part : { ...part, entry: byPath.get(/\]\(([^)]*)\)/.exec(part.title)[1]) }));
    const names = sections.map(({ entry }) => entry.name), last = sections.at(-1).text, from = last.indexOf("\n**Measured costs**");
    const costs = from < 0 ? "" : last.slice(from), rows = costs.split("\n").filter((line) => line.startsWith("|"));
    const list = sections.map(({ entry }) => `* ${link(entry)}: ${entry.summary}`).join("\n");
    add("stdlib/README.md", page, { text: `${introduction}\n${list}\n${linked(costs)}`, depth: 1, title: shelf.title });
    for (const section of sections) {
      const { entry } = section, isProblem = entry.kind === "problem";
      const own = isProblem
        ? `# ${entry.name}\n\n${prose(entry.doc)}\n\n${section.text.split("\n").filter((line) => line.startsWith("* ")).map(linked).join("\n")}\n\n## Program\n\n${program(entry)}\n`
        : algorithm(entry, section, { ...shelf, names }, rows);
      add("stdlib/README.md", pageOf(entry), { text: own, depth: 2, title: entry.name });
      places.set(`stdlib/${entry.path}`, pageOf(entry));
      places.set(`stdlib/README.md#${section.anchor}`, pageOf(entry));
    }
  }
  const missing = entries.filter((entry) => !places.has(`stdlib/${entry.path}`));
  if (missing.length) throw new Error(`stdlib/README.md lacks ${missing.map(({ name }) => name).join(", ")}`);
}
