// Drives the page of a run in a browser, as a person would: see test.sh. Arguments: the browser, and pages by name.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";
import { launch, watch } from "./browser.mjs";

const [executablePath, folder, synod] = process.argv.slice(2);
const browser = await launch(chromium, executablePath);

let passed = 0;
const failures = [];
async function test(what, file, drive, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1300, height: 820 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  // The page has to be all there is.
  watch(page, wrong, (url) => url.startsWith("file://"));
  try {
    await page.goto(`file://${folder}/${file}`);
    await drive(page);
    assert.deepEqual(wrong, []);
    passed++;
  } catch (error) {
    failures.push(`${what}: ${error.message}`);
  }
  await context.close();
}
const text = (page, selector) => page.locator(selector).innerText();
const where = (page, event) => page.evaluate((e) => window.synod.where(e), event);
const cells = (page, process) => page.locator("#processes tbody tr").nth(process).locator("td").allInnerTexts();

await test("keys step, jump and play", "dkr.html", async (page) => {
  assert.equal(await text(page, "#position"), "0 of 16 events");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "#position"), "2 of 16 events");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await text(page, "#position"), "1 of 16 events");
  await page.keyboard.press("End");
  assert.equal(await text(page, "#position"), "16 of 16 events");
  assert.ok(await page.locator("#step").isDisabled());
  await page.keyboard.press("Home");
  // Slow at first: playing must not end before the test has seen it, however slow the machine is.
  await page.selectOption("#speed", "1600");
  await page.locator("#timeline").focus();
  await page.keyboard.press("Space");
  assert.equal(await page.getAttribute("#play", "aria-pressed"), "true");
  await page.selectOption("#speed", "60");
  await page.waitForFunction(() => window.synod.position() === 16, null, { timeout: 8000 });
  await page.waitForFunction(() => document.getElementById("play").getAttribute("aria-pressed") === "false");
});

await test("the configuration follows the position", "dkr.html", async (page) => {
  await page.evaluate(() => window.synod.go(6));
  // After event 5: the channel from p2 to p3 holds two messages.
  const channels = await page.locator("#channels tr").allInnerTexts();
  assert.ok(channels.some((row) => row.replace(/\s+/g, " ").includes("p2 → p3 m2 (3); m5 (2)")), channels.join("|"));
  const labels = await page.locator("#network .label").allInnerTexts();
  assert.ok((await page.locator("#network").textContent()).includes("3; 2"), labels.join("|"));
  await page.evaluate(() => window.synod.go(9));
  assert.deepEqual((await cells(page, 2)).slice(0, 3), ["p2", "3", "relay"]);
  assert.equal(await page.locator("#processes td.changed").count(), 2);
  assert.equal(await page.locator("#network .vertex.filled").count(), 1);
  assert.match(await text(page, "#event"), /event 8: p2 · receive f/);
  await page.fill("#slider", "16");
  assert.equal(await page.locator("#network .vertex.filled").count(), 3);
  assert.match(await text(page, "#channels"), /no messages in transit/);
});

await test("a click shows past and future", "dkr.html", async (page) => {
  const at = await where(page, 7);
  await page.mouse.click(at.x, at.y);
  // Before p0 receives 4: its own start and that of p3.
  assert.match(await text(page, "#relation"), /selected: 2 events happened before/);
  const sums = (await text(page, "#relation")).match(/(\d+) events? happened before, (\d+) after, (\d+) concurrent/).slice(1).map(Number);
  assert.equal(sums.reduce((a, b) => a + b), 15);
  await page.locator("#event button").click();
  assert.equal(await text(page, "#position"), "8 of 16 events");
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#unselect").isHidden());
});

await test("cuts by hand, and their verdicts", "lamport.html", async (page) => {
  await page.keyboard.press("c");
  assert.match(await text(page, "#verdict"), /cut \(0, 0, 0\): consistent/);
  // Beyond event 15 at p1, which needs event 9 at p2.
  const at = await where(page, 15);
  await page.keyboard.down("Shift");
  await page.mouse.click(at.x + 4, at.y);
  await page.keyboard.up("Shift");
  assert.match(await text(page, "#verdict"), /not consistent; received inside, but sent outside/);
  await page.locator("#cut-mend").click();
  assert.match(await text(page, "#verdict"), /: consistent/);
  await page.evaluate(() => window.synod.cut([3, 5, 2]));
  assert.match(await text(page, "#verdict"), /m9 Reply\(5\) from p2 to p1/);
  await page.locator("#processes tbody tr").nth(2).locator("input").fill("3");
  await page.locator("#processes tbody tr").nth(2).locator("input").press("Tab");
  assert.match(await text(page, "#verdict"), /consistent; in transit across it/);
  await page.locator("#cut-clear").click();
  assert.equal(await text(page, "#verdict"), "");
});

