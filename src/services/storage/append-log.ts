import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { appendDurably, createBatchWriter } from "./batch-writer.ts";
import { openOwn } from "./own-file.ts";
import { readLines } from "./read-lines.ts";
import { syncFolder } from "./replace-file.ts";
import { openSealedLine, toSealedLine } from "./sealed-line.ts";

/** The bytes of a line in its file, its checksum and line feed included. */
export interface Place {
  offset: number;
  length: number;
}

export interface LogLine extends Place {
  payload: Buffer;
}

/** A file to which lines are appended, and which is never changed otherwise. */
export interface AppendLog {
  /** Bytes that are on the disk. */
  readonly size: number;
  /** What lies beyond `size` is unknown, and every append is rejected: go on in another file. */
  readonly spoilt: boolean;
  /**
   * Resolves when the line is on the disk. Lines appended while the disk is busy are written and synced together. The
   * payload must not contain a line feed. Rejects with the error of the file system if the line was not kept.
   */
  append(payload: string | Uint8Array): Promise<Place>;
  /** Waits for what was appended before. */
  close(): Promise<void>;
}

/**
 * @param size Bytes to keep of a file that exists: the end of its last whole line, as found by `readLog`; 0 for a new file.
 * The first append opens the file and cuts it there.
 */
export function createAppendLog(path: string, size = 0): AppendLog {
  let file: FileHandle | undefined;
  let fault: unknown;
  let closed = false;

  async function ready(): Promise<FileHandle> {
    if (file !== undefined) return file;
    const opened = await openOwn(path, "read-write");
    try {
      await opened.truncate(size);
      // An earlier attempt may have made the file and failed to sync the folder.
      if (size === 0) await syncFolder(dirname(path));
    } catch (error) {
      await opened.close();
      throw error;
    }
    return (file = opened);
  }

  const writer = createBatchWriter<Buffer, Place>({
    bytesOf: ({ length }) => length,
    async write(lines) {
      if (fault !== undefined) throw fault;
      await appendDurably(await ready(), Buffer.concat(lines), size, (error) => (fault = error));
      return lines.map(({ length }) => () => {
        const place = { offset: size, length };
        size += length;
        return place;
      });
    },
  });

  return {
    get size() {
      return size;
    },
    get spoilt() {
      return fault !== undefined;
    },
    async append(payload) {
      if (closed) throw new Error("The log is closed.");
      return writer.add(toSealedLine(payload));
    },
    async close() {
      closed = true;
      await writer.idle();
      await file?.close();
      file = undefined;
    },
  };
}

/**
 * Yields the whole lines of a file; the end of the last one is the size to go on with. A crash may leave a torn line or a
 * hole at the end; `onDamage` is called with the offset of damage before that. A missing file has no lines.
 * @throws the error of the file system.
 */
export async function* readLog(
  path: string,
  onDamage: (offset: number) => void = () => {},
): AsyncIterable<LogLine> {
  let offset = 0;
  let damagedAt: number | undefined;
  try {
    for await (const { bytes, torn } of readLines(path)) {
      const length = bytes.length + 1;
      const payload = torn ? undefined : openSealedLine(bytes);
      if (payload === undefined) damagedAt ??= offset;
      else {
        if (damagedAt !== undefined) onDamage(damagedAt);
        damagedAt = undefined;
        yield { payload, offset, length };
      }
      offset += length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
