interface Circle<Link> {
  /** In the order of the links; one name if it leads to itself. */
  names: string[];
  /** The link from the last name back to the first. */
  closing: Link;
}

/**
 * Yields a circle for each link that closes one, in a walk that follows the links of each name once and in their order. Iterative: a chain may have as many
 * links as a document has names.
 * @param linksOf Returns the links of a name; undefined if there is no such name.
 */
export function* findCircles<Link>(
  names: Iterable<string>,
  linksOf: (name: string) => readonly (readonly [name: string, link: Link])[] | undefined,
): Generator<Circle<Link>> {
  const done = new Set<string>();
  const depth = new Map<string, number>();
  const path: { name: string; left: (readonly [string, Link])[] }[] = [];
  const enter = (name: string): void => {
    const links = done.has(name) ? undefined : linksOf(name);
    if (links === undefined) return;
    depth.set(name, path.length);
    path.push({ name, left: links.toReversed() });
  };
  for (const start of names) {
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const link = top.left.pop();
      if (link === undefined) {
        done.add(top.name);
        depth.delete(top.name);
        path.pop();
        continue;
      }
      const from = depth.get(link[0]);
      if (from === undefined) enter(link[0]);
      else yield { names: path.slice(from).map(({ name }) => name), closing: link[1] };
    }
  }
}