await test("search", "lamport.html", async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("Release");
  const found = await text(page, "#found");
  assert.match(found, /^\d+ events$/);
  await page.keyboard.press("Enter");
  const first = await page.evaluate(() => window.synod.position());
  assert.match(await text(page, "#event"), /Release/);
  await page.keyboard.press("Enter");
  assert.ok((await page.evaluate(() => window.synod.position())) > first);
  await page.keyboard.press("Shift+Enter");
  assert.equal(await page.evaluate(() => window.synod.position()), first);
  await page.fill("#query", "critical=true");
  assert.equal(await text(page, "#found"), "3 events");
  await page.fill("#query", "no such thing");
  assert.equal(await text(page, "#found"), "nothing");
});

await test("filters", "lamport.html", async (page) => {
  await page.locator("#filters summary").click();
  await page.fill("#only", "p1..p2");
  assert.equal(await page.locator("#processes tbody tr").count(), 2);
  await page.fill("#only", "p9");
  assert.match(await text(page, "#only-wrong"), /there is no process p9/);
  await page.fill("#only", "");
  assert.equal(await page.locator("#processes tbody tr").count(), 3);
  await page.evaluate(() => window.synod.go(6));
  const before = await page.locator("#channels tr").count();
  await page.getByLabel("Request").uncheck();
  assert.ok((await page.locator("#channels tr").count()) < before);
});

await test("dark and light", "bully.html", async (page) => {
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains("dark")));
  await page.locator("#light").click();
  assert.ok(!(await page.evaluate(() => document.documentElement.classList.contains("dark"))));
}, { colorScheme: "dark" });

await test("crashes are seen in the network", "bully.html", async (page) => {
  await page.keyboard.press("End");
  assert.equal(await page.locator("#network .down").count(), 2);
});

await test("everything has a name, and can be reached by keys", "dkr.html", async (page) => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas, svg[role]")]
    .filter((e) => !(e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim()))
    .map((e) => e.id || e.outerHTML.slice(0, 60)));
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let i = 0; i < 24; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ["query", "play", "slider", "speed", "fit", "cut-here", "timeline"]) assert.ok(reached.has(id), `${id} is not reached: ${[...reached]}`);
});

for (const file of ["alone.html", "rounds.html", "pairs.html", "empty.html"]) {
  await test(`${file} opens and runs to its end`, file, async (page) => {
    await page.keyboard.press("End");
    const all = await page.evaluate(() => window.synod.data.events.process.length);
    assert.equal(await page.evaluate(() => window.synod.position()), all);
    await page.locator("#fit").click();
    await page.keyboard.press("c");
    assert.match(await text(page, "#verdict"), file === "rounds.html" ? /^There are no cuts: itai_rodeh runs in rounds/ : /consistent/);
  });
}

const verdicts = new Set();
for (const run of ["cut-pairs", "cut-pairs-2", "cut-frail", "cut-crashes", "cut-silent"]) {
  await test(`cuts of ${run} are those of synod trace`, `${run}.html`, async (page) => {
    const lengths = await page.evaluate(() => window.synod.lengths);
    let seed = 7;
    const below = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
    for (let i = 0; i < 12; i++) {
      // A prefix of the run, or near one: some are consistent.
      const share = below(101) / 100;
      const counts = i % 3 === 0
        ? await page.evaluate((at) => { window.synod.go(Math.round(at * window.synod.data.events.process.length)); document.getElementById("cut-here").click(); return window.synod.counts(); }, share)
        : lengths.map((k) => Math.max(0, Math.min(k, Math.round(k * share) + below(3) - 1)));
      const told = JSON.parse(execFileSync(synod, ["trace", "cut", `${folder}/${run}.trace`, counts.join(","), "--json"], { encoding: "utf8" }));
      await page.evaluate((c) => window.synod.cut(c), counts);
      const said = await page.evaluate(() => ({ ...window.synod.verdict() }));
      assert.equal(said.consistent, told.consistent, `${counts}: ${await text(page, "#verdict")}`);
      await page.evaluate(() => window.synod.mend());
      assert.deepEqual(await page.evaluate(() => window.synod.counts()), told.greatest_within, `inside ${counts}`);
      verdicts.add(told.consistent);
    }
  });
}
if (verdicts.size < 2) failures.push("among the cuts there were not both kinds");

