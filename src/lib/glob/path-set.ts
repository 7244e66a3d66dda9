import { DocumentFault, OptionFault } from "../fault.ts";
import { toGlobs } from "./expand-braces.ts";
import { createGlobSet } from "./glob-set.ts";
import { parseGlob } from "./parse.ts";
import { countSteps, type GlobNode, maxSteps } from "./program.ts";

const special = /[*?[\]\\(){}!+@|]/;

/** The number of steps that patterns may still have; several sets may share it. */
export interface PatternBudget {
  left: number;
}

export const createPatternBudget = (): PatternBudget => ({ left: maxSteps });

/** Indexes of patterns by a text that they have in common. */
type Index = Map<string, number[]>;

/**
 * Returns a function that returns the indexes of the patterns that match a path, in ascending order. Wildcards match a dot at the
 * start of a name, too. Most patterns are of four forms that an index finds by the names, the folders or the end of a path; one
 * automaton follows the others.
 * @throws OptionFault with the index of malformed syntax, for a pattern without braces; or if the patterns exceed the budget.
 */
export function createPathSet(
  globs: readonly string[],
  budget: PatternBudget = createPatternBudget(),
): (path: string) => readonly number[] {
  const exact: Index = new Map();
  /** For `**` and a path: the last names of a path. */
  const lasts: Index = new Map();
  /** For `**` and `*.ext`: the end of the last name. */
  const endings: Index = new Map();
  const folders: Index = new Map();
  const nodes: GlobNode[] = [];
  const owners: number[] = [];

  function addPattern(glob: string, whole: string, owner: number): void {
    spend(glob.length);
    if (!special.test(glob)) return push(exact, glob, owner);
    const name = /^\*\*\/(.+)$/s.exec(glob)?.[1];
    if (name !== undefined && !special.test(name)) return push(lasts, name, owner);
    const ending = name === undefined ? undefined : /^\*([^/]*)$/s.exec(name)?.[1];
    if (ending !== undefined && !special.test(ending)) return push(endings, ending, owner);
    const folder = /^(.+\/)\*\*(?:\/\*)?$/s.exec(glob)?.[1];
    if (folder !== undefined && !special.test(folder)) return push(folders, folder, owner);
    const node = parse(glob, whole);
    spend(countSteps(node));
    nodes.push(node);
    owners.push(owner);
  }

  function spend(steps: number): void {
    budget.left -= steps;
    if (budget.left < 0)
      throw new OptionFault(
        "The patterns are too many or too long together. Use fewer patterns, braces and ranges.",
      );
  }

  for (const [owner, whole] of globs.entries())
    for (const glob of toGlobs(whole)) addPattern(glob, whole, owner);
  const lengths = [...new Set(Array.from(endings.keys(), ({ length }) => length))];
  const others = nodes.length === 0 ? undefined : createGlobSet(nodes);

  return (path) => {
    const found = new Set(exact.get(path));
    const addAll = (indexes: readonly number[] = []): void => {
      for (const index of indexes) found.add(index);
    };
    addAll(lasts.get(path));
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (lasts.size > 0) addAll(lasts.get(path.slice(at + 1)));
      if (folders.size > 0 && at + 1 < path.length) addAll(folders.get(path.slice(0, at + 1)));
    }
    for (const length of lengths)
      if (length <= path.length) addAll(endings.get(path.slice(path.length - length)));
    if (others !== undefined) for (const index of others(path)) found.add(owners[index] ?? 0);
    return found.size < 2 ? [...found] : [...found].toSorted((a, b) => a - b);
  };
}

function push(index: Index, text: string, owner: number): void {
  const owners = index.get(text);
  if (owners === undefined) index.set(text, [owner]);
  else owners.push(owner);
}

function parse(glob: string, whole: string): GlobNode {
  try {
    return parseGlob(glob, { dot: true, groups: true, classes: true });
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new OptionFault(error.message, glob === whole ? error.at : {});
  }
}
