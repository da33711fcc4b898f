// The page of one run. Everything shown is computed from its data and the position, that is, the number of events so far.
// Nothing is loaded from elsewhere.

import { createCuts } from "./cut.js";
import { createDetails } from "./details.js";
import { createDiagram } from "./diagram.js";
import { html, plural } from "./elements.js";
import { legend } from "./legend.js";
import { createNetwork } from "./network.js";
import { above, createRun } from "./run.js";
import { createView, readColours } from "./view.js";

const $ = (id) => document.getElementById(id);
const run = createRun(JSON.parse($("data").textContent));
const { data, events, messages, processes, count, own, seen, name, changes, sentBy, endedBy } = run;
document.documentElement.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
const view = createView(run);
const cuts = createCuts(run);
const diagram = createDiagram({ canvas: $("timeline"), pane: $("pane"), sampled: $("sampled"), tip: $("tip") }, run, view);
const details = createDetails({ processes: $("processes"), channels: $("channels"), event: $("event") }, run, view);
const tools = Object.assign($("net-tools"), { in: $("net-in"), out: $("net-out"), fit: $("net-fit") });
const network = createNetwork({ picture: $("network"), tools, caption: $("labels") }, run, view);

// ---- Happened before, and cuts ----------------------------------------------------------------------------

function select(e) {
  view.select(e);
  $("unselect").hidden = e < 0;
  details.showEvent(goTo);
  diagram.draw();
}
function setCut(cut) {
  if (cut && data.no_cuts) { $("verdict").className = ""; $("verdict").textContent = `There are no cuts: ${data.no_cuts}.`; return; }
  view.cut = cut;
  $("cut-mend").hidden = $("cut-clear").hidden = !cut;
  judgeCut();
  details.showProcesses(changedCut);
  diagram.draw();
}
function judgeCut() {
  const verdict = view.verdict = view.cut && cuts.judge(view.cut);
  $("verdict").className = !verdict ? "" : verdict.consistent ? "good" : "bad";
  $("verdict").textContent = verdict ? verdict.text : "";
  if (verdict) $("cut-mend").disabled = verdict.consistent;
}
function changedCut() { judgeCut(); diagram.draw(); }
const mend = () => setCut(cuts.greatestWithin(view.cut));

// ---- The position -----------------------------------------------------------------------------------------

function goTo(position, follow = true) {
  view.position = Math.max(0, Math.min(count, position));
  $("slider").value = String(view.position);
  $("slider").setAttribute("aria-valuetext", `${view.position} of ${count} events`);
  $("position").textContent = `${view.position} of ${plural(count, "event")}`;
  $("back").disabled = $("first").disabled = view.position === 0;
  $("step").disabled = $("last").disabled = view.position === count;
  if (follow) network.follow();
  network.show();
  details.showChannels();
  details.showProcesses(changedCut);
  details.showEvent(goTo);
  if (follow) diagram.follow();
  try { history.replaceState(null, "", `#${view.position}`); } catch { /* not allowed in every context */ }
  diagram.draw();
}
function play(on) {
  clearInterval(view.playing);
  view.playing = 0;
  if (on && view.position === count) goTo(0);
  if (on) view.playing = setInterval(() => { if (view.position >= count) play(false); else goTo(view.position + 1); }, Number($("speed").value));
  $("play").textContent = view.playing ? "❚❚" : "▶";
  $("play").setAttribute("aria-pressed", String(Boolean(view.playing)));
  $("play").setAttribute("aria-label", view.playing ? "Stop" : "Play");
}

// ---- Search ---------------------------------------------------------------------------------------------

function search(query) {
  const q = query.trim().toLowerCase();
  view.found = [];
  if (q) {
    const has = (text) => text.toLowerCase().includes(q);
    const among = (list) => list.map(has);
    const [actions, texts, variables, values, names] = [among(data.actions), among(data.texts), among(data.variables), among(data.values), data.ids.map((_, p) => name(p).toLowerCase() === q)];
    const about = (m) => texts[messages.text[m]] || (messages.id[m] >= 0 && `m${messages.id[m]}` === q);
    const pair = q.split("=").map((t) => t.trim());
    for (let e = 0; e < count; e++) {
      const hit = actions[events.action[e]] || names[events.process[e]] || sentBy(e).some(about) || endedBy(e).some(about)
        || changes(e).some(([, v, w]) => pair.length === 2
          ? data.variables[v].toLowerCase() === pair[0] && data.values[w].toLowerCase().startsWith(pair[1])
          : variables[v] || values[w])
        || (seen.has(e) && has(seen.get(e)));
      if (hit) view.found.push(e);
    }
  }
  view.foundSet = new Set(view.found);
  $("found").textContent = q ? (view.found.length ? plural(view.found.length, "event") : "nothing") : "";
  diagram.draw();
}
function jump(direction) {
  if (!view.found.length) return;
  const here = view.position - 1;
  let i = direction > 0 ? above(view.found, here) : above(view.found, here - 1) - 1;
  i = (i + view.found.length) % view.found.length;
  goTo(view.found[i] + 1);
  $("found").textContent = `${i + 1} of ${view.found.length}`;
}

// ---- Filters --------------------------------------------------------------------------------------------

