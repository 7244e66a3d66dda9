import type { RedisClient } from "./client.ts";
import { makeDeliveryIds } from "../deliveries/delivery-ids.ts";
import type {
  AccountShares,
  Claim,
  Delivery,
  DeliveryQueue,
  Once,
  QueueOptions,
  StoredEvent,
} from "../deliveries/delivery-queue.ts";
import { createChannel } from "./channel.ts";
import { createDeliveryEndpoints } from "./delivery-endpoints.ts";
import { createDeliveryLog, toDelivery } from "./delivery-log.ts";
import { add as addScript, claim as claimScript } from "./delivery-scripts.ts";
import { createShards, type Shard } from "./delivery-shards.ts";
import * as upkeep from "./delivery-upkeep.ts";
import { createSettling } from "./delivery-settling.ts";
import type { Guard } from "./guard.ts";
import { type Marker, markKey } from "./marker.ts";

export interface RedisQueueOptions extends QueueOptions {
  client: RedisClient;
  guard: Guard;
  /** Prefix of every name in Redis. */
  prefix: string;
  /** If given, an emptied Redis accepts nothing and reports nothing as missing. */
  marker?: Marker;
  /** Replaces the clock of Redis in tests; epoch milliseconds. */
  time?: () => number;
}

/** No request waits for this. */
const waitMs = 5000;
/** Deliveries that one script ends: a few milliseconds, during which Redis answers nobody else. */
const atOnce = 200;
/** One look in so many enters this server again among those that are woken. */
const hearEvery = 10;
/** Most claims of one script, with their bodies. */
const maxClaims = 100;

