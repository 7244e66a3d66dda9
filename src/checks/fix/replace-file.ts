import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf } from "../../lib/system-error.ts";
import { LeftError } from "./left-error.ts";
import { openPlace, type Place } from "./open-place.ts";
import type { Runtime } from "../../runtime.ts";

export interface Replacement {
  /** Absolute. */
  path: string;
  /** The content that was read. A file with another content is left. Without it, any file is replaced and a missing one made. */
  before?: Uint8Array | undefined;
  after: Content;
  /** Folders that a link may not lead out of, absolute; see `openPlace`. */
  trees: readonly [string, ...string[]];
  /** Whether only the owner may read the file, whatever the mode of the one that it replaces. */
  secret?: boolean;
  runtime: Runtime;
}

export type Content = Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

const changed = "it has changed since it was read";

/**
 * Writes a file as a whole: at every moment, also after a crash, it has its old or its new content; an interrupted run leaves a
 * file `.penknife-fix-*.tmp` beside it at worst. The replacement has the mode, the owner and the group of the file, and is a new
 * inode: other hard links keep the old content, as with a checkout of Git, because a store of packages may share the file with
 * other projects. Where the path is a link in its tree, its target is replaced.
 * @throws LeftError, or the error of the operating system
 */
export async function replaceFile(replacement: Replacement): Promise<void> {
  const place = openFor(replacement);
  try {
    await replaceIn(place, replacement);
  } finally {
    place.close();
  }
}

/**
 * Reports what `replaceFile` would refuse at a path, without writing anything.
 * @throws LeftError, or the error of the operating system
 */
export function requireReplaceable(path: string, trees: Replacement["trees"]): void {
  const place = openPlace(path, trees);
  try {
    const target = place.entry(place.name);
    const was = lstatSync(target, { throwIfNoEntry: false });
    if (was !== undefined) refuseUnsuitable(target, was);
  } finally {
    place.close();
  }
}

function openFor({ path, before, trees }: Replacement): Place {
  try {
    return openPlace(path, trees);
  } catch (error) {
    throw before !== undefined && codeOf(error) === "ENOENT" ? new LeftError(changed) : error;
  }
}

async function replaceIn(place: Place, { before, after, secret, runtime }: Replacement): Promise<void> {
  const target = place.entry(place.name);
  const was = lstatSync(target, { throwIfNoEntry: false });
  /** Reports whether there is anything to do: another run may have had the same idea. @throws LeftError */
  const isDue = (): boolean => {
    if (before === undefined) return true;
    if (was !== undefined && isStill(target, was, before)) return true;
    if (was !== undefined && after instanceof Uint8Array && isStill(target, was, after)) return false;
    throw new LeftError(changed);
  };
  if (!isDue()) return;
  if (was !== undefined) refuseUnsuitable(target, was, before !== undefined);
  const temporary = place.entry(`.penknife-fix-${Buffer.from(runtime.random(9)).toString("hex")}.tmp`);
  const file = await open(temporary, "wx", was === undefined && secret !== true ? 0o666 : 0o600);
  try {
    try {
      await file.writeFile(after);
      if (was !== undefined && secret !== true) await keepAttributes(file, was, before !== undefined);
      await file.sync();
    } finally {
      await file.close();
    }
    // Nothing may come between the comparison and the rename, so both are synchronous.
    if (isDue()) renameSync(temporary, target);
    else unlinkSync(temporary);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  if (before === undefined) place.sync();
}

/** Compares mode, owner and every byte: two writes in one tick of the clock have the same times. */
function isStill(path: string | Buffer, was: Stats, bytes: Uint8Array): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
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

/**
 * A rename needs no permission for the file itself, and replaces what is no regular file, too.
 * @param strict Whether a file without write permission is left, also for root, who needs none.
 */
function refuseUnsuitable(path: string | Buffer, was: Stats, strict = false): void {
  if (was.isDirectory())
    throw Object.assign(new Error("It is a folder"), { code: "EISDIR", syscall: "rename" });
  if (!was.isFile()) throw new LeftError("it is a pipe, a socket or a device");
  const readOnly = new LeftError("it is read-only");
  if (strict && (was.mode & 0o222) === 0) throw readOnly;
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (codeOf(error) === "EACCES" || codeOf(error) === "EPERM") throw readOnly;
    throw error;
  }
}

/** @param strict Whether a file is left if its owner cannot be kept. */
async function keepAttributes(file: FileHandle, { uid, gid, mode }: Stats, strict: boolean): Promise<void> {
  const own = await file.stat();
  const isOwn = own.uid === uid && own.gid === gid;
  const isKept = isOwn || (await giveTo(file, uid, gid));
  if (!isKept && strict)
    throw new LeftError("it belongs to another user or group, which a replacement would not");
  // After the owner: a new owner clears the bits setuid and setgid. Another one must not have them.
  await file.chmod(mode & (isKept ? 0o7777 : 0o777));
}

async function giveTo(file: FileHandle, uid: number, gid: number): Promise<boolean> {
  try {
    await file.chown(uid, gid);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EPERM") throw error;
    return false;
  }
}
