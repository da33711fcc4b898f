// A session with the WebAssembly module: requests and answers as objects. Nothing is imported, so this works in a page, a worker and Node.

export class Workbench {
  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.exports = instance.exports;
    this.decoder = new TextDecoder();
    this.encoder = new TextEncoder();
  }

  /** Compile the bytes of the module, or a response that streams them, and begin a session. */
  static async load(source) {
    const streams = typeof Response !== "undefined" && source instanceof Response;
    const { instance } = streams
      ? await WebAssembly.instantiateStreaming(source, {})
      : await WebAssembly.instantiate(source, {});
    return new Workbench(instance);
  }

  /** Answer a request that is a text; throws an error with the message of a panic, after which the session is of no use. */
  answer(request) {
    const bytes = this.encoder.encode(request);
    const wasm = this.exports;
    try {
      const at = wasm.reserve(bytes.length);
      new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
      const length = wasm.answer();
      return this.text(length);
    } catch (trap) {
      const length = wasm.panic();
      throw new Error(length > 0 ? this.text(length) : `the module ended: ${trap.message}`);
    }
  }

  /** Answer a request that is an object. */
  ask(request) {
    return JSON.parse(this.answer(JSON.stringify(request)));
  }

  text(length) {
    return this.decoder.decode(new Uint8Array(this.exports.memory.buffer, this.exports.result(), length));
  }
}
