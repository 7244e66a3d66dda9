import { expect, test } from "vitest";
import type { Principal } from "../../../../src/catalog/principal.ts";
import { createLimits, type Limits } from "../../../../src/services/access/limits.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { redisOptions, sharedRedis } from "../../storage/drivers.ts";
import { account } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";

// The record of the account and the count are requested at once: the limit in the record then decides.
const acme: Principal = { kind: "key", account: "acme", plan: "team", keyId: "key_a" };

async function openNode(): Promise<{ store: Store; other: Store; limits: Limits; later(): void }> {
  const redis = redisOptions((await sharedRedis()).url);
  let time = Date.now();
  const now = () => time;
  const { store } = await openTestStore({ driver: "redis", redis, runtime: testRuntime({ now }) });
  // It is changed on another node: this one learns of it by reading again.
  const { store: other } = await openTestStore({ driver: "redis", redis, runtime: testRuntime({ now }) });
  return {
    store,
    other,
    limits: createLimits({ store, runtime: testRuntime({ now }) }),
    later: () => void (time += 500),
  };
}

const withLimit = (limit: number) => account("acme", { plan: "team", limit });
const counted = async (store: Store): Promise<number | undefined> =>
  (await store.counters.peek("account:acme"))?.used;

test("an account that is new to this node is counted in the first round trip, and refused by its own limit", async () => {
  const { other, limits } = await openNode();
  await other.accounts.set("acme", withLimit(10_000));
  await other.counters.consume("account:acme", 9_990);
  expect(await limits.consume(acme, 19)).toMatchObject({
    allowed: false,
    quota: { limit: 10_000, used: 9_990, remaining: 10 },
  });
  // What was counted before the limit was known is returned.
  await expect.poll(() => counted(other)).toBe(9_990);
  expect(await limits.consume(acme, 10)).toMatchObject({
    allowed: true,
    quota: { used: 10_000, remaining: 0 },
  });
});

test("a limit raised on another node already applies to the request that reads it", async () => {
  const { other, limits, later } = await openNode();
  await other.accounts.set("acme", withLimit(10_000));
  expect(await limits.consume(acme, 10_000)).toMatchObject({ allowed: true });
  expect(await limits.consume(acme)).toMatchObject({ allowed: false });
  await other.accounts.set("acme", withLimit(20_000));
  later();
  expect(await limits.consume(acme)).toMatchObject({ allowed: true, quota: { limit: 20_000, used: 10_001 } });
  expect(await counted(other)).toBe(10_001);
});

test("a limit lowered on another node already refuses the request that reads it, and does not count it", async () => {
  const { other, limits, later } = await openNode();
  await other.accounts.set("acme", withLimit(20_000));
  expect(await limits.consume(acme, 15_000)).toMatchObject({ allowed: true });
  await other.accounts.set("acme", withLimit(10_000));
  later();
  expect(await limits.consume(acme)).toMatchObject({
    allowed: false,
    quota: { limit: 10_000, remaining: 0 },
  });
  await expect.poll(() => counted(other)).toBe(15_000);
});

test("an account deleted on another node gets the limit of the free plan", async () => {
  const { other, limits, later } = await openNode();
  await other.accounts.set("acme", withLimit(10_000));
  expect(await limits.consume(acme, 100)).toMatchObject({ allowed: true, quota: { limit: 10_000 } });
  await other.accounts.remove("acme");
  later();
  expect(await limits.consume(acme)).toMatchObject({ allowed: false, quota: { limit: 100 } });
});
