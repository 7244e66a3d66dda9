import { describe, expect, it } from "vitest";
import type { Principal } from "../../../src/catalog/principal.ts";
import { createLimits } from "../../../src/services/access/limits.ts";
import type { StoreOptions } from "../../../src/storage/storage.ts";
import { type drivers, optionsOf, redisOptions, sharedRedis } from "./drivers.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

// The ceilings of wider networks of IPv6, over every driver: an address has 100, a /56 400, and a /48 1,600 an hour.
let site = 0;
/** Another /48 for each test. */
const newSite = (): string => `2001:db8:${(site += 1).toString(16)}`;

const anonymous = (ip: string): Principal => ({ kind: "anonymous", ip });

async function open(driver: (typeof drivers)[number], options: Partial<StoreOptions> = {}) {
  const { store } = await openTestStore({
    ...(await optionsOf(driver)),
    runtime: testRuntime({ monotonic: () => performance.now() }),
    ...options,
  });
  const limits = createLimits({ store, runtime: testRuntime({ now: Date.now }) });
  const spend = async (ip: string, count: number): Promise<number> => {
    const all = await Promise.all(Array.from({ length: count }, () => limits.consume(anonymous(ip))));
    return all.filter(({ allowed }) => allowed).length;
  };
  return { store, limits, spend };
}

describe.each(["memory", "file", "redis"] as const)("with the %s driver", (driver) => {
  it("a /56 has four times the limit of an address, whichever of its networks ask", async () => {
    const { spend } = await open(driver);
    const home = newSite();
    for (let n = 0; n < 4; n++) expect(await spend(`${home}:${n}::1`, 101)).toBe(100);
    expect(await spend(`${home}:4::1`, 1)).toBe(0);
    expect(await spend(`${home}:ff::1`, 1)).toBe(0);
    expect(await spend(`${home}:100::1`, 1)).toBe(1);
  });

  it("a /48 has sixteen times the limit of an address, exactly, also at the same time", async () => {
    const { spend } = await open(driver);
    const home = newSite();
    const networks = Array.from({ length: 40 }, (_, n) => `${home}:${(n * 0x80).toString(16)}::1`);
    let allowed = 0;
    // Few enough at a time for Redis to answer in time on a busy machine.
    for (let at = 0; at < networks.length; at += 5)
      for (const count of await Promise.all(networks.slice(at, at + 5).map((ip) => spend(ip, 60))))
        allowed += count;
    expect(allowed).toBe(1600);
    expect(await spend(`${home}:fff0::1`, 1)).toBe(0);
    expect(await spend(`${newSite()}:1::1`, 1)).toBe(1);
    expect(await spend("198.51.100.1", 1)).toBe(1);
  });

  it("the quota that a caller sees is the least that is left, and a refused call counts nowhere", async () => {
    const { limits, spend } = await open(driver);
    const home = newSite();
    for (let n = 0; n < 3; n++) await spend(`${home}:${n}::1`, 100);
    await spend(`${home}:3::1`, 90);
    const last = await limits.consume(anonymous(`${home}:4::1`), 4);
    expect(last).toMatchObject({ allowed: true, quota: { limit: 100, used: 94, remaining: 6 } });
    expect(await limits.consume(anonymous(`${home}:4::1`), 7)).toMatchObject({
      allowed: false,
      quota: { limit: 100, remaining: 6 },
    });
    expect(await limits.consume(anonymous(`${home}:5::1`), 6)).toMatchObject({
      allowed: true,
      quota: { remaining: 0 },
    });
    expect(await limits.consume(anonymous(`${home}:6::1`))).toMatchObject({ allowed: false });
  });

  it("points that are given back are given back to all networks", async () => {
    const { store, spend } = await open(driver);
    const home = newSite();
    for (let n = 0; n < 4; n++) await spend(`${home}:${n}::1`, 100);
    const id = `ip:${["2001", "0db8", site.toString(16).padStart(4, "0"), "0000"].join("")}`;
    await store.counters.giveBack(id, 30);
    expect(await spend(`${home}:9::1`, 40)).toBe(30);
  });

  it("the factor is an option, and 256 is no ceiling", async () => {
    const { spend } = await open(driver, { ipv6Factor: 1 });
    const home = newSite();
    expect(await spend(`${home}:1::1`, 60)).toBe(60);
    expect(await spend(`${home}:2::1`, 60)).toBe(40);
    expect(await spend(`${home}:a000::1`, 1)).toBe(0);
    const free = await open(driver, { ipv6Factor: 256 });
    const other = newSite();
    for (let n = 0; n < 20; n++) expect(await free.spend(`${other}:${n}::1`, 101)).toBe(100);
  });
});

it("the counts of networks survive a restart", async () => {
  const path = makeFolder();
  const first = await open("file", { path });
  const home = newSite();
  for (let n = 0; n < 4; n++) await first.spend(`${home}:${n}::1`, 100);
  await first.store.close();
  const second = await open("file", { path });
  expect(await second.spend(`${home}:4::1`, 1)).toBe(0);
  expect(await second.spend(`${home}:100::1`, 1)).toBe(1);
});

it("two nodes on one Redis share the ceiling of a network", async () => {
  const redis = redisOptions((await sharedRedis()).url);
  const nodes = [await open("redis", { redis }), await open("redis", { redis })];
  const home = newSite();
  const allowed = await Promise.all(
    Array.from({ length: 10 }, (_, n) => nodes[n % 2]?.spend(`${home}:${n}::1`, 60)),
  );
  expect(allowed.reduce((sum, count = 0) => (sum ?? 0) + count, 0)).toBe(400);
});
