// The pictures and tables of the recorded run, from the modules that the page of `synod draw` uses.

import { createDetails } from "../../../src/render/html/details.js";
import { createDiagram } from "../../../src/render/html/diagram.js";
import { legend } from "../../../src/render/html/legend.js";
import { createNetwork } from "../../../src/render/html/network.js";
import { createRun } from "../../../src/render/html/run.js";
import { createView, readColours } from "../../../src/render/html/view.js";

const $ = (id) => document.getElementById(id);

/** Return the scene. `goTo` goes to a position. */
export function createScene(goTo) {
  const tools = Object.assign($("net-tools"), { in: $("net-in"), out: $("net-out"), fit: $("net-fit") });
  let shown = null;

  function select(e) {
    shown.view.select(e);
    shown.details.showEvent(goTo);
    shown.diagram.draw();
  }
  /** Show another recorded run, at the same place of the diagram if it continues the one before. */
  function load(data, continues) {
    shown?.listening.abort();
    const listening = new AbortController();
    const run = createRun(data), view = Object.assign(createView(run), { nothing: "→ takes the first step" });
    const before = shown?.view;
    if (continues && before) Object.assign(view, { scale: before.scale, left: before.left, top: before.top });
    // Who has zoomed keeps the scale; otherwise it follows the length of the run.
    const keepsScale = continues && before && before.scale !== shown.scale;
    const diagram = createDiagram({ canvas: $("timeline"), pane: $("pane"), sampled: $("sampled"), tip: $("tip") }, run, view);
    const network = createNetwork({ picture: $("network"), tools, caption: $("labels") }, run, view);
    const details = createDetails({ processes: $("processes"), channels: $("channels"), event: $("event") }, run, view);
    diagram.measure();
    const scale = Math.max(diagram.smallest(), 46);
    if (!keepsScale) view.scale = scale;
    shown = { run, view, diagram, network, details, listening, scale };
    diagram.listen({ select, go: goTo }, listening.signal);
    network.listen(listening.signal);
    $("tip").hidden = true;
    showLegend();
  }
  const showLegend = () => $("legend").replaceChildren(...legend(shown.run, shown.view));
  function show(position) {
    if (!shown) return;
    const { view, network, diagram, details } = shown;
    view.position = Math.min(position, shown.run.count);
    network.follow();
    network.show();
    details.showChannels();
    details.showProcesses();
    details.showEvent(goTo);
    diagram.follow();
    diagram.draw();
  }
  return {
    load, show,
    get run() { return shown?.run ?? null; },
    get view() { return shown?.view ?? null; },
    zoom: (factor) => shown?.diagram.zoom(factor),
    fit: () => shown?.diagram.fit(),
    mark: (processes) => shown?.network.mark(processes),
    deselect: () => { if (shown && shown.view.selected >= 0) select(-1); },
    /** Return the position of an event in the window. */
    where: (e) => shown.diagram.where(e),
    /** Read the colours again, after a change between dark and light. */
    relight() {
      if (!shown) return;
      shown.view.ink = readColours(shown.run);
      showLegend();
      show(shown.view.position);
    },
  };
}