for (const file of ["wide.html", "mesh.html"]) {
  await test(`the network of ${file} can be seen, and looked into`, file, async (page) => {
    const shown = () => page.evaluate(() => {
      const least = Math.min(...[...document.querySelectorAll("#network .vertex")].map((c) => c.getBoundingClientRect().width));
      return { least, labels: [...document.querySelectorAll("#network .label")].filter((l) => l.textContent).length };
    });
    const whole = await shown();
    assert.ok(whole.least >= 4, `${whole.least} pixels`);
    assert.equal(whole.labels, 0);
    await page.evaluate(() => window.synod.go(1000));
    assert.equal(await page.locator("#network .halo").count(), 1);
    for (let i = 0; i < 30 && (await shown()).labels === 0; i++) await page.locator("#net-in").click();
    assert.ok((await shown()).labels > 0);
    // Who acts stays in the window.
    for (const position of [1500, 2000, 2500]) {
      await page.evaluate((p) => window.synod.go(p), position);
      const [inside, here] = await page.evaluate(() => {
        const box = document.getElementById("network").getBoundingClientRect(), dot = document.querySelector("#network .acts .vertex").getBoundingClientRect();
        return [dot.left >= box.left && dot.right <= box.right && dot.top >= box.top && dot.bottom <= box.bottom, document.querySelectorAll("#network .acts").length];
      });
      assert.ok(inside && here === 1, `at ${position}`);
    }
    const before = await page.getAttribute("#network", "viewBox");
    const box = await page.locator("#network").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 2 + 30, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await page.getAttribute("#network", "viewBox"), before);
    await page.locator("#net-fit").click();
    assert.equal((await shown()).labels, 0);
    assert.ok(await page.locator("#net-out").isDisabled());
  });
}

await test("a long run opens at once, and stays usable", "long.html", async (page) => {
  const events = await page.evaluate(() => window.synod.data.events.process.length);
  assert.ok(events > 90000, `${events} events`);
  const opened = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd);
  // Generous: the machine has other things to do.
  assert.ok(opened < 15000, `${opened} ms`);
  await page.evaluate(() => window.synod.go(54321));
  assert.match(await text(page, "#position"), /^54321 of/);
  await page.evaluate(() => window.synod.select(54320));
  assert.match(await text(page, "#relation"), /happened before/);
  await page.locator("#fit").click();
});

await test("what is not drawn is said, and filters bring it back", "many.html", async (page) => {
  assert.ok(await page.locator("#sampled").isHidden());
  await page.locator("#fit").click();
  await page.waitForFunction(() => !document.getElementById("sampled").hidden);
  assert.match(await text(page, "#sampled"), /^One arrow of \d+ is drawn, of [\d,]+\. To see all: zoom in/);
  await page.locator("#filters summary").click();
  await page.getByLabel("Request").uncheck();
  await page.getByLabel("Reply").uncheck();
  await page.waitForFunction(() => document.getElementById("sampled").hidden);
});

await test("labels of a crowded network keep apart", "crowded.html", async (page) => {
  for (const position of [9, 20, 33]) {
    await page.evaluate((p) => window.synod.go(p), position);
    const overlaps = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll("#network .label")].filter((l) => l.textContent).map((l) => [l.textContent, l.getBBox()]);
      const found = [];
      boxes.forEach(([a, x], i) => boxes.slice(0, i).forEach(([b, y]) => {
        // The name of a process and its values stand close to one another.
        const [dx, dy] = [Math.min(x.x + x.width, y.x + y.width) - Math.max(x.x, y.x), Math.min(x.y + x.height, y.y + y.height) - Math.max(x.y, y.y)];
        if (dx > 3 && dy > 4) found.push(`${a} | ${b} ${dx.toFixed(1)} ${dy.toFixed(1)}`);
      }));
      return { labels: boxes.length, found };
    });
    assert.ok(overlaps.labels > 12, `${overlaps.labels} labels`);
    // A few may have to, where there is no room at all.
    assert.ok(overlaps.found.length <= 2, `at ${position}: ${overlaps.found.join(", ")}`);
  }
});

await test("who was woken by a message comes after its sender", "woken.html", async (page) => {
  const pairs = await page.evaluate(() => window.synod.data.messages.arrived.map(([e, m]) => [e, window.synod.data.messages.sent[m]]));
  assert.ok(pairs.length > 0);
  for (const [event, sender] of pairs) {
    await page.evaluate((e) => window.synod.go(e + 1), event);
    assert.match(await text(page, "#event"), /woken by m\d+/);
    await page.evaluate((e) => window.synod.select(e), sender);
    await page.evaluate((e) => window.synod.select(e), event);
    assert.match(await text(page, "#relation"), /selected: [1-9]\d* events? happened before/);
  }
});

await browser.close();
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`tests/browser/test.sh: ${passed} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
