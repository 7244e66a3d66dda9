import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoreError, toStoreError } from "./errors.ts";
import { tryWriting } from "./try-writing.ts";

/** Suffix of a file being written; a file left by a crash has it. */
export const temporarySuffix = ".tmp";

/** The database of records in the data folder. */
export const recordsFile = "store.db";

/** The database of usage, last uses and ended deliveries in the data folder. */
export const historyFile = "history.db";

/** Prefix of the folder in which a socket is made before it gets its name. */
export const hiddenSocketPrefix = ".socket-";

/** Creates the data folder if it is missing and checks that this process can write in it. @throws StoreError */
export function prepareFolder(path: string, uid?: number): void {
  try {
    // An existing folder keeps its mode: it may be a volume that others administer.
    makeFolder(path);
    tryWriting(join(path, `probe${temporarySuffix}`));
  } catch (error) {
    throw toStoreError("open", path, error, uid);
  }
}

/** Checks a folder for reading only, and makes nothing. @throws StoreError if there is no store. */
export function requireStore(path: string): void {
  try {
    const names = readdirSync(path);
    // An older release made a folder for each kind of record.
    if (names.includes(recordsFile) || ["accounts", "keys"].every((name) => names.includes(name))) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw toStoreError("open", path, error);
  }
  throw new StoreError("open", `There is no store in ${path}. Check the name of the folder.`);
}

/** Removes temporary files left by a crash. Only the holder of the lock may call this. */
export function sweepFolder(path: string): void {
  for (const entry of readdirSync(path)) {
    if (entry.endsWith(temporarySuffix) || entry.startsWith(hiddenSocketPrefix)) {
      rmSync(join(path, entry), { recursive: true, force: true });
    }
  }
}

/** Does not use `recursive`, which reports ENOENT on a read-only file system. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(path) !== path) {
      makeFolder(dirname(path));
      mkdirSync(path, { mode: 0o700 });
    } else if (code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}
