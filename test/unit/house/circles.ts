/** The strongly connected groups of more than one node, and nodes with an edge to themselves: every circle lies in one of them. */
export function findCircles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  // Tarjan's algorithm. Recursion is as deep as the longest chain of imports.
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    open.push(node);
    const targets = edges.get(node) ?? [];
    let low = index;
    for (const target of targets) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) as number);
    }
    if (low === index) {
      const group = open.splice(open.indexOf(node));
      if (group.length > 1 || targets.includes(node)) circles.push(group.toSorted());
    }
    return low;
  };

  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return circles;
}
