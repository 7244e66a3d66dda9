import { type FileHandle, open, rm } from "node:fs/promises";
import { appendDurably, createBatchWriter } from "../batch-writer.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { syncFolder } from "../replace-file.ts";
import type { EndedEntry } from "./ended-log.ts";
import { header, type Place } from "./segments.ts";

/** Lines that are written together or not at all. */
export interface Act<Result> {
  lines: readonly Buffer[];
  /** Deliveries that are written to the log of ended deliveries before the journal says that they have ended. */
  ended?: readonly EndedEntry[];
  /** Called once the lines are on the disk, in the order of the lines. */
  apply(places: readonly Place[]): Result;
}

export interface GroupCommit {
  /** Resolves when the act is on the disk. @throws StoreError if none of it was written. */
  commit<Result>(act: Act<Result>): Promise<Result>;
  /** Waits for what was committed before. */
  close(): Promise<void>;
}

export interface GroupCommitOptions {
  folder: string;
  path(segment: number): string;
  /** The number of the first segment to make. */
  first: number;
  /** Called between two acts when a segment is full; returns the number of the next one. */
  rotate(full: { segment: number; size: number }): number;
  segmentBytes: number;
  appendEnded(entries: readonly EndedEntry[]): Promise<void>;
  /** @throws StoreError if the disk has no room for so many bytes. */
  requireRoom?: (folder: string, bytes: number) => void;
}

const headerLine = Buffer.from(`${header}\n`);

/**
 * The writer of the journal. Acts committed while the disk is busy share one write and one sync. A batch that cannot be
 * written is cut off again and its acts rejected; the next batch goes to a new segment, so that a disk that was full needs
 * no restart.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { folder, path, rotate, segmentBytes, appendEnded, requireRoom } = options;
  let closed = false;
  let segment = options.first;
  let handle: FileHandle | undefined;
  let size = 0;

  /** Returns the open segment. A segment is made with its first line, so that a process that only reads leaves no file. */
  async function current(): Promise<FileHandle> {
    if (handle !== undefined && size >= segmentBytes) {
      await abandon();
      segment = rotate({ segment, size });
    }
    if (handle !== undefined) return handle;
    const file = path(segment);
    const made = await open(file, "wx", 0o600);
    try {
      await appendDurably(made, headerLine, 0);
      await syncFolder(folder);
    } catch (error) {
      await made.close().catch(() => {});
      await rm(file, { force: true }).catch(() => {});
      // If the file could not be removed, it holds no more than its header.
      segment += 1;
      throw error;
    }
    size = headerLine.length;
    handle = made;
    return made;
  }

  async function abandon(): Promise<void> {
    const file = handle;
    handle = undefined;
    await file?.close().catch(() => {});
  }

  async function append(bytes: Buffer): Promise<void> {
    const file = await current();
    try {
      await appendDurably(file, bytes, size);
    } catch (error) {
      await abandon();
      segment += 1;
      throw error;
    }
  }

  function toPlaces({ lines }: Act<unknown>): Place[] {
    return lines.map(({ length }) => {
      const place = { segment, offset: size, length: length - 1 };
      size += length;
      return place;
    });
  }

  const writer = createBatchWriter<Act<unknown>, unknown>({
    bytesOf,
    async write(acts) {
      try {
        requireRoom?.(
          folder,
          acts.reduce((sum, act) => sum + bytesOf(act), 0),
        );
        const ended = acts.flatMap((act) => act.ended ?? []);
        if (ended.length > 0) await appendEnded(ended);
        await append(Buffer.concat(acts.flatMap(({ lines }) => lines)));
      } catch (error) {
        throw toStoreError("write", folder, error);
      }
      return acts.map((act) => () => act.apply(toPlaces(act)));
    },
  });

  return {
    async commit<Result>(act: Act<Result>): Promise<Result> {
      if (closed) throw new StoreError("write", "The queue of deliveries is closed.");
      return writer.add(act) as Promise<Result>;
    },
    async close() {
      closed = true;
      await writer.idle();
      await abandon();
    },
  };
}

function bytesOf({ lines, ended = [] }: Act<unknown>): number {
  let bytes = 0;
  for (const { length } of lines) bytes += length;
  for (const entry of ended) bytes += entry.bytes.length;
  return bytes;
}
