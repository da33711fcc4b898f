// The playground: program, run and questions in one page. The WebAssembly module does all the work, in workers, so that it can be stopped.

import { XzReadableStream } from "xz-decompress";
import { html, plural } from "../../../src/render/html/elements.js";
import { createEditor } from "./editor.js";
import { Engine, Stopped } from "./engine.js";
import { createFiles } from "./files.js";
import { createLibrary } from "./library.js";
import { LONGEST, decode, encode } from "./link.js";
import { markdown } from "./markdown.js";
import { createMeasurement } from "./measurement.js";
import { createOptions } from "./options.js";
import { createQuestions } from "./questions.js";
import { createScene } from "./scene.js";
import { createServed, servedFile } from "./served.js";
import { Session, optionsOf } from "./session.js";
import { createSteps } from "./steps.js";
import { createTabs } from "./tabs.js";
import { createVerification } from "./verification.js";

const $ = (id) => document.getElementById(id);
/** The algorithm that the page begins with. */
const FIRST = "chang_roberts";
/** Milliseconds of work after which Stop is offered. */
const LONG = 200;

// ---- Messages ---------------------------------------------------------------------------------------------

function told(text) { $("status").textContent = text; }
function notice(text) {
  $("notice").firstElementChild.textContent = text;
  $("notice").hidden = !text;
}
function failed(error) {
  if (error instanceof Stopped && error.message === "Stopped") return;
  if ($("status").textContent === "Loading …") told("");
  notice([error.message, error.hint].filter(Boolean).join(". "));
}

// ---- The module and its workers ---------------------------------------------------------------------------

async function compiled() {
  const text = atob($("module").textContent.trim()), bytes = new Uint8Array(text.length);
  // Megabytes: a loop is faster than a function for each.
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const plain = new Response(new XzReadableStream(new Blob([bytes]).stream()));
  return WebAssembly.compile(await plain.arrayBuffer());
}

/** Call `show` with the files of the library, in brief, then with all facts. These take a while, so they have a worker of their own. */
async function library(module, url, show) {
  const engine = new Engine(module, url);
  try {
    show((await engine.ask("library", { brief: true })).files);
    show((await engine.ask("library")).files);
  } finally {
    engine.stop();
  }
}

let working = 0;
/** Offer Stop while something takes long. */
function busy() {
  const isBusy = session.isBusy || searches.busy;
  if (isBusy && !working) working = setTimeout(() => { $("stop").disabled = false; document.body.classList.add("working"); }, LONG);
  if (isBusy) return;
  clearTimeout(working);
  working = 0;
  $("stop").disabled = true;
  document.body.classList.remove("working");
}

// Three workers: texts are checked while a run goes on, and a search can be stopped without an effect on the run.
let texts, runs, searches, session, editor, options, scene, steps, questions, verification, measurement, openLibrary, chooseTab, chooseArea;

// ---- The program ------------------------------------------------------------------------------------------

let name = "program.syn";
/** The file that `synod serve` shows; null: the page has none. */
let served = null;
let program = null;
/** The property that the run was loaded as a counterexample to; null: none. */
let shows = null;
/** The violating event of a loaded counterexample, with its words, in the branch where it is; null: none. */
let violating = null;

function showProblems(answer, isCurrent) {
  if (!isCurrent) return;
  const { errors, warnings, diagnostics } = answer;
  program = answer.program;
  const summary = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean).join(", ") || "no errors";
  $("problems-summary").textContent = summary;
  $("problems").classList.toggle("bad", errors > 0);
  $("problems-list").replaceChildren(...diagnostics.map((diagnostic) => {
    const own = diagnostic.place.file === 0;
    const button = html("button", { type: "button", class: `link ${diagnostic.severity}` }, `${own ? `line ${diagnostic.place.line}` : diagnostic.place.name}: ${diagnostic.message}`);
    if (own) button.addEventListener("click", () => editor.goTo(diagnostic.place));
    else button.disabled = true;
    return html("li", {}, button);
  }));
  if (program) {
    document.title = [program.name, served?.name, "Synod playground"].filter(Boolean).join(" · ");
    $("title").replaceChildren(html("b", {}, program.name), ` ${program.title ?? ""}`);
    options.offer(program);
  }
  stale();
}

