import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { Claim, DeliveryQueue } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { createRedisQueue } from "../../../../src/storage/redis/deliveries.ts";
import { explainRedis } from "../../../../src/storage/redis/explain.ts";
import { makeAttempt, makeEvent } from "../../../unit/storage/deliveries/conformance.ts";
import { sharedRedis } from "../drivers.ts";
import { startProxy } from "../redis-proxy.ts";
import { type RedisServer, startRedis } from "../redis-server.ts";
import { connect, openQueue } from "./connection.ts";
import { openMarker, queueDefaults } from "./open-connection.ts";
import { testRuntime } from "../../../support/runtime.ts";

const leaseMs = 60_000;

async function begin(args: readonly string[] = []): Promise<{ redis: RedisServer; queue: DeliveryQueue }> {
  const redis = await startRedis(args);
  onTestFinished(() => redis.close());
  return { redis, queue: await openQueue(redis.url, "p:") };
}

async function claimOne(queue: DeliveryQueue): Promise<Claim> {
  const [claim] = await queue.claim({ count: 1, leaseMs });
  if (claim === undefined) throw new Error("there is nothing to claim");
  return claim;
}

const delivered = () => ({ attempt: makeAttempt(1, Date.now()), state: "delivered" }) as const;
const event = () => makeEvent(Date.now());

test("a full Redis accepts nothing, not even partly; existing deliveries are claimed, settled, read and paused", async () => {
  const { redis, queue } = await begin();
  const [waiting] = await queue.add(event(), ["we_a"]);
  const [ended] = await queue.add(event(), ["we_b"]);
  await redis.command("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction");
  const before = await redis.command("DBSIZE");
  const once = { name: "x", until: Date.now() + 60_000 };
  const more = event();
  await expect(queue.add(more, ["we_a", "we_c"], once)).rejects.toThrow(
    /is full \(maxmemory\)\. Raise maxmemory/,
  );
  expect(await redis.command("DBSIZE")).toBe(before);
  expect(await queue.stats()).toMatchObject({ depth: 2 });
  const claims = await queue.claim({ count: 10, leaseMs });
  expect(claims.map(({ delivery }) => delivery.id).toSorted()).toEqual([waiting?.id, ended?.id].toSorted());
  for (const claim of claims) expect(await queue.settle(claim, delivered())).toEqual({ failures: 0 });
  expect(await queue.get(ended?.id ?? "")).toMatchObject({ state: "delivered", log: [{ outcome: "ok" }] });
  expect(await queue.list({ limit: 5 })).toHaveLength(2);
  expect(await queue.nextAt()).toBeUndefined();
  await queue.hold("we_a", Infinity);
  await queue.resetHealth("we_a");
  expect(await queue.fail("we_a", "gone")).toBe(0);
  await expect(queue.redeliver(ended?.id ?? "")).rejects.toThrow(/is full/);
  expect(await queue.prune({ lifetimeMs: 1e6, keptMs: 0, reason: "" })).toBe(true);
  expect(await queue.list({ limit: 5 })).toEqual([]);
  await redis.command("CONFIG", "SET", "maxmemory", "0");
  expect(await queue.add(more, ["we_b", "we_c"], once)).toHaveLength(2);
  expect(await queue.claim({ count: 10, leaseMs })).toHaveLength(2);
});

test("with a Redis that cannot save to its disk nothing is delivered, and past attempts are settled once it can again", async () => {
  const { redis, queue } = await begin(["--save", "3600", "1", "--enable-protected-configs", "yes"]);
  const [delivery] = await queue.add(event(), ["we_a"]);
  await queue.add(event(), ["we_a"]);
  const claim = await claimOne(queue);
  const saved = async (): Promise<string | undefined> => {
    await redis.command("BGSAVE").catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return /rdb_last_bgsave_status:(\w+)/.exec(String(await redis.command("INFO", "persistence")))?.[1];
  };
  rmSync(redis.folder, { recursive: true });
  await expect.poll(saved).toBe("err");
  await expect(queue.add(event(), ["we_a"])).rejects.toThrow(/cannot save to its disk/);
  await expect(queue.claim({ count: 1, leaseMs })).rejects.toThrow(/cannot save to its disk/);
  expect(await queue.get(delivery?.id ?? "")).toMatchObject({ state: "waiting" });
  expect(await queue.list({ limit: 5 })).toHaveLength(2);
  const settled = queue.settle(claim, delivered());
  mkdirSync(redis.folder);
  await redis.command("CONFIG", "SET", "dir", redis.folder);
  await expect.poll(saved).toBe("ok");
  expect(await settled).toEqual({ failures: 0 });
  expect(await queue.get(delivery?.id ?? "")).toMatchObject({ state: "delivered", log: [{}] });
});

