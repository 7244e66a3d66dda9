import { DocumentFault, OptionFault } from "../fault.ts";
import { createIgnore, createOwned, type DecidingLine } from "./git.ts";
import { toGlobs } from "./expand-braces.ts";
import { createMatcher } from "./glob-set.ts";
import { type GlobRules, parseGlob } from "./parse.ts";
import type { GlobNode } from "./program.ts";

export const ruleDialects = ["glob", "gitignore", "codeowners"] as const;

/**
 * Returns a function that returns the line of a pattern or file that selects a path, or undefined.
 * @param dot Whether * matches a leading dot; for globs only.
 * @throws OptionFault with the index of a malformed line.
 */
export function toRuleFinder(
  pattern: string,
  dialect: (typeof ruleDialects)[number],
  dot: boolean,
): (path: string) => DecidingLine | undefined {
  try {
    if (dialect === "gitignore") return createIgnore(pattern);
    if (dialect === "codeowners") return createOwned(pattern);
    const matches = createMatcher(readGlob(pattern, { dot, groups: true, classes: true }));
    return (path) => (matches(path) ? { line: 1, text: pattern } : undefined);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new OptionFault(error.message, error.at);
  }
}

/** Characters of all patterns that braces may be expanded to. */
const maxExpanded = 262_144;

/**
 * Shells expand braces before they read wildcards: `{*,b}*` is `**` and `b*`. Elsewhere, and where that gives too many patterns, the
 * braces are alternatives of the automaton. path-set.ts expands all braces and refuses too many, because it looks most globs up
 * by their text.
 */
function readGlob(pattern: string, rules: GlobRules): GlobNode {
  const node = parseGlob(pattern, rules);
  if (!/\{.*\*|\*.*\{/s.test(pattern)) return node;
  try {
    const globs = toGlobs(pattern);
    if (globs.length === 1 || globs.length * pattern.length > maxExpanded) return node;
    return { kind: "choice", items: globs.map((glob) => parseGlob(glob, rules)) };
  } catch (error) {
    if (error instanceof OptionFault || error instanceof DocumentFault) return node;
    throw error;
  }
}
