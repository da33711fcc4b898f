// Bundles the page into one HTML file: usage `node build.mjs MODULE.wasm DIST`. build.sh makes the module first.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const [modulePath, dist] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const html = join(here, "..", "..", "src", "render", "html");
const read = (...path) => readFileSync(join(...path), "utf8");
const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** Return a bundled script. */
async function bundle(file, define = {}) {
  const { outputFiles } = await build({
    entryPoints: [join(here, "src", file)], bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "none", charset: "utf8", write: false, define,
    // The skeletons of `synod new`.
    loader: { ".syn": "text" },
    // The modules of `synod draw` are outside of this folder.
    nodePaths: [join(here, "node_modules")],
  });
  return outputFiles[0].text.trim();
}

async function styles() {
  const css = [read(html, "theme.css"), read(html, "network.css"), read(here, "style.css")].join("\n");
  const { outputFiles } = await build({ stdin: { contents: css, loader: "css" }, minify: true, write: false });
  return outputFiles[0].text.trim();
}

const module = execFileSync("xz", ["--format=xz", "--check=crc32", "-9e", "--stdout", modulePath], { maxBuffer: 1 << 28 }).toString("base64");
const style = await styles();
const worker = await bundle("worker.js");
// CodeMirror writes style elements; the policy lets it by this number, which changes with the page.
const nonce = createHash("sha256").update(worker).update(style).update(module).digest("hex").slice(0, 24);
const script = (await bundle("main.js", { WORKER: JSON.stringify(worker), NONCE: JSON.stringify(nonce) })).replaceAll("</script", "<\\/script");
const policy = [
  "default-src 'none'", `script-src '${hash(script)}' 'wasm-unsafe-eval'`, `style-src '${hash(style)}' 'nonce-${nonce}'`, "worker-src blob:", // The underlines and the marks of the editor are images in its style sheet.
  "img-src blob: data:",
  // `synod serve` replaces it, so that the page reaches its file.
  "connect-src 'none'",
  "base-uri 'none'", "form-action 'none'",
].join("; ");

const fail = (name) => { throw new Error(`index.html names {{${name}}}`); };
const parts = { policy, style, module, script };
const page = read(here, "index.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name] ?? fail(name));
mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, "index.html"), page);
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
console.log(`${join(dist, "index.html")}: ${kilobytes(page.length)}, with gzip ${kilobytes(gzipSync(page, { level: 9 }).length)}`);
