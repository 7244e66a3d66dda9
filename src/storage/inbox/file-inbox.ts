import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../catalog/errors.ts";
import { lazy } from "../../lib/lazy.ts";
import { storeClosed, type StoreError, type StoreOperation, toStoreError } from "../errors.ts";
import { makeSubfolder } from "../replace-file.ts";
import { type InboxStore, sizeOf, sweptAfterMs } from "./inbox-store.ts";
import { type InboxLog, openInboxLog } from "./inbox-log.ts";
import { createLedger } from "./ledger.ts";
import { createListeners } from "./listeners.ts";
import { createOpenInboxes } from "./open-inboxes.ts";
import type { Runtime } from "../../runtime.ts";

/** In the data folder; holds a folder for each inbox, named like its record. */
const messagesFolder = "messages";

export interface FileInboxOptions {
  runtime: Runtime;
  onError: (error: StoreError) => void;
  /** Returns the account of an inbox that an earlier process has written. */
  accountOf?: (inbox: string) => Promise<string | undefined>;
  /** @throws StoreError if the disk has no room for a message of this size. */
  requireRoom?: (folder: string, bytes: number) => void;
  /** Most inboxes kept open; those in use are not counted. */
  maxOpen?: number;
}

/**
 * Messages in append-only files. The ids and places of the messages of an inbox in use are kept in memory; bodies are
 * read when they are asked for. The first message makes the folder.
 */
export function openFileInbox(data: string, options: FileInboxOptions): InboxStore {
  const { runtime, onError, accountOf, requireRoom, maxOpen = 256 } = options;
  const root = join(data, messagesFolder);
  const listeners = createListeners();
  const ledger = createLedger();
  let closed = false;

  const folderOf = (inbox: string): string => join(root, nameOf(inbox));

  const makeRoot = lazy(() => makeSubfolder(root));

  const inboxes = createOpenInboxes((inbox) => openInboxLog(folderOf(inbox), { runtime, onError }), maxOpen);

  async function using<Result>(
    operation: StoreOperation,
    inbox: string,
    work: (log: InboxLog) => Result | Promise<Result>,
  ): Promise<Result> {
    if (closed) throw storeClosed(operation);
    const folder = folderOf(inbox);
    try {
      return await inboxes.using(inbox, async (log, isCurrent) => {
        try {
          return await work(log);
        } finally {
          if (isCurrent()) ledger.set(inbox, log.bytes);
        }
      });
    } catch (error) {
      // The inbox has no room for the message.
      if (error instanceof ToolError) throw error;
      throw toStoreError(operation, folder, error);
    }
  }

  const removeAll = (inbox: string): Promise<void> =>
    inboxes.remove(inbox, async () => {
      await rm(folderOf(inbox), { recursive: true, force: true });
      ledger.remove(inbox);
    });

  /**
   * Counts the bytes that earlier processes left, by the sizes of their files. Opening an inbox replaces its size by that
   * of the messages kept.
   */
  const countAll = lazy(async () => {
    try {
      for (const inbox of await onDisk()) {
        const bytes = await bytesIn(folderOf(inbox));
        const account = await accountOf?.(inbox).catch(() => undefined);
        if (!inboxes.has(inbox)) ledger.set(inbox, bytes, account);
      }
    } catch (error) {
      throw toStoreError("read", root, error);
    }
  });

  async function onDisk(): Promise<string[]> {
    try {
      return (await readdir(root)).map((name) => `in_${name}`).filter(isInbox);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  return {
    async add(inbox, message, kept, room) {
      if (room !== undefined) await countAll();
      const duplicate = await using("write", inbox, async (log) => {
        requireRoom?.(folderOf(inbox), sizeOf(message));
        await makeRoot();
        return log.add(message, kept, (growth) => {
          if (room === undefined) return;
          ledger.set(inbox, log.bytes);
          ledger.admit(inbox, growth, room);
        });
      });
      if (!duplicate) listeners.notify(inbox);
      return duplicate;
    },
    read: (inbox, query) => using("read", inbox, (log) => log.read(query)),
    get: (inbox, id, kept) => using("read", inbox, (log) => log.get(id, kept)),
    stats: (inbox, kept) => using("read", inbox, (log) => log.stats(kept)),
    async remove(inbox) {
      if (closed) throw storeClosed("write");
      try {
        await removeAll(inbox);
      } catch (error) {
        throw toStoreError("write", folderOf(inbox), error);
      }
    },
    onMessage: listeners.add,
    async sweep(isKnown, kept) {
      for (const inbox of await onDisk()) {
        if (!(await isKnown(inbox))) {
          const { newestAt = 0 } = await using("read", inbox, (log) => log.stats(everything));
          if (newestAt < runtime.now() - sweptAfterMs) await removeAll(inbox);
        } else if (inboxes.has(inbox) || (await oldestOf(folderOf(inbox))) < runtime.now() - kept.ms) {
          await using("write", inbox, (log) => log.sweep(kept));
        }
      }
    },
    async close() {
      closed = true;
      await inboxes.close();
    },
  };
}

const everything = { messages: Infinity, ms: Infinity, bytes: Infinity };

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder);
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return found.reduce((sum, one) => sum + (one?.size ?? 0), 0);
}

/** Returns when the oldest file of a folder was last written, without reading any file. */
async function oldestOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return Math.min(...found.map((one) => one?.mtimeMs ?? Infinity));
}

const isInbox = (inbox: string): boolean => /^in_[0-9a-f]{32}$/.test(inbox);

/** Returns the folder name of an inbox; nothing else may become part of a path. */
function nameOf(inbox: string): string {
  if (!isInbox(inbox)) throw new TypeError("not the id of an inbox");
  return inbox.slice(3);
}
