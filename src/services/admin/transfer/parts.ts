import { ToolError } from "../../../catalog/errors.ts";
import { reasonOf } from "../protocol.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Collection, Store } from "../../storage/storage.ts";
import { createAuditPart } from "./audit-part.ts";
import { isLasting, type KindName, type Values } from "./kinds.ts";
import { createUsagePart } from "./usage-part.ts";

/** One thing that a store or a backup holds. */
export type Entry<T> = { id: string; value: T } | { id: string; damaged: string };

/** Everything of one kind that there is to copy. */
export interface Source<T = unknown> {
  /** By ascending id (code units), each once. */
  entries(): AsyncIterable<Entry<T>>;
}

export interface Change<T> {
  id: string;
  value: T;
  /** What is there now, where it is whole. */
  found?: T;
}

/** Everything of one kind in a store. */
export interface Part<T = unknown> extends Source<T> {
  /** What came to be after `entries` was listed; with it a record that was changed leads to no record that is missing. */
  late?(): AsyncIterable<Entry<T>>;
  /** In the given order, or at once where it does not matter. */
  write(changes: readonly Change<T>[]): Promise<void>;
  /** Where something of the target's own stands against a copy: takes it away. Without it, it stays. */
  remove?(id: string): Promise<void>;
  /** Whether the target may have something else under an id of the source: `never` is a refusal that nothing lifts. */
  readonly conflicts: "force" | "overwrite" | "keep";
}

export type Parts = { readonly [Name in KindName]: Part<Values[Name]> };

export interface PartsOptions {
  store: Store;
  /** Epoch milliseconds. */
  now(): number;
  random(size: number): Uint8Array;
}

/** The one list of what a store holds. Reading and writing throw ToolError or StoreError. */
export const createParts = ({ store, now, random }: PartsOptions): Parts => ({
  key: createRecordPart(store.keys, ({ rotatedTo }) => rotatedTo?.slice("key_".length)),
  endpoint: createRecordPart(store.endpoints, () => undefined),
  inbox: createRecordPart(store.inboxes, () => undefined),
  account: createRecordPart(store.accounts, () => undefined),
  window: createWindowPart(store, now),
  usage: createUsagePart({ store, now, random }),
  audit: createAuditPart(store),
});

const readsAtOnce = 64;

/** `next` is the record that this one leads to. */
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
      // Damage is of one record; where the store itself does not answer, nothing is known of any.
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
      // Redis may tell of one twice.
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
