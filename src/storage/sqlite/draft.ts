import { rmSync } from "node:fs";
import { temporarySuffix } from "../folder.ts";
import { syncFile } from "../replace-file.ts";

/** The suffix of the file that SQLite keeps beside a database that was not closed. */
export const logSuffix = "-wal";

/**
 * Makes a database that has no name yet and lets `fill` write into it. Resolves with its temporary name when it is on the disk. What a
 * crash has left of an earlier one is removed.
 */
export async function makeDraft<Opened extends { checkpoint(): void; close(): void }>(
  file: string,
  open: (file: string) => Opened,
  fill: (database: Opened) => void | Promise<void>,
): Promise<string> {
  const draft = file + temporarySuffix;
  for (const suffix of ["", logSuffix, "-journal"]) rmSync(draft + suffix, { force: true });
  const database = open(draft);
  try {
    await fill(database);
    database.checkpoint();
  } finally {
    database.close();
  }
  syncFile(draft);
  return draft;
}
