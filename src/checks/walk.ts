import { join } from "node:path";
import { DocumentFault } from "../lib/fault.ts";
import { showFileName } from "../lib/file-name.ts";
import { createIgnoreRules } from "../lib/glob/git.ts";
import { reasonOf } from "../lib/system-error.ts";
import type { FileAccess } from "./files.ts";
import type { LeftOutCount } from "./left-out.ts";

export interface WalkedFiles {
  /** Sorted paths, relative to the folder. */
  paths: string[];
  /** Folders that cannot be read, with the reason. */
  unread: { name: string; message: string }[];
}

/** The rules of one .gitignore and the folder that has it: "" or a path with a slash at its end. */
interface Rules {
  folder: string;
  decide(path: string): boolean | undefined;
}

/**
 * Lists the files below a folder without Git: `.gitignore` counts as in a repository, links are not followed, and `.git` and
 * `node_modules` are left out.
 */
export function walk(folder: string, files: FileAccess, leftOut: LeftOutCount): WalkedFiles {
  const paths: string[] = [];
  const unread: WalkedFiles["unread"] = [];
  /** @param inside Relative to `folder`: "" or a path with a slash at its end. */
  function visit(inside: string, above: readonly Rules[]): void {
    let entries: ReturnType<FileAccess["entries"]>;
    try {
      entries = files.entries(join(folder, inside));
    } catch (error) {
      const name = inside === "" ? "." : inside.slice(0, -1);
      unread.push({ name, message: `The folder ${showFileName(name)} cannot be read: ${reasonOf(error)}` });
      return;
    }
    const own = entries.some(({ name, kind }) => name === ".gitignore" && kind === "file")
      ? readRules(inside)
      : undefined;
    const rules = own === undefined ? above : [...above, own];
    for (const { name, kind } of entries) {
      const path = inside + name;
      if (kind === "folder") {
        if (name === ".git" || name === "node_modules") leftOut.add("ignored-folder", path);
        else if (isIgnored(`${path}/`, rules)) leftOut.add("ignored-folder", path);
        else visit(`${path}/`, rules);
      } else if (isIgnored(path, rules)) leftOut.add("ignored", path);
      else if (kind === "file") paths.push(path);
      else leftOut.add(kind === "link" ? "link" : "special-file", path);
    }
  }
  function readRules(inside: string): Rules | undefined {
    try {
      return {
        folder: inside,
        decide: createIgnoreRules(files.readText(join(folder, inside, ".gitignore")) ?? ""),
      };
    } catch (error) {
      const name = `${inside}.gitignore`;
      const reason = error instanceof DocumentFault ? error.message : reasonOf(error);
      unread.push({ name, message: `${showFileName(name)} cannot be read: ${reason}` });
      return undefined;
    }
  }
  visit("", []);
  return { paths: paths.toSorted(), unread };
}

/** The file in the nearest folder that says anything decides. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { folder, decide } of rules.toReversed()) {
    const decision = decide(path.slice(folder.length));
    if (decision !== undefined) return decision;
  }
  return false;
}
