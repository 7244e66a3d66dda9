import { access } from "node:fs/promises";
import { join } from "node:path";
import { createStorage } from "unstorage";
import { lazy } from "../lib/lazy.ts";
import { createCounters } from "./counters.ts";
import { storeClosed, StoreError, toStoreError } from "./errors.ts";
import { closeFolder, findOpenings } from "./folder-modes.ts";
import { historyFile, prepareFolder, recordsFile, requireStore, sweepFolder } from "./folder.ts";
import type { HistoryCall } from "./history/calls.ts";
import { createReport, type HistoryPlace } from "./history/place.ts";
import { settleHistory } from "./history/settle.ts";
import { emptiedJournal, isEmptied, readJournal } from "./journal/lines.ts";
import { openJournal } from "./journal/journal.ts";
import type { Journal } from "./journal/journal.ts";
import { createLocalHold } from "./lease.ts";
import { type Lock, openLock } from "./lock.ts";
import { defaultStaleMs } from "./record-cache.ts";
import { queueOptionsOf } from "./queue-options.ts";
import { createRecordCollections } from "./record-collections.ts";
import { createSpace, type Space } from "./space.ts";
import type { Call } from "./sqlite/calls.ts";
import { type Connection, createConnection } from "./sqlite/connection.ts";
import type { Database } from "./sqlite/database.ts";
import { openRecords } from "./sqlite/open-records.ts";
import { createDatabaseDriver, createDatabaseTexts } from "./sqlite/texts.ts";
import { createSharedThread } from "./sqlite/shared-thread.ts";
import type { Store, StoreOptions } from "./storage.ts";

/** Milliseconds from opening the store of a server to making its reserve file and starting the thread of its records. */
const settleAfterMs = 200;

/**
 * Opens a store in a folder, for one process: records and history in SQLite, counters in memory with a journal. @throws StoreError
 */
