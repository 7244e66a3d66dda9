import type { Room } from "../inbox/ledger.ts";
import type { RedisClient } from "./client.ts";
import type { Guard } from "./guard.ts";
import { adjust, book, reserve } from "./inbox-scripts.ts";

const waitMs = 5000;

/**
 * What the inboxes of an account, and all of them, hold together. On one server the scripts of inboxes count it. In a cluster it lies apart from them: the
 * bytes of a message are reserved before it is added, and corrected afterwards. What a process that was killed has reserved is corrected once an hour.
 */
export interface InboxSums {
  /** Reserves the bytes of a message. Returns the limits that its script has to apply; 0 is no limit. */
  reserve(
    inbox: string,
    bytes: number,
    room: Room | undefined,
  ): Promise<{ reserved: number; limits: [ofAccount: number, ofStore: number] }>;
  /** Corrects what was reserved. */
  adjust(inbox: string, bytes: number, account: string): Promise<void>;
  /** Notes what an inbox holds. */
  book(inbox: string, bytes: number): Promise<void>;
  /** Yields the inboxes that hold something, in steps; one may be repeated. */
  inboxes(): AsyncIterable<string>;
}

export function createInboxSums(options: { client: RedisClient; guard: Guard; sizes: string }): InboxSums {
  const { client, guard, sizes } = options;
  return {
    async reserve(inbox, bytes, room) {
      const { account = "", accountBytes = 0, storeBytes = 0 } = room ?? {};
      const limits: [number, number] = [finite(accountBytes), finite(storeBytes)];
      if (!client.isCluster || room === undefined) return { reserved: 0, limits };
      const words = [inbox, bytes, account, ...limits];
      const refused = await guard.run("write", waitMs, () => reserve(client, [sizes], words));
      if (refused === "") return { reserved: bytes, limits: [0, 0] };
      // Only a message that displaces as much as it brings may be added.
      return { reserved: 0, limits: refused === "account" ? [1, 0] : [0, 1] };
    },
    async adjust(inbox, bytes, account) {
      if (!client.isCluster || bytes === 0) return;
      await guard.run("write", waitMs, () => adjust(client, [sizes], [inbox, bytes, account]));
    },
    async book(inbox, bytes) {
      if (client.isCluster) await guard.run("write", waitMs, () => book(client, [sizes], [inbox, bytes, ""]));
    },
    async *inboxes() {
      let cursor = "0";
      do {
        const from = cursor;
        const [next, flat] = await guard.run("read", waitMs, () =>
          client.hscan(sizes, from, "MATCH", "i:*", "COUNT", 1000),
        );
        cursor = next;
        yield* flat.filter((_, index) => index % 2 === 0).map((field) => field.slice(2));
      } while (cursor !== "0");
    },
  };
}

/** Lua cannot parse Infinity. */
export const finite = (number: number): number => Math.min(number, Number.MAX_SAFE_INTEGER);
