// Uses the playground in a browser, as a person would: see test.sh. Arguments: the browser, the page, and a part of the names of the tests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { deflateRawSync, gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { launch, watch } from "../../../tests/browser/browser.mjs";

const [executablePath, file] = process.argv.slice(2);
const browser = await launch(chromium, executablePath);
const disk = `file://${file}`;

/** A program whose processes may all become leaders. */
const BUGGY = `algorithm hasty
assumes unidirectional ring, unique ids
message Candidate(of: Id)
var leader : Bool

state begin
  send Candidate(id)
  become listening

state listening
  on Candidate(of) ->
    if of > id -> send Candidate(of)
    [] of < id -> leader := true
    [] of = id -> leader := true
    fi

invariant safety: size({ p in processes | p.leader }) <= 1
`;
/** A program with many configurations. */
const LARGE = `algorithm large
assumes unidirectional ring, unique ids
message Tick
var count : Int
state starting
  send Tick
  become counting
state counting
  on Tick when count < 1000000 -> count := count + 1; send Tick
  on Tick when count >= 1000000 -> skip
`;
/** A program whose default network has too many configurations. */
const WIDE = `algorithm wide
assumes complete graph, reads neighbours, central daemon
var x : 0..149 := any
when x = 0 -> x := 1
invariant small: forall p: p.x < 150
`;

