import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { checkHeader } from "../deliveries/file-header.ts";
import { toIdBytes } from "../deliveries/delivery-ids.ts";
import type { DeliveryDetail } from "../deliveries/delivery-queue.ts";
import { StoreError } from "../errors.ts";
import { readSealedLines } from "../log/read-sealed.ts";
import { isText } from "../log/sealed-line.ts";
import { readOwn, requireOwnFolder } from "../own-file.ts";
import { fromHourName, hourMs } from "../usage/usage-store.ts";
import type { HistoryCall, Use } from "./calls.ts";
import type { HistoryDatabase } from "./database.ts";
import { toEndedEntry } from "./ended-log.ts";
import type { EndedRow } from "./ended-rows.ts";
import { readHourFile } from "./hour-file.ts";
import type { OldHistory } from "./old-files.ts";

type Report = (error: StoreError) => void;

/** Rows of one transaction. */
const rowsAtOnce = 1_000;

/**
 * Reads the history that an older release has left in files into a database. Reports what is damaged, which is left out.
 * @throws StoreError for a file of a newer release.
 */
export async function readOldHistory(
  folder: string,
  old: OldHistory,
  database: HistoryDatabase,
  onError: Report,
): Promise<void> {
  const add = (call: HistoryCall): void => void database.transact(() => database.perform(call));
  if (old.uses !== undefined) await readUses(join(folder, old.uses), add, onError);
  if (old.usage !== undefined) await readUsage(join(folder, old.usage), add, onError);
  for (const name of old.ended) await readEnded(join(folder, name), add, onError);
}

async function readUses(path: string, add: (call: HistoryCall) => void, onError: Report): Promise<void> {
  const found = parseUses(await readOwn(path), path);
  if (found === undefined)
    return onError(new StoreError("read", `${path} is damaged; the times of the last use begin again.`));
  const { since, uses } = found;
  // The first use that was recorded may be that of a key that is gone.
  if (since !== undefined) add({ act: "putUses", uses: [["", since]] });
  add({ act: "removeUses", ids: [""] });
  add({ act: "putUses", uses });
}

/** Returns undefined for a damaged file. @throws StoreError for a file of a newer release. */
function parseUses(text: string, path: string): { since: number | undefined; uses: Use[] } | undefined {
  let file: { v?: unknown; since?: unknown; keys?: unknown } | null;
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return undefined;
  }
  if (typeof file !== "object" || file === null) return undefined;
  if (typeof file.v === "number" && file.v > 1) {
    throw new StoreError(
      "open",
      `${path} was written by a newer release of penknife (version ${file.v}, this one reads 1). Start that release, or remove the file.`,
    );
  }
  const { since, keys } = file;
  if (file.v !== 1 || typeof keys !== "object" || keys === null) return undefined;
  const uses = Object.entries(keys as Record<string, unknown>);
  if (!uses.every((use): use is [string, number] => Number.isSafeInteger(use[1]))) return undefined;
  return { since: Number.isSafeInteger(since) ? (since as number) : undefined, uses };
}

async function readUsage(folder: string, add: (call: HistoryCall) => void, onError: Report): Promise<void> {
  requireOwnFolder(folder);
  for (const name of (await readdir(folder)).toSorted()) {
    const hour = fromHourName(name.replace(/\.jsonl$/, ""));
    if (!name.endsWith(".jsonl") || Number.isNaN(hour) || hour % hourMs !== 0) continue;
    const path = join(folder, name);
    const { rows, damaged } = await readHourFile(path);
    if (damaged > 0) onError(damagedLines(path, damaged));
    add({ act: "addUsage", batch: { id: name, hour, rows } });
  }
}

async function readEnded(path: string, add: (call: HistoryCall) => void, onError: Report): Promise<void> {
  let rows: EndedRow[] = [];
  let body: string | undefined;
  let skipped = 0;

  function take(detail: DeliveryDetail): void {
    if (toIdBytes(detail.id) === undefined) skipped += 1;
    else rows.push(toEndedEntry(detail).row);
    if (rows.length >= rowsAtOnce) write();
  }

  function write(): void {
    if (rows.length > 0) add({ act: "addEnded", rows });
    rows = [];
  }

  const { damaged } = await readSealedLines(
    path,
    (json) => {
      if (json === undefined) body = undefined;
      else if (isText(json)) body = JSON.parse(json.toString()) as string;
      else if (body !== undefined) take({ ...(JSON.parse(json.toString()) as DeliveryDetail), body });
    },
    checkHeader,
  );
  write();
  if (damaged > 0) onError(damagedLines(path, damaged));
  if (skipped > 0)
    onError(new StoreError("read", `${path} has deliveries without a valid id, which are left out.`));
}

const damagedLines = (path: string, damaged: number): StoreError =>
  new StoreError(
    "read",
    `${counted(damaged, "line")} of ${path} ${damaged === 1 ? "is" : "are"} damaged and left out. A crash leaves one at the end; if there are more, check the disk.`,
  );
