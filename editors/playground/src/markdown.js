// Markdown of the tool's explanations as elements: paragraphs, headings, lists, tables of code, emphasis. Never as markup.

import { html } from "../../../src/render/html/elements.js";

/** Return a line of text with code and emphasis as nodes. Links become their texts. */
function inline(text) {
  const nodes = [];
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\([^)]*\)/g;
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    nodes.push(text.slice(last, match.index));
    const [, code, strong, emphasis, link] = match;
    if (code !== undefined) nodes.push(html("code", {}, code));
    else if (strong !== undefined) nodes.push(html("strong", {}, strong));
    else if (emphasis !== undefined) nodes.push(html("em", {}, emphasis));
    else nodes.push(...inline(link));
    last = match.index + match[0].length;
  }
  nodes.push(text.slice(last));
  return nodes.filter((node) => node !== "");
}

/** Return the elements of a text in Markdown. */
export function markdown(text) {
  const blocks = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length;) {
    const line = lines[i];
    if (line.startsWith("```")) {
      const code = [];
      for (i++; i < lines.length && !lines[i].startsWith("```"); i++) code.push(lines[i]);
      i++;
      blocks.push(html("pre", {}, html("code", {}, code.join("\n"))));
    } else if (/^#{1,6} /.test(line)) {
      blocks.push(html("p", {}, html("strong", {}, ...inline(line.replace(/^#+ /, "")))));
      i++;
    } else if (/^[-*] /.test(line)) {
      const list = html("ul");
      for (; i < lines.length && /^([-*] | {2,}\S)/.test(lines[i]); i++) list.append(html("li", {}, ...inline(lines[i].replace(/^([-*]| +) */, ""))));
      blocks.push(list);
    } else if (/^(---+|\s*)$/.test(line)) {
      i++;
    } else {
      const paragraph = [];
      for (; i < lines.length && !/^(\s*$|```|#{1,6} |[-*] |---+$)/.test(lines[i]); i++) paragraph.push(lines[i].trim());
      blocks.push(html("p", {}, ...inline(paragraph.join(" "))));
    }
  }
  return blocks;
}
