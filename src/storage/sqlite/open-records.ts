import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StoreError } from "../errors.ts";
import { recordsFile } from "../folder.ts";
import type { StoreNotice } from "../storage.ts";
import { type Database, openDatabase } from "./database.ts";
import { guardedKinds, guardFolder, isSettled, kindNames } from "./guard.ts";

export interface OpenRecordsOptions {
  onError: (error: StoreError) => void;
  onNotice?: StoreNotice;
}

/**
 * Opens the records of a folder whose lock this process holds, and moves those of an older release into it first. @throws StoreError, or
 * the error of the file system.
 */
export async function openRecords(folder: string, options: OpenRecordsOptions): Promise<Database> {
  const file = join(folder, recordsFile);
  const isThere = existsSync(file);
  if (isThere && isSettled(folder)) return openDatabase(file);
  if (isThere || kindNames.some((kind) => existsSync(join(folder, kind)))) {
    const { migrate } = await import("./migrate.ts");
    return migrate(folder, options);
  }
  const database = openDatabase(file);
  for (const kind of guardedKinds) guardFolder(folder, kind);
  return database;
}
