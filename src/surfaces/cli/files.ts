import { writeFile } from "node:fs/promises";
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Files } from "./host.ts";
import { readFileUpTo } from "./read-bytes.ts";

/** The file system of this machine; relative paths start from `cwd`. */
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
    readBytes: (path, most) => readFileUpTo(at(path), most),
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
        // A pipe or a device (`<(…)`, /dev/stdin) counts as a file.
        return {
          kind: found.isDirectory() ? "folder" : "file",
          owner: found.uid,
          regular: found.isFile(),
        };
      } catch {
        return undefined;
      }
    },
    entries: (path) =>
      readdirSync(at(path), { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: kindOf(entry),
      })),
    realPath(path) {
      try {
        return realpathSync.native(at(path));
      } catch {
        return at(path);
      }
    },
  };
}

function kindOf(entry: Dirent): "file" | "folder" | "link" | "other" {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
