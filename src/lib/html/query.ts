import { checkLength } from "../data/result-length.ts";
import { load } from "../load.ts";
import { type HtmlElement, type HtmlNode, readHtml } from "./read.ts";
import { attributeName, attributeOf, compileSelector, isElement } from "./select.ts";

/** An element that a selector matches. All that is read of the matches of a query is limited together. */
export interface HtmlMatch {
  readonly name: string;
  attributes(): Map<string, string>;
  /** By its name in any case, such as `xlink:href`. */
  attribute(name: string): string | undefined;
  /** Text without that of scripts and styles in it, white space collapsed, with a space between blocks. @throws DocumentFault */
  text(): string;
  /** The element as `outerHTML` has it (HTML §13.3). @throws DocumentFault */
  html(): string;
}

/**
 * Finds the elements of a document that a CSS selector matches, in the order of the document.
 * @throws DocumentFault if the document nests too deeply or becomes too large
 * @throws OptionFault if the selector is not one
 */
export async function queryHtml(text: string, selector: string): Promise<Iterable<HtmlMatch>> {
  const matches = await compileSelector(selector);
  const { serializeOuter } = await load("parse5");
  const document = await readHtml(text);
  let length = 0;
  // Elements in one another repeat their text.
  const counted = (part: string): string => {
    length += part.length;
    checkLength(length);
    return part;
  };
  const toMatch = (element: HtmlElement): HtmlMatch => ({
    name: element.tagName,
    attributes: () => new Map(element.attrs.map((one) => [attributeName(one), counted(one.value)])),
    attribute: (name) => attributeOf(element, name),
    text: () => counted(shownText(element)),
    html: () => counted(serializeOuter(element, { scriptingEnabled: false })),
  });
  return (function* () {
    for (const element of elementsOf(document)) if (matches(element)) yield toMatch(element);
  })();
}

function* elementsOf(root: HtmlNode): Generator<HtmlElement> {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isElement(node)) yield node;
    if ("childNodes" in node)
      for (let at = node.childNodes.length - 1; at >= 0; at--) open.push(node.childNodes[at] as HtmlNode);
  }
}

const hidden: ReadonlySet<string> = new Set(["script", "style"]);

/** Elements that begin and end a line; a space stands for both ends. */
const blocks: ReadonlySet<string> = new Set(
  "address article aside blockquote br button caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main nav ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

function shownText(element: HtmlElement): string {
  const parts: string[] = [];
  const open: (HtmlNode | undefined)[] = [element];
  while (open.length > 0) {
    const node = open.pop();
    if (node === undefined) parts.push(" ");
    else if (node.nodeName === "#text" && "value" in node) parts.push(node.value);
    else if ("childNodes" in node && (node === element || !hidden.has(node.nodeName))) {
      const block = blocks.has(node.nodeName);
      if (block) parts.push(" ");
      if (block) open.push(undefined);
      for (let at = node.childNodes.length - 1; at >= 0; at--) open.push(node.childNodes[at] as HtmlNode);
    }
  }
  return parts
    .join("")
    .replaceAll(/[\t\n\f\r ]+/g, " ")
    .replace(/^ | $/g, "");
}
