import type { Host } from "../host.ts";
import { visible } from "../visible.ts";
import { findFiles, type LeftOutReason } from "./find-files.ts";

/** A file that could not be read, with a sentence that says why. */
export interface Unread {
  name: string;
  message: string;
  rule: "no-match" | "unreadable";
}

export interface LeftOut {
  reason: LeftOutReason;
  files: number;
  /** Set if counting ended early: there may be more. */
  atLeast?: true;
}

/** The files that the arguments of a command select. */
export interface Selection {
  /** Each file once, in the order of the arguments and under the first of its names. */
  names: string[];
  /** Arguments that select no file, and folders that cannot be read. */
  unread: Unread[];
  /** Files that a pattern matches and that are not checked, by reason. */
  leftOut: LeftOut[];
}

/**
 * An argument that is the name of a file selects it, whatever characters the name has; any other may be a pattern that
 * was quoted in the shell.
 * @throws ToolError invalid_input for a malformed pattern.
 */
export async function expandPatterns(words: readonly string[], { files, program }: Host): Promise<Selection> {
  const names = new Map<string, string>();
  const unread: Selection["unread"] = [];
  const leftOut = new Map<LeftOutReason, Set<string>>();
  let more = false;
  const add = (name: string) => {
    const path = name === "-" ? name : files.realPath(name);
    if (!names.has(path)) names.set(path, name);
  };
  for (const word of new Set(words)) {
    const kind = word === "" ? undefined : files.stat(word)?.kind;
    if (word === "-" || kind === "file") {
      add(word);
      continue;
    }
    if (kind === "folder" || !/[*?[{]/.test(word)) {
      unread.push({ name: word, message: explain(word, kind), rule: "unreadable" });
      continue;
    }
    const found = await findFiles(word, files, program);
    more ||= found.more;
    found.names.forEach(add);
    for (const { name, message } of found.unread)
      unread.push({
        name,
        message: `The folder ${visible(name)} cannot be read: ${message}`,
        rule: "unreadable",
      });
    for (const [reason, paths] of found.leftOut)
      leftOut.set(reason, (leftOut.get(reason) ?? new Set()).union(paths));
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

function explain(word: string, kind: "folder" | undefined): string {
  const shown = visible(word);
  if (kind === undefined)
    return `${shown === "" ? "An empty name" : shown} cannot be read: there is no such file`;
  return `${shown} is a folder. Say which files of it: '${shown.replace(/\/$/, "")}/**/*'`;
}
