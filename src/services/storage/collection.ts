import type { Storage } from "unstorage";
import { ToolError } from "../../catalog/errors.ts";
import { StoreError, toStoreError } from "./errors.ts";
import type { StoreOperation } from "./errors.ts";
import { createRecordCache } from "./record-cache.ts";
import type { Collection } from "./storage.ts";

export interface CollectionOptions<T> {
  storage: Storage;
  /** The first segment of every key: `accounts` or `keys`. */
  base: string;
  /** The record in what was read, undefined where there is none. */
  parse: (raw: unknown) => T | undefined;
  /** The id under which a record must lie. */
  idOf: (record: T) => string;
  now: () => number;
  staleMs: number;
  onError: (error: StoreError) => void;
}

const readsAtOnce = 64;

/**
 * Records over unstorage, with what it lacks: it parses strings into other types, gives truncated JSON back as
 * a string, cuts keys at `?` and folds `/` and `::`. So ids have one strict shape, only objects are kept, and
 * each is checked when it is read.
 */
export function createCollection<T>(options: CollectionOptions<T>): Collection<T> {
  const { storage, base, idOf, now, staleMs, onError } = options;
  const cache = createRecordCache<T>({ read: get, now, staleMs });

  async function get(id: string): Promise<T | undefined> {
    const raw = await readRaw(id);
    if (raw === null || raw === undefined) return undefined;
    const record = parse(id, raw);
    if (record === undefined) throw unavailable(damaged(id));
    return record;
  }

  function readRaw(id: string): Promise<unknown> {
    const key = keyOf(id);
    return attempt("read", () => storage.getItem(key));
  }

  function parse(id: string, raw: unknown): T | undefined {
    const record = options.parse(raw);
    return record !== undefined && idOf(record) === id ? Object.freeze(record) : undefined;
  }

  function damaged(id: string): StoreError {
    return new StoreError(
      "read",
      `The record ${base}/${id} is damaged or of another release. Restore it from a backup, or remove it.`,
    );
  }

  async function ids(): Promise<string[]> {
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

  /** The operator is told everything, the caller only that it did not work. */
  function unavailable(error: StoreError): ToolError {
    onError(error);
    const refusal = new ToolError("storage_unavailable", "The store cannot be used now. Try again later.", {
      retryAfter: 5,
    });
    // For the operator's own command, which shows it; a surface for callers shows the message alone.
    refusal.cause = error;
    return refusal;
  }

  function keyOf(id: string): string {
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id)) throw new TypeError("not the id of a record");
    return `${base}:${id}`;
  }

  return {
    get,
    lookup: cache.lookup,
    remembered: cache.remembered,
    async set(id, value) {
      const whole = options.parse(value);
      if (whole === undefined) throw new TypeError(`not a record of ${base}`);
      if (idOf(whole) !== id) throw new TypeError("the record belongs under another id");
      const record = Object.freeze(whole);
      // Until the write is known to have happened, nobody may trust what was remembered.
      cache.forget(id);
      await attempt("write", () => storage.setItem(keyOf(id), record as object));
      cache.put(id, record);
    },
    async remove(id) {
      cache.forget(id);
      await attempt("write", () => storage.removeItem(keyOf(id)));
      cache.put(id, undefined);
    },
    ids,
    async all() {
      const records: T[] = [];
      const found = await ids();
      for (let i = 0; i < found.length; i += readsAtOnce) {
        const some = found.slice(i, i + readsAtOnce);
        const raws = await Promise.all(some.map(readRaw));
        for (const [index, id] of some.entries()) {
          const raw = raws[index];
          // Removed since it was listed.
          if (raw === null || raw === undefined) continue;
          const record = parse(id, raw);
          if (record === undefined) onError(damaged(id));
          else records.push(record);
        }
      }
      return records;
    },
  };
}
