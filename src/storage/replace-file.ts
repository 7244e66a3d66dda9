import { closeSync, fsyncSync, openSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { requireOwnFolder } from "./own-file.ts";

/**
 * Replaces a whole file atomically: a reader or a crash sees the old one or the new one. Resolves when the new one is
 * on the disk. `temporary` is an unused name in the same folder.
 */
export async function replaceFile(
  path: string,
  temporary: string,
  content: string | Iterable<string> | AsyncIterable<string | Uint8Array>,
  mode = 0o600,
): Promise<void> {
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes files created, renamed or removed in the folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Like `syncFolder`, for a file or a folder, before anything else goes on. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a folder in an existing one, and syncs its name to the disk. Does not use `recursive`: below a deleted working
 * directory Node would look for the first existing folder for ever.
 */
export async function makeSubfolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return requireOwnFolder(path);
    throw error;
  }
  await syncFolder(dirname(path));
}
