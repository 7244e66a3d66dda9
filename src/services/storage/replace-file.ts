import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { requireOwnFolder } from "./own-file.ts";

/**
 * Puts a whole file in the place of another, so that a reader or a crash sees the old one or the new one. Durable when
 * it resolves. `temporary` is a name in the same folder that nobody else uses.
 */
export async function replaceFile(
  path: string,
  temporary: string,
  content: string | Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  try {
    const file = await open(temporary, "wx", 0o600);
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

/** Makes a creation, renaming or removal in it survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes a folder in one that is there, and its name durable. Not by `recursive`: below a working directory that was
 * deleted, Node looks for the first folder that exists for ever.
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
