import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import type { StoreError } from "../../../../src/storage/errors.ts";
import { connectRedis } from "../../../../src/storage/redis/connect.ts";
import { openStore, type SharedOptions } from "../../../../src/storage/storage.ts";
import { documentedRights, redisOptions } from "../drivers.ts";
import { account } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { freePort } from "../../../../config/free-port.ts";
import { type RedisServer, startRedis } from "../redis-server.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { testRuntime } from "../../../support/runtime.ts";

async function redisWith(...args: string[]): Promise<RedisServer> {
  const redis = await startRedis(args);
  onTestFinished(() => redis.close());
  return redis;
}

/** Opens a store and closes it; returns what was reported meanwhile. */
async function open(url: string, options: Partial<SharedOptions> = {}, runtime?: Runtime): Promise<string[]> {
  const notices: string[] = [];
  const { store } = await openTestStore({
    driver: "redis",
    ...(runtime && { runtime }),
    redis: redisOptions(url, {
      onNotice: (level, text) => void notices.push(`${level}: ${text}`),
      ...options,
    }),
  });
  await store.check();
  await store.close();
  return notices;
}

async function refusal(url: string, options: Partial<SharedOptions> = {}): Promise<string> {
  const error = (await open(url, options).then(
    () => new Error("it was opened"),
    (thrown: unknown) => thrown,
  )) as StoreError;
  expect(error).toMatchObject({ name: "StoreError" });
  return error.reason;
}

