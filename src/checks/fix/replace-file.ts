import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { decodeFileName, encodeFileName, showFileName } from "../../lib/file-name.ts";
import { codeOf } from "../../lib/system-error.ts";
import { isInside } from "../open-checks.ts";

export interface Replacement {
  /** Absolute. */
  path: string;
  /** The content that was read. A file with another content is left. */
  before: Uint8Array;
  after: Uint8Array;
  /** The folder that a link may not lead out of, absolute. */
  root: string;
  random(size: number): Uint8Array;
}

/** The file is left as it is, for a reason that its owner can do something about. */
export class LeftError extends Error {}

const changed = "it has changed since it was read";

/**
 * Replaces the content of a file. At every moment, also after a crash, the file has its old or its new content, as a whole; an
 * interrupted run leaves a file `.penknife-fix-*.tmp` beside it at worst. The replacement has the mode, the owner and the group
 * of the file, and is a new inode: other hard links keep the old content, as with a checkout of Git, because a store of
 * packages may share the file with other projects. Where the path is a link, its target is replaced.
 * @throws LeftError, or the error of the operating system
 */
export async function replaceFile({ path, before, after, root, random }: Replacement): Promise<void> {
  const target = findTarget(path, root);
  const was = lstatSync(encodeFileName(target));
  /** Reports whether there is anything to do: another run may have had the same idea. @throws LeftError */
  const isDue = (): boolean => {
    if (isStill(target, was, before)) return true;
    if (isStill(target, was, after)) return false;
    throw new LeftError(changed);
  };
  if (!isDue()) return;
  refuseReadOnly(target, was);
  const temporary = encodeFileName(
    join(dirname(target), `.penknife-fix-${Buffer.from(random(9)).toString("hex")}.tmp`),
  );
  const file = await open(temporary, "wx", 0o600);
  try {
    try {
      await file.writeFile(after);
      await keepOwner(file, was);
      // After the owner: a new owner clears the bits setuid and setgid.
      await file.chmod(was.mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    // Nothing may come between the comparison and the rename, so both are synchronous.
    if (isDue()) renameSync(temporary, encodeFileName(target));
    else unlinkSync(temporary);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/** Follows the links of a path; a target out of the tree is left alone, unless its folder was named outside as well. */
function findTarget(path: string, root: string): string {
  let target: string;
  try {
    target = toRealPath(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw new LeftError(changed);
    throw error;
  }
  const tree = isInside(root, path) ? root : dirname(path);
  if (isInside(toRealPath(tree), target)) return target;
  throw new LeftError(`it is a link to ${showFileName(target)}, which is outside of ${showFileName(tree)}`);
}

const toRealPath = (path: string): string =>
  decodeFileName(realpathSync.native(encodeFileName(resolve(path)), "buffer"));

/** Compares mode, owner and every byte: two writes in one tick of the clock have the same times. */
function isStill(path: string, was: Stats, bytes: Uint8Array): boolean {
  let file: number;
  try {
    file = openSync(encodeFileName(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(codeOf(error))) return false;
    throw error;
  }
  try {
    const now = fstatSync(file);
    const same = now.isFile() && now.mode === was.mode && now.uid === was.uid && now.gid === was.gid;
    return same && now.size === bytes.length && hasContent(file, bytes);
  } finally {
    closeSync(file);
  }
}

const pieceBytes = 1_048_576;

function hasContent(file: number, bytes: Uint8Array): boolean {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes.length));
  for (let at = 0; at < bytes.length;) {
    const length = readSync(file, piece, 0, Math.min(piece.length, bytes.length - at), null);
    if (length === 0 || !piece.subarray(0, length).equals(bytes.subarray(at, at + length))) return false;
    at += length;
  }
  return true;
}

/** A rename needs no permission for the file itself, and root needs none at all. */
function refuseReadOnly(path: string, { mode }: Stats): void {
  const readOnly = new LeftError("it is read-only");
  if ((mode & 0o222) === 0) throw readOnly;
  try {
    accessSync(encodeFileName(path), constants.W_OK);
  } catch (error) {
    if (codeOf(error) === "EACCES" || codeOf(error) === "EPERM") throw readOnly;
    throw error;
  }
}

async function keepOwner(
  file: { stat(): Promise<Stats>; chown(uid: number, gid: number): Promise<void> },
  { uid, gid }: Stats,
): Promise<void> {
  const own = await file.stat();
  if (own.uid === uid && own.gid === gid) return;
  try {
    await file.chown(uid, gid);
  } catch (error) {
    if (codeOf(error) !== "EPERM") throw error;
    throw new LeftError("it belongs to another user or group, which a replacement would not");
  }
}
