import type { Database } from "../sqlite/database.ts";
import type { OpenRecordsOptions } from "../sqlite/open-records.ts";
import { findOldHistory, isThere } from "./old-files.ts";

/** Moves the history that an older release has left in files into `history.db`. @throws StoreError, or the error of the file system. */
export async function settleHistory(
  folder: string,
  records: Database,
  options: OpenRecordsOptions,
): Promise<void> {
  if (!records.isOld() && !isThere(findOldHistory(folder))) return;
  const { migrateHistory } = await import("./migrate.ts");
  await migrateHistory(folder, records, options);
}
