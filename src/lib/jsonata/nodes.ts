import { append } from "../append.ts";

/** A node of the library's parse tree. */
export interface Node {
  type?: string;
  value?: unknown;
  position?: number;
  lhs?: unknown;
  rhs?: unknown;
}

/** Visits each node of a parse tree once, and then the nodes in it. */
export function visitNodes(tree: unknown, visit: (node: Node) => void): void {
  const seen = new Set<unknown>();
  const open: unknown[] = [tree];
  for (;;) {
    const node = open.pop();
    if (node === undefined) return;
    if (typeof node !== "object" || node === null || node instanceof RegExp || seen.has(node)) continue;
    seen.add(node);
    visit(node);
    append(
      open,
      Object.values(node).filter((part) => part !== undefined),
    );
  }
}
