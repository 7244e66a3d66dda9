import { rm } from "node:fs/promises";
import { storeClosed, toStoreError } from "../errors.ts";
import { type AppendFile, openAppendFile } from "./append-file.ts";
import { createBatchWriter } from "./batch-writer.ts";
import type { Place, Segments } from "./segments.ts";

/** Sealed lines that are written together or not at all. */
export interface Act<Result, First extends Sized = Sized> {
  lines: readonly Buffer[];
  /** Written elsewhere before the lines, by `writeFirst`. */
  first?: readonly First[];
  /** Called once the lines are on the disk, in the order of the commits. */
  apply(places: readonly Place[]): Result;
}

interface Sized {
  /** Bytes. */
  readonly length: number;
}

/** A segment and its bytes up to the end of the last whole line. */
export interface Segment {
  readonly segment: number;
  readonly size: number;
}

/** A log of sealed lines in numbered files, of which one process appends to the last. */
export interface SealedLog<First extends Sized = Sized> {
  /** The segment appended to last. */
  readonly last: Segment;
  /** Resolves when the act is on the disk. @throws StoreError if none of it was written. */
  commit<Result>(act: Act<Result, First>): Promise<Result>;
  /** Resolves when a new segment is on the disk. @throws StoreError */
  begin(): Promise<void>;
  /** Waits for what was committed before. */
  close(): Promise<void>;
}

export interface SealedLogOptions<First extends Sized> {
  folder: string;
  segments: Segments;
  /** The last segment that exists, to go on in it, or the number of the first one to make. */
  from: Segment | number;
  /** Called before a new segment is made; returns its first line with the line feed. */
  header(): string | Promise<string>;
  /** Asked between two writes. */
  isFull(segment: Segment): boolean;
  /** Returns the number of the segment that follows a full one. */
  next(full: Segment): number;
  /** Resolves when what comes before the lines of a batch is on the disk; if it rejects, nothing of the batch counts. */
  writeFirst?(first: readonly First[]): Promise<void>;
  /** @throws StoreError if the disk has no room for so many bytes. */
  requireRoom?: ((folder: string, bytes: number) => void) | undefined;
}

/**
 * Acts committed while the disk is busy share one write and one sync. A batch that cannot be written is cut off again and
 * its acts are rejected; the next batch goes to a new segment, so that a disk that was full needs no restart.
 */
export function createSealedLog<First extends Sized = Sized>(
  options: SealedLogOptions<First>,
): SealedLog<First> {
  const { folder, segments, from, header, isFull, next, writeFirst, requireRoom } = options;
  let last: Segment = typeof from === "number" ? { segment: from, size: 0 } : from;
  /** The segment has no file yet. It is made with its first line, so that a process that only reads leaves none. */
  let isNew = typeof from === "number";
  let isEnded = false;
  let file: AppendFile | undefined;
  let closed = false;

  async function current(): Promise<AppendFile> {
    if (!isNew && (isEnded || isFull(last))) {
      await abandon();
      startAt(next(last));
    }
    isEnded = false;
    if (file !== undefined) return file;
    const { segment, size } = last;
    const first = size === 0 ? { header: await header() } : {};
    return (file = await openAppendFile(
      segments.path(segment),
      isNew ? { ...first, isNew } : { ...first, keep: size },
    ));
  }

  function startAt(segment: number): void {
    last = { segment, size: 0 };
    isNew = true;
  }

  async function abandon(): Promise<void> {
    const open = file;
    file = undefined;
    await open?.close().catch(() => {});
  }

  /** Returns the offset of the bytes in the segment. */
  async function append(bytes: Buffer): Promise<number> {
    try {
      const to = await current();
      const offset = await to.append(bytes);
      last = { segment: last.segment, size: to.size };
      isNew = false;
      return offset;
    } catch (error) {
      const isEmpty = file?.size === 0;
      await abandon();
      if (isEmpty) await rm(segments.path(last.segment), { force: true }).catch(() => {});
      startAt(last.segment + 1);
      throw error;
    }
  }

  const writer = createBatchWriter<Act<unknown, First>, unknown>({
    bytesOf,
    async write(acts) {
      try {
        requireRoom?.(
          folder,
          acts.reduce((sum, act) => sum + bytesOf(act), 0),
        );
        const first = acts.flatMap((act) => act.first ?? []);
        if (first.length > 0) await writeFirst?.(first);
        let offset = await append(Buffer.concat(acts.flatMap(({ lines }) => lines)));
        const { segment } = last;
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
    get last() {
      return last;
    },
    async commit<Result>(act: Act<Result, First>): Promise<Result> {
      if (closed) throw storeClosed("write");
      return writer.add(act) as Promise<Result>;
    },
    async begin() {
      if (closed) throw storeClosed("write");
      isEnded = true;
      await writer.add({ lines: [], apply() {} });
    },
    async close() {
      closed = true;
      await writer.idle();
      await abandon();
    },
  };
}

function bytesOf({ lines, first = [] }: Act<unknown>): number {
  let bytes = 0;
  for (const { length } of lines) bytes += length;
  for (const { length } of first) bytes += length;
  return bytes;
}
