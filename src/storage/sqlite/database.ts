import { closeSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { StoreError } from "../errors.ts";
import type { Range } from "../lists.ts";
import { openOwnFile, requireOwn } from "../own-file.ts";
import type { Place } from "../record-kinds.ts";
import { syncFile } from "../replace-file.ts";
import { toSystemError } from "./system-error.ts";

/** The change of one record and of the lists that contain it: see `Swap` in `texts.ts`. */
export interface Change {
  before: string | null | undefined;
  after: string | null;
  enter: readonly Place[];
  leave: readonly Place[];
}

/** Records and the lists of them in one file. Every method is synchronous and throws the error of `system-error.ts`. */
export interface Database {
  /** Returns the text of a record; `damagedText` if its checksum does not fit. */
  read(key: string): string | null;
  /** Returns false, and changes nothing, if the record is not the one before. */
  swap(key: string, change: Change): boolean;
  entries(list: string, range: Range): string[];
  count(list: string): number;
  /** Reports whether a list has an entry. */
  isListed(place: Place): boolean;
  /** Removes an entry whose record does not exist. */
  strike(key: string, place: Place): void;
  /** Runs work in one transaction, which is on the disk when this returns. If it throws, nothing has happened. */
  transact<T>(work: () => T): T;
  /** Moves what was committed from the write-ahead log into the database, and truncates the log. */
  checkpoint(): void;
  /** Returns what SQLite finds wrong with the file. */
  findFaults(): string[];
  close(): void;
}

/** The text of a record whose checksum does not fit: not a record, so that its reader reports it as damaged. */
export const damagedText = '"damaged"';

/** The version of the tables and of the records in them, in `user_version`: see `recordVersion`. */
const databaseVersion = 1;

/** The list of all records of a kind is the table of records itself. */
const isOfKind = (list: string): boolean => !list.includes(":");

const schema = `
CREATE TABLE IF NOT EXISTS records (
  kind TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID, STRICT;
CREATE TABLE IF NOT EXISTS places (list TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (list, entry)) WITHOUT ROWID, STRICT;
CREATE TABLE IF NOT EXISTS sizes (list TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID, STRICT;
CREATE TRIGGER IF NOT EXISTS record_added AFTER INSERT ON records BEGIN
  INSERT INTO sizes VALUES (new.kind, 1) ON CONFLICT DO UPDATE SET size = size + 1;
END;
CREATE TRIGGER IF NOT EXISTS record_removed AFTER DELETE ON records BEGIN
  UPDATE sizes SET size = size - 1 WHERE list = old.kind;
END;
CREATE TRIGGER IF NOT EXISTS place_added AFTER INSERT ON places BEGIN
  INSERT INTO sizes VALUES (new.list, 1) ON CONFLICT DO UPDATE SET size = size + 1;
END;
CREATE TRIGGER IF NOT EXISTS place_removed AFTER DELETE ON places BEGIN
  UPDATE sizes SET size = size - 1 WHERE list = old.list;
  DELETE FROM sizes WHERE list = old.list AND size = 0;
END;
PRAGMA user_version = ${databaseVersion};
`;

/** Later than every entry. */
const lastEntry = "\u{10ffff}";

const pageBytes = 4_096;
/**
 * Pages of the write-ahead log after which they are moved into the database: at most half of the reserve file of `space.ts`, so that a full
 * disk has room for them once the reserve is released.
 */
const maxLogPages = 32;
const minLogPages = 4;
const logPart = 1 / 64;

/**
 * Opens a database, and makes it if it is missing. The folder's lock keeps other servers away. An exclusive lock on the file itself
 * needs no shared memory, which network file systems lack.
 * @param file `:memory:` for one that is not stored.
 */
export function openDatabase(file: string): Database {
  let database: DatabaseSync | undefined;
  try {
    if (file !== inMemory) makePrivate(file);
    database = new DatabaseSync(file);
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    const version = versionOf(database);
    if (version > databaseVersion)
      throw new StoreError(
        "open",
        `${file} was written by a newer release of penknife (version ${version}, this one reads ${databaseVersion}). Start that release, or restore the folder from a backup made before the upgrade.`,
      );
    const pages = logPagesOf(file);
    // A new file is synced once it has its tables, and before it has any record.
    database.exec(`
      PRAGMA synchronous = ${version === 0 ? "OFF" : "FULL"}; PRAGMA journal_mode = WAL;
      PRAGMA wal_autocheckpoint = ${pages}; PRAGMA journal_size_limit = ${pages * pageBytes};
      ${version === 0 ? `BEGIN IMMEDIATE; ${schema} COMMIT; PRAGMA synchronous = FULL;` : ""}
    `);
    if (file !== inMemory) settle(file, database, version === 0);
    return createDatabase(file, database);
  } catch (error) {
    database?.close();
    throw toSystemError(file, error);
  }
}

export const inMemory = ":memory:";

/** Returns the version of the tables of a file, 0 for a new one. */
const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);

