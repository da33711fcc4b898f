// The space-time diagram: a canvas that draws only the visible part of a run.

import { above } from "./run.js";

/** The height of the head line, in pixels. */
const HEAD = 30;
/** The maximum number of arrows: of more, only a sample is drawn. */
const MOST_ARROWS = 6000;
const MARKS = { start: 1, timeout: 2, halt: 3, crash: 4, restart: 5, environment: 6 };

/** Return the diagram of a run on a canvas in a pane. */
export function createDiagram({ canvas, pane, sampled, tip }, run, view) {
  const { data, events, messages, count, own, startOf, lost, copyOf, partner, violation, name, textOf, narration, sentBy, endedBy, underWay } = run;
  const brush = canvas.getContext("2d");
  let gutter = 90, rowHeight = 60, wide = 0, high = 0;
  const lastPlace = count ? events.place[count - 1] / 100 : 0;
  const x = (column) => gutter + 28 + (column - view.left) * view.scale;
  const xOf = (e) => x(events.place[e] / 100);
  const yOf = (row) => HEAD + rowHeight * (row + 0.55) - view.top;
  const columnAt = (pixel) => (pixel - gutter - 28) / view.scale + view.left;

  function measure() {
    const box = pane.getBoundingClientRect();
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
    brush.fillStyle = view.ink.bg;
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
      if (i % 2 === 0) { brush.fillStyle = view.ink.band; brush.fillRect(x0, 0, Math.max(1, x1 - x0), high); }
      brush.fillStyle = view.ink.quiet;
      const text = data.bands[i].slice(1).find((t) => brush.measureText(t).width < x1 - x0 - 4);
      if (text && x0 > free) { brush.fillText(text, (x0 + x1) / 2, 14); free = x0; }
    }
    if (data.round_from !== null && data.round_from >= from && data.round_from < to) {
      const at = xOf(data.round_from) - view.scale * 0.62;
      brush.strokeStyle = view.ink.quiet;
      brush.setLineDash([2, 4]);
      brush.beginPath();
      brush.moveTo(at, 0);
      brush.lineTo(at, high);
      brush.stroke();
      brush.setLineDash([]);
      brush.fillStyle = view.ink.quiet;
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
        brush.fillStyle = view.ink.rule;
        if (view.scale > 8) brush.fillRect(at, 18, 1, high);
        if (at - half < room) continue;
        brush.fillStyle = view.ink.quiet;
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
          brush.fillStyle = view.ink.states[state];
          brush.fillRect(x0, y - 6, x1 - x0, 12);
        }
        brush.strokeStyle = condition === 0 ? view.ink.line : view.ink.faint;
        brush.lineWidth = 1.3;
        brush.setLineDash(condition === 0 ? [] : [2, 4]);
        brush.beginPath(); brush.moveTo(Math.max(x0, gutter), y); brush.lineTo(Math.min(x1, wide), y); brush.stroke();
        brush.setLineDash([]);
        const named = state >= 0 && condition === 0 && data.states.length > 1 && x1 - x0 > 46 && lives[3 * i - 2] !== state && rowHeight > 34;
        if (named && e >= 0) {
          brush.font = "600 10.5px system-ui, sans-serif";
          brush.textAlign = "left";
          brush.fillStyle = view.ink.text;
          halo(data.states[state], x0 + 8, y - 9);
        }
      }
    }
  }
  function halo(text, atX, atY) {
    const fill = brush.fillStyle;
    brush.lineWidth = 3.5; brush.lineJoin = "round"; brush.strokeStyle = view.ink.bg;
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
        brush.strokeStyle = view.ink["critical-rim"];
        brush.lineWidth = 1.4;
        if (critical) {
          brush.fillStyle = view.ink.critical;
          brush.beginPath(); brush.rect(x0, y - 7, x1 - x0, 14); brush.fill(); brush.stroke();
        } else {
          brush.beginPath(); brush.moveTo(x0, y + 8); brush.lineTo(x0, y + 13); brush.lineTo(x1, y + 13); brush.lineTo(x1, y + 8); brush.stroke();
        }
      }
    }
  }

  function paintMessages(from, to, taken, firstRow, lastRow) {
    const list = [];
    const consider = (m) => {
      const a = view.rowOf.get(messages.from[m]), b = view.rowOf.get(messages.to[m]);
      if (!view.wants(m) || (a === undefined && b === undefined)) return;
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
      arrow(m, view.rowOf.get(messages.from[m]), view.rowOf.get(messages.to[m]), labels, crossing.has(m));
    });
    brush.globalAlpha = 1;
    if (view.scale >= 30 && labels.length < 700) for (const l of labels) along(l, taken);
    const said = every > 1 ? `One arrow of ${every} is drawn, of ${list.length.toLocaleString("en")}. To see all: zoom in (+), or choose processes or messages under Filters.` : "";
    if (sampled.textContent !== said) { sampled.textContent = said; sampled.hidden = !said; }
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
    brush.strokeStyle = backwards ? view.ink.bad : view.ink.kind(m);
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
      brush.strokeStyle = view.ink.bad; brush.lineWidth = 2;
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
      brush.fillStyle = view.ink.kind(m);
      halo(text, 0, 3.6);
      brush.restore();
      return;
    }
  }

  function paintEvents(from, to, firstRow, lastRow) {
    const small = view.scale < 7;
    const done = new Map(); // the last pixel drawn in each row
    for (let e = from; e < to; e++) {
      const p = events.process[e], row = view.rowOf.get(p), at = xOf(e);
      const q = partner.get(e), other = q === undefined ? undefined : view.rowOf.get(q);
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
      const tone = view.selected >= 0 && view.relation[e] ? (view.relation[e] === 1 ? view.ink.past : view.ink.future) : view.ink.text;
      const happened = e < view.position;
      if (row !== undefined && other !== undefined && row !== other) {
        brush.strokeStyle = view.ink.pair; brush.lineWidth = 2;
        brush.beginPath(); brush.moveTo(at, y); brush.lineTo(at, yOf(other)); brush.stroke();
        dot(at, yOf(other), small ? 1.6 : 4.2, tone, happened);
      }
      mark(at, y, events.mark[e], small, tone, happened);
      if (violates) {
        brush.strokeStyle = view.ink.bad; brush.lineWidth = 2.4;
        brush.beginPath(); brush.arc(at, y, 11, 0, 7); brush.stroke();
      }
      if (e === view.selected || e === view.hover || view.foundSet.has(e)) {
        brush.strokeStyle = e === view.selected ? view.ink.accent : view.foundSet.has(e) ? view.ink.found : view.ink.quiet;
        brush.lineWidth = 2.4;
        brush.beginPath(); brush.arc(at, y, 8.5, 0, 7); brush.stroke();
      }
    }
    brush.globalAlpha = 1;
  }
  function dot(atX, atY, r, tone, happened) {
    brush.beginPath(); brush.arc(atX, atY, r, 0, 7);
    brush.fillStyle = happened ? tone : view.ink.bg; brush.fill();
    brush.strokeStyle = tone; brush.lineWidth = r < 2 ? 0.8 : 1.5; brush.stroke();
  }
  function mark(atX, atY, kind, small, tone, happened) {
    if (kind === MARKS.crash) {
      const r = small ? 2.5 : 5.5;
      brush.strokeStyle = view.ink.bad; brush.lineWidth = small ? 1.4 : 2.4;
      brush.beginPath(); brush.moveTo(atX - r, atY - r); brush.lineTo(atX + r, atY + r); brush.moveTo(atX + r, atY - r); brush.lineTo(atX - r, atY + r); brush.stroke();
      return;
    }
    if (small) { dot(atX, atY, 1.6, tone, happened); return; }
    if (kind === MARKS.halt) {
      brush.fillStyle = happened ? tone : view.ink.bg; brush.strokeStyle = tone; brush.lineWidth = 1.5;
      brush.beginPath(); brush.rect(atX - 4.5, atY - 4.5, 9, 9); brush.fill(); brush.stroke();
      return;
    }
    dot(atX, atY, kind === MARKS.environment ? 2.6 : 4.3, tone, happened);
    if (kind === MARKS.timeout || kind === MARKS.restart) {
      brush.strokeStyle = kind === MARKS.restart ? view.ink.good : tone; brush.lineWidth = 1.5;
      brush.beginPath(); brush.arc(atX, atY, 7.2, kind === MARKS.restart ? 0.8 : 0, kind === MARKS.restart ? 5.9 : 7); brush.stroke();
    }
  }

  function paintPosition() {
    const at = positionX();
    brush.fillStyle = view.ink.bg; brush.globalAlpha = 0.3;
    brush.fillRect(at, HEAD - 8, wide, high);
    brush.globalAlpha = 1;
    brush.strokeStyle = view.ink.accent; brush.lineWidth = 1.8;
    brush.beginPath(); brush.moveTo(at, 18); brush.lineTo(at, high); brush.stroke();
    brush.fillStyle = view.ink.accent;
    brush.beginPath(); brush.moveTo(at - 5, 18); brush.lineTo(at + 5, 18); brush.lineTo(at, 26); brush.fill();
  }
  const positionX = () => (view.position === 0 ? x(0) - Math.min(18, view.scale / 2 + 6) : xOf(view.position - 1) + Math.min(12, view.scale * 0.4));

  function paintCut(firstRow, lastRow) {
    if (!view.cut) return;
    brush.strokeStyle = view.verdict.consistent ? view.ink.good : view.ink.bad;
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
    brush.fillStyle = view.ink.bg;
    brush.fillRect(0, 0, gutter - 6, high);
    brush.textAlign = "right";
    for (let row = firstRow; row < lastRow; row++) {
      const p = view.rows[row], y = yOf(row);
      if (y < HEAD) continue;
      brush.font = "600 12.5px system-ui, sans-serif";
      brush.fillStyle = view.ink.text;
      brush.fillText(name(p), gutter - 12, rowHeight > 34 ? y + 1 : y + 4, gutter - 14);
      if (rowHeight > 34) {
        brush.font = "10.5px system-ui, sans-serif";
        brush.fillStyle = view.ink.quiet;
        const role = data.roles[p] ? `${data.roles[p]}, ` : "";
        brush.fillText(data.anonymous ? role.replace(", ", "") : `${role}id ${data.ids[p]}`, gutter - 12, y + 14, gutter - 14);
      }
    }
    if (events.at.length === count && count > 0) {
      brush.font = "11px system-ui, sans-serif"; brush.fillStyle = view.ink.quiet; brush.fillText("time", gutter - 12, 14);
    }
  }
  function paintScroll() {
    const shown = (wide - gutter - 70) / view.scale;
    if (shown < lastPlace) {
      const track = wide - gutter - 8, size = Math.max(24, track * shown / (lastPlace + 0.6));
      const at = gutter + (track - size) * view.left / Math.max(1e-9, lastPlace - shown + 0.6);
      brush.fillStyle = view.ink.faint;
      brush.beginPath(); brush.roundRect(at, high - 7, size, 5, 2.5); brush.fill();
    }
    if (deepest() > 0) {
      const track = high - HEAD - 12, size = Math.max(20, track * high / (deepest() + high));
      brush.fillStyle = view.ink.faint;
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
      const row = view.rowOf.get(p);
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
  /** Scroll so that the position and the acting process are visible. */
  function follow() {
    const [acting] = run.actingAt(view.position);
    const at = positionX();
    if (at < gutter + 10 || at > wide - 50) { view.left += (at - (gutter + (wide - gutter) * 0.55)) / view.scale; clamp(); }
    const row = view.rowOf.get(acting);
    if (row !== undefined && (yOf(row) < HEAD + 8 || yOf(row) > high - 12)) { view.top += yOf(row) - high / 2; clamp(); }
  }

  /** Listen to the pointer. `on` has the reactions: `select` an event, `go` to it, `cut` a process after some of its events, `hover`. */
  function listen(on, signal) {
    const listen = (what, react, options = {}) => canvas.addEventListener(what, react, { ...options, signal });
    const where = (e) => { const box = canvas.getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
    let drag = null;
    listen("pointerdown", (e) => { drag = { at: where(e), left: view.left, top: view.top, moved: false }; });
    listen("pointermove", (e) => {
      const [px, py] = where(e);
      if (drag && e.buttons) {
        if (Math.hypot(px - drag.at[0], py - drag.at[1]) > 4) drag.moved = true;
        if (drag.moved) { view.left = drag.left - (px - drag.at[0]) / view.scale; view.top = drag.top - (py - drag.at[1]); clamp(); draw(); }
        return;
      }
      const hover = eventAt(px, py);
      if (hover !== view.hover) { view.hover = hover; draw(); }
      canvas.style.cursor = hover >= 0 ? "pointer" : "default";
      tip.hidden = hover < 0;
      if (hover >= 0) {
        const { first, at, list } = narration(hover);
        tip.textContent = [first, at, ...list].filter(Boolean).join(" · ");
        tip.style.left = `${Math.min(px + 14, wide - Math.min(420, tip.offsetWidth) - 8)}px`;
        tip.style.top = `${Math.min(py + 16, high - tip.offsetHeight - 8)}px`;
      }
    });
    listen("pointerup", (e) => {
      const moved = drag?.moved;
      drag = null;
      if (moved) return;
      const [px, py] = where(e);
      if (e.shiftKey) {
        const row = rowAt(py);
        if (row < 0) return;
        const p = view.rows[row];
        on.cut?.(p, above(own[p].map((e) => xOf(e)), px));
        return;
      }
      const hit = eventAt(px, py);
      on.select(hit === view.selected ? -1 : hit);
    });
    listen("dblclick", (e) => { const hit = eventAt(...where(e)); if (hit >= 0) { on.select(-1); on.go(hit + 1); } });
    listen("pointerleave", () => { tip.hidden = true; if (view.hover >= 0) { view.hover = -1; draw(); } });
    listen("wheel", (e) => {
      e.preventDefault();
      const unit = e.deltaMode === 1 ? 18 : 1;
      if (e.ctrlKey || e.metaKey) { zoom(Math.exp(-e.deltaY * unit * 0.004), where(e)[0]); return; }
      const down = deepest() > 0 && !e.shiftKey;
      view.left += (e.deltaX + (down ? 0 : e.deltaY)) * unit / view.scale;
      if (down) view.top += e.deltaY * unit;
      clamp(); draw();
    }, { passive: false });
    const resized = new ResizeObserver(() => { measure(); clamp(); draw(); });
    resized.observe(pane);
    signal?.addEventListener("abort", () => resized.disconnect());
  }
  /** Return the position of an event in the window. */
  const where = (e) => { const box = canvas.getBoundingClientRect(); return { x: box.left + xOf(e), y: box.top + yOf(view.rowOf.get(events.process[e])) }; };

  return { measure, clamp, draw, zoom, fit, follow, listen, where, smallest };
}
