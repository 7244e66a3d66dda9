import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes } from "parse5";
import { DocumentFault } from "../fault.ts";
import { load } from "../load.ts";

export type HtmlDocument = DefaultTreeAdapterTypes.Document;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Most elements in one another; browsers keep at most 512. */
const maxDepth = 1000;
/** Most elements of a tree: unclosed elements such as `<b>` are repeated in every following paragraph. */
const maxElements = 1_000_000;

/**
 * Parses a document, or a part of one, into the tree that the HTML standard requires (§13.2): `html`, `head`, `body` and `tbody`
 * are there even if they are not written, and cells outside of a table are not. No script runs, so `noscript` has elements.
 * @throws DocumentFault if elements nest more than 1,000 levels deep, or if they become more than 1,000,000
 */
export async function readHtml(text: string): Promise<HtmlDocument> {
  const { parse, defaultTreeAdapter } = await load("parse5");
  let depth = 0;
  let elements = 0;
  let at = 0;
  const tooLarge = (what: string, limit: number): DocumentFault =>
    new DocumentFault(`The document ${what}, the limit.`, { index: at }, "too-large", limit);
  return parse<DefaultTreeAdapterMap>(text, {
    scriptingEnabled: false,
    sourceCodeLocationInfo: true,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(...parts) {
        if (++elements > maxElements) throw tooLarge(`has more than ${maxElements} elements`, maxElements);
        return defaultTreeAdapter.createElement(...parts);
      },
      onItemPush() {
        if (++depth > maxDepth) throw tooLarge(`nests more than ${maxDepth} levels deep`, maxDepth);
      },
      onItemPop() {
        depth--;
      },
      // The tree keeps no places; a fault has that of the last start tag.
      setNodeSourceCodeLocation(_, location) {
        at = location?.startOffset ?? at;
      },
      getNodeSourceCodeLocation: () => null,
      updateNodeSourceCodeLocation() {},
      insertBefore: insert,
      insertTextBefore(parent, value, before) {
        const previous = parent.childNodes[parent.childNodes.lastIndexOf(before) - 1];
        if (previous !== undefined && defaultTreeAdapter.isTextNode(previous)) previous.value += value;
        else insert(parent, defaultTreeAdapter.createTextNode(value), before);
      },
      detachNode(node) {
        const siblings = node.parentNode?.childNodes;
        if (siblings === undefined) return;
        siblings.splice(siblings.lastIndexOf(node), 1);
        node.parentNode = null;
      },
    },
  });
}

/** A node that a table may not contain goes before it. The table is the last node then, so a search from the end costs nothing. */
function insert(
  parent: HtmlParent,
  node: DefaultTreeAdapterTypes.ChildNode,
  before: DefaultTreeAdapterTypes.ChildNode,
): void {
  parent.childNodes.splice(parent.childNodes.lastIndexOf(before), 0, node);
  node.parentNode = parent;
}
