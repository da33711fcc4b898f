// Tests of the WebAssembly module: node test.mjs MODULE REQUESTS ANSWERS
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Workbench } from "./workbench.mjs";

const [, , module, requests, answers] = process.argv;
const bytes = readFileSync(module);
let passed = 0;

async function test(name, body) {
  const bench = await Workbench.load(bytes);
  const library = (name) => bench.ask({ request: "source", name }).text;
  try {
    await body(bench, library);
  } catch (error) {
    console.error(`editors/playground/wasm/test.sh: FAILED: ${name}`);
    throw error;
  }
  passed += 1;
}

await test("the module imports nothing and exports its interface", async () => {
  const compiled = await WebAssembly.compile(bytes);
  assert.deepEqual(WebAssembly.Module.imports(compiled), []);
  const names = WebAssembly.Module.exports(compiled).map((one) => one.name);
  for (const name of ["memory", "reserve", "answer", "result", "panic"]) assert.ok(names.includes(name), name);
});

await test("the answers are those of the library, byte for byte", (bench, library) => {
  const expected = readFileSync(answers, "utf8").split("\n").slice(0, -1);
  const lines = readFileSync(requests, "utf8").split("\n").slice(0, -1);
  assert.equal(expected.length, lines.length);
  lines.forEach((line, i) => {
    const request = JSON.parse(line);
    if (request.text?.startsWith("@")) request.text = library(request.text.slice(1));
    assert.equal(bench.answer(JSON.stringify(request)), expected[i], line);
  });
});

await test("an election runs to its end", (bench, library) => {
  const opened = bench.ask({ request: "open", text: library("chang_roberts"), on: "ring(8)", schedule: "random", seed: 7 });
  assert.equal(opened.network.n, 8);
  const run = bench.ask({ request: "run" });
  assert.equal(run.stop.reason, "end");
  const leaders = bench.ask({ request: "evaluate", expression: "count p: p.leader" });
  assert.equal(leaders.value, "1");
});

await test("a counterexample becomes the run", (bench, library) => {
  const found = bench.ask({ request: "verify", text: library("voting"), on: "complete(2)" });
  assert.equal(found.verdict, "violated");
  assert.ok(found.opened.position.length > 0);
  const end = bench.ask({ request: "goto", position: found.opened.position.length });
  assert.equal(end.position.outcome, "stuck");
});

await test("a script leads to the same configuration", (bench, library) => {
  const request = { request: "open", text: library("itai_rodeh"), on: "ring(4)", schedule: "random", seed: 3 };
  bench.ask(request);
  bench.ask({ request: "run" });
  const state = bench.answer('{"request": "state"}');
  const { script } = bench.ask({ request: "script" });
  bench.ask({ ...request, script });
  assert.equal(bench.answer('{"request": "state"}'), state);
});

await test("a deeply nested text gets an error, not a trap", (bench) => {
  const text = `algorithm a\nassumes ring\nvar x : Int\nstate s\n  x := ${"(".repeat(10000)}1${")".repeat(10000)}\n`;
  assert.ok(bench.ask({ request: "check", text }).errors > 0);
  assert.ok(bench.ask({ request: "open", text }).error.message.length > 0);
});

const size = (data) => `${(data.length / 1e6).toFixed(2)} MB`;
console.log(`editors/playground/wasm/test.sh: the module has ${size(bytes)}, with gzip ${size(gzipSync(bytes, { level: 9 }))}`);
console.log(`editors/playground/wasm/test.sh: ${passed} passed`);
