import type { Storage } from "unstorage";
import { lazy } from "../lib/lazy.ts";
import type { StoreError } from "./errors.ts";
import { createRecordCache } from "./record-cache.ts";
import type { RecordKind } from "./record-kinds.ts";
import { createRecordReader } from "./record-reader.ts";
import { createRecordWriter } from "./record-writer.ts";
import type { Collection } from "./storage.ts";
import type { Texts } from "./texts.ts";
import type { Runtime } from "../runtime.ts";

export interface CollectionOptions<T> {
  kind: RecordKind<T>;
  storage: Storage;
  /** The same records, for every write, and the lists of them. */
  texts: Texts;
  /** The same records, read with a shorter wait: for the path of a request. */
  quick?: Storage;
  /** The same, for a record that this process has not seen before, without which a request cannot be answered. */
  unseen?: Storage;
  /** Whether nobody else can change the store, so that a cached record is never old. */
  isOwn?: boolean;
  runtime: Runtime;
  staleMs: number;
  onError: (error: StoreError) => void;
}

/**
 * Records over unstorage. It works around unstorage, which parses strings into other types, returns truncated JSON as a
 * string, cuts keys at `?` and folds `/` and `::`: ids have one strict shape, only objects are kept, and each is
 * validated when it is read.
 */
export function createCollection<T>(options: CollectionOptions<T>): Collection<T> {
  const {
    kind,
    storage,
    texts,
    quick = storage,
    unseen = quick,
    isOwn = false,
    runtime,
    staleMs,
    onError,
  } = options;
  const reader = createRecordReader({ kind, storage, onError });
  const cache = createRecordCache<T>({
    read: (id, isNew) => reader.read(id, isNew ? unseen : quick),
    isOwn,
    runtime,
    staleMs,
  });
  const writer = createRecordWriter({ kind, texts, cache, reader });
  // Neither a start nor a request with a key lists anything.
  const lists = lazy(async () => {
    const { createRecordLists } = await import("./record-lists.ts");
    return createRecordLists<T>({ kind, texts, reader, onError });
  });

  return {
    get: (id) => reader.read(id),
    lookup: cache.lookup,
    renew: cache.renew,
    readAt: cache.readAt,
    overrule: cache.overrule,
    overruled: cache.overruled,
    remembered: cache.remembered,
    set: writer.set,
    add: writer.add,
    change: writer.change,
    remove: writer.remove,
    take: writer.take,
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
