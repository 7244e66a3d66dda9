import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Finding } from "../../../../src/services/doctor/finding.ts";
import { checkClockOf, checkLatency, checkRedis } from "../../../../src/services/doctor/redis.ts";
import { redisOptions } from "../../storage/drivers.ts";
import { type RedisServer, startRedis } from "../../storage/redis-server.ts";
import { account, key } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";
import {
  troubles as allTroubles,
  deps,
  findingOf,
  settings,
} from "../../../unit/services/doctor/settings.ts";

let redis: RedisServer;
beforeAll(async () => void (redis = await startRedis(["--appendonly", "yes", "--appendfsync", "no"])));
afterAll(() => redis.close());

/** @param now The clock of this machine. */
const check = (url = redis.url, now = Date.now) =>
  checkRedis(
    settings({ storage: { driver: "redis", url } }).storage,
    deps({ runtime: testRuntime({ now, monotonic: () => performance.now() }) }),
  );

/** All troubles but slow round trips, which a busy machine may well have. */
const troubles = (findings: readonly Finding[]) =>
  allTroubles(findings).filter((trouble) => !trouble.endsWith(" redis.latency"));

test("a healthy Redis passes, and the check writes nothing", async () => {
  const findings = await check();
  expect(troubles(findings)).toEqual(["note redis.store"]);
  expect(findings.map((finding) => finding.check)).toEqual([
    "redis.reachable",
    "redis.version",
    "redis.persistence",
    "redis.memory",
    "redis.latency",
    "redis.clock",
    "redis.store",
  ]);
  expect(await redis.command("DBSIZE")).toBe(0);
  await redis.command("SET", "penknife:store", "{}");
  expect(troubles(await check())).toEqual([]);
});

test("records and the lists of them are compared", async () => {
  const server = await startRedis(["--appendonly", "yes", "--appendfsync", "no"]);
  onTestFinished(() => server.close());
  const { store } = await openTestStore({
    driver: "redis",
    redis: redisOptions(server.url, { prefix: "penknife:" }),
  });
  const ids = Array.from({ length: 5 }, (_, n) => String(n).padStart(20, "0"));
  await store.accounts.add("acme", account("acme"));
  for (const id of ids) await store.keys.add(id, key(id, { expiresAt: "2026-12-21T00:00:00.000Z" }));
  expect(troubles(await check(server.url))).toEqual([]);
  expect(findingOf(await check(server.url), "redis.lists")).toBe("Every record is in its lists. ");
  // Records of which one list, and all lists, know nothing; entries that lead to none, or to one of another account.
  await server.command("ZREM", "penknife:list:keys:{acme}", String(ids[0]));
  for (const list of ["keys", "keys:{acme}"])
    await server.command("ZREM", `penknife:list:${list}`, String(ids[1]));
  await server.command("DEL", `penknife:keys:${ids[2]}`);
  await server.command("ZADD", "penknife:list:keys:{other}", 0, String(ids[3]));
  const found = await check(server.url);
  expect(troubles(found)).toEqual(["error redis.lists", "note redis.lists"]);
  const texts = found.filter(({ check: name }) => name === "redis.lists").map(({ message }) => message);
  expect(texts).toEqual([
    `Missing in the lists that lead to them (2 records): keys/${ids[0]}, keys/${ids[1]}.`,
    "4 entries of lists lead to no record that belongs there.",
  ]);
  expect(findingOf(found, "redis.lists")).toContain("redis-cli SET penknife:store 1");
  // The repair that it advises.
  await server.command("SET", "penknife:store", 1);
  await expect.poll(() => store.keys.count("acme"), { timeout: 60_000 }).toBeGreaterThan(4);
  await expect
    .poll(async () => troubles(await check(server.url)), { timeout: 60_000 })
    .toEqual(["note redis.lists"]);
});

test("clocks that differ", async () => {
  expect(troubles(await check(redis.url, () => Date.now() + 5000))).toContain("warning redis.clock");
  const far = await check(redis.url, () => Date.now() - 120_000);
  expect(findingOf(far, "redis.clock")).toMatch(
    /^Its clock is 1(?:19|20)\.\d seconds ahead of that of this machine: keys expire at different times/,
  );
  expect(checkClockOf(-999).level).toBe("ok");
});

