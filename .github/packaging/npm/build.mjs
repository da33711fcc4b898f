#!/usr/bin/env node
// Makes the packages for npm from the archives of a release:
//
//   build.mjs ARCHIVES OUT      OUT/synod and, for each platform, OUT/synod-PLATFORM
//
// The version, the repository and the licence are those of Cargo.toml. All archives must be there. Only `tar` and `unzip` are needed.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [archives, out, ...rest] = process.argv.slice(2);
if (out === undefined || rest.length > 0) {
  console.error("usage: build.mjs ARCHIVES OUT");
  process.exit(2);
}
const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../../..");

// Platforms as Node names them. The binaries for musl need no libc, so they fit every Linux.
const PLATFORMS = [
  { os: "linux", cpu: "x64", target: "x86_64-unknown-linux-musl" },
  { os: "linux", cpu: "arm64", target: "aarch64-unknown-linux-musl" },
  { os: "darwin", cpu: "x64", target: "x86_64-apple-darwin" },
  { os: "darwin", cpu: "arm64", target: "aarch64-apple-darwin" },
  { os: "win32", cpu: "x64", target: "x86_64-pc-windows-msvc" },
];

const metadata = execFileSync("cargo", ["metadata", "--no-deps", "--format-version", "1"], { cwd: root, maxBuffer: 1 << 26 });
const cargo = JSON.parse(metadata);
const { version, repository, license } = cargo.packages.find((one) => one.name === "synod");
const common = { version, license, repository: { type: "git", url: `git+${repository}.git` } };

function write(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) cpSync(join(root, name), join(folder, name));
}

const missing = [];
const dependencies = {};
for (const { os, cpu, target } of PLATFORMS) {
  const windows = os === "win32";
  const archive = join(archives, `synod-${target}.${windows ? "zip" : "tar.gz"}`);
  if (!existsSync(archive)) {
    missing.push(archive);
    continue;
  }
  const name = `synod-${os}-${cpu}`;
  const file = windows ? "synod.exe" : "synod";
  const folder = join(out, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const unpacked = mkdtempSync(join(tmpdir(), "synod-"));
  if (windows) execFileSync("unzip", ["-q", archive, "-d", unpacked]);
  else execFileSync("tar", ["-xzf", archive, "-C", unpacked]);
  cpSync(join(unpacked, `synod-${target}`, file), join(folder, file));
  rmSync(unpacked, { recursive: true });
  chmodSync(join(folder, file), 0o755);
  write(folder, {
    name,
    ...common,
    description: `The binary of Synod for ${os} on ${cpu}: install the package synod`,
    os: [os],
    cpu: [cpu],
    files: [file, "LICENSE-APACHE", "LICENSE-MIT"],
    // Yarn: a binary cannot be started from within an archive.
    preferUnplugged: true,
  });
  dependencies[name] = version;
}
if (missing.length > 0) {
  console.error(`build.mjs: these archives are missing: ${missing.join(", ")}`);
  process.exit(1);
}

const folder = join(out, "synod");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(here, "bin"), join(folder, "bin"), { recursive: true });
cpSync(join(here, "README.md"), join(folder, "README.md"));
write(folder, { ...JSON.parse(readFileSync(join(here, "package.json"), "utf8")), ...common, optionalDependencies: dependencies });
