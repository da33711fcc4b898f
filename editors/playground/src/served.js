// The file that `synod serve` shows: loaded, saved, and compared with the disk. See docs/design/serve.md.

/** Seconds that the server waits for a change of the file before it answers. */
const WAIT = 20;
/** Milliseconds after an error until the file is read again. */
const RETRY = 2000;
const ENDED = "synod serve has ended: this page cannot save the program any more";

const $ = (id) => document.getElementById(id);

/** Return the path of the served file as the server knows it; null: the page was not sent by `synod serve` with a file. */
export const servedFile = () => document.querySelector("meta[name=synod-file]")?.content || null;

/**
 * Return the served file. `text()` returns the text in the editor, `replace` replaces it by one from the disk, `open` shows a text as the program of
 * this page; `told` and `notice` show a message.
 */
export function createServed(path, { text, replace, open, told, notice }) {
  const name = path.split(/[\\/]/).pop();
  /** The text and the version that the text in the editor began with, and those on disk; the latter is null if the file cannot be read. */
  let base = null, disk = null;
  /** The reason why the file cannot be read, and whether it does not exist. */
  let problem = "", isMissing = false;
  /** Whether the editor shows the file, and the text of the file while it shows another program. */
  let isShown = false, kept = "";
  /** The line ends of the file: the editor knows only "\n". */
  let lineEnd = "\n";
  let saving = null;

  const isModified = () => isShown && (isMissing || text() !== base.text);
  const isConflict = () => isModified() && disk !== null && disk.version !== base.version;

  /** Show the state on the button, in the bar and in the title. */
  function show() {
    const button = $("file-save"), modified = isModified();
    button.hidden = false;
    button.textContent = !isShown ? `Back to ${name}` : modified ? `Save ${name}` : name;
    button.title = !isShown ? `Show the program of ${path} again` : modified ? `Write the program to ${path} (Ctrl+S)` : `${path} is as on disk`;
    button.disabled = isShown && !modified;
    button.classList.toggle("primary", modified);
    $("conflict").hidden = !isConflict();
    if (isConflict()) $("conflict").firstElementChild.textContent = `${name} has changed on disk, and so has the program here. `;
  }

  /** Read the file; with a version, the server answers as soon as it has another one. Return whether it has. */
  async function read(version, signal) {
    const headers = version ? { "If-None-Match": version, Prefer: `wait=${WAIT}` } : {};
    const response = await fetch("file", { headers, signal, cache: "no-store" });
    if (response.status === 304) return false;
    const body = await response.text();
    // A text that was saved meanwhile is not a change by others.
    await saving;
    problem = response.ok ? "" : body;
    isMissing = response.status === 404;
    if (response.ok) {
      lineEnd = body.includes("\r\n") ? "\r\n" : "\n";
      disk = { text: body.replace(/\r\n?/g, "\n"), version: response.headers.get("ETag") };
    } else {
      disk = null;
    }
    return true;
  }

  /** Take over the text on disk, unless the program has been changed here. */
  function compare() {
    if (disk === null || disk.version === base?.version) return;
    const own = isShown ? text() : kept;
    if (own !== base.text && own !== disk.text) return;
    base = disk;
    kept = disk.text;
    if (!isShown || own === disk.text) return;
    replace(disk.text);
    told(`${name} has changed on disk`);
  }

  async function watch() {
    for (;;) {
      // A hidden page does not wait: browsers limit the connections to one server.
      if (document.hidden) await new Promise((go) => document.addEventListener("visibilitychange", go, { once: true }));
      const aborted = new AbortController(), hide = () => aborted.abort();
      document.addEventListener("visibilitychange", hide, { once: true });
      const before = problem;
      try {
        if (await read(disk?.version, aborted.signal)) compare();
      } catch (error) {
        if (error.name !== "AbortError") problem = ENDED;
      }
      document.removeEventListener("visibilitychange", hide);
      if (problem && problem !== before) notice(problem);
      if (!problem && before) notice("");
      show();
      if (problem) await new Promise((go) => setTimeout(go, RETRY));
    }
  }

  async function write() {
    const written = text(), condition = isMissing ? { "If-None-Match": "*" } : { "If-Match": base.version };
    const response = await fetch("file", { method: "PUT", headers: { ...condition, "Content-Type": "text/plain" }, body: written.replaceAll("\n", lineEnd) });
    if (response.ok) {
      base = disk = { text: written, version: response.headers.get("ETag") };
      problem = "";
      isMissing = false;
      notice("");
      told(`Saved ${path}`);
    } else {
      notice(await response.text());
    }
    return response.status;
  }
  async function save() {
    if (saving) return;
    if (!isShown) { told(`This is not the program of ${name}: the menu Save writes it to another file`); return; }
    if (!isModified()) { told(`${path} is as on disk`); return; }
    if (isConflict()) { notice(`${name} has changed on disk: load it, or keep this text, before you save`); return; }
    let status = 0;
    saving = write();
    try {
      status = await saving;
    } catch {
      notice(ENDED);
    }
    saving = null;
    // Another version is on disk.
    if (status === 412) {
      await read(null);
      compare();
    }
    show();
  }

  $("file-save").addEventListener("click", () => { if (isShown) save(); else open(kept).then(() => { isShown = true; compare(); show(); }); });
  $("file-load").addEventListener("click", () => { base = disk; replace(disk.text); told(`Loaded ${name}; undo in the editor brings the other text back`); show(); });
  $("file-keep").addEventListener("click", () => { base = disk; notice(""); show(); });
  document.addEventListener("keydown", (event) => {
    if (event.key?.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    save();
  });
  window.addEventListener("beforeunload", (event) => { if (base !== null && (isModified() || (!isShown && kept !== base.text))) event.preventDefault(); });

  return {
    name,
    /** The version that the changes in the editor began with; null: there are none. */
    get base() { return isModified() ? base.version : null; },
    /** Return the text to open: that on disk, or the changes that a link of this page contains: `{text, base}`. Fail if the file cannot be read. */
    async load(link) {
      await read(null);
      if (disk === null) throw new Error(problem);
      isShown = true;
      const isChanged = link !== null && link.base !== null && link.text !== disk.text;
      // Changes that began with an older version are a conflict.
      base = isChanged && link.base !== disk.version ? { text: null, version: link.base } : disk;
      return isChanged ? link.text : disk.text;
    },
    /** Compare with the disk from now on. */
    start() {
      show();
      watch();
    },
    /** Another program is shown from now on. */
    leave() {
      if (isShown) kept = text();
      isShown = false;
      show();
    },
    changed: show,
  };
}
