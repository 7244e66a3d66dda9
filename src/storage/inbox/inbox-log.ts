import { createMutex } from "../../lib/mutex.ts";
import { type AppendLog, createAppendLog, type Place } from "../append-log.ts";
import type { StoreError } from "../errors.ts";
import { makeSubfolder } from "../replace-file.ts";
import {
  type Entry,
  type InboxFile,
  linesVersion,
  newFile,
  pathOf,
  readInbox,
  readMessages,
  removeFiles,
  toEntry,
} from "./inbox-files.ts";
import {
  countOver,
  type InboxStats,
  type Kept,
  type Message,
  type ReadOptions,
  sizeOf,
} from "./inbox-store.ts";
import { toMessageLine } from "./message-line.ts";
import type { Runtime } from "../../runtime.ts";

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
  const content = await readInbox(folder, onError);
  let { entries, files, duplicates } = content;
  /** The kept messages, by event. */
  const events = new Map<string, Entry>();
  /** The messages being written, by event. */
  const pending = new Map<string, Promise<unknown>>();
  let keptBytes = 0;
  let pendingBytes = 0;
  let log: AppendLog | undefined;
  /** Decides the order of the lines: it is held until a line has its place, not until the line is durable. */
  const inTurn = createMutex();
  const removing = createMutex();

  for (const entry of entries) if (entry.event !== undefined) events.set(entry.event, entry);
  // A message whose acknowledgement failed with the disk may have been received again: keep one of the two.
  entries = entries.filter((entry) => entry.event === undefined || events.get(entry.event) === entry);
  keptBytes = bytesOf(entries);

  /** Drops expired messages and removes files that have none left. */
  function trim(kept: Kept): void {
    const { messages, ms, bytes } = kept;
    const oldest = runtime.now() - ms;
    if (entries.length <= messages && keptBytes <= bytes && entries.every(({ at }) => at >= oldest)) return;
    const young = entries.filter(({ at }) => at >= oldest);
    const live = young.slice(countOver(young.map(lengthOf), kept));
    const left = new Set(live);
    for (const entry of entries) {
      if (!left.has(entry) && entry.event !== undefined && events.get(entry.event) === entry)
        events.delete(entry.event);
    }
    entries = live;
    keptBytes = bytesOf(entries);
    removeEmpty();
  }

  /** Returns the growth in bytes after adding a message of this size and removing the oldest ones to make room. */
  function growthOf(size: number, kept: Kept): number {
    const sizes = [...entries.map(lengthOf), size];
    return size - sizes.slice(0, countOver(sizes, kept)).reduce((sum, one) => sum + one, 0);
  }

  function removeEmpty(): void {
    const used = new Set(entries.map(({ file }) => file));
    const last = files.at(-1);
    const empty = files.filter((file) => file !== last && !used.has(file));
    if (empty.length === 0) return;
    files = files.filter((file) => !empty.includes(file));
    // A file that stays is removed by a later call.
    void removing(() => removeFiles(folder, empty));
  }

  /** Returns the log to write to: the last file or a new one. */
  async function prepare(kept: Kept): Promise<AppendLog> {
    const last = files.at(-1);
    if (last === undefined || isFull(last, kept)) return begin();
    return (log ??= createAppendLog(pathOf(folder, last), last.size));
  }

  const isFull = ({ size, ended, since = Infinity }: InboxFile, { ms }: Kept): boolean =>
    ended || size >= fileBytes || log?.spoilt === true || runtime.now() - since > ms * fileTime;

  async function begin(): Promise<AppendLog> {
    const last = files.at(-1);
    if (last !== undefined) last.ended = true;
    // Pending lines of the previous file come first, on the disk as in memory.
    await log?.close();
    log = undefined;
    await makeSubfolder(folder);
    const file = newFile((last?.number ?? 0) + 1);
    const next = createAppendLog(pathOf(folder, file));
    try {
      await next.append(JSON.stringify({ v: linesVersion, duplicates }));
    } catch (error) {
      await next.close();
      throw error;
    }
    file.size = next.size;
    files.push(file);
    return (log = next);
  }

  /** Resolves when the line is on the disk. */
  async function append(payload: string, kept: Kept): Promise<{ place: Place; file: InboxFile }> {
    const { target, placed, file } = await inTurn(async () => {
      const current = await prepare(kept);
      // Not awaited: the next lines share the sync.
      return { target: current, placed: current.append(payload), file: files.at(-1) as InboxFile };
    });
    const place = await placed;
    file.size = target.size;
    return { place, file };
  }

  async function write(message: Message, kept: Kept): Promise<void> {
    const { place, file } = await append(toMessageLine(message), kept);
    const entry = toEntry(message, place, file);
    entries.push(entry);
    keptBytes += entry.length;
    if (entry.event !== undefined) events.set(entry.event, entry);
    trim(kept);
  }

  async function countAgain(kept: Kept): Promise<void> {
    duplicates += 1;
    try {
      await append(JSON.stringify({ duplicates }), kept);
    } catch {
      // The message is kept; the next count line includes this duplicate.
    }
  }

  return {
    get bytes() {
      return keptBytes + pendingBytes;
    },
    async add(message, kept, admit) {
      trim(kept);
      const { event } = message;
      const known = event !== undefined && (events.has(event) || pending.get(event));
      if (known !== undefined && known !== false) {
        // A duplicate must not be acknowledged before the first message is on the disk.
        await known;
        void countAgain(kept);
        return true;
      }
      const size = sizeOf(message);
      admit(growthOf(size, kept));
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
    async read({ after, type, limit, kept }) {
      trim(kept);
      const from = entries.findIndex(({ id }) => id === after) + 1;
      const wanted = entries.slice(from).filter((entry) => type === undefined || entry.type === type);
      return readMessages(folder, wanted.slice(0, limit), onError);
    },
    async get(id, kept) {
      trim(kept);
      const entry = entries.find((one) => one.id === id);
      return entry && (await readMessages(folder, [entry], onError))[0];
    },
    stats(kept) {
      trim(kept);
      const newest = entries.at(-1);
      const last = newest && { newestAt: newest.at, newestId: newest.id };
      return { messages: entries.length, duplicates, ...last };
    },
    async sweep(kept) {
      trim(kept);
      const last = files.at(-1);
      if (last?.since !== undefined && !entries.some(({ file }) => file === last)) {
        await inTurn(begin);
      }
      removeEmpty();
      await removing(() => {});
    },
    async close() {
      await inTurn(() => log?.close());
      await removing(() => {});
    },
  };
}

const lengthOf = ({ length }: Entry): number => length;

const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { length }) => sum + length, 0);
