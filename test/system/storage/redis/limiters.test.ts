import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createHourLimiters, type HourLimiters } from "../../../../src/storage/redis/hour-limiters.ts";
import { type RedisServer, startRedis } from "../redis-server.ts";

let redis: RedisServer;
let client: Redis;
let limiters: HourLimiters;
const name = "p:count:account:acme";
const id = "account:acme";
const hour = 3_600_000;

beforeAll(async () => {
  redis = await startRedis();
  client = new Redis(redis.url, { enableAutoPipelining: true });
  // While the server is away.
  client.on("error", () => {});
  limiters = createHourLimiters({ client, prefix: "p:" });
});
beforeEach(() => client.flushall());
afterAll(async () => {
  client.disconnect();
  await redis.close();
});

const stored = async (): Promise<[number, number]> => [
  Number(await client.get(name)),
  await client.pttl(name),
];

test("the window begins with the first point and ends an hour later, whatever happens in between", async () => {
  const first = await limiters.consume(id, 1, 10, false);
  expect(first).toEqual({ used: 1, msLeft: hour, beside: [] });
  await client.pexpire(name, 5_000);
  const second = await limiters.consume(id, 2, 10, true);
  expect(second.used).toBe(3);
  expect(second.msLeft).toBeLessThanOrEqual(5_000);
  await limiters.giveBack(id, 1);
  const [used, left] = await stored();
  expect(used).toBe(2);
  expect(left).toBeLessThanOrEqual(5_000);
});

test("single points are counted as far as they fit, others all or none", async () => {
  expect((await limiters.consume(id, 7, 10, false)).used).toBe(7);
  expect((await limiters.consume(id, 5, 10, true)).used).toBe(12);
  expect((await stored())[0]).toBe(7);
  expect((await limiters.consume(id, 5, 10, false)).used).toBe(12);
  expect((await stored())[0]).toBe(10);
  expect((await limiters.consume(id, 3, 10, false)).used).toBe(13);
  expect((await stored())[0]).toBe(10);
});

test("a refusal of the first points starts no window", async () => {
  expect(await limiters.consume(id, 11, 10, true)).toEqual({ used: 11, msLeft: 0, beside: [] });
  expect(await client.exists(name)).toBe(0);
});

test("a limit below the current count counts nothing and subtracts nothing", async () => {
  await limiters.consume(id, 7, 10, true);
  expect((await limiters.consume(id, 1, 5, false)).used).toBe(8);
  expect((await limiters.consume(id, 1, 5, true)).used).toBe(8);
  expect((await stored())[0]).toBe(7);
});

test("refunds stop at zero, and never touch a window that is over", async () => {
  await limiters.consume(id, 3, 10, true);
  await limiters.giveBack(id, 2);
  expect((await stored())[0]).toBe(1);
  await limiters.giveBack(id, 5);
  expect((await stored())[0]).toBe(0);
  await client.del(name);
  await limiters.giveBack(id, 5);
  expect(await client.exists(name)).toBe(0);
});

test("a count made permanent by hand still ends after an hour", async () => {
  await client.set(name, 4);
  expect(await limiters.consume(id, 1, 10, false)).toEqual({ used: 5, msLeft: hour, beside: [] });
  expect((await stored())[1]).toBeGreaterThan(hour - 10_000);
});

test("without a limit everything is counted", async () => {
  expect((await limiters.consume(id, 19, Infinity, true)).used).toBe(19);
  expect((await limiters.consume(id, 1, Infinity, false)).used).toBe(20);
});

test("a value that is not a number is an error, not a count", async () => {
  await client.set(name, "many");
  await expect(limiters.consume(id, 1, 10, false)).rejects.toThrow(/script/i);
  await client.del(name);
  await client.lpush(name, 1);
  await expect(limiters.consume(id, 1, 10, false)).rejects.toThrow(/WRONGTYPE/);
});

test("scripts that Redis has lost are sent again, among many other commands", async () => {
  const count = () =>
    Promise.all(Array.from({ length: 50 }, (_, n) => limiters.consume(`ip:${n % 5}`, 1, 1_000, false)));
  await count();
  await redis.stop();
  await redis.start();
  await expect.poll(() => client.status).toBe("ready");
  const used = (await count()).map((one) => one.used).toSorted((a, b) => a - b);
  expect(used).toEqual(Array.from({ length: 50 }, (_, n) => Math.floor(n / 5) + 1));
});
