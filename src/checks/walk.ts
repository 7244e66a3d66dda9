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

/** The rules of one .gitignore and the folder that has it: "" or a path with a slash at its end. */
interface Rules {
  folder: string;
  decide(path: string): boolean | undefined;
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
  /** @param inside Relative to `folder`: "" or a path with a slash at its end. */
  function visit(inside: string, above: readonly Rules[], inIgnored: boolean): void {
    const entries = readFolder(inside);
    const own =
      gitignore && entries.some(({ name, kind }) => name === ".gitignore" && kind === "file")
        ? readRules(inside)
        : undefined;
    const rules = own === undefined ? above : [...above, own];
    for (const { name, kind } of entries) {
      const path = inside + name;
      const isIgnored = inIgnored || decide(kind === "folder" ? `${path}/` : path, rules);
      if (kind === "folder") {
        if (isSkipped(name) || (isIgnored && !enterIgnored)) leftOut.add("ignored-folder", path);
        else visit(`${path}/`, rules, isIgnored);
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

  function readRules(inside: string): Rules | undefined {
    try {
      const text = files.readText(join(folder, inside, ".gitignore")) ?? "";
      return { folder: inside, decide: createIgnoreRules(text) };
    } catch (error) {
      const name = `${inside}.gitignore`;
      const reason = error instanceof DocumentFault ? error.message : reasonOf(error);
      unread.push({ name, message: `${showFileName(name)} cannot be read: ${reason}` });
      return undefined;
    }
  }

  visit("", [], false);
  return { paths: paths.toSorted(), ignored: ignored.toSorted(), unread };
}

/** The file in the nearest folder that says anything decides. */
function decide(path: string, rules: readonly Rules[]): boolean {
  for (const one of rules.toReversed()) {
    const decision = one.decide(path.slice(one.folder.length));
    if (decision !== undefined) return decision;
  }
  return false;
}
