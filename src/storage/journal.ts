import { closeSync, fdatasync, ftruncateSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { createMutex } from "../lib/mutex.ts";
import { toStoreError } from "./errors.ts";
import type { StoreError, StoreOperation } from "./errors.ts";
import { temporarySuffix } from "./file-driver.ts";
import { append, journalHeader, toJournalLine } from "./journal-file.ts";
import { openOwnFile } from "./own-file.ts";
import { syncFolder } from "./replace-file.ts";
import type { Count, StoreNotice } from "./storage.ts";

export interface Journal {
  /** Records that the count of this id changed; it is written at the end of this turn of the event loop. */
  note(id: string): void;
  /** Reports whether the journal cannot be written at present, so that recent counts are in memory only. */
  isBehind(): boolean;
  close(): Promise<void>;
}

export interface JournalOptions {
  path: string;
  seen: (id: string) => Count | undefined;
  /** Returns every id that has a window. */
  ids: () => Iterable<string>;
  /** @throws StoreError if the disk has no room for counts. */
  requireRoom?: () => void;
  onError: (error: StoreError) => void;
  onNotice?: StoreNotice;
  /** Growth in bytes after which the journal is rewritten. */
  compactBytes?: number;
}

const retryMs = 1_000;
const syncMs = 1_000;
const chunk = 1_000;
/** Most ids that wait for the disk. Beyond it none waits: the whole journal is rewritten when there is room. */
const maxWaiting = 10_000;
const syncData = promisify(fdatasync);

/**
 * Opens the journal that restores counters after a crash: an append-only file, written once per turn of the event loop
 * however many requests the turn answered, so that kill -9 loses at most the last turn and a power failure one second.
 * It is rewritten from memory at start and by size, to a second file that also receives every new line until it
 * replaces the first: at every moment the name leads to a whole journal.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { path, seen, ids, requireRoom, onError, onNotice = () => {} } = options;
  const { compactBytes = 8 * 1024 * 1024 } = options;
  const temporary = path + temporarySuffix;
  const dirty = new Set<string>();
  const none = -1;
  let current = none;
  let next = none;
  let size = 0;
  let scheduled = false;
  let torn = false;
  let behind = false;
  // How often `dirty` overflowed, and how many of those overflows a rewritten journal has made good.
  let losses = 0;
  let madeGood = 0;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let sync: NodeJS.Timeout | undefined;
  /** A descriptor must not be closed while another thread is still syncing it. */
  const serially = createMutex();
  let compacting = false;
  let copyFault: unknown;

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
    if (current === none) return;
    if (dirty.size > 0 && !write()) return;
    if (closed || compacting || (size <= compactBytes && madeGood === losses)) return;
    compacting = true;
    void serially(compact);
  }

  function appendToCurrent(text: string): void {
    try {
      // After a write that failed half-way (a full disk), the broken line must not run into the next one.
      size += append(current, torn ? `\n${text}` : text);
    } catch (error) {
      torn = true;
      if (next === none || copyFault !== undefined) throw error;
      // The unfinished new journal may be what fills the disk.
      giveUpCopy(error);
      appendToCurrent(text);
    }
  }

  /** Writes every dirty id and reports whether that succeeded. */
  function write(): boolean {
    const text = [...dirty].map(toLine).join("");
    try {
      requireRoom?.();
      appendToCurrent(text);
    } catch (error) {
      // The ids stay dirty: counts are absolute, and the next attempt leaves no gap.
      behind = true;
      report("journal", error);
      if (dirty.size > maxWaiting) {
        losses += 1;
        dirty.clear();
      }
      wait();
      return false;
    }
    torn = false;
    dirty.clear();
    copy(text);
    caughtUp();
    if (!closed) sync ??= setTimeout(syncSoon, syncMs).unref();
    return true;
  }

  function wait(): void {
    if (!closed) retry ??= setTimeout(again, retryMs).unref();
  }

  function again(): void {
    retry = undefined;
    flush();
  }

  function caughtUp(): void {
    if (!behind || dirty.size > 0 || madeGood < losses) return;
    behind = false;
    onNotice("info", `${path} is written again, including the counts made meanwhile.`);
  }

  /** Appends to the journal that is being made. */
  function copy(text: string): void {
    if (next === none || copyFault !== undefined) return;
    try {
      append(next, text);
    } catch (error) {
      giveUpCopy(error);
    }
  }

  /**
   * Frees the room of the unfinished journal for the old one. `compact` removes the file, which it may be syncing now.
   */
  function giveUpCopy(error: unknown): void {
    copyFault = error;
    try {
      ftruncateSync(next);
    } catch {
      // If the disk refuses this too, `compact` frees the room later.
    }
  }

  function syncSoon(): void {
    sync = undefined;
    void serially(async () => syncData(current)).catch((error: unknown) => report("sync", error));
  }

  async function compact(): Promise<void> {
    const known = losses;
    try {
      rmSync(temporary, { force: true });
      next = openOwnFile(temporary, "create-append");
      copy(journalHeader);
      // Ids known now: later changes are written to both files, and a flood of new ids must not prolong the loop.
      const all = [...ids()];
      for (let i = 0; i < all.length && copyFault === undefined; i += chunk) {
        if (i > 0) await nextTurn();
        copy(
          all
            .slice(i, i + chunk)
            .map(toLine)
            .join(""),
        );
      }
      // An empty journal needs no sync, and a first start need not wait for the disk.
      const keeps = all.length > 0;
      if (keeps && copyFault === undefined) await syncData(next);
      if (copyFault !== undefined) throw copyFault;
      replace();
      madeGood = known;
      caughtUp();
      if (keeps) await syncFolder(dirname(path));
    } catch (error) {
      report("compact", error);
      discard();
      if (madeGood < losses) wait();
    } finally {
      size = 0;
      compacting = false;
      copyFault = undefined;
    }
  }

  function replace(): void {
    renameSync(temporary, path);
    if (current !== none) closeSync(current);
    [current, next] = [next, none];
    torn = false;
  }

  /** Keeps the old journal and removes the unfinished one, whose room the old one needs on a full disk. */
  function discard(): void {
    if (next !== none) closeSync(next);
    next = none;
    try {
      rmSync(temporary, { force: true });
    } catch {
      // If nothing can be removed, nothing was made, or the next start removes it.
    }
  }

  await serially(compact);
  if (current === none) {
    // Making the new journal failed, which was reported: go on with the old one, whose tail may be torn.
    torn = true;
    current = openOwnFile(path, "append");
  }
  return {
    note,
    isBehind: () => behind,
    async close() {
      closed = true;
      clearTimeout(retry);
      clearTimeout(sync);
      await serially(() => {});
      flush();
      if (madeGood < losses) await compact();
      if (current === none) return;
      await syncData(current).catch((error: unknown) => report("sync", error));
      closeSync(current);
      current = none;
    },
  };
}