test("an emptied Redis accepts nothing and reports nothing as missing, until the store is restored", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const connection = await connect(redis.url, "p:");
  const marker = await openMarker(connection);
  const queue = createRedisQueue({ ...connection, ...queueDefaults, marker });
  const [delivery] = await queue.add(event(), ["we_a"]);
  const id = delivery?.id ?? "";
  await redis.command("FLUSHALL");
  for (const act of [
    () => queue.add(event(), ["we_a"]),
    () => queue.get(id),
    () => queue.redeliver(id),
    () => queue.list({ limit: 5 }),
  ])
    await expect(act()).rejects.toThrow(/was emptied: the mark of the store \(p:store:4\) is gone/);
  expect(await redis.command("DBSIZE")).toBe(0);
  await redis.command("SET", "p:store:4", '{"v":1,"id":"restored"}');
  expect(await queue.get(id)).toBeUndefined();
  expect(await queue.add(event(), ["we_a"])).toHaveLength(1);
});

test("scripts are loaded again into a Redis that has forgotten them", async () => {
  const { redis, queue } = await begin();
  await queue.add(event(), ["we_a"]);
  await redis.command("SCRIPT", "FLUSH");
  const claim = await claimOne(queue);
  await redis.command("SCRIPT", "FLUSH");
  expect(await queue.settle(claim, delivered())).toEqual({ failures: 0 });
});

test("a settlement is retried while Redis is away, and counts once", async () => {
  const { redis, queue } = await begin(["--appendonly", "yes", "--appendfsync", "always"]);
  await queue.add(event(), ["we_a"]);
  const claim = await claimOne(queue);
  await redis.kill();
  const settled = queue.settle(claim, delivered());
  await new Promise((resolve) => setTimeout(resolve, 500));
  await redis.start();
  expect(await settled).toEqual({ failures: 0 });
  expect(await queue.get(claim.delivery.id)).toMatchObject({ state: "delivered", attempts: 1, log: [{}] });
});

test("a settlement whose answer got lost is not made twice, nor reported as lost", async () => {
  const { redis, queue: near } = await begin();
  const proxy = await startProxy(() => redis.port);
  onTestFinished(() => proxy.close());
  const queue = await openQueue(proxy.url, "p:");
  for (let n = 0; n < 2; n++) await queue.add(event(), ["we_a"]);
  // Redis has the script by now.
  await queue.settle(await claimOne(queue), delivered());
  const claim = await claimOne(queue);
  proxy.delay(60_000);
  const at = Date.now();
  const attempt = makeAttempt(1, at, { outcome: "retry" });
  const settled = queue.settle(claim, { attempt, state: "waiting", nextAt: at + 60_000 });
  await expect.poll(async () => (await near.get(claim.delivery.id))?.attempts).toBe(1);
  // While the answer is under way.
  await redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  proxy.delay(0);
  expect(await settled).toEqual({ failures: 1, failingSince: at });
  await expect.poll(async () => (await near.get(claim.delivery.id))?.log).toEqual([attempt]);
});