/** Return what to run, verify or measure: the program in the editor, and the options of the form. */
const subject = () => ({ text: editor.text, name, ...options.read() });

/** Return what to verify: all schedules. */
function instance() {
  const { schedule: _, ...fields } = subject();
  return fields;
}
/** Return what to measure: the network and the ids of the run are those of one size. */
function family() {
  const { on: _, ids, ...fields } = subject();
  return { ...fields, ...(/^[a-z]+$/.test(ids ?? "") ? { ids } : {}) };
}

/** Say whether the run is not one of the program and the options on the page. */
function stale() {
  if (!session.isOpen) { $("stale").hidden = true; return; }
  const changedText = session.asked.text !== editor.text, changedOptions = JSON.stringify(options.read()) !== JSON.stringify(begun);
  $("stale").hidden = !changedText && !changedOptions;
  $("stale").firstElementChild.textContent = changedText ? "The program has changed since this run began." : "The options have changed since this run began.";
}
let begun = {};

async function start() {
  const changed = session.isOpen && session.asked.text !== editor.text;
  violating = null;
  const opened = await session.open(subject());
  if (!opened) return false;
  shows = null;
  begin(opened);
  told(changed ? "The program has changed: this is a new run" : `New run on ${opened.options.on}`);
  return true;
}
/** Show the options of a run that begins. */
function begin(opened, own = options.read()) {
  begun = own;
  notice("");
  for (const note of opened.notes ?? []) told(note);
  stale();
}

async function choose(file) {
  const { text, path } = await texts.ask("source", { name: file });
  served?.leave();
  if (await edit(text, path.split("/").pop())) told(`${file}: ${program?.title ?? ""}`);
}
/** Open a program with its default options. */
async function edit(text, file) {
  name = file;
  options.write({});
  editor.text = text;
  // The form offers the parameters of the program before the run begins.
  program = (await texts.ask("check", { text, name })).program;
  if (program) options.offer(program);
  return start();
}

// ---- The run ----------------------------------------------------------------------------------------------

let branchShown = "";
function showData(data, properties) {
  const violated = properties.find((property) => property.verdict === "violated" && property.at_event !== null && property.at_event !== undefined);
  const { branch } = session.position;
  if (violating?.branch === branch && violating.event < data.events.process.length) data.violation = [violating.event, violating.text];
  else if (!data.violation && violated) data.violation = [violated.at_event, `${violated.name} violated`];
  scene.load(data, branchShown === branch && scene.run !== null && session.position.length > 1);
  branchShown = branch;
  questions.offer(scene.run);
}

function showMoved({ position, branches, enabled, properties, state, event, next }) {
  const { at, length } = position;
  $("slider").max = String(length);
  $("slider").value = String(at);
  $("slider").setAttribute("aria-valuetext", `${at} of ${length} events`);
  $("position").textContent = `${at} of ${plural(length, "event")}`;
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = at === length;
  const ended = state.outcome !== null && at === length;
  $("step").disabled = $("run-on").disabled = ended;
  $("fork").disabled = $("slider").disabled = false;
  $("branch").replaceChildren(...branches.map((branch) => html("option", {}, branch.name)));
  $("branch").value = position.branch;
  $("outcome").textContent = ended ? [`${state.outcome}`, ...state.explanation].join(". ") : "";
  scene.show(at);
  steps.show({ enabled, next, state }, session.opened.network.names);
  showProperties(properties);
  showCosts(state.metrics);
  if (session.asked.text === editor.text) editor.showEvent(event?.place ?? null);
  else editor.showEvent(null);
  questions.refresh();
  link();
}

