import { toStoreError } from "../errors.ts";
import type { StoreError, StoreOperation } from "../errors.ts";
import type { Count, StoreNotice } from "../storage.ts";
import { createBacklog } from "./backlog.ts";
import { journalHeader, toJournalLine } from "./lines.ts";
import { createRewritableFile } from "./rewritable-file.ts";

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
/** Windows written in one turn of the event loop while the journal is rewritten. */
const chunk = 1_000;

/**
 * Opens the journal that restores counters after a crash: a file written once per turn of the event loop however many
 * requests the turn answered, so that kill -9 loses at most the last turn and a power failure one second. It is rewritten
 * from memory at start and by size. A disk that refuses it stops no request: the counts wait in memory.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { path, seen, ids, requireRoom, onError, onNotice = () => {} } = options;
  const { compactBytes = 8 * 1024 * 1024 } = options;
  const file = createRewritableFile(path);
  const backlog = createBacklog(() =>
    onNotice("info", `${path} is written again, including the counts made meanwhile.`),
  );
  let scheduled = false;
  let rewriting = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let sync: NodeJS.Timeout | undefined;

  const report = (operation: StoreOperation) => (error: unknown) =>
    onError(toStoreError(operation, path, error));

  const toLines = (some: Iterable<string>): string =>
    Array.from(some, (id) => toJournalLine(id, seen(id))).join("");

  function note(id: string): void {
    backlog.note(id);
    if (scheduled || retry !== undefined || closed) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    if (!file.isOpen) return;
    if (backlog.ids.size > 0 && !write()) return;
    if (closed || rewriting || (file.growth <= compactBytes && !backlog.hasGaps)) return;
    void rewrite();
  }

  /** Writes the counts that the journal lacks, and reports whether that succeeded. */
  function write(): boolean {
    try {
      requireRoom?.();
      file.append(toLines(backlog.ids));
    } catch (error) {
      report("journal")(error);
      // Counts are absolute: the next attempt leaves no gap.
      backlog.refused();
      tryAgain();
      return false;
    }
    backlog.written();
    if (!closed) sync ??= setTimeout(syncSoon, syncMs).unref();
    return true;
  }

  function tryAgain(): void {
    if (closed) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      flush();
    }, retryMs).unref();
  }

  function syncSoon(): void {
    sync = undefined;
    void file.sync().catch(report("sync"));
  }

  async function rewrite(): Promise<void> {
    rewriting = true;
    const done = backlog.rewriting();
    try {
      await file.rewrite(journalHeader, windows);
      done();
    } catch (error) {
      report("compact")(error);
      if (backlog.hasGaps) tryAgain();
    }
    rewriting = false;
  }

  /**
   * Yields the lines of the windows that are known now. Later changes are appended to the new journal too, and a flood of
   * new ids must not prolong the rewriting.
   */
  function* windows(): Iterable<string> {
    const all = [...ids()];
    for (let i = 0; i < all.length; i += chunk) yield toLines(all.slice(i, i + chunk));
  }

  await rewrite();
  // Making the new journal failed, which was reported: go on with the old one.
  if (!file.isOpen) file.open();
  return {
    note,
    isBehind: () => backlog.isBehind,
    async close() {
      closed = true;
      clearTimeout(retry);
      clearTimeout(sync);
      await file.idle();
      flush();
      if (backlog.hasGaps) await rewrite();
      if (!file.isOpen) return;
      await file.sync().catch(report("sync"));
      file.close();
    },
  };
}
