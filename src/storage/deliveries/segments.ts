import { type FileHandle, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "../errors.ts";
import type { Place as PlaceInFile } from "../append-log.ts";
import { openOwn } from "../own-file.ts";
import { readLineChunks } from "../read-lines.ts";
import { openSealedLine } from "../sealed-line.ts";

/** The place of a line in the journal. */
export interface Place extends PlaceInFile {
  readonly segment: number;
}

export interface SealedFile {
  /** Bytes. */
  size: number;
  /** Lines that are not whole. */
  damaged: number;
}

/** Reads and removes the segments of a journal. */
export interface Segments {
  path(segment: number): string;
  /** Returns the line with its checksum and line feed; undefined if it is damaged. */
  read(place: Place): Promise<Buffer | undefined>;
  /** Removes segments, oldest first, once no read is in progress. */
  remove(segments: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

const name = /^queue-(\d{8})\.log$/;

/** Returns the numbers of the segments, in order. */
export async function listSegments(folder: string): Promise<number[]> {
  return (await readdir(folder))
    .flatMap((entry) => name.exec(entry)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => one - other);
}

/** The first line of a segment and of a log of ended deliveries; the number is its version. */
export const header = "penknife-deliveries 1";

export const headerLine = `${header}\n`;

/** @throws StoreError for a file of a newer release. */
export function checkHeader(path: string, line: string): void {
  const [, version] = /^penknife-deliveries (\d+)$/.exec(line) ?? [];
  if (version === undefined || version === "1") return;
  throw new StoreError(
    "open",
    `${path} was written by a newer release of penknife (version ${version}, this one reads 1). Start that release, or move the file away: its deliveries are then not sent.`,
  );
}

/**
 * Calls `visit` with each line of a file after its header: the JSON and the place of the line, or undefined if the line
 * is not whole. @throws StoreError for a file of a newer release.
 */
export async function readSealedLines(
  path: string,
  visit: (json: Buffer | undefined, place: PlaceInFile) => void,
): Promise<SealedFile> {
  let size = 0;
  let damaged = 0;
  for await (const lines of readLineChunks(path)) {
    for (const { bytes, offset, length, number, torn } of lines) {
      size = offset + length;
      if (number === 1) checkHeader(path, bytes.toString());
      const json = torn || number === 1 ? undefined : openSealedLine(bytes);
      if (torn || (number > 1 && json === undefined)) damaged += 1;
      if (number > 1) visit(json, { offset, length });
    }
  }
  return { size, damaged };
}

export function createSegments(folder: string): Segments {
  const handles = new Map<number, Promise<FileHandle>>();
  const reading = new Set<Promise<unknown>>();
  let closed = false;

  const path = (segment: number): string => join(folder, `queue-${String(segment).padStart(8, "0")}.log`);

  async function handleOf(segment: number): Promise<FileHandle> {
    if (closed) throw new StoreError("read", "The queue of deliveries is closed.");
    const known = handles.get(segment);
    if (known !== undefined) return known;
    const opening = openOwn(path(segment), "read");
    handles.set(segment, opening);
    try {
      return await opening;
    } catch (error) {
      handles.delete(segment);
      throw error;
    }
  }

  async function readLine({ segment, offset, length }: Place): Promise<Buffer | undefined> {
    const handle = await handleOf(segment);
    const line = Buffer.allocUnsafe(length);
    const { bytesRead } = await handle.read(line, 0, length, offset);
    return bytesRead === length && openSealedLine(line) !== undefined ? line : undefined;
  }

  async function closeAll(segments: Iterable<number>): Promise<void> {
    for (const segment of segments) {
      const handle = handles.get(segment);
      handles.delete(segment);
      await (await handle)?.close();
    }
  }

  return {
    path,
    read(place) {
      const line = readLine(place);
      reading.add(line);
      const over = (): boolean => reading.delete(line);
      line.then(over, over);
      return line;
    },
    async remove(segments) {
      await Promise.allSettled(reading);
      await closeAll(segments);
      for (const segment of segments) await rm(path(segment), { force: true });
    },
    async close() {
      closed = true;
      await Promise.allSettled(reading);
      await closeAll([...handles.keys()]);
    },
  };
}
