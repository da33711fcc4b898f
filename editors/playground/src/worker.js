// A worker that answers requests in an instance of the WebAssembly module.

import { Workbench } from "../wasm/workbench.mjs";

let bench = null;

self.onmessage = async ({ data }) => {
  if (data.module) {
    bench = WebAssembly.instantiate(data.module, {}).then((instance) => new Workbench(instance));
    return;
  }
  try {
    self.postMessage({ id: data.id, answer: (await bench).answer(data.request) });
  } catch (error) {
    self.postMessage({ id: data.id, trap: error.message });
  }
};
