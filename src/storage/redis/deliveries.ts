import type { RedisClient } from "./client.ts";
import { makeDeliveryIds } from "../deliveries/delivery-ids.ts";
import type {
  AccountShares,
  Claim,
  Delivery,
  DeliveryQueue,
  Health,
  Once,
  QueueOptions,
  Settlement,
  StoredEvent,
} from "../deliveries/delivery-queue.ts";
import type { StoreOperation } from "../errors.ts";
import { createChannel } from "./channel.ts";
import { createDeliveryLog, toDelivery } from "./delivery-log.ts";
import { add as addScript, claim as claimScript, settle as settleScript } from "./delivery-scripts.ts";
import { createShards, type Shard } from "./delivery-shards.ts";
import * as upkeep from "./delivery-upkeep.ts";
import type { Guard } from "./guard.ts";
import { type Marker, markKey } from "./marker.ts";
import type { Script, ScriptArgument } from "./script.ts";

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
/** Most claims of one script, with their bodies. */
const maxClaims = 100;
/** A delivery whose success is not recorded is sent again. Leases are not much longer. */
const settleForMs = 10_000;
const pauseMs = 250;

/** One queue for all nodes. Redis decides what is due, by its own clock: nodes only send relative milliseconds. */
export function createRedisQueue(options: RedisQueueOptions): DeliveryQueue {
  const { client, guard, prefix, marker, runtime, perEndpoint, circuit, time } = options;
  const wakeChannel = `${prefix}wh:wake`;
  const shards = createShards({
    client,
    guard,
    prefix,
    header: () => [time?.() ?? "", perEndpoint, circuit.after, circuit.everyMs, wakeChannel],
  });
  const log = createDeliveryLog({ client, guard, shards, marker });
  const listeners = new Set<() => void>();
  const channel = createChannel({ client, guard, name: wakeChannel, look });
  const node = Buffer.from(runtime.random(8)).toString("hex");
  // In a cluster it lies apart from the deliveries.
  const mark = client.isCluster || marker === undefined ? [] : [markKey(prefix)];
  let settlements = 0;
  let turns = 0;
  // A settlement that failed without an answer may have succeeded: a repetition with the same result has the same name.
  const tries = new WeakMap<Claim, { result: Settlement; name: string }>();
  let closed = false;

  /** Runs a script in all shards, because neither endpoints nor deliveries tell in which they are. */
  const runInAll = (
    operation: StoreOperation,
    script: Script,
    args: readonly ScriptArgument[] = [],
  ): Promise<unknown[]> => Promise.all(shards.all.map((shard) => shard.run(operation, script, args)));

  /** Wakes listeners, since a message may have been lost. */
  async function look(): Promise<void> {
    const left = await untilNext();
    if (left !== undefined && left <= 0) for (const listener of listeners) listener();
  }

  /** Returns the milliseconds until the next claim is possible. */
  async function untilNext(): Promise<number | undefined> {
    const lefts = (await runInAll("read", upkeep.next)).filter((left) => left !== null);
    return lefts.length === 0 ? undefined : Math.min(...lefts.map(Number));
  }

  /** Returns the shards to look for claims in, another one first each time. */
  async function claimable(): Promise<Shard[]> {
    if (shards.all.length === 1) return [...shards.all];
    const lefts = await runInAll("read", upkeep.next);
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
    if (client.isCluster) await marker?.check(waitMs);
    const single = once === undefined ? ["", 0] : [once.name, Math.ceil(once.until - runtime.now())];
    const pairs = receivers.flatMap((endpoint, index) => [ids[index] as string, endpoint]);
    const args = [id, type, account, body, ...single, urgent ? 1 : 0, ...pairs];
    const at = await shards.of(account).run("write", addScript, args, mark);
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

  /** Repeats the same settlement until it is answered. */
  async function settleAtLast(account: string, args: readonly ScriptArgument[]): Promise<unknown> {
    let late = false;
    const timer = setTimeout(() => (late = true), settleForMs);
    try {
      for (;;) {
        try {
          return await shards.of(account).run("write", settleScript, args);
        } catch (error) {
          if (late || closed) throw error;
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      }
    } finally {
      clearTimeout(timer);
    }
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
    async settle(claim, result) {
      const { delivery, fence } = claim;
      const { attempt, state, nextAt, reason = "" } = result;
      const left = nextAt === undefined ? 0 : nextAt - runtime.now();
      const tried =
        attempt === undefined ? ["", "", 0] : [JSON.stringify(attempt), attempt.outcome, attempt.at];
      const before = tries.get(claim);
      const name = before?.result === result ? before.name : `${node}:${(settlements += 1)}`;
      tries.set(claim, { result, name });
      const health = await settleAtLast(delivery.account, [
        delivery.id,
        fence,
        state,
        left,
        reason,
        ...tried,
        name,
      ]);
      return health === null ? undefined : toHealth(health as (string | null)[]);
    },
    get: log.get,
    list: log.list,
    async redeliver(id) {
      const found = (await runInAll("write", upkeep.redeliver, [id])).find((text) => text !== null);
      if (found === undefined) await marker?.check();
      return found === undefined ? undefined : toDelivery(id, found as string);
    },
    async hold(endpoint, until) {
      const left = until === Infinity ? "ever" : Math.max(0, until - runtime.now());
      await runInAll("write", upkeep.hold, [endpoint, left]);
    },
    async health(endpoint) {
      const texts = await guard.run("read", waitMs, () =>
        Promise.all(shards.all.map((shard) => client.hget(shard.nameOf("endpoints"), endpoint))),
      );
      const known = texts.map((text) => JSON.parse(text ?? "{}") as Partial<Health>);
      const { failures, failingSince } = known.find((one) => (one.failures ?? 0) > 0) ?? {};
      return toHealth([failures, failingSince]);
    },
    async resetHealth(endpoint) {
      await runInAll("write", upkeep.resetHealth, [endpoint]);
    },
    async fail(endpoint, reason) {
      let total = 0;
      for (const shard of shards.all) {
        for (let ended = atOnce; ended >= atOnce; total += ended)
          ended = Number(await shard.run("write", upkeep.fail, [endpoint, reason, atOnce]));
      }
      return total;
    },
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
      const end = channel.listen(own);
      return () => {
        listeners.delete(own);
        end();
      };
    },
    async prune({ lifetimeMs, keptMs, reason }) {
      const more = await runInAll("write", upkeep.prune, [lifetimeMs, keptMs, reason, atOnce]);
      return !more.includes(1);
    },
    async close() {
      closed = true;
      await channel.close();
    },
  };
}

const toHealth = ([failures, since]: readonly (string | number | null | undefined)[]): Health => ({
  failures: Number(failures ?? 0),
  ...(since !== null && since !== undefined && { failingSince: Number(since) }),
});

/**
 * Returns accounts and the number of deliveries that the caller has in progress, alternating, including those just
 * claimed.
 */
function runningOf({ running }: AccountShares, claims: readonly Claim[]): (string | number)[] {
  const counts = new Map(running);
  for (const { delivery } of claims) counts.set(delivery.account, (counts.get(delivery.account) ?? 0) + 1);
  return [...counts].flat();
}