test("a settlement that was given up is the same one when it is retried, and counts once", async () => {
  const { redis, queue: near } = await begin();
  const proxy = await startProxy(() => redis.port);
  onTestFinished(() => proxy.close());
  const queue = await openQueue(proxy.url, "p:");
  for (let n = 0; n < 2; n++) await queue.add(event(), ["we_a"]);
  await queue.settle(await claimOne(queue), delivered());
  const claim = await claimOne(queue);
  // It no longer waits for Redis.
  await queue.close();
  proxy.delay(60_000);
  const at = Date.now();
  const attempt = makeAttempt(1, at, { outcome: "refused" });
  const result = { attempt, state: "failed", reason: "It is gone." } as const;
  const settled = queue.settle(claim, result).catch((error: Error) => error.name);
  await expect.poll(async () => (await near.get(claim.delivery.id))?.attempts).toBe(1);
  await redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  expect(await settled).toBe("StoreError");
  proxy.delay(0);
  const again = () => queue.settle(claim, result).catch(() => "not yet");
  await expect.poll(again).not.toBe("not yet");
  expect(await again()).toEqual({ failures: 1, failingSince: at });
  expect((await near.get(claim.delivery.id))?.log).toEqual([attempt]);
  // For another claim it is another settlement.
  await near.redeliver(claim.delivery.id);
  const back = { state: "waiting", nextAt: Date.now() } as const;
  for (let n = 0; n < 3; n++) expect(await near.settle(await claimOne(near), back)).toBeDefined();
});

test("a settlement is given up eventually, and when the queue is closed", async () => {
  const { redis, queue } = await begin();
  const other = await openQueue(redis.url, "p:");
  for (let n = 0; n < 2; n++) await queue.add(event(), ["we_a"]);
  const claims = [await claimOne(queue), await claimOne(other)] as const;
  await redis.kill();
  const refused = /refuses the connection|does not answer|has closed the connection/;
  const began = performance.now();
  const ends: string[] = [];
  async function end(name: string, settled: Promise<unknown>): Promise<void> {
    await expect(settled).rejects.toThrow(refused);
    ends.push(name);
  }
  const ended = [
    end("late", queue.settle(claims[0], delivered())),
    end("closed", other.settle(claims[1], delivered())),
  ];
  await other.close();
  await Promise.all(ended);
  expect(ends).toEqual(["closed", "late"]);
  expect(performance.now() - began).toBeGreaterThan(9_000);
});

test("nodes with wrong clocks use the time of Redis", async () => {
  const { url } = await sharedRedis();
  const hour = 3_600_000;
  const fast = await openQueue(url, "penknife:skew:", {
    runtime: testRuntime({ now: () => Date.now() + hour }),
  });
  const right = await openQueue(url, "penknife:skew:");
  const at = Date.now();
  const once = { name: "x", until: Date.now() + hour + 300 };
  const [delivery] = await fast.add(event(), ["we_a"], once);
  expect(Math.abs((delivery?.createdAt ?? 0) - at)).toBeLessThan(5_000);
  expect(await right.add(event(), ["we_a"], { name: "x", until: Date.now() + 60_000 })).toEqual([]);
  const claim = await claimOne(fast);
  await fast.settle(claim, { state: "waiting", nextAt: Date.now() + hour + 400 });
  expect(((await fast.nextAt()) ?? 0) - Date.now()).toBeGreaterThan(hour - 5_000);
  expect(((await right.nextAt()) ?? Infinity) - Date.now()).toBeLessThanOrEqual(401);
  await expect.poll(() => right.claim({ count: 1, leaseMs })).toHaveLength(1);
  await expect
    .poll(() => right.add(event(), ["we_b"], { name: "x", until: Date.now() + 60_000 }))
    .toHaveLength(1);
  await fast.hold("we_b", Date.now() + hour + 300);
  expect(await right.claim({ count: 1, leaseMs })).toEqual([]);
  await expect.poll(() => right.claim({ count: 1, leaseMs })).toHaveLength(1);
});

test("an event that is missing from the store ends its deliveries, instead of being sent empty", async () => {
  const { redis, queue } = await begin();
  const one = event();
  const [delivery] = await queue.add(one, ["we_a"]);
  const [other] = await queue.add(event(), ["we_a"]);
  await redis.command("HDEL", "p:{wh:00}:bodies", one.id);
  expect((await queue.claim({ count: 5, leaseMs })).map((claim) => claim.delivery.id)).toEqual([other?.id]);
  expect(await queue.list({ state: "failed", limit: 5 })).toMatchObject([
    { id: delivery?.id, reason: "Its event is not in the store any more." },
  ]);
  expect(await queue.stats()).toMatchObject({ depth: 1 });
});

