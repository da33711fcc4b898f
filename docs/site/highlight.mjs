// Programs as HTML, coloured and checked by the language server: `synod lsp` knows what a name refers to, also in an unfinished text.

import { spawn } from "node:child_process";

/** The classes of highlight.js, which the themes of mdBook colour, by the type of a token. Names that a program declares for its data stay plain. */
const CLASSES = {
  keyword: "keyword", comment: "comment", string: "string", number: "number", enumMember: "literal", event: "title", function: "title", method: "title",
  type: "type", class: "type", enum: "type", struct: "type", namespace: "type",
};
export const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export class Highlighter {
  #server; #waiting = new Map(); #checked = new Map(); #next = 0; #bytes = Buffer.alloc(0); #types; #failed;

  constructor(synod) {
    this.#server = spawn(synod, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    this.#server.stdout.on("data", (chunk) => this.#read(chunk));
    this.#server.on("exit", (code) => {
      this.#failed = new Error(`synod lsp ended with ${code}`);
      for (const { reject } of [...this.#waiting.values(), ...this.#checked.values()]) reject(this.#failed);
    });
    const capabilities = { textDocument: { semanticTokens: { requests: { full: true } } } };
    this.#types = this.#ask("initialize", { processId: null, rootUri: null, capabilities })
      .then((answer) => { this.#send({ method: "initialized", params: {} }); return answer.capabilities.semanticTokensProvider.legend.tokenTypes; });
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.#server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#server.stdin.write(body);
  }
  #ask(method, params) {
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      if (this.#failed) { reject(this.#failed); return; }
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }
  #read(chunk) {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end < 0) return;
      const start = end + 4, length = Number(/Content-Length: (\d+)/i.exec(this.#bytes.subarray(0, end).toString())[1]);
      if (this.#bytes.length < start + length) return;
      const { id, method, params, result, error } = JSON.parse(this.#bytes.subarray(start, start + length).toString());
      this.#bytes = this.#bytes.subarray(start + length);
      if (method === "textDocument/publishDiagnostics") this.#checked.get(params.uri)?.resolve(params.diagnostics);
      // The server also asks for the settings of the editor.
      if (method !== undefined) { if (id !== undefined) this.#send({ id, result: null }); continue; }
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) reject(new Error(error.message)); else resolve(result);
    }
  }

  /** Return a program, or a part of one, as `html`, and whether it `isSound`: without errors, also without the rest of its page. */
  async program(text) {
    const types = await this.#types, uri = `untitled:${++this.#next}.syn`;
    const checked = new Promise((resolve, reject) => this.#checked.set(uri, { resolve, reject }));
    this.#send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "synod", version: 1, text } } });
    const { data } = await this.#ask("textDocument/semanticTokens/full", { textDocument: { uri } });
    const isSound = (await checked).every(({ severity }) => severity > 1);
    this.#checked.delete(uri);
    this.#send({ method: "textDocument/didClose", params: { textDocument: { uri } } });
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    let html = "", written = 0, line = 0, column = 0;
    for (let i = 0; i < data.length; i += 5) {
      column = data[i] > 0 ? data[i + 1] : column + data[i + 1];
      line += data[i];
      const from = starts[line] + column, to = from + data[i + 2], name = CLASSES[types[data[i + 3]]];
      if (name === undefined) continue;
      html += `${escape(text.slice(written, from))}<span class="hljs-${name}">${escape(text.slice(from, to))}</span>`;
      written = to;
    }
    return { html: html + escape(text.slice(written)), isSound };
  }

  async end() {
    await this.#ask("shutdown", null);
    this.#send({ method: "exit" });
  }
}
