import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKey } from "../../../src/services/access/key-format.ts";
import { isLong } from "../../support/cases.ts";
import { startProxy, type Proxy } from "../storage/redis-proxy.ts";
import { startRedis, type RedisServer } from "../storage/redis-server.ts";
import { counterOf, codeOf, type Fleet, startFleet, tally } from "./fleet.ts";
import { penknife, type Reply } from "./harness.ts";

const nodes = 3;

let redis: RedisServer;
let proxy: Proxy;
let fleet: Fleet | undefined;

beforeEach(async () => {
  redis = await startRedis(["--appendonly", "yes"]);
  proxy = await startProxy(() => redis.port);
});

afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
  await proxy.close();
  await redis.close();
});

/** A well-formed key that was never issued. */
const invent = (): string => createKey((size) => crypto.getRandomValues(new Uint8Array(size)));

interface Load {
  codes: string[];
  stop(): Promise<void>;
}

/** Waits until so many more requests have been answered. */
async function answers({ codes }: Load, count: number): Promise<void> {
  const enough = codes.length + count;
  await expect.poll(() => codes.length).toBeGreaterThanOrEqual(enough);
}

/** Requests one after another to each node, until it is stopped. */
function startLoad(on: Fleet, key: string, pauseMs: number, lanes = 1): Load {
  const load: Load = { codes: [], stop: async () => {} };
  let going = true;
  const running = Array.from({ length: on.servers.length * lanes }, async (_, index) => {
    while (going) {
      load.codes.push(await on.ask(index % on.servers.length, key).then(codeOf, () => "broken"));
      if (load.codes.at(-1) === "broken") return;
      await sleep(pauseMs);
    }
  });
  load.stop = async () => {
    going = false;
    await Promise.all(running);
  };
  return load;
}

/** Metrics of some servers take some 20 ms of CPU time. */
const seldom = { interval: 250 };
const allUp = (on: Fleet): Promise<number[]> =>
  Promise.all(on.servers.map((_, at) => on.metric(at, "penknife_store_up")));
const up = ({ servers }: Fleet): number[] => servers.map(() => 1);
const down = ({ servers }: Fleet): number[] => servers.map(() => 0);

