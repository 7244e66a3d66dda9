import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { encodeFileName } from "../lib/file-name.ts";
import { codeOf } from "../lib/system-error.ts";

export interface FolderWatch {
  /** Watches these folders, absolute, and no others. Returns whether one is new. */
  set(folders: ReadonlySet<string>): boolean;
  close(): void;
}

export interface FolderWatchDeps {
  /** @param path What changed in a watched folder, absolute; undefined if the system does not say. */
  onChange(path?: string): void;
  /** Called once, when the system allows no more watches. */
  onLimit(): void;
}

/** Folders that appeared and of which no list of files has been made yet. More wait for the next list. */
const maxNew = 1000;
/** Folders in which much changes, and none of it is checked. */
const ignored = new Set([".git", "node_modules"]);

interface Watched {
  watcher: FSWatcher;
  /** Tells a folder from another that has taken its place. */
  inode: number;
}

/**
 * Watches folders, each by itself: Node's recursive watch would also watch every file, and the folders that Git ignores. A
 * folder that appears in a watched one is watched at once, with the folders in it.
 */
export function watchFolders({ onChange, onLimit }: FolderWatchDeps): FolderWatch {
  const watched = new Map<string, Watched>();
  const appeared = new Set<string>();
  let limited = false;

  function add(folder: string): boolean {
    const inode = inodeOf(folder);
    const known = watched.get(folder);
    if (known !== undefined && known.inode === inode) return false;
    remove(folder);
    if (inode === undefined) return false;
    try {
      const watcher = watch(encodeFileName(folder), (_event, name) => {
        const path = name === null ? undefined : join(folder, name);
        if (path !== undefined) look(path);
        onChange(path);
      });
      // The folder was deleted; its parent reports that too.
      watcher.on("error", () => remove(folder));
      watched.set(folder, { watcher, inode });
      return true;
    } catch (error) {
      if (["ENOSPC", "EMFILE"].includes(codeOf(error) ?? "") && !limited) {
        limited = true;
        onLimit();
      }
      return false;
    }
  }

  function look(path: string): void {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (ignored.has(name) || watched.has(path) || appeared.size >= maxNew) return;
    if (inodeOf(path) === undefined || !add(path)) return;
    appeared.add(path);
    try {
      for (const entry of readdirSync(path, { withFileTypes: true }))
        if (entry.isDirectory()) look(join(path, entry.name));
    } catch {
      // Deleted again, or not ours to read.
    }
  }

  function remove(folder: string): void {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
    appeared.delete(folder);
  }

  return {
    set(folders) {
      for (const folder of watched.keys())
        if (!folders.has(folder) && !(appeared.has(folder) && inodeOf(folder) !== undefined)) remove(folder);
      let grown = false;
      for (const folder of folders) {
        appeared.delete(folder);
        if (add(folder)) grown = true;
      }
      return grown;
    },
    close: () => [...watched.keys()].forEach(remove),
  };
}

/** Undefined if there is no such folder. */
function inodeOf(folder: string): number | undefined {
  try {
    const found = statSync(encodeFileName(folder));
    return found.isDirectory() ? found.ino : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a text that differs after the file was written or replaced; empty if there is no file. */
export function fingerprintOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(encodeFileName(path), { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return "";
  }
}
