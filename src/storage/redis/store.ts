import { type Lazy, lazy } from "../../lib/lazy.ts";
import { createAuditLog } from "../audit/audit-log.ts";
import type { DeliveryQueue } from "../deliveries/delivery-queue.ts";
import { storeClosed, StoreError } from "../errors.ts";
import type { InboxStore } from "../inbox/inbox-store.ts";
import { defaultStaleMs } from "../record-cache.ts";
import { queueOptionsOf } from "../queue-options.ts";
import type { Store, StoreOptions } from "../storage.ts";
import { createAccountReads } from "./account-reads.ts";
import { createRedisAudit } from "./audit.ts";
import type { Channel } from "./channel.ts";
import { tagOf } from "./client.ts";
import { type Confirmed, createConfirmed } from "./confirmed.ts";
import { connectRedis } from "./connect.ts";
import { createRedisCounters, type RedisCounters } from "./counters.ts";
import { explainRedis } from "./explain.ts";
import { createGuard } from "./guard.ts";
import { createRedisHold, createTurns } from "./hold.ts";
import { createHourLimiters } from "./hour-limiters.ts";
import { createMarker } from "./marker.ts";
import { createNodes } from "./nodes.ts";
import { createHeartbeat, type Heartbeat } from "./heartbeat.ts";
import { createRedisKeyUses } from "./key-uses.ts";
import { createRedisRecords } from "./records.ts";
import { createRelisting } from "./relisting.ts";
import { createUrgency } from "./script.ts";
import { createRedisUsage } from "./usage.ts";
import { createRedisWindows } from "./window-copies.ts";

/** Longest wait for a record that this process has never seen, if the configuration sets none. */
const defaultUnknownKeyMs = 1000;
/** The regular check that the store exists. */
const beatMs = 500;
/** If containers start together, Redis may be ready a little later. */
const startMs = 10_000;

/** Opens a store that many nodes share: records through unstorage, counts through scripts. @throws StoreError */
export async function openRedisStore(options: StoreOptions): Promise<Store> {
  const { runtime, onError, staleMs = defaultStaleMs, redis } = options;
  if (redis === undefined) throw new TypeError("the redis driver needs its options");
  const {
    url,
    prefix,
    unknownKeyMs = defaultUnknownKeyMs,
    onStoreError,
    isNode,
    version = "",
    mayBegin,
    onNotice,
    onDegraded,
  } = redis;
  const { client, name, warnings, fault } = await connectRedis({ url, prefix, runtime, patienceMs: startMs });
  for (const warning of warnings) onNotice("warn", warning);
  const guard = createGuard({
    disconnected: fault,
    explain: (operation, cause) => explainRedis(name, operation, cause),
    probe: () => client.ping(),
    runtime,
    idle: () => performance.nodeTiming.idleTime,
    onChange(up, reason) {
      if (!up)
        return onError(
          new StoreError("check", `${reason?.reason} Continuing without it (limits.onStoreError).`, reason),
        );
      onNotice("info", `Redis (${name}) answers again`);
      void counters.settleDebts();
      void heartbeat?.beat();
    },
  });
  const nodes = createNodes({ client, guard, prefix, id: toHex(runtime.random(8)), version });
  const accounts = createAccountReads(client, prefix);
  const counters: RedisCounters = createRedisCounters({
    limiters: createHourLimiters({ client, prefix, ipv6Factor: options.ipv6Factor, accounts }),
    ipv6Factor: options.ipv6Factor,
    guard,
    mode: onStoreError,
    nodes: nodes.count,
    runtime,
    onDegraded,
    onError,
  });
  let heartbeat: Heartbeat | undefined;
  let deliveries: Lazy<DeliveryQueue> | undefined;
  let inbox: Lazy<InboxStore> | undefined;
  let confirmed: Confirmed | undefined;
  const channels: Channel[] = [];
  const { urgently, isUrgent } = createUrgency();
  try {
    const id = toHex(runtime.random(16));
    const marker = await createMarker({ client, guard, prefix, name, id, mayBegin, onNotice });
    const shared = { client, guard, prefix, marker };
    deliveries = lazy(async () =>
      (await import("./deliveries.ts")).createRedisQueue({ ...shared, ...queueOptionsOf(options) }),
    );
    inbox = lazy(async () => (await import("./inbox.ts")).createRedisInbox(shared));
    confirmed = createConfirmed({ client, guard, name });
    const collections = createRedisRecords({
      ...shared,
      accounts,
      confirmed,
      unknownKeyMs,
      isUrgent,
      runtime,
      onError,
      staleMs,
    });
    const relist = createRelisting({ ...shared, name, runtime, onNotice });
    await relist();
    const hadAccounts = (await collections.accounts.idsAfter(undefined, 1)).length > 0;
    if (isNode) {
      await nodes.beat();
      heartbeat = createHeartbeat({
        async work() {
          await nodes.beat();
          // No request waits for this.
          await marker.check(beatMs);
          void relist().catch((error: StoreError) => onError(error));
        },
        onBeat: (wrong) =>
          wrong === undefined ? onNotice("info", `Redis (${name}) works again`) : onError(wrong),
      });
    }
    const audit = createAuditLog({ store: createRedisAudit({ ...shared, isUrgent }), runtime, onError });
    const usage = createRedisUsage(client, guard, prefix);
    const keyUses = createRedisKeyUses(client, guard, prefix);
    let closing: Promise<void> | undefined;
    return {
      driver: "redis",
      hadAccounts,
      ...collections,
      hold: createRedisHold({ client, guard, prefix, runtime }),
      takeTurn: createTurns({ client, guard, prefix }),
      counters: { ...counters, ...createRedisWindows({ client, guard, prefix, runtime }) },
      audit: async () => audit,
      usage: async () => usage,
      keyUses: async () => keyUses,
      deliveries,
      inbox,
      async channel(topic) {
        const { createChannel } = await import("./channel.ts");
        const nameOf = (part: string): string => `${prefix}${topic}:${tagOf(client)(part)}`;
        const channel = createChannel({ client, guard, nameOf, look: async () => {} });
        channels.push(channel);
        return channel;
      },
      urgently,
      listNodes: nodes.list,
      status: () => ({
        up: guard.up && fault() === undefined && heartbeat?.fault === undefined,
        nodes: nodes.count(),
      }),
      async check() {
        await marker.check();
        // Redis can be read but not written.
        if (heartbeat?.fault !== undefined) throw heartbeat.fault;
      },
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await close();
    throw explainRedis(name, "open", error);
  }

  async function close(): Promise<void> {
    await (await deliveries?.end(storeClosed("open")))?.close();
    await (await inbox?.end(storeClosed("open")))?.close();
    for (const channel of channels) await channel.close();
    heartbeat?.close();
    await nodes.leave();
    guard.close();
    confirmed?.close();
    client.disconnect();
  }
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
