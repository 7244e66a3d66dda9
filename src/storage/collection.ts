import type { Storage } from "unstorage";
import type { ToolError } from "../catalog/errors.ts";
import { createKeyedMutex } from "../lib/keyed-mutex.ts";
import { lazy } from "../lib/lazy.ts";
import { StoreError, toStoreError } from "./errors.ts";
import type { StoreOperation } from "./errors.ts";
import { busy, type Lease, leaseLost } from "./lease.ts";
import { createRecordCache } from "./record-cache.ts";
import { isId, type Place, placesOf, type RecordKind } from "./record-kinds.ts";
import type { Collection } from "./storage.ts";
import type { Stored, Texts } from "./texts.ts";
import { toUnavailable } from "./unavailable.ts";
import type { Runtime } from "../runtime.ts";

export interface CollectionOptions<T> {
  kind: RecordKind<T>;
  storage: Storage;
  /** The same records, for every write, and the lists of them. */
  texts: Texts;
  /** The same records, read with a shorter wait: for the path of a request. */
  quick?: Storage;
  /** Whether nobody else can change the store, so that a cached record is never old. */
  isOwn?: boolean;
  runtime: Runtime;
  staleMs: number;
  onError: (error: StoreError) => void;
}

/** Attempts to replace a record that others change all the time, and the longest pause between two of them. */
const attempts = 50;
const pauseMs = 20;

/**
 * Records over unstorage. It works around unstorage, which parses strings into other types, returns truncated JSON as a
 * string, cuts keys at `?` and folds `/` and `::`: ids have one strict shape, only objects are kept, and each is
 * validated when it is read.
 */
export function createCollection<T>(options: CollectionOptions<T>): Collection<T> {
  const { kind, storage, texts, quick = storage, isOwn = false, runtime, staleMs, onError } = options;
  const { base, idOf, markOf, keep } = kind;
  const inTurn = createKeyedMutex();
  const cache = createRecordCache<T>({ read: (id) => read(id, quick), isOwn, runtime, staleMs });
  // Neither a start nor a request with a key lists anything.
  const lists = lazy(async () => {
    const { createRecordLists } = await import("./record-lists.ts");
    return createRecordLists<T>({ kind, texts, attempt, readRaw, parse, damagedRecord, onError });
  });

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
    const record = kind.parse(raw);
    return record !== undefined && idOf(record) === id ? Object.freeze(record) : undefined;
  }

  function damagedRecord(id: string): StoreError {
    return new StoreError(
      "read",
      `The record ${base}/${id} is damaged or of another release. Restore it from a backup, or remove it.`,
    );
  }

  async function attempt<R>(operation: StoreOperation, work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw unavailable(toStoreError(operation, base, error));
    }
  }

  /** Reports the fault to the operator in full; the caller only learns that the operation failed. */
  function unavailable(error: StoreError): ToolError {
    onError(error);
    return toUnavailable(error);
  }

  function keyOf(id: string): string {
    if (!isId(id)) throw new TypeError("not the id of a record");
    return `${base}:${id}`;
  }

  function wholeOf(id: string, value: T): T {
    const whole = kind.parse(value);
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
      const enter = record === undefined ? [] : placesOf(kind, id, record);
      const leave = found.text === null ? [] : without(placesOf(kind, id, found.value), enter);
      cache.forget(id);
      const swapped = await attempt("write", () =>
        texts.swap(key, { before: found.text, after, lease, mark, enter, leave }),
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
        // A record that cannot be read is removed nevertheless; what lists it elsewhere is struck by the next listing.
        const found = await texts.read(key).catch(() => undefined);
        const leave = placesOf(kind, id, found?.value);
        const swapped = await attempt("write", () =>
          texts.swap(key, { before: undefined, after: null, lease, leave }),
        );
        if (swapped === "late" && lease !== undefined) throw leaseLost(lease);
        cache.put(id, undefined);
      }),
    async take(id) {
      const taken = await replace(id, ({ text }) =>
        text === null ? undefined : { value: undefined, result: true },
      );
      if (taken === undefined) cache.put(id, undefined);
      return taken === true;
    },
    of: async (owner) => (await lists()).of(owner),
    page: async (after, limit) => (await lists()).page(after, limit),
    idsAfter: async (after, limit) => (await lists()).idsAfter(after, limit),
    count: async (owner) => (await lists()).count(owner),
    async *ending(range) {
      yield* (await lists()).ending(range);
    },
    ids: async () => (await lists()).ids(),
    all: async () => (await lists()).all(),
  };
}

const without = (places: readonly Place[], others: readonly Place[]): Place[] =>
  places.filter(({ list, entry }) => !others.some((other) => other.list === list && other.entry === entry));
