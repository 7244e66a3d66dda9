import { glob, readFile, writeFile } from "node:fs/promises";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { Files } from "./host.ts";

/** The files of this machine, relative paths from `cwd`. */
export function createFiles(cwd: string): Files {
  const at = (path: string) => resolve(cwd, path);
  return {
    cwd,
    readText(path) {
      try {
        return readFileSync(at(path), "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    readBytes: (path) => readFile(at(path)),
    writeBytes: (path, pieces) => writeFile(at(path), pieces),
    list(path) {
      try {
        return readdirSync(at(path));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" || code === "ENOTDIR") return undefined;
        throw error;
      }
    },
    stat(path) {
      try {
        const found = statSync(at(path));
        // A pipe or a device (`<(…)`, /dev/stdin) is read as a file is.
        return { kind: found.isDirectory() ? "folder" : "file", owner: found.uid };
      } catch {
        return undefined;
      }
    },
    async glob(pattern) {
      // What is installed is not what is written here, unless the pattern says so.
      const exclude = pattern.includes("node_modules") ? [] : ["**/node_modules/**"];
      const found: string[] = [];
      for await (const entry of glob(pattern, { cwd, exclude, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        // A link may lead to a folder, or nowhere.
        if (
          entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false })?.isFile() : !entry.isDirectory()
        ) {
          found.push(path);
        }
      }
      return found.map((path) => (isAbsolute(pattern) ? path : relative(cwd, path)));
    },
  };
}
