import type { Storage } from "unstorage";
import { createKeyedMutex } from "../lib/keyed-mutex.ts";
import type { Lease } from "./lease.ts";
import type { Lists, Range } from "./lists.ts";
import type { Place } from "./record-kinds.ts";

/** A record as stored. Its text is its version: a replacement names the text that was read. */
export interface Stored {
  /** Null if there is no record. */
  text: string | null;
  /** The parsed text. */
  value: unknown;
}

export interface Swap {
  /** The text to replace; null if there must be no record, undefined if whatever is there is replaced. */
  before: string | null | undefined;
  /** Null removes the record. */
  after: string | null;
  /** The write is refused if this lease has ended. */
  lease?: Lease | undefined;
  /** Kept beside the record for ever: see `RecordKind.markOf`. */
  mark?: string | undefined;
  /** The places of the new record, which are entered before it is written. */
  enter?: readonly Place[];
  /** The places of the old record that the new one does not have. */
  leave?: readonly Place[];
}

/** `changed`: the record is not the one that was read; `late`: the lease has ended. Nothing was written then. */
export type Swapped = "done" | "changed" | "late";

/** Reads and replaces records in one step each, and keeps the lists of them. */
export interface Texts {
  read(key: string): Promise<Stored>;
  swap(key: string, swap: Swap): Promise<Swapped>;
  /** Returns entries of a list in their order. One whose record is missing may be among them. */
  entries(list: string, range: Range): Promise<string[]>;
  count(list: string): Promise<number>;
  /** Removes an entry if the record, which its reader has missed, still does not exist. */
  strike(key: string, place: Place): Promise<void>;
}

/** For a store that one process has for itself, in memory. @param lists Those of what is stored. */
export function createLocalTexts(storage: Storage, lists: Lists): Texts {
  const inTurn = createKeyedMutex();

  async function read(key: string): Promise<Stored> {
    const value: unknown = await storage.getItem(key);
    return value === null || value === undefined
      ? { text: null, value: undefined }
      : { text: JSON.stringify(value), value };
  }

  return {
    read,
    swap: (key, { before, after, lease, enter = [], leave = [] }) =>
      inTurn(key, async () => {
        if (lease !== undefined && lease.until === -Infinity) return "late";
        if (before !== undefined && (await read(key)).text !== before) return "changed";
        for (const place of enter) lists.add(place);
        try {
          if (after === null) await storage.removeItem(key);
          else await storage.setItem(key, after);
        } catch (error) {
          // It may have been written nevertheless.
          const found = await read(key).catch(() => undefined);
          if (found?.text === null) for (const place of enter) lists.remove(place);
          throw error;
        }
        for (const place of leave) lists.remove(place);
        return "done";
      }),
    entries: async (list, range) => lists.entries(list, range),
    count: async (list) => lists.count(list),
    strike: (key, place) =>
      inTurn(key, async () => {
        if ((await read(key)).text === null) lists.remove(place);
      }),
  };
}
