import { describe, expect, onTestFinished, test } from "vitest";
import { redisOptions } from "../drivers.ts";
import { account } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { startRedis } from "../redis-server.ts";
import { counted, id, isUp, node, noticed, proxy, redis } from "./outage-node.ts";
import { testRuntime } from "../../../support/runtime.ts";

describe("Redis that is", () => {
  test("killed: cached records stay usable, others are unavailable and never missing; it is used again without a restart", async () => {
    const one = await node();
    await one.store.accounts.set("acme", account("acme"));
    await one.ask(100);
    await redis.kill();
    await expect.poll(() => isUp(one)).toBe(false);
    await noticed(one);
    expect(await one.store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    await new Promise((resolve) => setTimeout(resolve, 510));
    expect(await one.store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    await expect((async () => one.store.accounts.lookup("other"))()).rejects.toMatchObject({
      code: "storage_unavailable",
    });
    expect(await one.ask(100)).toBe(2);
    await redis.start();
    await expect.poll(() => isUp(one)).toBe(true);
    expect(await one.store.accounts.lookup("other")).toBeUndefined();
    expect(await one.ask(100)).toBe(3);
    await expect.poll(counted).toBe(3);
  });

  test("killed, while the clock of the server is set: cached records stay usable for as long as they would have", async () => {
    let set = 0;
    const { store } = await openTestStore({
      driver: "redis",
      runtime: testRuntime({ now: () => Date.now() + set, monotonic: () => performance.now() }),
      redis: redisOptions(proxy.url, { prefix: "p:" }),
    });
    await store.accounts.set("acme", account("acme"));
    await redis.kill();
    await expect.poll(() => store.status?.().up).toBe(false);
    for (const by of [3_600_000, -86_400_000]) {
      set += by;
      await new Promise((resolve) => setTimeout(resolve, 510));
      expect(await store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    }
  });

  test("flushed: no key is reported as never issued, and the operator is notified", async () => {
    const one = await node();
    await one.store.accounts.set("acme", account("acme"));
    await redis.command("FLUSHALL");
    await expect((async () => one.store.accounts.lookup("other"))()).rejects.toMatchObject({
      code: "storage_unavailable",
    });
    await expect(one.store.accounts.ids()).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await one.store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    await expect(one.store.check()).rejects.toThrow(
      /was emptied: the mark of the store \(p:store:4\) is gone\. Restore a backup/,
    );
    // Without a request.
    await expect.poll(() => isUp(one)).toBe(false);
    expect(one.reasons().at(-1)).toMatch(/was emptied/);
    // A restore brings the mark back.
    await redis.command("SET", "p:store:4", '{"v":1,"id":"restored"}');
    await expect.poll(() => isUp(one)).toBe(true);
    expect(await one.store.accounts.lookup("other")).toBeUndefined();
  });

  test("full: records are read, requests share what was left, and the cause is reported", async () => {
    const one = await node();
    await one.store.accounts.set("acme", account("acme"));
    await one.ask(100);
    await redis.command("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction");
    expect(await one.ask(100)).toBe(2);
    expect(one.reasons().at(-1)).toMatch(/is full \(maxmemory\)\. Raise maxmemory/);
    expect(await one.store.accounts.get("acme")).toMatchObject({ plan: "pro" });
    await expect(one.store.accounts.set("other", account("other"))).rejects.toMatchObject({
      code: "storage_unavailable",
    });
    // What closes access is written, and nothing else, before or after.
    await one.store.urgently?.(async () => one.store.accounts.set("closed", account("closed")));
    expect(await one.store.accounts.get("closed")).toBeDefined();
    await expect(one.store.accounts.set("other", account("other"))).rejects.toMatchObject({
      code: "storage_unavailable",
    });
    expect(await one.store.accounts.get("other")).toBeUndefined();
    await expect.poll(() => isUp(one)).toBe(false);
    await expect(one.store.check()).rejects.toThrow(/is full/);
    await redis.command("CONFIG", "SET", "maxmemory", "0");
    await expect.poll(() => isUp(one)).toBe(true);
    expect(await one.ask(100)).toBe(3);
    expect(await counted()).toBe(3);
  });

  test("turned into a read-only replica: requests continue, and as a primary it is used again", async () => {
    const one = await node();
    await one.store.accounts.set("acme", account("acme"));
    await one.ask(100);
    const primary = await startRedis();
    onTestFinished(() => primary.close());
    await redis.command("REPLICAOF", "127.0.0.1", primary.port);
    expect(await one.ask(100)).toBe(2);
    await expect.poll(() => isUp(one)).toBe(false);
    expect(one.reasons().join("\n")).toMatch(/is a read-only replica\. Point storage\.url at the primary/);
    await redis.command("REPLICAOF", "NO", "ONE");
    await redis.command("SET", "p:store:4", '{"v":1,"id":"restored"}');
    await expect.poll(() => isUp(one)).toBe(true);
    expect(await one.ask(100)).toBeTypeOf("number");
  });

  test("given another password: requests continue, the reason is reported, and the right password reconnects", async () => {
    const one = await node();
    await one.ask(100);
    await redis.pipeline([
      ["CONFIG", "SET", "requirepass", "another"],
      ["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"],
    ]);
    await expect.poll(() => isUp(one)).toBe(false);
    await noticed(one);
    expect(await one.ask(100)).toBe(2);
    const message = async (): Promise<string> => {
      await one.ask(1_000_000);
      return one.reasons().join("\n");
    };
    await expect.poll(message).toMatch(/requires a password\. Put it into storage\.url/);
    await redis.kill();
    await redis.start();
    await expect.poll(() => isUp(one)).toBe(true);
    expect(await one.ask(1_000_000)).toBeGreaterThan(3);
    await expect.poll(counted).toBe(await one.ask(1_000_000));
  });

  test("without the database after its restart: nothing is written into another one", async () => {
    const { store } = await openTestStore({
      driver: "redis",
      redis: redisOptions(proxy.url.replace(/0$/, "9"), { prefix: "p:" }),
    });
    expect(store.status?.().up).toBe(true);
    await redis.stop();
    await redis.start(["--databases", "2"]);
    await expect.poll(() => proxy.connections).toBeGreaterThan(0);
    for (let n = 0; n < 20; n++) {
      await Promise.try(() => store.counters.consume(id, 1, 100)).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(store.status?.().up).toBe(false);
    expect(await redis.command("DBSIZE")).toBe(0);
  });
});
