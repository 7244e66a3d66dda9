import { chmodSync, closeSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError, toStoreError } from "./errors.ts";
import { openOwnFile, readOwnText, requireOwn } from "./own-file.ts";

/** The exclusive right to write in a folder. */
export interface Lock {
  /** Reports whether the file that was locked is still the one in the folder. */
  isHeld(): boolean;
  release(): void;
}

// Two processes that start at once may contend for a moment; SQLite lets one of them wait and try again.
const patienceMs = 300;
const sqliteBusy = 5;

/**
 * Locks the folder for this process. @throws StoreError naming the process that holds it.
 *
 * The lock is a POSIX record lock of the operating system, which Node offers only through SQLite: an exclusive
 * transaction on the (empty) file `lock`, never committed. The kernel drops it when the process ends, however that
 * happens, so there is no stale lock to detect after kill -9; two processes that start at once cannot both win; and it
 * holds between containers that share a volume. A file with a process id does none of that: in a container every server
 * is process 1, the dead one and the live one alike.
 *
 * POSIX drops the lock when the process closes *any* descriptor of the file, so nothing else may open `lock`; what
 * others need to read is in `owner.json`.
 */
export function openLock(
  folder: string,
  owner: { pid?: number | undefined; now: number },
  patience = patienceMs,
): Lock {
  const card = join(folder, "owner.json");
  const file = join(folder, "lock");
  requireOwn(file);
  const database = open(file, patience, () => readOwner(folder));
  try {
    // Anybody who can read the file could take a shared lock on it and prevent the next start.
    chmodSync(file, 0o600);
    const { ino, dev } = statSync(file);
    const text = JSON.stringify({
      pid: owner.pid,
      host: hostname(),
      since: new Date(owner.now).toISOString(),
    });
    writeCard(card, text);
    return {
      isHeld() {
        const found = statSync(file, { throwIfNoEntry: false });
        return found?.ino === ino && found.dev === dev;
      },
      release() {
        removeCard(card);
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw toStoreError("open", folder, error);
  }
}

function writeCard(card: string, text: string): void {
  const temporary = `${card}.tmp`;
  rmSync(temporary, { force: true });
  const descriptor = openOwnFile(temporary, "create");
  try {
    writeSync(descriptor, `${text}\n`);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, card);
}

/** Removes the card. If it cannot be removed, it stays as after kill -9: only the lock counts. */
function removeCard(card: string): void {
  try {
    rmSync(card, { force: true });
  } catch {
    // The next owner replaces it.
  }
}

function open(file: string, patience: number, ownerName: () => string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: patience });
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) {
      throw new StoreError(
        "lock",
        `${file} is held by ${ownerName()}. One process writes a folder at a time: stop that one, or choose another folder with storage.path.`,
        error,
      );
    }
    throw new StoreError(
      "lock",
      `${file} cannot be locked: ${error instanceof Error ? error.message : String(error)}. Use a local file system that supports locks.`,
      error,
    );
  }
}

/** Describes the holder of a folder's lock, for messages. */
export function readOwner(folder: string): string {
  const owner = findOwner(folder);
  return owner === undefined ? "another process" : `another penknife (${owner})`;
}

/** Describes the process that holds a folder's lock, or that held it last and was killed. */
export function findOwner(folder: string): string | undefined {
  try {
    const card = readOwnText(join(folder, "owner.json"));
    const { pid, host, since } = JSON.parse(card) as Record<string, unknown>;
    return `process ${String(pid)} on ${String(host)}, since ${String(since)}`;
  } catch {
    return undefined;
  }
}
