import { DocumentFault } from "../fault.ts";
import { createGlobSet } from "./glob-set.ts";
import { type GlobRules, parseGlob } from "./parse.ts";
import { countSteps, type GlobNode, maxSteps } from "./program.ts";

/** The line that decides about a path. */
export interface DecidingLine {
  /** From 1. */
  line: number;
  /** As written, without the spaces around it. */
  text: string;
}

interface Rule extends DecidingLine {
  negated: boolean;
  foldersOnly: boolean;
  /** For CODEOWNERS: whether owners follow the pattern. */
  owned: boolean;
  /** docs/* in CODEOWNERS matches only what lies directly in docs; Git would also match its folders. */
  shallow: boolean;
}

/** The rules of a file, in its order. */
interface Rules {
  rules: readonly Rule[];
  /** Returns the indexes of the rules whose pattern matches a path, in ascending order. */
  matching(path: string): readonly number[];
}

/**
 * Returns a function that reports whether Git ignores a path, by the lines of a .gitignore (gitignore(5)):
 * the last match decides, and everything in an ignored folder is ignored. A path that ends with a slash is a
 * folder. Git compares bytes: ? and [ ] match a single byte of a character. The function returns the line that ignores the
 * path, or undefined.
 * @throws DocumentFault with the index of a malformed line.
 */
export function createIgnore(text: string): (path: string) => DecidingLine | undefined {
  const { rules, matching } = readByteRules(text);
  return (path) => {
    const names = toByteText(path)
      .split("/")
      .filter((name) => name !== "");
    const folder = path.endsWith("/");
    for (const last of names.keys()) {
      const isFolder = folder || last < names.length - 1;
      const prefix = names.slice(0, last + 1).join("/");
      const decisive = findLastRule(rules, matching(prefix), isFolder);
      if (decisive !== undefined && !decisive.negated) return decisive;
    }
    return undefined;
  };
}

/**
 * Returns a function that reports what one .gitignore says about a path, as the last line that matches: true for ignored, false
 * for a line with !, undefined if none does. It does not ask about the folders of the path, unlike `createIgnore`.
 * @param path Relative to the folder of the file; a folder ends with a slash.
 * @throws DocumentFault with the index of a malformed line.
 */
export function createIgnoreRules(text: string): (path: string) => boolean | undefined {
  const { rules, matching } = readByteRules(text);
  return (path) => {
    const folder = path.endsWith("/");
    const bytes = toByteText(folder ? path.slice(0, -1) : path);
    const decisive = findLastRule(rules, matching(bytes), folder);
    return decisive && !decisive.negated;
  };
}

/** The last of the rules that match a path, of which some are for folders only. */
function findLastRule(
  rules: readonly Rule[],
  matching: readonly number[],
  isFolder: boolean,
): Rule | undefined {
  const last = matching.findLast((index) => isFolder || rules[index]?.foldersOnly === false);
  return last === undefined ? undefined : rules[last];
}

/**
 * Returns a function that returns the line that gives a path its owners, or undefined, by a CODEOWNERS file as GitHub reads
 * it: the last line that matches the path or one of its folders decides. A line without owners removes those of earlier
 * lines.
 * @throws DocumentFault with the index of a malformed line.
 */
export function createOwned(text: string): (path: string) => DecidingLine | undefined {
  const { rules, matching } = readRules(text, { dot: true, groups: false, classes: false }, true);
  const owners = rules.some(({ owned }) => owned);
  return (path) => {
    const names = path.split("/").filter((name) => name !== "");
    let last = -1;
    for (const depth of names.keys()) {
      const inner = depth < names.length - 1;
      const decisive = matching(names.slice(0, depth + 1).join("/")).findLast((index) =>
        inner ? rules[index]?.shallow === false : rules[index]?.foldersOnly === false || path.endsWith("/"),
      );
      last = Math.max(last, decisive ?? -1);
    }
    const decisive = rules[last];
    return decisive !== undefined && (decisive.owned || !owners) ? decisive : undefined;
  };
}

/** One character per byte of UTF-8. */
const toByteText = (text: string): string => Buffer.from(text).toString("latin1");

function readByteRules(text: string): Rules {
  const bytes = toByteText(text);
  try {
    const { rules, matching } = readRules(bytes, { dot: true, groups: false, classes: true });
    const decoded = rules.map((rule) => ({ ...rule, text: Buffer.from(rule.text, "latin1").toString() }));
    return { rules: decoded, matching };
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new DocumentFault(error.message, {
      index: Buffer.from(bytes.slice(0, error.at.index ?? 0), "latin1").toString().length,
    });
  }
}

function readRules(text: string, globs: GlobRules, codeowners = false): Rules {
  const rules: Rule[] = [];
  const nodes: GlobNode[] = [];
  let number = 1;
  let counted = 0;
  let steps = 0;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    number += text.slice(counted, index).split("\n").length - 1;
    counted = index;
    // A trailing space counts only after a backslash.
    const trimmed = codeowners ? line.trim() : line.replace(/(?<![\\ ]) +$/, "");
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const indent = codeowners ? line.length - line.trimStart().length : 0;
    const read = readRule(trimmed, index + indent, globs, codeowners);
    if (read !== undefined) {
      steps += countSteps(read.node);
      if (steps > maxSteps)
        throw new DocumentFault("The patterns up to here are too long together.", { index });
      nodes.push(read.node);
      rules.push({ ...read.rule, line: number, text: trimmed });
    }
    if (rules.length > 10_000)
      throw new DocumentFault("There are more than 10,000 patterns here.", { index });
  }
  return { rules, matching: createGlobSet(nodes) };
}

function readRule(
  line: string,
  index: number,
  globs: GlobRules,
  codeowners: boolean,
): { rule: Omit<Rule, "line" | "text">; node: GlobNode } | undefined {
  const [, pattern = "", owners = ""] = codeowners
    ? (/^((?:\\.|[^\s\\])+)(.*)$/.exec(line) ?? [])
    : ["", line];
  const negated = !codeowners && pattern.startsWith("!");
  let glob = negated ? pattern.slice(1) : pattern;
  const at = index + (negated ? 1 : 0);
  if (codeowners && /^!|\[/.test(glob))
    throw new DocumentFault("CODEOWNERS does not support ! and [ ].", { index: at });
  const foldersOnly = glob.endsWith("/") && !glob.endsWith("\\/");
  if (foldersOnly) glob = glob.slice(0, -1);
  if (glob === "") return undefined;
  const anchored = glob.includes("/");
  const offset = at + (glob.startsWith("/") ? 1 : 0);
  if (glob.startsWith("/")) glob = glob.slice(1);
  // A pattern without a slash matches names in any folder.
  const node = readGlob(anchored ? glob : `**/${glob}`, anchored ? offset : offset - 3, globs);
  const rule = {
    negated,
    foldersOnly,
    owned: /^\s+[^\s#]/.test(owners),
    shallow: codeowners && anchored && /(?:^|\/)\*$/.test(glob),
  };
  return { rule, node };
}

function readGlob(glob: string, offset: number, globs: GlobRules): ReturnType<typeof parseGlob> {
  try {
    return parseGlob(glob, globs);
  } catch (error) {
    if (error instanceof DocumentFault)
      throw new DocumentFault(error.message, { index: Math.max(0, offset + (error.at.index ?? 0)) });
    throw error;
  }
}
