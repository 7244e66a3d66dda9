import type { Answer, Target } from "../sqlite/calls.ts";
import { type FileKind, openSqliteFile, openUnchanged, type SqliteFile } from "../sqlite/open-file.ts";
import { type HistoryCall, isHistoryWrite } from "./calls.ts";
import { createEndedRows, endedSchema } from "./ended-rows.ts";
import { createUsageRows, usageSchema } from "./usage-rows.ts";
import { createUseRows, usesSchema } from "./use-rows.ts";

/**
 * The database of the past: usage by the hour, last uses of keys, ended deliveries. Every row has a checksum, because SQLite
 * does not notice a bit that has flipped. Every method is synchronous and throws the error of `system-error.ts`.
 */
export interface HistoryDatabase extends Target<HistoryCall>, Pick<SqliteFile, "findFaults"> {}

/** A log of at most a megabyte: upkeep leaves four of them to administration (`space.ts`). */
const kind: FileKind = {
  version: 1,
  schema: usageSchema + usesSchema + endedSchema,
  synchronous: "NORMAL",
  maxLogPages: 256,
  cacheKib: 1_024,
};

/** @param file `inMemory` for one that is not stored. */
export const openHistoryDatabase = (file: string): HistoryDatabase =>
  createHistoryDatabase(openSqliteFile(file, kind));

/** Opens a file that nobody writes: see `openUnchanged`. */
export const openHistoryUnchanged = (file: string): HistoryDatabase =>
  createHistoryDatabase(openUnchanged(file, kind));

function createHistoryDatabase(sqlite: SqliteFile): HistoryDatabase {
  const usage = createUsageRows(sqlite);
  const uses = createUseRows(sqlite);
  const ended = createEndedRows(sqlite);

  function perform(call: HistoryCall): Answer {
    switch (call.act) {
      case "addUsage":
        return usage.add(call.batch);
      case "usage":
        return usage.page(call);
      case "putUses":
        return uses.put(call.uses);
      case "removeUses":
        return uses.remove(call.ids);
      case "uses":
        return call.ids === undefined ? uses.page(call.after) : uses.of(call.ids);
      case "addEnded":
        return ended.add(call.rows);
      case "ended":
        return ended.get(call.id) ?? null;
      case "endedPage":
        return ended.page(call.bounds);
      case "hasEnded":
        return ended.has(call.event);
      case "forgetEnded":
        return ended.forget(call.until);
    }
  }

  return { ...sqlite, isWrite: isHistoryWrite, perform: sqlite.guarded(perform) };
}
