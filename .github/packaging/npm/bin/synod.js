#!/usr/bin/env node
// Starts the binary of the package for this platform, with the same arguments, streams and exit code.
"use strict";

const { spawn } = require("node:child_process");

const name = `synod-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "synod.exe" : "synod";
let binary;
try {
  binary = require.resolve(`${name}/${file}`);
} catch {
  const supported = Object.keys(require("../package.json").optionalDependencies);
  console.error(
    supported.includes(name)
      ? `synod: the package ${name} is not installed; npm leaves it out with --omit=optional`
      : `synod: there is no binary for ${process.platform} on ${process.arch}; build Synod with \`cargo install synod\``,
  );
  process.exit(2);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`synod: ${binary} cannot be started: ${error.message}`);
  process.exit(2);
});
// After Ctrl-C, Synod prints a partial result: the launcher waits for it. A terminal signals both; other signals are passed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
