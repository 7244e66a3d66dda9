import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Store } from "../../../../src/storage/storage.ts";
import { account, key } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { redisOptions } from "../drivers.ts";
import { type RedisCluster, startCluster } from "../redis-cluster.ts";
import { startRedis } from "../redis-server.ts";

const idOf = (n: number): string => n.toString(16).padStart(20, "0");

async function open(url: string, prefix?: string): Promise<Store> {
  const redis = redisOptions(url, prefix === undefined ? {} : { prefix });
  const runtime = testRuntime({ now: () => Date.now(), monotonic: () => performance.now() });
  return (await openTestStore({ driver: "redis", redis, runtime })).store;
}

async function begin(): Promise<{ cluster: RedisCluster; store: Store; other: Store }> {
  const cluster = await startCluster(["--appendonly", "yes"]);
  onTestFinished(() => cluster.close());
  const [store, other] = [await open(cluster.url, "p:"), await open(cluster.url, "p:")];
  await store.accounts.add("acme", account("acme"));
  return { cluster, store, other };
}

test("one of the servers in the address is enough, and they may lie behind one that is gone", async () => {
  const { cluster } = await begin();
  const [, , , last] = cluster.servers;
  const gone = await startRedis();
  await gone.close();
  const store = await open(`redis+cluster://127.0.0.1:${gone.port},127.0.0.1:${last?.port}`, "p:");
  expect(await store.accounts.get("acme")).toMatchObject({ plan: "pro" });
});

test("a server and a cluster are not mistaken for one another", async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.close());
  const [first] = cluster.servers;
  await expect(open(`redis://127.0.0.1:${first?.port}`)).rejects.toThrow(
    /it is a server of a cluster\. Begin storage\.url with redis\+cluster:\/\//,
  );
  const single = await startRedis();
  onTestFinished(() => single.close());
  await expect(open(`redis+cluster://127.0.0.1:${single.port}`)).rejects.toThrow(
    /is not a cluster\. Begin storage\.url with redis:\/\//,
  );
});

test("counts, records, events and messages go on while slots move, exactly and without a loss", async () => {
  const { cluster, store, other } = await begin();
  const names = ["count:account:{acme}", "{wh:05}:deliveries", `keys:{${idOf(1)}}`, "list:keys:{acme}"];
  let going = true;
  let counted = 0;
  let refused = 0;
  const added: string[] = [];
  const keys: string[] = [];
  const queue = await store.deliveries();
  async function count(from: Store): Promise<void> {
    while (going) {
      // Without a limit, so that each call counts one.
      await Promise.try(() => from.counters.consume("account:acme", 1, 1e9)).then(
        () => (counted += 1),
        () => (refused += 1),
      );
    }
  }
  async function publish(): Promise<void> {
    for (let n = 0; going; n++) {
      const event = { id: `evt_${n}`, type: "key.issued", account: `acme${n % 40}`, body: "{}" };
      const [delivery] = await queue.add(event, ["we_a"]);
      if (delivery !== undefined) added.push(delivery.id);
    }
  }
  async function issue(): Promise<void> {
    for (let n = 1; going; n++) {
      if (await other.keys.add(idOf(n), key(idOf(n)))) keys.push(idOf(n));
      await sleep(2);
    }
  }
  const works = [count(store), count(other), publish(), issue()];
  for (let round = 0; round < 3; round++) {
    for (const name of names) {
      const from = await cluster.masterOf(`p:${name}`);
      const to = cluster.servers.slice(0, 3).find((server) => server !== from);
      if (to !== undefined) await cluster.moveSlot(`p:${name}`, to);
      await sleep(100);
    }
  }
  going = false;
  await Promise.all(works);
  expect(counted).toBeGreaterThan(100);
  // What was decided without Redis is settled when it answers again.
  await store.counters.consume("account:acme", 1, 1e9);
  await other.counters.consume("account:acme", 1, 1e9);
  await expect
    .poll(async () => (await store.counters.peek("account:acme"))?.used, { timeout: 60_000 })
    .toBe(counted + 2);
  expect(refused).toBe(0);
  const listed = await queue.list({ limit: 1e6 });
  expect(listed.map(({ id }) => id).toSorted()).toEqual(added.toSorted());
  expect((await store.keys.of("acme")).records.map(({ id }) => id.slice(4))).toEqual(keys);
});

test("a listener whose server is gone listens through another one", async () => {
  const { cluster, store, other } = await begin();
  const heard: string[] = [];
  const channel = await store.channel?.("live");
  channel?.listen("acme", (message) => void heard.push(message));
  await channel?.ready();
  const listening = async (): Promise<number> => {
    const counts = await Promise.all(
      cluster.servers.map((server) =>
        server.command("PUBSUB", "SHARDNUMSUB", "p:live:{acme}").catch(() => ["", 0]),
      ),
    );
    return counts.findIndex((count) => Number((count as unknown[])[1]) > 0);
  };
  const gone = await listening();
  await cluster.servers[gone]?.kill();
  await sleep(3000);
  await cluster.whole();
  const soon = { timeout: 60_000 };
  await expect.poll(listening, soon).not.toBe(-1);
  const from = await other.channel?.("live");
  await expect
    .poll(
      () =>
        from?.call("acme", "again").then(
          () => heard.length,
          () => 0,
        ),
      soon,
    )
    .toBeGreaterThan(0);
});

test("a listener hears messages also after the slot of its topic has moved", async () => {
  const { cluster, store, other } = await begin();
  const heard: string[] = [];
  const [channel, from] = [await store.channel?.("live"), await other.channel?.("live")];
  channel?.listen("acme", (message) => void heard.push(message));
  await channel?.ready();
  await from?.call("acme", "before");
  await expect.poll(() => heard).toEqual(["before"]);
  const name = "p:live:{acme}";
  const old = await cluster.masterOf(name);
  const to = cluster.servers.slice(0, 3).find((server) => server !== old);
  if (to !== undefined) await cluster.moveSlot(name, to);
  const call = () => from?.call("acme", "after").catch(() => undefined);
  await expect.poll(async () => (await call(), heard.at(-1)), { timeout: 60_000 }).toBe("after");
});

test("after a failover the store is used again without a restart", async () => {
  const { cluster, store, other } = await begin();
  const master = await cluster.masterOf("p:accounts:{acme}");
  await sleep(100);
  await master.kill();
  const soon = { timeout: 60_000 };
  await expect
    .poll(
      () =>
        store.accounts.get("acme").then(
          (record) => record?.plan,
          () => "unavailable",
        ),
      soon,
    )
    .toBe("pro");
  await expect
    .poll(
      () =>
        Promise.try(() => other.counters.consume("account:acme", 1, 10)).then(
          ({ allowed }) => allowed,
          () => false,
        ),
      soon,
    )
    .toBe(true);
  await cluster.whole();
  await expect.poll(() => store.status?.().up, soon).toBe(true);
  await expect.poll(() => store.keys.add(idOf(1), key(idOf(1))).catch(() => "unavailable"), soon).toBe(true);
  expect((await other.keys.of("acme")).records).toHaveLength(1);
});
