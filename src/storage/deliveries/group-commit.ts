import { rm } from "node:fs/promises";
import { type AppendFile, openAppendFile } from "../append-file.ts";
import { createBatchWriter } from "../batch-writer.ts";
import { StoreError, toStoreError } from "../errors.ts";
import type { EndedEntry } from "./ended-log.ts";
import { headerLine, type Place } from "./segments.ts";

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

/**
 * The writer of the journal. Acts committed while the disk is busy share one write and one sync. A batch that cannot be
 * written is cut off again and its acts rejected; the next batch goes to a new segment, so that a disk that was full needs
 * no restart.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { folder, path, rotate, segmentBytes, appendEnded, requireRoom } = options;
  let closed = false;
  let segment = options.first;
  let file: AppendFile | undefined;

  /** Returns the open segment. A segment is made with its first line, so that a process that only reads leaves no file. */
  async function current(): Promise<AppendFile> {
    if (file !== undefined && file.size >= segmentBytes) {
      const { size } = file;
      await abandon();
      segment = rotate({ segment, size });
    }
    return (file ??= await openAppendFile(path(segment), { header: headerLine, isNew: true }));
  }

  async function abandon(): Promise<void> {
    const open = file;
    file = undefined;
    await open?.close().catch(() => {});
  }

  /** Returns the offset of the bytes in the segment. */
  async function append(bytes: Buffer): Promise<number> {
    try {
      return await (await current()).append(bytes);
    } catch (error) {
      const isEmpty = file?.size === 0;
      await abandon();
      if (isEmpty) await rm(path(segment), { force: true }).catch(() => {});
      segment += 1;
      throw error;
    }
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
        let offset = await append(Buffer.concat(acts.flatMap(({ lines }) => lines)));
        const toPlace = ({ length }: Buffer): Place => {
          offset += length;
          return { segment, offset: offset - length, length };
        };
        return acts.map(
          ({ lines, apply }) =>
            () =>
              apply(lines.map(toPlace)),
        );
      } catch (error) {
        throw toStoreError("write", folder, error);
      }
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
