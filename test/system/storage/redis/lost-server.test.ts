import { Cluster } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { createServerMarks } from "../../../../src/storage/redis/server-marks.ts";
import { slotOf } from "../../../../src/storage/redis/slots.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { account, key } from "../../../support/records.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { openTestStore } from "../../../support/store.ts";
import { redisOptions } from "../drivers.ts";
import { startCluster } from "../redis-cluster.ts";

const idOf = (n: number): string => n.toString(16).padStart(20, "0");
const unavailable = { code: "storage_unavailable" };
const soon = { timeout: 60_000 };

async function begin() {
  const cluster = await startCluster();
  onTestFinished(() => cluster.close());
  const notices: string[] = [];
  const open = async (changes: { mayBegin?: boolean } = {}): Promise<Store> => {
    const redis = redisOptions(cluster.url, {
      prefix: "p:",
      onNotice: (_level, text) => void notices.push(text),
      ...changes,
    });
    const runtime = testRuntime({ now: Date.now, monotonic: () => performance.now() });
    return (await openTestStore({ driver: "redis", redis, runtime })).store;
  };
  return { cluster, open, notices };
}

test("a server of a cluster that has lost its data does not report keys as unknown, until servers of penknife are restarted", async () => {
  const { cluster, open, notices } = await begin();
  const store = await open();
  await store.accounts.add("acme", account("acme"));
  const main = await cluster.masterOf("p:{store}:4");
  // Keys on each server, one of them revoked.
  const masters = new Map<number, number>();
  for (let n = 1; n <= 60; n++) {
    await store.keys.add(idOf(n), key(idOf(n), n % 2 ? { revokedAt: "2026-11-21T01:00:00.000Z" } : {}));
    masters.set(n, (await cluster.masterOf(`p:keys:{${idOf(n)}}`)).port);
  }
  const lost = cluster.servers.slice(0, 3).find((server) => server !== main);
  const gone = [...masters].filter(([, port]) => port === lost?.port).map(([n]) => idOf(n));
  const rest = [...masters].filter(([, port]) => port !== lost?.port).map(([n]) => idOf(n));
  expect(gone.length).toBeGreaterThan(3);
  await lost?.command("FLUSHALL");

  const other = await open({ mayBegin: false });
  for (const of of [store, other]) {
    for (const id of gone) await expect(of.keys.get(id)).rejects.toMatchObject(unavailable);
    for (const id of rest) expect(await of.keys.get(id)).toBeDefined();
    // Nothing is added where it may have been.
    await expect(of.keys.add(gone[0] ?? "", key(gone[0] ?? ""))).rejects.toMatchObject(unavailable);
    await expect(of.check()).rejects.toThrow(
      new RegExp(
        `Redis \\(127\\.0\\.0\\.1:${lost?.port} of the cluster of .*\\) was emptied: the mark of the store \\(p:store:4:\\{m\\d+\\}\\) is gone`,
      ),
    );
  }
  await expect.poll(() => store.status?.().up, soon).toBe(false);
  expect(notices.filter((text) => text.includes("has lost"))).toEqual([]);

  const restarted = await open();
  expect(
    notices.filter((text) =>
      text.includes(`has lost what was on 127.0.0.1:${lost?.port}: keys, revocations`),
    ),
  ).toHaveLength(1);
  for (const id of gone) expect(await restarted.keys.get(id)).toBeUndefined();
  await restarted.check();
  await expect.poll(() => store.status?.().up, soon).toBe(true);
  await open();
  expect(notices.filter((text) => text.includes("has lost"))).toHaveLength(1);
});

test("the marks of servers move with their slots", async () => {
  const { cluster, open } = await begin();
  const store = await open();
  const [mark = ""] = (await marksOf(cluster.url)).names;
  const from = await cluster.masterOf(mark);
  const to = cluster.servers.slice(0, 3).find((server) => server !== from);
  if (to !== undefined) await cluster.moveSlot(mark, to);
  await store.check();
  expect(await store.keys.get(idOf(1))).toBeUndefined();
});

test("there is a mark in each sixty-fourth part of the slots, which are computed as a cluster does", async () => {
  const { cluster } = await begin();
  const { names } = await marksOf(cluster.url);
  expect(names.map((name) => Math.floor(slotOf(name) / 256))).toEqual(
    Array.from({ length: 64 }, (_, n) => n),
  );
  for (const name of [names[0] ?? "", "p:accounts:{acme}", "plain", "{}x", "a{b{c}d", "é{ü}"])
    expect(await cluster.servers[0]?.command("CLUSTER", "KEYSLOT", name)).toBe(slotOf(name));
});

async function marksOf(url: string) {
  const [host = "", port] = new URL(url.split(",")[0] ?? "").host.split(":");
  const client = new Cluster([{ host, port: Number(port) }], { lazyConnect: true });
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  await client.connect();
  return createServerMarks(client, "p:", 4);
}
