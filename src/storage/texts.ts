import type { Storage } from "unstorage";
import { createKeyedMutex } from "../lib/keyed-mutex.ts";
import type { Lease } from "./lease.ts";

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
  /** Kept beside the record for ever: see `CollectionOptions.markOf`. */
  mark?: string | undefined;
}

/** `changed`: the record is not the one that was read; `late`: the lease has ended. Nothing was written then. */
export type Swapped = "done" | "changed" | "late";

/** Reads and replaces records in one step each. */
export interface Texts {
  read(key: string): Promise<Stored>;
  swap(key: string, swap: Swap): Promise<Swapped>;
}

/** For a store that one process has for itself. */
export function createLocalTexts(storage: Storage): Texts {
  const inTurn = createKeyedMutex();

  async function read(key: string): Promise<Stored> {
    const value: unknown = await storage.getItem(key);
    return value === null || value === undefined
      ? { text: null, value: undefined }
      : { text: JSON.stringify(value), value };
  }

  return {
    read,
    swap: (key, { before, after, lease }) =>
      inTurn(key, async () => {
        if (lease !== undefined && lease.until === -Infinity) return "late";
        if (before !== undefined && (await read(key)).text !== before) return "changed";
        if (after === null) await storage.removeItem(key);
        else await storage.setItem(key, after);
        return "done";
      }),
  };
}
