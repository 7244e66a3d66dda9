import { createPathSet } from "./path-set.ts";

/**
 * Returns a matcher of paths, in which wildcards match a dot at the start of a name, too.
 * @throws OptionFault with the index of malformed syntax.
 */
export function createPathMatcher(glob: string): (path: string) => boolean {
  const matching = createPathSet([glob]);
  return (path) => matching(path).length > 0;
}
