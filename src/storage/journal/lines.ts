import { statSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { readOwnText } from "../own-file.ts";
import type { Count } from "../storage.ts";

/** The first line of a journal; the number is its version. */
export const journalHeader = "penknife-counters 1\n";

/**
 * Returns one window as a line `id⇥used⇥resetAt⇥.`. The count is absolute, so that a line may be lost or repeated and
 * the last one wins. The dot marks a whole line. `used` is 0 for a window that was reset.
 */
export function toJournalLine(id: string, count: Count | undefined): string {
  return `${id}\t${count?.used ?? 0}\t${count?.resetAt ?? 0}\t.\n`;
}

/**
 * Returns the windows in a journal, ordered by their end. Skips lines that are not whole (a torn tail, a hole left by a
 * power failure).
 */
export function readJournal(path: string): [string, Count][] {
  let text: string;
  try {
    text = readOwnText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const version = /^penknife-counters (\d+)\n/.exec(text)?.[1];
  if (version !== undefined && version !== "1") {
    throw new StoreError(
      "open",
      `${path} was written by a newer release of penknife (version ${version}, this one reads 1). Start that release, or remove the file: the counts of this hour are then lost.`,
    );
  }
  const counts = new Map<string, Count>();
  for (const line of text.split("\n")) {
    const [, id, used, resetAt] = /^([^\t]+)\t(\d{1,15})\t(\d{1,15})\t\.$/.exec(line) ?? [];
    if (id === undefined || !isCounterId(id)) continue;
    if (used === "0") counts.delete(id);
    else counts.set(id, { used: Number(used), resetAt: Number(resetAt) });
  }
  return [...counts].toSorted(([, a], [, b]) => a.resetAt - b.resetAt);
}

/** Reports whether a journal has lost even its first line, which every one has. */
export const isEmptied = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.size === 0;

/** The warning about a journal that was emptied. */
export const emptiedJournal = (path: string): string =>
  `${path} is empty: the counts of this hour are lost. A power failure soon after a first start leaves that; otherwise check the disk.`;

/**
 * Reports whether a text is the id of a counter: see `access/buckets.ts`. An account's has its incarnation, and that of a key ends in the id of the
 * key.
 */
export const isCounterId = (id: string): boolean =>
  /^[a-z]+:[a-z0-9-]{1,100}(?::[0-9a-f]{16})?(?::key_[0-9a-f]{20})?$/.test(id);
