// Elements of a page, built from texts and never from markup.

/** Return a new SVG element. */
export const svg = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, v] of Object.entries(attributes)) element.setAttribute(key, v);
  element.append(...children);
  return element;
};
/** Return a new HTML element. */
export const html = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, v] of Object.entries(attributes)) element.setAttribute(key, v);
  element.append(...children);
  return element;
};
/** Return a number and a noun, in the plural where needed. */
export const plural = (k, word) => (k === 1 ? `1 ${word}` : `${k} ${word}s`);
