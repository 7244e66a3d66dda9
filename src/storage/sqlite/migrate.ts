import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../errors.ts";
import { recordsFile } from "../folder.ts";
import { syncFile } from "../replace-file.ts";
import { type Database, openDatabase } from "./database.ts";
import { makeDraft } from "./draft.ts";
import { createOldFolders, oldFolder } from "./old-folders.ts";
import type { OpenRecordsOptions } from "./open-records.ts";

/**
 * Opens the records of a folder that is new, or that an older release has used. Its records are read into a draft of the database first:
 * a crash before the draft has its name starts over, a crash after it goes on with moving the old folders away.
 */
export async function migrate(
  folder: string,
  { onError, onNotice = () => {} }: OpenRecordsOptions,
): Promise<Database> {
  const file = join(folder, recordsFile);
  const old = createOldFolders(folder, onError);
  if (!existsSync(file)) {
    const { hasRecords, isGuarded } = old.look();
    if (hasRecords) onNotice("info", moved(await readAll()));
    else if (isGuarded)
      throw new StoreError("open", `${file} is gone, and with it all records. ${restoreIt}`);
  }
  const database = openDatabase(file);
  try {
    old.putAway();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }

  async function readAll(): Promise<number> {
    let count = 0;
    const draft = await makeDraft(file, openDatabase, (records) => {
      count = records.transact(() => old.read(records));
    });
    // From here on an older release would change records that nobody reads any more.
    old.guard();
    renameSync(draft, file);
    syncFile(folder);
    return count;
  }

  function moved(count: number): string {
    return `${count} records were moved into ${file}; their files are in ${join(folder, oldFolder)}.`;
  }
}

const restoreIt =
  "Put it back, or restore a backup into an empty folder (penknife admin restore); to begin anew, choose an empty folder with storage.path.";
