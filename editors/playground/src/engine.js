// A client of one worker: requests become promises, and a long request can be stopped.

/** An error that the module answers, with its hint and diagnostics. */
export class RequestError extends Error {
  constructor({ message, hint, diagnostics }) {
    super(message);
    this.hint = hint ?? "";
    this.diagnostics = diagnostics ?? [];
  }
}

/** The reason why a request has no answer: its worker was stopped, or the module trapped. */
export class Stopped extends Error {}

export class Engine {
  #module; #url; #worker = null; #pending = new Map(); #next = 0; #reactions;

  /** `module`: the compiled module; `url`: of the worker's script; `reactions.busy` is called when the engine begins or ends to work. */
  constructor(module, url, reactions = {}) {
    this.#module = module;
    this.#url = url;
    this.#reactions = reactions;
  }

  /** Return whether a request has no answer yet. */
  get busy() { return this.#pending.size > 0; }

  #start() {
    this.#worker = new Worker(this.#url);
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.stop(event.message || "The worker failed");
    this.#worker.postMessage({ module: this.#module });
  }

  #receive({ id, answer, trap }) {
    // An answer to a request of a stopped worker.
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (trap !== undefined) {
      // After a trap the instance is in no defined state.
      pending.reject(new Stopped(`The module failed: ${trap}`));
      this.stop(`The module failed: ${trap}`);
      return;
    }
    const value = JSON.parse(answer);
    if (value.error) pending.reject(new RequestError(value.error));
    else pending.resolve(value);
    this.#reactions.busy?.(this);
  }

  /** Return the answer to a request. */
  ask(request, fields = {}) {
    if (!this.#worker) this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request: JSON.stringify({ request, ...fields }) });
      this.#reactions.busy?.(this);
    });
  }

  /** End the worker; the next request starts a new one. All requests without an answer fail. */
  stop(reason = "Stopped") {
    this.#worker?.terminate();
    this.#worker = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new Stopped(reason));
    this.#reactions.busy?.(this);
  }
}
