/** A node of the library's parse tree. */
interface Node {
  type?: string;
  value?: unknown;
  position?: number;
  lhs?: unknown;
  rhs?: unknown;
}

/**
 * Replaces the operators & and .., which make text and lists without a limit, with calls of functions that
 * charge the budget first. Queries cannot write the names of these functions.
 */
export function rewriteOperators(tree: unknown): void {
  const seen = new Set<unknown>();
  const open: unknown[] = [tree];
  for (;;) {
    const node = open.pop();
    if (node === undefined) return;
    if (typeof node !== "object" || node === null || node instanceof RegExp || seen.has(node)) continue;
    seen.add(node);
    rewriteNode(node);
    open.push(...Object.values(node).filter((part) => part !== undefined));
  }
}

/** Rewrites one node if it is such an operator. */
export function rewriteNode(node: Node): void {
  if (node.type !== "binary" || (node.value !== "&" && node.value !== "..")) return;
  const { value, position, lhs, rhs } = node;
  Object.assign(node, {
    type: "function",
    value: "(",
    procedure: { type: "variable", value, position },
    arguments: [lhs, rhs],
  });
  delete node.lhs;
  delete node.rhs;
}
