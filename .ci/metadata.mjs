#!/usr/bin/env node
// Checks that all places agree on name, version, licence and repository. Cargo.toml is the source of each.
//
//   .ci/metadata.mjs                      compare the places
//   .ci/metadata.mjs TAG REPOSITORY       also that a release may be made: v0.1.0 https://…/OWNER/synod
//   .ci/metadata.mjs --notes              print the section of this version in CHANGELOG.md
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const read = (file) => readFileSync(file, "utf8").replaceAll("\r\n", "\n");
const findings = [];
const expect = (place, actual, expected) => {
  if (actual !== expected) findings.push(`${place}: ${actual ?? "nothing"} in place of ${expected}`);
};

const metadata = execFileSync("cargo", ["metadata", "--no-deps", "--format-version", "1"], { maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] });
const { version, license, repository, rust_version: rust, authors } = JSON.parse(metadata).packages.find((one) => one.name === "synod");
if (authors.length > 0) findings.push("Cargo.toml: the authors are those of the licence");

/** The section of a version in CHANGELOG.md: its date, or undefined, and its text. */
function section() {
  const sections = read("CHANGELOG.md").split(/^## /m).slice(1);
  const found = sections.find((text) => text.split(/\s/, 1)[0] === version);
  if (found === undefined) return undefined;
  const end = found.indexOf("\n");
  return { date: found.slice(0, end).split(" - ")[1], text: found.slice(end).trim() };
}

const [first, second, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (first !== undefined && first !== "--notes" && second === undefined)) {
  console.error("usage: .ci/metadata.mjs [--notes | TAG REPOSITORY]");
  process.exit(2);
}
if (first === "--notes") {
  const found = section();
  if (found === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  console.log(found.text);
  process.exit();
}

const match = (file, pattern) => read(file).match(pattern)?.[1];
for (const [file, pattern] of [
  ["CITATION.cff", /^version: "?([^"\n]*)"?$/m],
  ["editors/vscode/package.json", /^ {2}"version": "([^"]*)"/m],
  ["editors/zed/extension.toml", /^version = "([^"]*)"$/m],
  ["editors/tree-sitter-synod/tree-sitter.json", /"version": "([^"]*)"/],
  ["editors/emacs/synod-mode.el", /^;; Version: (.*)$/m],
  ["editors/python/pyproject.toml", /^version = "([^"]*)"$/m],
]) {
  expect(`${file}: version`, match(file, pattern), version);
}
const lock = JSON.parse(read("editors/vscode/package-lock.json"));
expect("editors/vscode/package-lock.json: version", lock.packages[""].version, version);
expect("editors/vscode/package-lock.json: licence", lock.packages[""].license, license);
for (const [file, pattern] of [
  [".github/packaging/npm/package.json", /^ {2}"license": "([^"]*)"/m],
  ["editors/vscode/package.json", /^ {2}"license": "([^"]*)"/m],
  ["editors/python/pyproject.toml", /^license = "([^"]*)"$/m],
  ["editors/tree-sitter-synod/tree-sitter.json", /"license": "([^"]*)"/],
  ["editors/emacs/synod-mode.el", /^;; SPDX-License-Identifier: (.*)$/m],
]) {
  expect(`${file}: licence`, match(file, pattern), license);
}
expect("CITATION.cff: licences", [...read("CITATION.cff").matchAll(/^ {2}- (MIT|Apache-2\.0)$/gm)].map(([, id]) => id).join(" OR "), license);
const holder = match("LICENSE-MIT", /^Copyright (\(c\) .*)$/m);
expect("LICENSE-APACHE: copyright", match("LICENSE-APACHE", /^ {3}Copyright (\(c\) .*)$/m), holder);
expect("CITATION.cff: author", match("CITATION.cff", /^ {2}- name: (.*)$/m), holder?.replace("(c) ", ""));
for (const file of ["README.md", "CONTRIBUTING.md"]) {
  expect(`${file}: version of Rust`, match(file, /Rust (\d+\.\d+) or later/), rust);
}
// The page about continuous integration lists the inputs of the action.
const inputs = (match("action.yml", /^inputs:\n([^]*?)^\w/m) ?? "").matchAll(/^ {2}([a-z-]+):$/gm);
const described = read("docs/continuous_integration.md").matchAll(/^\| `([a-z-]+)` \|/gm);
const sorted = (names) => [...names].map(([, name]) => name).sort().join(", ");
expect("docs/continuous_integration.md: inputs of the action", sorted(described), sorted(inputs));
if (section() === undefined) findings.push(`CHANGELOG.md has no section ${version}`);

// The address of the repository is written once. Others derive it.
const places = execFileSync("git", ["grep", "--untracked", "-nIF", "-e", repository]).toString().trim().split("\n");
if (places.length !== 1 || !places[0].startsWith("Cargo.toml:")) {
  findings.push(`the address of the repository belongs into Cargo.toml only:\n${places.join("\n")}`);
}

if (first !== undefined) {
  expect("the tag", first, `v${version}`);
  expect("Cargo.toml: repository", repository, second);
  const date = section()?.date;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date ?? "")) findings.push(`CHANGELOG.md: the section ${version} has no date, as in «## ${version} - 2026-01-31»`);
}
for (const finding of findings) console.error(`.ci/metadata.mjs: ${finding}`);
if (findings.length > 0) process.exit(1);
console.log(`.ci/metadata.mjs: all places agree on version ${version}, ${license}`);
