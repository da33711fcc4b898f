// The client of `synod lsp`, and commands that run `synod` in a terminal. Without the server there are still
// highlighting, snippets and brackets: whatever is missing is said once, in one sentence with what to do about it.
"use strict";

const { execFile } = require("node:child_process");
const vscode = require("vscode");

/** The client, while one is running or starting. */
let client;
/** What has been said already: a message that comes with every file is one that nobody reads. */
let said;
let output;

function setting(name) {
  return vscode.workspace.getConfiguration("synod").get(name);
}

function command() {
  return setting("path") || "synod";
}

/**
 * Why the server cannot be started, or nothing. `synod lsp --help` is asked first (for the debugger, `synod dap --help`), since a command that ends at once
 * looks to the client like a server that crashes, and it would start it over and over.
 */
function obstacle(path, verb = "lsp", what = "language server") {
  return new Promise((resolve) => {
    execFile(path, [verb, "--help"], { timeout: 10_000, windowsHide: true }, (error) => {
      if (!error) return resolve(undefined);
      if (error.code === "ENOENT") {
        return resolve(`The command \`${path}\` was not found. Install Synod, or say in the setting synod.path where it is.`);
      }
      if (error.code === "EACCES") {
        return resolve(`\`${path}\` cannot be executed. The setting synod.path must name the synod command.`);
      }
      if (error.killed) return resolve(`\`${path} ${verb} --help\` gave no answer within 10 seconds.`);
      resolve(`\`${path}\` has no ${what} (\`synod ${verb}\`): it may be too old. Highlighting and snippets work without it.`);
    });
  });
}

async function complain(message) {
  output.appendLine(message);
  if (said === message) return;
  said = message;
  const settings = "Open the Setting";
  if ((await vscode.window.showWarningMessage(message, settings)) === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "synod.path");
  }
}

async function start() {
  if (client || !setting("languageServer")) return;
  const path = command();
  const message = await obstacle(path);
  if (message) return void complain(message);
  if (client) return;
  try {
    const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
    client = new LanguageClient(
      "synod",
      "Synod",
      { command: path, args: ["lsp"], transport: TransportKind.stdio },
      {
        documentSelector: [{ language: "synod" }],
        outputChannel: output,
        // There is a client of the debugger, so the server offers code lenses for it.
        initializationOptions: { debug: true },
      },
    );
    await client.start();
    said = undefined;
  } catch (error) {
    client = undefined;
    void complain(`The language server of Synod did not start: ${error instanceof Error ? error.message : error}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  try {
    await running?.stop();
  } catch {
    // It had not started, or is gone already.
  }
}

/**
 * Runs a verb of `synod` on a file, in a terminal where its colours and its questions are at home. Code lenses say which
 * file, and what follows it on the command line.
 */
async function inTerminal(verb, file, ...more) {
  const document = vscode.window.activeTextEditor?.document;
  const path = typeof file === "string" ? vscode.Uri.parse(file).fsPath : document?.fileName;
  if (!path || (!file && document.languageId !== "synod")) {
    return void vscode.window.showInformationMessage("Open a Synod file first (.syn).");
  }
  if (document?.fileName === path && document.isDirty) await document.save();
  // As a task: its output stays to be read when the command has ended, and no shell has to be spoken to.
  const words = more.filter((word) => typeof word === "string");
  const run = new vscode.ProcessExecution(command(), [verb, path, ...words]);
  const scope = vscode.TaskScope.Workspace;
  await vscode.tasks.executeTask(new vscode.Task({ type: "synod", verb }, scope, `synod ${verb}`, "synod", run));
}

/** Debug a file; code lenses name it, and a scenario of it. */
async function debug(file, scenario) {
  const document = vscode.window.activeTextEditor?.document;
  const program = typeof file === "string" ? vscode.Uri.parse(file).fsPath : document?.fileName;
  if (!program || (typeof file !== "string" && document.languageId !== "synod")) {
    return void vscode.window.showInformationMessage("Open a Synod file first (.syn).");
  }
  if (document?.fileName === program && document.isDirty) await document.save();
  const named = typeof scenario === "string" ? { name: `Debug ${scenario}`, scenario } : { name: "Debug" };
  await vscode.debug.startDebugging(undefined, { type: "synod", request: "launch", program, stopOnEntry: true, ...named });
}

/** The debugger: `synod dap`. */
const debugger_ = {
  /** F5 without a launch configuration debugs the file that is open. */
  resolveDebugConfiguration(_folder, configuration) {
    if (configuration.type || configuration.request || configuration.name) return configuration;
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "synod") return undefined;
    return { type: "synod", request: "launch", name: "Debug", program: document.fileName, stopOnEntry: true };
  },
  /** Ask the adapter for its help first, to report a `synod` without one in one sentence. */
  async createDebugAdapterDescriptor() {
    const path = command();
    const message = await obstacle(path, "dap", "debugger");
    if (message) throw new Error(message);
    return new vscode.DebugAdapterExecutable(path, ["dap"]);
  },
};

function activate(context) {
  output = vscode.window.createOutputChannel("Synod");
  said = undefined;
  const verbs = ["check", "run", "test", "verify", "repl"];
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("synod.restartServer", async () => {
      said = undefined;
      await stop();
      await start();
    }),
    vscode.commands.registerCommand("synod.debug", debug),
    vscode.debug.registerDebugConfigurationProvider("synod", debugger_),
    vscode.debug.registerDebugAdapterDescriptorFactory("synod", debugger_),
    ...verbs.map((verb) => vscode.commands.registerCommand(`synod.${verb}`, (file, ...more) => inTerminal(verb, file, ...more))),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration("synod.path") && !change.affectsConfiguration("synod.languageServer")) return;
      await stop();
      await start();
    }),
  );
  // Not awaited: the editor is usable while the server starts.
  return { started: start() };
}

function deactivate() {
  return stop();
}

module.exports = { activate, deactivate };
