import type { Redis } from "ioredis";
import { StoreError } from "../errors.ts";
import type { StoreNotice } from "../storage.ts";
import type { Guard } from "./guard.ts";

/** A record that exists as long as the store: its absence distinguishes an emptied Redis from a missing key. */
export interface Marker {
  /**
   * @param patienceMs Longest wait for the answer; short by default, because a request waits.
   * @throws StoreError `check` if the mark is gone.
   */
  check(patienceMs?: number): Promise<void>;
}

const waitMs = 50;
/** For a start: a slow disk can block Redis for seconds. */
const patientMs = 10_000;

/** The key of the mark. */
export const markKey = (prefix: string): string => `${prefix}store`;

/** Makes the mark if there is none and a store may begin. @throws StoreError `open` if it may not. */
export async function createMarker(options: {
  client: Redis;
  guard: Guard;
  prefix: string;
  /** Address of the server, for messages. */
  name: string;
  /** The id of a new store. */
  id: string;
  mayBegin: boolean;
  onNotice: StoreNotice;
}): Promise<Marker> {
  const { client, guard, prefix, name, id, mayBegin, onNotice } = options;
  const key = markKey(prefix);
  const patiently = <T>(work: () => Promise<T>): Promise<T> => guard.run("open", patientMs, work);
  if (!mayBegin && (await patiently(() => client.exists(key))) === 0) {
    throw new StoreError(
      "open",
      `Redis (${name}) contains no penknife store under ${prefix}. Check host, database and storage.prefix, or begin one with its first account: penknife admin accounts create NAME --plan pro`,
    );
  }
  const begun = await patiently(() => client.set(key, JSON.stringify({ v: 1, id }), "NX"));
  if (begun !== null) {
    const others = await patiently(() => client.dbsize());
    onNotice(
      "warn",
      `Redis (${name}) contained no penknife store under ${prefix}; a new one begins${others > 1 ? `, beside ${others - 1} other entries` : ""}. If one should exist, check host, database and storage.prefix.`,
    );
  }
  return {
    async check(patienceMs = waitMs) {
      if ((await guard.run("check", patienceMs, () => client.exists(key))) === 1) return;
      throw new StoreError(
        "check",
        `Redis (${name}) was emptied: the mark of the store (${key}) is gone. Restore a backup, or restart penknife to begin a new store.`,
      );
    },
  };
}
