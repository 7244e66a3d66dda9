import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { lazy } from "../../src/lib/lazy.ts";
import type { DeliveryQueue } from "../../src/storage/deliveries/delivery-queue.ts";
import { type FileQueueOptions, openFileQueue } from "../../src/storage/deliveries/file-queue.ts";
import type { StoreError } from "../../src/storage/errors.ts";
import { historyFile } from "../../src/storage/folder.ts";
import { openHistoryDatabase } from "../../src/storage/history/database.ts";
import { createEndedLog } from "../../src/storage/history/ended-log.ts";
import { createReport, type HistoryPlace } from "../../src/storage/history/place.ts";
import { createConnection } from "../../src/storage/sqlite/connection.ts";

/** The history of a data folder that no other process has open; the first call opens it. */
export function openHistory(
  data: string,
  onError: (error: StoreError) => void,
): HistoryPlace & { close(): Promise<void> } {
  const file = join(data, historyFile);
  const open = lazy(async () => createConnection({ lane: "history", database: openHistoryDatabase(file) }));
  return {
    file,
    call: async (call) => (await open()).call(call),
    report: createReport(file, onError),
    requireRoom() {},
    close: async () => (await open.made())?.close(),
  };
}

/** A queue on files with its history, in the same folder or another one, which is closed with it. */
export async function openQueue(
  data: string,
  { historyIn = data, ...options }: Omit<FileQueueOptions, "ended"> & { historyIn?: string },
): Promise<DeliveryQueue> {
  const history = openHistory(historyIn, options.onError);
  const ended = createEndedLog(history, options.onError);
  const queue = await openFileQueue(data, { ...options, ended });
  return {
    ...queue,
    async close() {
      await queue.close();
      await history.close();
    },
  };
}

/** Changes rows, as a disk does: their checksums stay. */
export function damageHistory(data: string, sql: string): void {
  const database = new DatabaseSync(join(data, historyFile));
  try {
    if (database.prepare(sql).run().changes === 0) throw new Error(`nothing to damage: ${sql}`);
  } finally {
    database.close();
  }
}
