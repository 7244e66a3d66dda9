import { crc32 } from "node:zlib";
import type { Range } from "../lists.ts";
import type { Place } from "../record-kinds.ts";
import type { Answer, Call, Target } from "./calls.ts";
import { type FileKind, openSqliteFile, type SqliteFile } from "./open-file.ts";

/** The change of one record and of the lists that contain it: see `Swap` in `texts.ts`. */
export interface Change {
  before: string | null | undefined;
  after: string | null;
  enter: readonly Place[];
  leave: readonly Place[];
}

/** Records and the lists of them in one file. Every method is synchronous and throws the error of `system-error.ts`. */
export interface Database extends Target<Call>, Pick<SqliteFile, "isOld" | "raiseVersion" | "findFaults"> {
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
}

/** The text of a record whose checksum does not fit: not a record, so that its reader reports it as damaged. */
export const damagedText = '"damaged"';

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
`;

/** Later than every entry. */
const lastEntry = "\u{10ffff}";

/**
 * Version 2 has the tables of version 1. It keeps releases away that look for usage, last uses and ended deliveries in files
 * (`history/migrate.ts`). The log has at most half of the size of the reserve file of `space.ts`, so that a full disk has room for it once the
 * reserve is released.
 */
const recordsKind: FileKind = { version: 2, schema, synchronous: "FULL", maxLogPages: 32, cacheKib: 8_000 };

/** @param file `inMemory` for one that is not stored. */
export function openDatabase(file: string): Database {
  const sqlite = openSqliteFile(file, recordsKind);
  const { prepared, run, guarded } = sqlite;

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

  function swap(key: string, { before, after, enter, leave: left }: Change): boolean {
    if (before !== undefined && read(key) !== before) return false;
    for (const { list, entry } of enter)
      if (!isOfKind(list)) run("INSERT OR IGNORE INTO places VALUES (?, ?)", list, entry);
    write(key, after);
    for (const place of left) leave(place);
    return true;
  }

  function entries(list: string, { after = "", until = lastEntry, limit }: Range): string[] {
    const sql = isOfKind(list)
      ? "SELECT id AS entry FROM records WHERE kind = ? AND id > ? AND id < ? ORDER BY id LIMIT ?"
      : "SELECT entry FROM places WHERE list = ? AND entry > ? AND entry < ? ORDER BY entry LIMIT ?";
    return prepared(sql)
      .all(list, after, until, limit)
      .map(({ entry }) => String(entry));
  }

  const count = (list: string): number =>
    Number(prepared("SELECT size FROM sizes WHERE list = ?").get(list)?.["size"] ?? 0);

  function strike(key: string, place: Place): void {
    if (read(key) === null) leave(place);
  }

  function perform(call: Call): Answer {
    switch (call.act) {
      case "read":
        return read(call.key);
      case "swap":
        return swap(call.key, call.change);
      case "entries":
        return entries(call.list, call.range);
      case "count":
        return count(call.list);
      case "strike":
        strike(call.key, call.place);
        return null;
    }
  }

  return {
    ...sqlite,
    read: guarded(read),
    swap: guarded(swap),
    entries: guarded(entries),
    count: guarded(count),
    isListed: guarded(({ list, entry }: Place) => {
      if (isOfKind(list)) return read(`${list}:${entry}`) !== null;
      return prepared("SELECT 1 FROM places WHERE list = ? AND entry = ?").get(list, entry) !== undefined;
    }),
    strike: guarded(strike),
    isWrite: ({ act }) => act === "swap" || act === "strike",
    perform: guarded(perform),
  };
}

function partsOf(key: string): [kind: string, id: string] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}

/** The checksum covers the name too: SQLite does not notice a bit that has flipped. */
const sumOf = (key: string, text: string): number => crc32(`${key} ${text}`);
