import { type Dictionary, toNumber, type Value } from "../data/value.ts";
import { OptionFault } from "../fault.ts";
import { checkLength } from "../data/result-length.ts";
import { placesOf } from "../places.ts";
import type { XPathItem } from "./query.ts";
import { kinds, type XmlNode } from "./tree.ts";

/** Returns a result as a value of JSON: nodes by their text, infinite numbers and NaN as XPath writes them. */
export function createToValue(): (item: XPathItem) => Value {
  let length = 0;
  return function toValue(item): Value {
    if (typeof item === "boolean" || typeof item === "string") return item;
    if (typeof item === "number") return toNumberValue(item);
    if (Array.isArray(item)) return item.map(toValue);
    if (isNode(item)) {
      const text = stringOf(item);
      // The text of elements in one another is repeated.
      checkLength((length += text.length));
      return text;
    }
    if (typeof item === "object" && item !== null)
      return new Map(Object.entries(item).map(([key, member]) => [key, toValue(member)]));
    if (item === null) return null;
    throw new OptionFault("A function is no result: call it");
  };
}

function toNumberValue(number: number): Value {
  if (Number.isFinite(number)) return toNumber(String(number));
  return Number.isNaN(number) ? "NaN" : number > 0 ? "INF" : "-INF";
}

const isNode = (item: XPathItem): item is XmlNode =>
  typeof item === "object" && item !== null && "nodeType" in item && "childNodes" in item;

function stringOf(node: XmlNode): string {
  if (node.nodeType !== kinds.element && node.nodeType !== kinds.document) return node.data;
  const parts: string[] = [];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.nodeType === kinds.text) parts.push(next.data);
    for (let at = next.childNodes.length - 1; at >= 0; at--) open.push(next.childNodes[at] as XmlNode);
  }
  return parts.join("");
}

/** Returns path, kind, name, text and place of each node. @throws OptionFault if a result is no node */
export function toNodes(text: string, items: readonly XPathItem[]): Value[] {
  const nodes = items.map((item) => {
    if (isNode(item)) return item;
    throw new OptionFault("The query computes values, which have no paths: set output to values or raw", {
      option: "output",
    });
  });
  const places = placesOf(
    text,
    nodes.map(({ from }) => ({ index: from })),
  );
  const toValue = createToValue();
  const pathOf = createPaths();
  return nodes.map((node, at) => {
    const named = node.nodeType <= kinds.attribute || node.nodeType === kinds.instruction;
    return new Map<string, Value>([
      ["path", pathOf(node)],
      ["kind", kindOf(node)],
      ...(named ? ([["name", node.nodeName]] as const) : []),
      ["value", toValue(node)],
      ["line", toNumber(String(places[at]?.line))],
      ["column", toNumber(String(places[at]?.column))],
    ]) satisfies Dictionary;
  });
}

const kindOf = ({ nodeType }: XmlNode): string =>
  Object.entries(kinds).find(([, number]) => number === nodeType)?.[0] ?? "";

/** Returns each result as it is written in the document, and values as text. */
export function toXmlTexts(text: string, items: readonly XPathItem[]): Value[] {
  const toValue = createToValue();
  let length = 0;
  return items.map((item) => {
    if (!isNode(item)) return toValue(item);
    checkLength((length += item.to - item.from));
    return text.slice(item.from, item.to);
  });
}

/** Returns a function that makes the XPath of a node, such as `/a[1]/x:b[2]/@c`, with the prefixes of the document. */
function createPaths(): (node: XmlNode) => string {
  /** The number of each child among those of its name, counted once per parent. */
  const numbers = new WeakMap<XmlNode, readonly number[]>();
  const numbersOf = (parent: XmlNode): readonly number[] => {
    const known = numbers.get(parent);
    if (known !== undefined) return known;
    const counts = new Map<string, number>();
    const found = parent.childNodes.map((child) => {
      const count = (counts.get(stepOf(child)) ?? 0) + 1;
      counts.set(stepOf(child), count);
      return count;
    });
    numbers.set(parent, found);
    return found;
  };
  return (node) => {
    const steps: string[] = [];
    for (let at = node; at.parentNode !== null; at = at.parentNode) {
      const number = at.nodeType === kinds.attribute ? "" : `[${numbersOf(at.parentNode)[at.index]}]`;
      steps.push(stepOf(at) + number);
    }
    return `/${steps.toReversed().join("/")}`;
  };
}

function stepOf({ nodeType, nodeName }: XmlNode): string {
  if (nodeType === kinds.text) return "text()";
  if (nodeType === kinds.comment) return "comment()";
  if (nodeType === kinds.instruction) return `processing-instruction(${nodeName})`;
  return nodeType === kinds.attribute ? `@${nodeName}` : nodeName;
}
