import { toPointer } from "../json/pointer.ts";
import { OptionFault } from "../fault.ts";
import { valueAt } from "../data/at-pointer.ts";
import { isList, type Value } from "../data/value.ts";
import { parsePointer } from "../json/pointer.ts";
import type { Node } from "./evaluate.ts";

/** Most characters of all paths: a long key above many nodes is repeated in each path. */
const maxLength = 16 * 1024 * 1024;

/** Returns the normalized path, the pointer (RFC 6901) and the value of each node. */
export function toNodeList(nodes: readonly Node[]): Value {
  let left = maxLength;
  return nodes.map((node) => {
    const keys = pathOf(node);
    for (const key of keys) left -= 2 * String(key).length + 6;
    if (left < 0) throw new OptionFault("the paths of the selected nodes are too long; ask for values");
    return new Map<string, Value>([
      ["path", toNormalizedPath(keys)],
      ["pointer", toPointer(keys)],
      ["value", node.value],
    ]);
  });
}

/** Returns the path of a node from the root: names and indexes. */
export function pathOf(node: Node): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Node | undefined = node; at?.key !== undefined; at = at.parent) path.push(at.key);
  return path.toReversed();
}

/** Writes a normalized path (RFC 9535 §2.7). */
function toNormalizedPath(path: readonly (string | number)[]): string {
  return `$${path.map((key) => (typeof key === "number" ? `[${key}]` : `['${escapeName(key)}']`)).join("")}`;
}

const short: Record<string, string> = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "'": "\\'",
  "\\": "\\\\",
};

const escapeName = (name: string): string =>
  name.replace(
    // oxlint-disable-next-line no-control-regex
    /[\x00-\x1f'\\]/g,
    (unit) => short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * Returns the node that a pointer (RFC 6901) leads to, if it exists.
 * @throws OptionFault if the text is not a pointer.
 */
export function followPointer(root: Value, pointer: string): Node | undefined {
  const tokens = parsePointer(pointer);
  if (tokens === undefined)
    throw new OptionFault('a pointer is empty or starts with /, and has ~ only as ~0 and ~1, such as "/a/0"');
  let node: Node = { value: root };
  for (const token of tokens) {
    const list = isList(node.value);
    const value = valueAt(node.value, [token]);
    if (value === undefined) return undefined;
    node = { value, key: list ? Number(token) : token, parent: node };
  }
  return node;
}
