// One open run in a worker: the requests that move in it, in order, and what is shown of it afterwards.

import { Stopped } from "./engine.js";

/** The numbers of steps that one request takes, and the milliseconds that it may take, so that Stop works without ending the worker. */
const LEAST_CHUNK = 20, MOST_CHUNK = 1000, PACE = 80;
/** Milliseconds after which Stop ends the worker. */
const PATIENCE = 1000;
/** The maximum number of events of a run: more cannot be drawn. */
const MOST_EVENTS = 20_000;

/** Return the options that reproduce a run, as `open` takes them. */
export function optionsOf({ options: { parameters, ...others } }) {
  const given = Object.entries(others).filter(([, value]) => value !== null && value !== "");
  return { ...Object.fromEntries(given), parameters: Object.fromEntries((parameters ?? []).map(({ name, value }) => [name, String(value)])) };
}

export class Session {
  #engine; #on; #queue = Promise.resolve(); #queued = 0; #halt = false; #shown = ""; #recorded = 0;
  /** The answer to `open`, and the fields that were asked. */
  opened = null;
  asked = null;
  /** Where the cursor is: `{branch, at, length, outcome}`. */
  position = null;
  /** The script of the recorded run up to its end, from which a stopped run is restored; null: none. */
  script = null;

  /** `on` has the reactions: `data` (another recorded run), `moved`, `failed` (an error), `told` (a sentence). */
  constructor(engine, on) {
    this.#engine = engine;
    this.#on = on;
  }

