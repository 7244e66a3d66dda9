import { expect, onTestFinished, test } from "vitest";
import type { InboxStore, Message } from "../../../../src/storage/inbox/inbox-store.ts";
import { createRedisInbox } from "../../../../src/storage/redis/inbox.ts";
import { type RedisServer, startRedis } from "../redis-server.ts";
import { connect } from "./connection.ts";
import { openMarker } from "./open-connection.ts";

const hour = 3_600_000;
const kept = { messages: 500, ms: 7 * 24 * hour, bytes: 1e8 };
const inbox = `in_${"0".repeat(32)}`;
let messages = 0;

const message = (body: string, changes: Partial<Message> = {}): Message => ({
  id: `msg_${++messages}`,
  at: Date.now(),
  method: "POST",
  query: "",
  headers: [["Content-Type", "text/plain"]],
  body: Buffer.from(body),
  signature: "unchecked",
  ...changes,
});

async function openInbox(redis: RedisServer): Promise<InboxStore> {
  const store = createRedisInbox(await connect(redis.url, "p:"));
  onTestFinished(() => store.close());
  return store;
}

async function begin(args: readonly string[] = []) {
  const redis = await startRedis(args);
  onTestFinished(() => redis.close());
  return { redis, one: await openInbox(redis), other: await openInbox(redis) };
}

const bodies = async (store: InboxStore, after?: string): Promise<string[]> => {
  const found = await store.read(inbox, { limit: 1000, kept, ...(after !== undefined && { after }) });
  return found.map(({ body }) => Buffer.from(body).toString());
};

test("of concurrent duplicates through two nodes one is kept, and both report it", async () => {
  const { redis, one, other } = await begin();
  const heard = { one: 0, other: 0 };
  one.onMessage(inbox, () => void (heard.one += 1));
  other.onMessage(inbox, () => void (heard.other += 1));
  const answers = await Promise.all(
    [one, other, one, other].map((store, n) => store.add(inbox, message(`${n}`, { event: "same" }), kept)),
  );
  expect(answers.toSorted()).toEqual([false, true, true, true]);
  expect(await other.stats(inbox, kept)).toMatchObject({ messages: 1, duplicates: 3 });
  await expect.poll(() => heard).toEqual({ one: 1, other: 1 });

  await expect
    .poll(() => redis.command("PUBSUB", "NUMSUB", `p:inbox:${inbox}:new`))
    .toEqual([`p:inbox:${inbox}:new`, 2]);
  await redis.command("CLIENT", "KILL", "TYPE", "pubsub");
  await one.add(inbox, message("while nobody listened"), kept);
  await expect.poll(() => heard).toEqual({ one: 2, other: 2 });
  await one.add(inbox, message("and after that"), kept);
  await expect.poll(() => heard).toEqual({ one: 3, other: 3 });
});

test("the order is that of arrival, also if the clock of a node is an hour slow", async () => {
  const { one, other } = await begin();
  await one.add(inbox, message("1", { id: "msg_b" }), kept);
  await other.add(inbox, message("2", { id: "msg_a", at: Date.now() - hour }), kept);
  await one.add(inbox, message("3", { id: "msg_c" }), kept);
  expect(await bodies(other)).toEqual(["1", "2", "3"]);
  expect(await bodies(one, "msg_b")).toEqual(["2", "3"]);
});

test("Redis expires unread messages by itself", async () => {
  const { redis, one } = await begin();
  const short = { messages: 10, ms: 5000, bytes: 1e8 };
  for (let n = 0; n < 15; n++) await one.add(inbox, message(`${n}`, { event: `e${n}` }), short);
  const keys = (await redis.command("KEYS", "*")) as string[];
  // Ten messages and their events, log, times, sizes, state, and the sizes of all inboxes; displaced messages are gone.
  expect(keys.length).toBe(2 * 10 + 5);
  for (const key of keys) {
    const left = Number(await redis.command("PTTL", key));
    expect([key, left > 0, left <= short.ms + (/:(?:state|sizes)$/.test(key) ? 91 * 24 : 1) * hour]).toEqual([
      key,
      true,
      true,
    ]);
  }
  await expect.poll(() => one.read(inbox, { limit: 10, kept: short }), { timeout: 60_000 }).toEqual([]);
});

