import { ToolError } from "../catalog/errors.ts";
import { StoreError } from "./errors.ts";
import type { Range } from "./lists.ts";
import { endEntry, idAt, isId, listOfEnds, listOfOwner, type RecordKind } from "./record-kinds.ts";
import type { RecordReader } from "./record-reader.ts";
import type { Collection, Listing } from "./storage.ts";
import type { Texts } from "./texts.ts";

export interface RecordListsOptions<T> {
  kind: RecordKind<T>;
  texts: Texts;
  reader: RecordReader<T>;
  onError(error: StoreError): void;
}

const readsAtOnce = 64;
const entriesAtOnce = 1000;
/** Entries without records that one listing removes at most. */
const maxStruck = 100;

/** The listings of a collection, which read the lists of its records and then these records. */
export function createRecordLists<T>(
  options: RecordListsOptions<T>,
): Pick<Collection<T>, "of" | "page" | "idsAfter" | "count" | "ending" | "ids" | "all"> {
  const { kind, texts, reader, onError } = options;
  const { base } = kind;
  const { attempt, readRaw, parse, damagedRecord } = reader;

  const entriesOf = (list: string, range: Range): Promise<string[]> =>
    attempt("read", () => texts.entries(list, range));

  /** Reads a list in steps. */
  async function* steps(list: string, bounds: Omit<Range, "limit"> = {}): AsyncIterable<string[]> {
    for (let { after } = bounds; ;) {
      const entries = await entriesOf(list, { ...bounds, after, limit: entriesAtOnce });
      yield entries;
      if (entries.length < entriesAtOnce) return;
      after = entries.at(-1);
    }
  }

  /** Reads the records of some entries. */
  async function readRecords(list: string, entries: readonly string[]): Promise<Listing<T>> {
    const listing = { records: [] as T[], damaged: [] as string[] };
    const missing: string[] = [];
    for (let at = 0; at < entries.length; at += readsAtOnce) {
      const some = entries.slice(at, at + readsAtOnce);
      const raws = await Promise.allSettled(some.map(async (entry) => readRaw(idAt(entry))));
      // If none can be read, the store is at fault and not the records.
      if (raws.every(isRejected)) throw raws[0]?.reason;
      for (const [index, entry] of some.entries()) {
        const raw = raws[index] as PromiseSettledResult<unknown>;
        if (isRejected(raw)) listing.damaged.push(reasonIn(raw.reason));
        // Removed after it was listed, or listed before a crash.
        else if (raw.value === null || raw.value === undefined) missing.push(entry);
        else put(listing, idAt(entry), raw.value);
      }
    }
    for (const entry of missing.slice(0, maxStruck)) await strike(list, entry);
    return listing;
  }

  function put({ records, damaged }: { records: T[]; damaged: string[] }, id: string, raw: unknown): void {
    const record = parse(id, raw);
    if (record !== undefined) return void records.push(record);
    const error = damagedRecord(id);
    onError(error);
    damaged.push(error.reason);
  }

  /** A listing does not fail because it cannot clean up. */
  const strike = (list: string, entry: string): Promise<void> =>
    texts.strike(`${base}:${idAt(entry)}`, { list, entry }).catch(() => {});

  /** Names that are not ids, such as a copy that somebody made by hand, are reported. */
  async function readNames(list: string, names: readonly string[]): Promise<Listing<T>> {
    const foreign = names.filter((name) => !isId(name)).map(notARecord);
    const listing = await readRecords(list, names.filter(isId));
    for (const error of foreign) onError(error);
    return { ...listing, damaged: [...listing.damaged, ...foreign.map(({ reason }) => reason)] };
  }

  function notARecord(name: string): StoreError {
    return new StoreError(
      "read",
      `${base}/${name} is not the name of a record. Move it elsewhere, or remove it.`,
    );
  }

  async function readList(list: string): Promise<Listing<T>> {
    const parts: Listing<T>[] = [];
    for await (const entries of steps(list)) parts.push(await readNames(list, entries));
    return {
      records: parts.flatMap(({ records }) => records),
      damaged: parts.flatMap(({ damaged }) => damaged),
    };
  }

  return {
    async of(owner) {
      const { records, damaged } = await readList(listOfOwner(base, owner));
      return { records: records.filter((record) => kind.ownersOf(record).includes(owner)), damaged };
    },
    async page(after, limit) {
      const names = await entriesOf(base, { after, limit: limit + 1 });
      const shown = names.slice(0, limit);
      const next = names.length > limit ? (shown.at(-1) ?? after ?? "") : undefined;
      return { ...(await readNames(base, shown)), next };
    },
    idsAfter: async (after, limit) => (await entriesOf(base, { after, limit })).filter(isId),
    count: (owner) =>
      attempt("read", () => texts.count(owner === undefined ? base : listOfOwner(base, owner))),
    async *ending({ from, until }) {
      const list = listOfEnds(base);
      const bounds = { ...(from !== undefined && { after: endEntry(from) }), until: endEntry(until) };
      for await (const entries of steps(list, bounds)) yield* (await readRecords(list, entries)).records;
    },
    async ids() {
      const parts: string[][] = [];
      for await (const names of steps(base)) parts.push(names.filter(isId));
      return parts.flat();
    },
    all: () => readList(base),
  };
}

const isRejected = (result: PromiseSettledResult<unknown>): result is PromiseRejectedResult =>
  result.status === "rejected";

/** @throws any error that is not a fault of the store. */
function reasonIn(error: unknown): string {
  if (error instanceof ToolError && error.cause instanceof StoreError) return error.cause.reason;
  throw error;
}
