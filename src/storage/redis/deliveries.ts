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
  const base = `${prefix}wh:`;
  const log = createDeliveryLog({ client, guard, base, marker });
  const listeners = new Set<() => void>();
  const channel = createChannel({ client, guard, name: `${base}wake`, look });
  const node = Buffer.from(runtime.random(8)).toString("hex");
  let settlements = 0;
  // A settlement that failed without an answer may have succeeded: a repetition with the same result has the same name.
  const tries = new WeakMap<Claim, { result: Settlement; name: string }>();
  let closed = false;

  function run(operation: StoreOperation, script: Script, ...args: ScriptArgument[]): Promise<unknown> {
    const header = [time?.() ?? "", perEndpoint, circuit.after, circuit.everyMs];
    return guard.run(operation, waitMs, () => script(client, [base], [...header, ...args]));
  }

  /** Wakes listeners, since a message may have been lost. */
  async function look(): Promise<void> {
    const left = await run("read", upkeep.next);
    if (left !== null && Number(left) <= 0) for (const listener of listeners) listener();
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
    const mark = marker === undefined ? "" : markKey(prefix);
    const single = once === undefined ? ["", 0] : [once.name, Math.ceil(once.until - runtime.now())];
    const pairs = receivers.flatMap((endpoint, index) => [ids[index] as string, endpoint]);
    const at = await run(
      "write",
      addScript,
      mark,
      id,
      type,
      account,
      body,
      ...single,
      urgent ? 1 : 0,
      ...pairs,
    );
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
  async function settleAtLast(args: readonly ScriptArgument[]): Promise<unknown> {
    let late = false;
    const timer = setTimeout(() => (late = true), settleForMs);
    try {
      for (;;) {
        try {
          return await run("write", settleScript, ...args);
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
      while (claims.length < count) {
        const max = Math.min(count - claims.length, maxClaims);
        const shares = accounts === undefined ? [] : [accounts.max, ...runningOf(accounts, claims)];
        const found = (await run("write", claimScript, max, leaseMs, ...shares)) as [
          string,
          number,
          string,
          string[],
        ][];
        for (const [id, fence, body, fields] of found)
          claims.push({ delivery: toDelivery(id, fields), body, fence });
        if (found.length < max) break;
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
      const health = await settleAtLast([delivery.id, fence, state, left, reason, ...tried, name]);
      return health === null ? undefined : toHealth(health as (string | null)[]);
    },
    get: log.get,
    list: log.list,
    async redeliver(id) {
      const fields = (await run("write", upkeep.redeliver, id)) as string[] | null;
      if (fields === null) await marker?.check();
      return fields === null ? undefined : toDelivery(id, fields);
    },
    async hold(endpoint, until) {
      await run(
        "write",
        upkeep.hold,
        endpoint,
        until === Infinity ? "ever" : Math.max(0, until - runtime.now()),
      );
    },
    async health(endpoint) {
      const key = `${base}ep:${endpoint}`;
      return toHealth(await guard.run("read", waitMs, () => client.hmget(key, "failures", "failingSince")));
    },
    async resetHealth(endpoint) {
      await run("write", upkeep.resetHealth, endpoint);
    },
    async fail(endpoint, reason) {
      for (let total = 0; ;) {
        const ended = Number(await run("write", upkeep.fail, endpoint, reason, atOnce));
        total += ended;
        if (ended < atOnce) return total;
      }
    },
    async stats() {
      const [depth, [, oldest]] = await guard.run("read", waitMs, () =>
        Promise.all([client.zcard(`${base}wait`), client.zrange(`${base}wait`, 0, "0", "WITHSCORES")]),
      );
      // The fraction only orders deliveries of the same millisecond.
      return { depth, ...(oldest !== undefined && { oldestAt: Math.floor(Number(oldest)) }) };
    },
    async nextAt() {
      const left = await run("read", upkeep.next);
      return left === null ? undefined : runtime.now() + Number(left);
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
      return (await run("write", upkeep.prune, lifetimeMs, keptMs, reason, atOnce)) === 0;
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
