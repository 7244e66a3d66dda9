import { nextTick } from "node:process";
import { nameOf, type RedisClient, tagOf } from "./client.ts";

/** A record that is to be read. */
export interface AccountRead {
  /** Its name in Redis. */
  name: string;
  /** Passes on what was read; null for a missing record. */
  answer(text: string | null): void;
  /** Has it read by itself after all. */
  leave(): void;
}

/**
 * Reads of accounts for requests. The record of an account lies in the slot of its counters, so the script that counts a request of the same turn of
 * the event loop takes the read along: plan, limit and state come with the count.
 */
export interface AccountReads {
  read(account: string): Promise<string | null>;
  /** Hands over the read of an account that waits in this turn; the caller has to answer or leave it. */
  take(account: string): AccountRead | undefined;
}

export function createAccountReads(client: RedisClient, prefix: string): AccountReads {
  const tag = tagOf(client);
  const waiting = new Map<string, AccountRead>();

  function sendAll(): void {
    const reads = [...waiting.values()];
    waiting.clear();
    for (const read of reads) read.leave();
  }

  return {
    read: (account) =>
      new Promise((resolve, reject) => {
        const name = nameOf(tag, prefix, `accounts:${account}`);
        const leave = (): void => void client.get(name).then(resolve, reject);
        // Two that wait at once, which the cache of records prevents, are two reads.
        if (waiting.has(account)) return leave();
        // By then every promise of this turn has been continued, and the packet with the count has not been sent.
        if (waiting.size === 0) nextTick(sendAll);
        waiting.set(account, { name, answer: resolve, leave });
      }),
    take(account) {
      const read = waiting.get(account);
      waiting.delete(account);
      return read;
    },
  };
}
