import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { SettingsFile } from "../catalog/tool.ts";
import type { CommitFiles } from "./commit-files.ts";
import type { FileAccess } from "./files.ts";
import { isInside } from "./inside.ts";
import { findRoot } from "./repository.ts";

/** The files of settings above a file, such as `.editorconfig`: those of its folder and of the folders above it in its repository. */
export interface SettingsAbove {
  /** The path of the file from the top of the repository, with slashes. */
  path: string;
  /** The outermost first. */
  found: SettingsFile[];
}

/** @param name The name of the checked file, relative to the current folder. */
export type ReadSettings = (name: string, wanted: string) => Promise<SettingsAbove>;

/** Bytes of the largest file of settings. */
const maxBytes = 1024 * 1024;

/**
 * Returns a function that finds the files of settings above a file. It reads nothing out of the repository of the file, or out of its
 * folder where there is none, and follows no link.
 * @param from The commit that the checks are from, instead of the work tree.
 */
export function createSettingsReader(files: FileAccess, from?: CommitFiles): ReadSettings {
  const texts = new Map<string, Promise<string | undefined>>();
  const read = (path: string): Promise<string | undefined> => {
    let text = texts.get(path);
    if (text === undefined) texts.set(path, (text = from?.readBefore(path) ?? readPlain(path, files)));
    return text;
  };
  return async (name, wanted) => {
    const absolute = resolve(files.cwd, name);
    // The folder may have been named through a link.
    const folder = files.realPath(dirname(absolute));
    const top = findRoot(folder, files) ?? (isInside(files.cwd, folder) ? files.cwd : folder);
    const found: SettingsFile[] = [];
    for (const one of foldersDown(top, folder)) {
      const text = await read(join(one, wanted));
      if (text !== undefined) found.push({ folder: toSlashes(relative(top, one)), text });
    }
    return { path: toSlashes(join(relative(top, folder), basename(absolute))), found };
  };
}

function foldersDown(top: string, folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== top && isInside(top, at) && dirname(at) !== at;) {
    at = dirname(at);
    folders.unshift(at);
  }
  return folders;
}

async function readPlain(path: string, files: FileAccess): Promise<string | undefined> {
  try {
    const found = files.readRegular(path, maxBytes);
    return typeof found === "object" && "bytes" in found ? Buffer.from(found.bytes).toString() : undefined;
  } catch {
    // A folder in its place, or one that must not be read: then it says nothing.
    return undefined;
  }
}

const toSlashes = (path: string): string => path.split(sep).join("/");
