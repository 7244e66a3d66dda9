import { type FileHandle, rm } from "node:fs/promises";
import { appendDurably } from "../batch-writer.ts";
import { openOwn } from "../own-file.ts";
import { syncFolder } from "../replace-file.ts";
import { header } from "./segments.ts";

/** Appends to one file a day. Calls must not overlap. */
export interface EndedWriter {
  /** Resolves when the bytes are on the disk, with their offset in the file. If it rejects, none of them are kept. */
  append(day: string, bytes: Buffer): Promise<number>;
  remove(day: string): Promise<void>;
  close(): Promise<void>;
}

const headerLine = Buffer.from(`${header}\n`);
const lineFeed = Buffer.from("\n");

/** The file of a day stays open until a call names another day. */
export function createEndedWriter(folder: string, pathOf: (day: string) => string): EndedWriter {
  let current: { day: string; handle: FileHandle; size: number } | undefined;

  async function abandon(): Promise<void> {
    const file = current;
    current = undefined;
    await file?.handle.close();
  }

  async function openDay(day: string): Promise<void> {
    await abandon();
    const handle = await openOwn(pathOf(day), "read-write");
    try {
      const { size } = await handle.stat();
      current = { day, handle, size };
      if (size === 0) {
        await write(headerLine);
        await syncFolder(folder);
        return;
      }
      // Otherwise a line that a crash has torn would run into the next one.
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
      if (!lineFeed.equals(buffer)) await write(lineFeed);
    } catch (error) {
      current = undefined;
      await handle.close().catch(() => {});
      throw error;
    }
  }

  async function write(bytes: Buffer): Promise<number> {
    if (current === undefined) throw new TypeError("no day is open");
    const { handle, size } = current;
    try {
      await appendDurably(handle, bytes, size);
    } catch (error) {
      await abandon().catch(() => {});
      throw error;
    }
    current.size = size + bytes.length;
    return size;
  }

  return {
    async append(day, bytes) {
      if (current?.day !== day) await openDay(day);
      return write(bytes);
    },
    async remove(day) {
      if (current?.day === day) await abandon();
      await rm(pathOf(day), { force: true });
    },
    close: abandon,
  };
}
