import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createResolver, type Lookup } from "../../../src/services/webhooks/resolve.ts";

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
  const resolve = createResolver({ lookup, monotonic: () => Date.now() });
  return { lookup, resolve, last: () => waiting.at(-1) as (typeof waiting)[number] };
}

test("a name is asked for once by all who ask at the same time, and again by the next", async () => {
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

test("a silent name server is not waited for where the name was known, and what it says at last counts", async () => {
  const { lookup, resolve, last } = openServer();
  const first = resolve("a.example");
  last().resolve(at("192.0.2.1"));
  await first;
  const second = resolve("a.example");
  await vi.advanceTimersByTimeAsync(999);
  expect(await Promise.race([second, "waits"])).toBe("waits");
  await vi.advanceTimersByTimeAsync(1);
  expect(await second).toEqual(at("192.0.2.1"));
  // The question is still open, and nobody asks it twice.
  const third = resolve("a.example");
  expect(lookup).toHaveBeenCalledTimes(2);
  last().resolve(at("192.0.2.2"));
  expect(await third).toEqual(at("192.0.2.2"));
  expect(vi.getTimerCount()).toBe(0);
});

test("a name that was never known, or long ago, is waited for", async () => {
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

test("an answer that there is no such name is an answer, and a failed question is asked again", async () => {
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

test("a question that fails after everybody has gone on troubles nobody", async () => {
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

test("names of any number are remembered in bounded room", async () => {
  const lookup = vi.fn<Lookup>(async () => at("192.0.2.1"));
  const resolve = createResolver({ lookup, monotonic: () => Date.now() });
  for (let index = 0; index < 1001; index++) await resolve(`${index}.example`);
  lookup.mockReturnValue(new Promise(() => {}));
  // The newest is there, those before made room for it.
  const newest = resolve("1000.example");
  const oldest = resolve("0.example");
  await vi.advanceTimersByTimeAsync(1000);
  expect(await newest).toEqual(at("192.0.2.1"));
  expect(await Promise.race([oldest, "waits"])).toBe("waits");
});

test("a name with thousands of addresses takes up no room", async () => {
  const many = (count: number) => Array.from({ length: count }, () => at("192.0.2.1")).flat();
  const lookup = vi.fn<Lookup>(async (name) => many(Number(name)));
  const resolve = createResolver({ lookup, monotonic: () => Date.now() });
  for (const count of [64, 65]) expect(await resolve(String(count))).toHaveLength(count);
  lookup.mockReturnValue(new Promise(() => {}));
  const [few, thousands] = [resolve("64"), resolve("65")];
  await vi.advanceTimersByTimeAsync(1000);
  expect(await few).toHaveLength(64);
  expect(await Promise.race([thousands, "waits"])).toBe("waits");
});
