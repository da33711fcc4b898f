// The client outside an editor: `vscode` is a stand-in that remembers what it was told. What is tested is that it fails
// softly, with one message, whatever is wrong with the `synod` command.
"use strict";

const assert = require("node:assert/strict");
const { mkdtempSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { beforeEach, test } = require("node:test");

let settings, warnings, tasks, commands, document, sessions, debuggers;

const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: () => ({ dispose() {} }),
  },
  window: {
    createOutputChannel: () => ({ appendLine() {}, dispose() {} }),
    showWarningMessage: async (message) => void warnings.push(message),
    showInformationMessage: async (message) => void warnings.push(message),
    get activeTextEditor() {
      return document && { document };
    },
  },
  commands: {
    registerCommand: (name, action) => {
      commands[name] = action;
      return { dispose() {} };
    },
    executeCommand: async () => {},
  },
  tasks: { executeTask: async (task) => void tasks.push(task) },
  Task: class {
    constructor(definition, scope, name, source, execution) {
      Object.assign(this, { definition, name, execution });
    }
  },
  ProcessExecution: class {
    constructor(process, args) {
      Object.assign(this, { process, args });
    }
  },
  TaskScope: { Workspace: 2 },
  debug: {
    registerDebugConfigurationProvider: (type, provider) => ((debuggers[type] = provider), { dispose() {} }),
    registerDebugAdapterDescriptorFactory: (type, factory) => ((debuggers[type] = factory), { dispose() {} }),
    startDebugging: async (_folder, configuration) => void sessions.push(configuration),
  },
  DebugAdapterExecutable: class {
    constructor(command, args) {
      Object.assign(this, { command, args });
    }
  },
  Uri: { parse: (uri) => ({ fsPath: new URL(uri).pathname }) },
};

const clients = [];
const languageClient = {
  TransportKind: { stdio: 0 },
  LanguageClient: class {
    constructor(id, name, server) {
      this.server = server;
      clients.push(this);
    }
    async start() {
      if (languageClient.fails) throw new Error("it fell over");
    }
    async stop() {
      this.stopped = true;
    }
  },
};

const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === "vscode") return vscode;
  if (name === "vscode-languageclient/node") return languageClient;
  return load.call(this, name, ...rest);
};
const extension = require("../extension.js");

/** A `synod` command that does this. */
function pretend(script) {
  const path = join(mkdtempSync(join(tmpdir(), "synod-")), "synod");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

async function activated() {
  const context = { subscriptions: [] };
  await extension.activate(context).started;
  return context;
}

beforeEach(async () => {
  await extension.deactivate();
  settings = { path: "synod", languageServer: true };
  warnings = [];
  tasks = [];
  commands = {};
  sessions = [];
  debuggers = {};
  clients.length = 0;
  document = undefined;
  languageClient.fails = false;
});

test("no such command: one message that says what to do", async () => {
  settings.path = "/nowhere/synod";
  await activated();
  await commands["synod.check"]();
  assert.equal(clients.length, 0);
  assert.match(warnings[0], /was not found.*synod\.path/);
});

test("a command without a server is asked once and not started over and over", async () => {
  settings.path = pretend("exit 2");
  await activated();
  assert.equal(clients.length, 0);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /no language server/);
});

test("a server is started with `lsp`", async () => {
  settings.path = pretend("exit 0");
  await activated();
  assert.deepEqual(warnings, []);
  assert.deepEqual(clients[0].server.args, ["lsp"]);
  assert.equal(clients[0].server.command, settings.path);
  await commands["synod.restartServer"]();
  assert.equal(clients.length, 2);
  assert.ok(clients[0].stopped);
});

test("a server that does not start is a message, and can be started again", async () => {
  settings.path = pretend("exit 0");
  languageClient.fails = true;
  await activated();
  assert.match(warnings[0], /did not start: it fell over/);
  languageClient.fails = false;
  await commands["synod.restartServer"]();
  assert.equal(clients.length, 2);
});

test("switched off, nothing is started and nothing said", async () => {
  settings.path = "/nowhere/synod";
  settings.languageServer = false;
  await activated();
  assert.deepEqual([clients.length, warnings.length], [0, 0]);
});

test("commands run the verb on the file, saved", async () => {
  settings.languageServer = false;
  await activated();
  let saved = false;
  document = { fileName: "/tmp/a b.syn", languageId: "synod", isDirty: true, save: async () => (saved = true) };
  await commands["synod.verify"]();
  assert.ok(saved);
  assert.deepEqual(tasks[0].execution.args, ["verify", "/tmp/a b.syn"]);
  await commands["synod.run"]("file:///tmp/c.syn");
  assert.deepEqual(tasks[1].execution.args, ["run", "/tmp/c.syn"]);
  // As the code lens of a scenario calls it.
  await commands["synod.repl"]("file:///tmp/c.syn", "--on", "ring(4)", "--ids", "1,2,3,4");
  assert.deepEqual(tasks[2].execution.args, ["repl", "/tmp/c.syn", "--on", "ring(4)", "--ids", "1,2,3,4"]);
});

test("a session of the debugger is started on the file, or on a scenario of it", async () => {
  settings.languageServer = false;
  await activated();
  await commands["synod.debug"]();
  assert.match(warnings[0], /Open a Synod file/);
  let saved = false;
  document = { fileName: "/tmp/a b.syn", languageId: "synod", isDirty: true, save: async () => (saved = true) };
  await commands["synod.debug"]();
  assert.ok(saved);
  const launch = { type: "synod", request: "launch", stopOnEntry: true };
  assert.deepEqual(sessions[0], { ...launch, name: "Debug", program: "/tmp/a b.syn" });
  await commands["synod.debug"]("file:///tmp/c.syn", "three");
  assert.deepEqual(sessions[1], { ...launch, name: "Debug three", program: "/tmp/c.syn", scenario: "three" });
});

test("without a launch configuration, the open file is debugged", async () => {
  settings.languageServer = false;
  await activated();
  const { resolveDebugConfiguration } = debuggers.synod;
  assert.equal(resolveDebugConfiguration(undefined, {}), undefined);
  document = { fileName: "/tmp/a.syn", languageId: "synod" };
  assert.equal(resolveDebugConfiguration(undefined, {}).program, "/tmp/a.syn");
  const own = { type: "synod", request: "launch", name: "Mine", trace: "x.trace" };
  assert.equal(resolveDebugConfiguration(undefined, own), own);
});

test("the adapter is `synod dap`, if there is one", async () => {
  settings.languageServer = false;
  settings.path = pretend("exit 0");
  await activated();
  const adapter = await debuggers.synod.createDebugAdapterDescriptor();
  assert.deepEqual([adapter.command, adapter.args], [settings.path, ["dap"]]);
  settings.path = pretend("exit 2");
  await assert.rejects(debuggers.synod.createDebugAdapterDescriptor(), /has no debugger \(`synod dap`\)/);
});
