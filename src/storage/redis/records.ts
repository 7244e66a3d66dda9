import { createStorage, type Driver } from "unstorage";
import {
  createRecordCollections,
  type RecordCollections,
  type RecordOptions,
} from "../record-collections.ts";
import type { AccountReads } from "./account-reads.ts";
import { nameOf, type RedisClient, tagOf } from "./client.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Guard } from "./guard.ts";
import type { Marker } from "./marker.ts";
import { createRedisTexts, readBoth, withMark } from "./texts.ts";

export interface RedisRecordsOptions extends Pick<RecordOptions, "runtime" | "onError" | "staleMs"> {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  marker: Marker;
  /** Reads accounts for requests. */
  accounts: Pick<AccountReads, "read">;
  confirmed: Confirmed;
  /** Longest wait for a record that this process has never seen. */
  unknownKeyMs: number;
  /** Whether to write although Redis is full. */
  isUrgent(): boolean;
}

/** Longest wait for a record that is cached but not fresh, which is read while the request is counted. */
const lookupMs = 100;
/** The operator's commands can wait for a busy server. */
const patientMs = 5000;

/** The records of a store: read through the library, each as long as its reader may wait, and written by `texts.ts`. */
export function createRedisRecords(options: RedisRecordsOptions): RecordCollections {
  const { client, guard, prefix, marker, accounts, unknownKeyMs, ...others } = options;

  /** Reads one record; the library's driver knows no marks. */
  async function read(key: string): Promise<string | null> {
    const [text, mark] = await readBoth(client, prefix, key);
    return text && withMark(text, mark);
  }

  /** Reads a record for a request. */
  const readSoon = (key: string): Promise<string | null> =>
    key.startsWith("accounts:") ? accounts.read(key.slice("accounts:".length)) : read(key);

  const has = async (key: string): Promise<boolean> =>
    (await client.exists(nameOf(tagOf(client), prefix, key))) === 1;

  /** An empty answer is trusted only while the mark of the store exists: after FLUSHALL every key would be reported as unknown to its holder. */
  const within = (waitMs: number, reading: typeof read): Driver => ({
    name: "penknife-redis",
    hasItem: (key) => guard.run("read", waitMs, () => has(key)),
    async getItem(key) {
      const value = await guard.run("read", waitMs, () => reading(key));
      if (value === null) await marker.check(waitMs, nameOf(tagOf(client), prefix, key));
      return value;
    },
    // A SCAN would read the names of everybody; `texts.ts` has lists.
    async getKeys() {
      throw new TypeError("the names of records are in their lists");
    },
  });

  return createRecordCollections({
    ...others,
    storage: createStorage({ driver: within(patientMs, read) }),
    quick: createStorage({ driver: within(lookupMs, readSoon) }),
    unseen: createStorage({ driver: within(unknownKeyMs, readSoon) }),
    texts: createRedisTexts({ ...options, waitMs: patientMs }),
  });
}
