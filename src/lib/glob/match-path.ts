import { DocumentFault, OptionFault } from "../fault.ts";
import { expandBraces } from "./expand-braces.ts";
import { parseGlob } from "./parse.ts";
import { createMatcher } from "./program.ts";

const special = /[*?[\]\\(){}!+@|]/;

/**
 * Returns a matcher of paths, in which wildcards match a dot at the start of a name, too. Most patterns are of a few forms, and
 * their matcher compares the beginning and the end of a path only.
 * @throws OptionFault with the index of malformed syntax.
 */
export function createPathMatcher(glob: string): (path: string) => boolean {
  const matchers = expandBraces(glob).map((one) => toMatcher(one, glob));
  const [only] = matchers;
  return matchers.length === 1 && only !== undefined
    ? only
    : (path) => matchers.some((matches) => matches(path));
}

function toMatcher(glob: string, whole: string): (path: string) => boolean {
  if (!special.test(glob)) return (path) => path === glob;
  const name = /^\*\*\/(.+)$/s.exec(glob)?.[1];
  if (name !== undefined && !special.test(name)) return (path) => path === name || path.endsWith(`/${name}`);
  const ending = name === undefined ? undefined : /^\*([^/]*)$/s.exec(name)?.[1];
  if (ending !== undefined && !special.test(ending)) return (path) => path.endsWith(ending);
  const folder = /^(.+\/)\*\*(?:\/\*)?$/s.exec(glob)?.[1];
  if (folder !== undefined && !special.test(folder))
    return (path) => path.startsWith(folder) && path.length > folder.length;
  const matches = parse(glob, whole);
  // The literal beginning and end of a pattern exclude most paths before its steps are followed.
  const head = glob.slice(0, glob.search(special));
  const tail = /[^*?[\]\\(){}!+@|]*$/.exec(glob)?.[0] ?? "";
  return (path) => path.startsWith(head) && path.endsWith(tail) && matches(path);
}

function parse(glob: string, whole: string): (path: string) => boolean {
  try {
    return createMatcher(parseGlob(glob, { dot: true, groups: true, classes: true }));
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new OptionFault(error.message, glob === whole ? error.at : {});
  }
}