async function expectUnavailable(reply: Reply): Promise<void> {
  expect(codeOf(reply)).toBe("storage_unavailable");
  expect(reply.status).toBe(503);
  expect(Number(reply.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect(reply.text).not.toMatch(/redis|127\.0\.0\.1|ECONN/i);
}

describe("share: through an outage, all nodes together exceed the limit by at most 2 %", () => {
  // Both in one run contain all that each does alone.
  /** Requests that are only counted, of a thousand. */
  const spent = 650;

  it.each(isLong() ? ["freeze", "kill -9 and restart", "both"] : ["both"])("%s", async (fault) => {
    fleet = await startFleet(redis.url, nodes);
    const key = await fleet.issueKey("shared");
    await expect.poll(() => fleet?.metric(0, "penknife_nodes"), seldom).toBe(nodes);
    const load = startLoad(fleet, key, 250);
    await answers(load, 1);
    await redis.command("INCRBY", await counterOf(redis, "shared"), spent);
    await answers(load, 40);
    const atFault = load.codes.length;
    if (fault !== "kill -9 and restart") {
      redis.freeze();
      await expect.poll(() => allUp(fleet as Fleet), seldom).toEqual(down(fleet as Fleet));
      // No request waits for Redis to return: many are answered before it does.
      await answers(load, 40);
      redis.thaw();
      await expect.poll(() => allUp(fleet as Fleet), seldom).toEqual(up(fleet as Fleet));
    }
    if (fault !== "freeze") {
      await redis.kill();
      await expect.poll(() => allUp(fleet as Fleet), seldom).toEqual(down(fleet as Fleet));
      await answers(load, 40);
      await redis.start();
      await expect.poll(() => allUp(fleet as Fleet), seldom).toEqual(up(fleet as Fleet));
    }
    // Faster, until the quota is used up on every node.
    await load.stop();
    expect(tally(load.codes)["quota_exceeded"] ?? 0, "false 429").toBe(0);
    const rest = startLoad(fleet, key, 15, 2);
    await expect.poll(() => tally(rest.codes.slice(-40))["quota_exceeded"]).toBe(40);
    await rest.stop();
    const codes = [...load.codes, ...rest.codes];
    const answered = spent + codes.filter((code) => code === "ok").length;
    expect(atFault).toBeGreaterThan(40);
    expect(answered).toBeGreaterThanOrEqual(980);
    expect(answered).toBeLessThanOrEqual(1_020);
    expect(codes).not.toContain("internal");
    expect(codes).not.toContain("broken");
    expect(await fleet.metric(0, "penknife_limit_degraded_total")).toBeGreaterThan(0);
  });
});

describe("without Redis", () => {
  it("known keys work, others get 503 and never 401, and log, health and metrics report it until it is over", async () => {
    fleet = await startFleet(proxy.url, 2, { PENKNIFE_LOG_FORMAT: "json" });
    const key = await fleet.issueKey("known", { plan: "team", limit: 1_000_000 });
    const on = fleet;
    // On a busy machine Redis may take longer than a server waits for it.
    for (const at of on.servers.keys())
      await expect.poll(async () => (await on.ask(at, key)).status).toBe(200);
    await expect.poll(async () => codeOf(await on.ask(0, invent()))).toBe("unknown_key");
    const load = startLoad(on, key, 60);
    const faults = [
      [async () => redis.freeze(), async () => redis.thaw(), false],
      [() => redis.kill(), () => redis.start(), false],
      // Until the server continues without Redis, an unknown key is looked up for `storage.unknownKeyMs`.
      [async () => proxy.delay(120), async () => proxy.delay(0), true],
      [async () => proxy.delay(500), async () => proxy.delay(0), true],
    ] as const;
    for (const [begin, end, isSlow] of faults) {
      await begin();
      const unknown: string[] = [];
      // Metrics cost more than the calls.
      while (unknown.length % 10 !== 0 || unknown.length < 10 || (await allUp(on)).includes(1)) {
        const reply = await on.ask(unknown.length % 2, invent());
        unknown.push(codeOf(reply));
        if (!isSlow || codeOf(reply) !== "unknown_key") await expectUnavailable(reply);
        await sleep(50);
      }
      await answers(load, 20);
      const ready = await on.get(0, "/readyz");
      expect([ready.status, ready.text]).toEqual([
        200,
        '{"status":"degraded","reason":"The store does not answer or cannot be written."}',
      ]);
      expect((await on.get(0, "/healthz")).status).toBe(200);
      await end();
      await expect.poll(() => allUp(on), seldom).toEqual(up(on));
      await expect.poll(async () => (await on.get(0, "/readyz")).text).toBe('{"status":"ready"}');
      await expect.poll(async () => codeOf(await on.ask(1, invent()))).toBe("unknown_key");
    }
    await load.stop();
    expect(tally(load.codes)).toEqual({ ok: load.codes.length });
    expect(load.codes.length).toBeGreaterThan(60);
    for (const [at, server] of on.servers.entries()) {
      expect(await on.metric(at, "penknife_limit_degraded_total")).toBeGreaterThan(0);
      expect(await on.metric(at, "penknife_storage_errors_total")).toBeGreaterThan(0);
      const log = server
        .stdout()
        .split("\n")
        .filter((line) => !line.includes('"message":"request"'))
        .join("\n");
      expect(log).toMatch(/Redis \(127\.0\.0\.1:\d+\/0\) does not answer in time\. Continuing without it/);
      expect(log.match(/answers again/g)?.length).toBeGreaterThanOrEqual(faults.length);
      // A thousand refusals for one reason must not log a thousand lines.
      expect(log.match(/"the store failed"/g)?.length ?? 0).toBeLessThan(60);
    }
  });

  it("closed: everyone gets 503, and /readyz too", async () => {
    fleet = await startFleet(redis.url, 1, { PENKNIFE_LIMITS_ON_STORE_ERROR: "closed" });
    const key = await fleet.issueKey("closed");
    await expect.poll(async () => (await fleet?.ask(0, key))?.status).toBe(200);
    redis.freeze();
    for (let n = 0; n < 4; n++) await expectUnavailable(await fleet.ask(0, key));
    expect((await fleet.get(0, "/readyz")).status).toBe(503);
    redis.thaw();
    await expect.poll(async () => (await fleet?.ask(0, key))?.status).toBe(200);
    await expect.poll(async () => (await fleet?.get(0, "/readyz"))?.status).toBe(200);
  });

  it("open: every request is answered, and none is refused for a quota that is not counted", async () => {
    fleet = await startFleet(redis.url, 1, { PENKNIFE_LIMITS_ON_STORE_ERROR: "open" });
    redis.freeze();
    const codes: string[] = [];
    for (let n = 0; n < 150; n++) codes.push(codeOf(await fleet.ask(0)));
    expect(tally(codes)).toEqual({ ok: 150 });
    redis.thaw();
    await expect.poll(async () => fleet?.metric(0, "penknife_store_up")).toBe(1);
    expect(codeOf(await fleet.ask(0))).toBe("ok");
  });
});

describe("penknife serve and penknife admin", () => {
  it("exit with status 3 and advice if Redis cannot be used, and never show the password", async () => {
    await redis.command("CONFIG", "SET", "requirepass", "right");
    const run = (url: string, ...args: string[]) =>
      penknife("/tmp", args, { env: { PENKNIFE_STORAGE_DRIVER: "redis", PENKNIFE_STORAGE_URL: url } });
    for (const args of [
      ["serve", "--port", "0"],
      ["admin", "accounts", "list"],
    ]) {
      const { status, stdout, stderr } = await run(`redis://:hunter2@127.0.0.1:${redis.port}/0`, ...args);
      expect(status).toBe(3);
      expect(stderr + stdout).toMatch(/refuses the password\. Set the right one in storage\.url/);
      expect(stderr + stdout).not.toContain("hunter2");
    }
    const fresh = await startRedis();
    try {
      const listed = await run(fresh.url, "admin", "accounts", "list");
      expect(listed.status).toBe(3);
      expect(listed.stderr).toMatch(/contains no penknife store under penknife:/);
      expect((await run(fresh.url, "admin", "accounts", "create", "acme", "--plan", "pro")).status).toBe(0);
      const found = await run(fresh.url, "admin", "accounts", "list");
      expect([found.status, found.stdout.includes("acme")]).toEqual([0, true]);
      fresh.freeze();
      const frozen = await run(fresh.url, "admin", "accounts", "list");
      expect(frozen.status).toBe(3);
      expect(frozen.stderr).toMatch(/does not answer/);
    } finally {
      await fresh.close();
    }
  });
});
