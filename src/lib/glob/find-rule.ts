import { DocumentFault, OptionFault } from "../fault.ts";
import { createIgnore, createOwned, type DecidingLine } from "./git.ts";
import { createMatcher } from "./glob-set.ts";
import { parseGlob } from "./parse.ts";

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
    const matches = createMatcher(parseGlob(pattern, { dot, groups: true, classes: true }));
    return (path) => (matches(path) ? { line: 1, text: pattern } : undefined);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new OptionFault(error.message, error.at);
  }
}
