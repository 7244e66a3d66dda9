import { closeSync, rmSync, writeSync } from "node:fs";
import { openOwnFile } from "./own-file.ts";

/**
 * Writes a page into a file and removes it, because a full disk still accepts the name of an empty file. @throws the error of the file
 * system.
 */
export function tryWriting(file: string): void {
  try {
    const descriptor = createAnew(file);
    try {
      const page = Buffer.alloc(4_096);
      if (writeSync(descriptor, page) < page.length) writeSync(descriptor, page);
    } finally {
      closeSync(descriptor);
    }
  } finally {
    try {
      rmSync(file, { force: true });
    } catch {
      // The error of the write is the better message.
    }
  }
}

/** Processes that start at once use the same file: each may create it between the other's two steps. */
const maxAttempts = 100;

/** Removes a file, which a crash or another user may have left, and creates it. Returns its descriptor. */
function createAnew(file: string): number {
  for (let attempt = 1; ; attempt++) {
    rmSync(file, { force: true });
    try {
      return openOwnFile(file, "create");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt === maxAttempts) throw error;
    }
  }
}
