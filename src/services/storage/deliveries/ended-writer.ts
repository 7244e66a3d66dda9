import { type FileHandle, rm } from "node:fs/promises";
import { openOwn } from "../own-file.ts";
import { syncFolder } from "../replace-file.ts";
import { header } from "./segments.ts";

export interface EndedWriter {
  /** Durable when it resolves; returns at which offset it begins. Where it rejects nothing of it is there. */
  append(day: string, bytes: Buffer): Promise<number>;
  remove(day: string): Promise<void>;
  close(): Promise<void>;
}

const headerLine = Buffer.from(`${header}\n`);

/** Appends to the file of a day, which stays open until another is asked for. One call at a time. */
export function createEndedWriter(folder: string, pathOf: (day: string) => string): EndedWriter {
  let current: { day: string; handle: FileHandle; size: number } | undefined;

  async function abandon(): Promise<void> {
    const file = current;
    current = undefined;
    await file?.handle.close();
  }

  async function openDay(day: string): Promise<void> {
    await abandon();
    const handle = await openOwn(pathOf(day), "read-append");
    try {
      const { size } = await handle.stat();
      current = { day, handle, size };
      if (size === 0) {
        await write(headerLine);
        await syncFolder(folder);
        return;
      }
      // A line that a crash has torn must not swallow the next one.
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
      if (buffer[0] !== lineFeed) await write(Buffer.from([lineFeed]));
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
      await handle.appendFile(bytes);
      await handle.datasync();
    } catch (error) {
      await handle.truncate(size).catch(() => {});
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

const lineFeed = 0x0a;
