import { OptionFault } from "../fault.ts";

const maxAlternatives = 1000;

/**
 * Returns the globs that a pattern is short for. Braces beside !(…) are kept: !({a,b}) is neither !(a) nor !(b).
 * @throws OptionFault if they are too many.
 */
export const toGlobs = (pattern: string): string[] =>
  pattern.includes("!(") ? [pattern] : expandBraces(pattern);

/**
 * Expands braces: `{a,b}/*.c` becomes `a/*.c` and `b/*.c`. Braces without a comma are kept.
 * @throws OptionFault if the result has too many patterns.
 */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const group = findGroup(one);
    if (group === undefined) done.push(one);
    else
      for (const choice of group.choices)
        open.push(one.slice(0, group.start) + choice + one.slice(group.end));
    if (open.length + done.length > maxAlternatives)
      throw new OptionFault(
        `The braces of a pattern expand to more than ${maxAlternatives} patterns; give some of them as patterns of their own.`,
      );
  }
  return done;
}

/** Finds the first group of braces with a comma directly in it. */
function findGroup(pattern: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = pattern.indexOf("{"); start !== -1; start = pattern.indexOf("{", start + 1)) {
    if (isEscaped(pattern, start)) continue;
    const commas: number[] = [];
    let depth = 0;
    for (let at = start; at < pattern.length; at++) {
      const character = pattern[at];
      if (character === "\\") at++;
      else if (character === "{") depth++;
      else if (character === "," && depth === 1) commas.push(at);
      else if (character === "}" && --depth === 0) {
        if (commas.length === 0) break;
        const stops = [start, ...commas, at];
        const choices = stops.slice(1).map((stop, index) => pattern.slice((stops[index] ?? 0) + 1, stop));
        return { start, end: at + 1, choices };
      }
    }
  }
  return undefined;
}

function isEscaped(pattern: string, at: number): boolean {
  let slashes = 0;
  while (pattern[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}
