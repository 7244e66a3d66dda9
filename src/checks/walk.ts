import { join } from "node:path";
import { DocumentFault } from "../lib/fault.ts";
import { showFileName } from "../lib/file-name.ts";
import { createIgnoreRules } from "../lib/glob/git.ts";
import { reasonOf } from "../lib/system-error.ts";
import type { FileAccess } from "./files.ts";
import type { LeftOutCount } from "./left-out.ts";

/** Paths are relative to the folder that was listed, and sorted. */
export interface ListedFiles {
  paths: string[];
  /** Files that are ignored. */
  ignored: string[];
  /** Folders that cannot be read, with the reason. */
  unread: { name: string; message: string }[];
}

export interface WalkOptions {
  /** Whether `.gitignore` counts. */
  gitignore: boolean;
  /** Whether files in ignored folders are listed; otherwise such a folder is counted as one thing. */
  enterIgnored: boolean;
  leftOut: LeftOutCount;
}

/** Folders that are never entered: the data of Git, and packages of others. */
const isSkipped = (name: string): boolean => name === ".git" || name === "node_modules";

/** Lists the files below a folder without Git. Links are not followed. */
export function walk(
  folder: string,
  files: FileAccess,
  { gitignore, enterIgnored, leftOut }: WalkOptions,
): ListedFiles {
  const paths: string[] = [];
  const ignored: string[] = [];
  const unread: ListedFiles["unread"] = [];
  const rules = new Map<string, IgnoreRules>();
  const decide = decideBy((inside) => rules.get(inside));

  /** @param inside Relative to `folder`: "" or a path with a slash at its end. */
  function visit(inside: string, inIgnored: boolean): void {
    const entries = readFolder(inside);
    if (gitignore && entries.some(({ name, kind }) => name === ".gitignore" && kind === "file"))
      readRules(inside);
    for (const { name, kind } of entries) {
      const path = inside + name;
      const isIgnored = inIgnored || decide(kind === "folder" ? `${path}/` : path);
      if (kind === "folder") {
        if (isSkipped(name) || (isIgnored && !enterIgnored)) leftOut.add("ignored-folder", path);
        else visit(`${path}/`, isIgnored);
      } else if (kind === "file") (isIgnored ? ignored : paths).push(path);
      else leftOut.add(kind === "link" ? "link" : "special-file", path);
    }
  }

  function readFolder(inside: string): ReturnType<FileAccess["entries"]> {
    try {
      return files.entries(join(folder, inside));
    } catch (error) {
      const name = inside === "" ? "." : inside.slice(0, -1);
      const message = `The folder ${showFileName(name)} cannot be read: ${reasonOf(error)}`;
      unread.push({ name, message });
      return [];
    }
  }

  function readRules(inside: string): void {
    try {
      const text = files.readText(join(folder, inside, ".gitignore")) ?? "";
      rules.set(inside, createIgnoreRules(text));
    } catch (error) {
      const name = `${inside}.gitignore`;
      const reason = error instanceof DocumentFault ? error.message : reasonOf(error);
      unread.push({ name, message: `${showFileName(name)} cannot be read: ${reason}` });
    }
  }

  visit("", false);
  return { paths: paths.toSorted(), ignored: ignored.toSorted(), unread };
}

type IgnoreRules = ReturnType<typeof createIgnoreRules>;

/**
 * Returns a test of paths: the `.gitignore` in the nearest folder that says anything decides.
 * @param rulesOf Returns the rules in a folder: "" or a path with a slash at its end.
 */
export const decideBy =
  (rulesOf: (inside: string) => IgnoreRules | undefined) =>
  (path: string): boolean => {
    for (let end = path.lastIndexOf("/", path.length - 2); ; end = path.lastIndexOf("/", end - 1)) {
      const decision = rulesOf(path.slice(0, end + 1))?.(path.slice(end + 1));
      if (decision !== undefined || end === -1) return decision === true;
    }
  };
