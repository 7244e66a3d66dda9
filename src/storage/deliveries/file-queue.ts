import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { type StoreError, toStoreError } from "../errors.ts";
import { temporarySuffix } from "../folder.ts";
import type { EndedLog } from "../history/ended-log.ts";
import { makeSubfolder } from "../replace-file.ts";
import { createSealedLog } from "../log/sealed-log.ts";
import { createSegments, type Place } from "../log/segments.ts";
import type { StoreNotice } from "../storage.ts";
import { compact, takeSnapshot } from "./compact.ts";
import type { DeliveryQueue, QueueOptions } from "./delivery-queue.ts";
import { createFileLedger } from "./file-ledger.ts";
import { headerLine } from "./file-header.ts";
import { createLocalQueue } from "./local-queue.ts";
import { replay } from "./replay.ts";
import { createWaitingSet, type WaitingSet } from "./waiting.ts";

/** In the data folder. */
const queueFolder = "webhooks";
/** Number of segments above which small ones are compacted. */
const maxSegments = 16;
/** Approximate bytes of a delivery in the journal, without the body of its event. */
const deliveryBytes = 400;

export interface FileQueueOptions extends QueueOptions {
  /** The log of deliveries that have ended. */
  ended: EndedLog;
  /** Called with faults that no caller sees: the journal goes on without being compacted. */
  onError: (error: StoreError) => void;
  onNotice?: StoreNotice;
  /** @throws StoreError if the disk has no room for so many bytes of deliveries. */
  requireRoom?: (folder: string, bytes: number) => void;
  /** Size in bytes at which the next segment begins; 16 MB by default. */
  segmentBytes?: number;
}

/**
 * Opens the queue in `webhooks` of the data folder, whose lock this process must hold. The files `queue-….log`, in the
 * order of their numbers, are the journal of waiting deliveries: bodies stay there and are read when they are claimed.
 * @throws StoreError
 */
export async function openFileQueue(data: string, options: FileQueueOptions): Promise<DeliveryQueue> {
  const { runtime, ended, onError, onNotice = () => {}, segmentBytes = 16 * 1024 * 1024 } = options;
  const folder = join(data, queueFolder);
  const segments = createSegments(folder, { prefix: "queue-", keepsOpen: true });
  const set = createWaitingSet<Place, Place>(options);
  /** Bytes of each full segment. */
  const sizes = new Map<number, number>();
  let compacting: Promise<void> | undefined;

  try {
    await makeSubfolder(folder);
    for (const name of await readdir(folder))
      if (name.endsWith(temporarySuffix)) await rm(join(folder, name), { force: true });
    for (const segment of await segments.list()) {
      const path = segments.path(segment);
      const { size, damaged } = await replay(path, segment, set);
      sizes.set(segment, size);
      if (damaged > 0) onNotice("warn", toNotice(path, damaged));
    }
  } catch (error) {
    throw toStoreError("open", folder, error);
  }
  const last = Math.max(0, ...sizes.keys());
  const openedAt = runtime.now();
  set.observe(openedAt);

  /** Leaves out one number, for the segment that replaces the old ones. */
  function toNext(full: number): number {
    if (compacting === undefined && isWorthwhile(sizes, set, segmentBytes))
      compacting = makeOne(full + 1).finally(() => (compacting = undefined));
    return full + 2;
  }

  async function makeOne(target: number): Promise<void> {
    const at = runtime.now();
    const snapshot = takeSnapshot(set, at);
    const shifts = set.shifts();
    const readLog = (log: readonly Place[]) => ledger.readLog({ id: "", log });
    try {
      const isValid = () => set.shifts() === shifts;
      await compact(snapshot, { segments, set, readLog, target, at, isValid });
      const old = (await segments.list()).filter((segment) => segment < target);
      await segments.remove(old);
      for (const segment of old) sizes.delete(segment);
      sizes.set(target, (await stat(segments.path(target))).size);
    } catch (error) {
      onError(toStoreError("compact", folder, error));
    }
  }

  const journal = createSealedLog({
    folder,
    segments,
    from: toNext(last),
    header: () => headerLine,
    isFull: ({ size }) => size >= segmentBytes,
    next({ segment, size }) {
      sizes.set(segment, size);
      return toNext(segment);
    },
    writeFirst: ended.append,
    requireRoom: options.requireRoom,
  });

  const ledger = createFileLedger({
    folder,
    journal,
    segments,
    ended,
    openedAt,
    async close() {
      await journal.close();
      await compacting;
      await segments.close();
    },
  });

  return createLocalQueue({ ...options, set, ledger });
}

/** Reports whether half of the journal is about ended deliveries, or it has many small segments. */
function isWorthwhile(
  sizes: ReadonlyMap<number, number>,
  set: WaitingSet<Place, Place>,
  segmentBytes: number,
): boolean {
  const total = sizes.values().reduce((sum, size) => sum + size, 0);
  if (sizes.size >= maxSegments && total < (sizes.size * segmentBytes) / 4) return true;
  if (total <= segmentBytes) return false;
  let kept = 0;
  for (const { event } of set.all()) kept += deliveryBytes + event.body.length / event.left;
  return total > 2 * kept + segmentBytes;
}

const toNotice = (path: string, damaged: number): string =>
  `${counted(damaged, "line")} of ${path} ${damaged === 1 ? "was" : "were"} incomplete and skipped. A crash leaves one at the end; if there are more, check the disk.`;
