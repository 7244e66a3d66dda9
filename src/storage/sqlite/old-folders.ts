import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../errors.ts";
import { readOwnText, requireOwnFolder } from "../own-file.ts";
import { isId, type KindName, placesOf, type RecordKind, recordKinds } from "../record-kinds.ts";
import { recordVersion } from "../records.ts";
import { syncFile } from "../replace-file.ts";
import type { Database } from "./database.ts";
import { guardedKinds, guardFolder, guardName, kindNames } from "./guard.ts";

/** The folder to which the folders of older releases' records are moved after they have been read. */
export const oldFolder = "before-sqlite";

const extension = ".json";

export interface OldFolders {
  /** Reports whether there are records of an older release, and whether such a release is kept away. */
  look(): { hasRecords: boolean; isGuarded: boolean };
  /**
   * Reads all records into a database. Reports what is damaged, which stays damaged. @throws StoreError for a record of a newer
   * release.
   */
  read(database: Database): number;
  /** Keeps older releases from using the folder. Each folder is guarded at every moment, whenever this process dies. */
  guard(): void;
  /** Moves the folders of records away, or the rest of them after a crash, and keeps older releases away. */
  putAway(): void;
}

export function createOldFolders(path: string, onError: (error: StoreError) => void): OldFolders {
  const folderOf = (kind: KindName): string => join(path, kind);
  const filesOf = (kind: KindName): string[] =>
    existsSync(folderOf(kind)) ? readdirSync(folderOf(kind)).filter((name) => name !== guardName) : [];
  const recordsOf = (kind: KindName): string[] => filesOf(kind).filter((name) => name.endsWith(extension));

  function readRecord(file: string): string {
    let text: string;
    try {
      text = readOwnText(file);
    } catch (error) {
      onError(error instanceof StoreError ? error : damaged(file, error));
      return "null";
    }
    try {
      refuseNewer(file, JSON.parse(text) as { v?: unknown } | null);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      onError(damaged(file, error));
    }
    return text;
  }

  function readKind(kind: KindName, database: Database): number {
    let records = 0;
    for (const name of recordsOf(kind)) {
      const id = name.slice(0, -extension.length);
      const file = join(folderOf(kind), name);
      if (!isId(id)) {
        onError(new StoreError("read", `${file} is not the name of a record, and stays in ${oldFolder}.`));
        continue;
      }
      const after = readRecord(file);
      const enter = placesOf(recordKinds[kind] as RecordKind<unknown>, id, parse(after));
      database.swap(`${kind}:${id}`, { before: undefined, after, enter, leave: [] });
      records += 1;
    }
    return records;
  }

  /** The guard is on the disk when this returns. */
  function guard(kind: KindName): void {
    if (!guardFolder(path, kind)) return;
    for (const changed of [join(folderOf(kind), guardName), folderOf(kind), path]) syncFile(changed);
  }

  function putKindAway(kind: KindName): void {
    requireOwnFolder(folderOf(kind));
    const isGuard = guardedKinds.includes(kind);
    if (filesOf(kind).length > 0) {
      const target = join(path, oldFolder, kind);
      if (existsSync(target))
        return onError(
          new StoreError(
            "open",
            `${folderOf(kind)} has files of an older release of penknife beside store.db, and they are not read. Move them elsewhere.`,
          ),
        );
      mkdirSync(join(path, oldFolder), { recursive: true, mode: 0o700 });
      renameSync(folderOf(kind), target);
      rmSync(join(target, guardName), { force: true });
    } else if (!isGuard) rmSync(folderOf(kind), { recursive: true, force: true });
    if (isGuard) guard(kind);
  }

  return {
    look: () => ({
      hasRecords: kindNames.some((kind) => recordsOf(kind).length > 0),
      isGuarded: guardedKinds.some((kind) => existsSync(join(folderOf(kind), guardName))),
    }),
    read(database) {
      for (const kind of kindNames) requireOwnFolder(folderOf(kind));
      return kindNames.reduce((sum, kind) => sum + readKind(kind, database), 0);
    },
    guard() {
      for (const kind of guardedKinds) guard(kind);
    },
    putAway() {
      for (const kind of kindNames) putKindAway(kind);
    },
  };
}

function refuseNewer(file: string, stored: { v?: unknown } | null): void {
  const version = stored?.v;
  if (typeof version !== "number" || version <= recordVersion) return;
  throw new StoreError(
    "open",
    `${file} was written by a newer release of penknife (version ${version}, this one reads ${recordVersion}). Start that release, or restore the folder from a backup made before the upgrade.`,
  );
}

const damaged = (file: string, cause: unknown): StoreError =>
  new StoreError("read", `${file} is damaged. Restore it from a backup, or remove it.`, cause);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
