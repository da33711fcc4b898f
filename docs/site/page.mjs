// Uses the site in a browser, as a reader would: see test.sh. Arguments: the browser, and the folder of the site.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { launch, watch } from "../../tests/browser/browser.mjs";

const { chromium } = createRequire(new URL("../../editors/playground/package.json", import.meta.url))("playwright-core");

const [executablePath, site] = process.argv.slice(2);
const browser = await launch(chromium, executablePath);
let passed = 0;
const failures = [];
async function test(what, path, drive, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const wrong = [];
  // The site has to be all there is.
  watch(page, wrong, (url) => /^(file|blob|data):/.test(url));
  try {
    await page.goto(`file://${site}/${path}`);
    await drive(page);
    assert.deepEqual(wrong, []);
    passed++;
  } catch (error) {
    failures.push(what);
    console.log(`FAILED ${what}: ${error.message}${wrong.length ? `; ${wrong.join("; ")}` : ""}`);
  }
  await context.close();
}
/** Open the frame below the first program, and return it when the program has been loaded. */
async function opened(page) {
  await page.locator("p.run button").first().click();
  const frame = page.frameLocator("iframe.playground");
  await frame.locator("#status", { hasText: "Loaded from the link" }).waitFor();
  return frame;
}
const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

await test("the first program of the tutorial is run and stepped", "tutorial.html", async (page) => {
  const frame = await opened(page);
  await frame.locator("#title", { hasText: /^either_way/ }).waitFor();
  await frame.locator("#step").click();
  await frame.locator("#position", { hasText: /^1 of / }).waitFor();
  assert.ok(await frame.locator("#editor").isVisible() && await frame.locator("#timeline").isVisible());
  await page.locator("p.run button").first().click();
  assert.equal(await page.locator("iframe").count(), 0);
});
await test("an algorithm has colours, a diagram, a plot and a run", "library/election/ring/dolev_klawe_rodeh.html", async (page) => {
  assert.ok(await page.locator("pre .hljs-keyword").count() > 20);
  for (const kind of ["diagram", "plot"]) {
    const picture = page.locator(`.${kind} img`);
    await picture.scrollIntoViewIfNeeded();
    assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 300)), kind);
  }
  const frame = await opened(page);
  await frame.locator("#run-on").click();
  await frame.locator("#outcome", { hasText: "quiescent" }).waitFor();
});
await test("by keys alone", "library/election/ring/lelann.html", async (page) => {
  await page.locator("p.run button").first().focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("iframe").count(), 1);
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.matches("p.run a")));
  await page.locator("p.run button").first().press("Space");
  assert.equal(await page.locator("iframe").count(), 0);
});
await test("search", "index.html", async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("hirschberg sinclair");
  await page.locator("#mdbook-searchresults a", { hasText: "hirschberg_sinclair" }).first().click();
  await page.waitForURL(/library\/election\/ring\/hirschberg_sinclair/);
});
await test("at the width of a phone", "library/election/graph/ghs.html", async (page) => {
  assert.ok(!(await overflows(page)));
  await page.goto(`file://${site}/guide/verify.html`);
  assert.ok(!(await overflows(page)));
  await page.goto(`file://${site}/tutorial.html`);
  const frame = await opened(page);
  assert.ok(!(await overflows(page)));
  await frame.getByRole("tab", { name: "Run" }).click();
  await frame.locator("#step").click();
  await frame.locator("#position", { hasText: /^1 of / }).waitFor();
}, { viewport: { width: 375, height: 720 } });
await test("without scripts, a program is a link", "tutorial.html", async (page) => {
  assert.equal(await page.locator("p.run button").count(), 0);
  assert.match(await page.locator("p.run a").first().getAttribute("href"), /^playground\/index\.html#1\./);
}, { javaScriptEnabled: false });
for (const colorScheme of ["light", "dark"]) {
  await test(`colours, ${colorScheme}`, "library/mutex/voting.html", async (page) => {
    const lightness = (element) => element.evaluate((e) => getComputedStyle(e).backgroundColor.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765);
    assert.equal(await lightness(page.locator("html")) < 0.5, colorScheme === "dark");
    // Pictures follow by the colour scheme of the element that shows them.
    assert.equal(await page.locator(".diagram img").evaluate((e) => getComputedStyle(e).colorScheme), colorScheme);
  }, { colorScheme });
}

await browser.close();
console.log(`docs/site/test.sh: ${passed} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
