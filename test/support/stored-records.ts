import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { recordsFile } from "../../src/storage/folder.ts";
import { type KindName, placesOf, type RecordKind, recordKinds } from "../../src/storage/record-kinds.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { openRecordsCopy } from "../../src/storage/sqlite/copy-records.ts";

// The records in a data folder that no process has open.

/** Writes the text of a record whole, whatever it is. */
export const putText = (folder: string, key: string, text: string): void => putTexts(folder, [[key, text]]);

export function putTexts(folder: string, texts: Iterable<readonly [key: string, text: string]>): void {
  const database = openDatabase(join(folder, recordsFile));
  try {
    database.transact(() => {
      for (const [key, after] of texts) {
        const [kind, id] = key.split(":") as [KindName, string];
        const enter = placesOf(recordKinds[kind] as RecordKind<unknown>, id, parse(after));
        database.swap(key, { before: undefined, after, enter, leave: [] });
      }
    });
  } finally {
    database.close();
  }
}

/** Changes a character of a record, as a disk does. */
export function flip(folder: string, key: string): void {
  const database = new DatabaseSync(join(folder, recordsFile));
  try {
    const changed = database
      .prepare(
        "UPDATE records SET text = substr(text, 1, 8) || 'x' || substr(text, 10) WHERE kind || ':' || id = ?",
      )
      .run(key);
    if (changed.changes !== 1) throw new Error(`there is no ${key}`);
  } finally {
    database.close();
  }
}

/** Returns the texts of all records of a kind, by id. */
export function textsOf(folder: string, kind: KindName): Map<string, string> {
  const database = openRecordsCopy(folder, {
    onError(error) {
      throw error;
    },
  });
  try {
    const ids = database.entries(kind, { limit: 1_000_000 });
    return new Map(ids.map((id) => [id, database.read(`${kind}:${id}`) ?? ""]));
  } finally {
    database.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
