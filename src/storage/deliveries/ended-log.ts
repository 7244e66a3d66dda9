import { type FileHandle, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createMutex } from "../../lib/mutex.ts";
import { type AppendFile, openAppendFile } from "../log/append-file.ts";
import { openOwn } from "../own-file.ts";
import { readSealedLines } from "../log/read-sealed.ts";
import { isText, openSealedLine, toSealedJson } from "../log/sealed-line.ts";
import { timeOfId } from "./delivery-ids.ts";
import type { DeliveryDetail, DeliveryQuery } from "./delivery-queue.ts";
import { type Newest, toSummary } from "./newest.ts";
import { checkHeader, headerLine } from "./file-header.ts";

/** A delivery that has ended. */
export interface EndedEntry {
  id: string;
  /** Names the file: the day on which the delivery was added. */
  day: string;
  /** Two lines: the body, and everything else. */
  bytes: Buffer;
}

/** The log of ended deliveries. Every method throws the error of the file system. */
export interface EndedLog {
  /** Resolves when the entries are on the disk; if it rejects, none of them count. */
  append(entries: readonly EndedEntry[]): Promise<void>;
  find(id: string): Promise<DeliveryDetail | undefined>;
  /** Passes matching deliveries to `newest`, except those that `isSkipped` accepts. */
  search(query: DeliveryQuery, newest: Newest, isSkipped: (id: string) => boolean): Promise<void>;
  /**
   * Forgets deliveries that ended before `before`. Removes at most one file; returns true if there was none to remove.
   */
  forget(before: number): Promise<boolean>;
  /** @throws StoreError if a file is of a newer release. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The offsets of the deliveries in one file, made by the first look-up. */
interface Index {
  offsets: Map<string, number>;
  ready: Promise<void>;
  isUsed: boolean;
}

const dayMs = 86_400_000;
const fileName = /^ended-(\d{4}-\d\d-\d\d)\.log$/;

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * One file a day. A delivery is in the file of the day on which it was added, which its id contains: a delivery is
 * found by its id, and the newest are in the newest files. A redelivered delivery may have ended twice: the later entry
 * counts.
 */
export function createEndedLog(folder: string): EndedLog {
  const pathOf = (day: string): string => join(folder, `ended-${day}.log`);
  /** The file that was appended to last. */
  let current: { day: string; file: AppendFile } | undefined;
  const indexes = new Map<string, Index>();
  /** When the last delivery of a day ended, as far as known. */
  const ends = new Map<string, number>();
  let forgotten = -Infinity;
  /** A file must not be removed while entries are appended to it. */
  const inTurn = createMutex();

  async function closeCurrent(): Promise<void> {
    const file = current?.file;
    current = undefined;
    await file?.close();
  }

  /** Resolves with the offset of the bytes. If it rejects, none of them are kept. */
  async function write(day: string, bytes: Buffer): Promise<number> {
    if (current?.day !== day) {
      await closeCurrent();
      current = { day, file: await openAppendFile(pathOf(day), { header: headerLine }) };
    }
    try {
      return await current.file.append(bytes);
    } catch (error) {
      await closeCurrent().catch(() => {});
      throw error;
    }
  }

  /** Returns the days with a file, in order. */
  async function days(): Promise<string[]> {
    return (await readdir(folder)).flatMap((name) => fileName.exec(name)?.[1] ?? []).toSorted();
  }

  async function read(day: string, see: (delivery: DeliveryDetail, offset: number) => void): Promise<void> {
    let from = -1;
    await readSealedLines(
      pathOf(day),
      (json, { offset }) => {
        if (json === undefined) from = -1;
        else if (isText(json)) from = offset;
        else if (from !== -1) see(JSON.parse(json.toString()) as DeliveryDetail, from);
      },
      checkHeader,
    );
  }

  async function indexOf(day: string): Promise<Index> {
    let index = indexes.get(day);
    if (index === undefined) {
      const offsets = new Map<string, number>();
      // Entries appended meanwhile are added too, and have higher offsets than all that is read.
      const see = ({ id }: DeliveryDetail, offset: number): void =>
        void offsets.set(id, Math.max(offset, offsets.get(id) ?? 0));
      index = { offsets, isUsed: true, ready: read(day, see) };
      indexes.set(day, index);
    }
    index.isUsed = true;
    try {
      await index.ready;
    } catch (error) {
      indexes.delete(day);
      throw error;
    }
    return index;
  }

  async function readAt(day: string, offset: number): Promise<DeliveryDetail | undefined> {
    const handle = await openToRead(pathOf(day));
    if (handle === undefined) return undefined;
    try {
      for (let size = 16 * 1024; ; size *= 4) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, offset);
        const bytes = buffer.subarray(0, bytesRead);
        const first = bytes.indexOf(lineFeed);
        const second = first === -1 ? -1 : bytes.indexOf(lineFeed, first + 1);
        if (second === -1 && bytesRead === size) continue;
        if (second === -1) return undefined;
        const body = openSealedLine(bytes.subarray(0, first));
        const rest = openSealedLine(bytes.subarray(first + 1, second));
        if (body === undefined || rest === undefined) return undefined;
        return {
          ...(JSON.parse(rest.toString()) as DeliveryDetail),
          body: JSON.parse(body.toString()) as string,
        };
      }
    } finally {
      await handle.close();
    }
  }

  async function lastEnd(day: string): Promise<number> {
    const known = ends.get(day);
    if (known !== undefined) return known;
    let last = -Infinity;
    await read(day, ({ endedAt = 0 }) => {
      last = Math.max(last, endedAt);
    });
    ends.set(day, last);
    return last;
  }

  /** Drops the indexes that were not used since the last call, to free memory. */
  function dropIndexes(): void {
    for (const [day, index] of indexes) {
      if (!index.isUsed) indexes.delete(day);
      index.isUsed = false;
    }
  }

  return {
    append: (entries) =>
      inTurn(async () => {
        for (const [day, ofDay] of Map.groupBy(entries, (entry) => entry.day)) {
          ends.delete(day);
          let offset = await write(day, Buffer.concat(ofDay.map(({ bytes }) => bytes)));
          for (const { id, bytes } of ofDay) {
            indexes.get(day)?.offsets.set(id, offset);
            offset += bytes.length;
          }
        }
      }),
    async find(id) {
      const time = timeOfId(id);
      if (time === undefined) return undefined;
      const day = toDay(time);
      const { offsets } = await indexOf(day);
      const offset = offsets.get(id);
      if (offset === undefined) return undefined;
      const found = await readAt(day, offset);
      return found !== undefined && (found.endedAt ?? 0) > forgotten ? found : undefined;
    },
    async search(query, newest, isSkipped) {
      const from = query.since === undefined ? "" : toDay(query.since);
      for (const day of (await days()).toReversed()) {
        if (day < from || newest.isComplete(Date.parse(day) + dayMs)) return;
        await read(day, (delivery) => {
          if ((delivery.endedAt ?? 0) > forgotten && !isSkipped(delivery.id)) newest.see(toSummary(delivery));
        });
      }
    },
    async forget(before) {
      forgotten = before;
      dropIndexes();
      for (const day of await days()) {
        // No delivery ends before it was added.
        if (Date.parse(day) + dayMs > before) return true;
        if ((await lastEnd(day)) > before) continue;
        await inTurn(async () => {
          // An entry was appended since `lastEnd` read the file.
          if (!ends.has(day)) return;
          if (current?.day === day) await closeCurrent();
          await rm(pathOf(day), { force: true });
          ends.delete(day);
          indexes.delete(day);
        });
        return false;
      }
      return true;
    },
    async check() {
      for (const day of await days()) {
        const path = pathOf(day);
        const handle = await openOwn(path, "read");
        try {
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
          checkHeader(path, buffer.toString("utf8", 0, bytesRead).split("\n")[0] ?? "");
        } finally {
          await handle.close();
        }
      }
    },
    close: () => inTurn(closeCurrent),
  };
}

const lineFeed = 0x0a;

async function openToRead(path: string): Promise<FileHandle | undefined> {
  try {
    return await openOwn(path, "read");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function toEndedEntry(detail: DeliveryDetail): EndedEntry {
  const { body, ...delivery } = detail;
  const bytes = Buffer.concat([toSealedJson(body), toSealedJson(delivery)]);
  return { id: detail.id, day: toDay(timeOfId(detail.id) ?? detail.createdAt), bytes };
}