function chooseProcesses(text) {
  const one = (word) => {
    let p = data.ids.findIndex((_, i) => name(i) === word);
    if (p < 0 && /^p\d+$/.test(word) && Number(word.slice(1)) < processes) p = Number(word.slice(1));
    if (p < 0 && /^-?\d+$/.test(word)) p = data.ids.indexOf(Number(word));
    return p;
  };
  const chosen = new Set();
  let wrong = "";
  for (const word of text.split(",").map((w) => w.trim()).filter(Boolean)) {
    const [first, last] = word.split("..").map((w) => one(w.trim()));
    if (first < 0 || last < 0) { wrong = `there is no process ${word}`; continue; }
    for (let p = first; p <= (last ?? first); p++) chosen.add(p);
  }
  $("only-wrong").textContent = wrong;
  view.setRows(chosen.size ? [...chosen] : data.ids.map((_, p) => p));
  changedFilters();
}
function changedFilters() {
  $("filters").classList.toggle("active", view.rows.length < processes || view.kinds.includes(false));
  diagram.measure(); diagram.clamp();
  goTo(view.position, false);
}
function buildFilters() {
  data.kinds.forEach((kind, k) => {
    const box = html("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", () => { view.kinds[k] = box.checked; changedFilters(); });
    $("kinds").append(html("label", {}, box, ` ${kind}`));
  });
  if (!data.kinds.length) $("kinds").append(html("span", { class: "none" }, "no messages"));
}
const showLegend = () => $("legend").replaceChildren(...legend(run, view));

// ---- Input ----------------------------------------------------------------------------------------------

function listen() {
  const on = (id, what, f) => $(id).addEventListener(what, f);
  on("first", "click", () => goTo(0));
  on("back", "click", () => goTo(view.position - 1));
  on("step", "click", () => goTo(view.position + 1));
  on("last", "click", () => goTo(count));
  on("play", "click", () => play(!view.playing));
  on("speed", "change", () => { if (view.playing) play(true); });
  on("slider", "input", () => goTo(Number($("slider").value)));
  on("in", "click", () => diagram.zoom(1.4));
  on("out", "click", () => diagram.zoom(1 / 1.4));
  on("fit", "click", diagram.fit);
  on("cut-here", "click", () => setCut(cuts.at(view.position)));
  on("cut-clear", "click", () => setCut(null));
  on("cut-mend", "click", mend);
  on("unselect", "click", () => select(-1));
  on("query", "input", () => search($("query").value));
  on("search", "submit", (e) => { e.preventDefault(); jump(1); });
  on("query", "keydown", (e) => { if (e.key === "Enter" && e.shiftKey) { e.preventDefault(); jump(-1); } });
  on("found-before", "click", () => jump(-1));
  on("only", "input", () => chooseProcesses($("only").value));
  on("light", "click", () => { document.documentElement.classList.toggle("dark"); relight(); });
  document.addEventListener("keydown", keys);
  diagram.listen({
    select,
    go: (position) => goTo(position, false),
    cut: (p, k) => { const cut = view.cut ?? cuts.at(view.position); cut[p] = k; setCut(cut); },
  });
  network.listen();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (e) => { document.documentElement.classList.toggle("dark", e.matches); relight(); });
}
function keys(e) {
  const typing = e.target.closest("input:not([type=range]):not([type=checkbox]), select, textarea");
  if (e.key === "Escape") { if (view.selected >= 0) select(-1); $("filters").open = false; return; }
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  const press = {
    " ": () => play(!view.playing),
    ArrowRight: () => goTo(view.position + 1),
    ArrowLeft: () => goTo(view.position - 1),
    PageDown: () => goTo(view.position + 10),
    PageUp: () => goTo(view.position - 10),
    Home: () => goTo(0),
    End: () => goTo(count),
    "+": () => diagram.zoom(1.4), "=": () => diagram.zoom(1.4), "-": () => diagram.zoom(1 / 1.4), 0: diagram.fit,
    c: () => setCut(cuts.at(view.position)),
    "/": () => $("query").focus(),
  }[e.key];
  // The space bar presses the focused button itself.
  if (!press || (e.key === " " && e.target.closest("button, summary, input"))) return;
  e.preventDefault();
  press();
}
function relight() { view.ink = readColours(run); showLegend(); goTo(view.position, false); }

// ---- Start ----------------------------------------------------------------------------------------------

$("heading").textContent = `${data.algorithm} on ${data.network}`;
$("about").textContent = `${plural(count, "event")} · ${plural(run.sentInAll, "message")} · schedule ${data.schedule}, seed ${data.seed} · ${data.repeats_from !== null ? `repeats from event ${data.repeats_from}` : ["limit", "settled"].includes(data.end) ? "stopped before its end" : data.end}${data.verdict ? ` · ${data.verdict}` : ""}`;
$("slider").max = String(count);
buildFilters();
showLegend();
diagram.measure();
// Short runs are shown as a whole, long ones from the beginning.
view.scale = Math.max(diagram.smallest(), 46);
listen();
const asked = Number(location.hash.slice(1));
goTo(Number.isInteger(asked) ? asked : 0);

// For scripts and the browser's console.
window.synod = {
  data,
  go: goTo,
  position: () => view.position,
  where: diagram.where,
  select, mend,
  cut: (counts) => setCut(counts && Uint32Array.from(counts)),
  counts: () => view.cut && [...view.cut],
  lengths: own.map((list) => list.length),
  verdict: () => view.verdict,
};