/** Moves what a crash has left in the log into the database: whoever closes it need not wait for that. */
function settle(file: string, database: DatabaseSync, isNew: boolean): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // On a full disk the log is as good.
    if (isNew) throw error;
  }
  if (isNew) syncFile(dirname(file));
}

/** Returns a small number for a small disk. */
function logPagesOf(file: string): number {
  if (file === inMemory) return maxLogPages;
  const { blocks, bsize } = statfsSync(dirname(file));
  const pages = Math.floor((blocks * bsize * logPart) / pageBytes);
  // Some file systems report no size.
  return blocks === 0 ? maxLogPages : Math.min(maxLogPages, Math.max(minLogPages, pages));
}

/** The files beside a database have its mode. */
function makePrivate(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-journal`]) requireOwn(name);
  closeSync(openOwnFile(file, "read-write"));
}

function createDatabase(file: string, database: DatabaseSync): Database {
  const statements = new Map<string, StatementSync>();

  function prepared(sql: string): StatementSync {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  const run = (sql: string, ...values: (string | number)[]): void => void prepared(sql).run(...values);

  function read(key: string): string | null {
    const [kind, id] = partsOf(key);
    const row = prepared("SELECT text, sum FROM records WHERE kind = ? AND id = ?").get(kind, id);
    if (row === undefined) return null;
    const text = String(row["text"]);
    return row["sum"] === sumOf(key, text) ? text : damagedText;
  }

  function write(key: string, text: string | null): void {
    const [kind, id] = partsOf(key);
    if (text === null) return run("DELETE FROM records WHERE kind = ? AND id = ?", kind, id);
    run(
      "INSERT INTO records VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text, sum = excluded.sum",
      kind,
      id,
      text,
      sumOf(key, text),
    );
  }

  function leave({ list, entry }: Place): void {
    if (!isOfKind(list)) run("DELETE FROM places WHERE list = ? AND entry = ?", list, entry);
  }

  /** Translates the errors of SQLite. */
  function guarded<Args extends unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
    return (...args) => {
      try {
        return work(...args);
      } catch (error) {
        throw toSystemError(file, error);
      }
    };
  }

  return {
    read: guarded(read),
    swap: guarded((key: string, { before, after, enter, leave: left }: Change) => {
      if (before !== undefined && read(key) !== before) return false;
      for (const { list, entry } of enter)
        if (!isOfKind(list)) run("INSERT OR IGNORE INTO places VALUES (?, ?)", list, entry);
      write(key, after);
      for (const place of left) leave(place);
      return true;
    }),
    entries: guarded((list: string, { after = "", until = lastEntry, limit }: Range) => {
      const sql = isOfKind(list)
        ? "SELECT id AS entry FROM records WHERE kind = ? AND id > ? AND id < ? ORDER BY id LIMIT ?"
        : "SELECT entry FROM places WHERE list = ? AND entry > ? AND entry < ? ORDER BY entry LIMIT ?";
      return prepared(sql)
        .all(list, after, until, limit)
        .map(({ entry }) => String(entry));
    }),
    count: guarded((list: string) =>
      Number(prepared("SELECT size FROM sizes WHERE list = ?").get(list)?.["size"] ?? 0),
    ),
    isListed: guarded(({ list, entry }: Place) => {
      if (isOfKind(list)) return read(`${list}:${entry}`) !== null;
      return prepared("SELECT 1 FROM places WHERE list = ? AND entry = ?").get(list, entry) !== undefined;
    }),
    strike: guarded((key: string, place: Place) => {
      if (read(key) === null) leave(place);
    }),
    transact: guarded(<T>(work: () => T): T => {
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    }) as Database["transact"],
    checkpoint: guarded(() => database.exec("PRAGMA wal_checkpoint(TRUNCATE)")),
    findFaults: guarded(() =>
      database
        .prepare("PRAGMA quick_check")
        .all()
        .map((row) => String(row["quick_check"]))
        .filter((word) => word !== "ok"),
    ),
    close: guarded(() => database.close()),
  };
}

function partsOf(key: string): [kind: string, id: string] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}

/** The checksum covers the name too: SQLite does not notice a bit that has flipped. */
const sumOf = (key: string, text: string): number => crc32(`${key} ${text}`);
