import { closeSync, existsSync, mkdirSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openOwnFile, requireOwnFolder } from "../own-file.ts";
import { type KindName, recordKinds } from "../record-kinds.ts";
import { recordVersion } from "../records.ts";

/** Releases before SQLite kept each record in a file of its own, such as `accounts/acme.json`. */
export const kindNames = Object.keys(recordKinds) as readonly KindName[];
/** The folders in which every older release looks for records. */
export const guardedKinds: readonly KindName[] = ["accounts", "keys"];
/** The one file in each of them: a record of a version that every older release refuses at its start. */
export const guardName = "moved-to-store-db.json";
const guardText = `${JSON.stringify({ v: recordVersion + 1, note: "The records are in store.db. Older releases of penknife cannot use this folder." })}\n`;

/** Keeps older releases from using a folder. Returns false if it was done before. */
export function guardFolder(path: string, kind: KindName): boolean {
  const folder = join(path, kind);
  const file = join(folder, guardName);
  requireOwnFolder(folder);
  if (isGuarded(folder)) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const descriptor = openOwnFile(file, "read-write");
  try {
    writeSync(descriptor, guardText);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/** Reports whether an older release has left nothing, and is kept away. */
export const isSettled = (folder: string): boolean =>
  kindNames.every((kind) => {
    const path = join(folder, kind);
    if (!existsSync(path)) return !guardedKinds.includes(kind);
    return guardedKinds.includes(kind) && readdirSync(path).length === 1 && isGuarded(path);
  });

/** A crash may leave half of the file. */
const isGuarded = (folder: string): boolean =>
  statSync(join(folder, guardName), { throwIfNoEntry: false })?.size === guardText.length;
