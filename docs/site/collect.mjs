// Collects the documents into the pages of the book: usage `node collect.mjs PAGES`. SYNOD names the binary. No text is written twice: see README.md.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { encode } from "../../editors/playground/src/link.js";
import { Highlighter, escape } from "./highlight.mjs";
import { library } from "./library.mjs";

const out = process.argv[2], synod = process.env.SYNOD;
const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const read = (path) => readFileSync(join(root, path), "utf8");
const repository = /^repository = "(.*)"$/m.exec(read("Cargo.toml"))[1];

// ─── Markdown ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Return the lines of a text as `{line, info}`; `info` is that of the fenced block, null outside. */
function lines(text) {
  let info = null;
  return text.split("\n").map((line) => {
    const fence = /^```(.*)$/.exec(line), before = info;
    if (fence) info = info === null ? fence[1] : null;
    return { line, info: before ?? info, isFence: Boolean(fence) };
  });
}
/** Return the headings of a text, with the anchors that GitHub and mdBook give them. */
function headings(text) {
  const known = new Map();
  return lines(text).flatMap(({ line, info }) => {
    const [, marks, title] = (info === null && /^(#+) (.*)$/.exec(line)) || [];
    if (!title) return [];
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
    const slug = plain.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-"), count = known.get(slug) ?? 0;
    known.set(slug, count + 1);
    return [{ level: marks.length, title, plain, anchor: count ? `${slug}-${count}` : slug }];
  });
}
/** Divide a text at its headings of one level: `[before, {title, anchor, text}, …]`. The headings of each part rise to the top. */
function parts(text, level) {
  const mark = `${"#".repeat(level)} `, all = headings(text).filter((heading) => heading.level === level);
  const found = [""];
  for (const { line, info } of lines(text)) {
    if (info === null && line.startsWith(mark)) found.push({ ...all[found.length - 1], text: "" });
    const last = found.length - 1, rises = last > 0 && info === null && line.startsWith("#") ? line.slice(level - 1) : line;
    if (last) found[last].text += `${rises}\n`; else found[0] += `${line}\n`;
  }
  return found;
}

// ─── Which document is which page ───────────────────────────────────────────────────────────────────────────────────

/** Pages in the order of the book: `{page, source, text, depth, part}`; the links of a text are relative to its source. */
const pages = [];
/** The page of a document, and the pages of the anchors of a document that is divided: `path#anchor`. */
const places = new Map();
function add(source, page, { text = read(source), depth = 0, part = null, title = headings(text)[0].plain } = {}) {
  pages.push({ page, source, text, depth, part, title });
  if (!places.has(source)) places.set(source, page);
}
/** Add the documents that a document links to, in the order of its links. */
function addLinked(from, pattern, pageOf) {
  const base = posix.dirname(from), seen = new Set();
  for (const [, target] of read(from).matchAll(/\]\(([^)#\s]+)\)/g)) {
    const source = posix.join(base, target);
    if (!pattern.test(source) || seen.has(source)) continue;
    seen.add(source);
    add(source, pageOf(posix.basename(source, posix.extname(source))), { depth: 1 });
  }
  const folder = posix.dirname([...seen][0]);
  const missing = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`).filter((path) => pattern.test(path) && !seen.has(path) && path !== from);
  if (missing.length) throw new Error(`${from} does not link to ${missing.join(", ")}`);
}
/** Add a document with one page for each of its chapters. */
function addDivided(source, folder, options) {
  const [before, ...chapters] = parts(read(source), 2);
  const contents = chapters.map(({ title, anchor }) => `* [${title}](#${anchor})`).join("\n");
  add(source, `${folder}/index.md`, { text: `${before}\n${contents}\n`, ...options });
  for (const { anchor, text } of chapters) {
    const page = `${folder}/${anchor}.md`;
    add(source, page, { text, depth: 1 });
    for (const heading of headings(text)) places.set(`${source}#${heading.anchor}`, heading.level === 1 ? page : `${page}#${heading.anchor}`);
  }
}
function addProgram(source, page) {
  const text = read(source), name = posix.basename(source, ".syn");
  add(source, page, { text: `# ${name}\n\n\`\`\`synod\n${text}\`\`\`\n`, depth: 1, title: name.replace(/^0/, "") });
}

add("README.md", "index.md");
add("docs/tutorial.md", "tutorial.md", { part: "Learn" });
add("examples/README.md", "examples.md");
for (const name of readdirSync(join(root, "examples")).filter((name) => name.endsWith(".syn"))) addProgram(`examples/${name}`, `examples/${name.replace(/syn$/, "md")}`);
add("docs/guide/README.md", "guide/index.md", { part: "Guide" });
addLinked("docs/guide/README.md", /^docs\/guide\//, (name) => `guide/${name}.md`);
addDivided("grammar/README.md", "language", { part: "Reference" });
add("docs/glossary.md", "glossary.md");
add("docs/networks.md", "networks.md");
add("docs/continuous_integration.md", "continuous_integration.md");
add("editors/README.md", "editors.md");
for (const name of ["vscode", "playground", "python"]) add(`editors/${name}/README.md`, `editors/${name}.md`, { depth: 1 });
await library({ synod, root, out, text: read("stdlib/README.md"), parts, add, places });
add("docs/claims.md", "claims.md", { part: "Evidence" });
add("docs/first_use.md", "first_use.md");
add("ARCHITECTURE.md", "design/index.md", { part: "Development" });
addLinked("ARCHITECTURE.md", /^docs\/design\//, (name) => `design/${name}.md`);
add("CONTRIBUTING.md", "contributing.md");
add("docs/site/README.md", "site.md");
add("CHANGELOG.md", "changelog.md");
add("SECURITY.md", "security.md");
places.set("docs/design", "design/index.md#depth");
places.set("stdlib/problems", "library/problems.md");

// ─── Links ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Files that a browser shows, so that the site has a copy of those that are linked. */
const SHOWN = /\.(syn|json|txt|trace|tsv)$|\/LICENSE-\w+$/;

/** Return where a link of a document leads, relative to its page. */
function moved(target, { source, page }) {
  if (/^[a-z]+:/.test(target)) return target;
  const [path, anchor] = target.split("#");
  const wanted = posix.normalize(path === "" ? source : posix.join(posix.dirname(source), path)).replace(/\/$/, "");
  if (!existsSync(join(root, wanted))) throw new Error(`${source} links to ${target}, which does not exist`);
  const relative = (to) => (to.split("#")[0] === page && to.includes("#") ? `#${to.split("#")[1]}` : posix.relative(posix.dirname(page), to));
  const place = (anchor && places.get(`${wanted}#${anchor}`)) ?? places.get(wanted) ?? places.get(`${wanted}/README.md`);
  if (place) return relative(anchor && !place.includes("#") && !places.has(`${wanted}#${anchor}`) ? `${place}#${anchor}` : place);
  if (SHOWN.test(`/${wanted}`)) {
    cpSync(join(root, wanted), join(out, "files", wanted));
    return relative(`files/${wanted}`);
  }
  return `${repository}/${statSync(join(root, wanted)).isDirectory() ? "tree" : "blob"}/HEAD/${wanted}`;
}

// ─── Programs ───────────────────────────────────────────────────────────────────────────────────────────────────────

const highlighter = new Highlighter(synod);

/** Return a program as HTML. One that runs on its own has a link that opens it in the playground; run.js adds a frame. */
async function program(text, page) {
  const { html, isSound } = await highlighter.program(text), block = `<pre><code class="synod nohighlight">${html}</code></pre>\n`;
  const name = /^algorithm (\w+)/m.exec(text)?.[1];
  if (name === undefined || !isSound) return block;
  const fragment = await encode({ text, name: `${name}.syn`, options: {} });
  return `${block}<p class="run"><a href="${posix.relative(posix.dirname(page), "playground/index.html")}#${fragment}">Open ${escape(name)} in the playground</a></p>\n`;
}

/** Return the text of a page: programs in colour, links between pages. */
async function converted(page) {
  const result = [];
  let block = null;
  for (const { line, info, isFence } of lines(page.text)) {
    const isProgram = info !== null && /^synod\b/.test(info);
    if (isProgram && isFence && block === null) block = [];
    else if (isProgram && isFence) {
      result.push(await program(`${block.join("\n")}\n`, page.page));
      block = null;
    } else if (isProgram) block.push(line);
    // mdBook takes all words after the fence for classes.
    else if (info !== null) result.push(isFence ? line.split(" ")[0] : line);
    else result.push(line.replace(/\]\(([^)\s]+)\)/g, (_, target) => `](${moved(target, page)})`));
  }
  return result.join("\n");
}

const summary = ["# Summary\n"];
for (const page of pages) {
  const file = join(out, page.page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await converted(page));
  if (page.part) summary.push(`\n# ${page.part}\n`);
  summary.push(`${page.page === "index.md" ? "" : `${"  ".repeat(page.depth)}- `}[${page.title.replace(/[[\]]/g, "\\$&")}](${page.page})`);
}
writeFileSync(join(out, "SUMMARY.md"), `${summary.join("\n")}\n`);
await highlighter.end();
console.log(`docs/site/build.sh: ${pages.length} pages`);
