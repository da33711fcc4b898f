// Reads exported traces with the programs they are for, in a browser: Mermaid, and the interface of Perfetto. See ../exports.sh.
// Arguments: the browser, a folder with *.mermaid and *.perfetto, and that of Perfetto's interface (or nothing).
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { launch } from "../browser/browser.mjs";

const [executablePath, folder, perfetto] = process.argv.slice(2);
const files = (await readdir(folder)).sort();
let failed = 0;
async function read(what, reader) {
  try {
    console.log(`ok      ${what}: ${await reader()}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${what}: ${error.message}`);
  }
}

// Perfetto wants to be served: its trace processor is WebAssembly.
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };
const server = createServer(async (request, response) => {
  const asked = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const path = asked === "/" ? "/index.html" : asked;
  try {
    const content = await readFile(join(perfetto, path));
    response.writeHead(200, { "Content-Type": types[extname(path)] ?? "application/octet-stream" }).end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const here = `http://127.0.0.1:${server.address().port}/`;

const browser = await launch(chromium, executablePath);

{
  const page = await browser.newPage();
  await page.setContent("<!doctype html><body></body>");
  await page.addScriptTag({ path: new URL("node_modules/mermaid/dist/mermaid.min.js", import.meta.url).pathname });
  for (const file of files.filter((name) => name.endsWith(".mermaid"))) {
    const text = await readFile(join(folder, file), "utf8");
    await read(`${file} in Mermaid`, async () => {
      const seen = await page.evaluate(async (text) => {
        mermaid.initialize({ startOnLoad: false, maxTextSize: 10_000_000 });
        const { diagramType } = await mermaid.parse(text);
        const { svg } = await mermaid.render("drawn", text);
        const picture = new DOMParser().parseFromString(svg, "text/html");
        return { diagramType, messages: picture.querySelectorAll(".messageText").length, notes: picture.querySelectorAll(".note").length };
      }, text);
      const lines = text.split("\n");
      assert.equal(seen.diagramType, "sequence");
      assert.equal(seen.messages, lines.filter((line) => /^ *p\d+(->>|-x|--\))p\d+:/.test(line)).length, "messages");
      assert.equal(seen.notes, lines.filter((line) => line.trim().startsWith("Note over")).length, "notes");
      return `${seen.messages} messages, ${seen.notes} notes`;
    });
  }
  await page.close();
}

if (perfetto) {
  for (const file of files.filter((name) => name.endsWith(".perfetto"))) {
    const text = await readFile(join(folder, file), "utf8");
    await read(`${file} in Perfetto`, async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(180_000);
      await page.goto(here, { waitUntil: "domcontentloaded" });
      await page.waitForFunction(() => window.app !== undefined);
      const seen = await page.evaluate(async (text) => {
        const bytes = new TextEncoder().encode(text);
        await window.app.openTraceFromBuffer({ buffer: bytes.buffer, title: "exported" });
        for (let tries = 0; window.app.trace === undefined && tries < 600; tries++) await new Promise((next) => setTimeout(next, 100));
        const engine = window.app.trace.engine;
        const one = async (query) => {
          const result = await engine.query(query);
          return Number(result.firstRow({ n: 0 }).n);
        };
        return {
          events: await one("select count(*) as n from slice where category = 'event'"),
          states: await one("select count(*) as n from slice where category in ('state', 'responder')"),
          flows: await one("select count(*) as n from flow"),
          threads: await one("select count(*) as n from thread where name like 'p%'"),
          // What could not be understood is counted there.
          wrong: await one("select ifnull(sum(value), 0) as n from stats where severity in ('error', 'data_loss')"),
        };
      }, text);
      await page.close();
      const all = JSON.parse(text).traceEvents;
      const count = (is) => all.filter(is).length;
      const starts = new Set(all.filter((e) => e.ph === "s").map((e) => e.id));
      assert.equal(seen.wrong, 0, "what it could not read");
      assert.equal(seen.events, count((e) => e.ph === "X" && e.cat === "event"), "events");
      assert.equal(seen.states, count((e) => e.ph === "X" && e.cat !== "event"), "states");
      assert.equal(seen.flows, count((e) => e.ph === "f" && starts.has(e.id)), "arrows");
      return `${seen.events} events, ${seen.flows} arrows`;
    });
  }
}

await browser.close();
server.close();
process.exit(failed ? 1 : 0);
