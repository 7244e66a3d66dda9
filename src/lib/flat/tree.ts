import { isDictionary, isList, maxDepth, type Value } from "../data/value.ts";
import type { DocumentFault } from "../fault.ts";

/** A key, or the index of an item. */
export type Step = string | number;

/** Most values made: an index of a list makes all items before it. */
const maxMade = 2_000_000;

/** Puts values at paths, in any order, and makes the objects and lists around them. */
export interface Tree {
  /**
   * @param fail Makes the error of this path from a message.
   * @throws DocumentFault if the path leads through a scalar, or if a container is an object and also a list.
   */
  put(path: readonly Step[], value: Value, fail: Fail): void;
  /** The whole; undefined if nothing was put. Items of a list that have no value are null. */
  value(): Value | undefined;
}

export type Fail = (message: string, rule: string, limit?: number) => DocumentFault;

interface TreeNode {
  /** A value that nothing is put into. */
  end: Value | undefined;
  /** Undefined until something says what it is. */
  list: boolean | undefined;
  members: Map<Step, TreeNode>;
  /** The items of a list. */
  size: number;
}

/**
 * @param exclusive Whether a path that has a value is refused; otherwise the last value counts.
 * @param counts Whether an object with the keys 0, 1 and so on, and no others, is a list.
 */
export function createTree({ exclusive, counts }: { exclusive: boolean; counts: boolean }): Tree {
  const root = createNode();
  let made = 0;

  function enter(node: TreeNode, step: Step, fail: Fail): TreeNode {
    const list = typeof step === "number";
    if (node.end !== undefined)
      throw fail("is inside of a value that is no object and no array", "collision");
    if (node.list !== undefined && node.list !== list)
      throw fail("is in an object that is also an array", "collision");
    node.list = list;
    const found = node.members.get(step);
    if (found !== undefined) return found;
    const size = list ? Math.max(node.size, step + 1) : node.size;
    made += 1 + size - node.size;
    if (made > maxMade) throw fail(`makes more than ${maxMade} values`, "too-large", maxMade);
    node.size = size;
    const next = createNode();
    node.members.set(step, next);
    return next;
  }

  return {
    put(path, value, fail) {
      if (path.length >= maxDepth) throw fail(`has more than ${maxDepth} parts`, "too-deep", maxDepth);
      let node = root;
      for (const step of path) node = enter(node, step, fail);
      const isEmpty = isList(value) ? value.length === 0 : isDictionary(value) && value.size === 0;
      if (node.end !== undefined && exclusive) throw fail("occurs twice", "collision");
      if (isEmpty && node.end === undefined) {
        if (node.list !== undefined && node.list !== isList(value))
          throw fail("is an object and also an array", "collision");
        node.list = isList(value);
      } else if (node.list !== undefined && node.members.size > 0) {
        throw fail("has a value, and other paths lead into it", "collision");
      } else node.end = value;
    },
    value: () => (root.end === undefined && root.list === undefined ? undefined : toValue(root, counts)),
  };
}

const createNode = (): TreeNode => ({ end: undefined, list: undefined, members: new Map(), size: 0 });

/** Recursive: the length of paths is limited. */
function toValue({ end, list, members, size }: TreeNode, counts: boolean): Value {
  if (end !== undefined) return end;
  if (list === undefined) return null;
  const isCounted =
    counts && members.size > 0 && [...members.keys()].every((_, at) => members.has(String(at)));
  if (!list && !isCounted)
    return new Map(Array.from(members, ([key, inner]) => [String(key), toValue(inner, counts)]));
  return Array.from({ length: list ? size : members.size }, (_, at) => {
    const item = members.get(list ? at : String(at));
    return item === undefined ? null : toValue(item, counts);
  });
}