export async function openFileStore(options: StoreOptions): Promise<Store> {
  const { path, runtime, onError, staleMs = defaultStaleMs, uid, onNotice = () => {} } = options;
  const { readOnly = false } = options;
  if (readOnly) requireStore(path);
  const space = createSpace(path, { floorMb: options.minFreeMb ?? 16, runtime });
  if (!readOnly) prepare(options, space);
  const lock = await takeLock(options);
  let records: Connection<Call> | undefined;
  try {
    if (!readOnly) sweepFolder(path);
    requireModes(options);
    const isServer = options.lockPatienceMs !== undefined;
    const database = readOnly ? await openCopy() : await openRecords(path, options);
    const thread =
      isServer && !readOnly
        ? createSharedThread(async () => (await import("./sqlite/thread-link.ts")).openThread(path))
        : undefined;
    const connection = (records = createConnection({ lane: "records", database, thread }));
    if (!readOnly) await settleHistory(path, database, options);
    const hadAccounts = database.count("accounts") > 0;
    let settling: NodeJS.Timeout | undefined;
    if (!readOnly && !isServer) space.prepare();
    const journalPath = join(path, "counters.log");
    const counters = createCounters(runtime, (id) => journal?.note(id), options.ipv6Factor);
    if (isEmptied(journalPath)) onNotice("warn", emptiedJournal(journalPath));
    for (const [id, count] of readJournal(journalPath)) counters.restore(id, count);
    const journal: Journal | undefined = readOnly
      ? undefined
      : await openJournal({
          path: journalPath,
          seen: counters.seen,
          ids: counters.ids,
          requireRoom: () => space.require("upkeep", "journal", journalPath),
          onError,
          onNotice,
        });

    const storage = createStorage({ driver: createDatabaseDriver(connection) });
    const collections = createRecordCollections({
      storage,
      texts: createDatabaseTexts(connection, space, path),
      isOwn: true,
      runtime,
      onError,
      staleMs,
    });
    let closing: Promise<void> | undefined;
    async function close(): Promise<void> {
      clearTimeout(settling);
      await (await deliveries.end(storeClosed("open")))?.close();
      await (await inbox.end(storeClosed("open")))?.close();
      await (await history.end(storeClosed("open")))?.close();
      await storage.dispose();
      await thread?.close();
      await journal?.close();
      lock.release();
    }

    const audit = lazy(async () => {
      const { createAuditLog } = await import("./audit/audit-log.ts");
      const { createFileAudit } = await import("./audit/file-audit.ts");
      return createAuditLog({ store: createFileAudit(path, runtime.now, onNotice), runtime, onError });
    });
    const historyPath = join(path, historyFile);
    const history = lazy(async (): Promise<Connection<HistoryCall>> => {
      if (thread !== undefined) return createConnection({ lane: "history", thread });
      const { openHistoryDatabase } = await import("./history/database.ts");
      const opened = readOnly
        ? await (await import("./history/copy-history.ts")).openHistoryCopy(path, options)
        : openHistoryDatabase(historyPath);
      return createConnection({ lane: "history", database: opened });
    });
    const place: HistoryPlace = {
      file: historyPath,
      call: async (call) => (await history()).call(call),
      report: createReport(historyPath, onError),
      requireRoom: () => space.require("bulk", "write", historyPath),
    };
    const usage = lazy(async () => (await import("./history/usage.ts")).createHistoryUsage(place));
    const keyUses = lazy(async () => (await import("./history/key-uses.ts")).createHistoryKeyUses(place));
    const deliveries = lazy(async () => {
      refuseReadOnly();
      const { openFileQueue } = await import("./deliveries/file-queue.ts");
      const { createEndedLog } = await import("./history/ended-log.ts");
      const requireRoom = (folder: string, bytes: number): void =>
        space.require("upkeep", "write", folder, bytes);
      const ended = createEndedLog(place, onError);
      return openFileQueue(path, { ...queueOptionsOf(options), ended, onError, onNotice, requireRoom });
    });
    const inbox = lazy(async () => {
      refuseReadOnly();
      const accountOf = async (id: string) => (await collections.inboxes.get(id.slice(3)))?.account;
      const requireRoom = (folder: string, bytes: number): void =>
        space.require("bulk", "write", folder, bytes);
      const { openFileInbox } = await import("./inbox/file-inbox.ts");
      return openFileInbox(path, { runtime, onError, accountOf, requireRoom });
    });
    async function openCopy(): Promise<Database> {
      return (await import("./sqlite/copy-records.ts")).openRecordsCopy(path, options);
    }
    function refuseReadOnly(): void {
      if (readOnly) throw new StoreError("open", `${path} was opened read-only.`);
    }

    // Both would take a quarter of a server's start time.
    if (!readOnly && isServer) settling = setTimeout(settle, settleAfterMs).unref();
    function settle(): void {
      space.prepare();
      connection.move();
    }
    return {
      driver: "file",
      hadAccounts,
      ...collections,
      hold: createLocalHold(),
      counters,
      audit,
      usage,
      keyUses,
      deliveries,
      inbox,
      // A full disk does not fail the check: keys are still read and requests counted.
      async check() {
        try {
          await access(join(path, recordsFile));
        } catch (error) {
          throw toStoreError("check", path, error, uid);
        }
        if (!lock.isHeld()) {
          throw new StoreError(
            "check",
            `${path} is not the folder that was opened. Restart to use the new one.`,
          );
        }
      },
      room: space.room,
      urgently: space.urgently,
      isBehind: () => journal?.isBehind() === true,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await records?.close();
    lock.release();
    throw toStoreError("open", path, error, uid);
  }
}

/** Prepares the folder. On a full disk, an act that closes access releases the reserve file first. */
function prepare({ path, uid, urgent = false }: StoreOptions, space: Space): void {
  try {
    prepareFolder(path, uid);
  } catch (error) {
    if (!urgent || !space.release()) throw error;
    prepareFolder(path, uid);
  }
}

/** @throws StoreError if other users can write in the folder and `strictModes` is set. */
function requireModes({ path, uid, strictModes, onNotice = () => {} }: StoreOptions): void {
  if (strictModes === undefined) return;
  for (const opening of findOpenings(path, uid)) {
    if (strictModes)
      throw new StoreError("open", `${opening} storage.strictModes refuses that. ${closeFolder(path)}`);
    onNotice("warn", `${opening} ${closeFolder(path)}`);
  }
}

async function takeLock(options: StoreOptions): Promise<Lock> {
  const { path, runtime, pid, lockPatienceMs, onNotice = () => {} } = options;
  try {
    return openLock(path, { pid, now: runtime.now() });
  } catch (error) {
    if (lockPatienceMs === undefined || !(error instanceof StoreError) || error.operation !== "lock")
      throw error;
    const { waitForLock } = await import("./lock-wait.ts");
    return waitForLock(path, error, { patienceMs: lockPatienceMs, pid, runtime, onNotice });
  }
}
