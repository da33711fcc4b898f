#!/usr/bin/env node
// Checks the dependencies by what `cargo metadata` says: their licences and sources against deny.toml, and the versions of Rust that they
// need against ours. `cargo deny`, which the workflow runs, also knows advisories, and takes minutes to build.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const root = new URL("..", import.meta.url).pathname;
const rules = readFileSync(`${root}/deny.toml`, "utf8");
const metadata = JSON.parse(
  execFileSync("cargo", ["metadata", "--locked", "--format-version", "1"], { cwd: root, maxBuffer: 1 << 28 }),
);

/** The texts of a list in deny.toml. */
function list(name) {
  const [, body] = rules.match(new RegExp(`^${name} = \\[([^\\]]*)\\]`, "m")) ?? [];
  if (body === undefined) throw new Error(`deny.toml has no list ${name}`);
  return [...body.matchAll(/"([^"]*)"/g)].map(([, text]) => text);
}
const licences = new Set(list("allow"));
const registries = new Set(list("allow-registry").map((url) => `registry+${url}`));

/** Whether the licences that are allowed satisfy an SPDX expression. AND binds more tightly than OR. */
function satisfied(expression, allowed) {
  // Old manifests write `/` for OR.
  const words = expression.replaceAll("/", " OR ").match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const alternatives = () => {
    let holds = conjunction();
    while (words[at] === "OR") {
      at += 1;
      holds = conjunction() || holds;
    }
    return holds;
  };
  const conjunction = () => {
    let holds = single();
    while (words[at] === "AND") {
      at += 1;
      holds = single() && holds;
    }
    return holds;
  };
  const single = () => {
    if (words[at] === "(") {
      at += 1;
      const holds = alternatives();
      if (words[at] !== ")") throw new Error(`no SPDX expression: ${expression}`);
      at += 1;
      return holds;
    }
    let name = words[at++];
    if (words[at] === "WITH") {
      name += ` WITH ${words[at + 1]}`;
      at += 2;
    }
    return allowed.has(name);
  };
  const holds = alternatives();
  if (at !== words.length) throw new Error(`no SPDX expression: ${expression}`);
  return holds;
}

const mit = new Set(["MIT"]);
for (const [expression, expected] of [
  ["MIT/Apache-2.0", true],
  ["(MIT OR Apache-2.0) AND Unicode-3.0", false],
  ["Apache-2.0 OR Zlib AND MIT", false],
  ["Apache-2.0 WITH LLVM-exception OR MIT", true],
  ["GPL-3.0-only", false],
]) {
  if (satisfied(expression, mit) !== expected) throw new Error(`the evaluation of ${expression} is wrong`);
}

const number = (version) => version.split(".").map(Number).reduce((all, part, i) => all + part / 1000 ** i, 0);
const own = metadata.packages.find((one) => one.name === "synod" && one.source === null);
const findings = [];
const versions = new Map();
for (const one of metadata.packages) {
  if (one.source === null) continue;
  const name = `${one.name} ${one.version}`;
  if (!registries.has(one.source)) findings.push(`${name} comes from ${one.source}`);
  if (!one.license || !satisfied(one.license, licences)) {
    findings.push(`${name} has the licence ${one.license ?? one.license_file}, which deny.toml does not allow`);
  }
  if (one.rust_version && number(one.rust_version) > number(own.rust_version)) {
    findings.push(`${name} needs Rust ${one.rust_version}, and Synod promises ${own.rust_version}`);
  }
  versions.set(one.name, [...(versions.get(one.name) ?? []), one.version]);
}
for (const [name, several] of versions) {
  if (several.length > 1) console.log(`.ci/dependencies.mjs: warning: ${name} in versions ${several.join(", ")}`);
}
for (const finding of findings) console.error(`.ci/dependencies.mjs: ${finding}`);
if (findings.length > 0) process.exit(1);
console.log(`.ci/dependencies.mjs: ${metadata.packages.length} packages with licences that are allowed, for Rust ${own.rust_version}`);