function showProperties(properties) {
  $("verdicts").tBodies[0].replaceChildren(...properties.map((property) => {
    const violated = property.verdict === "violated", row = html("tr", {}, html("th", { scope: "row" }, property.name), html("td", {}, property.kind));
    const verdict = html("td", { class: violated ? "bad" : property.verdict === "holds" ? "good" : "" }, violated && !property.promised ? "violated (not claimed)" : property.verdict);
    if (violated && Number.isInteger(property.at_event)) {
      const button = html("button", { type: "button", class: "link" }, `event ${property.at_event}`);
      button.addEventListener("click", () => session.goTo(property.at_event + 1));
      verdict.append(" ", button);
    }
    row.append(verdict, html("td", { class: "why" }, property.why ?? ""));
    return row;
  }));
  const wrong = properties.filter((property) => property.verdict === "violated" && property.promised);
  $("tab-properties").classList.toggle("bad", wrong.length > 0);
}
function showCosts(metrics) {
  const shown = Object.entries(metrics).filter(([, value]) => typeof value === "number");
  $("costs").textContent = shown.map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`).join(" · ");
}

/** Open a counterexample as the run. */
async function loadCounterexample(fields, { counterexample, violation }) {
  // The branch of a new run has always the same name.
  const event = violation?.event ?? null;
  violating = event === null ? null : { branch: "main", event, text: `${counterexample.shows} violated` };
  const opened = await session.open(fields);
  if (!opened) { violating = null; return; }
  shows = counterexample.shows;
  options.write(optionsOf(opened));
  begin(opened);
  told(violation?.text ?? `Counterexample to ${shows}: ${plural(counterexample.events, "event")}`);
}

function stop() {
  if (searches.busy) searches.stop();
  if (session.isBusy) session.stop().catch(failed);
}

// ---- The link ---------------------------------------------------------------------------------------------

let linking = 0;
/** Write the program, its options and the position into the URL, soon. */
function link() {
  clearTimeout(linking);
  linking = setTimeout(() => writeLink().catch(failed), 300);
}
async function writeLink() {
  const isOwn = session.isOpen && session.asked.text === editor.text;
  // The options of the run say more than the form: defaults may change.
  const content = { text: editor.text, name, options: isOwn && $("stale").hidden ? optionsOf(session.opened) : options.read(), base: served?.base ?? null };
  if (isOwn) Object.assign(content, { script: session.script, position: session.position.at, shows });
  let fragment = await encode(content), complete = true;
  if (fragment.length > LONGEST && isOwn) {
    fragment = await encode({ ...content, script: null, position: 0, shows: null });
    complete = false;
  }
  history.replaceState(null, "", `#${fragment}`);
  return complete;
}
async function copyLink() {
  clearTimeout(linking);
  const complete = await writeLink();
  const where = served ? ". It works on this computer, while synod serve runs" : "";
  const what = `${where}${complete ? "" : ". The run is too long for a link: it contains the program and its options"}`;
  try {
    await navigator.clipboard.writeText(location.href);
    told(`The link is copied${what}`);
  } catch {
    told(`The link is in the address bar${what}`);
  }
}
async function openLink(content) {
  name = content.name;
  program = (await texts.ask("check", { text: content.text, name })).program;
  if (program) options.offer(program);
  options.write(content.options);
  editor.text = content.text;
  const { script, position } = content;
  violating = null;
  const opened = await session.open({ ...subject(), ...(script ? { script, position } : {}) });
  if (!opened) return;
  shows = content.shows;
  begin(opened);
  told(shows ? `Loaded as a counterexample to ${shows}; Verify checks it again` : "Loaded from the link");
}
async function openFragment() {
  const fragment = location.hash.slice(1);
  if (fragment) {
    try {
      const content = await decode(fragment);
      served?.leave();
      await openLink(content);
      return;
    } catch (error) {
      notice(`The link cannot be opened: ${error.message}`);
    }
  }
  const shown = $("notice").firstElementChild.textContent;
  await choose(FIRST);
  if (shown) notice(shown);
}

