import { describe, expect, onTestFinished, test } from "vitest";
import { createAccounts } from "../../../../src/services/access/accounts.ts";
import { createKeys } from "../../../../src/services/access/keys.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { openTestStore } from "../../../support/store.ts";
import { createRandom } from "../../../unit/services/setup.ts";
import { openHarness } from "../../surfaces/harness.ts";
import { redisOptions } from "../drivers.ts";
import { startCluster } from "../redis-cluster.ts";
import { startRedis } from "../redis-server.ts";
import { monitor } from "./monitor.ts";

const start = { redis: () => startOne(), cluster: () => startMasters() } as const;

async function startOne() {
  const server = await startRedis();
  return { servers: [server], url: server.url, close: server.close };
}

/** Replicas report what their masters have scripts call. */
async function startMasters() {
  const { servers, ...cluster } = await startCluster();
  return { ...cluster, servers: servers.slice(0, 3) };
}

describe.each(["redis", "cluster"] as const)("over %s", (kind) => {
  async function open() {
    const { servers, url, close } = await start[kind]();
    onTestFinished(close);
    const redis = redisOptions(url);
    const runtime = testRuntime({
      now: Date.now,
      monotonic: () => performance.now(),
      random: createRandom(),
    });
    const store: Store = (await openTestStore({ driver: "redis", redis, runtime })).store;
    const keys = createKeys({ store, runtime, maxKeyDays: 0 });
    const accounts = createAccounts({ store, keys, runtime });
    const harness = await openHarness({ store: { driver: "redis", redis } });
    onTestFinished(() => harness.close());
    await accounts.create({ name: "acme", plan: "team", limit: 20_000 });
    const { key } = await keys.issue({ account: "acme" });
    const call = (): Promise<Response> =>
      harness.post("/api/tools/base64-encoder", '{"data":"a"}', { authorization: `Bearer ${key}` });
    const used = async () =>
      (await store.counters.peek(`account:acme:${(await accounts.get("acme")).incarnation}`))?.used;
    const { take: takeAll } = await monitor(servers);
    /** Returns the names of the commands that name records of keys and accounts, or counts. */
    async function take(): Promise<string[]> {
      const commands = await takeAll();
      return commands
        .filter(
          ({ words, isOfScript }) =>
            !isOfScript && words.some((word) => /:(?:accounts|keys|revoked|count):/.test(word)),
        )
        .map(({ words: [name = ""] }) => name.toLowerCase());
    }
    return { accounts, call, used, take, servers };
  }

  test("a key that a server has never seen costs two round trips: its record, then the count with the account", async () => {
    const { call, take, used } = await open();
    await take();
    const response = await call();
    expect(response.status).toBe(200);
    expect(response.headers.get("ratelimit-policy")).toContain("20000");
    expect(await take()).toEqual(["get", "get", "evalsha"]);
    expect(await used()).toBe(1);
  });

  test("a key whose records are fresh costs the count alone, and one whose records are old what an unseen one costs, at once", async () => {
    const { call, take } = await open();
    await call();
    await take();
    for (let n = 0; n < 20; n++) await call();
    const commands = await take();
    expect(commands.filter((name) => name !== "get")).toEqual(Array.from({ length: 20 }, () => "evalsha"));
    await new Promise((resolve) => setTimeout(resolve, 600));
    await call();
    expect((await take()).toSorted()).toEqual(["evalsha", "get", "get"]);
  });

  test("an account is read by itself where Redis is too full to count", async () => {
    const { call, take, servers } = await open();
    for (const server of servers) await server.command("CONFIG", "SET", "maxmemory", 1);
    await take();
    expect((await call()).status).toBe(200);
    expect(await take()).toEqual(["get", "get", "evalsha", "get"]);
  });

  test("an account that another server has disabled or lowered goes on for no request after its record is old", async () => {
    const { accounts, call } = await open();
    expect((await call()).status).toBe(200);
    await accounts.set("acme", { plan: "pro" });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await call()).headers.get("ratelimit-policy")).toContain("1000");
    await accounts.disable("acme");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await call()).status).toBe(403);
    await accounts.enable("acme");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await call()).status).toBe(200);
    await accounts.remove("acme", { revokeKeys: true });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await call()).status).toBe(401);
  });
});