test("errors of Redis are explained", async () => {
  const { redis, queue } = await begin();
  await redis.command("SET", "p:{wh:00}:wait", "x");
  await expect(queue.stats()).rejects.toThrow(/a value of another type.*Choose another storage\.prefix/);
  expect(explainRedis("here", "write", new Error("BUSY Redis is busy running a script.")).reason).toMatch(
    /is busy with a script\. If that lasts/,
  );
  expect(explainRedis("here", "write", new Error("read ECONNRESET")).reason).toMatch(
    /has closed the connection/,
  );
});

test("ended deliveries leave no keys behind", async () => {
  const { redis, queue } = await begin();
  const body = JSON.stringify("x".repeat(1000));
  for (let n = 0; n < 20; n++)
    await queue.add(makeEvent(Date.now(), { body }), ["we_a", "we_b"], {
      name: `n${n}`,
      until: Date.now() + 50,
    });
  // An event has one body, however many endpoints receive it.
  expect(await redis.command("HLEN", "p:{wh:00}:bodies")).toBe(20);
  for (let done = 0; done < 40;) {
    const claims = await queue.claim({ count: 16, leaseMs });
    done += claims.length;
    for (const claim of claims) await queue.settle(claim, delivered());
  }
  const keys = async (): Promise<string[]> => ((await redis.command("KEYS", "*")) as string[]).toSorted();
  await expect
    .poll(async () => {
      await queue.prune({ lifetimeMs: 1e9, keptMs: 0, reason: "" });
      return keys();
    })
    .toEqual(["p:{wh:00}:state"]);
});

test("one dead endpoint with thousands of deliveries adds no cost to a claim, and every script is bounded", async () => {
  const { redis, queue } = await begin();
  const calls = async (): Promise<number> => {
    const text = String(await redis.command("INFO", "commandstats"));
    return [...text.matchAll(/calls=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  /** Commands that Redis runs meanwhile, including those in scripts. */
  const costOf = async (act: () => Promise<unknown>): Promise<number> => {
    const before = await calls();
    await act();
    return (await calls()) - before;
  };
  const addMany = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1000) {
      const some = Array.from({ length: Math.min(left, 1000) }, () => queue.add(event(), ["we_dead"]));
      await Promise.all(some);
    }
  };
  const round = async (): Promise<void> => {
    await queue.add(event(), ["we_good"]);
    const claims = await queue.claim({ count: 64, leaseMs });
    expect(claims.map(({ delivery }) => delivery.endpoint)).toEqual(["we_good"]);
    await queue.settle(claims[0] as Claim, delivered());
  };
  await addMany(10);
  for (const claim of await queue.claim({ count: 5, leaseMs }))
    await queue.settle(claim, {
      attempt: makeAttempt(1, Date.now(), { outcome: "retry" }),
      state: "waiting",
    });
  expect(await queue.health("we_dead")).toMatchObject({ failures: 5 });
  const few = await costOf(round);
  await addMany(6_000);
  expect(await costOf(round)).toBe(few);
  await queue.hold("we_dead", Infinity);
  expect(await costOf(round)).toBe(few);
  await queue.hold("we_dead", 0);

  const scripts = async (): Promise<number> =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(String(await redis.command("INFO", "commandstats")))?.[1]);
  const once = await costOf(() => queue.prune({ lifetimeMs: 0, keptMs: 1e9, reason: "late" }));
  expect(once).toBeLessThan(6_000);
  const before = await scripts();
  const all = await costOf(() => queue.fail("we_dead", "gone"));
  expect(await queue.stats()).toEqual({ depth: 0 });
  const perScript = all / ((await scripts()) - before);
  expect(perScript).toBeGreaterThan(200);
  expect(perScript).toBeLessThan(3_000);
});