/** Open the file that `synod serve` shows; with the options and the run of the fragment, if they belong to its text. */
async function openServed(path) {
  served = createServed(path, {
    text: () => editor.text, replace: (text) => editor.replace(text), open: (text) => edit(text, served.name).catch(failed), told, notice,
  });
  const link = await decode(location.hash.slice(1)).catch(() => null);
  let text;
  try {
    text = await served.load(link);
  } catch (error) {
    served = null;
    await choose(FIRST);
    notice(error.message);
    return;
  }
  await (text === link?.text ? openLink({ ...link, name: served.name }) : edit(text, served.name)).catch(failed);
  served.start();
}

// ---- Keys -------------------------------------------------------------------------------------------------

const SHORTCUTS = [
  ["→", "ArrowRight", "one event forward", () => session.step()],
  ["←", "ArrowLeft", "one event back", () => session.back()],
  ["Home", "Home", "to the beginning", () => session.goTo(0)],
  ["End", "End", "to the end of the recorded run", () => session.toEnd()],
  ["1 … 9", null, "choose an enabled step", null],
  ["r", "r", "run to the end", () => session.runOn()],
  ["n", "n", "start a new run", () => start()],
  ["f", "f", "begin a new branch here", () => session.fork()],
  ["v", "v", "verify", () => verify()],
  ["m", "m", "measure", () => measure()],
  ["s", "s", "stop", () => stop()],
  ["w", "w", "ask why", () => { chooseTab("view-ask"); $("why-what").focus(); }],
  ["x", "x", "evaluate an expression", () => { chooseTab("view-ask"); $("expression").focus(); }],
  ["e", "e", "edit the program", () => { chooseArea("program"); editor.focus(); }],
  ["/", "/", "choose an algorithm", () => openLibrary()],
  ["l", "l", "copy a link", () => copyLink()],
  ["+ −", "+", "zoom the diagram", () => scene.zoom(1.4)],
  [null, "-", "", () => scene.zoom(1 / 1.4)],
  ["0", "0", "show the whole run", () => scene.fit()],
  ["Escape", "Escape", "clear the selection", () => scene.deselect()],
  ["?", "?", "show the shortcuts", () => $("help").showModal()],
];
function keys(event) {
  const typing = event.target.closest("input:not([type=range]):not([type=checkbox]), select, textarea, .cm-editor, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const known = SHORTCUTS.find(([, key]) => key === event.key);
  if (/^[1-9]$/.test(event.key) ? steps.choose(Number(event.key)) : (known?.[3](), known)) event.preventDefault();
}
function verify() {
  chooseArea("inspect");
  chooseTab("view-verify");
  return verification.verify();
}
function measure() {
  chooseArea("inspect");
  chooseTab("view-measure");
  return measurement.measure();
}

// ---- Start ------------------------------------------------------------------------------------------------

function listen() {
  const on = (id, what, react) => $(id).addEventListener(what, react);
  on("library-open", "click", () => openLibrary());
  on("link", "click", copyLink);
  on("help-open", "click", () => $("help").showModal());
  on("light", "click", () => { document.documentElement.classList.toggle("dark"); scene.relight(); });
  on("format", "click", () => editor.format());
  on("restart", "click", start);
  on("first", "click", () => session.goTo(0));
  on("back", "click", () => session.back());
  on("step", "click", () => session.step());
  on("last", "click", () => session.toEnd());
  on("run-on", "click", () => session.runOn());
  on("stop", "click", stop);
  on("fork", "click", () => session.fork());
  on("slider", "input", () => session.goTo(Number($("slider").value)));
  on("branch", "change", () => session.switchTo($("branch").value));
  on("verify-options", "submit", (event) => { event.preventDefault(); verify(); });
  on("measure-options", "submit", (event) => { event.preventDefault(); measure(); });
  $("notice").lastElementChild.addEventListener("click", () => notice(""));
  // A click on a value of the table asks why.
  on("processes", "click", (event) => {
    const cell = event.target.closest("td");
    if (!cell || !scene.run) return;
    const { data, name: nameOf } = scene.run, before = data.anonymous ? 1 : 2, variable = data.variables[cell.cellIndex - before];
    const row = cell.parentElement.sectionRowIndex;
    if (variable === undefined || scene.run.processes > 200) return;
    $("why-what").value = `${nameOf(row)}.${variable}`;
    chooseTab("view-ask");
    questions.why($("why-what").value);
  });
  document.addEventListener("keydown", keys);
  // A click elsewhere, or Escape, closes a menu.
  for (const menu of document.querySelectorAll("#save, #more-options")) {
    document.addEventListener("pointerdown", (event) => { if (!menu.contains(event.target)) menu.open = false; });
    menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; menu.firstElementChild.focus(); } });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => { document.documentElement.classList.toggle("dark", event.matches); scene.relight(); });
  window.addEventListener("hashchange", () => openFragment().catch(failed));
  $("shortcuts").replaceChildren(...SHORTCUTS.filter(([shown]) => shown).flatMap(([shown, , what]) => [html("dt", {}, html("kbd", {}, shown)), html("dd", {}, what)]));
}

