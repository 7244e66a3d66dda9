import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { StoreError } from "./errors.ts";

/**
 * The mode in which a file of the data folder is opened. Every mode but `read` creates a missing file; `create` refuses an existing
 * one.
 */
export type Access = "read" | "append" | "read-append" | "read-write" | "create" | "create-append";

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;

const flags: Record<Access, number> = {
  read: O_RDONLY,
  append: O_WRONLY | O_CREAT | O_APPEND,
  "read-append": O_RDWR | O_CREAT | O_APPEND,
  "read-write": O_RDWR | O_CREAT,
  create: O_WRONLY | O_CREAT | O_EXCL,
  "create-append": O_WRONLY | O_CREAT | O_EXCL | O_APPEND,
};

// Opening a planted pipe must not wait for its other end.
const always = O_NOFOLLOW | O_NONBLOCK;

/**
 * Opens a file of the data folder. A user who can write in the folder could plant a link to another file, or a file of
 * their own: neither is followed, read or written. @throws StoreError for such a file; otherwise the error of the file
 * system.
 */
export function openOwnFile(path: string, access: Access): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags[access] | always, 0o600);
  } catch (error) {
    throw explain(path, error);
  }
  try {
    refuseForeign(path, fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Like `openOwnFile`, asynchronously. */
export const openOwn = async (path: string, access: Access): Promise<FileHandle> =>
  (await openSized(path, access)).file;

/** Like `openOwn`, with the size of the file in bytes. */
export async function openSized(path: string, access: Access): Promise<{ file: FileHandle; size: number }> {
  let file: FileHandle;
  try {
    file = await open(path, flags[access] | always, 0o600);
  } catch (error) {
    throw explain(path, error);
  }
  try {
    const found = await file.stat();
    refuseForeign(path, found);
    return { file, size: found.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Checks a file that other code opens by its name. A missing file is fine. */
export function requireOwn(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw linkedFile(path);
  refuseForeign(path, found);
}

/** Checks that a folder in the data folder is not a link. */
export function requireOwnFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) throw linkedFile(path);
}

/** Reads the text of a file of the data folder. */
export function readOwnText(path: string): string {
  const descriptor = openOwnFile(path, "read");
  try {
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

export async function readOwn(path: string): Promise<string> {
  const handle = await openOwn(path, "read");
  try {
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** The user of this process: null before it is read, undefined if the system has none. */
let ownUid: number | undefined | null = null;

function uidOf(): number | undefined {
  if (ownUid === null) ownUid = statSync("/proc/self", { throwIfNoEntry: false })?.uid;
  return ownUid;
}

interface Found {
  uid: number;
  isFile(): boolean;
}

function refuseForeign(path: string, found: Found): void {
  const action = "Find out who made it, and remove it.";
  if (!found.isFile()) throw new StoreError("open", `${path} is not a regular file. ${action}`);
  const own = uidOf();
  // Root administers stores of other users, and a file that root wrote must stay readable for their server.
  if (own !== undefined && own !== 0 && found.uid !== own && found.uid !== 0)
    throw new StoreError(
      "open",
      `${path} belongs to uid ${found.uid} and not to this user (uid ${own}). ${action}`,
    );
}

/** Turns the codes with which `open` refuses a link (ELOOP, EMLINK, or EEXIST when creating) into `linkedFile`. */
function explain(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ELOOP" || code === "EMLINK") return linkedFile(path, error);
  if (code === "EEXIST" && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return linkedFile(path, error);
  return error;
}

/** The error for a symbolic link. */
export const linkedFile = (path: string, cause?: unknown): StoreError =>
  new StoreError(
    "open",
    `${path} is a symbolic link, which is not followed. Find out who made it, and remove it.`,
    cause,
  );
