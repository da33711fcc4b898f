// The fragment of the URL: program, options, steps and position, compressed. Whoever sends a link controls it, so everything is checked.

/** The first characters: the version of the form. */
const PREFIX = "1.";
/** Limits on the fragment and on the text inside. */
const MOST_CHARACTERS = 200_000, MOST_BYTES = 2_000_000;
/** The maximum length of a fragment that is written: a longer one does not fit into messages and address bars. */
export const LONGEST = 30_000;

/** The names of programs in a link. */
const NAME = /^[\w./-]{1,100}$/;

/** The options of a run that a link contains, with the type of each. */
const OPTIONS = { on: "string", ids: "string", initiators: "string", ports: "number", faults: "string", schedule: "string", seed: "number", daemon: "string" };

async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    // A short text may expand to gigabytes.
    if (size > MOST_BYTES) { await reader.cancel(); throw new Error("it is too long"); }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

const toBase64 = (bytes) => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

/** Return the fragment, without `#`, of what a link contains: `{text, name, options, script, position, shows, base}`. */
export async function encode(content) {
  const { name, ...others } = content;
  const bytes = new TextEncoder().encode(JSON.stringify(NAME.test(name) ? content : others));
  return PREFIX + toBase64(await through(bytes, new CompressionStream("deflate-raw")));
}

/** Return what a fragment contains; fail with the reason if it was not written by `encode`. */
export async function decode(fragment) {
  if (fragment.length > MOST_CHARACTERS) throw new Error("it is too long");
  if (!fragment.startsWith(PREFIX)) throw new Error("it is not from this version of the page");
  if (!/^[\w-]+$/.test(fragment.slice(PREFIX.length))) throw new Error("it has characters that no link has");
  let content;
  try {
    const bytes = await through(fromBase64(fragment.slice(PREFIX.length)), new DecompressionStream("deflate-raw"));
    content = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Error(error.message === "it is too long" ? error.message : "it is damaged, perhaps cut off");
  }
  return checked(content);
}

function checked(content) {
  const fail = (what) => { throw new Error(`its ${what} cannot be read`); };
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(content)) fail("content");
  const { text, name = "program.syn", options = {}, script = null, position = 0, shows = null, base = null } = content;
  if (typeof text !== "string") fail("program");
  if (typeof name !== "string" || !NAME.test(name)) fail("name");
  if (!isObject(options)) fail("options");
  const read = {};
  for (const [key, type] of Object.entries(OPTIONS)) {
    if (options[key] === undefined || options[key] === null) continue;
    if (typeof options[key] !== type) fail(`option ${key}`);
    read[key] = options[key];
  }
  if (options.parameters !== undefined) {
    if (!isObject(options.parameters)) fail("parameters");
    const entries = Object.entries(options.parameters);
    if (!entries.every(([key, value]) => /^\w{1,60}$/.test(key) && typeof value === "string")) fail("parameters");
    read.parameters = Object.fromEntries(entries);
  }
  if (script !== null && (typeof script !== "string" || !/^[\w,:*@+.%-]*$/.test(script))) fail("steps");
  if (!Number.isSafeInteger(position) || position < 0) fail("position");
  if (shows !== null && (typeof shows !== "string" || shows.length > 100)) fail("property");
  if (base !== null && (typeof base !== "string" || base.length > 100)) fail("version");
  return { text, name, options: read, script, position, shows, base };
}
