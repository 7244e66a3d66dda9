import type { Driver } from "unstorage";
import { createKeyedMutex } from "../../lib/keyed-mutex.ts";
import type { Space } from "../space.ts";
import type { Stored, Texts } from "../texts.ts";
import type { Call } from "./calls.ts";
import type { Connection } from "./connection.ts";

const maxListed = 1_000_000_000;

/** A driver for unstorage over a database; keys have two segments, such as `accounts:acme`. */
export function createDatabaseDriver({ call, close }: Connection<Call>): Driver {
  const read = async (key: string): Promise<string | null> =>
    (await call({ act: "read", key })) as string | null;
  const write = async (key: string, after: string | null): Promise<void> => {
    await call({ act: "swap", key, change: { before: undefined, after, enter: [], leave: [] } });
  };
  return {
    name: "penknife-sqlite",
    hasItem: async (key) => (await read(key)) !== null,
    async getItem(key) {
      const text = await read(key);
      // unstorage would take `null` for a missing record. As a string it stays an invalid record.
      return text === null || text.startsWith("{") ? text : JSON.stringify(text);
    },
    setItem: write,
    removeItem: (key) => write(key, null),
    async getKeys(base) {
      const [list = ""] = base.split(":");
      const ids = (await call({ act: "entries", list, range: { limit: maxListed } })) as string[];
      return ids.map((id) => `${list}:${id}`);
    },
    dispose: close,
  };
}

/**
 * The same records, replaced in one step, and the lists of them. A removal needs room in the log of SQLite on a full disk too: it takes back
 * what could not be finished.
 */
export function createDatabaseTexts({ call }: Connection<Call>, space: Space, folder: string): Texts {
  const inTurn = createKeyedMutex();
  return {
    async read(key): Promise<Stored> {
      const text = (await call({ act: "read", key })) as string | null;
      return text === null ? { text, value: undefined } : { text, value: parse(text) };
    },
    swap: (key, { before, after, lease, enter = [], leave = [] }) =>
      inTurn(key, async () => {
        if (lease !== undefined && lease.until === -Infinity) return "late";
        const write = (): Promise<unknown> =>
          call({ act: "swap", key, change: { before, after, enter, leave } });
        if (after !== null) space.require("change", "write", folder);
        const done = await write().catch((error: NodeJS.ErrnoException) => {
          if (after !== null || error.code !== "ENOSPC") throw error;
          return space.urgently(write);
        });
        return done === true ? "done" : "changed";
      }),
    entries: async (list, range) => (await call({ act: "entries", list, range })) as string[],
    count: async (list) => (await call({ act: "count", list })) as number,
    async strike(key, place) {
      await call({ act: "strike", key, place });
    },
  };
}

/** Returns what is stored; what is not JSON is no record either. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
