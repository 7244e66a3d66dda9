import { StoreError } from "../errors.ts";
import { temporarySuffix } from "../folder.ts";
import { replaceFile } from "../replace-file.ts";
import type { Attempt, Health, Once } from "./delivery-queue.ts";
import type { JournalEntry } from "./journal-entries.ts";
import { toSealedJson } from "../log/sealed-line.ts";
import type { Place, Segments } from "../log/segments.ts";
import { headerLine } from "./file-header.ts";
import type { Waiting, WaitingSet } from "./waiting.ts";

type Item = Waiting<Place, Place>;

/** The deliveries to keep, as of the moment the last of the old segments was full. */
export interface Snapshot {
  /** Later segments, which are read after this one, record what happens to these while they are written. */
  items: readonly Item[];
  endpoints: readonly (Health & { name: string; heldUntil: number; lastFailureAt: number })[];
  once: readonly Once[];
}

export const takeSnapshot = (set: WaitingSet<Place, Place>, at: number): Snapshot => ({
  items: [...set.all()],
  endpoints: [...set.troubled()].map(({ name, failures, failingSince, heldUntil, lastFailureAt }) => ({
    name,
    failures,
    ...(failingSince !== undefined && { failingSince }),
    heldUntil,
    lastFailureAt,
  })),
  once: [...set.once()].filter(({ until }) => until > at),
});

export interface CompactOptions {
  segments: Segments;
  set: WaitingSet<Place, Place>;
  readLog(log: readonly Place[]): Promise<readonly Attempt[]>;
  /** The segment to make; it replaces all segments with lower numbers. */
  target: number;
  at: number;
  /** Called before the new segment replaces the old ones. */
  isValid(): boolean;
}

const chunkBytes = 1024 * 1024;

/**
 * Writes what waits into one new segment and reads it from there afterwards. The old segments may then be removed: a
 * crash at any point leaves the old ones, or the new one beside the last of them, and both replay to the same state.
 */
export async function compact(snapshot: Snapshot, options: CompactOptions): Promise<void> {
  const { segments, set, readLog, target, at, isValid } = options;
  const path = segments.path(target);
  const bodies: Place[] = [];
  const kept: Place[] = [];
  const items: Item[] = [];
  let offset = 0;
  let chunk: Buffer[] = [];
  let chunked = 0;

  await replaceFile(path, path + temporarySuffix, content());
  for (const [index, item] of items.entries()) {
    const later = item.log.filter(({ segment }) => segment > target);
    if (later.length < item.log.length) item.log = [kept[index] as Place, ...later];
    if (item.event.body.segment < target) item.event.body = bodies[index] as Place;
  }

  async function* content(): AsyncIterable<Buffer> {
    put(Buffer.from(headerLine));
    for (const { name: endpoint, heldUntil, ...health } of snapshot.endpoints) {
      if (health.failures > 0) putEntry({ at, act: "health", endpoint, ...health });
      if (heldUntil > at)
        putEntry({ at, act: "hold", endpoint, until: heldUntil === Infinity ? null : heldUntil });
    }
    for (const once of snapshot.once) putEntry({ at, act: "once", ...once });
    let last: { event: Item["event"]; body: Place } | undefined;
    for (const item of snapshot.items) {
      if (set.get(item.id) !== item) continue;
      const { event, log } = item;
      const attempts = await readLog(log.filter(({ segment }) => segment < target));
      if (last?.event !== event) {
        const line = await segments.read(event.body);
        if (line === undefined)
          throw new StoreError(
            "compact",
            `${segments.path(event.body.segment)} is damaged at byte ${event.body.offset}: the event ${event.id} cannot be read. Its deliveries fail when they are due; do not redeliver them.`,
          );
        last = { event, body: put(line) };
      }
      items.push(item);
      bodies.push(last.body);
      kept.push(putEntry(toKeep(item, attempts)));
      if (chunked >= chunkBytes) yield takeChunk();
    }
    yield takeChunk();
    // The times in the snapshot are of two different clocks.
    if (!isValid())
      throw new StoreError("compact", "The clock was set back meanwhile; the journal is compacted later.");
  }

  function put(line: Buffer): Place {
    const place = { segment: target, offset, length: line.length };
    chunk.push(line);
    chunked += line.length;
    offset += line.length;
    return place;
  }

  function putEntry(entry: JournalEntry): Place {
    return put(toSealedJson(entry));
  }

  function takeChunk(): Buffer {
    const bytes = Buffer.concat(chunk);
    chunk = [];
    chunked = 0;
    return bytes;
  }

  function toKeep(item: Item, log: readonly Attempt[]): JournalEntry {
    const { id, type, account } = item.event;
    const { attempts, createdAt, since, nextAt } = item;
    const delivery = { id: item.id, endpoint: item.receiver.name, attempts, createdAt, since, nextAt };
    return { at, act: "keep", event: { id, type, account }, delivery, log };
  }
}
