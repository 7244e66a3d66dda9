import { expect, onTestFinished, test, vi } from "vitest";
import { StoreError } from "../../../../src/storage/errors.ts";
import { createRedisCounters } from "../../../../src/storage/redis/counters.ts";
import { createGuard } from "../../../../src/storage/redis/guard.ts";
import type { HourCount } from "../../../../src/storage/redis/hour-limiters.ts";
import { testRuntime } from "../../../support/runtime.ts";

const id = "account:acme";

/** Counters on a Redis whose answers the test controls. */
function open() {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  });
  onTestFinished(() => void vi.useRealTimers());
  const sent: { points: number; answer(): void; lose(): void }[] = [];
  const redis = { connected: true, used: 0 };
  const guard = createGuard({
    disconnected: () => (redis.connected ? undefined : new Error("it is gone")),
    explain: (operation, cause) => new StoreError(operation, String((cause as Error).message), cause),
    probe: async () => {},
    runtime: testRuntime({ monotonic: () => performance.now() }),
    idle: () => performance.now(),
    onChange: () => {},
  });
  onTestFinished(() => guard.close());
  const count = (points: number): Promise<HourCount> =>
    new Promise((resolve, reject) => {
      const answer = (): void => {
        redis.used += points;
        resolve({ used: redis.used, msLeft: 3_600_000, beside: [] });
      };
      sent.push({ points, answer, lose: () => reject(new Error("the connection is lost")) });
    });
  const counters = createRedisCounters({
    limiters: {
      consume: (_id, points) => count(points),
      giveBack: async (_id, points) => void (await count(-points)),
      get: async () => undefined,
      delete: async () => {},
    },
    guard,
    mode: "share",
    nodes: () => 1,
    runtime: testRuntime({ now: () => Date.now(), monotonic: () => performance.now() }),
    onDegraded: () => {},
    onError: () => {},
  });

  /** Admits three requests while Redis is away, and returns when it is back. */
  async function owe(): Promise<void> {
    redis.connected = false;
    for (let n = 0; n < 3; n++) expect(await counters.consume(id, 1, 100)).toMatchObject({ allowed: true });
    expect(guard.up).toBe(false);
    redis.connected = true;
    await vi.advanceTimersByTimeAsync(400);
    expect(guard.up).toBe(true);
  }

  return { counters, redis, sent, owe };
}

test("a debt whose answer arrives late is counted once", async () => {
  const { counters, redis, sent, owe } = open();
  await owe();
  await counters.settleDebts();
  await vi.advanceTimersByTimeAsync(500);
  await counters.settleDebts();
  expect(sent.map(({ points }) => points)).toEqual([3]);
  sent[0]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  await counters.settleDebts();
  expect(sent).toHaveLength(1);
  expect(redis.used).toBe(3);
});

test("a debt that is late and then loses its connection is sent again", async () => {
  const { counters, redis, sent, owe } = open();
  await owe();
  await counters.settleDebts();
  await vi.advanceTimersByTimeAsync(500);
  sent[0]?.lose();
  await vi.advanceTimersByTimeAsync(0);
  await counters.settleDebts();
  expect(sent.map(({ points }) => points)).toEqual([3, 3]);
  sent[1]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(redis.used).toBe(3);
});

test("without Redis all addresses of a network together get its ceiling, and it is counted later", async () => {
  const { counters, redis, sent } = open();
  redis.connected = false;
  const ask = async (address: number, count: number): Promise<number> => {
    const asked = Array.from({ length: count }, () =>
      counters.consume(`ip:20010db80001000${address}`, 1, 100).then(
        () => 1,
        () => 0,
      ),
    );
    return (await Promise.all(asked)).reduce<number>((sum, one) => sum + one, 0);
  };
  for (const address of [0, 1, 2]) expect(await ask(address, 110)).toBe(100);
  expect(await ask(3, 60)).toBe(60);
  expect(await ask(4, 60)).toBe(40);
  expect(await ask(5, 1)).toBe(0);
  redis.connected = true;
  await vi.advanceTimersByTimeAsync(400);
  void counters.settleDebts();
  expect(sent.map(({ points }) => points).toSorted()).toEqual([100, 100, 100, 40, 60]);
});

test("without Redis a counter beside the account's has its share too, and both are counted later", async () => {
  const { counters, redis, sent } = open();
  redis.connected = false;
  const ask = (key: string, limit: number) =>
    counters.consume(id, 1, 5, [{ id: `${id}:${key}`, limit }]).then(
      ({ beside }) => beside?.[0]?.used,
      () => "refused",
    );
  expect(await ask("a", 2)).toBe(1);
  expect(await ask("a", 2)).toBe(2);
  expect(await ask("a", 2)).toBe("refused");
  for (let n = 1; n <= 3; n++) expect(await ask("b", 9)).toBe(n);
  expect(await ask("b", 9)).toBe("refused");
  redis.connected = true;
  await vi.advanceTimersByTimeAsync(400);
  void counters.settleDebts();
  expect(sent.map(({ points }) => points).toSorted()).toEqual([2, 3, 5]);
});