describe("at its start, a store on Redis", () => {
  test.each(["allkeys-lru", "allkeys-lfu", "allkeys-random"])(
    "is refused with maxmemory-policy %s, which would lose keys",
    async (policy) => {
      const { url } = await redisWith("--maxmemory-policy", policy);
      expect(await refusal(url)).toMatch(
        new RegExp(
          `cannot keep the store: its maxmemory-policy is ${policy}.* Set maxmemory-policy noeviction\\.`,
        ),
      );
    },
  );

  test.each(["volatile-lru", "volatile-ttl"])("is warned about maxmemory-policy %s", async (policy) => {
    const { url } = await redisWith("--maxmemory-policy", policy, "--appendonly", "yes");
    const [first, ...rest] = await open(url);
    expect(first).toMatch(
      new RegExp(`^warn: .*maxmemory-policy ${policy}: .*Set maxmemory-policy noeviction`),
    );
    expect(rest).toHaveLength(1);
  });

  test("is warned about a server without persistence, or with snapshots only, and not about one with an append-only file", async () => {
    const none = await redisWith();
    expect((await open(none.url))[0]).toMatch(/^warn: .*does not write to disk: a restart loses all/);
    await none.command("CONFIG", "SET", "save", "3600 1");
    expect((await open(none.url))[0]).toMatch(/^warn: .*has no append-only file: a crash loses/);
    await none.command("CONFIG", "SET", "appendonly", "yes");
    expect(await open(none.url)).toEqual([
      expect.stringMatching(/^warn: .*contained no penknife store.* a new one begins/),
    ]);
  });

  test("is refused by a read-only replica and by a cluster", async () => {
    const primary = await redisWith();
    const replica = await redisWith("--replicaof", "127.0.0.1", String(primary.port));
    expect(await refusal(replica.url)).toMatch(
      /it is a read-only replica\. Point storage\.url at the primary/,
    );
    const cluster = await redisWith("--cluster-enabled", "yes");
    expect(await refusal(cluster.url)).toMatch(
      /it is a server of a cluster\. Begin storage\.url with redis\+cluster:\/\//,
    );
  });

  test("says what is wrong with the password, and never the password", async () => {
    const redis = await startRedis(["--requirepass", "right-one"], { password: "right-one" });
    onTestFinished(() => redis.close());
    const at = `127.0.0.1:${redis.port}/0`;
    const wrong = await refusal(`redis://:wrong-one@${at}`);
    expect(wrong).toBe(
      `Redis (${at}) refuses the password. Set the right one in storage.url (PENKNIFE_STORAGE_URL or PENKNIFE_STORAGE_URL_FILE).`,
    );
    expect(await refusal(`redis://${at}`)).toMatch(/requires a password\. Put it into storage\.url/);
    // Retrying would not help: there was one attempt for each.
    const log = (await redis.command("ACL", "LOG")) as [string, number][];
    expect(log.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(2);
    await open(`redis://:right-one@${at}`);
    await redis.command("ACL", "SETUSER", "app", "on", ">pass-of-app", "~*", "+@all");
    await open(`redis://app:pass-of-app@${at}`);
    expect(await refusal(`redis://app:other@${at}`)).toMatch(/refuses the password/);
  });

  test("needs no more rights than docs/redis.md lists, and names a missing one", async () => {
    const redis = await redisWith();
    await redis.command("ACL", "SETUSER", "app", "on", ">pw", ...documentedRights());
    const url = `redis://app:pw@127.0.0.1:${redis.port}/0`;
    const { store, errors } = await openTestStore({
      driver: "redis",
      redis: redisOptions(url, { prefix: "penknife:" }),
    });
    await store.accounts.set("acme", account("acme"));
    expect(await store.accounts.get("acme")).toMatchObject({ plan: "pro" });
    expect(await store.accounts.ids()).toEqual(["acme"]);
    for (let n = 1; n < 4; n++)
      expect(await store.counters.consume("account:acme", 1, 2)).toMatchObject({ allowed: n < 3 });
    await store.counters.giveBack("account:acme", 1);
    expect((await store.counters.peek("account:acme"))?.used).toBe(1);
    await store.counters.reset("account:acme");
    await store.accounts.remove("acme");

    const queue = await store.deliveries();
    let woken = 0;
    queue.onWake(() => void (woken += 1));
    // Published, not found by polling, which happens once a second.
    await expect.poll(() => redis.command("PUBSUB", "CHANNELS", "penknife:{wh:00}:wake:*")).toHaveLength(1);
    const event = { id: "evt_1", type: "webhook.test", account: "acme", body: "{}" };
    expect(await queue.add(event, ["we_a"], { name: "x", until: Date.now() + 60_000 })).toHaveLength(1);
    await expect.poll(() => woken).toBeGreaterThan(0);
    for (const claim of await queue.claim({ count: 1, leaseMs: 10_000 }))
      expect(await queue.settle(claim, { state: "delivered" })).toEqual({ failures: 0 });
    expect(await queue.list({ limit: 5 })).toMatchObject([{ state: "delivered" }]);
    expect(await queue.nextAt()).toBeUndefined();
    await queue.hold("we_a", Infinity);
    expect(await queue.prune({ lifetimeMs: 0, keptMs: 0, reason: "" })).toBe(true);
    const inbox = await store.inbox();
    const kept = { messages: 5, ms: 60_000, bytes: 1e6 };
    const message = { id: "msg_1", at: Date.now(), query: "", headers: [], body: Buffer.from("{}") };
    await inbox.add("in_1", { ...message, method: "POST", signature: "valid", event: "a" }, kept);
    expect(await inbox.read("in_1", { limit: 5, kept })).toHaveLength(1);
    await inbox.remove("in_1");
    expect(errors).toEqual([]);
    await redis.command("ACL", "SETUSER", "app", "-evalsha", "-eval");
    expect(await refusal(url, { prefix: "penknife:" })).toMatch(
      /does not let this user run a required command.*docs\/redis\.md/,
    );
  });

  test("docs/redis.md allows no command that the suites over Redis do not need", async () => {
    const redis = await redisWith();
    await redis.command("ACL", "SETUSER", "app", "on", ">pw", ...documentedRights());
    const client = new Redis({ port: redis.port, username: "app", password: "pw" });
    client.on("error", () => {});
    onTestFinished(() => client.disconnect());
    const commands = [
      ["CONFIG", "GET", "*"],
      ["CONFIG", "SET", "maxmemory", "1"],
      ["SCRIPT", "FLUSH"],
      ["SCRIPT", "KILL"],
      ["FUNCTION", "FLUSH"],
      ["FUNCTION", "LIST"],
      ["FLUSHALL"],
      ["FLUSHDB"],
      ["KEYS", "*"],
      ["ACL", "LIST"],
      ["CLIENT", "LIST"],
      ["CLIENT", "KILL", "TYPE", "normal"],
      ["RANDOMKEY"],
      ["SWAPDB", "0", "1"],
      ["SHUTDOWN"],
      ["MONITOR"],
      ["EVAL", "return redis.call('flushall')", "0"],
    ];
    for (const [name = "", ...rest] of commands) {
      const answer = await client.call(name, ...rest).then(
        (value) => JSON.stringify(value),
        (error: Error) => error.message,
      );
      expect([name, ...rest, answer]).toEqual([
        name,
        ...rest,
        expect.stringMatching(/NOPERM|ACL failure|can.t run this command/),
      ]);
    }
    await expect(client.get("other:key")).rejects.toThrow(/NOPERM/);
    await expect(client.publish("other:channel", "x")).rejects.toThrow(/NOPERM/);
  });

  test("is refused if the database does not exist", async () => {
    const { port } = await redisWith("--databases", "2");
    expect(await refusal(`redis://127.0.0.1:${port}/7`)).toMatch(/has no database with that number/);
    await open(`redis://127.0.0.1:${port}/1`);
  });

  test("starts in an empty database only if that is allowed, and reports it", async () => {
    const { url } = await redisWith("--appendonly", "yes");
    const options = { prefix: "penknife:" };
    expect(await refusal(url, { ...options, mayBegin: false })).toMatch(
      /contains no penknife store under penknife:.*penknife admin accounts create/,
    );
    expect(await open(url, options)).toEqual([expect.stringContaining("a new one begins.")]);
    expect(await open(url, options)).toEqual([]);
    expect(await open(url, { ...options, mayBegin: false })).toEqual([]);
    // Another database of the same server is another store.
    expect(await open(url.replace(/0$/, "1"), options)).toEqual([
      expect.stringContaining("a new one begins"),
    ]);
  });

  test("reports that the database is shared", async () => {
    const redis = await redisWith("--appendonly", "yes");
    await redis.command("MSET", "a", 1, "b", 2);
    expect(await open(redis.url)).toEqual([
      expect.stringContaining("a new one begins, beside 2 other entries."),
    ]);
  });

  test("waits for a Redis that starts a little later", async () => {
    const redis = await redisWith("--appendonly", "yes");
    await redis.kill();
    // A slow clock, because a busy machine may take longer to start Redis than the store waits for it.
    const opening = open(redis.url, {}, testRuntime({ monotonic: () => performance.now() / 20 }));
    await new Promise((resolve) => setTimeout(resolve, 600));
    await redis.start();
    expect(await opening).toHaveLength(1);
  });

  test.each([
    { where: "the port is closed", says: /refuses the connection\. Is it running/ },
    { where: "it is frozen", says: /does not answer/ },
  ])("gives up after its patience if $where", async ({ where, says }) => {
    let url = `redis://127.0.0.1:${await freePort()}/0`;
    if (where === "it is frozen") {
      const redis = await redisWith();
      redis.freeze();
      ({ url } = redis);
    }
    const began = performance.now();
    const connecting = connectRedis({
      url,
      prefix: "x:",
      runtime: testRuntime({ monotonic: () => performance.now() }),
      patienceMs: 700,
    });
    await expect(connecting).rejects.toThrow(says);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(690);
    expect(took).toBeLessThan(60_000);
  });

  test("names the TLS file that cannot be read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "penknife-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(await refusal(`rediss://127.0.0.1:1/0?ca=${folder}/none.pem`)).toMatch(
      /none\.pem \(ca in storage\.url\) cannot be read/,
    );
  });

  test("is refused for an invalid URL, before connecting", async () => {
    const opening = openStore({
      driver: "redis",
      path: "",
      runtime: testRuntime({ now: Date.now }),
      onError: () => {},
      redis: redisOptions("redis://:hunter2@"),
    });
    await expect(opening).rejects.toThrow(/^storage\.url cannot be used/);
    await expect(opening).rejects.not.toThrow(/hunter2/);
  });
});
