import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createKey } from "../../../src/services/access/key-format.ts";
import { penknife } from "../cli/host.ts";
import { startRedis, type RedisServer } from "../storage/redis-server.ts";
import { codeOf, type Fleet, startFleet, tally, textOf } from "./fleet.ts";
import { emptyFolder } from "./harness.ts";
import type { Operate } from "./redis-operator.ts";

/** A database number that a server with fewer databases lacks. */
const database = 9;
const config = ["--appendonly", "yes"];

let redis: RedisServer;
let fleet: Fleet;
const folder = emptyFolder();
const backup = join(folder.path, "backup.jsonl");

// Every test ends with servers that have recovered, so all faults befall the same ones.
beforeAll(async () => {
  redis = await startRedis(config);
  fleet = await startFleet(redis.url.replace(/0$/, String(database)), 2, { PENKNIFE_LOG_FORMAT: "json" });
});

afterAll(async () => {
  await fleet?.close();
  await redis?.close();
  folder.remove();
});

/** Well-formed keys that were never issued, each used from its own address to stay below the cap of refusals. */
let invented = 0;
async function askWithout(at: number) {
  const key = createKey((size) => crypto.getRandomValues(new Uint8Array(size)));
  return fleet.ask(at, key, { localAddress: `127.0.7.${1 + (invented++ % 250)}` });
}

async function restart(...args: string[]): Promise<void> {
  await redis.kill();
  await redis.start([...config, ...args]);
}

/** Runs a command of the operator. */
const admin = (...words: string[]) => penknife(["admin", ...words], { env: fleet.env });

interface Fault {
  name: string;
  /** An account of its own. */
  account: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  /** The error code for a key that was never issued. */
  unknown: "unknown_key" | "storage_unavailable";
  says: RegExp;
}

const faults: Fault[] = [
  {
    name: "full",
    account: "full",
    begin: () => redis.command("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction"),
    end: () => redis.command("CONFIG", "SET", "maxmemory", "0"),
    unknown: "unknown_key",
    says: /is full \(maxmemory\)\. Raise maxmemory/,
  },
  {
    name: "a read-only replica",
    account: "replica",
    begin: () => redis.command("REPLICAOF", "127.0.0.1", 1),
    end: () => redis.command("REPLICAOF", "NO", "ONE"),
    unknown: "unknown_key",
    says: /is a read-only replica\. Point storage\.url at the primary/,
  },
  {
    name: "behind another password",
    account: "password",
    begin: () =>
      redis.pipeline([
        ["CONFIG", "SET", "requirepass", "another"],
        ["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"],
      ]),
    end: () => restart(),
    unknown: "storage_unavailable",
    says: /requires a password\. Put it into storage\.url/,
  },
  {
    name: "without its database",
    account: "database",
    // It could not load the file, which contains that database.
    begin: () => restart("--databases", "2", "--appendonly", "no"),
    end: () => restart(),
    unknown: "storage_unavailable",
    says: /has no database with that number/,
  },
  {
    name: "emptied",
    account: "emptied",
    async begin() {
      await expect.poll(() => admin("backup", backup)).toMatchObject({ status: 0 });
      await redis.command("FLUSHALL");
    },
    end: async () => expect(await admin("restore", backup)).toMatchObject({ status: 0 }),
    unknown: "storage_unavailable",
    says: /was emptied: the mark of the store \(penknife:store:4\) is gone\. Restore a backup/,
  },
];

it.each(faults)(
  "Redis that is $name: known keys continue to work, the log reports the fault, and the servers recover without a restart",
  async ({ account, begin, end, unknown, says }) => {
    const key = await fleet.issueKey(account, { plan: "team", limit: 1_000_000 });
    const issue = async (call: Operate) => (await call<{ key: string }>("keys.issue", { account })).key;
    const unseen = await fleet.operate(issue);
    // On a busy machine Redis may take longer than a server waits for it.
    for (const at of [0, 1]) await expect.poll(async () => codeOf(await fleet.ask(at, key))).toBe("ok");
    const metrics = (name: string) => Promise.all([0, 1].map((at) => fleet.metric(at, name)));
    const failed = await metrics("penknife_storage_errors_total");
    const up = () => metrics("penknife_store_up");

    await begin();
    const codes: string[] = [];
    const strangers: string[] = [];
    const until = performance.now() + 1_500;
    // Both servers have noticed, and their caches have expired.
    while (performance.now() < until || (await up()).includes(1)) {
      expect(performance.now()).toBeLessThan(until + 60_000);
      codes.push(codeOf(await fleet.ask(codes.length % 2, key)));
      const stranger = await askWithout(codes.length % 2);
      strangers.push(codeOf(stranger));
      if (stranger.status === 503) expect(Number(stranger.headers["retry-after"])).toBeGreaterThanOrEqual(1);
      await sleep(50);
    }
    expect(tally(codes)).toEqual({ ok: codes.length });
    // At the moment of the fault, a lookup may still be answered, or be cut off.
    expect(strangers.filter((code) => !["unknown_key", "storage_unavailable"].includes(code))).toEqual([]);
    expect([codeOf(await askWithout(0)), codeOf(await askWithout(1))]).toEqual([unknown, unknown]);
    if (account === "full" || account === "emptied")
      expect(await admin("keys", "issue", "--account", account)).toMatchObject({
        status: 3,
        stdout: "",
        stderr: expect.stringMatching(/^penknife: /),
      });
    else expect(await fleet.operate(issue, 1).catch(textOf)).toMatch(/^(?!svc_)[^]*Redis/);
    for (const [at, server] of fleet.servers.entries()) {
      const { status, text } = await fleet.get(at, "/readyz");
      expect([status, text]).toEqual([
        200,
        '{"status":"degraded","reason":"The store does not answer or cannot be written."}',
      ]);
      expect(await fleet.metric(at, "penknife_storage_errors_total")).toBeGreaterThan(failed[at] ?? 0);
      await expect.poll(() => server.stdout()).toMatch(says);
    }

    await end();
    await expect.poll(up).toEqual([1, 1]);
    for (const at of [0, 1]) {
      await expect.poll(async () => (await fleet.get(at, "/readyz")).text).toBe('{"status":"ready"}');
      await expect.poll(async () => codeOf(await askWithout(at))).toBe("unknown_key");
      expect(codeOf(await fleet.ask(at, unseen))).toBe("ok");
    }
    expect(await fleet.operate(issue)).toMatch(/^svc_live_/);
  },
);
