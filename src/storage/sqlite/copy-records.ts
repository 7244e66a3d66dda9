import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { StoreError } from "../errors.ts";
import { recordsFile } from "../folder.ts";
import { requireOwn } from "../own-file.ts";
import { makeCopyFolder } from "./copy-folder.ts";
import { type Database, openDatabase } from "./database.ts";
import { logSuffix } from "./draft.ts";
import { createOldFolders } from "./old-folders.ts";
import { inMemory } from "./open-file.ts";

/**
 * Opens a copy of the records of a folder, which is left as it is: in a private folder of its own for temporary files, or in memory if
 * they are those of an older release. In the process that has the folder open, closing a file that was copied drops SQLite's own lock on it
 * (POSIX): what keeps others away is the lock of the folder. @throws StoreError
 */
export function openRecordsCopy(
  folder: string,
  { onError }: { onError: (error: StoreError) => void },
): Database {
  const file = join(folder, recordsFile);
  if (!existsSync(file)) {
    const database = openDatabase(inMemory);
    database.transact(() => createOldFolders(folder, onError).read(database));
    return database;
  }
  const place = makeCopyFolder();
  try {
    for (const suffix of ["", logSuffix]) {
      requireOwn(file + suffix);
      if (existsSync(file + suffix)) copyFileSync(file + suffix, join(place.path, recordsFile + suffix));
    }
    return place.removedWith(openDatabase(join(place.path, recordsFile)));
  } catch (error) {
    place.remove();
    throw error;
  }
}
