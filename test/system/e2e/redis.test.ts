import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "./harness.ts";
import { startProxy, type Proxy } from "../storage/redis-proxy.ts";
import { startRedis, type RedisServer } from "../storage/redis-server.ts";
import { amount } from "../../support/cases.ts";
import { codeOf, counterOf, type Fleet, remaining, startFleet, tally } from "./fleet.ts";

const nodes = 3;
let redis: RedisServer;
let fleet: Fleet;

beforeAll(async () => {
  redis = await startRedis(["--appendonly", "yes"]);
  fleet = await startFleet(redis.url, nodes);
});

afterAll(async () => {
  await fleet?.close();
  await redis?.close();
});

const each = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: nodes }, (_, at) => work(at)));

describe("nodes on one Redis", () => {
  /**
   * Asks until Redis answered in time to every node: only then are counts exact. On a machine too busy for that, another
   * caller is tried.
   */
  async function askInTime(ask: (round: number) => Promise<Reply[]>): Promise<Reply[]> {
    const alone = async (): Promise<number> =>
      (await each((at) => fleet.metric(at, "penknife_limit_degraded_total"))).reduce((sum, n) => sum + n);
    for (let round = 0; ; round++) {
      const before = await alone();
      const replies = await ask(round);
      const inTime = !replies.map(codeOf).includes("storage_unavailable") && (await alone()) === before;
      if (round === 4 || inTime) return replies;
    }
  }

  /** Makes a request of this account, and counts more of them in Redis without making them. */
  async function spend(account: string, key: string, count: number): Promise<void> {
    await expect.poll(async () => codeOf(await fleet.ask(0, key))).toBe("ok");
    await redis.command("INCRBY", await counterOf(redis, account), count - 1);
  }

  const left = amount(100);

  it(`answer exactly ${left} of ${left * nodes} concurrent requests if ${left} of 1,000 are left`, async () => {
    let account = "";
    const replies = await askInTime(async (round) => {
      account = `exact${round}`;
      const key = await fleet.issueKey(account);
      await spend(account, key, 1_000 - left);
      return Promise.all(Array.from({ length: left * nodes }, (_, index) => fleet.ask(index % nodes, key)));
    });
    expect(tally(replies.map(codeOf))).toEqual({ ok: left, quota_exceeded: left * (nodes - 1) });
    for (const reply of replies.filter(({ status }) => status === 429)) {
      expect(remaining(reply)).toBe(0);
      expect(Number(reply.headers["retry-after"])).toBeGreaterThan(3_500);
    }
    const remained = replies.filter(({ status }) => status === 200).map(remaining);
    expect(remained.toSorted((a, b) => a - b)).toEqual(Array.from({ length: left }, (_, index) => index));
    expect(await fleet.operate((call) => call("usage", { account }))).toMatchObject({
      items: [{ used: 1_000 }],
    });
  });

  it("count an anonymous caller across all of them", async () => {
    const replies = await askInTime((round) =>
      Promise.all(
        Array.from({ length: 150 }, (_, index) =>
          fleet.ask(index % nodes, undefined, { localAddress: `127.0.9.${round + 1}` }),
        ),
      ),
    );
    expect(tally(replies.map(codeOf))).toEqual({ ok: 100, quota_exceeded: 50 });
  });

  it("apply a limit that was raised, on every node, and one that was lowered too", async () => {
    const key = await fleet.issueKey("moved");
    await spend("moved", key, 1_000);
    await each(async (at) => {
      await expect.poll(async () => codeOf(await fleet.ask(at, key))).toBe("quota_exceeded");
    });
    await fleet.operate((call) => call("accounts.set", { name: "moved", plan: "team", limit: 20_000 }));
    await each(async (at) => {
      await expect.poll(async () => (await fleet.ask(at, key)).status).toBe(200);
    });
    await fleet.operate((call) => call("accounts.set", { name: "moved", plan: "pro" }));
    await each(async (at) => {
      await expect.poll(async () => (await fleet.ask(at, key)).status).toBe(429);
    });
  });

  it("refuse a revoked key on every node, and never accept it again", async () => {
    const key = await fleet.issueKey("revoked", { plan: "team", limit: 1_000_000 });
    expect(await each(async (at) => codeOf(await fleet.ask(at, key)))).toEqual(Array(nodes).fill("ok"));
    const codes = Array.from({ length: nodes }, (): string[] => []);
    const refused = (seen: readonly string[]): string[] => seen.filter((code) => code !== "ok");
    // After thirty refused credentials a minute an address has to wait.
    const load = each(async (at) => {
      const seen = codes[at] as string[];
      while (refused(seen).length < 5) {
        seen.push(codeOf(await fleet.ask(at, key)));
        await sleep(seen.at(-1) === "ok" ? 10 : 60);
      }
    });
    await expect.poll(() => Math.min(...codes.map(({ length }) => length))).toBeGreaterThan(20);
    const { items } = await fleet.operate((call) =>
      call<{ items: [{ id: string }] }>("keys.list", { account: "revoked" }),
    );
    await fleet.operate((call) => call("keys.revoke", { id: items[0].id }));
    await load;
    for (const seen of codes) {
      expect(refused(seen)).toEqual(Array(5).fill("revoked_key"));
      expect(seen.slice(-5)).toEqual(refused(seen));
    }
  });

  it("know each other", async () => {
    await expect
      .poll(() => each((at) => fleet.metric(at, "penknife_nodes")))
      .toEqual(Array(nodes).fill(nodes));
    expect(await each((at) => fleet.metric(at, "penknife_store_up"))).toEqual(Array(nodes).fill(1));
  });
});

