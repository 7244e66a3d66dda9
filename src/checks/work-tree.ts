import { join } from "node:path";
import { showFileName } from "../lib/file-name.ts";
import { isUsageReason, reasonOf } from "../lib/system-error.ts";
import type { ReadFile } from "./check-files.ts";
import type { FileAccess, RegularFile } from "./files.ts";
import type { LeftOutCount } from "./left-out.ts";
import { type FileSource, isLfsPointer, type SizeLimit, toTooLarge } from "./source.ts";

export interface WorkTree {
  /** The folder of the patterns, absolute. */
  folder: string;
  paths: readonly string[];
  /** Paths that Git ignores, unless they were named. */
  ignored: ReadonlySet<string>;
  files: FileAccess;
  leftOut: LeftOutCount;
}

/**
 * Reads files of the work tree. A file that was deleted since it was listed is none to check. A link is left out: its target is
 * checked under its own name if it is in the tree, and a link out of the tree leads nowhere.
 */
export function createWorkTree({ folder, paths, ignored, files, leftOut }: WorkTree): FileSource {
  // Not async: promises of nothing but the disk cost more than reading a small file.
  function read(path: string, limit: SizeLimit): ReadFile {
    const name = join(folder, path);
    let found: RegularFile;
    try {
      found = files.readRegular(name, limit.bytes);
    } catch (error) {
      const unread = `${showFileName(path)} cannot be read: ${reasonOf(error)}`;
      return isUsageReason(error) ? { unread } : { unread, failed: true };
    }
    if (found === "missing") return "skipped";
    if (typeof found === "string") {
      leftOut.add(found === "link" ? "link" : "special-file", path);
      return "skipped";
    }
    if ("size" in found) return toTooLarge(showFileName(path), found.size, limit);
    if (!isLfsPointer(found.bytes)) return found;
    leftOut.add("lfs-pointer", path);
    return "skipped";
  }
  return { paths, ignored, read: async (path, limit) => read(path, limit), close: () => undefined };
}
