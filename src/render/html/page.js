// The page of one run. Everything shown is computed from `data` (see data.rs) and the position, that is, the number of events so
// far. Nothing is loaded from elsewhere.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const processes = data.ids.length;
  const { events, messages } = data;
  const count = events.process.length;
  const name = (p) => data.names[p] ?? `p${p}`;
  const plural = (k, word) => (k === 1 ? `1 ${word}` : `${k} ${word}s`);

  // ---- Data derived once ----------------------------------------------------------------------------------

  /** Return a function from an event to the messages whose entry in `ends` is that event, as slices of one array. */
  function byEvent(ends) {
    const start = new Uint32Array(count + 2);
    for (const e of ends) if (e >= 0) start[e + 2]++;
    for (let e = 0; e <= count; e++) start[e + 1] += start[e];
    const list = new Uint32Array(start[count + 1]);
    ends.forEach((e, m) => { if (e >= 0) list[start[e + 1]++] = m; });
    return (e) => list.subarray(start[e], start[e + 1]);
  }
  const sentBy = byEvent(messages.sent);
  const endedBy = byEvent(messages.ended);
  const lost = new Set(messages.lost);
  const lostWithSender = (m) => lost.has(m) && events.process[messages.ended[m]] !== messages.to[m];
  // The message whose arrival woke the process, by event.
  const arrivedIn = new Map(messages.arrived);
  const copyOf = new Map(messages.copies);
  const kindOf = (m) => (messages.id[m] < 0 ? -1 : data.text_kinds[messages.text[m]]);
  const textOf = (m) => data.texts[messages.text[m]];
  const label = (m) => (messages.id[m] < 0 ? "note" : `m${messages.id[m]} ${textOf(m)}`);

  const partner = new Map();
  for (let i = 0; i < events.with.length; i += 2) partner.set(events.with[i], events.with[i + 1]);
  const seen = new Map(events.seen);
  /** The event that violates a property, and its words; null: none. */
  const violation = data.violation ?? null;

  // A start that sends nothing sets the initial state: it is inside every cut and not counted. An event with a run-time error is
  // undone, and inside no cut.
  const silent = new Set(data.initial_events);
  const startOf = new Int32Array(processes).fill(-1);
  for (const e of silent) startOf[events.process[e]] = e;
  // The history of each process, and the number of each event in it, from 1. An interaction is an event of both processes.
  const own = Array.from({ length: processes }, () => []);
  const nth = new Uint32Array(count), nthThere = new Uint32Array(count);
  // Direct causes: the previous event of the process, and of the responder of an interaction.
  const before = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)];
  {
    const last = new Int32Array(processes).fill(-1);
    for (let e = 0; e < count; e++) {
      const p = events.process[e], q = partner.get(e);
      if (!silent.has(e) && e !== data.undone) {
        nth[e] = own[p].push(e);
        if (q !== undefined && q !== p) nthThere[e] = own[q].push(e);
      }
      before[0][e] = last[p];
      last[p] = e;
      if (q !== undefined) { before[1][e] = last[q] === e ? -1 : last[q]; last[q] = e; }
    }
  }
  // The event that a message causally depends on: for a copy, the sending of the original.
  const byId = new Map();
  messages.id.forEach((id, m) => { if (id >= 0 && !copyOf.has(m)) byId.set(id, m); });
  const copied = new Map([...copyOf].map(([m, original]) => [messages.id[m], original]));
  const teller = (m) => {
    let id = messages.id[m];
    while (copied.has(id)) id = copied.get(id);
    return messages.sent[byId.get(id) ?? m];
  };
  function* causes(e) {
    if (before[0][e] >= 0) yield before[0][e];
    if (before[1][e] >= 0) yield before[1][e];
    for (const m of endedBy(e)) if (!lost.has(m) && teller(m) >= 0) yield teller(m);
    if (arrivedIn.has(e) && teller(arrivedIn.get(e)) >= 0) yield teller(arrivedIn.get(e));
  }

  // The changes of each event, and the values of each variable over time.
  const width = Math.max(1, data.variables.length);
  const changesFrom = new Uint32Array(count + 1);
  const histories = new Map();
  const remember = (p, variable, position, value) => {
    const key = p * width + variable;
    const known = histories.get(key);
    if (known) { known.at.push(position); known.value.push(value); } else histories.set(key, { at: [position], value: [value] });
  };
  data.initial.forEach((list, p) => { for (let i = 0; i < list.length; i += 2) remember(p, list[i], 0, list[i + 1]); });
  {
    let i = 0;
    for (let e = 0; e < count; e++) {
      changesFrom[e] = i;
      for (; i < events.changes.length && events.changes[i] === e; i += 4) {
        remember(events.changes[i + 1], events.changes[i + 2], e + 1, events.changes[i + 3]);
      }
    }
    changesFrom[count] = i;
  }
  function changes(e) {
    const list = [];
    for (let i = changesFrom[e]; i < changesFrom[e + 1]; i += 4) list.push(events.changes.slice(i + 1, i + 4));
    return list;
  }

  /** Return the first index whose entry is greater than `number`. */
  function above(list, number, length = list.length) {
    let low = 0, high = length;
    while (low < high) { const mid = (low + high) >> 1; if (list[mid] > number) high = mid; else low = mid + 1; }
    return low;
  }
  function value(p, variable, position) {
    const history = histories.get(p * width + variable);
    if (!history) return undefined;
    const i = above(history.at, position) - 1;
    return i < 0 ? undefined : data.values[history.value[i]];
  }
  const place = (text) => data.variables.indexOf(text);
  const [stateVar, haltedVar, upVar] = ["state", "halted", "up"].map(place);

  // The messages in transit, stored at intervals, so that any position is computed from a few hundred events.
  const EVERY = 512;
  const remembered = [];
  {
    const now = new Set();
    messages.sent.forEach((e, m) => { if (e < 0) now.add(m); });
    for (let e = 0; e < count; e++) {
      if (e % EVERY === 0) remembered.push([...now]);
      advance(now, e);
    }
    if (count === 0) remembered.push([...now]);
  }
  function advance(now, e) {
    for (const m of sentBy(e)) now.add(m);
    for (const m of endedBy(e)) now.delete(m);
  }
  function underWay(position) {
    const i = Math.min(Math.floor(position / EVERY), remembered.length - 1);
    const now = new Set(remembered[i]);
    for (let e = i * EVERY; e < position; e++) advance(now, e);
    return now;
  }

  // ---- State of the view ----------------------------------------------------------------------------------

  const view = {
    position: 0,
    selected: -1,
    relation: null, // to the selected event: 1 past, 2 future, for each event
    cut: null,
    verdict: null,
    rows: Array.from({ length: processes }, (_, p) => p),
    kinds: data.kinds.map(() => true),
    found: [],
    foundSet: new Set(),
    hover: -1,
    scale: 60, // pixels a column
    left: 0, // column at the left edge
    top: 0, // pixels scrolled down
    playing: 0,
  };
  let rowOf = new Map();
  const setRows = (rows) => { view.rows = rows; rowOf = new Map(rows.map((p, i) => [p, i])); };
  setRows(view.rows);
  const wanted = (m) => { const k = kindOf(m); return k < 0 || view.kinds[k]; };

  // ---- Colours --------------------------------------------------------------------------------------------

  let ink = {};
  const isDark = () => document.documentElement.classList.contains("dark");
  function readColours() {
    const style = getComputedStyle(document.documentElement);
    const names = ["bg", "panel", "text", "quiet", "rule", "line", "faint", "accent", "band", "bad", "good", "critical", "critical-rim", "past", "future", "given-way", "pair", "found"];
    ink = Object.fromEntries(names.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
    const side = isDark() ? 1 : 0;
    ink.kinds = data.palette.kinds.map((pair) => pair[side]);
    let next = 0;
    ink.states = data.states.map((_, i) => (data.filled[i] ? ink["given-way"] : data.palette.states[next++ % data.palette.states.length][side]));
  }
  const kindInk = (m) => { const k = kindOf(m); return k < 0 ? ink.quiet : ink.kinds[k % ink.kinds.length]; };

  // ---- The space-time diagram -----------------------------------------------------------------------------

  const canvas = $("timeline");
  const brush = canvas.getContext("2d");
  const HEAD = 30;
  let gutter = 90, rowHeight = 60, wide = 0, high = 0;
  const lastPlace = count ? events.place[count - 1] / 100 : 0;
  const x = (column) => gutter + 28 + (column - view.left) * view.scale;
  const xOf = (e) => x(events.place[e] / 100);
  const yOf = (row) => HEAD + rowHeight * (row + 0.55) - view.top;
  const columnAt = (pixel) => (pixel - gutter - 28) / view.scale + view.left;

  function measure() {
    const box = $("pane").getBoundingClientRect();
    wide = Math.max(120, box.width);
    high = Math.max(80, box.height);
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    rowHeight = Math.min(130, Math.max(24, (high - HEAD - 16) / Math.max(1, view.rows.length)));
    brush.font = "600 12.5px system-ui, sans-serif";
    const widest = view.rows.slice(0, 400).reduce((w, p) => Math.max(w, brush.measureText(name(p)).width), 30);
    gutter = Math.min(170, widest + 26);
  }
  const deepest = () => Math.max(0, view.rows.length * rowHeight + HEAD + 16 - high);
  function clamp() {
    const shown = (wide - gutter - 70) / view.scale;
    view.left = Math.max(0, Math.min(view.left, Math.max(0, lastPlace - shown + 0.6)));
    view.top = Math.max(0, Math.min(view.top, deepest()));
  }
  const smallest = () => Math.min(110, (wide - gutter - 76) / Math.max(1, lastPlace));
  function zoom(factor, at = (wide + gutter) / 2) {
    const column = columnAt(at);
    view.scale = Math.min(160, Math.max(smallest(), view.scale * factor));
    view.left = column - (at - gutter - 28) / view.scale;
    clamp();
    draw();
  }
  function fit() { view.scale = smallest(); view.left = 0; view.top = 0; clamp(); draw(); }

  let waiting = false;
  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; paint(); });
  }

  /** Return the range of events between the edges of the pane. */
  function visible() {
    const from = above(events.place, Math.floor((columnAt(gutter) - 1) * 100) - 1, count);
    const to = above(events.place, Math.ceil((columnAt(wide) + 1) * 100), count);
    return [Math.min(from, count), to];
  }
  /** Return the opacity of an event while another is selected. */
  const strength = (e) => (view.selected < 0 || e === view.selected || view.relation[e] ? 1 : 0.22);

  function paint() {
    const [from, to] = visible();
    const firstRow = Math.max(0, Math.floor((view.top - HEAD) / rowHeight) - 1);
    const lastRow = Math.min(view.rows.length, Math.ceil((view.top + high) / rowHeight) + 1);
    brush.clearRect(0, 0, wide, high);
    brush.fillStyle = ink.bg;
    brush.fillRect(0, 0, wide, high);
    brush.save();
    brush.beginPath();
    brush.rect(gutter, 0, wide - gutter, high);
    brush.clip();
    paintBands(from, to);
    paintLines(firstRow, lastRow, from, to);
    paintSpans(firstRow, lastRow);
    const taken = new Set();
    paintMessages(from, to, taken, firstRow, lastRow);
    paintEvents(from, to, firstRow, lastRow);
    paintCut(firstRow, lastRow);
    paintPosition();
    brush.restore();
    paintNames(firstRow, lastRow);
    paintScroll();
  }

  function paintBands(from, to) {
    brush.font = "11px system-ui, sans-serif";
    brush.textAlign = "center";
    const edge = (i) => (i < data.bands.length ? xOf(data.bands[i][0]) - view.scale * 0.62 : x(lastPlace) + 40);
    const starts = data.bands.map((b) => b[0]);
    let free = -1e9;
    for (let i = Math.max(0, above(starts, from) - 1); i < data.bands.length && starts[i] < to; i++) {
      const [x0, x1] = [edge(i), edge(i + 1)];
      if (i % 2 === 0) { brush.fillStyle = ink.band; brush.fillRect(x0, 0, Math.max(1, x1 - x0), high); }
      brush.fillStyle = ink.quiet;
      const text = data.bands[i].slice(1).find((t) => brush.measureText(t).width < x1 - x0 - 4);
      if (text && x0 > free) { brush.fillText(text, (x0 + x1) / 2, 14); free = x0; }
    }
    if (data.round_from !== null && data.round_from >= from && data.round_from < to) {
      const at = xOf(data.round_from) - view.scale * 0.62;
      brush.strokeStyle = ink.quiet;
      brush.setLineDash([2, 4]);
      brush.beginPath();
      brush.moveTo(at, 0);
      brush.lineTo(at, high);
      brush.stroke();
      brush.setLineDash([]);
      brush.fillStyle = ink.quiet;
      brush.textAlign = "left";
      brush.fillText("the cycle begins here", at + 4, high - 8);
      brush.textAlign = "center";
    }
    if (events.at.length === count) {
      let last = -1, room = -1e9;
      for (let e = from; e < to; e++) {
        if (events.at[e] === last) continue;
        last = events.at[e];
        const text = String(last), half = brush.measureText(text).width / 2, at = xOf(e);
        brush.fillStyle = ink.rule;
        if (view.scale > 8) brush.fillRect(at, 18, 1, high);
        if (at - half < room) continue;
        brush.fillStyle = ink.quiet;
        brush.fillText(text, at, 14);
        room = at + half + 8;
      }
    }
  }

  function paintLines(firstRow, lastRow, from, to) {
    for (let row = firstRow; row < lastRow; row++) {
      const p = view.rows[row], y = yOf(row), lives = data.lives[p];
      // Lives are triples, ordered by event.
      let low = 0, high3 = lives.length / 3;
      while (low + 1 < high3) { const mid = (low + high3) >> 1; if (lives[3 * mid] > from) high3 = mid; else low = mid; }
      for (let i = low; 3 * i < lives.length; i++) {
        const [e, state, condition] = lives.slice(3 * i, 3 * i + 3);
        if (e >= to) break;
        const next = lives[3 * i + 3];
        const x0 = e < 0 ? gutter : xOf(e), x1 = next === undefined ? Math.min(wide, x(lastPlace) + 40) : xOf(next);
        if (x1 < gutter) continue;
        if (state >= 0 && condition === 0 && data.states.length > 1) {
          brush.fillStyle = ink.states[state];
          brush.fillRect(x0, y - 6, x1 - x0, 12);
        }
        brush.strokeStyle = condition === 0 ? ink.line : ink.faint;
        brush.lineWidth = 1.3;
        brush.setLineDash(condition === 0 ? [] : [2, 4]);
        brush.beginPath(); brush.moveTo(Math.max(x0, gutter), y); brush.lineTo(Math.min(x1, wide), y); brush.stroke();
        brush.setLineDash([]);
        const named = state >= 0 && condition === 0 && data.states.length > 1 && x1 - x0 > 46 && lives[3 * i - 2] !== state && rowHeight > 34;
        if (named && e >= 0) {
          brush.font = "600 10.5px system-ui, sans-serif";
          brush.textAlign = "left";
          brush.fillStyle = ink.text;
          halo(data.states[state], x0 + 8, y - 9);
        }
      }
    }
  }
  function halo(text, atX, atY) {
    const fill = brush.fillStyle;
    brush.lineWidth = 3.5; brush.lineJoin = "round"; brush.strokeStyle = ink.bg;
    brush.strokeText(text, atX, atY);
    brush.fillStyle = fill;
    brush.fillText(text, atX, atY);
  }

  function paintSpans(firstRow, lastRow) {
    for (let row = firstRow; row < lastRow; row++) {
      const spans = data.spans[view.rows[row]], y = yOf(row);
      for (let i = 0; i < spans.length; i += 4) {
        const [critical, , from, to] = spans.slice(i, i + 4);
        const x0 = xOf(from), x1 = to < 0 ? x(lastPlace) + 40 : xOf(to);
        if (x1 < gutter || x0 > wide) continue;
        brush.strokeStyle = ink["critical-rim"];
        brush.lineWidth = 1.4;
        if (critical) {
          brush.fillStyle = ink.critical;
          brush.beginPath(); brush.rect(x0, y - 7, x1 - x0, 14); brush.fill(); brush.stroke();
        } else {
          brush.beginPath(); brush.moveTo(x0, y + 8); brush.lineTo(x0, y + 13); brush.lineTo(x1, y + 13); brush.lineTo(x1, y + 8); brush.stroke();
        }
      }
    }
  }

  /** The maximum number of arrows: of more, only a sample is drawn. */
  const MOST_ARROWS = 6000;
  function paintMessages(from, to, taken, firstRow, lastRow) {
    const list = [];
    const consider = (m) => {
      const a = rowOf.get(messages.from[m]), b = rowOf.get(messages.to[m]);
      if (!wanted(m) || (a === undefined && b === undefined)) return;
      if (Math.max(a ?? b, b ?? a) >= firstRow && Math.min(a ?? b, b ?? a) < lastRow) list.push(m);
    };
    underWay(from).forEach(consider);
    for (let e = from; e < to; e++) sentBy(e).forEach(consider);
    const every = Math.ceil(list.length / MOST_ARROWS);
    const labels = [];
    const crossing = new Set(view.verdict ? view.verdict.backwards : []);
    // The messages of the selected event, and those that make a cut inconsistent, are always drawn.
    const must = (m) => crossing.has(m) || (view.selected >= 0 && (messages.sent[m] === view.selected || messages.ended[m] === view.selected));
    list.forEach((m, i) => {
      if (every > 1 && i % every && !must(m)) return;
      arrow(m, rowOf.get(messages.from[m]), rowOf.get(messages.to[m]), labels, crossing.has(m));
    });
    brush.globalAlpha = 1;
    if (view.scale >= 30 && labels.length < 700) for (const l of labels) along(l, taken);
    const said = every > 1 ? `One arrow of ${every} is drawn, of ${list.length.toLocaleString("en")}. To see all: zoom in (+), or choose processes or messages under Filters.` : "";
    if ($("sampled").textContent !== said) { $("sampled").textContent = said; $("sampled").hidden = !said; }
  }
  function arrow(m, a, b, labels, backwards) {
    const s = messages.sent[m], r = messages.ended[m], gone = lost.has(m);
    const ends = x(lastPlace) + 40;
    let x0 = s < 0 ? x(0) - 24 : xOf(s), x1 = r < 0 ? ends : xOf(r);
    let y0, y1;
    if (a === undefined || b === undefined) {
      // The other end is on a hidden lifeline: draw only the beginning or the end.
      if (a !== undefined) { y0 = yOf(a); x1 = x0 + 16; y1 = y0 + 18; } else { y1 = yOf(b); x0 = x1 - 16; y0 = y1 + 18; }
      if (b !== undefined && r < 0) return;
    } else { y0 = yOf(a); y1 = yOf(b); if (s < 0) y0 += (y1 - y0) * 0.4; }
    const cutOff = r < 0 ? 0.6 : gone ? 0.78 : 1;
    if (a !== b && cutOff < 1) { y1 = y0 + (y1 - y0) * cutOff; if (gone) x1 = x0 + (x1 - x0) * cutOff; }
    const related = view.selected < 0 ? 1 : (s >= 0 && strength(s) === 1 && (r < 0 || strength(r) === 1) ? 1 : 0.15);
    brush.globalAlpha = related;
    brush.strokeStyle = backwards ? ink.bad : kindInk(m);
    brush.fillStyle = brush.strokeStyle;
    brush.lineWidth = backwards ? 2.6 : 1.2;
    brush.setLineDash(r < 0 || gone || copyOf.has(m) || s < 0 ? [5, 3] : []);
    brush.beginPath();
    let tipX = x1, tipY = y1, ux, uy;
    if (a === b && a !== undefined) {
      x1 = Math.max(x1, x0 + 12); tipX = x1 - 2; tipY = y1 - 5;
      const lift = Math.min(rowHeight * 1.2, Math.max(28, (x1 - x0) * 0.7));
      brush.moveTo(x0, y0); brush.quadraticCurveTo((x0 + x1) / 2, y0 - lift, tipX, tipY);
      const l = Math.hypot(tipX - (x0 + x1) / 2, tipY - y0 + lift) || 1;
      ux = (tipX - (x0 + x1) / 2) / l; uy = (tipY - y0 + lift) / l;
      if (related === 1) labels.push({ m, x0, y0: y0 - lift / 2, ux: 1, uy: 0, l: x1 - x0 });
    } else {
      const l = Math.hypot(x1 - x0, y1 - y0) || 1;
      ux = (x1 - x0) / l; uy = (y1 - y0) / l;
      if (r >= 0 && !gone) { tipX -= ux * 5; tipY -= uy * 5; }
      brush.moveTo(x0, y0); brush.lineTo(tipX, tipY);
      if (related === 1) labels.push({ m, x0, y0, ux, uy, l });
    }
    brush.stroke();
    brush.setLineDash([]);
    if (view.scale < 7) return;
    brush.beginPath();
    if (gone) {
      brush.strokeStyle = ink.bad; brush.lineWidth = 2;
      brush.moveTo(tipX - 4, tipY - 4); brush.lineTo(tipX + 4, tipY + 4); brush.moveTo(tipX + 4, tipY - 4); brush.lineTo(tipX - 4, tipY + 4);
      brush.stroke();
    } else {
      brush.moveTo(tipX, tipY); brush.lineTo(tipX - ux * 8 - uy * 3.2, tipY - uy * 8 + ux * 3.2); brush.lineTo(tipX - ux * 8 + uy * 3.2, tipY - uy * 8 - ux * 3.2);
      brush.fill();
    }
  }
  /** Draw a label along its arrow, at the first free place. */
  function along({ m, x0, y0, ux, uy, l }, taken) {
    brush.font = "10.5px system-ui, sans-serif";
    const text = textOf(m).length > 20 ? textOf(m).slice(0, 19) + "…" : textOf(m);
    const half = brush.measureText(text).width / 2;
    for (const part of [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78]) for (const side of [1, -1]) {
      const cx = x0 + ux * l * part + uy * 8 * side, cy = y0 + uy * l * part - ux * 8 * side;
      if (cx < gutter - half || cx > wide + half) continue;
      // Points along the label, on a grid: no other label may have one in the same or an adjacent cell.
      const points = [];
      for (let t = -half; t <= half + 6; t += 6) points.push([Math.round((cx + ux * t) / 7), Math.round((cy + uy * t) / 7)]);
      const cell = (i, j) => i * 100003 + j;
      const near = [-1, 0, 1];
      if (points.some(([i, j]) => near.some((di) => near.some((dj) => taken.has(cell(i + di, j + dj)))))) continue;
      for (const [i, j] of points) taken.add(cell(i, j));
      brush.save();
      brush.translate(cx, cy);
      brush.rotate(Math.atan2(uy, ux));
      brush.textAlign = "center";
      brush.fillStyle = kindInk(m);
      halo(text, 0, 3.6);
      brush.restore();
      return;
    }
  }

  const MARKS = { start: 1, timeout: 2, halt: 3, crash: 4, restart: 5, environment: 6 };
  function paintEvents(from, to, firstRow, lastRow) {
    const small = view.scale < 7;
    const done = new Map(); // the last pixel drawn in each row
    for (let e = from; e < to; e++) {
      const p = events.process[e], row = rowOf.get(p), at = xOf(e);
      const q = partner.get(e), other = q === undefined ? undefined : rowOf.get(q);
      if (row === undefined && other === undefined) continue;
      const y = yOf(row ?? other);
      const violates = violation !== null && e === violation[0];
      const special = violates || e === view.selected || view.foundSet.has(e) || e === view.hover;
      if ((row ?? other) < firstRow || (row ?? other) >= lastRow) { if (other === undefined) continue; }
      if (small && !special) {
        const pixel = Math.round(at * 2);
        if (done.get(row) === pixel) continue;
        done.set(row, pixel);
      }
      brush.globalAlpha = strength(e);
      const tone = view.selected >= 0 && view.relation[e] ? (view.relation[e] === 1 ? ink.past : ink.future) : ink.text;
      const happened = e < view.position;
      if (row !== undefined && other !== undefined && row !== other) {
        brush.strokeStyle = ink.pair; brush.lineWidth = 2;
        brush.beginPath(); brush.moveTo(at, y); brush.lineTo(at, yOf(other)); brush.stroke();
        dot(at, yOf(other), small ? 1.6 : 4.2, tone, happened);
      }
      mark(at, y, events.mark[e], small, tone, happened);
      if (violates) {
        brush.strokeStyle = ink.bad; brush.lineWidth = 2.4;
        brush.beginPath(); brush.arc(at, y, 11, 0, 7); brush.stroke();
      }
      if (e === view.selected || e === view.hover || view.foundSet.has(e)) {
        brush.strokeStyle = e === view.selected ? ink.accent : view.foundSet.has(e) ? ink.found : ink.quiet;
        brush.lineWidth = 2.4;
        brush.beginPath(); brush.arc(at, y, 8.5, 0, 7); brush.stroke();
      }
    }
    brush.globalAlpha = 1;
  }
  function dot(atX, atY, r, tone, happened) {
    brush.beginPath(); brush.arc(atX, atY, r, 0, 7);
    brush.fillStyle = happened ? tone : ink.bg; brush.fill();
    brush.strokeStyle = tone; brush.lineWidth = r < 2 ? 0.8 : 1.5; brush.stroke();
  }
  function mark(atX, atY, kind, small, tone, happened) {
    if (kind === MARKS.crash) {
      const r = small ? 2.5 : 5.5;
      brush.strokeStyle = ink.bad; brush.lineWidth = small ? 1.4 : 2.4;
      brush.beginPath(); brush.moveTo(atX - r, atY - r); brush.lineTo(atX + r, atY + r); brush.moveTo(atX + r, atY - r); brush.lineTo(atX - r, atY + r); brush.stroke();
      return;
    }
    if (small) { dot(atX, atY, 1.6, tone, happened); return; }
    if (kind === MARKS.halt) {
      brush.fillStyle = happened ? tone : ink.bg; brush.strokeStyle = tone; brush.lineWidth = 1.5;
      brush.beginPath(); brush.rect(atX - 4.5, atY - 4.5, 9, 9); brush.fill(); brush.stroke();
      return;
    }
    dot(atX, atY, kind === MARKS.environment ? 2.6 : 4.3, tone, happened);
    if (kind === MARKS.timeout || kind === MARKS.restart) {
      brush.strokeStyle = kind === MARKS.restart ? ink.good : tone; brush.lineWidth = 1.5;
      brush.beginPath(); brush.arc(atX, atY, 7.2, kind === MARKS.restart ? 0.8 : 0, kind === MARKS.restart ? 5.9 : 7); brush.stroke();
    }
  }

  function paintPosition() {
    const at = positionX();
    brush.fillStyle = ink.bg; brush.globalAlpha = 0.3;
    brush.fillRect(at, HEAD - 8, wide, high);
    brush.globalAlpha = 1;
    brush.strokeStyle = ink.accent; brush.lineWidth = 1.8;
    brush.beginPath(); brush.moveTo(at, 18); brush.lineTo(at, high); brush.stroke();
    brush.fillStyle = ink.accent;
    brush.beginPath(); brush.moveTo(at - 5, 18); brush.lineTo(at + 5, 18); brush.lineTo(at, 26); brush.fill();
  }
  const positionX = () => (view.position === 0 ? x(0) - Math.min(18, view.scale / 2 + 6) : xOf(view.position - 1) + Math.min(12, view.scale * 0.4));

  function paintCut(firstRow, lastRow) {
    if (!view.cut) return;
    brush.strokeStyle = view.verdict.consistent ? ink.good : ink.bad;
    brush.lineWidth = 2.4;
    brush.beginPath();
    let lastX = null, lastY = HEAD - 10;
    for (let row = Math.max(0, firstRow - 1); row < Math.min(view.rows.length, lastRow + 1); row++) {
      const p = view.rows[row], k = view.cut[p], mine = own[p];
      const before = k > 0 ? xOf(mine[k - 1]) : startOf[p] >= 0 ? xOf(startOf[p]) : x(0) - 30;
      const after = k < mine.length ? xOf(mine[k]) : x(lastPlace) + 34;
      const at = before + Math.min((after - before) / 2, Math.max(5, view.scale / 2)), y = yOf(row);
      if (lastX === null) brush.moveTo(at, lastY); else brush.bezierCurveTo(lastX, (lastY + y) / 2, at, (lastY + y) / 2, at, y);
      if (lastX === null) brush.lineTo(at, y);
      lastX = at; lastY = y;
    }
    if (lastX !== null) brush.lineTo(lastX, Math.min(high, lastY + rowHeight * 0.45));
    brush.stroke();
  }

  function paintNames(firstRow, lastRow) {
    brush.fillStyle = ink.bg;
    brush.fillRect(0, 0, gutter - 6, high);
    brush.textAlign = "right";
    for (let row = firstRow; row < lastRow; row++) {
      const p = view.rows[row], y = yOf(row);
      if (y < HEAD) continue;
      brush.font = "600 12.5px system-ui, sans-serif";
      brush.fillStyle = ink.text;
      brush.fillText(name(p), gutter - 12, rowHeight > 34 ? y + 1 : y + 4, gutter - 14);
      if (rowHeight > 34) {
        brush.font = "10.5px system-ui, sans-serif";
        brush.fillStyle = ink.quiet;
        const role = data.roles[p] ? `${data.roles[p]}, ` : "";
        brush.fillText(data.anonymous ? role.replace(", ", "") : `${role}id ${data.ids[p]}`, gutter - 12, y + 14, gutter - 14);
      }
    }
    if (events.at.length === count && count > 0) {
      brush.font = "11px system-ui, sans-serif"; brush.fillStyle = ink.quiet; brush.fillText("time", gutter - 12, 14);
    }
  }
  function paintScroll() {
    const shown = (wide - gutter - 70) / view.scale;
    if (shown < lastPlace) {
      const track = wide - gutter - 8, size = Math.max(24, track * shown / (lastPlace + 0.6));
      const at = gutter + (track - size) * view.left / Math.max(1e-9, lastPlace - shown + 0.6);
      brush.fillStyle = ink.faint;
      brush.beginPath(); brush.roundRect(at, high - 7, size, 5, 2.5); brush.fill();
    }
    if (deepest() > 0) {
      const track = high - HEAD - 12, size = Math.max(20, track * high / (deepest() + high));
      brush.fillStyle = ink.faint;
      brush.beginPath(); brush.roundRect(wide - 7, HEAD + (track - size) * view.top / deepest(), 5, size, 2.5); brush.fill();
    }
  }

  /** Return the event under the pointer, or -1. */
  function eventAt(px, py) {
    const reach = 11;
    const from = above(events.place, Math.floor(columnAt(px - reach) * 100) - 1, count);
    const to = above(events.place, Math.ceil(columnAt(px + reach) * 100), count);
    let best = -1, nearest = reach * reach;
    for (let e = from; e < to; e++) for (const p of [events.process[e], partner.get(e)]) {
      const row = rowOf.get(p);
      if (row === undefined) continue;
      const d = (xOf(e) - px) ** 2 + (yOf(row) - py) ** 2;
      if (d < nearest) { nearest = d; best = e; }
    }
    return best;
  }
  function rowAt(py) {
    const row = Math.round((py - HEAD + view.top) / rowHeight - 0.55);
    return row >= 0 && row < view.rows.length ? row : -1;
  }

  // ---- Happened before, and cuts --------------------------------------------------------------------------

  function select(e) {
    view.selected = e;
    view.relation = null;
    if (e >= 0) {
      const relation = new Uint8Array(count);
      relation[e] = 1;
      for (let i = e; i >= 0; i--) if (relation[i] === 1) for (const c of causes(i)) relation[c] = 1;
      relation[e] = 2;
      for (let i = e + 1; i < count; i++) for (const c of causes(i)) if (relation[c] === 2) { relation[i] = 2; break; }
      relation[e] = 0;
      view.relation = relation;
    }
    $("unselect").hidden = e < 0;
    tellEvent();
    draw();
  }

  function setCut(cut) {
    if (cut && data.no_cuts) { $("verdict").className = ""; $("verdict").textContent = `There are no cuts: ${data.no_cuts}.`; return; }
    view.cut = cut;
    $("cut-mend").hidden = $("cut-clear").hidden = !cut;
    judgeCut();
    fillProcesses();
    draw();
  }
  /** Return whether a cut contains an event at all of its processes (`has`), or at one of them (`touches`). */
  const has = (cut, e) => silent.has(e) || (nth[e] > 0 && nth[e] <= cut[events.process[e]] && (!nthThere[e] || nthThere[e] <= cut[partner.get(e)]));
  const touches = (cut, e) => silent.has(e) || (nth[e] > 0 && nth[e] <= cut[events.process[e]]) || (nthThere[e] > 0 && nthThere[e] <= cut[partner.get(e)]);
  /** Return the verdict of `synod trace cut`. */
  function judgeCut() {
    const line = $("verdict"), cut = view.cut;
    line.className = "";
    if (!cut) { view.verdict = null; line.textContent = ""; return; }
    const backwards = [], across = [];
    for (let m = 0; m < messages.from.length; m++) {
      const sent = messages.sent[m];
      // No event of the receiver ends a message that a crash of its sender loses.
      const ended = lostWithSender(m) ? -1 : messages.ended[m];
      const before = sent < 0 || has(cut, sent);
      if (!before && ended >= 0 && touches(cut, ended)) backwards.push(m);
      if (before && !(ended >= 0 && has(cut, ended))) across.push(m);
    }
    // An event of the environment depends on others without a message, and an interaction is indivisible.
    let torn = "";
    for (let i = 0; i < data.after.length && !torn; i += 2) {
      const [cause, e] = data.after.slice(i, i + 2);
      if (touches(cut, e) && !has(cut, cause)) torn = `event ${e} is inside, but depends on event ${cause}, which is outside`;
    }
    for (const e of partner.keys()) if (!torn && touches(cut, e) && !has(cut, e)) torn = `event ${e} is an event of two processes, and only one side of it is inside`;
    const consistent = !backwards.length && !torn;
    view.verdict = { consistent, backwards, across };
    const told = (list) => list.slice(0, 4).map((m) => `${label(m)} from ${name(messages.from[m])} to ${name(messages.to[m])}`).join(", ") + (list.length > 4 ? `, and ${list.length - 4} more` : "");
    const counts = processes <= 24 ? ` (${[...cut].join(", ")})` : "";
    line.className = consistent ? "good" : "bad";
    line.textContent = `cut${counts}: ` + (consistent
      ? across.length ? `consistent; in transit across it: ${told(across)}` : "consistent; no messages in transit"
      : `not consistent; ${backwards.length ? `received inside, but sent outside: ${told(backwards)}` : torn}`);
    $("cut-mend").disabled = consistent;
  }
  const cutHere = () => Uint32Array.from(own, (list) => above(list, view.position - 1));
  /** Compute the greatest consistent cut inside: add events in order, if all that they depend on has been added. */
  function mend() {
    const cut = new Uint32Array(processes);
    const after = new Map();
    for (let i = 0; i < data.after.length; i += 2) after.set(data.after[i + 1], [...(after.get(data.after[i + 1]) ?? []), data.after[i]]);
    for (let e = 0; e < count; e++) {
      if (!nth[e] || !has(view.cut, e)) continue;
      const p = events.process[e], q = partner.get(e);
      if (cut[p] + 1 !== nth[e] || (nthThere[e] && cut[q] + 1 !== nthThere[e])) continue;
      if (endedBy(e).some((m) => messages.sent[m] >= 0 && !has(cut, messages.sent[m])) || (after.get(e) ?? []).some((c) => !has(cut, c))) continue;
      cut[p] = nth[e];
      if (nthThere[e]) cut[q] = nthThere[e];
    }
    setCut(cut);
  }

  // ---- The configuration ----------------------------------------------------------------------------------

  const svg = (tag, attributes = {}, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, v] of Object.entries(attributes)) element.setAttribute(key, v);
    element.append(...children);
    return element;
  };
  const html = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, v] of Object.entries(attributes)) element.setAttribute(key, v);
    element.append(...children);
    return element;
  };

  const vertices = [];
  let flows = null, flowLabels = null, halos = null;
  const ways = new Map();
  /** The maximum number of labels: more are unreadable. */
  const MOST_LABELS = 60;
  function buildNetwork() {
    const plane = data.stage;
    if (!plane) {
      $("network").remove();
      $("net-tools").remove();
      $("labels").textContent = `The network is not drawn: ${processes} processes are too many.`;
      return;
    }
    const r = plane.radius, root = $("network");
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
    root.style.maxHeight = `min(46vh, ${Math.round(net.whole.h * 1.2)}px)`;
    for (const [from, to, path, numbers] of plane.ways) if (!ways.has(`${from},${to}`)) ways.set(`${from},${to}`, { path, numbers });
    const edges = svg("g");
    for (const [path, way] of plane.edges) {
      edges.append(svg("path", { class: "edge", d: path }));
      if (way !== null) edges.append(head(plane.ways[way][3], "head"));
    }
    flows = svg("g");
    flowLabels = svg("g");
    halos = svg("g");
    const top = svg("g");
    plane.places.forEach(([cx, cy, rx, ry], p) => {
      const circle = svg("circle", { class: "vertex", cx, cy, r });
      const inner = svg("text", { class: "inside", x: cx, y: cy + 4.2 }, r >= 9 ? (data.anonymous ? name(p) : String(data.ids[p])) : "");
      const d = r * 0.7;
      const ring = svg("circle", { class: "ring", cx, cy, r: r + 3.2 });
      const g = svg("g", {}, circle, inner, ring, svg("path", { class: "struck", d: `M${cx - d} ${cy - d}l${2 * d} ${2 * d}m0 ${-2 * d}l${-2 * d} ${2 * d}` }));
      const title = svg("title");
      g.append(title);
      g.addEventListener("pointerenter", () => { title.textContent = toldOf(p); });
      vertices.push({ g, circle, ring, place: [cx, cy, rx, ry], look: "", fill: "" });
      top.append(g);
    });
    root.append(edges, flows, halos, top, flowLabels);
    const told = [...data.beside];
    const filled = data.states.filter((_, i) => data.filled[i]);
    if (filled.length) told.push(`filled: ${filled.join(", ")}`);
    told.push("at the arrows: messages in transit, in the order of sending");
    if (!few) told.push("zoom in for labels: +, or Ctrl and the wheel; drag to move");
    $("labels").textContent = told.join(" · ");
  }
  const toldOf = (p) => [`${name(p)}, id ${data.ids[p]}`, ...data.variables.map((n, i) => [n, value(p, i, view.position)]).filter(([, w]) => w !== undefined).map(([n, w]) => `${n} = ${w}`)].join(" · ");

  // ---- The visible part of the network --------------------------------------------------------------------

  const net = { whole: { x: 0, y: 0, w: 1, h: 1 }, view: { x: 0, y: 0, w: 1, h: 1 } };
  /** Return the scale: screen pixels per unit of the plane. */
  function netScale() {
    const box = $("network").getBoundingClientRect();
    return Math.min(box.width / net.view.w, box.height / net.view.h) || 1;
  }
  /** The typical distance of neighbours, estimated from a sample of processes. */
  function spacing() {
    if (spacing.known) return spacing.known;
    const places = data.stage.places, every = Math.ceil(places.length / 40);
    const nearest = places.filter((_, p) => p % every === 0).map(([x, y]) => places.reduce((d, [x1, y1]) => { const l = Math.hypot(x1 - x, y1 - y); return l > 0 && l < d ? l : d; }, Infinity));
    const usual = nearest.sort((a, b) => a - b)[nearest.length >> 1];
    return spacing.known = Number.isFinite(usual) ? usual : 60;
  }
  /** Keep the size of labels on the screen. */
  const labelScale = () => Math.min(1, 1.2 / netScale());
  const zoomed = () => net.view.w < net.whole.w * 0.999;
  function lookAt(view) {
    const { whole } = net;
    // Show at most the whole network, and at least a process with its neighbours.
    const w = Math.max(Math.min(whole.w, 3.5 * spacing()), Math.min(whole.w, view.w)), h = w * whole.h / whole.w;
    const within = (at, size, low, all) => Math.max(low, Math.min(low + all - size, at));
    net.view = { x: within(view.x, w, whole.x, whole.w), y: within(view.y, h, whole.y, whole.h), w, h };
    const { x, y } = net.view;
    $("network").setAttribute("viewBox", [x, y, w, h].map((v) => v.toFixed(1)).join(" "));
    sizes();
    $("network").classList.toggle("zoomed", zoomed());
    $("net-out").disabled = $("net-fit").disabled = !zoomed();
  }
  /** Keep vertices visible at any scale. */
  function sizes() {
    const r = Math.max(data.stage.radius, 2.6 / netScale());
    if (Math.abs(r - sizes.last) < 1e-6) return;
    sizes.last = r;
    for (const v of vertices) { v.circle.setAttribute("r", r.toFixed(2)); v.ring.setAttribute("r", (r * 1.1 + Math.max(1.6, 3.2 * Math.min(1, 9 / r))).toFixed(2)); }
  }
  sizes.last = 0;
  function zoomNetwork(factor, cx, cy) {
    const { x, y, w, h } = net.view, size = w / factor;
    const [atX, atY] = cx === undefined ? focus() : [cx, cy];
    lookAt({ x: atX - (atX - x) * size / w, y: atY - (atY - y) * size / w, w: size, h: h * size / w });
    refreshNetwork();
  }
  /** Zoom by buttons, centred on the process of the event if it is visible. */
  function focus() {
    const { x, y, w, h } = net.view, [p] = actingNow();
    const [px, py] = p === undefined ? [] : vertices[p].place;
    return p !== undefined && inView(px, py) ? [px, py] : [x + w / 2, y + h / 2];
  }
  const inView = (px, py, edge = 0) => {
    const { x, y, w, h } = net.view;
    return px >= x + edge * w && px <= x + (1 - edge) * w && py >= y + edge * h && py <= y + (1 - edge) * h;
  };
  /** Scroll the acting process into view. */
  function followNetwork(acting) {
    if (!vertices.length || !zoomed() || acting.length === 0) return;
    const [px, py] = vertices[acting[0]].place, { w, h } = net.view;
    if (!inView(px, py, 0.12)) lookAt({ x: px - w / 2, y: py - h / 2, w, h });
  }
  function refreshNetwork() {
    const room = showNetwork(changedNow(), actingNow());
    showChannels(underWay(view.position), room);
  }
  function listenNetwork() {
    if (!vertices.length) return;
    const root = $("network");
    const plane = (e) => {
      const box = root.getBoundingClientRect(), s = netScale(), { x, y, w, h } = net.view;
      return [x + w / 2 + (e.clientX - box.left - box.width / 2) / s, y + h / 2 + (e.clientY - box.top - box.height / 2) / s];
    };
    $("net-in").addEventListener("click", () => zoomNetwork(1.6));
    $("net-out").addEventListener("click", () => zoomNetwork(1 / 1.6));
    $("net-fit").addEventListener("click", () => { lookAt(net.whole); refreshNetwork(); });
    root.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      zoomNetwork(Math.exp(-e.deltaY * (e.deltaMode === 1 ? 18 : 1) * 0.004), ...plane(e));
    }, { passive: false });
    let drag = null;
    root.addEventListener("pointerdown", (e) => { if (zoomed()) drag = { at: [e.clientX, e.clientY], view: net.view }; });
    root.addEventListener("pointermove", (e) => {
      if (!drag || !e.buttons) { drag = null; return; }
      const s = netScale(), { x, y, w, h } = drag.view;
      lookAt({ x: x - (e.clientX - drag.at[0]) / s, y: y - (e.clientY - drag.at[1]) / s, w, h });
      refreshNetwork();
    });
    root.addEventListener("pointerup", () => { drag = null; });
    new ResizeObserver(sizes).observe(root);
  }

  function head([tx, ty, ux, uy], cssClass) {
    const long = Math.min(8.5, 0.22 * spacing()), half = 0.4 * long;
    return svg("path", { class: cssClass, d: `M${tx} ${ty}L${tx - ux * long - uy * half} ${ty - uy * long + ux * half}L${tx - ux * long + uy * half} ${ty - uy * long - ux * half}Z` });
  }
  /** Return the channel between processes without an edge, which reach each other by address. */
  function straight(from, to) {
    const [x0, y0] = data.stage.places[from], [x1, y1] = data.stage.places[to], r = data.stage.radius;
    if (from === to) {
      return { path: `M${x0 + r * 0.5} ${y0 - r}C${x0 + r * 1.9} ${y0 - r * 2.9} ${x0 - r * 1.9} ${y0 - r * 2.9} ${x0 - r * 0.45} ${y0 - r}`, numbers: [x0 - r * 0.45, y0 - r, 0.6, 0.8, x0, y0 - r * 2.55, 0, -1] };
    }
    const l = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / l, uy = (y1 - y0) / l, [sx, sy] = [-uy, ux];
    const start = [x0 + ux * (r + 1.5) + sx * 4, y0 + uy * (r + 1.5) + sy * 4], tip = [x1 - ux * (r + 3) + sx * 4, y1 - uy * (r + 3) + sy * 4];
    return { path: `M${start}L${tip}`, numbers: [...tip, ux, uy, (x0 + x1) / 2 + sx * 9, (y0 + y1) / 2 + sy * 9, sx, sy] };
  }
  const bare = (text) => (text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : text);

  /** Return the processes with a label: those in view, if they are not too many. */
  let labelled = new Set();
  function showNetwork(changed, acting) {
    const at = view.position;
    const seen = data.ids.map((_, p) => p).filter((p) => inView(vertices[p].place[0], vertices[p].place[1]));
    labelled = new Set(seen.length <= MOST_LABELS ? seen : []);
    const f = labelScale(), room = labelled.size ? new Room(f) : null;
    $("network").style.setProperty("--label", `${(11 * f).toFixed(2)}px`);
    $("network").style.setProperty("--rim", `${(3.5 * f).toFixed(2)}px`);
    // The acting process chooses first.
    for (const p of [...acting, ...[...vertices.keys()].filter((p) => !acting.includes(p))]) dress(vertices[p], p);
    function dress(v, p) {
      const state = stateVar < 0 ? -1 : data.states.indexOf(value(p, stateVar, at) ?? "");
      const filled = state >= 0 && data.filled[state];
      const down = upVar >= 0 && value(p, upVar, at) === "false", halted = haltedVar >= 0 && value(p, haltedVar, at) === "true";
      const look = [acting.includes(p) && "acts", down && "down", halted && "halted", filled && "gives-way"].filter(Boolean).join(" ");
      const fill = filled ? "" : state >= 0 && data.states.length > 1 ? ink.states[state] : "";
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
      const small = data.stage.radius < 9;
      v.named.textContent = data.anonymous ? (small ? name(p) : "") : small ? `${name(p)}, id ${data.ids[p]}` : name(p);
      const short = (t) => (t === "unset" ? "–" : t.length > 12 ? t.slice(0, 11) + "…" : t);
      const values = data.shown.map((i) => value(p, i, at)).filter((w) => w !== undefined).map(short);
      const text = values.length > 1 ? `(${values.join(", ")})` : values[0] ?? "";
      v.values.textContent = text;
      v.values.setAttribute("class", data.shown.some((i) => changed.has(p * width + i)) ? "label values changed" : "label values");
      const [cx, cy, rx, ry] = v.place, half = Math.max(text.length, v.named.textContent.length) * 3.2 * f, lines = v.named.textContent ? 2 : 1;
      const aside = (u) => Math.max(-1, Math.min(1, u / 0.38)), away = data.stage.radius + 5 * f, tall = 6.5 * f * lines;
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
    const ringed = data.stage.radius * s < 7 ? acting : [];
    halos.replaceChildren(...ringed.map((p) => svg("circle", { class: "halo", cx: vertices[p].place[0], cy: vertices[p].place[1], r: (8 / s).toFixed(2) })));
    return room;
  }

  // ---- Placement of labels: as in `synod draw`, overlapping labels cost most, labels on a line a little.

  const AROUND = Array.from({ length: 16 }, (_, k) => { const turn = ((k * 8 + (k >> 1)) % 16) / 16 * 2 * Math.PI; return [Math.sin(turn), -Math.cos(turn)]; });
  class Room {
    constructor(scale) {
      this.scale = scale;
      const r = data.stage.radius + 4 * scale, { x, y, w, h } = net.view;
      this.boxes = [...labelled].map((p) => ({ x: vertices[p].place[0], y: vertices[p].place[1], w: r, h: r }));
      this.lines = nearLines();
      this.edges = [x, y, x + w, y + h];
    }
    cost(b) {
      let cost = 0;
      for (const o of this.boxes) {
        const dx = b.w + o.w - Math.abs(b.x - o.x), dy = b.h + o.h - Math.abs(b.y - o.y);
        if (dx > 0 && dy > 0) cost += 60 + 10 * Math.min(dx, dy) / this.scale;
      }
      for (const l of this.lines) if (crosses(b, l)) cost += 3;
      // Text outside the picture is unreadable, too.
      const [left, top, right, bottom] = this.edges;
      const out = Math.max(0, left - b.x + b.w, b.x + b.w - right, top - b.y + b.h, b.y + b.h - bottom);
      return out > 0 ? cost + 60 + 10 * out / this.scale : cost;
    }
    /** Occupy and return the best of some places; undefined if each covers something, unless `must` is set. */
    take(places, must) {
      let best, least = Infinity;
      places.forEach((b, rank) => {
        if (least <= 0.05 * rank) return;
        const cost = this.cost(b) + 0.05 * rank;
        if (cost < least) { best = b; least = cost; }
      });
      if (!must && least >= 14) return undefined;
      this.boxes.push(best);
      return best;
    }
  }
  /** Return whether a line from one point to another intersects a box. */
  function crosses({ x, y, w, h }, [x0, y0, x1, y1]) {
    let from = 0, to = 1;
    for (const [start, step, low, most] of [[x0, x1 - x0, x - w, x + w], [y0, y1 - y0, y - h, y + h]]) {
      if (Math.abs(step) < 1e-9) { if (start < low || start > most) return false; continue; }
      const [a, b] = [(low - start) / step, (most - start) / step];
      from = Math.max(from, Math.min(a, b)); to = Math.min(to, Math.max(a, b));
      if (from > to) return false;
    }
    return true;
  }
  /** Return points along a path, from its beginning to its end. */
  const traced = new Map();
  function points(path) {
    if (!traced.has(path)) {
      const line = svg("path", { d: path }), length = line.getTotalLength();
      const pieces = /^M[^A-Za-z]*L[^A-Za-z]*$/.test(path) ? 1 : 8;
      traced.set(path, Array.from({ length: pieces + 1 }, (_, k) => { const at = line.getPointAtLength(length * k / pieces); return [at.x, at.y]; }));
    }
    return traced.get(path);
  }
  const linesOf = (path) => points(path).slice(1).map(([x, y], i) => [...points(path)[i], x, y]);
  const beginnings = () => beginnings.known ??= data.stage.edges.map(([path]) => (/^M\s*([-\d.]+)[ ,]?([-\d.]+)/.exec(path) ?? [0, 0, 0]).slice(1).map(Number));
  /** Return the edges of the network that begin in view, as lines. */
  function nearLines() {
    const all = [];
    data.stage.edges.forEach(([path], i) => {
      if (processes <= MOST_LABELS || inView(...beginnings()[i])) all.push(...linesOf(path));
    });
    return all;
  }
  /** Return the places beside an arrow for the messages in transit. */
  function beside(path, n, half, bothSides, f) {
    const along = points(path), lengths = [0];
    for (let i = 1; i < along.length; i++) lengths.push(lengths[i - 1] + Math.hypot(along[i][0] - along[i - 1][0], along[i][1] - along[i - 1][1]));
    const out = 4 * f + Math.abs(n[6]) * half + Math.abs(n[7]) * 6 * f;
    const places = [{ x: n[4] + n[6] * out, y: n[5] + n[7] * out, w: half, h: 6 * f }];
    // The opposite side may have another arrow with its own label: then the label keeps to its side.
    for (const side of bothSides ? [1, -1] : [1]) for (const part of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82]) {
      const wanted = part * lengths.at(-1);
      let i = 1;
      while (i < along.length - 1 && lengths[i] < wanted) i++;
      const [[x0, y0], [x1, y1]] = [along[i - 1], along[i]], l = lengths[i] - lengths[i - 1] || 0.1;
      const ux = (x1 - x0) / l, uy = (y1 - y0) / l, right = n[7] * ux - n[6] * uy >= 0 ? side : -side;
      const sx = -uy * right, sy = ux * right, d = wanted - lengths[i - 1];
      const away = (6 + Math.abs(sy) * 6.5 + (side < 0 ? 11 : 0)) * f + Math.abs(sx) * half;
      places.push({ x: x0 + ux * d + sx * away, y: y0 + uy * d + sy * away, w: half, h: 6 * f });
    }
    return places;
  }
  /** The elements drawn for each channel, so that only changes are redrawn. */
  const flowOf = new Map();
  function showChannels(now, room) {
    const channels = new Map();
    for (const m of [...now].sort((a, b) => a - b)) {
      if (!wanted(m) || messages.id[m] < 0) continue;
      const key = `${messages.from[m]},${messages.to[m]}`;
      if (!channels.has(key)) channels.set(key, []);
      channels.get(key).push(m);
    }
    if (flows) {
      const labels = [];
      for (const [key, drawn] of flowOf) if (!channels.has(key)) { drawn.g.remove(); flowOf.delete(key); }
      for (const [key, list] of channels) {
        const [from, to] = key.split(",").map(Number);
        const way = ways.get(key) ?? straight(from, to), n = way.numbers, colour = kindInk(list[0]);
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
    const rows = [...channels].slice(0, 200).map(([key, list]) => {
      const [from, to] = key.split(",").map(Number);
      return html("tr", {}, html("th", { scope: "row" }, `${name(from)} → ${name(to)}`), html("td", {}, list.map(label).join("; ")));
    });
    if (!rows.length) rows.push(html("tr", {}, html("td", { class: "none" }, "no messages in transit")));
    if (channels.size > 200) rows.push(html("tr", {}, html("td", { class: "none" }, `and ${channels.size - 200} more channels`)));
    $("channels").tBodies[0].replaceChildren(...rows);
  }

  /** The maximum number of rows, for speed; the filter selects others. */
  const MOST_ROWS = 200;
  function fillProcesses(changed = changedNow(), acting = actingNow()) {
    const table = $("processes");
    const columns = data.variables.map((_, i) => i);
    const title = html("tr", {}, html("th", { scope: "col" }, "process"), ...(data.anonymous ? [] : [html("th", { scope: "col" }, "id")]));
    if (view.cut) title.append(html("th", { scope: "col" }, "cut"));
    for (const i of columns) title.append(html("th", { scope: "col" }, data.variables[i]));
    table.tHead.replaceChildren(title);
    // If not all processes fit, those of the current event are shown.
    const many = view.rows.length > MOST_ROWS;
    const listed = many ? [...new Set([...acting.filter((p) => rowOf.has(p)), ...view.rows])] : view.rows;
    const rows = listed.slice(0, MOST_ROWS).map((p) => {
      const row = html("tr", acting.includes(p) ? { class: "acts" } : {}, html("td", {}, name(p)));
      if (!data.anonymous) row.append(html("td", {}, String(data.ids[p])));
      if (view.cut) {
        const input = html("input", { type: "number", min: "0", max: String(own[p].length), value: String(view.cut[p]), "aria-label": `events of ${name(p)} inside the cut` });
        input.addEventListener("change", () => {
          view.cut[p] = Math.max(0, Math.min(own[p].length, Number(input.value) || 0));
          input.value = String(view.cut[p]);
          judgeCut(); draw();
        });
        row.append(html("td", {}, input));
      }
      for (const i of columns) {
        const text = value(p, i, view.position);
        const fresh = changed.has(p * width + i);
        const cell = html("td", fresh ? { class: "changed" } : {}, text ?? "");
        if (text && text.length > 30) cell.title = text;
        row.append(cell);
      }
      return row;
    });
    if (many) rows.push(html("tr", {}, html("td", { class: "none", colspan: "4" }, `and ${view.rows.length - MOST_ROWS} more: use the filter to select others`)));
    table.tBodies[0].replaceChildren(...rows);
  }
  const changedNow = () => new Set(view.position === 0 ? [] : changes(view.position - 1).map(([p, v]) => p * width + v));
  const actingNow = () => (view.position === 0 ? [] : [events.process[view.position - 1], partner.get(view.position - 1)].filter((p) => p !== undefined));

  function told(e) {
    const p = events.process[e];
    const list = [];
    if (arrivedIn.has(e)) list.push(`⇤ woken by ${label(arrivedIn.get(e))} from ${name(messages.from[arrivedIn.get(e)])}`);
    for (const m of endedBy(e)) list.push(`${lost.has(m) ? "✗" : "←"} ${label(m)} from ${name(messages.from[m])}`);
    for (const m of sentBy(e)) list.push(`→ ${label(m)} to ${name(messages.to[m])}`);
    for (const [q, v, w] of changes(e)) list.push(`${q === p ? "" : `${name(q)}.`}${data.variables[v]} = ${data.values[w]}`);
    if (partner.has(e)) list.push(`with ${name(partner.get(e))}`);
    if (seen.has(e)) list.push(`◆ ${seen.get(e)}`);
    if (violation !== null && e === violation[0]) list.unshift(`✗ ${violation[1]}`);
    return { first: `event ${e}: ${name(p)} · ${data.actions[events.action[e]]}`, at: events.at.length === count ? `time ${events.at[e]}` : "", list };
  }
  function tellEvent() {
    const box = $("event");
    const e = view.selected >= 0 ? view.selected : view.position - 1;
    if (e < 0) { box.replaceChildren(html("b", {}, "initial configuration"), html("small", {}, count ? "→ steps forward" : "this run has no events")); return; }
    const { first, at, list } = told(e);
    const parts = [html("b", {}, first), document.createTextNode(at ? ` · ${at}` : ""), html("small", {}, list.join(" · ") || "no changes")];
    if (view.selected >= 0) {
      const past = view.relation.reduce((k, r) => k + (r === 1), 0), future = view.relation.reduce((k, r) => k + (r === 2), 0);
      const go = html("button", { type: "button" }, "Go there");
      go.addEventListener("click", () => go_to(e + 1));
      parts.push(html("small", { id: "relation" }, `selected: ${plural(past, "event")} happened before, ${future} after, ${count - 1 - past - future} concurrent `), go);
    }
    box.replaceChildren(...parts);
  }

  // ---- The position ---------------------------------------------------------------------------------------

  function go_to(position, follow = true) {
    view.position = Math.max(0, Math.min(count, position));
    $("slider").value = String(view.position);
    $("slider").setAttribute("aria-valuetext", `${view.position} of ${count} events`);
    $("position").textContent = `${view.position} of ${plural(count, "event")}`;
    $("back").disabled = $("first").disabled = view.position === 0;
    $("step").disabled = $("last").disabled = view.position === count;
    const changed = changedNow(), acting = actingNow();
    if (follow) followNetwork(acting);
    const room = vertices.length ? showNetwork(changed, acting) : null;
    showChannels(underWay(view.position), room);
    fillProcesses(changed, acting);
    tellEvent();
    if (follow) {
      const at = positionX();
      if (at < gutter + 10 || at > wide - 50) { view.left += (at - (gutter + (wide - gutter) * 0.55)) / view.scale; clamp(); }
      const row = rowOf.get(acting[0]);
      if (row !== undefined && (yOf(row) < HEAD + 8 || yOf(row) > high - 12)) { view.top += yOf(row) - high / 2; clamp(); }
    }
    try { history.replaceState(null, "", `#${view.position}`); } catch { /* not allowed in every context */ }
    draw();
  }
  function play(on) {
    clearInterval(view.playing);
    view.playing = 0;
    if (on && view.position === count) go_to(0);
    if (on) view.playing = setInterval(() => { if (view.position >= count) play(false); else go_to(view.position + 1); }, Number($("speed").value));
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
    draw();
  }
  function jump(direction) {
    if (!view.found.length) return;
    const here = view.position - 1;
    let i = direction > 0 ? above(view.found, here) : above(view.found, here - 1) - 1;
    i = (i + view.found.length) % view.found.length;
    go_to(view.found[i] + 1);
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
    setRows(chosen.size ? [...chosen] : data.ids.map((_, p) => p));
    changedFilters();
  }
  function changedFilters() {
    $("filters").classList.toggle("active", view.rows.length < processes || view.kinds.includes(false));
    measure(); clamp();
    go_to(view.position, false);
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
  function buildLegend() {
    const swatch = (colour, text, stroke) => {
      const box = html("i", stroke ? { class: "stroke" } : {});
      box.style.background = colour;
      return html("span", {}, box, text);
    };
    const parts = [];
    if (data.states.length > 1) data.states.forEach((s, i) => parts.push(swatch(ink.states[i], s)));
    if (data.kinds.length > 1) data.kinds.slice(0, 12).forEach((k, i) => parts.push(swatch(ink.kinds[i % ink.kinds.length], k, true)));
    if (data.spans.some((s) => s.some((v, i) => i % 4 === 0 && v === 1))) parts.push(swatch(ink.critical, "in the critical section"));
    if (lost.size) parts.push(html("span", {}, html("b", { class: "lost" }, "✗"), "lost message"));
    if (violation !== null) parts.push(swatch(ink.bad, `event ${violation[0]}: ${violation[1]} (ring)`, true));
    $("legend").replaceChildren(...parts);
  }

  // ---- Input ----------------------------------------------------------------------------------------------

  function listen() {
    const on = (id, what, f) => $(id).addEventListener(what, f);
    on("first", "click", () => go_to(0));
    on("back", "click", () => go_to(view.position - 1));
    on("step", "click", () => go_to(view.position + 1));
    on("last", "click", () => go_to(count));
    on("play", "click", () => play(!view.playing));
    on("speed", "change", () => { if (view.playing) play(true); });
    on("slider", "input", () => go_to(Number($("slider").value)));
    on("in", "click", () => zoom(1.4));
    on("out", "click", () => zoom(1 / 1.4));
    on("fit", "click", fit);
    on("cut-here", "click", () => setCut(cutHere()));
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
    const where = (e) => { const box = canvas.getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
    let drag = null;
    canvas.addEventListener("pointerdown", (e) => { drag = { at: where(e), left: view.left, top: view.top, moved: false }; });
    canvas.addEventListener("pointermove", (e) => {
      const [px, py] = where(e);
      if (drag && e.buttons) {
        if (Math.hypot(px - drag.at[0], py - drag.at[1]) > 4) drag.moved = true;
        if (drag.moved) { view.left = drag.left - (px - drag.at[0]) / view.scale; view.top = drag.top - (py - drag.at[1]); clamp(); draw(); }
        return;
      }
      const hover = eventAt(px, py);
      if (hover !== view.hover) { view.hover = hover; draw(); }
      canvas.style.cursor = hover >= 0 ? "pointer" : "default";
      const tip = $("tip");
      tip.hidden = hover < 0;
      if (hover >= 0) {
        const { first, at, list } = told(hover);
        tip.textContent = [first, at, ...list].filter(Boolean).join(" · ");
        tip.style.left = `${Math.min(px + 14, wide - Math.min(420, tip.offsetWidth) - 8)}px`;
        tip.style.top = `${Math.min(py + 16, high - tip.offsetHeight - 8)}px`;
      }
    });
    canvas.addEventListener("pointerup", (e) => {
      const moved = drag?.moved;
      drag = null;
      if (moved) return;
      const [px, py] = where(e);
      if (e.shiftKey) {
        const row = rowAt(py);
        if (row < 0) return;
        const p = view.rows[row], cut = view.cut ?? cutHere();
        cut[p] = above(own[p].map((e) => xOf(e)), px);
        setCut(cut);
        return;
      }
      const hit = eventAt(px, py);
      select(hit === view.selected ? -1 : hit);
    });
    canvas.addEventListener("dblclick", (e) => { const hit = eventAt(...where(e)); if (hit >= 0) { select(-1); go_to(hit + 1, false); } });
    canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; if (view.hover >= 0) { view.hover = -1; draw(); } });
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      const unit = e.deltaMode === 1 ? 18 : 1;
      if (e.ctrlKey || e.metaKey) { zoom(Math.exp(-e.deltaY * unit * 0.004), where(e)[0]); return; }
      const down = deepest() > 0 && !e.shiftKey;
      view.left += (e.deltaX + (down ? 0 : e.deltaY)) * unit / view.scale;
      if (down) view.top += e.deltaY * unit;
      clamp(); draw();
    }, { passive: false });
    new ResizeObserver(() => { measure(); clamp(); draw(); }).observe($("pane"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (e) => { document.documentElement.classList.toggle("dark", e.matches); relight(); });
  }
  function keys(e) {
    const typing = e.target.closest("input:not([type=range]):not([type=checkbox]), select, textarea");
    if (e.key === "Escape") { if (view.selected >= 0) select(-1); $("filters").open = false; return; }
    if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
    const press = {
      " ": () => play(!view.playing),
      ArrowRight: () => go_to(view.position + 1),
      ArrowLeft: () => go_to(view.position - 1),
      PageDown: () => go_to(view.position + 10),
      PageUp: () => go_to(view.position - 10),
      Home: () => go_to(0),
      End: () => go_to(count),
      "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fit,
      c: () => setCut(cutHere()),
      "/": () => $("query").focus(),
    }[e.key];
    // The space bar presses the focused button itself.
    if (!press || (e.key === " " && e.target.closest("button, summary, input"))) return;
    e.preventDefault();
    press();
  }
  function relight() { readColours(); buildLegend(); go_to(view.position, false); }

  // ---- Start ----------------------------------------------------------------------------------------------

  $("heading").textContent = `${data.algorithm} on ${data.network}`;
  const sentInAll = messages.id.filter((id, m) => id >= 0 && messages.sent[m] >= 0).length;
  $("about").textContent = `${plural(count, "event")} · ${plural(sentInAll, "message")} · schedule ${data.schedule}, seed ${data.seed} · ${data.repeats_from !== null ? `repeats from event ${data.repeats_from}` : ["limit", "settled"].includes(data.end) ? "stopped before its end" : data.end}${data.verdict ? ` · ${data.verdict}` : ""}`;
  $("slider").max = String(count);
  document.documentElement.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
  readColours();
  buildFilters();
  buildLegend();
  buildNetwork();
  if (vertices.length) { lookAt(net.whole); listenNetwork(); }
  measure();
  // Short runs are shown as a whole, long ones from the beginning.
  view.scale = Math.max(smallest(), 46);
  listen();
  const asked = Number(location.hash.slice(1));
  go_to(Number.isInteger(asked) ? asked : 0);

  // For scripts and the browser's console.
  window.synod = {
    data,
    go: go_to,
    position: () => view.position,
    /** Return the position of an event in the window. */
    where: (e) => { const box = canvas.getBoundingClientRect(); return { x: box.left + xOf(e), y: box.top + yOf(rowOf.get(events.process[e])) }; },
    select, mend,
    cut: (counts) => setCut(counts && Uint32Array.from(counts)),
    counts: () => view.cut && [...view.cut],
    lengths: own.map((list) => list.length),
    verdict: () => view.verdict,
  };
})();