test("nodes notice one another's events, also without the right to subscribe, and after their connection was cut", async () => {
  const { redis, queue } = await begin();
  await redis.command("ACL", "SETUSER", "deaf", "on", ">pw", "~*", "+@all", "resetchannels");
  const deaf = await openQueue(`redis://deaf:pw@127.0.0.1:${redis.port}/0`, "p:");
  const other = await openQueue(redis.url, "p:");
  const heard = { other: 0, deaf: 0 };
  other.onWake(() => void (heard.other += 1));
  deaf.onWake(() => void (heard.deaf += 1));
  const claimAll = () => queue.claim({ count: 10, leaseMs });
  const subscribers = async (): Promise<unknown> => redis.command("PUBSUB", "CHANNELS", "p:{wh:00}:wake:*");
  await expect.poll(subscribers).toHaveLength(1);
  // Its own, and at once the node that may subscribe.
  await deaf.add(event(), ["we_a"]);
  await expect.poll(() => heard.deaf).toBeGreaterThan(0);
  await expect.poll(() => heard.other).toBeGreaterThan(0);
  expect(await claimAll()).toHaveLength(1);

  await redis.command("CLIENT", "KILL", "TYPE", "pubsub");
  heard.other = 0;
  await queue.add(event(), ["we_a"]);
  await expect.poll(() => heard.other).toBeGreaterThan(0);
  await expect.poll(subscribers).toHaveLength(1);
  await claimAll();
  await new Promise((resolve) => setTimeout(resolve, 50));
  heard.other = 0;
  await queue.add(event(), ["we_a"]);
  await expect.poll(() => heard.other).toBeGreaterThan(0);
});

test("hundreds of events of one millisecond are listed in order", async () => {
  const { url } = await sharedRedis();
  const time = (): number => 1_800_000_000_000;
  const queue = await openQueue(url, "penknife:order:", {
    runtime: testRuntime({ now: time }),
    time,
    perEndpoint: 2000,
  });
  const ids: string[] = [];
  for (let n = 0; n < 300; n++) {
    const [delivery] = await queue.add(makeEvent(time(), { body: randomBytes(4).toString("hex") }), ["we_a"]);
    ids.push(delivery?.id ?? "");
  }
  const claims = await queue.claim({ count: 1000, leaseMs });
  expect(claims.map(({ delivery }) => delivery.id)).toEqual(ids);
  expect(await queue.stats()).toEqual({ depth: 300, oldestAt: time() });
});

test("a rare match is found in a long log without Redis scanning up to each page", async () => {
  const { redis, queue } = await begin();
  const [oldest] = await queue.add(makeEvent(Date.now(), { type: "key.issued" }), ["we_a"]);
  const later = Date.now() + 1000;
  const [newest] = await queue.add(makeEvent(Date.now(), { type: "key.issued" }), ["we_a"]);
  const places = (await redis.command("ZRANGE", "p:{wh:00}:log", "[*/", "(*0", "BYLEX")) as string[];
  const last = places.find((place) => place.endsWith(newest?.id ?? "")) ?? "";
  const moved = last.replace(/\/\d+/, `/${later + 1e6}`);
  await redis.command("ZREM", "p:{wh:00}:log", last);
  await redis.command("ZADD", "p:{wh:00}:log", 0, moved);
  /** Microseconds per page, with so many entries between the two matches. The entries have ids only, so they are never listed. */
  const costIn = async (length: number): Promise<number> => {
    const fill =
      "for i = 1, ARGV[2] do redis.call('zadd', KEYS[1], 0, string.format('*/%026.12f/dlv_%d', ARGV[1] + i, i)) end";
    await redis.command("EVAL", fill, 1, "p:{wh:00}:log", later, length);
    await redis.command("CONFIG", "RESETSTAT");
    const found = await queue.list({ type: "key.issued", limit: 5 });
    expect(found.map(({ id }) => id)).toEqual([newest?.id, oldest?.id]);
    const stats = String(await redis.command("INFO", "commandstats"));
    return Number(/cmdstat_zrange:.*usec_per_call=([\d.]+)/.exec(stats)?.[1]);
  };
  const short = await costIn(2000);
  expect(await costIn(40_000)).toBeLessThan(6 * short);
});
