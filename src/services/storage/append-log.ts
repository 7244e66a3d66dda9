import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { openOwn } from "./own-file.ts";
import { readLines } from "./read-lines.ts";
import { syncFolder } from "./replace-file.ts";

/** Where a line lies in its file, in bytes, all of it included. */
export interface Place {
  offset: number;
  length: number;
}

export interface LogLine extends Place {
  payload: Buffer;
}

/** A file that lines are added to, and nothing else. */
export interface AppendLog {
  /** Bytes that are on the disk. */
  readonly size: number;
  /** What lies beyond `size` cannot be known any more, and nothing is added: go on in another file. */
  readonly spoilt: boolean;
  /**
   * Durable when it resolves. All that is added while the disk is busy is written and synced together. A payload has no
   * line feed in it. Rejects with the error of the file system: then this line is not kept, nor those after it until then.
   */
  append(payload: string | Uint8Array): Promise<Place>;
  /** After what was added has been written. */
  close(): Promise<void>;
}

interface Waiting {
  line: Buffer;
  resolve(place: Place): void;
  reject(error: unknown): void;
}

/** Bytes of one write: what was added later waits for the next. */
const batchBytes = 4 * 1024 * 1024;
const lineFeed = 0x0a;
/** Eight hex digits of the checksum and a space. */
const headLength = 9;

/**
 * @param size What is kept of a file that is there: up to the end of its last whole line, as `readLog` found it. 0 is a
 * new one. The file is opened, and cut there, with the first line that is added.
 */
export function createAppendLog(path: string, size = 0): AppendLog {
  let waiting: Waiting[] = [];
  let file: FileHandle | undefined;
  let running: Promise<void> | undefined;
  let fault: unknown;
  let closed = false;

  async function ready(): Promise<FileHandle> {
    if (file !== undefined) return file;
    const opened = await openOwn(path, "read-write");
    try {
      await opened.truncate(size);
      // Also where an attempt before this one made the file and got no further.
      if (size === 0) await syncFolder(dirname(path));
    } catch (error) {
      await opened.close();
      throw error;
    }
    return (file = opened);
  }

  function takeBatch(): Waiting[] {
    let bytes = 0;
    const end = waiting.findIndex(({ line }, index) => (bytes += line.length) > batchBytes && index > 0);
    const batch = end === -1 ? waiting : waiting.slice(0, end);
    waiting = end === -1 ? [] : waiting.slice(end);
    return batch;
  }

  async function run(): Promise<void> {
    // What else is added in this turn of the event loop shares the sync.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        if (fault !== undefined) throw fault;
        await write(Buffer.concat(batch.map(({ line }) => line)));
      } catch (error) {
        for (const { reject } of batch) reject(error);
        continue;
      }
      for (const { line, resolve } of batch) {
        resolve({ offset: size, length: line.length });
        size += line.length;
      }
    }
    running = undefined;
  }

  async function write(bytes: Buffer): Promise<void> {
    const handle = await ready();
    let written = false;
    try {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, size + done);
        done += bytesWritten;
      }
      written = true;
      await handle.datasync();
    } catch (error) {
      // A sync that failed has failed for good: the kernel takes the pages for clean, and the next would say that all is well.
      if (written) fault = error;
      await handle.truncate(size).catch(() => (fault = error));
      throw error;
    }
  }

  return {
    get size() {
      return size;
    },
    get spoilt() {
      return fault !== undefined;
    },
    append(payload) {
      if (closed) return Promise.reject(new Error("the log is closed"));
      return new Promise((resolve, reject) => {
        waiting.push({ line: toLine(payload), resolve, reject });
        running ??= run();
      });
    },
    async close() {
      closed = true;
      await running;
      await file?.close();
      file = undefined;
    },
  };
}

function toLine(payload: string | Uint8Array): Buffer {
  const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
  const line = Buffer.allocUnsafe(headLength + bytes.length + 1);
  line.write(`${crc32(bytes).toString(16).padStart(8, "0")} `, "latin1");
  line.set(bytes, headLength);
  line[line.length - 1] = lineFeed;
  return line;
}

/** What the line says, without its line feed or with it; undefined where it is not whole. */
export function payloadOf(line: Buffer): Buffer | undefined {
  const end = line.at(-1) === lineFeed ? line.length - 1 : line.length;
  const head = line.toString("latin1", 0, headLength);
  if (!/^[0-9a-f]{8} $/.test(head)) return undefined;
  const payload = line.subarray(headLength, end);
  return crc32(payload) === Number.parseInt(head, 16) ? payload : undefined;
}

/**
 * The whole lines of a file; the end of the last one is the size to go on with. A crash leaves a torn line, or a hole,
 * at the end; `onDamage` is told of what is damaged before that, where it begins.
 * @throws the error of the file system; a file that is not there has no lines.
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
      const payload = torn ? undefined : payloadOf(bytes);
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
