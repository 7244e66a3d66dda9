import type { Room } from "../inbox/ledger.ts";
import type { RedisClient } from "./client.ts";
import type { Guard } from "./guard.ts";
import { book } from "./inbox-scripts.ts";

const waitMs = 5000;

/**
 * What the inboxes of an account, and all of them, hold together. On one server the scripts count it; in a cluster it lies apart from the inboxes,
 * is read before a message is added, and is noted afterwards. Messages that arrive at the same moment may then exceed a limit together.
 */
export interface InboxSums {
  /** Notes what an inbox holds. */
  book(inbox: string, bytes: number, account?: string): Promise<void>;
  /** Returns what one inbox may hold by the limits of its account and of the store; 0 is no limit. */
  leftFor(inbox: string, room: Room | undefined): Promise<[ofAccount: number, ofStore: number]>;
  /** Yields the inboxes that hold something, in steps; one may be repeated. */
  inboxes(): AsyncIterable<string>;
}

export function createInboxSums(options: { client: RedisClient; guard: Guard; sizes: string }): InboxSums {
  const { client, guard, sizes } = options;
  return {
    async book(inbox, bytes, account = "") {
      if (!client.isCluster) return;
      await guard.run("write", waitMs, () => book(client, [sizes], [inbox, bytes, account]));
    },
    async leftFor(inbox, room) {
      const { account = "", accountBytes = 0, storeBytes = 0 } = room ?? {};
      const limits: [number, number] = [finite(accountBytes), finite(storeBytes)];
      if (!client.isCluster || room === undefined) return limits;
      const [own, ofAccount, ofAll] = await guard.run("read", waitMs, () =>
        client.hmget(sizes, `i:${inbox}`, `a:${account}`, "total"),
      );
      const mine = Number.parseInt(own ?? "0", 10);
      const left = (limit: number, held: string | null | undefined): number =>
        limit === 0 ? 0 : Math.max(1, limit - (Number(held ?? 0) - mine));
      return [left(limits[0], ofAccount), left(limits[1], ofAll)];
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
