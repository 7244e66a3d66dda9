import { closeSync, fdatasync, ftruncateSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { createMutex } from "../../lib/mutex.ts";
import { temporarySuffix } from "../folder.ts";
import { openOwnFile } from "../own-file.ts";
import { syncFolder } from "../replace-file.ts";

/**
 * A file of lines that is appended to, and rewritten while that goes on: to a second file that also receives every new
 * line until it replaces the first, so that at every moment the name leads to a whole file. Every method throws the error
 * of the file system.
 */
export interface RewritableFile {
  readonly isOpen: boolean;
  /** Bytes appended since the last attempt to rewrite. */
  readonly growth: number;
  /** Opens the file as it is; its last line may be torn. */
  open(): void;
  /** Hands lines to the kernel before it returns. After a failure a part may have been written. */
  append(text: string): void;
  /** Replaces the content by a header and pieces, which are asked for one in each turn of the event loop. */
  rewrite(header: string, pieces: () => Iterable<string>): Promise<void>;
  sync(): Promise<void>;
  /** Resolves when nothing is being synced or rewritten. */
  idle(): Promise<void>;
  close(): void;
}

const none = -1;
const syncData = promisify(fdatasync);

export function createRewritableFile(path: string): RewritableFile {
  const temporary = path + temporarySuffix;
  let current = none;
  /** The file that is being made, and why it has been given up. */
  let next = none;
  let copyFault: unknown;
  let growth = 0;
  /** The last write failed half-way (a full disk): the broken line must not run into the next one. */
  let torn = false;
  /** A descriptor must not be closed while another thread is still syncing it. */
  const serially = createMutex();

  function append(text: string): void {
    try {
      growth += writeAll(current, torn ? `\n${text}` : text);
    } catch (error) {
      torn = true;
      if (next === none || copyFault !== undefined) throw error;
      // The unfinished new file may be what fills the disk.
      giveUpCopy(error);
      append(text);
      return;
    }
    torn = false;
    copy(text);
  }

  /** Appends to the file that is being made. */
  function copy(text: string): void {
    if (next === none || copyFault !== undefined) return;
    try {
      writeAll(next, text);
    } catch (error) {
      giveUpCopy(error);
    }
  }

  /** Frees the room of the unfinished file for the old one. `make` removes the file, which it may be syncing now. */
  function giveUpCopy(error: unknown): void {
    copyFault = error;
    try {
      ftruncateSync(next);
    } catch {
      // If the disk refuses this too, `make` frees the room later.
    }
  }

  async function make(header: string, pieces: () => Iterable<string>): Promise<void> {
    try {
      rmSync(temporary, { force: true });
      next = openOwnFile(temporary, "create-append");
      copy(header);
      let isEmpty = true;
      for (const piece of pieces()) {
        isEmpty = false;
        copy(piece);
        if (copyFault !== undefined) break;
        // The next piece is made after this turn: it must not be older than what is appended meanwhile.
        await nextTurn();
      }
      // An empty file needs no sync, and a first start need not wait for the disk.
      if (!isEmpty && copyFault === undefined) await syncData(next);
      if (copyFault !== undefined) throw copyFault;
      replace();
      if (!isEmpty) await syncFolder(dirname(path));
    } catch (error) {
      discard();
      throw error;
    } finally {
      growth = 0;
      copyFault = undefined;
    }
  }

  function replace(): void {
    renameSync(temporary, path);
    if (current !== none) closeSync(current);
    [current, next] = [next, none];
    torn = false;
  }

  /** Keeps the old file and removes the unfinished one, whose room the old one needs on a full disk. */
  function discard(): void {
    if (next !== none) closeSync(next);
    next = none;
    try {
      rmSync(temporary, { force: true });
    } catch {
      // If nothing can be removed, nothing was made, or the next start removes it.
    }
  }

  return {
    get isOpen() {
      return current !== none;
    },
    get growth() {
      return growth;
    },
    open() {
      torn = true;
      current = openOwnFile(path, "append");
    },
    append,
    rewrite: (header, pieces) => serially(() => make(header, pieces)),
    sync: () => serially(() => syncData(current)),
    idle: () => serially(() => {}),
    close() {
      closeSync(current);
      current = none;
    },
  };
}

/** Appends all of the text and returns its size in bytes. If it throws, a part may have been written. */
function writeAll(descriptor: number, text: string): number {
  const bytes = Buffer.from(text);
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done);
  return bytes.length;
}