/** One queue for all nodes. Redis decides what is due, by its own clock: nodes only send relative milliseconds. */
export function createRedisQueue(options: RedisQueueOptions): DeliveryQueue {
  const { client, guard, prefix, marker, runtime, perEndpoint, circuit, time } = options;
  const node = Buffer.from(runtime.random(8)).toString("hex");
  const shards = createShards({
    client,
    guard,
    prefix,
    header: (channels) => [time?.() ?? "", perEndpoint, circuit.after, circuit.everyMs, channels],
  });
  const log = createDeliveryLog({ client, guard, shards, marker });
  const settling = createSettling({ shards, runtime });
  const listeners = new Set<() => void>();
  const channel = createChannel({ client, guard, nameOf: (name) => name, look });
  // In a cluster it lies apart from the deliveries.
  const mark = client.isCluster || marker === undefined ? [] : [markKey(prefix)];
  let turns = 0;
  let looks = 0;

  /** Wakes listeners, since a message may have been lost. */
  async function look(): Promise<void> {
    // Often at first, because it is forgotten where its connection to a server is not made yet.
    if (looks < 3 || looks % hearEvery === 0) await shards.runInAll("write", upkeep.hear, [node]);
    looks += 1;
    const left = await untilNext();
    if (left !== undefined && left <= 0) for (const listener of listeners) listener();
  }

  /** Returns the milliseconds until the next claim is possible. */
  async function untilNext(): Promise<number | undefined> {
    const lefts = (await shards.runInAll("read", upkeep.next)).filter((left) => left !== null);
    return lefts.length === 0 ? undefined : Math.min(...lefts.map(Number));
  }

  /** Returns the shards to look for claims in, another one first each time. */
  async function claimable(): Promise<Shard[]> {
    if (shards.all.length === 1) return [...shards.all];
    const lefts = await shards.runInAll("read", upkeep.next);
    const found = shards.all.filter((_, index) => lefts[index] !== null && Number(lefts[index]) <= 0);
    turns += 1;
    const from = turns % Math.max(1, found.length);
    return [...found.slice(from), ...found.slice(0, from)];
  }

  async function add(
    event: StoredEvent,
    endpoints: readonly string[],
    once?: Once,
    urgent = false,
  ): Promise<Delivery[]> {
    const receivers = [...new Set(endpoints)];
    if (receivers.length === 0 && once === undefined) return [];
    const ids =
      receivers.length === 0 ? [] : makeDeliveryIds(receivers.length, runtime.now(), runtime.random);
    const { id, type, account, body } = event;
    const shard = shards.of(account);
    if (client.isCluster) await marker?.check(waitMs, shard.nameOf("deliveries"));
    const single = once === undefined ? ["", 0] : [once.name, Math.ceil(once.until - runtime.now())];
    const pairs = receivers.flatMap((endpoint, index) => [ids[index] as string, endpoint]);
    const args = [id, type, account, body, ...single, urgent ? 1 : 0, ...pairs];
    const at = await shard.run("write", addScript, args, mark);
    if (at === "emptied") {
      await marker?.check();
      // The queue was restored at this moment.
      return add(event, endpoints, once, urgent);
    }
    if (typeof at !== "number" || at === 0) return [];
    const times = { createdAt: at, since: at, nextAt: at };
    return receivers.map((endpoint, index) => ({
      id: ids[index] as string,
      event: id,
      type,
      account,
      endpoint,
      state: "waiting",
      attempts: 0,
      ...times,
    }));
  }

  return {
    add,
    async claim({ count, leaseMs, accounts }) {
      const claims: Claim[] = [];
      for (const shard of await claimable()) {
        while (claims.length < count) {
          const max = Math.min(count - claims.length, maxClaims);
          const shares = accounts === undefined ? [] : [accounts.max, ...runningOf(accounts, claims)];
          const found = await shard.run("write", claimScript, [max, leaseMs, ...shares]);
          for (const [id, fence, body, text] of found as [string, number, string, string][])
            claims.push({ delivery: toDelivery(id, text), body, fence });
          if ((found as unknown[]).length < max) break;
        }
      }
      return claims;
    },
    settle: settling.settle,
    get: log.get,
    list: log.list,
    async redeliver(id) {
      const found = (await shards.runInAll("write", upkeep.redeliver, [id])).find((text) => text !== null);
      if (found === undefined) await marker?.check();
      return found === undefined ? undefined : toDelivery(id, found as string);
    },
    ...createDeliveryEndpoints({ client, guard, shards, runtime }),
    async stats() {
      const parts = await guard.run("read", waitMs, () =>
        Promise.all(
          shards.all.map((shard) => {
            const name = shard.nameOf("wait");
            return Promise.all([client.zcard(name), client.zrange(name, 0, "0", "WITHSCORES")]);
          }),
        ),
      );
      const depth = parts.reduce((sum, [count]) => sum + count, 0);
      const oldest = Math.min(...parts.map(([, [, at]]) => Number(at ?? Infinity)));
      // The fraction only orders deliveries of the same millisecond.
      return { depth, ...(oldest < Infinity && { oldestAt: Math.floor(oldest) }) };
    },
    async nextAt() {
      const left = await untilNext();
      return left === undefined ? undefined : runtime.now() + left;
    },
    onWake(listener) {
      // A new function for each call, so that the same listener may be added twice.
      const own = (): void => listener();
      listeners.add(own);
      const ends = shards.all.map((shard) => channel.listen(shard.channelOf(node), own));
      return () => {
        listeners.delete(own);
        for (const end of ends) end();
      };
    },
    async prune({ lifetimeMs, keptMs, reason }) {
      const more = await shards.runInAll("write", upkeep.prune, [lifetimeMs, keptMs, reason, atOnce]);
      return !more.includes(1);
    },
    async close() {
      settling.close();
      await channel.close();
    },
  };
}

/**
 * Returns accounts and the number of deliveries that the caller has in progress, alternating, including those just
 * claimed.
 */
function runningOf({ running }: AccountShares, claims: readonly Claim[]): (string | number)[] {
  const counts = new Map(running);
  for (const { delivery } of claims) counts.set(delivery.account, (counts.get(delivery.account) ?? 0) + 1);
  return [...counts].flat();
}
