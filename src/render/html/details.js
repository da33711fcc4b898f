// The configuration at one position in words: the tables of processes and channels, and the event.

import { html, plural } from "./elements.js";

/** The maximum number of rows, for speed; the filter selects others. */
const MOST_ROWS = 200;

/** Return what fills the tables `processes` and `channels`, and the element `event`. */
export function createDetails({ processes, channels, event }, run, view) {
  const { data, events, count, width, own, name, label, value, narration } = run;

  /** Fill the table of channels with the messages in transit. */
  function showChannels() {
    const all = view.channels();
    const rows = [...all].slice(0, MOST_ROWS).map(([key, list]) => {
      const [from, to] = key.split(",").map(Number);
      return html("tr", {}, html("th", { scope: "row" }, `${name(from)} → ${name(to)}`), html("td", {}, list.map(label).join("; ")));
    });
    if (!rows.length) rows.push(html("tr", {}, html("td", { class: "none" }, "no messages in transit")));
    if (all.size > MOST_ROWS) rows.push(html("tr", {}, html("td", { class: "none" }, `and ${all.size - MOST_ROWS} more channels`)));
    channels.tBodies[0].replaceChildren(...rows);
  }

  /** Fill the table of processes. `changedCut` reacts to a cut that has been edited. */
  function showProcesses(changedCut) {
    const changed = run.changedAt(view.position), acting = run.actingAt(view.position);
    const columns = data.variables.map((_, i) => i);
    const title = html("tr", {}, html("th", { scope: "col" }, "process"), ...(data.anonymous ? [] : [html("th", { scope: "col" }, "id")]));
    if (view.cut) title.append(html("th", { scope: "col" }, "cut"));
    for (const i of columns) title.append(html("th", { scope: "col" }, data.variables[i]));
    processes.tHead.replaceChildren(title);
    // If not all processes fit, those of the current event are shown.
    const many = view.rows.length > MOST_ROWS;
    const listed = many ? [...new Set([...acting.filter((p) => view.rowOf.has(p)), ...view.rows])] : view.rows;
    const rows = listed.slice(0, MOST_ROWS).map((p) => {
      const row = html("tr", acting.includes(p) ? { class: "acts" } : {}, html("td", {}, name(p)));
      if (!data.anonymous) row.append(html("td", {}, String(data.ids[p])));
      if (view.cut) {
        const input = html("input", { type: "number", min: "0", max: String(own[p].length), value: String(view.cut[p]), "aria-label": `events of ${name(p)} inside the cut` });
        input.addEventListener("change", () => {
          view.cut[p] = Math.max(0, Math.min(own[p].length, Number(input.value) || 0));
          input.value = String(view.cut[p]);
          changedCut();
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
    processes.tBodies[0].replaceChildren(...rows);
  }

  /** Describe the selected event, or the last one before the position. `go` goes to a position. */
  function showEvent(go) {
    const e = view.selected >= 0 ? view.selected : view.position - 1;
    if (e < 0) { event.replaceChildren(html("b", {}, "initial configuration"), html("small", {}, count ? "→ steps forward" : view.nothing)); return; }
    const { first, at, list } = narration(e);
    const parts = [html("b", {}, first), document.createTextNode(at ? ` · ${at}` : ""), html("small", {}, list.join(" · ") || "no changes")];
    if (view.selected >= 0) {
      const past = view.relation.reduce((k, r) => k + (r === 1), 0), future = view.relation.reduce((k, r) => k + (r === 2), 0);
      const button = html("button", { type: "button" }, "Go there");
      button.addEventListener("click", () => go(e + 1));
      parts.push(html("small", { id: "relation" }, `selected: ${plural(past, "event")} happened before, ${future} after, ${count - 1 - past - future} concurrent `), button);
    }
    event.replaceChildren(...parts);
  }

  return { showChannels, showProcesses, showEvent };
}
