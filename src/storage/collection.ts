import type { Storage } from "unstorage";
import { ToolError } from "../catalog/errors.ts";
import { createKeyedMutex } from "../lib/keyed-mutex.ts";
import { StoreError, toStoreError } from "./errors.ts";
import type { StoreOperation } from "./errors.ts";
import { busy, type Lease, leaseLost } from "./lease.ts";
import { createRecordCache } from "./record-cache.ts";
import type { Collection, Listing } from "./storage.ts";
import type { Stored, Texts } from "./texts.ts";
import { toUnavailable } from "./unavailable.ts";
import type { Runtime } from "../runtime.ts";

export interface CollectionOptions<T> {
  storage: Storage;
  /** The same records, for every write. */
  texts: Texts;
  /** The same records, read with a shorter wait: for the path of a request. */
  quick?: Storage;
  /** Set if other processes share the store: removes a key in one step and reports whether it was there. */
  discard?: (key: string) => Promise<boolean>;
  /** The first segment of every key: `accounts` or `keys`. */
  base: string;
  /** Returns undefined for a value that is not a record. */
  parse: (raw: unknown) => T | undefined;
  /** Returns the id under which the record must be stored. */
  idOf: (record: T) => string;
  /** Returns what a replacement of this record must keep: that a key was revoked. */
  markOf?: (record: T) => string | undefined;
  /** Returns the replacement of a record that is written without regard to it, with what must never go back. */
  keep?: (found: T, value: T) => T;
  runtime: Runtime;
  staleMs: number;
  onError: (error: StoreError) => void;
}

const readsAtOnce = 64;
/** Attempts to replace a record that others change all the time, and the longest pause between two of them. */
const attempts = 50;
const pauseMs = 20;

/**
 * Records over unstorage. It works around unstorage, which parses strings into other types, returns truncated JSON as a
 * string, cuts keys at `?` and folds `/` and `::`: ids have one strict shape, only objects are kept, and each is
 * validated when it is read.
 */
