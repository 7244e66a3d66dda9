import { markLength } from "./byte-order-mark.ts";
import { decodeKey } from "./decode-key.ts";
import { parsePointer } from "./pointer.ts";
import { endOfString } from "./sort-keys.ts";
import { isEndOfScalar } from "./value-end.ts";

/**
 * Returns the byte offset of each pointer (RFC 6901) in a valid document, in one pass. A pointer to nothing
 * gets the offset of its nearest ancestor.
 */
export function findPointers(data: Uint8Array, pointers: readonly string[]): number[] {
  const root = toTree(pointers);
  scan(data, root);
  const offsets = pointers.map(() => 0);
  const left: [Node, number][] = [[root, 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, inherited] = next;
    const offset = node.offset < 0 ? inherited : node.offset;
    for (const index of node.wanted) offsets[index] = offset;
    for (const child of node.children.values()) left.push([child, offset]);
  }
  return offsets;
}

interface Node {
  children: Map<string, Node>;
  /** Indexes of the pointers that end here. */
  wanted: number[];
  /** -1 until the value is met. */
  offset: number;
}

const createNode = (): Node => ({ children: new Map(), wanted: [], offset: -1 });

function toTree(pointers: readonly string[]): Node {
  const root = createNode();
  for (const [index, pointer] of pointers.entries()) {
    let node = root;
    for (const token of parsePointer(pointer) ?? []) {
      let child = node.children.get(token);
      if (child === undefined) node.children.set(token, (child = createNode()));
      node = child;
    }
    node.wanted.push(index);
  }
  return root;
}

interface Frame {
  /** The pointers wanted below this container, if any. */
  node: Node | undefined;
  /** -1 in an object. */
  index: number;
}

function scan(data: Uint8Array, root: Node): void {
  const open: Frame[] = [];
  let frame: Frame | undefined;
  /** The pointers wanted at or below the next value, if any. */
  let node: Node | undefined = root;
  for (let at = markLength(data); at < data.length; at++) {
    const byte = data[at] as number;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x3a) continue;
    if (byte === 0x2c) {
      if (frame !== undefined && frame.index >= 0) {
        frame.index++;
        node = frame.node?.children.get(String(frame.index));
      }
      continue;
    }
    if (byte === 0x7d || byte === 0x5d) {
      frame = open.pop();
      continue;
    }
    if (byte === 0x22 && frame !== undefined && frame.index < 0 && !afterColon(data, at)) {
      const end = endOfString(data, at);
      if (frame.node !== undefined) node = frame.node.children.get(decodeKey(data, at, end));
      else node = undefined;
      at = end - 1;
      continue;
    }
    if (node !== undefined && node.offset < 0) node.offset = at;
    if (byte === 0x22) at = endOfString(data, at) - 1;
    else if (byte === 0x7b || byte === 0x5b) {
      if (frame !== undefined) open.push(frame);
      const wanted = node !== undefined && node.children.size > 0 ? node : undefined;
      frame = { node: wanted, index: byte === 0x5b ? 0 : -1 };
      node = byte === 0x5b ? wanted?.children.get("0") : undefined;
    } else {
      while (at + 1 < data.length && !isEndOfScalar(data[at + 1] as number)) at++;
    }
  }
}

function afterColon(data: Uint8Array, from: number): boolean {
  let at = from - 1;
  while (data[at] === 0x20 || data[at] === 0x0a || data[at] === 0x0d || data[at] === 0x09) at--;
  return data[at] === 0x3a;
}
