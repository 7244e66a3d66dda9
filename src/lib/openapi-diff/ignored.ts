import { OptionFault } from "../fault.ts";
import { nearest } from "../nearest.ts";
import { rules } from "./rules.ts";

/** The changes that are not reported. */
export interface Ignored {
  rules: ReadonlySet<string>;
  /** Reports whether an operation is not compared. */
  path(path: string, method: string): boolean;
}

/**
 * Reads the changes to ignore: ids of rules, ours or those of oasdiff, and paths such as `/pets/*` or `GET /pets`.
 * @throws OptionFault for a word that is neither
 */
export function readIgnored(words: readonly string[]): Ignored {
  const ids = new Set<string>();
  const paths: { method: string | undefined; matches(path: string): boolean }[] = [];
  for (const word of words) {
    const [, method, path] = /^(?:([A-Za-z]+) +)?(\/.*)$/.exec(word.trim()) ?? [];
    if (path !== undefined) paths.push({ method: method?.toUpperCase(), matches: createMatcher(path) });
    else for (const id of idsOf(word.trim())) ids.add(id);
  }
  return {
    rules: ids,
    path: (path, method) => paths.some((one) => (one.method ?? method) === method && one.matches(path)),
  };
}

/** `*` stands for any characters. */
function createMatcher(pattern: string): (path: string) => boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return (path) => path === first;
  return (path) => {
    if (!path.startsWith(first) || path.length < first.length + last.length || !path.endsWith(last))
      return false;
    let at = first.length;
    const end = path.length - last.length;
    for (const part of rest) {
      const found = path.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

function idsOf(word: string): string[] {
  if (rules.has(word)) return [word];
  const found = [...rules].filter(([, { aliases }]) => aliases.includes(word)).map(([id]) => id);
  if (found.length > 0) return found;
  const near = nearest(word, [...rules.keys(), ...[...rules.values()].flatMap(({ aliases }) => aliases)]);
  const hint =
    near === undefined
      ? "Give the id of a rule, or a path such as /pets or GET /pets/*"
      : `Did you mean ${near}?`;
  throw new OptionFault(`${JSON.stringify(word.slice(0, 80))} is no rule and no path. ${hint}`);
}