async function begins() {
  document.documentElement.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
  const module = await compiled();
  const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  texts = new Engine(module, url);
  runs = new Engine(module, url);
  searches = new Engine(module, url, { busy });
  const about = await texts.ask("about");
  session = new Session(runs, { data: showData, moved: showMoved, failed, told, busy, progress: ({ at }) => told(`${at} events …`) });
  scene = createScene((position) => session.goTo(position));
  options = createOptions(about, { submit: start, changed: stale });
  editor = createEditor($("editor"), (request, fields) => texts.ask(request, fields), {
    nonce: NONCE, changed: () => { stale(); served?.changed(); link(); }, checked: showProblems, run: start, failed,
    async explain(code) {
      const { title, markdown: text } = await texts.ask("explain", { code });
      $("explain-text").replaceChildren(html("h2", {}, `${code}: ${title}`), ...markdown(text));
      $("explain").showModal();
    },
  });
  steps = createSteps({
    fire: (index, isRecorded) => session.fire(index, isRecorded),
    peek(event) {
      if (session.asked?.text === editor.text) editor.peek(event?.place ?? null);
      scene.mark(event ? [event.process, ...(event.with ? [event.with.process] : [])] : []);
    },
  });
  questions = createQuestions(session, { goTo: (position) => session.goTo(position), showPlace: (place) => { if (place.file === 0) { chooseArea("program"); editor.goTo(place); } }, failed });
  verification = createVerification(searches, { subject: instance, load: loadCounterexample, told, failed });
  measurement = createMeasurement(searches, { subject: family, told, failed });
  createFiles($("save"), session, { program: () => ({ text: editor.text, name }), told });
  openLibrary = createLibrary((show) => library(module, url, show), (file) => choose(file).catch(failed), async (text) => {
    served?.leave();
    if (!(await edit(text, "mine.syn").catch(failed))) return;
    told("A skeleton that runs: replace its parts by your own");
    chooseArea("program");
    editor.focus();
  });
  chooseTab = createTabs($("tabs"), (id, all) => { for (const one of all) $(one).hidden = one !== id; });
  chooseArea = createTabs($("areas"), (id) => { document.querySelector("main").dataset.area = id; });
  listen();
  const file = servedFile();
  await (file ? openServed(file) : openFragment());
  // What is likely to be asked for next.
  openLibrary.prepare();
}

begins().catch((error) => {
  told("");
  notice(`The page cannot start: ${error.message}`);
});

// For scripts and the browser's console.
window.synod = {
  get position() { return session.position; },
  get text() { return editor.text; },
  set text(text) { editor.text = text; },
  ask: (request, fields) => runs.ask(request, fields),
  where: (e) => scene.where(e),
};
