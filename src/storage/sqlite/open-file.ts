import { closeSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { openOwnFile, requireOwn } from "../own-file.ts";
import { syncFile } from "../replace-file.ts";
import { toSystemError } from "./system-error.ts";

/** An open file of SQLite. Every method is synchronous and throws the error of `system-error.ts`. */
export interface SqliteFile {
  /** Reports whether an older release has made it: see `raiseVersion`. */
  isOld(): boolean;
  /** Records that the file has the tables of this release; older ones refuse it from then on. */
  raiseVersion(): void;
  /** Returns a statement, which is compiled once. */
  prepared(sql: string): StatementSync;
  /** Runs a statement that returns nothing. */
  run(sql: string, ...values: SQLInputValue[]): void;
  /** Translates the errors of SQLite. */
  guarded<Args extends unknown[], T>(work: (...args: Args) => T): (...args: Args) => T;
  /** Runs work in one transaction. If it throws, nothing has happened. */
  transact<T>(work: () => T): T;
  /** Moves what was committed from the write-ahead log into the database, and truncates the log. */
  checkpoint(): void;
  /** Returns what SQLite finds wrong with the file. */
  findFaults(): string[];
  close(): void;
}

/** The tables of a file, and how it is written. */
export interface FileKind {
  version: number;
  /** The tables of a new file. */
  schema: string;
  /** FULL: a transaction is on the disk when it returns. NORMAL: the kernel has it, and a power failure may lose the last ones. */
  synchronous: "FULL" | "NORMAL";
  /** Pages of the write-ahead log after which they are moved into the database. */
  maxLogPages: number;
  /** KiB of pages that SQLite keeps in memory. */
  cacheKib: number;
}

const pageBytes = 4_096;
const minLogPages = 4;
/** The log on a small disk, as a share of the disk. */
const logPart = 1 / 64;

/**
 * Opens a file, and makes it if it is missing. The folder's lock keeps other servers away. An exclusive lock on the file itself
 * needs no shared memory, which network file systems lack.
 * @param file `inMemory` for one that is not stored. @throws StoreError for a file of a newer release, and the error of the file system.
 */
export function openSqliteFile(file: string, kind: FileKind): SqliteFile {
  let database: DatabaseSync | undefined;
  try {
    if (file !== inMemory) makePrivate(file);
    database = new DatabaseSync(file);
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    const version = requireVersion(file, database, kind);
    const pages = logPagesOf(file, kind);
    // A new file is synced once it has its tables, and before it has any content.
    database.exec(`
      PRAGMA synchronous = ${version === 0 ? "OFF" : kind.synchronous}; PRAGMA journal_mode = WAL; PRAGMA cache_size = -${kind.cacheKib};
      PRAGMA wal_autocheckpoint = ${pages}; PRAGMA journal_size_limit = ${pages * pageBytes};
      ${version === 0 ? `BEGIN IMMEDIATE; ${kind.schema} PRAGMA user_version = ${kind.version}; COMMIT; PRAGMA synchronous = ${kind.synchronous};` : ""}
    `);
    if (file !== inMemory) settle(file, database, version === 0);
    return createSqliteFile(file, database, kind);
  } catch (error) {
    database?.close();
    throw toSystemError(file, error);
  }
}

/** Opens a file that nobody writes, without changing anything beside it. It must have no write-ahead log. */
export function openUnchanged(file: string, kind: FileKind): SqliteFile {
  let database: DatabaseSync | undefined;
  try {
    requireOwn(file);
    const url = new URL(`file://${encodeURI(file).replaceAll(/[?#]/g, encodeURIComponent)}?immutable=1`);
    database = new DatabaseSync(url, { readOnly: true });
    requireVersion(file, database, kind);
    return createSqliteFile(file, database, kind);
  } catch (error) {
    database?.close();
    throw toSystemError(file, error);
  }
}

export const inMemory = ":memory:";

/** Returns the version of the tables of a file, 0 for a new one. */
function requireVersion(file: string, database: DatabaseSync, kind: FileKind): number {
  const version = versionOf(database);
  if (version > kind.version)
    throw new StoreError(
      "open",
      `${file} was written by a newer release of penknife (version ${version}, this one reads ${kind.version}). Start that release, or restore the folder from a backup made before the upgrade.`,
    );
  return version;
}

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
function logPagesOf(file: string, { maxLogPages }: FileKind): number {
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

function createSqliteFile(file: string, database: DatabaseSync, { version }: FileKind): SqliteFile {
  const statements = new Map<string, StatementSync>();

  function prepared(sql: string): StatementSync {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

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
    isOld: guarded(() => versionOf(database) < version),
    raiseVersion: guarded(() => database.exec(`PRAGMA user_version = ${version}`)),
    prepared,
    run: (sql, ...values) => void prepared(sql).run(...values),
    guarded,
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
    }) as SqliteFile["transact"],
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
