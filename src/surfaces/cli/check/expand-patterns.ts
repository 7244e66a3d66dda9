import { isInside } from "../../../checks/inside.ts";
import type { LeftOut, LeftOutReason } from "../../../checks/left-out.ts";
import type { Host } from "../host.ts";
import { visible } from "../visible.ts";
import { findFiles } from "./find-files.ts";

/** A file that could not be read, and why. */
export interface Unread {
  name: string;
  message: string;
  rule: "no-match" | "unreadable";
}

/** The files that the arguments select. */
export interface Selection {
  /** Each file once, in argument order, under its first name. */
  names: string[];
  /** Arguments that select no file, and folders that cannot be read. */
  unread: Unread[];
  /** Files that match a pattern but are not checked, by reason. */
  leftOut: LeftOut[];
}

export interface Expansion {
  /** Names, and patterns that the shell did not expand. */
  words: readonly string[];
  /** Names that are no pattern. */
  names?: readonly string[];
  /** Whether a file that a pattern matches is left out, because it is ignored; absolute path without links. */
  isIgnored?: (path: string) => boolean;
  /** The folder that a link may not lead out of, unless the pattern begins elsewhere. */
  tree: string;
}

/**
 * Resolves the arguments to files. An argument that names an existing file selects it, whatever its characters; any other
 * may be a quoted pattern.
 * @throws ToolError invalid_input for a malformed pattern.
 */
export async function expandPatterns(
  { words, names: listed = [], isIgnored = () => false, tree }: Expansion,
  { files, program }: Host,
): Promise<Selection> {
  const names = new Map<string, string>();
  const unread: Selection["unread"] = [];
  const leftOut = new Map<LeftOutReason, Set<string>>();
  let more = false;
  const add = (name: string, path = name === "-" ? name : files.realPath(name)) => {
    if (!names.has(path)) names.set(path, name);
  };
  const leaveOut = (reason: LeftOutReason, paths: Iterable<string>) =>
    leftOut.set(reason, (leftOut.get(reason) ?? new Set()).union(new Set(paths)));
  const fixed = new Set(listed);
  for (const word of new Set([...words, ...listed])) {
    const kind = word === "" ? undefined : files.stat(word)?.kind;
    if (word === "-" || kind === "file") {
      add(word);
      continue;
    }
    if (kind === "folder" || fixed.has(word) || !hasWildcards(word)) {
      unread.push({ name: word, message: explain(word, kind), rule: "unreadable" });
      continue;
    }
    // A pattern that begins in an ignored folder, or behind a link, names it.
    const base = files.realPath(word.slice(0, word.search(/[*?[{\\]/)).replace(/[^/]*$/, ""));
    const leadsOut = (path: string): boolean => {
      const real = files.realPath(path);
      return ![base, files.realPath(tree)].some((folder) => isInside(folder, real));
    };
    const found = await findFiles(word, files, program, leadsOut);
    more ||= found.more;
    const asked = isIgnored(base);
    const ignored: string[] = [];
    for (const name of found.names) {
      const path = files.realPath(name);
      if (asked || !isIgnored(path)) add(name, path);
      else ignored.push(path);
    }
    if (ignored.length > 0) leaveOut("ignored", ignored);
    for (const { name, message } of found.unread)
      unread.push({
        name,
        message: `The folder ${visible(name)} cannot be read: ${message}`,
        rule: "unreadable",
      });
    for (const [reason, paths] of found.leftOut) leaveOut(reason, paths);
    if (found.names.length > 0 || found.unread.length > 0) continue;
    unread.push({ name: word, message: `No file matches ${visible(word)}`, rule: "no-match" });
  }
  return {
    names: [...names.values()],
    unread,
    leftOut: [...leftOut].toSorted().map(([reason, { size }]) => ({
      reason,
      files: size,
      ...(more && { atLeast: true }),
    })),
  };
}

/** Whether a word can be a pattern. */
export const hasWildcards = (word: string): boolean => /[*?[{]/.test(word);

function explain(word: string, kind: "folder" | undefined): string {
  const shown = visible(word);
  if (kind === undefined)
    return `${shown === "" ? "An empty name" : shown} cannot be read: there is no such file`;
  return `${shown} is a folder. Name its files with a pattern: '${shown.replace(/\/$/, "")}/**/*'`;
}
