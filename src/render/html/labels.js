// Placement of labels: as in `synod draw`, overlapping labels cost most, labels on a line a little.

import { svg } from "./elements.js";

/** Directions around a vertex, in the order of preference. */
export const AROUND = Array.from({ length: 16 }, (_, k) => { const turn = ((k * 8 + (k >> 1)) % 16) / 16 * 2 * Math.PI; return [Math.sin(turn), -Math.cos(turn)]; });
/** The free space of a picture. */
export class Room {
  /** `scale`: of the labels; `boxes`, `lines`: what is drawn already; `edges`: left, top, right and bottom of the picture. */
  constructor(scale, boxes, lines, edges) {
    Object.assign(this, { scale, boxes, lines, edges });
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
const traced = new Map();
/** Return points along a path, from its beginning to its end. */
function points(path) {
  if (!traced.has(path)) {
    const line = svg("path", { d: path }), length = line.getTotalLength();
    const pieces = /^M[^A-Za-z]*L[^A-Za-z]*$/.test(path) ? 1 : 8;
    traced.set(path, Array.from({ length: pieces + 1 }, (_, k) => { const at = line.getPointAtLength(length * k / pieces); return [at.x, at.y]; }));
  }
  return traced.get(path);
}
/** Return a path as lines between points. */
export const linesOf = (path) => points(path).slice(1).map(([x, y], i) => [...points(path)[i], x, y]);
/** Return the places beside an arrow for the messages in transit. */
export function beside(path, n, half, bothSides, f) {
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
