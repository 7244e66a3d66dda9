import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createResolver, type Lookup } from "../../../../src/services/webhooks/resolve.ts";
import { testRuntime } from "../../../support/runtime.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const at = (address: string) => [{ address, family: 4 }];

/** A name server that answers when the test says so. */
function openServer() {
  const waiting: PromiseWithResolvers<ReturnType<typeof at>>[] = [];
  const lookup = vi.fn<Lookup>(() => {
    const answer = Promise.withResolvers<ReturnType<typeof at>>();
    waiting.push(answer);
    return answer.promise;
  });
  const resolve = createResolver({ lookup, runtime: testRuntime({ monotonic: () => Date.now() }) });
  return { lookup, resolve, last: () => waiting.at(-1) as (typeof waiting)[number] };
}

test("concurrent callers share one query, and the next caller sends another", async () => {
  const { lookup, resolve, last } = openServer();
  const all = Array.from({ length: 50 }, () => resolve("a.example"));
  expect(lookup).toHaveBeenCalledTimes(1);
  last().resolve(at("192.0.2.1"));
  expect(await Promise.all(all)).toEqual(Array(50).fill(at("192.0.2.1")));
  const next = resolve("a.example");
  expect(lookup).toHaveBeenCalledTimes(2);
  last().resolve(at("192.0.2.2"));
  expect(await next).toEqual(at("192.0.2.2"));
});

test("a known name does not wait for a silent name server, and a late answer counts", async () => {
  const { lookup, resolve, last } = openServer();
  const first = resolve("a.example");
  last().resolve(at("192.0.2.1"));
  await first;
  const second = resolve("a.example");
  await vi.advanceTimersByTimeAsync(999);
  expect(await Promise.race([second, "waits"])).toBe("waits");
  await vi.advanceTimersByTimeAsync(1);
  expect(await second).toEqual(at("192.0.2.1"));
  // The query is still open, and is not sent twice.
  const third = resolve("a.example");
  expect(lookup).toHaveBeenCalledTimes(2);
  last().resolve(at("192.0.2.2"));
  expect(await third).toEqual(at("192.0.2.2"));
  expect(vi.getTimerCount()).toBe(0);
});

test("an unknown or expired name waits for the answer", async () => {
  const { resolve, last } = openServer();
  const first = resolve("a.example");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await Promise.race([first, "waits"])).toBe("waits");
  last().resolve(at("192.0.2.1"));
  await first;
  await vi.advanceTimersByTimeAsync(600_001);
  const second = resolve("a.example");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await Promise.race([second, "waits"])).toBe("waits");
});

test("NXDOMAIN is an answer; a failed query is sent again", async () => {
  const { lookup, resolve, last } = openServer();
  const first = resolve("a.example");
  last().resolve(at("192.0.2.1"));
  await first;
  const second = resolve("a.example");
  last().reject(new Error("ENOTFOUND"));
  await expect(second).rejects.toThrow("ENOTFOUND");
  const third = resolve("a.example");
  expect(lookup).toHaveBeenCalledTimes(3);
  last().resolve(at("192.0.2.3"));
  expect(await third).toEqual(at("192.0.2.3"));
});

test("a query that fails after every caller has gone on has no effect", async () => {
  const { resolve, last } = openServer();
  const first = resolve("a.example");
  last().resolve(at("192.0.2.1"));
  await first;
  const second = resolve("a.example");
  await vi.advanceTimersByTimeAsync(1000);
  expect(await second).toEqual(at("192.0.2.1"));
  // An unhandled rejection would end the run.
  last().reject(new Error("EAI_AGAIN"));
  await vi.advanceTimersByTimeAsync(1);
});

test("the cache of names is bounded", async () => {
  const lookup = vi.fn<Lookup>(async () => at("192.0.2.1"));
  const resolve = createResolver({ lookup, runtime: testRuntime({ monotonic: () => Date.now() }) });
  for (let index = 0; index < 1001; index++) await resolve(`${index}.example`);
  lookup.mockReturnValue(new Promise(() => {}));
  // The newest is cached, earlier ones were evicted.
  const newest = resolve("1000.example");
  const oldest = resolve("0.example");
  await vi.advanceTimersByTimeAsync(1000);
  expect(await newest).toEqual(at("192.0.2.1"));
  expect(await Promise.race([oldest, "waits"])).toBe("waits");
});

test("a name with thousands of addresses uses little memory", async () => {
  const many = (count: number) => Array.from({ length: count }, () => at("192.0.2.1")).flat();
  const lookup = vi.fn<Lookup>(async (name) => many(Number(name)));
  const resolve = createResolver({ lookup, runtime: testRuntime({ monotonic: () => Date.now() }) });
  for (const count of [64, 65]) expect(await resolve(String(count))).toHaveLength(count);
  lookup.mockReturnValue(new Promise(() => {}));
  const [few, thousands] = [resolve("64"), resolve("65")];
  await vi.advanceTimersByTimeAsync(1000);
  expect(await few).toHaveLength(64);
  expect(await Promise.race([thousands, "waits"])).toBe("waits");
});
