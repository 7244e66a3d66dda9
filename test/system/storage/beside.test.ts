import { describe, expect, test } from "vitest";
import type { Counted, Store } from "../../../src/storage/storage.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";
import { drivers, optionsOf } from "./drivers.ts";

// A request may have to fit under two limits: that of its account, and one of its key.

const acme = "account:acme";
const idOf = (key: string): string => `account:acme:key_${key.repeat(20)}`;
const ofKey = (key: string, limit: number) => [{ id: idOf(key), limit }];

async function open(driver: (typeof drivers)[number]): Promise<Store["counters"]> {
  const runtime = testRuntime({ now: Date.now, monotonic: () => performance.now() });
  return (await openTestStore({ ...(await optionsOf(driver)), runtime })).store.counters;
}

const usesOf = async (counters: Store["counters"], ...keys: string[]): Promise<(number | undefined)[]> =>
  Promise.all([acme, ...keys.map(idOf)].map(async (id) => (await counters.peek(id))?.used));

describe.each(drivers)("a counter beside that of the account, with the %s driver,", (driver) => {
  test("counts with it, and is charged for nothing that the account refuses", async () => {
    const counters = await open(driver);
    expect(await counters.consume(acme, 4, 10, ofKey("a", 100))).toMatchObject({
      allowed: true,
      used: 4,
      beside: [{ used: 4 }],
    });
    expect(await counters.consume(acme, 7, 10, ofKey("a", 100))).toMatchObject({
      allowed: false,
      used: 4,
      beside: [{ used: 4 }],
    });
    expect(await counters.consume(acme, 6, 10, ofKey("b", 100))).toMatchObject({
      allowed: true,
      used: 10,
      beside: [{ used: 6 }],
    });
    expect((await counters.consume(acme, 1, 10, ofKey("a", 100))).allowed).toBe(false);
    expect(await usesOf(counters, "a", "b")).toEqual([10, 4, 6]);
  });

  test("refuses by itself, charges the account for nothing then, and holds no other key back", async () => {
    const counters = await open(driver);
    expect((await counters.consume(acme, 3, 100, ofKey("a", 3))).allowed).toBe(true);
    expect(await counters.consume(acme, 1, 100, ofKey("a", 3))).toMatchObject({
      allowed: false,
      used: 3,
      beside: [{ used: 3 }],
    });
    expect(await counters.consume(acme, 2, 100, ofKey("a", 3))).toMatchObject({ allowed: false, used: 3 });
    expect((await counters.consume(acme, 1, 100, ofKey("b", 3))).allowed).toBe(true);
    expect((await counters.consume(acme, 1, 100)).used).toBe(5);
    expect(counters.seen(acme)?.used).toBe(5);
    // A raised limit holds for the next request.
    expect((await counters.consume(acme, 1, 100, ofKey("a", 4))).allowed).toBe(true);
    expect(await usesOf(counters, "a", "b")).toEqual([6, 4, 1]);
  });

  test("is exact for requests at the same time, whichever limit they meet first", async () => {
    const counters = await open(driver);
    const all: Counted[] = [];
    const ask = async (key: string, limit: number, count: number): Promise<number> => {
      const asked = Array.from({ length: count }, () => counters.consume(acme, 1, 100, ofKey(key, limit)));
      const answers = await Promise.all(asked);
      all.push(...answers);
      return answers.filter(({ allowed }) => allowed).length;
    };
    expect(await Promise.all([ask("a", 30, 50), ask("b", 60, 80)])).toEqual([30, 60]);
    expect(await Promise.all([ask("a", 30, 5), ask("c", 60, 40)])).toEqual([0, 10]);
    expect(await usesOf(counters, "a", "b", "c")).toEqual([100, 30, 60, 10]);
    // Each of those that were allowed has a number of its own.
    const numbers = all.filter(({ allowed }) => allowed).map(({ used }) => used);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(all.filter(({ allowed }) => !allowed).every(({ used }) => used <= 100)).toBe(true);
  });
});

test("both counters survive a restart of a folder", async () => {
  const options = { driver: "file", path: makeFolder() } as const;
  const first = await openTestStore(options);
  await first.store.counters.consume(acme, 2, 10, ofKey("a", 5));
  await first.store.close();
  const second = await openTestStore(options);
  expect(await second.store.counters.consume(acme, 4, 10, ofKey("a", 5))).toMatchObject({
    allowed: false,
    used: 2,
    beside: [{ used: 2 }],
  });
});
