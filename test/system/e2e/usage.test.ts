import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startRedis } from "../storage/redis-server.ts";
import { cases } from "../../support/cases.ts";
import { call, emptyFolder, issueKey, penknife, serve, type Server } from "./harness.ts";

type Env = Record<string, string>;

interface Item {
  account?: string;
  tool?: string;
  requests: number;
  ok: number;
  refused: number;
  limited: number;
}

const path = "/api/tools/json-minifier";

function makeFolder(): string {
  const folder = emptyFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

/**
 * Sends this many calls with this body, concurrently. If Redis answers too late for a key to be read, the call gets 503
 * and is not counted; it is sent again.
 */
async function send(server: Server, times: number, body: string, key?: string): Promise<void> {
  const headers = {
    "Content-Type": "application/json",
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  };
  const one = async (): Promise<void> => {
    for (;;) {
      const { status, text } = await call(`${server.url}${path}`, { method: "POST", headers, body });
      if (!text.includes("storage_unavailable")) return expect([200, 422, 429]).toContain(status);
    }
  };
  for (let sent = 0; sent < times; sent += 50)
    await Promise.all(Array.from({ length: Math.min(50, times - sent) }, one));
}

async function admin<T>(cwd: string, line: string, env: Env = {}): Promise<T> {
  const { status, stdout, stderr } = await penknife(cwd, ["admin", ...line.split(" "), "--json"], { env });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

/** The same for a command that may be repeated: on a busy machine Redis may not answer in time. */
async function setUp<T>(cwd: string, line: string, env: Env): Promise<T | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await admin<T>(cwd, line, env);
    } catch (error) {
      // The first attempt may have created the account before its answer was late.
      if (attempt > 1 && /exists already/.test(String(error))) return undefined;
      if (attempt === 20 || !/does not answer in time/.test(String(error))) throw error;
    }
  }
}

async function usageOf(cwd: string, by: string, env: Env = {}): Promise<Record<string, Item>> {
  const { items } = await admin<{ items: (Item & Record<string, string>)[] }>(
    cwd,
    `usage --since 2h --by ${by}`,
    env,
  );
  return Object.fromEntries(items.map((item) => [item[by], item]));
}

const good = '{"data":"[1, 2]"}';
const bad = '{"data":"[1, 2"}';

it("counts every call of an account and of anonymous callers, and keeps the counts across a stop and a kill", async () => {
  const cwd = makeFolder();
  const server = await serve(cwd);
  onTestFinished(() => void server.stop("SIGKILL"));
  const key = await issueKey(cwd, "ci");
  await send(server, 30, good, key);
  await send(server, 2, bad, key);
  await send(server, 103, good);
  const expected = {
    ci: {
      requests: 32,
      ok: 30,
      refused: 2,
      failed: 0,
      limited: 0,
      inputBytes: 32 * 17 - 2,
      outputBytes: 30 * 18,
    },
    "(free)": { requests: 100, ok: 100, limited: 3 },
  };
  // Beside the server, which includes usage not written yet.
  expect(await usageOf(cwd, "account")).toMatchObject(expected);
  expect(await usageOf(cwd, "tool")).toMatchObject({
    "json-minifier": { requests: 132 },
    "-": { limited: 3 },
  });
  // Written usage survives kill -9, and later usage is added to it.
  await server.stop("SIGKILL");
  const again = await serve(cwd);
  onTestFinished(() => void again.stop("SIGKILL"));
  await send(again, 8, good, key);
  expect(await again.stop("SIGTERM")).toBe(0);
  expect(await usageOf(cwd, "account")).toMatchObject({
    ...expected,
    ci: { requests: 40, ok: 38, refused: 2 },
  });
  // No address is stored.
  const text = readFileSync(join(cwd, "penknife-data/history.db"), "latin1");
  expect(text).toContain("(free)");
  expect(text).not.toMatch(/127\.0\.0|7f00/);
  expect(text).not.toContain(String.fromCharCode(127, 0, 0, 1));
});

it("records acts beside a running server in the audit trail and in the log, whose line is an anchor of the trail", async () => {
  const cwd = makeFolder();
  const server = await serve(cwd);
  onTestFinished(() => void server.stop("SIGKILL"));
  const key = await issueKey(cwd, "ci");
  await admin(cwd, `keys revoke ${key}`);
  await server.stop("SIGKILL");
  const logged = server
    .stdout()
    .split("\n")
    .filter((line) => line.includes("an administrative act"))
    .map((line) => JSON.parse(line) as { act: string; result: string; seq: number; hash: string });
  expect(logged.map(({ act, result, seq }) => `${act} ${result} ${seq}`)).toEqual([
    "accounts.create done 2",
    "keys.issue done 4",
    "keys.revoke done 6",
  ]);
  // The first and the last.
  for (const { seq, hash } of cases(logged))
    expect(await admin(cwd, `audit --verify --anchor ${seq}:${hash}`)).toMatchObject({
      valid: true,
      lines: 6,
    });
  const text = readdirSync(join(cwd, "penknife-data/audit"))
    .map((name) => readFileSync(join(cwd, "penknife-data/audit", name), "utf8"))
    .join("");
  for (const place of [text, server.stdout()]) expect(place).not.toContain(key.slice(9, 20));
});

it("adds up exactly over two nodes on one Redis, and records the acts of all commands in one trail", async () => {
  const cwd = makeFolder();
  const redis = await startRedis(["--appendonly", "yes"]);
  onTestFinished(redis.close);
  const env = { PENKNIFE_STORAGE_DRIVER: "redis", PENKNIFE_STORAGE_URL: redis.url };
  await setUp(cwd, "accounts create ci --plan team", env);
  const { key = "" } = (await setUp<{ key: string }>(cwd, "keys issue --account ci", env)) ?? {};
  const nodes = await Promise.all([serve(cwd, env), serve(cwd, env)]);
  onTestFinished(() => void Promise.all(nodes.map((node) => node.stop("SIGKILL"))));
  await Promise.all([
    ...nodes.map((node, index) => send(node, 150 + index, good, key)),
    ...Array.from({ length: 2 }, (_, n) => setUp(cwd, `accounts create a${n} --plan pro`, env)),
  ]);
  for (const node of nodes) expect(await node.stop("SIGTERM")).toBe(0);
  expect(await usageOf(cwd, "account", env)).toMatchObject({ ci: { requests: 301, ok: 301 } });
  const { items } = await admin<{
    items: { act: string; account: string; result: string; actor: string }[];
  }>(cwd, "audit", env);
  // A command whose answer was late was repeated.
  const done = items.filter(({ result }) => result === "done");
  expect(done.map(({ act, account }) => `${act} ${account}`).toSorted()).toEqual([
    ...["a0", "a1", "ci"].map((name) => `accounts.create ${name}`),
    ...done.filter(({ act }) => act === "keys.issue").map(() => "keys.issue ci"),
  ]);
  expect(done.length).toBeGreaterThan(3);
  expect(new Set(items.map(({ actor }) => actor)).size).toBe(1);
  expect(items[0]?.actor).toMatch(/^cli:\w+/);
  const proof = await admin<{ valid: boolean; lines: number }>(cwd, "audit --verify", env);
  expect(proof).toMatchObject({ valid: true });
  // Two for each act, unless a command was cut off.
  expect(proof.lines).toBeGreaterThanOrEqual(2 * done.length);
  expect(proof.lines).toBeLessThanOrEqual(2 * items.length);
});