  /** Return whether something that was asked is not done yet. */
  get isBusy() { return this.#queued > 0; }
  get isOpen() { return this.opened !== null; }

  /** Do some work after all that was asked before; if it moves the cursor, show where the run is, unless more work is waiting. */
  #enqueue(work, shows = true) {
    this.#queued++;
    this.#on.busy();
    const result = this.#queue.then(async () => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Stopped)) this.#on.failed(error);
        return null;
      } finally {
        this.#queued--;
      }
    }).then(async (value) => {
      if (shows && this.#queued === 0 && this.isOpen) await this.#show();
      return value;
    }).catch((error) => { if (!(error instanceof Stopped)) this.#on.failed(error); return null; }).finally(() => this.#on.busy());
    this.#queue = result;
    return result;
  }

  /** Open a run; `fields` are those of the request `open`. Return its answer; null if it fails. */
  open(fields) {
    return this.#enqueue(async () => {
      const opened = await this.#engine.ask("open", fields);
      this.opened = opened;
      this.asked = fields;
      this.position = opened.position;
      this.script = null;
      this.#shown = "";
      return opened;
    });
  }

  #move(request, fields) {
    return this.#work(async () => this.#moved(await this.#engine.ask(request, fields)));
  }
  /** Do some work if a run is open. */
  #work(work, shows) { return this.isOpen ? this.#enqueue(work, shows) : Promise.resolve(null); }
  #isFull() {
    const isFull = this.position.at >= MOST_EVENTS;
    if (isFull) this.#on.told(`A run has at most ${MOST_EVENTS} events here`);
    return isFull;
  }
  #moved(answer) {
    this.position = answer.position;
    if (answer.removed) this.#shown = "";
    if (answer.stop?.reason !== "done" && answer.stop?.text) this.#on.told(answer.stop.text.split("\n")[0]);
    return answer;
  }
  step() { return this.isOpen && this.#isFull() ? Promise.resolve(null) : this.#move("step"); }
  back() { return this.position?.at > 0 ? this.#move("back") : Promise.resolve(null); }
  goTo(position) { return this.#move("goto", { position }); }
  toEnd() { return this.goTo(this.position?.length ?? 0); }
  switchTo(name) { return this.#move("switch", { name }); }
  fork() { return this.#move("fork"); }

  /** Take an enabled step. If others are recorded after the cursor, they stay in their branch, and a new one begins. */
  fire(index, isRecorded) {
    return this.#work(async () => {
      const { at, length, branch } = this.position;
      if (at < length && !isRecorded) {
        this.#moved(await this.#engine.ask("fork"));
        this.#on.told(`New branch ${this.position.branch}; the recorded steps after ${at} stay in ${branch}`);
      }
      return this.#moved(await this.#engine.ask("fire", { index, at: this.position.at }));
    });
  }

  /** Run to the end, to the violation of a property, or until `halt`. */
  runOn() {
    this.#halt = false;
    return this.#work(async () => {
      for (let chunk = LEAST_CHUNK; !this.#halt && !this.#isFull();) {
        const most = Math.min(chunk, MOST_EVENTS - this.position.at), began = performance.now();
        const answer = this.#moved(await this.#engine.ask("run", { most }));
        if (answer.stop.reason !== "done" || this.position.at - answer.from < most) return;
        this.#on.progress(this.position);
        chunk = performance.now() - began < PACE ? Math.min(MOST_CHUNK, 2 * chunk) : Math.max(LEAST_CHUNK, chunk >> 1);
      }
      if (this.#halt) this.#on.told(`Stopped after ${this.position.at} events`);
    });
  }
  /** Stop what goes on: between two chunks, or with its worker if it does not end soon. */
  async stop() {
    this.#halt = true;
    const done = this.#queue.then(() => true), late = new Promise((resolve) => { setTimeout(resolve, PATIENCE, false); });
    if (await Promise.race([done, late])) return;
    await this.#restart();
    this.#on.told("Stopped; the run was restored from its steps");
  }

  /** Ask something that does not move the cursor. The answer is null if it fails. */
  ask(request, fields) { return this.#work(() => this.#engine.ask(request, fields), false); }
  /** Ask something about the whole recorded run. The answer is null if it fails. */
  askAtEnd(request, fields) { return this.#work(() => this.#atEnd(() => this.#engine.ask(request, fields)), false); }
  /** Return the answer to `evaluate`, or fail with its error. */
  evaluate(expression) { return this.#engine.ask("evaluate", { expression }); }

  /** Return something that needs the whole recorded run: go to its end, ask, and return. */
  async #atEnd(ask) {
    const { at, length } = this.position;
    if (at < length) await this.#engine.ask("goto", { position: length });
    try {
      return await ask();
    } finally {
      if (at < length) await this.#engine.ask("goto", { position: at });
    }
  }

  async #show() {
    const { branch, length, at } = this.position;
    const { branches } = await this.#engine.ask("branches");
    // What is recorded has changed if the length or the branch has, or if a step was taken after others were removed.
    const key = `${branch} ${length}`;
    if (key !== this.#shown) {
      const [{ data }, { properties }, { script }] = await this.#atEnd(() =>
        Promise.all([this.#engine.ask("data"), this.#engine.ask("verdicts"), this.#engine.ask("script")]));
      this.#shown = key;
      this.script = script;
      this.#recorded = length;
      this.#on.data(data, properties);
    }
    const [enabled, { properties }, state, last, next] = await Promise.all([
      this.#engine.ask("enabled"), this.#engine.ask("verdicts"), this.#engine.ask("state"),
      at > 0 ? this.#engine.ask("events", { from: at - 1, to: at }) : { events: [] },
      at < length ? this.#engine.ask("events", { from: at, to: at + 1 }) : { events: [] },
    ]);
    this.#on.moved({ position: this.position, branches, enabled, properties, state, event: last.events[0] ?? null, next: next.events[0] ?? null });
  }

  /** End a step that takes too long: start again, and restore the branch by its script. */
  async #restart() {
    const { asked, opened, script, position } = this;
    this.#engine.stop();
    if (!opened) return;
    // The script is that of the recorded run when it was last shown; the cursor may have been moved since.
    await this.open({ text: asked.text, name: asked.name, ...optionsOf(opened), ...(script ? { script, position: Math.min(position.at, this.#recorded) } : {}) });
  }
}
