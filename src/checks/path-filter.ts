import { OptionFault } from "../lib/fault.ts";
import { createPathSet, type PatternBudget } from "../lib/glob/path-set.ts";

interface Rule {
  negated: boolean;
  glob: string;
}

/** Patterns of files, and of what is left out of them. */
export interface FilterPatterns {
  /** The last pattern that matches decides; one that begins with ! takes files out again. */
  files: readonly string[];
  /** Like `files`, for patterns that may match a folder as well, and then everything below it. */
  exclude: readonly string[];
}

/**
 * Returns a test of paths against patterns, of which the last that matches decides; one that begins with ! takes files out
 * again. A pattern that ends with a slash matches everything below that folder.
 * @throws OptionFault with the pattern as its option.
 */
export function createFileFilter(
  patterns: readonly string[],
  budget?: PatternBudget,
): (path: string) => boolean {
  const rules = patterns.map(toFileRule);
  const matching = createPathSet(toGlobs(rules), budget);
  return (path) => isSelected(rules, matching(path).at(-1));
}

/**
 * Like `createFileFilter`, for patterns that may match a folder as well, and then everything below it.
 * @throws OptionFault
 */
export function createExclusion(
  patterns: readonly string[],
  budget?: PatternBudget,
): (path: string) => boolean {
  const rules = patterns.map(toExclusionRule);
  if (rules.length === 0) return () => false;
  const matching = createBelow(createPathSet(toGlobs(rules), budget));
  return (path) => isSelected(rules, matching(path).at(-1));
}

/**
 * Returns a function that returns the indexes of the filters that select a path, in ascending order. All patterns are matched at
 * once, so that many filters cost little more than those that select something.
 * @throws OptionFault
 */
export function createFilters(filters: readonly FilterPatterns[]): (path: string) => number[] {
  const files = flatten(filters.map((filter) => filter.files.map(toFileRule)));
  const exclude = flatten(filters.map((filter) => filter.exclude.map(toExclusionRule)));
  const excluding = createBelow(exclude.matching);
  return (path) => {
    const selected = files.decide(files.matching(path));
    if (selected.length === 0 || exclude.isEmpty) return selected;
    const excluded = new Set(exclude.decide(excluding(path)));
    return selected.filter((filter) => !excluded.has(filter));
  };
}

/** Joins the rules of several filters. */
function flatten(filters: readonly (readonly Rule[])[]) {
  const rules = filters.flatMap((own, filter) => own.map((rule) => ({ ...rule, filter })));
  return {
    isEmpty: rules.length === 0,
    matching: createPathSet(toGlobs(rules)),
    /** The filters of which the last matching rule is not negated; `matching` has the indexes of rules in ascending order. */
    decide(matching: readonly number[]): number[] {
      const decided: number[] = [];
      for (const [at, index] of matching.entries()) {
        const rule = rules[index];
        const next = rules[matching[at + 1] ?? -1];
        if (rule !== undefined && !rule.negated && next?.filter !== rule.filter) decided.push(rule.filter);
      }
      return decided;
    },
  };
}

/** Returns the indexes of what matches a path or a folder that contains it, in ascending order. */
function createBelow(matching: (path: string) => readonly number[]): (path: string) => readonly number[] {
  let lastFolder = "";
  let lastFound: readonly number[] = [];
  function below(path: string): readonly number[] {
    const end = path.lastIndexOf("/");
    return end === -1 ? matching(path) : union(inFolder(path.slice(0, end)), matching(path));
  }
  function inFolder(folder: string): readonly number[] {
    if (folder === lastFolder) return lastFound;
    const found = below(folder);
    lastFolder = folder;
    lastFound = found;
    return found;
  }
  return below;
}

function union(one: readonly number[], other: readonly number[]): readonly number[] {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  return [...new Set([...one, ...other])].toSorted((a, b) => a - b);
}

const isSelected = (rules: readonly Rule[], decisive: number | undefined): boolean =>
  decisive !== undefined && rules[decisive]?.negated === false;

const toGlobs = (rules: readonly Rule[]): string[] => rules.map(({ glob }) => glob);

const toFileRule = (pattern: string): Rule => toRule(pattern.endsWith("/") ? `${pattern}**` : pattern);

const toExclusionRule = (pattern: string): Rule => toRule(pattern.replace(/(.)\/$/, "$1"));

function toRule(pattern: string): Rule {
  const negated = pattern.startsWith("!");
  const glob = (negated ? pattern.slice(1) : pattern).replace(/^(?:\.?\/)+/, "");
  if (glob === "") throw new OptionFault("The pattern is empty.");
  if (glob.split("/").includes(".."))
    throw new OptionFault("A pattern cannot leave the folder of the file with ...");
  return { negated, glob };
}