test("a removed inbox leaves nothing behind", async () => {
  const { redis, one } = await begin();
  const all = Array.from({ length: 350 }, (_, n) =>
    one.add(inbox, message(`${n}`, { event: `e${n}` }), kept),
  );
  await Promise.all(all);
  await one.remove(inbox);
  expect(await redis.command("DBSIZE")).toBe(0);
});

test("a full Redis accepts no more messages; existing ones are read and removed", async () => {
  const { redis, one } = await begin();
  await one.add(inbox, message("1", { event: "a" }), kept);
  await redis.command("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction");
  await expect(one.add(inbox, message("2"), kept)).rejects.toThrow(/is full \(maxmemory\)/);
  expect(await bodies(one)).toEqual(["1"]);
  expect(await one.get(inbox, `msg_${messages - 1}`, kept)).toMatchObject({ event: "a" });
  expect(await one.stats(inbox, kept)).toMatchObject({ messages: 1 });
  await one.remove(inbox);
  expect(await redis.command("DBSIZE")).toBe(0);
});

test("an emptied Redis accepts nothing, and reports nothing as missing", async () => {
  const { redis } = await begin();
  const connection = await connect(redis.url, "p:");
  const marker = await openMarker(connection);
  const store = createRedisInbox({ ...connection, marker });
  await store.add(inbox, message("1"), kept);
  await redis.command("FLUSHALL");
  for (const act of [
    () => store.add(inbox, message("2"), kept),
    () => store.read(inbox, { limit: 1, kept }),
    () => store.get(inbox, "msg_1", kept),
    () => store.stats(inbox, kept),
  ])
    await expect(act()).rejects.toThrow(/was emptied: the mark of the store/);
  expect(await redis.command("DBSIZE")).toBe(0);
  await redis.command("SET", "p:store:4", '{"v":1,"id":"restored"}');
  expect(await store.add(inbox, message("3"), kept)).toBe(false);
});

test("messages that Redis evicted are skipped", async () => {
  const { redis, one } = await begin();
  for (let n = 0; n < 5; n++) await one.add(inbox, message(`${n}`, { id: `msg_x${n}` }), kept);
  for (const n of [0, 1, 3]) await redis.command("DEL", `p:inbox:${inbox}:m:msg_x${n}`);
  expect(await bodies(one)).toEqual(["2", "4"]);
  const [first] = await one.read(inbox, { limit: 1, kept });
  expect(first?.id).toBe("msg_x2");
  for (const n of [2, 4]) await redis.command("DEL", `p:inbox:${inbox}:m:msg_x${n}`);
  expect(await bodies(one)).toEqual([]);
});

test("kill -9 of Redis while messages arrive, with appendfsync always: every acknowledged message is stored, in order", async () => {
  const { redis, one, other } = await begin(["--appendonly", "yes", "--appendfsync", "always"]);
  const many = { ...kept, messages: 100_000 };
  const received: string[][] = [[], []];
  let going = true;
  const receive = async (store: InboxStore, mine: string[]): Promise<void> => {
    for (let n = 0; going; n++) {
      const fresh = message("x".repeat(n % 2000), { event: `event ${messages}` });
      await store.add(inbox, fresh, many).then(
        () => mine.push(fresh.id),
        () => new Promise((resolve) => setTimeout(resolve, 20)),
      );
    }
  };
  const both = [receive(one, received[0] as string[]), receive(other, received[1] as string[])];
  const fewest = (): number => Math.min(...received.map(({ length }) => length));
  const progress = async (): Promise<void> => {
    const count = fewest();
    await expect.poll(fewest).toBeGreaterThan(count + 30);
  };
  for (let round = 0; round < 3; round++) {
    await progress();
    await redis.kill();
    await redis.start();
  }
  await progress();
  going = false;
  await Promise.all(both);
  const found = (await one.read(inbox, { limit: 1e6, kept: many })).map(({ id }) => id);
  expect(new Set(found).size).toBe(found.length);
  for (const mine of received) {
    const known = new Set(mine);
    expect(found.filter((id) => known.has(id))).toEqual(mine);
  }
});
