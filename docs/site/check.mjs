// Checks the pages of the site: usage `node check.mjs SITE NAMES`, with the names of the library. Every link and picture leads to a file of the
// site, every anchor to an element; each page has a title; nothing is loaded from elsewhere; links to the playground hold programs.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { decode } from "../../editors/playground/src/link.js";

const [site, ...names] = process.argv.slice(2);
const files = readdirSync(site, { recursive: true }).map(String).filter((file) => statSync(join(site, file)).isFile());
const failures = [];
const unescape = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
const pages = new Map();
for (const file of files.filter((name) => name.endsWith(".html") && !name.startsWith("playground/"))) {
  const html = readFileSync(join(site, file), "utf8").replace(/<!--.*?-->/gs, "");
  const tags = [...html.replace(/<script>.*?<\/script>/gs, "").matchAll(/<(\w+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(([, tag, text]) => ({
    tag, attributes: new Map([...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, unescape(value)])),
  }));
  pages.set(file, { html, tags, anchors: tags.flatMap(({ attributes }) => [attributes.get("id") ?? [], attributes.get("name") ?? []].flat()) });
}

let links = 0, programs = 0;
for (const [file, { html, tags, anchors }] of pages) {
  const fail = (what) => failures.push(`${file}: ${what}`);
  // The sidebar of browsers without scripts is no page.
  if (file !== "toc.html" && !/<title>[^<]*\w[^<]*<\/title>/.test(html)) fail("no title");
  if (file !== "toc.html" && file !== "404.html" && (html.match(/<h1 id=/g) ?? []).length < 1) fail("no heading");
  const twice = anchors.filter((anchor, i) => anchors.indexOf(anchor) < i);
  if (twice.length) fail(`the anchor ${twice[0]} occurs twice`);
  for (const { tag, attributes } of tags) {
    const target = attributes.get("href") ?? attributes.get("src");
    if (tag === "img" && !attributes.get("alt")) fail(`a picture without a description: ${target}`);
    if (target === undefined || tag === "base") continue;
    links += 1;
    if (/^[a-z]+:/.test(target)) {
      if (tag !== "a") fail(`loads ${target}`);
      else if (!/^mailto:./.test(target) && !(/^https?:/.test(target) && URL.canParse(target))) fail(`${target} is no address`);
      continue;
    }
    const [path, anchor] = target.split("#"), wanted = path === "" ? file : relative(site, join(site, dirname(file), decodeURI(path)));
    if (!files.includes(wanted)) fail(`${target} leads nowhere`);
    else if (wanted === "playground/index.html") {
      if (anchor === undefined) continue;
      await decode(anchor).then(() => { programs += 1; }, (error) => fail(`a link to the playground cannot be opened: ${error.message}`));
    } else if (anchor !== undefined && !pages.get(wanted)?.anchors.includes(decodeURIComponent(anchor))) fail(`${target} has no such anchor`);
  }
}
for (const file of files.filter((name) => name.endsWith(".css"))) {
  const urls = [...readFileSync(join(site, file), "utf8").matchAll(/url\(["']?([^"')]+)/g)].map(([, url]) => url);
  for (const url of urls) if (!url.startsWith("data:") && !existsSync(join(site, dirname(file), url.split(/[?#]/)[0]))) failures.push(`${file} loads ${url}`);
}
for (const name of names) if (!files.some((file) => file.startsWith("library/") && file.endsWith(`/${name}.html`))) failures.push(`${name} has no page`);
for (const [what, count, least] of [["pages", pages.size, 150], ["links", links, 5_000], ["programs to run", programs, 100], ["names", names.length, 100]]) {
  if (count < least) failures.push(`only ${count} ${what}`);
}
for (const failure of failures.slice(0, 50)) console.error(`docs/site/check.mjs: ${failure}`);
if (failures.length) process.exit(1);
console.log(`docs/site/check.mjs: ${pages.size} pages, ${links} links, ${programs} programs to run`);
