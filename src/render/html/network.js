// The picture of the network at one position: processes with their states, and messages in transit.

import { svg } from "./elements.js";
import { AROUND, Room, beside, linesOf } from "./labels.js";

/** The maximum number of labels: more are unreadable. */
const MOST_LABELS = 60;

/** Return the picture of the network of a run, in an SVG element. `tools` is the element of the buttons `tools.in`, `out` and `fit`. */
export function createNetwork({ picture, tools, caption }, run, view) {
  const { data, processes, histories, width, name, value, textOf, narrationOf } = run;
  const plane = data.stage;
  for (const element of [picture, tools]) element.toggleAttribute("hidden", !plane);
  if (!plane) {
    caption.textContent = `The network is not drawn: ${processes} processes are too many.`;
    return { show() {}, follow() {}, listen() {}, mark() {} };
  }
  const vertices = [], ways = new Map();
  const beginnings = plane.edges.map(([path]) => (/^M\s*([-\d.]+)[ ,]?([-\d.]+)/.exec(path) ?? [0, 0, 0]).slice(1).map(Number));
  const flows = svg("g"), flowLabels = svg("g"), halos = svg("g");
  // The elements drawn for each channel, so that only changes are redrawn.
  const flowOf = new Map();
  function build() {
    const r = plane.radius;
    const xs = plane.places.map((p) => p[0]), ys = plane.places.map((p) => p[1]);
    const low = [Math.min(...xs), Math.min(...ys)], most = [Math.max(...xs), Math.max(...ys)];
    // The maximum width of a label of a vertex.
    const longest = data.shown.map((v) => {
      const own = [...histories].filter(([key]) => key % width === v).flatMap(([, h]) => h.value);
      return own.reduce((most, w) => Math.max(most, Math.min(12, data.values[w].length)), 0) + 2;
    }).reduce((a, b) => a + b, 0);
    const few = processes <= MOST_LABELS;
    const [mx, my] = few ? [Math.max(60, r + 14 + 6.3 * longest), 58] : [30, 30];
    Object.assign(net.whole, { x: low[0] - mx, y: low[1] - my, w: most[0] - low[0] + 2 * mx, h: most[1] - low[1] + 2 * my });
    Object.assign(net.view, net.whole);
    // Small networks are not enlarged.
    picture.style.maxHeight = `min(46vh, ${Math.round(net.whole.h * 1.2)}px)`;
    for (const [from, to, path, numbers] of plane.ways) if (!ways.has(`${from},${to}`)) ways.set(`${from},${to}`, { path, numbers });
    const edges = svg("g");
    for (const [path, way] of plane.edges) {
      edges.append(svg("path", { class: "edge", d: path }));
      if (way !== null) edges.append(head(plane.ways[way][3], "head"));
    }
    const top = svg("g");
    plane.places.forEach(([cx, cy, rx, ry], p) => {
      const circle = svg("circle", { class: "vertex", cx, cy, r });
      const inner = svg("text", { class: "inside", x: cx, y: cy + 4.2 }, r >= 9 ? (data.anonymous ? name(p) : String(data.ids[p])) : "");
      const d = r * 0.7;
      const ring = svg("circle", { class: "ring", cx, cy, r: r + 3.2 });
      const g = svg("g", {}, circle, inner, ring, svg("path", { class: "struck", d: `M${cx - d} ${cy - d}l${2 * d} ${2 * d}m0 ${-2 * d}l${-2 * d} ${2 * d}` }));
      const title = svg("title");
      g.append(title);
      g.addEventListener("pointerenter", () => { title.textContent = narrationOf(p, view.position); });
      vertices.push({ g, circle, ring, place: [cx, cy, rx, ry], look: "", fill: "" });
      top.append(g);
    });
    picture.replaceChildren(edges, flows, halos, top, flowLabels);
    const told = [...data.beside];
    const filled = data.states.filter((_, i) => data.filled[i]);
    if (filled.length) told.push(`filled: ${filled.join(", ")}`);
    told.push("at the arrows: messages in transit, in the order of sending");
    if (!few) told.push("zoom in for labels: +, or Ctrl and the wheel; drag to move");
    caption.textContent = told.join(" · ");
  }

  // The visible part.
  const net = { whole: { x: 0, y: 0, w: 1, h: 1 }, view: { x: 0, y: 0, w: 1, h: 1 } };
  /** Return the scale: screen pixels per unit of the plane. */
  function netScale() {
    const box = picture.getBoundingClientRect();
    return Math.min(box.width / net.view.w, box.height / net.view.h) || 1;
  }
  /** The typical distance of neighbours, estimated from a sample of processes. */
  function spacing() {
    if (spacing.known) return spacing.known;
    const places = plane.places, every = Math.ceil(places.length / 40);
    const nearest = places.filter((_, p) => p % every === 0).map(([x, y]) => places.reduce((d, [x1, y1]) => { const l = Math.hypot(x1 - x, y1 - y); return l > 0 && l < d ? l : d; }, Infinity));
    const usual = nearest.sort((a, b) => a - b)[nearest.length >> 1];
    return spacing.known = Number.isFinite(usual) ? usual : 60;
  }
  /** Keep the size of labels on the screen. */
  const labelScale = () => Math.min(1, 1.2 / netScale());
  const zoomed = () => net.view.w < net.whole.w * 0.999;
  function lookAt(part) {
    const { whole } = net;
    // Show at most the whole network, and at least a process with its neighbours.
    const w = Math.max(Math.min(whole.w, 3.5 * spacing()), Math.min(whole.w, part.w)), h = w * whole.h / whole.w;
    const within = (at, size, low, all) => Math.max(low, Math.min(low + all - size, at));
    net.view = { x: within(part.x, w, whole.x, whole.w), y: within(part.y, h, whole.y, whole.h), w, h };
    const { x, y } = net.view;
    picture.setAttribute("viewBox", [x, y, w, h].map((v) => v.toFixed(1)).join(" "));
    sizes();
    picture.classList.toggle("zoomed", zoomed());
    tools.out.disabled = tools.fit.disabled = !zoomed();
  }
  /** Keep vertices visible at any scale. */
  function sizes() {
    const r = Math.max(plane.radius, 2.6 / netScale());
    if (Math.abs(r - sizes.last) < 1e-6) return;
    sizes.last = r;
    for (const v of vertices) { v.circle.setAttribute("r", r.toFixed(2)); v.ring.setAttribute("r", (r * 1.1 + Math.max(1.6, 3.2 * Math.min(1, 9 / r))).toFixed(2)); }
  }
  sizes.last = 0;
  function zoom(factor, cx, cy) {
    const { x, y, w, h } = net.view, size = w / factor;
    const [atX, atY] = cx === undefined ? focus() : [cx, cy];
    lookAt({ x: atX - (atX - x) * size / w, y: atY - (atY - y) * size / w, w: size, h: h * size / w });
    show();
  }
  /** Zoom by buttons, centred on the process of the event if it is visible. */
  function focus() {
    const { x, y, w, h } = net.view, [p] = run.actingAt(view.position);
    const [px, py] = p === undefined ? [] : vertices[p].place;
    return p !== undefined && inView(px, py) ? [px, py] : [x + w / 2, y + h / 2];
  }
  const inView = (px, py, edge = 0) => {
    const { x, y, w, h } = net.view;
    return px >= x + edge * w && px <= x + (1 - edge) * w && py >= y + edge * h && py <= y + (1 - edge) * h;
  };
  /** Scroll the acting process into view. */
  function follow() {
    const acting = run.actingAt(view.position);
    if (!zoomed() || acting.length === 0) return;
    const [px, py] = vertices[acting[0]].place, { w, h } = net.view;
    if (!inView(px, py, 0.12)) lookAt({ x: px - w / 2, y: py - h / 2, w, h });
  }
  function listen(signal) {
    const on = (element, what, react, options = {}) => element.addEventListener(what, react, { ...options, signal });
    const place = (e) => {
      const box = picture.getBoundingClientRect(), s = netScale(), { x, y, w, h } = net.view;
      return [x + w / 2 + (e.clientX - box.left - box.width / 2) / s, y + h / 2 + (e.clientY - box.top - box.height / 2) / s];
    };
    on(tools.in, "click", () => zoom(1.6));
    on(tools.out, "click", () => zoom(1 / 1.6));
    on(tools.fit, "click", () => { lookAt(net.whole); show(); });
    on(picture, "wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      zoom(Math.exp(-e.deltaY * (e.deltaMode === 1 ? 18 : 1) * 0.004), ...place(e));
    }, { passive: false });
    let drag = null;
    on(picture, "pointerdown", (e) => { if (zoomed()) drag = { at: [e.clientX, e.clientY], view: net.view }; });
    on(picture, "pointermove", (e) => {
      if (!drag || !e.buttons) { drag = null; return; }
      const s = netScale(), { x, y, w, h } = drag.view;
      lookAt({ x: x - (e.clientX - drag.at[0]) / s, y: y - (e.clientY - drag.at[1]) / s, w, h });
      show();
    });
    on(picture, "pointerup", () => { drag = null; });
    const resized = new ResizeObserver(sizes);
    resized.observe(picture);
    signal?.addEventListener("abort", () => resized.disconnect());
  }

  function head([tx, ty, ux, uy], cssClass) {
    const long = Math.min(8.5, 0.22 * spacing()), half = 0.4 * long;
    return svg("path", { class: cssClass, d: `M${tx} ${ty}L${tx - ux * long - uy * half} ${ty - uy * long + ux * half}L${tx - ux * long + uy * half} ${ty - uy * long - ux * half}Z` });
  }
  /** Return the channel between processes without an edge, which reach each other by address. */
  function straight(from, to) {
    const [x0, y0] = plane.places[from], [x1, y1] = plane.places[to], r = plane.radius;
    if (from === to) {
      return { path: `M${x0 + r * 0.5} ${y0 - r}C${x0 + r * 1.9} ${y0 - r * 2.9} ${x0 - r * 1.9} ${y0 - r * 2.9} ${x0 - r * 0.45} ${y0 - r}`, numbers: [x0 - r * 0.45, y0 - r, 0.6, 0.8, x0, y0 - r * 2.55, 0, -1] };
    }
    const l = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / l, uy = (y1 - y0) / l, [sx, sy] = [-uy, ux];
    const start = [x0 + ux * (r + 1.5) + sx * 4, y0 + uy * (r + 1.5) + sy * 4], tip = [x1 - ux * (r + 3) + sx * 4, y1 - uy * (r + 3) + sy * 4];
    return { path: `M${start}L${tip}`, numbers: [...tip, ux, uy, (x0 + x1) / 2 + sx * 9, (y0 + y1) / 2 + sy * 9, sx, sy] };
  }
  const bare = (text) => (text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : text);

  // The processes with a label: those in view, if they are not too many.
  let labelled = new Set();
  function showProcesses() {
    const at = view.position, changed = run.changedAt(at), acting = run.actingAt(at);
    const seen = data.ids.map((_, p) => p).filter((p) => inView(vertices[p].place[0], vertices[p].place[1]));
    labelled = new Set(seen.length <= MOST_LABELS ? seen : []);
    const f = labelScale(), room = labelled.size ? freeSpace(f) : null;
    picture.style.setProperty("--label", `${(11 * f).toFixed(2)}px`);
    picture.style.setProperty("--rim", `${(3.5 * f).toFixed(2)}px`);
    // The acting process chooses first.
    for (const p of [...acting, ...[...vertices.keys()].filter((p) => !acting.includes(p))]) dress(vertices[p], p);
    function dress(v, p) {
      const state = run.stateVar < 0 ? -1 : data.states.indexOf(value(p, run.stateVar, at) ?? "");
      const filled = state >= 0 && data.filled[state];
      const down = run.upVar >= 0 && value(p, run.upVar, at) === "false", halted = run.haltedVar >= 0 && value(p, run.haltedVar, at) === "true";
      const look = [acting.includes(p) && "acts", down && "down", halted && "halted", filled && "gives-way"].filter(Boolean).join(" ");
      const fill = filled ? "" : state >= 0 && data.states.length > 1 ? view.ink.states[state] : "";
      if (look !== v.look) {
        v.look = look;
        v.g.setAttribute("class", look);
        v.circle.setAttribute("class", filled ? "vertex filled" : "vertex");
      }
      if (fill !== v.fill) { v.fill = fill; v.circle.style.fill = fill; }
      if (!labelled.has(p)) {
        if (v.values) v.values.textContent = v.named.textContent = "";
        return;
      }
      if (!v.values) {
        v.values = svg("text", { class: "label values" });
        v.named = svg("text", { class: "label name" });
        v.g.append(v.named, v.values);
      }
      // Text that does not fit inside the vertex is placed beside it.
      const small = plane.radius < 9;
      v.named.textContent = data.anonymous ? (small ? name(p) : "") : small ? `${name(p)}, id ${data.ids[p]}` : name(p);
      const short = (t) => (t === "unset" ? "–" : t.length > 12 ? t.slice(0, 11) + "…" : t);
      const values = data.shown.map((i) => value(p, i, at)).filter((w) => w !== undefined).map(short);
      const text = values.length > 1 ? `(${values.join(", ")})` : values[0] ?? "";
      v.values.textContent = text;
      v.values.setAttribute("class", data.shown.some((i) => changed.has(p * width + i)) ? "label values changed" : "label values");
      const [cx, cy, rx, ry] = v.place, half = Math.max(text.length, v.named.textContent.length) * 3.2 * f, lines = v.named.textContent ? 2 : 1;
      const aside = (u) => Math.max(-1, Math.min(1, u / 0.38)), away = plane.radius + 5 * f, tall = 6.5 * f * lines;
      if (!half) return;
      const box = (ux, uy, away) => ({ x: cx + ux * away + aside(ux) * half, y: cy + uy * away + aside(uy) * tall, w: half, h: tall });
      const places = [box(rx, ry, away)];
      for (const out of [away, away * 1.6]) for (const [ux, uy] of AROUND) places.push(box(ux, uy, out));
      // In a small network every process has a label; in a large one, those with free space and the acting process.
      const found = room.take(places, processes <= MOST_LABELS || acting.includes(p));
      if (!found) { v.values.textContent = v.named.textContent = ""; return; }
      const { x: tx, y: ty } = found;
      for (const line of [v.named, v.values]) line.setAttribute("x", tx);
      v.named.setAttribute("y", ty - 3 * f);
      v.values.setAttribute("y", ty + (lines === 2 ? 10 : 4) * f);
    }
    // If vertices are small, the acting process is marked with a ring.
    const s = netScale();
    const ringed = plane.radius * s < 7 ? acting : [];
    halos.replaceChildren(...ringed.map((p) => svg("circle", { class: "halo", cx: vertices[p].place[0], cy: vertices[p].place[1], r: (8 / s).toFixed(2) })));
    return room;
  }

  /** Return the space that labels may use: vertices and the edges that begin in view are occupied. */
  function freeSpace(scale) {
    const r = plane.radius + 4 * scale, { x, y, w, h } = net.view;
    const boxes = [...labelled].map((p) => ({ x: vertices[p].place[0], y: vertices[p].place[1], w: r, h: r }));
    const lines = plane.edges.filter((_, i) => processes <= MOST_LABELS || inView(...beginnings[i])).flatMap(([path]) => linesOf(path));
    return new Room(scale, boxes, lines, [x, y, x + w, y + h]);
  }

  /** Draw the messages in transit, with labels where `room` has free space. */
  function showMessages(room) {
    const channels = view.channels(), labels = [];
    for (const [key, drawn] of flowOf) if (!channels.has(key)) { drawn.g.remove(); flowOf.delete(key); }
    for (const [key, list] of channels) {
      const [from, to] = key.split(",").map(Number);
      const way = ways.get(key) ?? straight(from, to), n = way.numbers, colour = view.ink.kind(list[0]);
      const all = list.map((m) => bare(textOf(m))).join("; ");
      let drawn = flowOf.get(key);
      if (!drawn) {
        drawn = { g: svg("g", {}, svg("path", { class: "flow", d: way.path }), head(n, "flowhead"), svg("title")), told: "" };
        flowOf.set(key, drawn);
        flows.append(drawn.g);
      }
      if (drawn.told !== colour + all) {
        drawn.told = colour + all;
        drawn.g.style.color = colour;
        drawn.g.lastChild.textContent = `in transit from ${name(from)} to ${name(to)}: ${all}`;
      }
      if (!labelled.has(from) || !labelled.has(to)) continue;
      // Truncated to the free space; the table of channels has the full contents.
      for (const most of [34, 14, 5]) {
        const text = all.length > most ? all.slice(0, most - 1) + "…" : all;
        const at = room.take(beside(way.path, n, text.length * 3 * room.scale, !channels.has(`${to},${from}`), room.scale), most === 5 && processes <= MOST_LABELS);
        if (!at) continue;
        const words = svg("text", { class: "label", x: at.x, y: at.y + 4 * room.scale }, text);
        words.style.fill = colour;
        words.append(svg("title", {}, `in transit from ${name(from)} to ${name(to)}: ${all}`));
        labels.push(words);
        break;
      }
    }
    flowLabels.replaceChildren(...labels);
  }
  /** Draw the position. */
  function show() { showMessages(showProcesses()); }

  build();
  lookAt(net.whole);
  /** Mark processes; none: remove the marks. */
  const mark = (marked) => vertices.forEach(({ g }, p) => g.toggleAttribute("data-marked", marked.includes(p)));
  return { show, follow, listen, mark };
}
