// Uses the page that `synod serve` serves, as a person would: see test.sh. Arguments: the browser, the page, and the command synod.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { launch, watch } from "../../../tests/browser/browser.mjs";

const [executablePath, pageFile, synod] = process.argv.slice(2);
const browser = await launch(chromium, executablePath);
const folder = mkdtempSync(join(tmpdir(), "synod-served-"));

/** Return an algorithm of this name. */
const program = (name) => `algorithm ${name}
assumes unidirectional ring, unique ids
message Candidate(of: Id)
var leader : Bool

state begin
  send Candidate(id)
  become listening

state listening
  on Candidate(of) when of > id -> send Candidate(of)
  on Candidate(of) when of < id -> skip
  on Candidate(of) when of = id -> leader := true
`;

let passed = 0;
const failures = [];
/** Serve a file of this name and text, open its page, and use it. */
async function test(what, file, text, drive) {
  const path = join(folder, file);
  writeFileSync(path, text);
  const server = spawn(synod, ["--quiet", "serve", file, "--page", pageFile], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const [address] = await new Promise((go) => createInterface(server.stdout).once("line", (line) => go([line])));
  const exited = new Promise((go) => server.once("exit", go));
  const end = () => { server.kill("SIGINT"); return exited; };
  const context = await browser.newContext({ viewport: { width: 1400, height: 860 } });
  context.setDefaultTimeout(60_000);
  const wrong = [];
  const disk = {
    path,
    get text() { return readFileSync(path, "utf8"); },
    // As editors do it: another file takes its place.
    set text(text) { writeFileSync(`${path}.new`, text); renameSync(`${path}.new`, path); },
  };
  try {
    const page = await opened(context, address, wrong);
    await drive(page, disk, { again: () => opened(context, address, wrong), end });
    assert.deepEqual(wrong, []);
    passed++;
  } catch (error) {
    failures.push(what);
    const lines = [...error.stack.matchAll(/served\.mjs:(\d+)/g)].map((found) => found[1]).reverse().join(" → ");
    console.log(`FAILED ${what} (line ${lines}): ${error.message}${wrong.length ? `; ${wrong.join("; ")}` : ""}`);
  }
  await context.close();
  const code = await end();
  if (code !== 0) failures.push(`${what}: the server ends with ${code}`);
}
async function opened(context, address, wrong) {
  const page = await context.newPage();
  // The browser reports each response with an error, which the page shows.
  const isExpected = (text) => text.startsWith("Failed to load resource");
  watch(page, wrong, (url) => [address, "blob:"].some((start) => url.startsWith(start)), isExpected);
  await page.goto(address);
  await ready(page);
  return page;
}

const until = (page, what, argument) => page.waitForFunction(what, argument, { timeout: 60_000 });
const ready = (page) => until(page, () => /\d+ of \d+ event|no run/.test(document.getElementById("position").textContent) && !document.getElementById("file-save").hidden);
const button = (page, text) => until(page, (wanted) => document.getElementById("file-save").textContent === wanted, text);
const shown = (page) => page.evaluate(() => window.synod.text);
const shows = (page, text) => until(page, (wanted) => window.synod.text === wanted, text);
const notice = (page, part) => until(page, (wanted) => !document.getElementById("notice").hidden && document.getElementById("notice").textContent.includes(wanted), part);
const hasConflict = (page) => page.locator("#conflict").isVisible();
/** Wait until the link contains this. */
async function inLink(page, part) {
  for (;;) {
    const fragment = await page.evaluate(() => location.hash.slice(3));
    if (fragment && inflateRawSync(Buffer.from(fragment, "base64url")).includes(part)) return;
  }
}
/** Write at the end of the program. */
async function type(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

await test("the file is shown, edited and saved", "mine.syn", program("first"), async (page, disk) => {
  await button(page, "mine.syn");
  assert.ok(await page.locator("#file-save").isDisabled());
  assert.equal(await shown(page), disk.text);
  await until(page, () => document.title.startsWith("first · mine.syn · "));
  await page.locator("#step").click();
  await until(page, () => document.getElementById("position").textContent.startsWith("1 of "));
  await type(page, "// one");
  await button(page, "Save mine.syn");
  assert.equal(disk.text, program("first"));
  await page.keyboard.press("Control+s");
  await button(page, "mine.syn");
  assert.equal(disk.text, `${program("first")}// one`);
  await page.keyboard.type(" and two");
  await page.locator("#file-save").click();
  await button(page, "mine.syn");
  assert.equal(disk.text, `${program("first")}// one and two`);
  await page.keyboard.press("Control+s");
  await until(page, () => document.getElementById("status").textContent === "mine.syn is as on disk");
});

await test("a change on disk appears, and the cursor stays", "mine.syn", program("first"), async (page, disk) => {
  await type(page, "// one");
  await page.keyboard.press("Control+s");
  await button(page, "mine.syn");
  disk.text = `/// New.\n${disk.text}`;
  await shows(page, disk.text);
  await page.keyboard.type(" two");
  assert.equal(await shown(page), `${disk.text} two`);
  assert.ok(!(await hasConflict(page)));
  // The editor is up to date: saving is no conflict.
  await page.keyboard.press("Control+s");
  await button(page, "mine.syn");
  assert.equal(disk.text, `/// New.\n${program("first")}// one two`);
});

await test("a conflict is shown, and nothing is lost", "mine.syn", program("first"), async (page, disk) => {
  const typed = `${program("first")}// here`;
  await type(page, "// here");
  disk.text = program("second");
  await page.locator("#conflict").waitFor();
  assert.equal(await shown(page), typed);
  await page.keyboard.press("Control+s");
  await notice(page, "mine.syn has changed on disk");
  assert.equal(disk.text, program("second"));
  // The text on disk, and back.
  await page.locator("#file-load").click();
  await shows(page, program("second"));
  await button(page, "mine.syn");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+z");
  await shows(page, typed);
  await button(page, "Save mine.syn");
  // A further change; this text is kept.
  disk.text = program("third");
  await page.locator("#conflict").waitFor();
  await page.locator("#file-keep").click();
  await page.locator("#conflict").waitFor({ state: "hidden" });
  await page.keyboard.press("Control+s");
  await button(page, "mine.syn");
  assert.equal(disk.text, typed);
});

await test("a second tab sees what the first one saves", "mine.syn", program("first"), async (page, disk, { again }) => {
  const other = await again();
  await type(page, "// one");
  await page.keyboard.press("Control+s");
  await shows(other, `${program("first")}// one`);
  await button(other, "mine.syn");
});

await test("after a reload, changes that are not saved are there", "mine.syn", program("first"), async (page, disk) => {
  page.removeAllListeners("dialog");
  page.on("dialog", (dialog) => dialog.accept());
  await type(page, "// one");
  await button(page, "Save mine.syn");
  await inLink(page, "// one");
  await page.reload();
  await ready(page);
  await shows(page, `${program("first")}// one`);
  await button(page, "Save mine.syn");
  assert.ok(!(await hasConflict(page)));
  // The page has not seen this change when it is loaded again.
  const address = page.url();
  await page.goto("about:blank");
  disk.text = program("second");
  await page.goto(address);
  await page.locator("#conflict").waitFor();
  await shows(page, `${program("first")}// one`);
  await page.locator("#file-load").click();
  await button(page, "mine.syn");
  await inLink(page, '"base":null');
  // Without changes, the file on disk is shown.
  const unchanged = page.url();
  await page.goto("about:blank");
  disk.text = program("third");
  await page.goto(unchanged);
  await ready(page);
  await shows(page, program("third"));
  await button(page, "mine.syn");
});

await test("another program does not replace the file", "mine.syn", program("first"), async (page, disk) => {
  await type(page, "// one");
  await button(page, "Save mine.syn");
  await page.locator("#library-open").click();
  await page.fill("#library-query", "franklin");
  await page.locator("#library-list button", { has: page.getByText("franklin", { exact: true }) }).click();
  // Its run has begun, too: that changes the status line, in which the next message is awaited.
  await until(page, () => document.getElementById("status").textContent.startsWith("franklin: "));
  await button(page, "Back to mine.syn");
  await page.keyboard.press("Control+s");
  await until(page, () => document.getElementById("status").textContent.startsWith("This is not the program of mine.syn"));
  await page.locator("#file-save").click();
  await shows(page, `${program("first")}// one`);
  await button(page, "Save mine.syn");
  assert.equal(disk.text, program("first"));
  await page.locator("#file-save").click();
  await button(page, "mine.syn");
  assert.equal(disk.text, `${program("first")}// one`);
});

await test("a file that is removed is reported, and saved again", "mine.syn", program("first"), async (page, disk) => {
  await type(page, "// one");
  rmSync(disk.path);
  await notice(page, "there is no file mine.syn");
  await page.keyboard.press("Control+s");
  await button(page, "mine.syn");
  assert.equal(disk.text, `${program("first")}// one`);
  await until(page, () => document.getElementById("notice").hidden);
  // Unreadable for a while.
  writeFileSync(disk.path, Buffer.from([0x61, 0xff]));
  await notice(page, "mine.syn is not UTF-8");
  disk.text = program("second");
  await shows(page, program("second"));
  await until(page, () => document.getElementById("notice").hidden);
});

await test("the end of the server is reported, and the program stays", "mine.syn", program("first"), async (page, disk, { end }) => {
  await end();
  await notice(page, "synod serve has ended");
  await type(page, "// one");
  await page.locator("#notice button").click();
  await page.keyboard.press("Control+s");
  await notice(page, "synod serve has ended");
  assert.equal(await shown(page), `${program("first")}// one`);
  assert.equal(disk.text, program("first"));
});

await test("line ends of Windows stay", "mine.syn", program("first").replaceAll("\n", "\r\n"), async (page, disk) => {
  await button(page, "mine.syn");
  await type(page, "// one");
  await page.keyboard.press("Control+s");
  await button(page, "mine.syn");
  assert.equal(disk.text, `${program("first")}// one`.replaceAll("\n", "\r\n"));
});

const hostile = `"><img src=x onerror=alert(1)> 'ü connect-src 'none' ${"$&"}.syn`;
await test("a hostile name is only a name", hostile, program("first"), async (page, disk) => {
  await button(page, hostile);
  assert.equal(await page.locator("header img, main img:not(.cm-widgetBuffer)").count(), 0);
  await type(page, "// one");
  await page.keyboard.press("Control+s");
  await button(page, hostile);
  assert.equal(disk.text, `${program("first")}// one`);
});

await browser.close();
rmSync(folder, { recursive: true });
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`editors/playground/test.sh: ${passed} passed, ${failures.length} failed, with synod serve`);
process.exit(failures.length ? 1 : 0);
