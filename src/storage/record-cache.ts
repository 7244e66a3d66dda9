import { ToolError } from "../catalog/errors.ts";
import type { Runtime } from "../runtime.ts";

/** Caches records for the path of every request. */
export interface RecordCache<T> {
  /** Returns a fresh record at once; otherwise reads it, once for all concurrent callers. */
  lookup(id: string): T | undefined | Promise<T | undefined>;
  /** Returns the cached record, however old. */
  remembered(id: string): T | undefined;
  /** When the answer of `lookup` was read; -Infinity if nothing is cached. */
  readAt(id: string): number;
  /** Reads a record although it is cached, and never returns an old one. */
  renew(id: string): Promise<T | undefined>;
  /** Replaces the cached record until `put`, whatever the store holds. */
  overrule(id: string, value: T): void;
  overruled(): number;
  /** Caches a record that this process has written: every later look-up returns it. */
  put(id: string, value: T | undefined): void;
  /** Drops a record whose stored state this process does not know. */
  forget(id: string): void;
}

interface Entry<T> {
  value: T;
  /** When the store last returned this value. */
  readAt: number;
  /** When the store was last read for it, successfully or not. */
  triedAt: number;
}

/** Milliseconds for which cached records are used while the store is down. */
export const defaultStaleMs = 900_000;
/** Longest time for which a change made elsewhere is not seen. */
export const freshMs = 500;
const sharedCapacity = 50_000;
/** A record is read again only if it was evicted: room for those of a hundred thousand keys in use. */
const ownCapacity = 131_072;
// Unknown ids have a cache of their own, so that invented keys cannot evict real ones.
const unknownCapacity = 10_000;
// Every well-formed invented id costs a read; more concurrent reads would starve the threads that read files.
const maxReads = 256;

export function createRecordCache<T>(options: {
  /** Reads a record; `isNew` is true if none is cached that could be used if the store does not answer in time. */
  read: (id: string, isNew: boolean) => Promise<T | undefined>;
  /** Whether only this process changes the records: what is cached is then never read again. */
  isOwn?: boolean;
  runtime: Runtime;
  staleMs: number;
}): RecordCache<T> {
  const { read, isOwn = false, runtime, staleMs } = options;
  const knownCapacity = isOwn ? ownCapacity : sharedCapacity;
  const known = new Map<string, Entry<T>>();
  const unknown = new Map<string, number>();
  const reads = new Map<string, Promise<T | undefined>>();
  const overrules = new Map<string, T>();

  function remember(id: string, value: T | undefined, readAt: number): void {
    if (value === undefined) {
      known.delete(id);
      keep(unknown, id, readAt, unknownCapacity);
    } else {
      unknown.delete(id);
      keep(known, id, { value, readAt, triedAt: readAt }, knownCapacity);
    }
  }

  /** If the clock was set back, everything counts as old, rather than fresh for ever. */
  const isFresh = (since: number, time: number): boolean =>
    isOwn || (time >= since && time - since < freshMs);

  function lookup(id: string): T | undefined | Promise<T | undefined> {
    const pinned = overrules.get(id);
    if (pinned !== undefined) return pinned;
    const time = runtime.monotonic();
    const entry = known.get(id);
    if (entry !== undefined && isFresh(entry.triedAt, time)) return entry.value;
    const missedAt = unknown.get(id);
    if (missedAt !== undefined && isFresh(missedAt, time)) return undefined;
    return reads.get(id) ?? start(id, time);
  }

  function start(id: string, time: number): Promise<T | undefined> {
    if (reads.size >= maxReads) {
      throw new ToolError("overloaded", "Too many keys are being looked up. Try again in a second.", {
        retryAfter: 1,
      });
    }
    const reading = readOne(id, time, () => reads.get(id) === reading);
    reads.set(id, reading);
    return reading;
  }

  async function readOne(id: string, time: number, current: () => boolean): Promise<T | undefined> {
    try {
      const value = await read(id, !known.has(id));
      // A read that began before a write of this process must not restore the old record.
      if (!current()) return await lookup(id);
      remember(id, value, time);
      return value;
    } catch (error) {
      const entry = known.get(id);
      if (entry === undefined || runtime.monotonic() - entry.readAt > staleMs) throw error;
      entry.triedAt = time;
      return entry.value;
    } finally {
      if (current()) reads.delete(id);
    }
  }

  /** Not shared with a read under way, which may have begun before what its caller has seen. */
  async function renew(id: string): Promise<T | undefined> {
    const pinned = overrules.get(id);
    if (pinned !== undefined) return pinned;
    const time = runtime.monotonic();
    const value = await read(id, !known.has(id));
    remember(id, value, time);
    return value;
  }

  return {
    lookup,
    renew,
    readAt: (id) => known.get(id)?.readAt ?? unknown.get(id) ?? -Infinity,
    remembered: (id) => overrules.get(id) ?? known.get(id)?.value,
    overrule: (id, value) => void overrules.set(id, value),
    overruled: () => overrules.size,
    put(id, value) {
      overrules.delete(id);
      reads.delete(id);
      remember(id, value, runtime.monotonic());
    },
    forget(id) {
      reads.delete(id);
      known.delete(id);
      unknown.delete(id);
    },
  };
}

function keep<V>(map: Map<string, V>, id: string, value: V, capacity: number): void {
  map.delete(id);
  if (map.size >= capacity) map.delete(map.keys().next().value as string);
  map.set(id, value);
}
