import type { Options } from "css-select";
import { OptionFault } from "../fault.ts";
import { load } from "../load.ts";
import { type Compile, createNth } from "./nth.ts";
import type { HtmlElement, HtmlNode, HtmlParent } from "./read.ts";

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>["adapter"]>;

/** Most parentheses in one another in a selector: the library compiles it recursively. */
const maxNesting = 50;

/**
 * Compiles a CSS selector (Selectors Level 4 as far as css-select has it, and `:contains()`) to a function that tells whether it
 * matches an element. Names of elements and attributes match in any case; classes and ids as they are written.
 * @throws OptionFault if it is not a selector
 */
export async function compileSelector(selector: string): Promise<(element: HtmlElement) => boolean> {
  checkNesting(selector);
  const { compile } = await load("css-select");
  const adapter = createAdapter();
  const compileInner: Compile = (inner) => compile<HtmlNode, HtmlElement>(inner, { adapter, pseudos });
  const pseudos = {
    "nth-child": createNth(adapter, compileInner, {}),
    "nth-last-child": createNth(adapter, compileInner, { last: true }),
    "nth-of-type": createNth(adapter, compileInner, { ofType: true }),
    "nth-last-of-type": createNth(adapter, compileInner, { last: true, ofType: true }),
  };
  try {
    // Checks the arguments of what `pseudos` replaces, which would be read only where an element needs them.
    compile<HtmlNode, HtmlElement>(selector, { adapter });
    return compileInner(selector);
  } catch (error) {
    throw new OptionFault(toSentence(error));
  }
}

function createAdapter(): Adapter {
  /** Each element's element before it: the library compares all siblings otherwise, for each of them. */
  const previous = new WeakMap<HtmlNode, HtmlElement | null>();
  const listed = new WeakSet<HtmlParent>();
  const list = (parent: HtmlParent): void => {
    listed.add(parent);
    let last: HtmlElement | null = null;
    for (const node of parent.childNodes) {
      previous.set(node, last);
      if (isElement(node)) last = node;
    }
  };
  const getSiblings = (node: HtmlNode): HtmlNode[] => parentOf(node)?.childNodes ?? [node];
  return {
    isTag: isElement,
    getAttributeValue: attributeOf,
    hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
    getChildren: (node) => ("childNodes" in node ? node.childNodes : []),
    // The library compares names in small letters; SVG has some with capital letters.
    getName: ({ tagName }) => tagName.toLowerCase(),
    getParent: parentOf,
    getSiblings,
    prevElementSibling(node) {
      const parent = parentOf(node);
      if (parent !== null && !listed.has(parent)) list(parent);
      return previous.get(node) ?? null;
    },
    getText: rawTextOf,
    removeSubsets: (nodes) => nodes,
  };
}

export const isElement = (node: HtmlNode): node is HtmlElement => "tagName" in node;

const parentOf = (node: HtmlNode): HtmlParent | null => ("parentNode" in node ? node.parentNode : null);

/** Returns the value of an attribute by its name as it is written, such as `xlink:href`, in any case. */
export function attributeOf(element: HtmlElement, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return element.attrs.find((attribute) => attributeName(attribute).toLowerCase() === wanted)?.value;
}

/** Returns the name of an attribute with the prefix that HTML gives it in SVG and MathML (§13.2.6.5). */
export const attributeName = ({ name, prefix }: HtmlElement["attrs"][number]): string =>
  prefix === undefined || prefix === "" ? name : `${prefix}:${name}`;

function rawTextOf(from: HtmlNode): string {
  let text = "";
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === "#text" && "value" in node) text += node.value;
    if ("childNodes" in node)
      for (let at = node.childNodes.length - 1; at >= 0; at--) open.push(node.childNodes[at] as HtmlNode);
  }
  return text;
}

function checkNesting(selector: string): void {
  let depth = 0;
  for (let index = 0; index < selector.length; index++) {
    if (selector[index] === "(" && ++depth > maxNesting)
      throw new OptionFault(`A selector can have at most ${maxNesting} parentheses in one another`, {
        index,
      });
    if (selector[index] === ")") depth--;
  }
}

function toSentence(error: unknown): string {
  if (error instanceof RangeError) return "The selector is too long";
  const message = (error instanceof Error ? error.message : String(error)).replace(/ by css-select$/, "");
  return `This is not a CSS selector that is supported here: ${message.length > 160 ? `${message.slice(0, 160)}…` : message}`;
}
