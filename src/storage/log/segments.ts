import { type FileHandle, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { storeClosed } from "../errors.ts";
import { openOwn } from "../own-file.ts";
import type { Span } from "./read-sealed.ts";
import { openSealedLine } from "./sealed-line.ts";

/** The place of a line in a log. */
export interface Place extends Span {
  readonly segment: number;
}

/** The numbered files of a log: `00000001.log`, with a prefix if others are in the folder. */
export interface Segments {
  path(segment: number): string;
  /** Returns the numbers of the segments, in order; none if the folder is missing. */
  list(): Promise<number[]>;
  /** Returns the line with its checksum and line feed; undefined if it is damaged. @throws the error of the file system. */
  read(place: Place): Promise<Buffer | undefined>;
  /** Removes segments, in this order, once no read is in progress. */
  remove(segments: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

interface Open {
  handle: Promise<FileHandle>;
  uses: number;
}

/** @param options.keepsOpen Files stay open after a read: for a log of which there is one. */
export function createSegments(
  folder: string,
  { prefix = "", keepsOpen = false }: { prefix?: string; keepsOpen?: boolean } = {},
): Segments {
  const name = new RegExp(`^${prefix}(\\d{8})\\.log$`);
  const opened = new Map<number, Open>();
  const reading = new Set<Promise<unknown>>();
  let closed = false;

  const path = (segment: number): string => join(folder, `${prefix}${String(segment).padStart(8, "0")}.log`);

  function take(segment: number): Open {
    if (closed) throw storeClosed("read");
    let open = opened.get(segment);
    if (open === undefined) {
      open = { handle: openOwn(path(segment), "read"), uses: 0 };
      const mine = open;
      opened.set(segment, mine);
      // The next read tries again.
      mine.handle.catch(() => opened.get(segment) === mine && opened.delete(segment));
    }
    open.uses += 1;
    return open;
  }

  async function readLine({ segment, offset, length }: Place): Promise<Buffer | undefined> {
    const open = take(segment);
    try {
      const handle = await open.handle;
      const line = Buffer.allocUnsafe(length);
      const { bytesRead } = await handle.read(line, 0, length, offset);
      return bytesRead === length && openSealedLine(line) !== undefined ? line : undefined;
    } finally {
      open.uses -= 1;
      if (open.uses === 0 && !keepsOpen && opened.get(segment) === open) await close(segment);
    }
  }

  async function close(segment: number): Promise<void> {
    const open = opened.get(segment);
    opened.delete(segment);
    await (await open?.handle)?.close();
  }

  return {
    path,
    async list() {
      try {
        const names = await readdir(folder);
        return names
          .flatMap((entry) => name.exec(entry)?.[1] ?? [])
          .map(Number)
          .toSorted((one, other) => one - other);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
      }
    },
    read(place) {
      const line = readLine(place);
      reading.add(line);
      const over = (): boolean => reading.delete(line);
      line.then(over, over);
      return line;
    },
    async remove(segments) {
      await Promise.allSettled(reading);
      for (const segment of segments) {
        await close(segment);
        await rm(path(segment), { force: true });
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(reading);
      for (const segment of opened.keys()) await close(segment);
    },
  };
}
