import { type AppendFile, openAppendFile } from "./append-file.ts";
import { createBatchWriter } from "./batch-writer.ts";
import { readLines } from "./read-lines.ts";
import { openSealedLine, toSealedLine } from "./sealed-line.ts";

/** The bytes of a line in its file, its checksum and line feed included. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

export interface LogLine extends Place {
  payload: Buffer;
}

/** A file to which sealed lines are appended, those that wait for the disk together. */
export interface AppendLog extends Pick<AppendFile, "size" | "spoilt" | "close"> {
  /**
   * Resolves when the line is on the disk. The payload must not contain a line feed. Rejects with the error of the file
   * system if the line was not kept.
   */
  append(payload: string | Uint8Array): Promise<Place>;
}

/**
 * @param size Bytes to keep of a file that exists: the end of its last whole line, as found by `readLog`; 0 for a new file.
 * The first append opens the file and cuts it there.
 */
export function createAppendLog(path: string, size = 0): AppendLog {
  let file: AppendFile | undefined;
  let closed = false;

  const writer = createBatchWriter<Buffer, Place>({
    bytesOf: ({ length }) => length,
    async write(lines) {
      file ??= await openAppendFile(path, { keep: size });
      await file.append(Buffer.concat(lines));
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
      return file?.spoilt === true;
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
  let damagedAt: number | undefined;
  try {
    for await (const { bytes, offset, length, torn } of readLines(path)) {
      const payload = torn ? undefined : openSealedLine(bytes);
      if (payload === undefined) damagedAt ??= offset;
      else {
        if (damagedAt !== undefined) onDamage(damagedAt);
        damagedAt = undefined;
        yield { payload, offset, length };
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
