// Pictures that the module draws. As images they can run no script and load nothing.

import { html } from "../../../src/render/html/elements.js";

/** Return an SVG text as an image with a description. */
export function image(svg, alt) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const element = html("img", { alt, src: url, class: "plot" });
  const release = () => URL.revokeObjectURL(url);
  element.addEventListener("load", release);
  element.addEventListener("error", release);
  return element;
}
