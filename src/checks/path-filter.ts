import { OptionFault } from "../lib/fault.ts";
import { createPathMatcher } from "../lib/glob/match-path.ts";

interface Rule {
  negated: boolean;
  matches(path: string): boolean;
}

/**
 * Returns a test of paths against patterns, of which the last that matches decides; one that begins with ! takes files out
 * again. A pattern that ends with a slash matches everything below that folder.
 * @throws OptionFault with the pattern as its option.
 */
export function createFileFilter(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map((pattern) => toRule(pattern.endsWith("/") ? `${pattern}**` : pattern));
  return (path) => rules.findLast(({ matches }) => matches(path))?.negated === false;
}

/**
 * Like `createFileFilter`, for patterns that may match a folder as well, and then everything below it.
 * @throws OptionFault
 */
export function createExclusion(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map((pattern) => toRule(pattern.replace(/(.)\/$/, "$1")));
  if (rules.length === 0) return () => false;
  const decidedFolders = new Map<string, number>();
  /** The index of the last rule that matches a path or a folder that contains it; -1 for none. */
  function decide(path: string, folder: boolean): number {
    const known = folder ? decidedFolders.get(path) : undefined;
    if (known !== undefined) return known;
    const end = path.lastIndexOf("/");
    const above = end === -1 ? -1 : decide(path.slice(0, end), true);
    const own = rules.findLastIndex(({ matches }) => matches(path));
    const decision = Math.max(above, own);
    if (folder) decidedFolders.set(path, decision);
    return decision;
  }
  return (path) => rules[decide(path, false)]?.negated === false;
}

function toRule(pattern: string): Rule {
  const negated = pattern.startsWith("!");
  const glob = (negated ? pattern.slice(1) : pattern).replace(/^(?:\.?\/)+/, "");
  if (glob === "") throw new OptionFault("The pattern is empty.");
  if (glob.split("/").includes(".."))
    throw new OptionFault("A pattern cannot leave the folder of the file with ...");
  return { negated, matches: createPathMatcher(glob) };
}
