import type { DomFacade, Options } from "fontoxpath";
import { OptionFault } from "../fault.ts";
import { load } from "../load.ts";
import { refusedName, resolveFunction } from "./functions.ts";
import { kinds, type XmlNode, type XmlTree } from "./tree.ts";

/** A result: a node, an atomic value, or an array or map of them. Values other than numbers and booleans are strings. */
export type XPathItem = XmlNode | string | number | boolean | XPathItem[] | { [key: string]: XPathItem };

/** Library values such as dates and binaries lose their form as values of JavaScript, so the query writes them as strings. */
const typed = ["node()", "xs:boolean", "xs:numeric", "map(*)", "array(*)"]
  .map((type) => `. instance of ${type}`)
  .join(" or ");

/**
 * Evaluates an XPath 3.1 expression with a document as its context. It computes with doubles.
 * @param namespaces By prefix, "" for the names of elements without one; without an entry, the prefixes of the root element apply.
 * @throws OptionFault if the expression is not XPath, uses what is not available here, or fails
 */
export async function queryXml(
  { document, prefixes }: XmlTree,
  query: string,
  namespaces: ReadonlyMap<string, string>,
): Promise<XPathItem[]> {
  const library = await load("fontoxpath");
  const { evaluateXPath, evaluateXPathToAsyncIterator } = library.default ?? library;
  const refused = refusedName(query);
  if (refused !== undefined) throw refused;
  const findNamespace = (prefix: string): string | null =>
    namespaces.get(prefix) ?? (prefix === "" ? null : (prefixes.get(prefix) ?? null));
  const options: Options = {
    language: "XPath3.1",
    namespaceResolver: findNamespace,
    functionNameResolver: ({ prefix, localName }) => resolveFunction(prefix, localName, findNamespace),
    disableCache: true,
    logger: { trace() {} },
  };
  try {
    // Parses the query alone: it must not end the parentheses below.
    void evaluateXPathToAsyncIterator(query, document, facade, {}, options);
    return evaluateXPath(
      `(${query}\n) ! (if (${typed}) then . else string(.))`,
      document,
      facade,
      {},
      evaluateXPath.ALL_RESULTS_TYPE,
      options,
    ) as XPathItem[];
  } catch (error) {
    throw error instanceof OptionFault ? error : toFault(error, query);
  }
}

/** Gives fontoxpath the parents, children and attributes of a node. */
const facade: DomFacade<XmlNode> = {
  getAllAttributes: ({ attributes }: XmlNode) => attributes,
  getAttribute: ({ attributes }: XmlNode, name: string) =>
    attributes.find(({ nodeName }) => nodeName === name)?.data ?? null,
  getChildNodes: ({ childNodes }: XmlNode) => childNodes,
  getData: ({ data }: XmlNode) => data,
  getFirstChild: ({ childNodes }: XmlNode) => childNodes[0] ?? null,
  getLastChild: ({ childNodes }: XmlNode) => childNodes.at(-1) ?? null,
  getNextSibling: (node: XmlNode) => siblingOf(node, 1),
  getPreviousSibling: (node: XmlNode) => siblingOf(node, -1),
  getParentNode: ({ parentNode }: XmlNode) => parentNode,
};

const siblingOf = ({ nodeType, parentNode, index }: XmlNode, by: number): XmlNode | null =>
  nodeType === kinds.attribute ? null : (parentNode?.childNodes[index + by] ?? null);

/** Messages of the library show the query with a mark, then the fault with its code and its place. */
function toFault(error: unknown, query: string): OptionFault {
  if (error instanceof RangeError)
    return new OptionFault("The query nests too deeply, or makes a text that is too long");
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes("XUST0001"))
    return new OptionFault("Updating expressions are not available: a query changes nothing");
  const [, line, column] = / at <>:(\d+):(\d+)/.exec(message) ?? [];
  const said = /(?:^|Error: )((?:X[PQ]|F[O]|SE)[A-Z]{2}\d{4}\b[^\n]*)/m.exec(message)?.[1];
  const text = (said ?? message.replaceAll(/\s+/g, " ")).replace("Failed to parse script. ", "").trim();
  const index = line === undefined ? undefined : indexOf(query, Number(line), Number(column));
  return new OptionFault(text.length > 300 ? `${text.slice(0, 300)}…` : text, { index });
}

function indexOf(query: string, line: number, column: number): number {
  const before = query.split("\n").slice(0, line - 1);
  return Math.min(
    query.length,
    before.reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1),
  );
}
