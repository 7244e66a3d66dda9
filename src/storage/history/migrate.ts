import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoreError } from "../errors.ts";
import { historyFile } from "../folder.ts";
import { syncFile } from "../replace-file.ts";
import type { Database } from "../sqlite/database.ts";
import { makeDraft } from "../sqlite/draft.ts";
import { oldFolder } from "../sqlite/old-folders.ts";
import type { OpenRecordsOptions } from "../sqlite/open-records.ts";
import { openHistoryDatabase } from "./database.ts";
import { readOldHistory } from "./read-old.ts";
import { findOldHistory, isThere } from "./old-files.ts";

/**
 * Reads the history that an older release has left in files into a draft of the database first: a crash before the draft has its name starts
 * over, a crash after it goes on with moving the files away. Older releases that know `store.db` refuse its version, before anything that they
 * would add to is no longer read.
 */
export async function migrateHistory(
  folder: string,
  records: Database,
  { onError, onNotice = () => {} }: OpenRecordsOptions,
): Promise<void> {
  const file = join(folder, historyFile);
  const old = findOldHistory(folder);
  const names = [old.uses, old.usage, ...old.ended].flatMap((name) => name ?? []);
  if (isThere(old) && !existsSync(file)) {
    const draft = await makeDraft(file, openHistoryDatabase, (database) =>
      readOldHistory(folder, old, database, onError),
    );
    records.raiseVersion();
    renameSync(draft, file);
    syncFile(folder);
    onNotice(
      "info",
      `Usage, last uses and ended deliveries were moved into ${file}; their files are in ${join(folder, oldFolder)}.`,
    );
  } else records.raiseVersion();
  for (const name of names) putAway(folder, name, onError);
}

function putAway(folder: string, name: string, onError: OpenRecordsOptions["onError"]): void {
  const target = join(folder, oldFolder, name);
  if (existsSync(target))
    return onError(
      new StoreError(
        "open",
        `${join(folder, name)} is a file of an older release of penknife beside ${historyFile}, and it is not read. Move it elsewhere.`,
      ),
    );
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  renameSync(join(folder, name), target);
}
