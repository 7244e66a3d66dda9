import { isDictionary, isList, type Value } from "../data/value.ts";
import type { Node } from "../jsonpath/evaluate.ts";

/**
 * Makes values of a document count as absent: members are removed. Items of arrays become null, so that the others keep
 * their index. Changes the document in place.
 */
export function ignoreNodes(
  document: Value,
  nodes: readonly (Node | undefined)[],
): { value: Value; hasItems: boolean } {
  let hasItems = false;
  for (const node of nodes) {
    if (node === undefined) continue;
    const { key, parent } = node;
    if (parent === undefined) return { value: null, hasItems: true };
    if (isDictionary(parent.value)) parent.value.delete(String(key));
    else if (isList(parent.value)) {
      parent.value[Number(key)] = null;
      hasItems = true;
    }
  }
  return { value: document, hasItems };
}