describe("one round trip", () => {
  let proxy: Proxy;
  let watched: Fleet;

  beforeAll(async () => {
    proxy = await startProxy(() => redis.port);
    watched = await startFleet(proxy.url, 1);
  });

  afterAll(async () => {
    await watched?.close();
    await proxy?.close();
  });

  const commands = [
    "get",
    "evalsha",
    "eval",
    "exists",
    "mget",
    "set",
    "incrby",
    "script|exists",
    "script|load",
    "multi",
  ];

  /** Calls of each command as Redis counts them, without those inside scripts. */
  async function calls(): Promise<Map<string, number>> {
    const text = String(await redis.command("INFO", "commandstats"));
    return new Map(
      [...text.matchAll(/cmdstat_([\w|]+):calls=(\d+)/g)].map(([, name = "", count]) => [
        name,
        Number(count),
      ]),
    );
  }

  const requests = 9;
  const rounds = 5;

  /** Requests that the node decided without Redis, which did not answer it in time. */
  const alone = (): Promise<number> => watched.metric(0, "penknife_limit_degraded_total");

  /** The packets and commands of one request. Some samples include heartbeats of other nodes. */
  async function cost(request: (index: number) => Promise<unknown>, pauseMs: number) {
    for (let round = 0; ; round++) {
      const before = await alone();
      const sample = await leastOf((index) => request(round * requests + index), pauseMs);
      // On a machine too busy for the waits of a request, it may cost nothing.
      if (round === rounds - 1 || (await alone()) === before) return sample;
    }
  }

  async function leastOf(request: (index: number) => Promise<unknown>, pauseMs: number) {
    const samples: { packets: [number, number]; used: [string, number][] }[] = [];
    for (let index = 0; index < requests; index++) {
      await sleep(pauseMs);
      const before = await calls();
      const [sent, received] = [proxy.sent, proxy.received];
      await request(index);
      await sleep(20);
      const packets: [number, number] = [proxy.sent - sent, proxy.received - received];
      const after = await calls();
      const used = commands.map((name): [string, number] => [
        name,
        (after.get(name) ?? 0) - (before.get(name) ?? 0),
      ]);
      samples.push({ packets, used: used.filter(([, count]) => count > 0) });
    }
    // What else the node does at the same time only adds to the cost.
    const costOf = ({ packets: [sent, received], used }: (typeof samples)[number]): number =>
      used.reduce((sum, [, count]) => sum + count, 1000 * (sent + received));
    const [least] = samples.toSorted((one, other) => costOf(one) - costOf(other));
    if (least === undefined) throw new Error("nothing was measured");
    return { packets: least.packets, used: Object.fromEntries(least.used) };
  }

  it("for a known key, whose record and account are read in the same packet as the count", async () => {
    const key = await fleet.issueKey("trips", { plan: "team", limit: 1_000_000 });
    await watched.ask(0, key);
    // Redis counts commands inside scripts too: one GET there, and three outside, of the key, its mark and the account.
    const { packets, used } = await cost(() => watched.ask(0, key), 600);
    expect(packets).toEqual([1, 1]);
    expect(used).toEqual({ get: 4, evalsha: 1, incrby: 1 });
  });

  it("for a key used within half a second, which only counts", async () => {
    const key = await fleet.issueKey("trips-again", { plan: "team", limit: 1_000_000 });
    const { packets, used } = await cost(async () => {
      // The first one reads if the cache has expired; of two at most one does.
      await watched.ask(0, key);
    }, 20);
    expect(packets).toEqual([1, 1]);
    expect(used).toEqual({ get: 1, evalsha: 1, incrby: 1 });
  });

  it("two for a key that is new to this node", async () => {
    await fleet.issueKey("trips-new");
    const keys = await fleet.operate((call) =>
      Promise.all(
        Array.from(
          { length: requests * rounds },
          async () => (await call<{ key: string }>("keys.issue", { account: "trips-new" })).key,
        ),
      ),
    );
    const { packets, used } = await cost((index) => watched.ask(0, keys[index]), 600);
    expect(packets).toEqual([2, 2]);
    expect(used).toMatchObject({ get: 4, evalsha: 1 });
  });
});
