import { closeSync, mkdirSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoreError, toStoreError } from "./errors.ts";
import { temporarySuffix } from "./file-driver.ts";
import { openOwnFile, readOwnText, requireOwnFolder } from "./own-file.ts";
import { type KindName, type Place, placesOf, type RecordKind, recordKinds } from "./record-kinds.ts";
import { recordVersion } from "./records.ts";

/** The folders of records in the data folder. */
export const recordFolders = Object.keys(recordKinds) as readonly KindName[];

/** Prefix of the folder in which a socket is made before it gets its name. */
export const hiddenSocketPrefix = ".socket-";

/** Creates the data folder if it is missing and checks that this process can write in it. @throws StoreError */
export function prepareFolder(path: string, uid?: number): void {
  try {
    // An existing folder keeps its mode: it may be a volume that others administer. The folders in it are made private.
    makeFolder(path);
    for (const name of recordFolders) {
      requireOwnFolder(join(path, name));
      makeFolder(join(path, name));
    }
    tryWriting(join(path, `probe${temporarySuffix}`));
  } catch (error) {
    throw toStoreError("open", path, error, uid);
  }
}

/** Folders that every store has; a store of an older release lacks the others. */
const oldestFolders: readonly KindName[] = ["accounts", "keys"];

/**
 * Checks a folder for reading only, and makes nothing. Returns the folders of records that are missing, as in a store
 * of an older release. @throws StoreError if there is no store.
 */
export function requireStore(path: string): string[] {
  try {
    for (const name of oldestFolders) readdirSync(join(path, name));
    return recordFolders.filter(
      (name) => statSync(join(path, name), { throwIfNoEntry: false }) === undefined,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw toStoreError("open", path, error);
    throw new StoreError("open", `There is no store in ${path}. Check the name of the folder.`, error);
  }
}

/**
 * Removes temporary files left by a crash, and refuses a folder written by a newer release before changing anything in
 * it. Damaged records are reported and left alone: one of them must not stop the service for everyone else. Only the
 * holder of the lock may call this. Returns the places of all records.
 */
export function inspectFolder(path: string, onError: (error: StoreError) => void): Place[] {
  for (const entry of readdirSync(path)) {
    if (entry.endsWith(temporarySuffix) || entry.startsWith(hiddenSocketPrefix)) {
      rmSync(join(path, entry), { recursive: true, force: true });
    }
  }
  const places: Place[][] = [];
  for (const name of recordFolders) {
    const folder = join(path, name);
    for (const entry of readdirSync(folder)) {
      const file = join(folder, entry);
      if (entry.endsWith(temporarySuffix)) rmSync(file, { force: true });
      else if (entry.endsWith(".json")) {
        const kind = recordKinds[name] as RecordKind<unknown>;
        places.push(placesOf(kind, entry.slice(0, -".json".length), inspectRecord(file, onError)));
      }
    }
  }
  return places.flat();
}

/** Returns what is stored; undefined if it is damaged. */
function inspectRecord(file: string, onError: (error: StoreError) => void): unknown {
  let stored: { v?: unknown };
  let version: unknown;
  try {
    stored = JSON.parse(readOwnText(file)) as { v?: unknown };
    version = stored.v;
  } catch (error) {
    if (error instanceof StoreError) onError(error);
    else
      onError(new StoreError("read", `${file} is damaged. Restore it from a backup, or remove it.`, error));
    return undefined;
  }
  if (typeof version === "number" && version > recordVersion) {
    throw new StoreError(
      "open",
      `${file} was written by a newer release of penknife (version ${version}, this one reads ${recordVersion}). Start that release, or restore the folder from a backup made before the upgrade.`,
    );
  }
  return stored;
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

/** Writes a page of content, because a full disk still accepts the name of an empty file. */
function tryWriting(file: string): void {
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
