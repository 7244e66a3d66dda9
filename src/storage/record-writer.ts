import { createKeyedMutex } from "../lib/keyed-mutex.ts";
import { busy, type Lease, leaseLost } from "./lease.ts";
import type { RecordCache } from "./record-cache.ts";
import { type Place, placesOf, type RecordKind } from "./record-kinds.ts";
import type { RecordReader } from "./record-reader.ts";
import type { Collection } from "./storage.ts";
import type { Stored, Texts } from "./texts.ts";

/** Attempts to replace a record that others change all the time, and the longest pause between two of them. */
const attempts = 50;
const pauseMs = 20;

/** The writes of a collection: one after the other for each record, and each replaces the text that it has read. */
export function createRecordWriter<T>(options: {
  kind: RecordKind<T>;
  texts: Texts;
  cache: RecordCache<T>;
  reader: RecordReader<T>;
}): Pick<Collection<T>, "set" | "add" | "change" | "remove" | "take"> {
  const { kind, texts, cache, reader } = options;
  const { base, idOf, markOf, keep } = kind;
  const { keyOf, parse, attempt, damagedRecord, unavailable } = reader;
  const inTurn = createKeyedMutex();

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
  };
}

const without = (places: readonly Place[], others: readonly Place[]): Place[] =>
  places.filter(({ list, entry }) => !others.some((other) => other.list === list && other.entry === entry));
