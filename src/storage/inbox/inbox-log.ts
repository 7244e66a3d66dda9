import type { Runtime } from "../../runtime.ts";
import { type StoreError, toStoreError } from "../errors.ts";
import { toSealedJson, toSealedLine } from "../log/sealed-line.ts";
import { createSealedLog } from "../log/sealed-log.ts";
import { createSegments, type Place } from "../log/segments.ts";
import { requireOwnFolder } from "../own-file.ts";
import { makeSubfolder } from "../replace-file.ts";
import { type InboxStats, type Kept, type Message, type ReadOptions, sizeOf } from "./inbox-store.ts";
import { createMessageIndex } from "./message-index.ts";
import { toMessageLine } from "./message-line.ts";
import { type Entry, linesVersion, readInbox, readMessages, toEntry } from "./read-inbox.ts";

/**
 * One open inbox: its index in memory and its files. Every method throws the error of the file system or a StoreError.
 */
export interface InboxLog {
  /** Bytes of the messages kept and of those being written. */
  readonly bytes: number;
  /** Calls `admit` with the growth in bytes before anything is written; an error that it throws refuses the message. */
  add(message: Message, kept: Kept, admit: (growth: number) => void): Promise<boolean>;
  read(options: ReadOptions): Promise<Message[]>;
  get(id: string, kept: Kept): Promise<Message | undefined>;
  stats(kept: Kept): InboxStats;
  /** Removes files without kept messages. */
  sweep(kept: Kept): Promise<void>;
  close(): Promise<void>;
}

/** A file of this size, or whose first message is older than this share of the retention, is followed by another. */
const fileBytes = 1024 * 1024;
const fileTime = 1 / 7;

/** @param folder Made by the first message. */
export async function openInboxLog(
  folder: string,
  { runtime, onError }: { runtime: Runtime; onError: (error: StoreError) => void },
): Promise<InboxLog> {
  requireOwnFolder(folder);
  const segments = createSegments(folder);
  const content = await readInbox(segments, onError);
  const index = createMessageIndex(runtime.now, content.entries);
  let { duplicates, since } = content;
  /** The number of kept messages in each file. */
  const files = new Map(content.numbers.map((number) => [number, 0]));
  for (const { segment } of index.items) count(segment, 1);
  /** The messages being written, by event. */
  const pending = new Map<string, Promise<unknown>>();
  const removing = new Set<Promise<void>>();
  let pendingBytes = 0;
  let fileMs = Infinity;

  const log = createSealedLog({
    folder,
    segments,
    from: content.last ?? 1,
    async header() {
      await makeSubfolder(folder);
      return toSealedJson({ v: linesVersion, duplicates }).toString();
    },
    isFull: ({ size }) => size >= fileBytes || (since !== undefined && runtime.now() - since > fileMs),
    next: ({ segment }) => segment + 1,
  });

  function count(segment: number, more: number): void {
    files.set(segment, (files.get(segment) ?? 0) + more);
  }

  /** Returns the number of the last file that exists; NaN if there is none. */
  const lastFile = (): number => [...files.keys()].at(-1) ?? Number.NaN;

  /** Takes notice of a file that was begun. */
  function look(): void {
    const { segment } = log.last;
    if (files.has(segment)) return;
    files.set(segment, 0);
    since = undefined;
  }

  /** Drops expired messages and removes files that have none left. */
  function trim(kept: Kept): void {
    fileMs = kept.ms * fileTime;
    const dropped = index.trim(kept);
    for (const { segment } of dropped) count(segment, -1);
    if (dropped.length > 0) removeEmpty();
  }

  function removeEmpty(): void {
    const last = lastFile();
    const empty = [...files].flatMap(([segment, messages]) =>
      messages === 0 && segment !== last ? [segment] : [],
    );
    if (empty.length === 0) return;
    for (const segment of empty) files.delete(segment);
    // The next process removes a file that stays.
    const removal = segments
      .remove(empty)
      .catch((error: unknown) => onError(toStoreError("write", folder, error)))
      .finally(() => removing.delete(removal));
    removing.add(removal);
  }

  const write = (message: Message, kept: Kept): Promise<void> =>
    log.commit({
      lines: [toSealedLine(toMessageLine(message))],
      apply([place]) {
        look();
        const entry: Entry = toEntry(message, place as Place);
        since ??= entry.at;
        count(entry.segment, 1);
        index.add(entry);
        trim(kept);
      },
    });

  function countAgain(): void {
    duplicates += 1;
    // If this fails, the message is kept nevertheless, and the next count line includes this duplicate.
    log.commit({ lines: [toSealedJson({ duplicates })], apply: look }).catch(() => {});
  }

  return {
    get bytes() {
      return index.bytes + pendingBytes;
    },
    async add(message, kept, admit) {
      trim(kept);
      const { event } = message;
      const known = event !== undefined && (index.has(event) || pending.get(event));
      if (known !== undefined && known !== false) {
        // A duplicate must not be acknowledged before the first message is on the disk.
        await known;
        countAgain();
        return true;
      }
      const size = sizeOf(message);
      admit(index.growthOf(size, kept));
      pendingBytes += size;
      const written = write(message, kept);
      if (event !== undefined) pending.set(event, written);
      try {
        await written;
      } finally {
        pendingBytes -= size;
        if (event !== undefined) pending.delete(event);
      }
      return false;
    },
    async read({ kept, ...options }) {
      trim(kept);
      return readMessages(segments, index.select(options), onError);
    },
    async get(id, kept) {
      trim(kept);
      const entry = index.items.find((one) => one.id === id);
      return entry && (await readMessages(segments, [entry], onError))[0];
    },
    stats(kept) {
      trim(kept);
      return { ...index.stats(), duplicates };
    },
    async sweep(kept) {
      trim(kept);
      // The count of duplicates is in the last file.
      if (since !== undefined && files.get(lastFile()) === 0) {
        await log.begin();
        look();
      }
      removeEmpty();
      await Promise.all(removing);
    },
    async close() {
      await log.close();
      await Promise.all(removing);
      await segments.close();
    },
  };
}
