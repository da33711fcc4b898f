// What a page shows of a run: the position, the selection, filters and colours.

/** Return the view of a run at its beginning. */
export function createView(run) {
  const view = {
    position: 0,
    selected: -1,
    relation: null, // to the selected event: 1 past, 2 future, for each event
    cut: null,
    verdict: null,
    rows: [],
    rowOf: new Map(),
    kinds: run.data.kinds.map(() => true),
    found: [],
    foundSet: new Set(),
    hover: -1,
    scale: 60, // pixels a column
    left: 0, // column at the left edge
    top: 0, // pixels scrolled down
    playing: 0,
    nothing: "this run has no events",
    ink: readColours(run),
  };
  view.setRows = (rows) => { view.rows = rows; view.rowOf = new Map(rows.map((p, i) => [p, i])); };
  view.setRows(Array.from({ length: run.processes }, (_, p) => p));
  view.select = (e) => { view.selected = e; view.relation = e < 0 ? null : run.relationTo(e); };
  /** Return whether the filters show a message. */
  view.wants = (m) => { const k = run.kindOf(m); return k < 0 || view.kinds[k]; };
  /** Return the messages in transit that the filters show, by channel `from,to`, in the order of sending. */
  view.channels = () => {
    const channels = new Map();
    for (const m of [...run.underWay(view.position)].sort((a, b) => a - b)) {
      if (!view.wants(m) || run.messages.id[m] < 0) continue;
      const key = `${run.messages.from[m]},${run.messages.to[m]}`;
      if (!channels.has(key)) channels.set(key, []);
      channels.get(key).push(m);
    }
    return channels;
  };
  return view;
}

const INKS = [
  "bg", "panel", "text", "quiet", "rule", "line", "faint", "accent", "band", "bad", "good", "critical", "critical-rim", "past", "future",
  "given-way", "pair", "found",
];

/** Return whether the page is dark. */
export const isDark = () => document.documentElement.classList.contains("dark");

/** Return the colours of the style sheet, and those of the states and messages of a run. */
export function readColours(run) {
  const { data } = run, side = isDark() ? 1 : 0, style = getComputedStyle(document.documentElement);
  const ink = Object.fromEntries(INKS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  ink.kinds = data.palette.kinds.map((pair) => pair[side]);
  let next = 0;
  ink.states = data.states.map((_, i) => (data.filled[i] ? ink["given-way"] : data.palette.states[next++ % data.palette.states.length][side]));
  ink.kind = (m) => { const k = run.kindOf(m); return k < 0 ? ink.quiet : ink.kinds[k % ink.kinds.length]; };
  return ink;
}