test.each([
  [0.2, "ok"],
  [10, "ok"],
  [11, "warning"],
  [90, "warning"],
  [91, "error"],
])("a round trip of %s ms is %s", (ms, level) => {
  expect(checkLatency(ms).level).toBe(level);
});

describe("settings that lose keys", () => {
  const cases: [string, string[], string[], RegExp][] = [
    [
      "nothing is saved",
      [],
      ["warning redis.persistence"],
      /does not write to disk: a restart loses.* Set appendonly yes/,
    ],
    [
      "snapshots only",
      ["--save", "60", "1"],
      ["warning redis.persistence"],
      /has no append-only file.* Set appendonly yes/,
    ],
    [
      "counts may be thrown away",
      ["--appendonly", "yes", "--maxmemory-policy", "volatile-lru"],
      ["warning redis.memory"],
      /Set maxmemory-policy noeviction/,
    ],
    [
      "keys may be thrown away",
      ["--maxmemory-policy", "allkeys-lru"],
      ["error redis.reachable"],
      /allkeys-lru, which evicts keys and accounts.*Set maxmemory-policy noeviction/,
    ],
    [
      "it is full",
      ["--appendonly", "yes", "--maxmemory", "700kb"],
      ["error redis.memory"],
      /of 1 MiB \(maxmemory\): it is full\. Raise maxmemory/,
    ],
    [
      "it is a replica",
      ["--replicaof", "127.0.0.1", "1"],
      ["error redis.reachable"],
      /read-only replica\. Point storage\.url at the primary/,
    ],
  ];
  test.each(cases)("%s", async (_, args, wanted, pattern) => {
    const server = await startRedis(args);
    try {
      const findings = await check(server.url);
      expect(troubles(findings).filter((one) => one !== "note redis.store")).toEqual(wanted);
      expect(findings.map(({ message, action }) => `${message} ${action}`).join("\n")).toMatch(pattern);
    } finally {
      await server.close();
    }
  });
});

test("a disk that Redis failed to write to", async () => {
  const server = await startRedis(["--appendonly", "yes"]);
  try {
    // The folder for its snapshots does not exist.
    await server.command("CONFIG", "SET", "save", "");
    const { rmSync } = await import("node:fs");
    rmSync(server.folder, { recursive: true, force: true });
    await server.command("BGSAVE").catch(() => undefined);
    let findings = await check(server.url);
    while (!troubles(findings).includes("error redis.persistence")) findings = await check(server.url);
    expect(findingOf(findings, "redis.persistence")).toContain(
      "could not write to its disk the last time (rdb_last_bgsave_status)",
    );
  } finally {
    await server.close();
  }
});

describe("an unreachable Redis", () => {
  test("stopped", async () => {
    const server = await startRedis();
    const { url } = server;
    await server.close();
    expect(findingOf(await check(url), "redis.reachable")).toMatch(
      /refuses the connection\. Is it running, and is the address right\?/,
    );
  });

  test("frozen: reported, not waited for", async () => {
    const server = await startRedis();
    try {
      server.freeze();
      const since = performance.now();
      expect(troubles(await check(server.url))).toEqual(["error redis.reachable"]);
      expect(performance.now() - since).toBeLessThan(60_000);
    } finally {
      await server.close();
    }
  });

  test("a wrong password is not repeated", async () => {
    const server = await startRedis(["--requirepass", "right"], { password: "right" });
    try {
      const findings = await check(server.url.replace("//", "//:sesame@"));
      expect(findingOf(findings, "redis.reachable")).toMatch(
        /refuses the password\. Set the right one in storage\.url/,
      );
      expect(JSON.stringify(findings)).not.toContain("sesame");
    } finally {
      await server.close();
    }
  });

  test("an invalid URL", async () => {
    const findings = await check("redis://u:sesame@h:x");
    expect(troubles(findings)).toEqual(["error redis.reachable"]);
    expect(JSON.stringify(findings)).not.toContain("sesame");
  });
});
