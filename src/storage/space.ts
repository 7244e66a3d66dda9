import { closeSync, ftruncateSync, fstatSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { StoreError, type StoreOperation } from "./errors.ts";
import { openOwnFile } from "./own-file.ts";
import type { Runtime } from "../runtime.ts";

/** The free space of a disk, and the part of it reserved for administration. */
export interface DiskRoom {
  freeBytes: number;
  /** Free bytes below which bulk data is refused. */
  floorBytes: number;
  /** A sentence that says why bulk data is refused now; undefined while it is not. */
  shortage: string | undefined;
}

/**
 * Bulk data are messages of inboxes and usage. Upkeep (counts, deliveries) may take three quarters of what bulk data
 * leave. The rest, and a reserve file, belong to administration: to changes of records until only as much is free as the reserve has, and then
 * to acts that close access.
 */
type Use = "bulk" | "upkeep" | "change";

export interface Space {
  /** @throws StoreError if the file system of `path` has no room for `bytes` of this use. */
  require(use: Use, operation: StoreOperation, path: string, bytes?: number): void;
  /** Returns undefined if the file system does not report its free space. */
  room(): DiskRoom | undefined;
  /** Runs an act that closes access; on a full disk it releases the reserve file first. */
  urgently<T>(work: () => Promise<T>): Promise<T>;
  /** Removes the reserve file. Returns false if there was none. */
  release(): boolean;
  /** Makes the reserve file if it is missing and there is room for it. */
  prepare(): void;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
/** Bytes of the reserve file: enough for a hundred revocations with their lines in the audit trail. */
const maxReserve = 256 * kibibyte;
/** The floor on a small disk, as a share of the disk; the reserve is half of that. */
const floorPart = 1 / 8;
const reservePart = 1 / 16;
const upkeepPart = 1 / 4;
/** Milliseconds for which the free space is reused for counts, which are written many times a second. */
const lookMs = 100;
const page = 4096;

export function createSpace(
  folder: string,
  { floorMb, runtime }: { floorMb: number; runtime: Runtime },
): Space {
  const path = join(folder, reserveName);
  let urgent = 0;
  let seen: { at: number; free: number; floor: number; reserve: number } | undefined;

  /** Returns undefined if the folder is missing or its file system does not report its free space. */
  function look(): { free: number; floor: number; reserve: number } | undefined {
    try {
      const { bavail, blocks, bsize } = statfsSync(folder);
      if (blocks === 0) return undefined;
      const total = blocks * bsize;
      const toPages = (bytes: number): number => Math.floor(bytes / page) * page;
      return {
        free: bavail * bsize,
        floor: Math.min(floorMb * mebibyte, toPages(total * floorPart)),
        reserve: toPages(Math.min(maxReserve, total * reservePart)),
      };
    } catch {
      return undefined;
    }
  }

  function fill(): void {
    const size = look()?.reserve ?? 0;
    try {
      const file = openOwnFile(path, "read-write");
      try {
        for (let at = fstatSync(file).size; at < size; at += page) writeSync(file, noise(), 0, page, at);
      } finally {
        closeSync(file);
      }
    } catch {
      // The reserve stays as large as the room allows.
    }
  }

  /** Removes the reserve file. Returns whether there was one. */
  function release(): boolean {
    try {
      const file = openOwnFile(path, "read-write");
      try {
        const { size } = fstatSync(file);
        ftruncateSync(file, 0);
        return size > 0;
      } finally {
        closeSync(file);
      }
    } catch {
      return false;
    }
  }

  return {
    require(use, operation, file, bytes = 0) {
      if (use === "change" && urgent > 0) return;
      const now = runtime.monotonic();
      if (use !== "upkeep" || seen === undefined || now < seen.at || now - seen.at > lookMs) {
        const found = look();
        seen = found && { ...found, at: now, free: found.free - (urgent > 0 ? found.reserve : 0) };
      }
      if (seen === undefined) return;
      const { free, floor, reserve } = seen;
      const least = { bulk: floor, upkeep: floor * upkeepPart, change: reserve }[use];
      if (free - bytes >= least) {
        seen.free -= bytes;
        return;
      }
      throw new StoreError(
        operation,
        `There is no space left for ${file}. Free some space: ${inWords(free)} are free, and the last ${inWords(least)} are kept for ${use === "change" ? "revocations" : "administration (storage.minFreeMb)"}.`,
      );
    },
    room() {
      const found = look();
      if (found === undefined) return undefined;
      const { free, floor } = found;
      return { freeBytes: free, floorBytes: floor, shortage: free < floor ? toShortage(free) : undefined };
    },
    async urgently(work) {
      urgent += 1;
      const found = look();
      if (found !== undefined && found.free < found.reserve) release();
      try {
        return await work();
      } catch (error) {
        if (!isForWantOfSpace(error) || !release()) throw error;
        return await work();
      } finally {
        urgent -= 1;
        if (urgent === 0) fill();
      }
    },
    release,
    prepare() {
      const found = look();
      if (found !== undefined && found.free > 2 * found.reserve) fill();
    },
  };
}

const reserveName = "reserve";

const toShortage = (free: number): string =>
  free < page
    ? "The disk of the store is full. Messages of inboxes, events, usage and counts are not written."
    : `The disk of the store has only ${inWords(free)} left. Messages of inboxes and usage are not written.`;

const inWords = (bytes: number): string =>
  bytes >= mebibyte
    ? `${Math.floor(bytes / mebibyte)} MiB`
    : `${Math.max(0, Math.floor(bytes / kibibyte))} KiB`;

/** Reports whether a write failed because the disk or a quota is full. */
function isForWantOfSpace(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (/^(?:ENOSPC|EDQUOT)$/.test((one as NodeJS.ErrnoException).code ?? "")) return true;
  }
  return false;
}

/** Returns a page of random bytes, which a compressing file system cannot shrink. */
function noise(): Buffer {
  const bytes = Buffer.allocUnsafe(page);
  for (let at = 0; at < page; at += 4) bytes.writeUInt32LE(Math.floor(Math.random() * 2 ** 32), at);
  return bytes;
}
