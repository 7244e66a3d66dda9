import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Delivery } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { markKey } from "../../../../src/storage/redis/marker.ts";
import { openTestStore } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { redisOptions, sharedRedis } from "../drivers.ts";

// `stores/version-2.json` has the commands that make a store as the release before shards of deliveries left it, without the prefix: seven
// events in every state, counts, an inbox and a key.

type Command = [name: string, key: string, ...rest: (string | number)[]];

const stored = JSON.parse(
  readFileSync(new URL("./stores/version-2.json", import.meta.url), "utf8"),
) as Command[];
const leaseMs = 60_000;

async function beginOld() {
  const redis = await sharedRedis();
  const notices: string[] = [];
  const options = redisOptions(redis.url, { onNotice: (_level, text) => void notices.push(text) });
  const { prefix } = options;
  const write = (commands: readonly Command[]): Promise<unknown> =>
    redis.pipeline(commands.map(([name, key, ...rest]) => [name, prefix + key, ...rest]));
  await write(stored);
  const runtime = testRuntime({ now: () => Date.now() });
  const open = async () => (await openTestStore({ driver: "redis", redis: options, runtime })).store;
  return { redis, prefix, notices, write, open };
}

const eventsOf = (deliveries: readonly Delivery[]): string[] =>
  deliveries.map(({ event, endpoint }) => `${event.slice("evt_".length)} ${endpoint}`);

/** Newest first. */
const all = [
  "urgent we_d",
  "theirs we_d",
  "both we_held",
  "both we_a",
  "claimed we_c",
  "retried we_b",
  "failed we_b",
  "delivered we_a",
];

test("the deliveries of an older release are moved with their order, attempts, bodies and states", async () => {
  const { redis, prefix, notices, open } = await beginOld();
  const store = await open();
  const queue = await store.deliveries();
  const listed = await queue.list({ limit: 20 });
  expect(eventsOf(listed)).toEqual(all);
  expect(eventsOf(await queue.list({ account: "other", limit: 20 }))).toEqual(["urgent we_d", "theirs we_d"]);
  expect(eventsOf(await queue.list({ endpoint: "we_b", limit: 20 }))).toEqual([
    "retried we_b",
    "failed we_b",
  ]);
  expect(eventsOf(await queue.list({ event: "evt_both", limit: 20 }))).toHaveLength(2);
  const failed = await queue.get(listed[6]?.id ?? "");
  expect(failed).toMatchObject({
    state: "failed",
    reason: "The endpoint answered 503.",
    attempts: 1,
    endedAt: 1_785_763_541_622,
    log: [{ number: 1, outcome: "refused", excerpt: 'line\nbreak "quoted"' }],
    body: '{"n":"failed","text":"„ß“ \\u0001"}',
  });
  expect(await queue.stats()).toEqual({ depth: 6, oldestAt: 1_785_763_541_623 });
  expect(await queue.health("we_b")).toEqual({ failures: 2, failingSince: 1_785_763_541_622 });
  expect(await redis.command("ZSCORE", `${prefix}{wh:00}:once`, "limit.warning:other")).toBe("1785767141627");
  // The one whose server has not settled it is due when its lease has ended.
  const claims = await queue.claim({ count: 20, leaseMs });
  expect(eventsOf(claims.map(({ delivery }) => delivery))[0]).toBe("urgent we_d");
  expect(eventsOf(claims.map(({ delivery }) => delivery)).toSorted()).toEqual(
    all.filter((text) => !/^(?:failed|delivered)|held/.test(text)).toSorted(),
  );
  await queue.hold("we_held", 0);
  expect(await queue.claim({ count: 20, leaseMs })).toHaveLength(1);
  expect(await redis.command("KEYS", `${prefix}wh:*`)).toEqual([]);
  expect(notices.filter((text) => text.includes("and 8 deliveries moved"))).toHaveLength(1);
});

test("everything else stays under its name: records, counts and messages", async () => {
  const { open } = await beginOld();
  const store = await open();
  expect(await store.accounts.ids()).toEqual(["acme", "other"]);
  expect((await store.keys.of("acme")).records).toHaveLength(1);
  expect(await store.counters.peek("account:acme")).toMatchObject({ used: 7 });
  const counted = await store.counters.consume("ip:20010db800000000", 1, 100);
  expect(counted.used).toBe(2);
  const kept = { messages: 10, ms: 1e12, bytes: 1e6 };
  const [message] = await (await store.inbox()).read(`in_${"0".repeat(32)}`, { limit: 5, kept });
  expect(Buffer.from(message?.body ?? []).toString()).toBe("hello");
});

test("a process that is killed leaves the rest to the next, which moves nothing twice", async () => {
  const { redis, prefix, write, open } = await beginOld();
  const first = await open();
  const queue = await first.deliveries();
  const claims = await queue.claim({ count: 20, leaseMs });
  const [claim] = claims;
  if (claim === undefined) throw new Error("there is nothing to claim");
  await queue.settle(claim, { state: "failed", reason: "It is gone." });
  await first.close();
  // What it has moved is still there.
  await write(stored.filter(([, key]) => key.startsWith("wh:")));
  const mark = JSON.parse(String(await redis.command("GET", markKey(prefix)))) as object;
  await redis.command("SET", markKey(prefix), JSON.stringify({ ...mark, unlisted: "again" }));
  const second = await (await open()).deliveries();
  expect(eventsOf(await second.list({ limit: 20 }))).toEqual(all);
  expect(await second.get(claim.delivery.id)).toMatchObject({ state: "failed", reason: "It is gone." });
  expect(await second.claim({ count: 20, leaseMs })).toEqual([]);
  expect(await redis.command("KEYS", `${prefix}wh:*`)).toEqual([]);
});

test("servers and commands of older releases are kept out", async () => {
  const { redis, prefix, open } = await beginOld();
  await open();
  // They look for their mark before they add a record or accept an event, and report themselves when they start.
  expect(await redis.command("EXISTS", `${prefix}store`, `${prefix}store:2`)).toBe(0);
  for (const list of ["nodes", "servers"])
    await expect(redis.command("ZADD", `${prefix}${list}`, 1, "old")).rejects.toThrow("WRONGTYPE");
});