let passed = 0;
const failures = [];
const chosen = process.argv[4] ?? "";
async function test(what, drive, { at = disk, fragment = "", ...options } = {}) {
  if (!what.includes(chosen)) return;
  const context = await browser.newContext({ viewport: { width: 1400, height: 860 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const wrong = [];
  // The page has to be all there is.
  watch(page, wrong, (url) => [at, "blob:"].some((start) => url.startsWith(start)));
  try {
    await page.goto(at + fragment);
    await ready(page);
    await drive(page, context);
    assert.deepEqual(wrong, []);
    passed++;
  } catch (error) {
    failures.push(what);
    // From the test to the helper that failed.
    const lines = [...error.stack.matchAll(/page\.mjs:(\d+)/g)].map((found) => found[1]).reverse().join(" → ");
    console.log(`FAILED ${what} (line ${lines}): ${error.message}${wrong.length ? `; ${wrong.join("; ")}` : ""}`);
  }
  await context.close();
}

// ─── What a person sees and does ────────────────────────────────────────────────────────────────────────────────────

const text = (page, selector) => page.locator(selector).innerText();
// A limit for a machine that is busy with other work: what does not happen fails, however fast the machine.
const until = (page, what, argument) => page.waitForFunction(what, argument, { timeout: 60_000 });
const ready = (page) => until(page, () => /\d+ of \d+ event|no run/.test(document.getElementById("position").textContent) && !document.getElementById("status").textContent.startsWith("Loading"));
const at = (page, position) => until(page, (wanted) => document.getElementById("position").textContent.startsWith(`${wanted} of `), position);
const position = async (page) => Number((await text(page, "#position")).split(" ")[0]);
const names = (page) => page.locator("#branch option").allInnerTexts();
const notice = (page) => page.locator("#notice").innerText();
async function pick(page, name) {
  await page.locator("#library-open").click();
  await page.fill("#library-query", name);
  await page.locator("#library-list button", { has: page.getByText(name, { exact: true }) }).click();
  await until(page, (wanted) => document.getElementById("title").textContent.startsWith(wanted) && document.getElementById("status").textContent.startsWith(wanted), name);
}
async function write(page, program) {
  await page.evaluate((wanted) => { window.synod.text = wanted; }, program);
  await page.locator("#start").click();
  await until(page, (wanted) => document.getElementById("title").textContent.startsWith(wanted) && document.getElementById("stale").hidden, program.split(/\s+/)[1]);
}
/** Wait until the link is that of the position, and return it. */
async function link(page) {
  await page.waitForTimeout(600);
  return page.evaluate(() => location.hash);
}
const tab = (page, name) => page.getByRole("tab", { name }).click();

// ─── Tests ──────────────────────────────────────────────────────────────────────────────────────────────────────────

await test("the first algorithm is there, and can be stepped through", async (page) => {
  assert.match(await text(page, "#title"), /^chang_roberts/);
  assert.equal(await position(page), 0);
  assert.ok(await page.locator("#steps button").count() > 0);
  await page.locator("#step").click();
  await at(page, 1);
  assert.match(await text(page, "#event"), /^event 0: p\d/);
  for (let i = 2; i <= 6; i++) {
    await page.locator("#step").click();
    await at(page, i);
  }
  assert.equal(await page.locator(".cm-line.event-line").count(), 1);
  await page.locator("#back").click();
  await at(page, 5);
  await page.locator("#first").click();
  await at(page, 0);
  assert.match(await text(page, "#event"), /initial configuration/);
  await page.locator("#run-on").click();
  await until(page, () => document.getElementById("outcome").textContent !== "");
  assert.match(await text(page, "#outcome"), /^(terminated|quiescent)/);
  assert.ok(await page.locator("#step").isDisabled());
  await page.locator("#first").click();
  await at(page, 0);
  assert.match(await text(page, "#position"), /of [1-9]\d* events/);
  await page.locator("#last").click();
  await until(page, () => document.getElementById("last").disabled);
});

await test("an algorithm of the library is found and opened", async (page) => {
  await pick(page, "dolev_klawe_rodeh");
  assert.match(await page.evaluate(() => window.synod.text), /algorithm dolev_klawe_rodeh/);
  await page.fill("#options [name=on]", "ring(3)");
  assert.match(await text(page, "#stale"), /options have changed/);
  await page.fill("#options [name=ids]", "5, 9, 2");
  await page.locator("#start").click();
  await until(page, () => document.getElementById("stale").hidden);
  await tab(page, "State");
  assert.equal(await page.locator("#processes tbody tr").count(), 3);
  assert.match(await page.locator("#processes tbody tr").nth(1).innerText(), /^p1\s+9\s/);
  await page.locator("#library-open").click();
  await page.fill("#library-query", "no such algorithm");
  assert.match(await text(page, "#library-list"), /No algorithm has all of these words/);
  await page.locator("#skeletons button").first().click();
  await until(page, () => document.getElementById("title").textContent.startsWith("mine"));
  assert.match(await page.evaluate(() => window.synod.text), /^algorithm mine solves Election/m);
  await until(page, () => document.getElementById("problems-summary").textContent === "no errors");
});

await test("an enabled step is chosen; another one in the past begins a branch", async (page) => {
  // The processes have started.
  for (let i = 1; i <= 4; i++) {
    await page.locator("#step").click();
    await at(page, i);
  }
  const second = page.locator("#steps button").nth(1);
  const who = await second.locator("b").innerText();
  await second.hover();
  assert.equal(await page.locator(".cm-line.peek-line").count(), 1);
  await second.click();
  await at(page, 5);
  assert.match(await text(page, "#event"), new RegExp(`event 4: ${who} `));
  await page.locator("#step").click();
  await at(page, 6);
  await page.locator("#back").click();
  await page.locator("#back").click();
  await at(page, 4);
  assert.match(await text(page, "#steps .recorded"), /recorded next/);
  await page.locator("#steps button:not(.recorded)").first().click();
  await at(page, 5);
  assert.equal((await names(page)).length, 2);
  assert.match(await text(page, "#status"), /^New branch/);
  await page.selectOption("#branch", "main");
  await until(page, () => /of 6 events/.test(document.getElementById("position").textContent));
  await page.locator("#fork").click();
  await until(page, () => document.querySelectorAll("#branch option").length === 3);
});

await test("why, why not, and values of expressions", async (page) => {
  await page.locator("#run-on").click();
  await until(page, () => document.getElementById("outcome").textContent !== "");
  await tab(page, "State");
  const changed = page.locator("#processes td.changed").first();
  await changed.click();
  await until(page, () => document.querySelectorAll("#explanation li").length > 0);
  assert.match(await text(page, "#explanation"), /event \d+/);
  await page.locator("#explanation button").last().click();
  await until(page, () => !document.getElementById("last").disabled);
  await page.fill("#expression", "n * 2");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelectorAll("#values li").length === 1);
  assert.match(await text(page, "#values"), /n \* 2\s*8/);
  await page.fill("#expression", "n +");
  await page.keyboard.press("Enter");
  await until(page, () => !document.getElementById("notice").hidden);
  await page.locator("#notice button").click();
  await page.fill("#whynot-what", await page.evaluate(() => document.querySelector("#whynot-list option").value));
  await page.getByRole("button", { name: "Why not" }).click();
  await until(page, () => /Why not/.test(document.getElementById("explanation").textContent) || !document.getElementById("notice").hidden);
  assert.ok(await page.locator("#notice").isHidden(), await notice(page));
  await page.fill("#why-what", "p99.x");
  await page.getByRole("button", { name: "Why", exact: true }).click();
  assert.match(await notice(page), /no process p99/);
});

await test("a counterexample is loaded as the run, and its link leads back to it", async (page, context) => {
  await write(page, BUGGY);
  await tab(page, "Verify");
  await page.locator("#verify").click();
  await until(page, () => document.querySelectorAll("#verified .counterexample").length > 0);
  assert.match(await text(page, "#verified"), /violated/i);
  assert.match(await text(page, "#verified table"), /safety\s+invariant\s+VIOLATED/);
  await until(page, () => /of [1-9]\d* event/.test(document.getElementById("position").textContent));
  assert.match(await text(page, "#legend"), /event \d+: safety violated \(ring\)/);
  await page.locator("#last").click();
  await until(page, () => document.getElementById("last").disabled);
  await tab(page, "Properties");
  assert.match(await text(page, "#verdicts"), /safety\s+invariant\s+violated event \d+/);
  await page.locator("#back").click();
  const where = await text(page, "#position");
  const saved = await link(page);
  const other = await context.newPage();
  await other.goto(disk + saved);
  await ready(other);
  assert.equal(await text(other, "#position"), await text(page, "#position"), where);
  assert.equal(await other.evaluate(() => window.synod.text), BUGGY);
  assert.match(await text(other, "#status"), /counterexample to safety/);
  assert.match(await text(other, "#legend"), /safety violated \(ring\)/);
  assert.equal(await other.locator("#steps").textContent(), await page.locator("#steps").textContent());
});

await test("a default network that is too large is replaced", async (page) => {
  await write(page, WIDE);
  await tab(page, "Verify");
  await page.locator("#verify").click();
  await until(page, () => /small\s+invariant\s+holds/.test(document.getElementById("verified").innerText));
  const report = await text(page, "#verified");
  assert.match(report, /complete\(2\)/);
  assert.match(report, /complete\(3\), has more than [1-9]\d* configurations/);
});

await test("verify can be stopped, and the run stays", async (page) => {
  await write(page, LARGE);
  await page.locator("#step").click();
  await page.locator("#step").click();
  await at(page, 2);
  await tab(page, "Verify");
  await page.selectOption("#verify-options [name=configurations]", "4000000");
  await page.locator("#verify").click();
  await until(page, () => !document.getElementById("stop").disabled);
  // The run can be used meanwhile.
  await page.locator("#step").click();
  await at(page, 3);
  await page.locator("#stop").click();
  await until(page, () => /stopped/.test(document.getElementById("verified").textContent));
  assert.equal(await position(page), 3);
  await page.locator("#back").click();
  await at(page, 2);
});

await test("a long run can be stopped", async (page) => {
  await write(page, LARGE);
  // Pressed as soon as it is offered: from here, the run may be at its end by then.
  await page.evaluate(() => new MutationObserver(() => document.getElementById("stop").click()).observe(document.getElementById("stop"), { attributeFilter: ["disabled"] }));
  await page.locator("#run-on").click();
  await until(page, () => document.getElementById("stop").disabled);
  // Where the machine is so slow that a part of the run takes a second, its worker is ended.
  await until(page, () => /^Stopped( after [1-9]\d* events|; the run was restored)/.test(document.getElementById("status").textContent));
});

await test("findings, fixes, completion and explanations in the editor", async (page) => {
  await page.evaluate((program) => { window.synod.text = program; }, BUGGY.replace("leader : Bool", "leader : Boolean"));
  await until(page, () => document.querySelectorAll(".cm-lintRange-error").length > 0);
  assert.match(await text(page, "#problems-summary"), /1 error/);
  assert.match(await text(page, "#stale"), /program has changed/);
  await page.locator("#problems-summary").click();
  await page.locator("#problems-list button").first().click();
  await page.locator(".cm-lintRange-error").first().hover();
  await page.waitForSelector(".cm-tooltip-lint");
  assert.match(await text(page, ".cm-tooltip-lint"), /Boolean/);
  const fix = page.locator(".cm-diagnosticAction").first();
  if (await fix.count()) await fix.click();
  else await page.evaluate((program) => { window.synod.text = program; }, BUGGY);
  await until(page, () => document.getElementById("problems-summary").textContent === "no errors");
  // The old run goes on until a new one is started.
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("inv");
  await page.waitForSelector(".cm-tooltip-autocomplete");
  assert.match(await text(page, ".cm-tooltip-autocomplete"), /invariant/);
  await page.keyboard.press("Escape");
  for (let i = 0; i < 3; i++) await page.keyboard.press("Backspace");
  await page.getByText("leader", { exact: false }).first().hover();
  await page.locator(".cm-line", { hasText: "var leader" }).locator("span", { hasText: "leader" }).first().hover();
  await page.waitForSelector(".cm-tooltip-hover .explanation");
  assert.ok(await page.locator(".word-keyword").count() > 5);
});

await test("the run is saved in several forms", async (page) => {
  await page.locator("#run-on").click();
  await until(page, () => document.getElementById("outcome").textContent !== "");
  for (const [form, ending, start] of [["program", "syn", /algorithm chang_roberts/], ["page", "html", /^<!doctype html>/], ["draw", "svg", /<svg/], ["picture", "svg", /<svg/], ["diagram", "txt", /p0/], ["trace", "trace", /chang_roberts/]]) {
    await page.locator("#save summary").click();
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-save=${form}]`).click()]);
    assert.match(file.suggestedFilename(), new RegExp(`^chang_roberts.*\\.${ending}$`));
    assert.match(readFileSync(await file.path(), "utf8"), start);
  }
});

await test("measure: a table, the growth and a plot", async (page) => {
  await tab(page, "Measure");
  await page.fill("#measure-options [name=sizes]", "3, 5, 8");
  await page.fill("#measure-options [name=runs]", "2");
  await page.locator("#measure").click();
  await until(page, () => document.querySelectorAll("#measured tbody tr").length > 0 || !document.getElementById("notice").hidden);
  assert.equal(await page.locator("#measured tbody tr").count(), 3, await notice(page));
  assert.match(await text(page, "#measured"), /messages/);
  const plot = page.locator("#measured img");
  await plot.waitFor();
  assert.ok(await plot.evaluate((image) => image.decode().then(() => image.naturalWidth > 50)));
});

await test("by keys alone", async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("franklin");
  await page.locator("#library-list button").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await until(page, () => document.getElementById("title").textContent.startsWith("franklin"));
  await at(page, 0);
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  await page.keyboard.press("1");
  await at(page, 2);
  await page.keyboard.press("ArrowLeft");
  await at(page, 1);
  await page.keyboard.press("f");
  await until(page, () => document.querySelectorAll("#branch option").length === 2);
  await page.keyboard.press("r");
  await until(page, () => document.getElementById("outcome").textContent !== "");
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  await page.locator("#help").waitFor({ state: "hidden" });
  // Tab indents in the editor, and leaves it after Escape.
  await page.keyboard.press("e");
  assert.ok(await page.evaluate(() => document.activeElement.closest(".cm-editor") !== null));
  const before = await page.evaluate(() => window.synod.text.length);
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => window.synod.text.length) > before);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.closest(".cm-editor") === null));
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.name || ""));
  }
  for (const id of ["library-open", "link", "on", "ids", "schedule", "seed", "start", "slider", "branch", "fork", "timeline", "tab-steps"]) {
    assert.ok(reached.has(id), `${id} is not reached: ${[...reached].join(" ")}`);
  }
  await page.locator("#tab-steps").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("#view-state").isVisible());
});

await test("everything has a name", async (page) => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas, svg[role], dialog, [role=tabpanel]")]
    .filter((e) => !(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.labels?.length || e.textContent.trim()))
    .map((e) => e.id || e.outerHTML.slice(0, 60)));
  assert.deepEqual(nameless, []);
});

/** Return the texts whose contrast with their background is below 4.5. */
const faint = () => {
  const numbers = (colour) => {
    const parts = colour.match(/[\d.]+/g).map(Number);
    const [r, g, b, a = 1] = parts;
    return colour.startsWith("color(srgb") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const luminance = ([r, g, b]) => [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const background = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.unshift(numbers(getComputedStyle(e).backgroundColor));
    return layers.reduce((under, [r, g, b, a]) => under.map((v, i) => v * (1 - a) + [r, g, b][i] * a), [255, 255, 255]);
  };
  const texts = [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && !e.closest("svg, :disabled, option") && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()));
  return texts.map((e) => {
    const [one, other] = [luminance(numbers(getComputedStyle(e).color)), luminance(background(e))].sort((a, b) => b - a);
    return [(one + 0.05) / (other + 0.05), e.textContent.slice(0, 40), e.className];
  }).filter(([contrast]) => contrast < 4.5);
};
for (const colorScheme of ["light", "dark"]) {
  await test(`contrast, ${colorScheme}`, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.classList.contains("dark")), colorScheme === "dark");
    await page.locator("#step").click();
    await at(page, 1);
    for (const name of ["Steps", "State", "Properties", "Ask", "Verify", "Measure"]) {
      await tab(page, name);
      assert.deepEqual(await page.evaluate(faint), [], name);
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    assert.deepEqual(await page.evaluate(faint), [], "library");
  }, { colorScheme, reducedMotion: "reduce" });
}

await test("at the width of a phone", async (page) => {
  const overflows = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.ok(await page.locator("#editor").isVisible());
  assert.ok(await page.locator("#timeline").isHidden());
  assert.ok(!(await overflows()));
  await page.getByRole("tab", { name: "Run" }).click();
  assert.ok(await page.locator("#timeline").isVisible());
  await page.locator("#step").click();
  await at(page, 1);
  assert.ok(!(await overflows()));
  await page.getByRole("tab", { name: "Inspect" }).click();
  for (const name of ["State", "Properties", "Ask", "Verify", "Measure", "Steps"]) {
    await tab(page, name);
    assert.ok(!(await overflows()), name);
  }
  await page.locator("#steps button").first().click();
  await at(page, 2);
}, { viewport: { width: 375, height: 720 }, hasTouch: true });

const packed = (content) => `#1.${deflateRawSync(Buffer.from(typeof content === "string" ? content : JSON.stringify(content))).toString("base64url")}`;
const evil = "</script><img src=x onerror=alert(1)><svg onload=alert(2)>\u202e";
const hostile = {
  "of another version": "#9.abc",
  "with markup": `#${encodeURIComponent(evil)}`,
  "of no base64": "#1.$$$$",
  "of no deflate": "#1.AAAA",
  "cut off": packed({ text: BUGGY }).slice(0, -20),
  "of no JSON": packed("{"),
  "of null": packed("null"),
  "without a program": packed({ text: 7 }),
  "with options of a wrong type": packed({ text: BUGGY, options: { on: { toString: "x" } } }),
  "with a prototype": packed(`{"text":"x","options":{"parameters":{"__proto__":{"a":1}}}}`),
  "with steps of other characters": packed({ text: BUGGY, script: evil }),
  "with a position that is no number": packed({ text: BUGGY, position: "1" }),
  "that expands without end": packed(JSON.stringify({ text: " ".repeat(30_000_000) })),
};
for (const [what, fragment] of Object.entries(hostile)) {
  await test(`a link ${what}`, async (page) => {
    assert.match(await notice(page), /^The link cannot be opened: /);
    assert.match(await text(page, "#title"), /^chang_roberts/);
  }, { fragment });
}
await test("a link whose program has errors", async (page) => {
  await until(page, () => !document.getElementById("notice").hidden);
  assert.equal(await page.evaluate(() => window.synod.text), `algorithm ${evil}`);
}, { fragment: packed({ text: `algorithm ${evil}`, name: "a.syn" }) });
await test("a link with steps that are not possible", async (page) => {
  await until(page, () => !document.getElementById("notice").hidden);
  assert.equal(await page.evaluate(() => window.synod.text), BUGGY);
}, { fragment: packed({ text: BUGGY, script: "999,999", position: 2 }) });
await test("texts of a program are no markup", async (page) => {
  await page.locator("#run-on").click();
  await until(page, () => parseInt(document.getElementById("position").textContent, 10) > 0);
  assert.match(await text(page, "#status"), /violated +safety/);
  assert.equal(await page.locator("main img:not(.cm-widgetBuffer)").count(), 0);
}, { fragment: packed({ text: `/// ${evil}\n${BUGGY}`, shows: "<img src=x onerror=alert(1)>" }) });

const page = readFileSync(file);
await test("the page is within its budget", async () => {
  const size = gzipSync(page, { level: 9 }).length;
  // The module that tests are built with is larger than the published one.
  assert.ok(size < (process.env.WASM ? 1_700_000 : 4_000_000), `${size} bytes with gzip`);
});

const server = createServer((request, response) => {
  response.writeHead(request.url === "/" ? 200 : 404, { "Content-Type": "text/html; charset=utf-8" });
  response.end(request.url === "/" ? page : "");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
await test("served by HTTP", async (page) => {
  await page.locator("#step").click();
  await at(page, 1);
  const first = await page.evaluate(() => performance.now());
  console.log(`editors/playground/test.sh: the first step was done within ${Math.round(first)} ms after the start of loading`);
}, { at: `http://127.0.0.1:${server.address().port}/` });
server.close();

await browser.close();
console.log(`editors/playground/test.sh: ${passed} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
