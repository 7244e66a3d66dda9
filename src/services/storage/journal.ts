import { closeSync, fdatasync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { toStoreError } from "./errors.ts";
import type { StoreError, StoreOperation } from "./errors.ts";
import { temporarySuffix } from "./file-driver.ts";
import { append, journalHeader, toJournalLine } from "./journal-file.ts";
import { syncFolder } from "./replace-file.ts";
import type { Count } from "./storage.ts";

export interface Journal {
  /** The count of this id has changed: it is written at the end of this turn of the event loop. */
  note(id: string): void;
  close(): Promise<void>;
}

export interface JournalOptions {
  path: string;
  seen: (id: string) => Count | undefined;
  /** Every id that has a window. */
  ids: () => Iterable<string>;
  onError: (error: StoreError) => void;
  /** Rewritten when it has grown by this much. */
  compactBytes?: number;
}

const retryMs = 1_000;
const syncMs = 1_000;
const chunk = 1_000;
const syncData = promisify(fdatasync);

/**
 * The counters' way through a crash: an append-only file, written once a turn of the event loop however many
 * requests that turn answered, so that kill -9 loses at most the last turn and a power failure a second. It is
 * rewritten from memory at the start and by size: to a second file, to which everything new is written as well
 * until it takes the place of the first, so that at each moment the name leads to a whole journal.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { path, seen, ids, onError, compactBytes = 8 * 1024 * 1024 } = options;
  const temporary = path + temporarySuffix;
  const dirty = new Set<string>();
  const none = -1;
  let current = none;
  let next = none;
  let size = 0;
  let scheduled = false;
  let torn = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let sync: NodeJS.Timeout | undefined;
  let busy: Promise<void> = Promise.resolve();
  let compacting = false;

  function report(operation: StoreOperation, error: unknown): void {
    onError(toStoreError(operation, path, error));
  }

  const toLine = (id: string) => toJournalLine(id, seen(id));

  function note(id: string): void {
    dirty.add(id);
    if (scheduled || retry !== undefined || closed) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    if (dirty.size === 0 || current === none) return;
    const text = [...dirty].map(toLine).join("");
    try {
      // After a write that failed half-way (a full disk), the broken line must not swallow the next one.
      size += append(current, torn ? `\n${text}` : text);
    } catch (error) {
      // What is dirty stays so: these are absolute values, and the next attempt leaves no hole.
      torn = true;
      report("journal", error);
      retry ??= setTimeout(again, retryMs).unref();
      return;
    }
    torn = false;
    dirty.clear();
    copy(text);
    if (closed) return;
    sync ??= setTimeout(syncSoon, syncMs).unref();
    if (size <= compactBytes || compacting) return;
    compacting = true;
    void serially(compact);
  }

  function again(): void {
    retry = undefined;
    flush();
  }

  /** To the journal that is being made; when that fails, the old one is simply kept. */
  function copy(text: string): void {
    if (next === none) return;
    try {
      append(next, text);
    } catch (error) {
      report("compact", error);
      closeSync(next);
      next = none;
    }
  }

  function syncSoon(): void {
    sync = undefined;
    void serially(async () => syncData(current)).catch((error: unknown) => report("sync", error));
  }

  /** One at a time: a descriptor must not be closed while another thread is still syncing it. */
  function serially(work: () => Promise<void>): Promise<void> {
    const done = busy.then(work);
    busy = done.catch(() => {});
    return done;
  }

  async function compact(): Promise<void> {
    try {
      rmSync(temporary, { force: true });
      next = openSync(temporary, "ax", 0o600);
      copy(journalHeader);
      // Those of this moment: what comes later is written to both, and a flood of new ids must not keep us here.
      const known = [...ids()];
      for (let i = 0; i < known.length; i += chunk) {
        if (i > 0) await nextTurn();
        copy(
          known
            .slice(i, i + chunk)
            .map(toLine)
            .join(""),
        );
      }
      // With nothing in it there is nothing to lose, and a first start need not wait for the disk.
      const keeps = known.length > 0;
      if (next !== none && keeps) await syncData(next);
      if (next !== none) replace();
      if (keeps) await syncFolder(dirname(path));
    } catch (error) {
      report("compact", error);
      if (next !== none) closeSync(next);
      next = none;
    } finally {
      size = 0;
      compacting = false;
    }
  }

  function replace(): void {
    renameSync(temporary, path);
    if (current !== none) closeSync(current);
    [current, next] = [next, none];
  }

  await serially(compact);
  if (current === none) {
    // The new journal could not be made, as was reported: go on with the old one, whose tail may be torn.
    torn = true;
    current = openSync(path, "a", 0o600);
  }
  return {
    note,
    async close() {
      closed = true;
      clearTimeout(retry);
      clearTimeout(sync);
      await busy;
      flush();
      if (current === none) return;
      await syncData(current).catch((error: unknown) => report("sync", error));
      closeSync(current);
      current = none;
    },
  };
}
