import { ToolError } from "../../catalog/errors.ts";
import { reasonOf } from "../../storage/unavailable.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Collection, Store } from "../../storage/storage.ts";
import { createAuditPart } from "./audit-part.ts";
import { isLasting, type KindName, type Values } from "./kinds.ts";
import { createUsagePart } from "./usage-part.ts";
import type { Runtime } from "../../runtime.ts";

/** One kind of data in a store or a backup. */
export type Entry<T> = { id: string; value: T } | { id: string; damaged: string };

/** Everything of one kind to copy. */
export interface Source<T = unknown> {
  /** Sorted by id (code units), without duplicates. */
  entries(): AsyncIterable<Entry<T>>;
}

export interface Change<T> {
  id: string;
  value: T;
  /** The current value, if it is readable. */
  found?: T;
}

/** Everything of one kind in a store. */
export interface Part<T = unknown> extends Source<T> {
  /** Entries created after `entries` was listed, so that no changed record refers to a missing one. */
  late?(): AsyncIterable<Entry<T>>;
  /** Writes in the given order, or concurrently if the order does not matter. */
  write(changes: readonly Change<T>[]): Promise<void>;
  /** Removes an entry of the target that conflicts with a copy. Without it the entry stays. */
  remove?(id: string): Promise<void>;
  /** Whether the target may have a different value for an id of the source; `keep` cannot be overridden. */
  readonly conflicts: "force" | "overwrite" | "keep";
}

export type Parts = { readonly [Name in KindName]: Part<Values[Name]> };

export interface PartsOptions {
  store: Store;
  runtime: Runtime;
}

/** The complete list of what a store holds. Reading and writing throw ToolError or StoreError. */
export const createParts = ({ store, runtime }: PartsOptions): Parts => ({
  key: createRecordPart(store.keys, ({ rotatedTo }) => rotatedTo?.slice("key_".length)),
  endpoint: createRecordPart(store.endpoints, () => undefined),
  inbox: createRecordPart(store.inboxes, () => undefined),
  account: createRecordPart(store.accounts, () => undefined),
  window: createWindowPart(store, runtime.now),
  usage: createUsagePart({ store, runtime }),
  use: createUsePart(store),
  audit: createAuditPart(store),
});

const readsAtOnce = 64;

/** `next` returns the id of the record that this one refers to. */
function createRecordPart<T extends { v: 1 }>(
  collection: Collection<T>,
  next: (record: T) => string | undefined,
): Part<T> {
  let listed: ReadonlySet<string> = new Set();
  let wanted = new Set<string>();

  async function* read(ids: readonly string[]): AsyncIterable<Entry<T>> {
    for (let at = 0; at < ids.length; at += readsAtOnce) {
      const found = await Promise.all(ids.slice(at, at + readsAtOnce).map(readOne));
      for (const entry of found) {
        // Removed since it was listed.
        if (entry === undefined) continue;
        const follower = "value" in entry ? next(entry.value) : undefined;
        if (follower !== undefined && !listed.has(follower)) wanted.add(follower);
        yield entry;
      }
    }
  }

  async function readOne(id: string): Promise<Entry<T> | undefined> {
    try {
      const value = await collection.get(id);
      return value === undefined ? undefined : { id, value };
    } catch (error) {
      // Damage concerns one record; if the store itself does not answer, nothing is known about any.
      if (
        error instanceof ToolError &&
        error.cause instanceof StoreError &&
        error.cause.cause === undefined
      ) {
        return { id, damaged: reasonOf(error) };
      }
      throw error;
    }
  }

  return {
    conflicts: "force",
    async *entries() {
      const ids = await collection.ids();
      listed = new Set(ids);
      wanted = new Set();
      yield* read(ids);
    },
    async *late() {
      for (let more = await collection.ids(); ; more = []) {
        const ids = new Set([...more, ...wanted]).difference(listed);
        if (ids.size === 0) return;
        listed = listed.union(ids);
        wanted = new Set();
        yield* read([...ids].toSorted());
      }
    },
    async write(changes) {
      await Promise.all(changes.map(({ id, value }) => collection.set(id, value)));
    },
    remove: (id) => collection.remove(id),
  };
}

function createWindowPart({ counters }: Store, now: () => number): Part<Values["window"]> {
  return {
    conflicts: "overwrite",
    async *entries() {
      const found = new Map<string, Values["window"]>();
      // Redis may list an id twice.
      for await (const [id, count] of counters.windows()) {
        if (count.used > 0 && isLasting(count, now()) && !id.startsWith("session:")) {
          found.set(id, { id, ...count });
        }
      }
      for (const id of [...found.keys()].toSorted()) yield { id, value: found.get(id) as Values["window"] };
    },
    async write(changes) {
      await Promise.all(changes.map(({ id, value }) => counters.put(id, value)));
    },
  };
}

function createUsePart({ keyUses }: Store): Part<Values["use"]> {
  return {
    conflicts: "overwrite",
    async *entries() {
      const { last } = await (await keyUses()).read();
      // Sessions are not copied.
      const keys = [...last].filter(([id]) => id.startsWith("key_"));
      for (const [id, at] of keys.toSorted(([a], [b]) => (a < b ? -1 : 1))) yield { id, value: { id, at } };
    },
    async write(changes) {
      await (await keyUses()).put(new Map(changes.map(({ id, value }) => [id, value.at])));
    },
  };
}
