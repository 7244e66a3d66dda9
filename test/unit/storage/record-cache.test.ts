import { expect, test } from "vitest";
import { createRecordCache } from "../../../src/storage/record-cache.ts";
import { testRuntime } from "../../support/runtime.ts";

/** A cache over reads that the test answers one by one. */
function createSlowCache(staleMs = 10_000) {
  const clock = { now: 1_000_000 };
  const reads: PromiseWithResolvers<string | undefined>[] = [];
  const read = () => {
    const asked = Promise.withResolvers<string | undefined>();
    reads.push(asked);
    return asked.promise;
  };
  return {
    clock,
    reads,
    cache: createRecordCache({ read, runtime: testRuntime({ monotonic: () => clock.now }), staleMs }),
  };
}

test("a read that began before a write of ours neither returns the old record nor restores it", async () => {
  const { cache, reads } = createSlowCache();
  const early = cache.lookup("a");
  cache.put("a", "revoked");
  reads[0]?.resolve("live");
  expect(await early).toBe("revoked");
  expect(cache.lookup("a")).toBe("revoked");
});

test("a read that began during a write is not cached after it", async () => {
  const { cache, reads } = createSlowCache();
  cache.put("a", "live");
  cache.forget("a");
  const during = cache.lookup("a");
  cache.put("a", "revoked");
  reads[0]?.resolve("live");
  expect(await during).toBe("revoked");
  expect(cache.lookup("a")).toBe("revoked");
});

test("concurrent readers share one read, and its failure", async () => {
  const { cache, reads } = createSlowCache();
  const asked = [cache.lookup("a"), cache.lookup("a"), cache.lookup("a")];
  expect(reads).toHaveLength(1);
  reads[0]?.reject(new Error("down"));
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  void cache.lookup("a");
  expect(reads).toHaveLength(2);
});

test("freshness counts from the start of the read, not from its answer", async () => {
  const { cache, reads, clock } = createSlowCache();
  const asked = cache.lookup("a");
  clock.now += 400;
  reads[0]?.resolve("value");
  await asked;
  clock.now += 99;
  expect(cache.lookup("a")).toBe("value");
  clock.now += 1;
  expect(cache.lookup("a")).toBeInstanceOf(Promise);
});

test("a clock that is set back makes every entry stale", async () => {
  const { cache, clock } = createSlowCache();
  cache.put("a", "value");
  cache.put("gone", undefined);
  clock.now -= 3_600_000;
  expect(cache.lookup("a")).toBeInstanceOf(Promise);
  expect(cache.lookup("gone")).toBeInstanceOf(Promise);
});

test("while the store is down it is asked once every 500 ms, not for every request", async () => {
  const { cache, reads, clock } = createSlowCache();
  cache.put("a", "value");
  clock.now += 500;
  const asked = cache.lookup("a");
  reads[0]?.reject(new Error("down"));
  expect(await asked).toBe("value");
  clock.now += 499;
  expect(cache.lookup("a")).toBe("value");
  expect(reads).toHaveLength(1);
  clock.now += 1;
  void cache.lookup("a");
  expect(reads).toHaveLength(2);
});
