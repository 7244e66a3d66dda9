import { existsSync, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoreError } from "../errors.ts";
import { historyFile } from "../folder.ts";
import { requireOwn } from "../own-file.ts";
import { makeCopyFolder } from "../sqlite/copy-folder.ts";
import { logSuffix } from "../sqlite/draft.ts";
import { inMemory } from "../sqlite/open-file.ts";
import { type HistoryDatabase, openHistoryDatabase, openHistoryUnchanged } from "./database.ts";
import { readOldHistory } from "./read-old.ts";
import { findOldHistory } from "./old-files.ts";

/**
 * Opens the history of a folder without changing anything in it: the file itself if nothing is in its log, otherwise a copy, and in memory what
 * an older release has left in files. @throws StoreError, or the error of the file system.
 */
export async function openHistoryCopy(
  folder: string,
  { onError }: { onError: (error: StoreError) => void },
): Promise<HistoryDatabase> {
  const file = join(folder, historyFile);
  const log = file + logSuffix;
  if (!existsSync(file)) {
    const database = openHistoryDatabase(inMemory);
    await readOldHistory(folder, findOldHistory(folder), database, onError);
    return database;
  }
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return openHistoryUnchanged(file);
  const place = makeCopyFolder();
  try {
    for (const name of [file, log]) requireOwn(name);
    const copy = join(place.path, historyFile);
    await copyFile(file, copy);
    await copyFile(log, copy + logSuffix);
    return place.removedWith(openHistoryDatabase(copy));
  } catch (error) {
    place.remove();
    throw error;
  }
}
