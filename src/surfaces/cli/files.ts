import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { resolve } from "node:path";
import { followLinks } from "../../checks/follow-links.ts";
import { listEntries } from "../../checks/list-entries.ts";
import { decodeFileName, encodeFileName } from "../../lib/file-name.ts";
import { codeOf } from "../../lib/system-error.ts";
import type { RegularFile } from "../../checks/files.ts";
import type { Files } from "./host.ts";
import { readDescriptor, readFileUpTo, readOrStream, readRegularFile } from "./read-bytes.ts";

/** Bytes of a large file read at a time. */
const chunkBytes = 1024 * 1024;

/** The file system of this machine; relative paths start from `cwd`. */
export function createFiles(cwd: string): Files {
  const at = (path: string) => encodeFileName(resolve(cwd, path));
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
    async readFound(path, uid) {
      // Few commands find a file, and all the others start without the code that does not trust it.
      if (lstatSync(at(path), { throwIfNoEntry: false }) === undefined) return undefined;
      const { readFound } = await import("./read-found.ts");
      return readFound(resolve(cwd, path), uid);
    },
    readBytes: (path, max) => readFileUpTo(at(path), max),
    readOrStream: (path, max) =>
      readOrStream(
        () => readRegularFile(at(path), max),
        () => createReadStream(at(path), { highWaterMark: chunkBytes }),
        max,
      ),
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
    entries: (path) => listEntries(at(path)),
    readRegular: (path, max) => readRegular(at(path), max),
    realPath(path) {
      try {
        return decodeFileName(realpathSync.native(at(path), "buffer"));
      } catch {
        return followLinks(resolve(cwd, path));
      }
    },
  };
}

/** Opens a pipe without waiting for its other end, and no link. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

function readRegular(path: string | Buffer, max: number): RegularFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, openFlags);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return "missing";
    if (code === "ELOOP") return "link";
    if (code === "ENXIO") return "special";
    throw error;
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) return "special";
    if (found.size <= max) return { bytes: readDescriptor(descriptor, found.size) };
    const start = Buffer.alloc(4096);
    return { size: found.size, start: start.subarray(0, readSync(descriptor, start)) };
  } finally {
    closeSync(descriptor);
  }
}
