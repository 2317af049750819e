"use strict";

// Starts `uniqgen lsp` and connects the editor to it; everything else is the server's work.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("uniqgen");
  const [command, ...args] = settings.get("command", ["uniqgen", "lsp"]);
  client = new LanguageClient(
    "uniqgen",
    "Constraint tables",
    { command, args, transport: TransportKind.stdio },
    {
      documentSelector: [{ language: "ctable" }, { language: "cts" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.cts,uniqgen.toml}") },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const message = `${command} did not start: ${error.message}. Install it with: pip install "uniqgen-ir[lsp]"`;
    vscode.window.showErrorMessage(message);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running !== undefined) {
    await running.stop();
  }
}

async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("uniqgen.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("uniqgen.command")) {
        restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
