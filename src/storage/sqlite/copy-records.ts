import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreError } from "../errors.ts";
import { recordsFile } from "../folder.ts";
import { requireOwn } from "../own-file.ts";
import { type Database, inMemory, openDatabase } from "./database.ts";
import { createOldFolders } from "./old-folders.ts";

/** What SQLite keeps beside a database that was not closed. */
const logSuffix = "-wal";

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
  const place = makePlace();
  const remove = (): void => rmSync(place, { recursive: true, force: true });
  try {
    for (const suffix of ["", logSuffix]) {
      requireOwn(file + suffix);
      if (existsSync(file + suffix)) copyFileSync(file + suffix, join(place, recordsFile + suffix));
    }
    const database = openDatabase(join(place, recordsFile));
    return {
      ...database,
      close() {
        database.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function makePlace(): string {
  try {
    return mkdtempSync(join(tmpdir(), "penknife-records-"));
  } catch (error) {
    throw new StoreError(
      "open",
      `The records cannot be copied to ${tmpdir()} to be read: ${(error as Error).message}. Set TMPDIR to a folder that can be written.`,
      error,
    );
  }
}
