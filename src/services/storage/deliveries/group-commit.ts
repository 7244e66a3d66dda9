import { type FileHandle, open, rm } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreError, toStoreError } from "../errors.ts";
import { syncFolder } from "../replace-file.ts";
import type { EndedEntry } from "./ended-log.ts";
import { header, type Place } from "./segments.ts";

/** What is written together or not at all. */
export interface Act<Result> {
  lines: readonly Buffer[];
  /** In the log of what has ended before the journal tells that it has. */
  ended?: readonly EndedEntry[];
  /** Called once it is durable, in the order of the lines. */
  apply(places: readonly Place[]): Result;
}

export interface GroupCommit {
  /** Durable when it resolves. @throws StoreError where nothing of it was written. */
  commit<Result>(act: Act<Result>): Promise<Result>;
  /** What was committed before it. */
  close(): Promise<void>;
}

export interface GroupCommitOptions {
  folder: string;
  path(segment: number): string;
  /** The number of the first one that is made. */
  first: number;
  /** A segment is full; returns the number of the next one. Called between two acts. */
  rotate(full: { segment: number; size: number }): number;
  segmentBytes: number;
  appendEnded(entries: readonly EndedEntry[]): Promise<void>;
  /** @throws StoreError where the disk has no room for so many bytes. */
  requireRoom?: (folder: string, bytes: number) => void;
}

interface Pending {
  act: Act<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Bytes that are written at once, unless one act is larger. */
const batchBytes = 4 * 1024 * 1024;
const headerLine = Buffer.from(`${header}\n`);

/**
 * One writer: everything that was asked for while the disk was busy is written at once and waited for once, however
 * many wait for it. What cannot be written is taken back, and the next that is asked for tries again: a disk that was
 * full needs no restart.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { folder, path, rotate, segmentBytes, appendEnded, requireRoom } = options;
  let pending: Pending[] = [];
  let running: Promise<void> | undefined;
  let closed = false;
  let segment = options.first;
  let handle: FileHandle | undefined;
  let size = 0;

  /** The file is made with the first line that is written to it: who only reads leaves nothing behind. */
  async function current(): Promise<FileHandle> {
    if (handle !== undefined && size >= segmentBytes) {
      await abandon();
      segment = rotate({ segment, size });
    }
    if (handle !== undefined) return handle;
    const file = path(segment);
    const made = await open(file, "wx", 0o600);
    try {
      await write(made, headerLine, 0);
      await made.datasync();
      await syncFolder(folder);
    } catch (error) {
      await made.close().catch(() => {});
      await rm(file, { force: true }).catch(() => {});
      // One that stays has its header at most.
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
      await write(file, bytes, size);
      await file.datasync();
    } catch (error) {
      // What was refused must not be there after a restart. Whether a disk that failed to write has it nobody knows.
      await file.truncate(size).catch(() => {});
      await abandon();
      segment += 1;
      throw error;
    }
  }

  function takeBatch(): Pending[] {
    let bytes = 0;
    let count = 0;
    for (const { act } of pending) {
      if (count > 0 && bytes > batchBytes) break;
      bytes += bytesOf(act);
      count += 1;
    }
    const batch = pending.slice(0, count);
    pending = pending.slice(count);
    return batch;
  }

  async function run(): Promise<void> {
    // Those that were told together that their last act is durable ask together for the next.
    for (await nextTurn(); pending.length > 0; await nextTurn()) {
      const batch = takeBatch();
      try {
        requireRoom?.(
          folder,
          batch.reduce((sum, { act }) => sum + bytesOf(act), 0),
        );
        const ended = batch.flatMap(({ act }) => act.ended ?? []);
        if (ended.length > 0) await appendEnded(ended);
        await append(Buffer.concat(batch.flatMap(({ act }) => act.lines)));
      } catch (error) {
        const reason = toStoreError("write", folder, error);
        for (const { reject } of batch) reject(reason);
        continue;
      }
      for (const { act, resolve, reject } of batch) {
        const places: Place[] = [];
        for (const { length } of act.lines) {
          places.push({ segment, offset: size, length: length - 1 });
          size += length;
        }
        try {
          resolve(act.apply(places));
        } catch (error) {
          reject(error);
        }
      }
    }
    running = undefined;
  }

  return {
    commit<Result>(act: Act<Result>): Promise<Result> {
      if (closed) return Promise.reject(new StoreError("write", "The queue of deliveries is closed."));
      return new Promise<Result>((resolve, reject) => {
        pending.push({ act, resolve: resolve as (result: unknown) => void, reject });
        running ??= run();
      });
    },
    async close() {
      closed = true;
      await running;
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

async function write(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length)
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}