export function createCollection<T>(options: CollectionOptions<T>): Collection<T> {
  const { storage, texts, quick = storage, base, idOf, runtime, staleMs, onError, markOf, keep } = options;
  const taking = new Set<string>();
  const inTurn = createKeyedMutex();
  const cache = createRecordCache<T>({ read: (id) => read(id, quick), runtime, staleMs });

  async function read(id: string, from: Storage): Promise<T | undefined> {
    const raw = await readRaw(id, from);
    if (raw === null || raw === undefined) return undefined;
    const record = parse(id, raw);
    if (record === undefined) throw unavailable(damagedRecord(id));
    return record;
  }

  function readRaw(id: string, from = storage): Promise<unknown> {
    const key = keyOf(id);
    return attempt("read", () => from.getItem(key));
  }

  function parse(id: string, raw: unknown): T | undefined {
    const record = options.parse(raw);
    return record !== undefined && idOf(record) === id ? Object.freeze(record) : undefined;
  }

  function damagedRecord(id: string): StoreError {
    return new StoreError(
      "read",
      `The record ${base}/${id} is damaged or of another release. Restore it from a backup, or remove it.`,
    );
  }

  function notARecord(name: string): StoreError {
    return new StoreError(
      "read",
      `${base}/${name} is not the name of a record. Move it elsewhere, or remove it.`,
    );
  }

  /** Skips names that are not ids, such as a copy that somebody made by hand. */
  async function names(): Promise<string[]> {
    const keys = await attempt("read", () => storage.getKeys(base));
    return keys.map((key) => key.slice(base.length + 1)).toSorted();
  }

  async function attempt<R>(operation: StoreOperation, work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw unavailable(toStoreError(operation, base, error));
    }
  }

  async function readAll(all: readonly string[]): Promise<Listing<T>> {
    const records: T[] = [];
    const damaged: string[] = [];
    for (let i = 0; i < all.length; i += readsAtOnce) {
      const some = all.slice(i, i + readsAtOnce);
      const raws = await Promise.allSettled(some.map((id) => readRaw(id)));
      // If none can be read, the store is at fault and not the records.
      if (raws.every(isRejected)) throw raws[0]?.reason;
      for (const [index, id] of some.entries()) {
        const raw = raws[index] as PromiseSettledResult<unknown>;
        if (isRejected(raw)) {
          damaged.push(reasonIn(raw.reason));
          continue;
        }
        // Removed after it was listed.
        if (raw.value === null || raw.value === undefined) continue;
        const record = parse(id, raw.value);
        if (record !== undefined) records.push(record);
        else {
          const error = damagedRecord(id);
          onError(error);
          damaged.push(error.reason);
        }
      }
    }
    return { records, damaged };
  }

  /** Reports the fault to the operator in full; the caller only learns that the operation failed. */
  function unavailable(error: StoreError): ToolError {
    onError(error);
    return toUnavailable(error);
  }

  /** Only this process writes: concurrent takers get false. */
  async function takeAlone(id: string): Promise<boolean> {
    if (taking.has(id)) return false;
    taking.add(id);
    try {
      if (!(await storage.hasItem(keyOf(id)))) return false;
      await storage.removeItem(keyOf(id));
      return true;
    } finally {
      taking.delete(id);
    }
  }

  function keyOf(id: string): string {
    if (!isId(id)) throw new TypeError("not the id of a record");
    return `${base}:${id}`;
  }

  function wholeOf(id: string, value: T): T {
    const whole = options.parse(value);
    if (whole === undefined) throw new TypeError(`not a record of ${base}`);
    if (idOf(whole) !== id) throw new TypeError("the record belongs under another id");
    return Object.freeze(whole);
  }

  /**
   * Replaces a record by what `alter` makes of it, if nobody else replaces it meanwhile; otherwise tries again. The cached
   * record must not be used until the write is known to have succeeded.
   */
  async function replace<R>(
    id: string,
    alter: (found: Stored) => { value: T | undefined; result: R } | undefined,
    lease?: Lease,
  ): Promise<R | undefined> {
    const key = keyOf(id);
    for (let attemptsLeft = attempts; attemptsLeft > 0; attemptsLeft--) {
      const found = await attempt("read", () => texts.read(key));
      const altered = alter(found);
      if (altered === undefined) return undefined;
      const record = altered.value && wholeOf(id, altered.value);
      const after = record === undefined ? null : JSON.stringify(record);
      const mark = record && markOf?.(record);
      cache.forget(id);
      const swapped = await attempt("write", () =>
        texts.swap(key, { before: found.text, after, lease, mark }),
      );
      if (swapped === "done") {
        cache.put(id, record);
        return altered.result;
      }
      if (swapped === "late" && lease !== undefined) throw leaseLost(lease);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs));
    }
    throw busy(`${base}/${id}`);
  }

  return {
    get: (id) => read(id, storage),
    lookup: cache.lookup,
    renew: cache.renew,
    readAt: cache.readAt,
    overrule: cache.overrule,
    overruled: cache.overruled,
    remembered: cache.remembered,
    async set(id, value) {
      const record = wholeOf(id, value);
      await inTurn(id, () =>
        replace(id, ({ value: raw }) => {
          const found = raw === undefined ? undefined : parse(id, raw);
          return { value: found && keep ? keep(found, record) : record, result: undefined };
        }),
      );
    },
    add: (id, value, lease) => {
      const record = wholeOf(id, value);
      return inTurn(id, async () => {
        const added = await replace(
          id,
          ({ text }) => (text === null ? { value: record, result: true } : undefined),
          lease,
        );
        return added === true;
      });
    },
    change: (id, alter, lease) =>
      inTurn(id, () =>
        replace(
          id,
          ({ value: raw }) => {
            if (raw === undefined) return undefined;
            const before = parse(id, raw);
            if (before === undefined) throw unavailable(damagedRecord(id));
            const value = alter(before);
            return value && { value, result: { before, after: value } };
          },
          lease,
        ),
      ),
    remove: (id, lease) =>
      inTurn(id, async () => {
        const key = keyOf(id);
        cache.forget(id);
        const swapped = await attempt("write", () =>
          texts.swap(key, { before: undefined, after: null, lease }),
        );
        if (swapped === "late" && lease !== undefined) throw leaseLost(lease);
        cache.put(id, undefined);
      }),
    async take(id) {
      const key = keyOf(id);
      cache.forget(id);
      const found = await attempt("write", () => options.discard?.(key) ?? takeAlone(id));
      cache.put(id, undefined);
      return found;
    },
    ids: async () => (await names()).filter(isId),
    async all() {
      const found = Map.groupBy(await names(), isId);
      const foreign = (found.get(false) ?? []).map(notARecord);
      const listing = await readAll(found.get(true) ?? []);
      for (const error of foreign) onError(error);
      return { ...listing, damaged: [...listing.damaged, ...foreign.map(({ reason }) => reason)] };
    },
  };
}

/** The one shape of an id: valid unchanged as a file name, in a Redis key and in unstorage. */
const isId = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);

const isRejected = (result: PromiseSettledResult<unknown>): result is PromiseRejectedResult =>
  result.status === "rejected";

/** @throws any error that is not a fault of the store. */
function reasonIn(error: unknown): string {
  if (error instanceof ToolError && error.cause instanceof StoreError) return error.cause.reason;
  throw error;
}
