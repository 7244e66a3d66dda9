import { expect, test } from "vitest";
import { sizeOf } from "../../../../src/storage/inbox/inbox-store.ts";
import { createRedisInbox } from "../../../../src/storage/redis/inbox.ts";
import { sharedCluster, sharedRedis } from "../drivers.ts";
import {
  describeInboxStore,
  inboxId,
  largeMessage,
  knowing,
} from "../../../unit/storage/inbox/conformance.ts";
import { connect } from "./connection.ts";

let prefixes = 0;

describeInboxStore("Redis", async ({ now }) => {
  const connection = await connect((await sharedRedis()).url, `penknife:inbox${++prefixes}:`);
  return createRedisInbox({ ...connection, time: now });
});

describeInboxStore("a cluster", async ({ now }) => {
  const connection = await connect((await sharedCluster()).url, `penknife:inbox${++prefixes}:`);
  return createRedisInbox({ ...connection, time: now });
});

test("messages stored before sizes were kept are read, counted and dropped", async () => {
  const server = await sharedRedis();
  const prefix = `penknife:inbox${++prefixes}:`;
  const connection = await connect(server.url, prefix);
  const inbox = createRedisInbox(connection);
  const id = inboxId();
  const kept = { messages: 100, ms: 3_600_000, bytes: 1e6 };
  for (let n = 0; n < 4; n++) await inbox.add(id, largeMessage(n), kept);
  const [base, sizes] = [`${prefix}inbox:${id}:`, `${prefix}inbox:sizes`];
  expect(await server.command("DEL", `${base}size`, sizes)).toBe(2);
  const few = { ...kept, bytes: 5 * (sizeOf(largeMessage(0)) + 100) };
  expect(await inbox.read(id, { limit: 10, kept: few })).toHaveLength(4);
  expect(await inbox.stats(id, few)).toMatchObject({ messages: 4 });
  const room = { account: "acme", accountBytes: 1e6, storeBytes: 1e6 };
  await inbox.add(id, largeMessage(4), few, room);
  const [, counted] = (await server.command("HMGET", sizes, "total", "a:acme")) as string[];
  expect(Math.abs(Number(counted) - 5 * sizeOf(largeMessage(0)))).toBeLessThan(500);
  for (let n = 5; n < 8; n++) await inbox.add(id, largeMessage(n), few, room);
  expect((await inbox.read(id, { limit: 10, kept: few })).map((one) => one.id)).toEqual(
    [3, 4, 5, 6, 7].map((n) => `msg_${n}`),
  );
  // A lost sum is restored.
  await server.command("HSET", sizes, "total", "7", "a:gone", "9");
  await inbox.sweep?.(knowing(id), few);
  expect(await server.command("HKEYS", sizes)).toEqual(
    expect.arrayContaining([`i:${id}`, "a:acme", "total"]),
  );
  expect(await server.command("HEXISTS", sizes, "a:gone")).toBe(0);
  expect(await server.command("HGET", sizes, "total")).toBe(await server.command("HGET", sizes, "a:acme"));
  await inbox.remove(id);
  expect(await server.command("EXISTS", sizes, `${base}size`)).toBe(0);
});
