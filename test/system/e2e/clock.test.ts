import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callTool, emptyFolder, type Reply, serve, type Server } from "./harness.ts";
import { codeWith, type Issued, openSocket, requestsOf, type Socket } from "./operate.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A server whose clocks are moved while it runs: the wall clock can be set, the monotonic one only advances. */
async function startOnClock() {
  const folder = emptyFolder();
  const file = join(folder.path, "clock");
  const ahead = { wall: 0, steady: 0, step: 0 };
  const write = () => writeFileSync(file, JSON.stringify(ahead));
  const preload = new URL("./stepped-clock.cjs", import.meta.url).pathname;
  // The executable refuses NODE_OPTIONS, so the source tree runs with the preloaded module.
  const source = new URL("../../../src/main.ts", import.meta.url).pathname;
  const program = [process.execPath, `--require=${preload}`, source];
  const compiled = process.env["NODE_COMPILE_CACHE"];
  const env = { TEST_CLOCK: file, ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }) };
  const start = (): Promise<Server> => serve(folder.path, env, [], undefined, program);
  write();
  const test = {
    cwd: folder.path,
    async close() {
      // A server that is killed would keep nothing compiled for the next one.
      await test.server.stop();
      folder.remove();
    },
    server: await start(),
    now: () => Date.now() + ahead.wall,
    /** Sets the clock; the server continues, or is killed and restarted. */
    async set(by: number, restart = false) {
      ahead.wall += by;
      ahead.step += 1;
      write();
      if (restart) {
        await test.server.stop("SIGKILL");
        test.server = await start();
      } else test.server.child.kill("SIGUSR2");
      await expect.poll(() => readFileSync(`${file}.seen`, "utf8")).toBe(String(ahead.step));
    },
    /** Advances both clocks. */
    async pass(ms: number) {
      ahead.steady += ms;
      await test.set(ms);
    },
  };
  return test;
}

type Test = Awaited<ReturnType<typeof startOnClock>>;

/** A start of the sources takes a second, so one server serves all tests that move the clocks from wherever they are. */
let test: Test;

beforeAll(async () => {
  test = await startOnClock();
});

afterAll(() => test.close());

/** Issues a key of a new account. */
async function issueKey(socket: Socket, name: string): Promise<string> {
  await socket.call("accounts.create", { name, plan: "pro" });
  return (await socket.call<Issued>("keys.issue", { account: name })).key;
}

const ask = (localAddress: string, agent?: Agent): Promise<Reply> =>
  callTool(test.server, "json-minifier", { data: "[1]" }, undefined, {
    localAddress,
    ...(agent !== undefined && { agent }),
  });

/** Calls until the quota of an address is used up. Returns the number of answers. */
async function useUp(from: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  for (let answered = 0; ; answered++) {
    const { status } = await ask(from, agent);
    if (status === 200) continue;
    agent.destroy();
    expect(status).toBe(429);
    return answered;
  }
}

/** The seconds to wait after a refusal; its headers must agree. */
async function waitOf(from: string): Promise<number> {
  const { status, headers } = await ask(from);
  expect(status).toBe(429);
  const wait = Number(headers["retry-after"]);
  const reset = Number(headers["x-ratelimit-reset"]) - test.now() / second;
  expect(Math.abs(reset - wait)).toBeLessThan(3);
  expect(headers["ratelimit"]).toMatch(new RegExp(`;r=0;t=(${wait}|${wait + 1})$`));
  return wait;
}

it("set back by a minute, an hour, and a day: callers over their quota wait exactly as long as announced", async () => {
  for (const [index, back] of [minute, hour, day].entries()) {
    const from = `127.0.0.${index + 1}`;
    expect(await useUp(from)).toBe(100);
    await test.pass(20 * minute);
    await test.set(-back);
    const wait = await waitOf(from);
    expect([back, wait > 39 * 60]).toEqual([back, true]);
    expect(wait).toBeLessThanOrEqual(40 * 60);
    await test.pass(39 * minute);
    expect(await waitOf(from)).toBeLessThanOrEqual(60);
    await test.pass(minute);
    expect(await useUp(from)).toBe(100);
  }
});

it("forward by a day and back: one window more, which then lasts an hour at most, also across kill -9", async () => {
  const from = "127.0.0.9";
  expect(await useUp(from)).toBe(100);
  await test.set(day);
  expect(await useUp(from)).toBe(100);
  await test.set(-day);
  expect(await waitOf(from)).toBeLessThanOrEqual(3600);
  // The journal contains a window that ends tomorrow, and later no expired one.
  for (const by of [-day, -minute]) {
    await test.set(by, true);
    const wait = await waitOf(from);
    expect(wait).toBeGreaterThan(3500);
    expect(wait).toBeLessThanOrEqual(3600);
  }
  await test.pass(hour);
  expect(await useUp(from)).toBe(100);
});

it("set back and forth: keys follow the clock, revocations hold, and the audit trail keeps its order", async () => {
  const socket = await openSocket(test.cwd);
  const known = await issueKey(socket, "ci");
  const issue = (expires: string) => socket.call<Issued>("keys.issue", { account: "ci", expires });
  const [short, long, leaked] = [await issue("1h"), await issue("60d"), await issue("60d")];
  const codes = () => Promise.all([short, long, leaked].map(({ key }) => codeWith(test.server, key)));
  expect(await codes()).toEqual(["ok", "ok", "ok"]);
  await test.set(2 * hour);
  expect(await codes()).toEqual(["expired_key", "ok", "ok"]);
  await socket.call("keys.revoke", { id: leaked.id });
  expect(await codes()).toEqual(["expired_key", "ok", "revoked_key"]);
  await test.set(-day);
  expect(await codes()).toEqual(["ok", "ok", "revoked_key"]);
  // A cache entry from tomorrow must not hide a change of the key today.
  await socket.call("keys.revoke", { id: long.id });
  expect(await codes()).toEqual(["ok", "revoked_key", "revoked_key"]);
  await test.set(-60 * day);
  await socket.call("accounts.disable", { name: "ci" });
  expect(await codeWith(test.server, known)).toBe("account_disabled");
  await test.set(61 * day);
  await socket.call("accounts.enable", { name: "ci" });
  expect(await codeWith(test.server, known)).toBe("ok");

  expect(await socket.call("audit.verify")).toMatchObject({ faultCount: 0, notices: [] });
  const { items } = await socket.call<{ items: { act: string; at: string }[] }>("audit.list", {});
  expect(items.slice(-4).map(({ act }) => act)).toEqual([
    "keys.revoke",
    "keys.revoke",
    "accounts.disable",
    "accounts.enable",
  ]);
  const times = items.slice(-4).map(({ at }) => Date.parse(at));
  expect(times.map((time, index) => Math.sign(time - (times[index - 1] ?? 0)))).toEqual([1, -1, -1, 1]);
  expect(
    readdirSync(join(test.cwd, "penknife-data/audit")).filter((name) => name.endsWith(".jsonl")),
  ).toEqual([expect.any(String)]);
  socket.close();
});

it("set back and forth: usage is reported by the hour of the clock, and none is lost or counted twice", async () => {
  const socket = await openSocket(test.cwd);
  const key = await issueKey(socket, "counted");
  // What the server has not written yet belongs to the hour in which that began, so it writes what is left of other tests.
  expect(await requestsOf(socket, "counted")).toBe(0);
  const call = async (times: number) => {
    for (let n = 0; n < times; n++) expect(await codeWith(test.server, key)).toBe("ok");
  };
  await call(3);
  // Not written yet: it counts in the hour in which it started.
  await test.set(-3 * hour);
  await call(4);
  expect(await requestsOf(socket, "counted")).toBe(0);
  await call(5);
  await test.set(3 * hour);
  expect(await requestsOf(socket, "counted")).toBe(7);
  await test.set(day);
  await call(1);
  expect(await requestsOf(socket, "counted")).toBe(1);
  await test.set(-day);
  const { items } = await socket.call<{ items: { account: string; requests: number }[] }>("usage.history", {
    since: "1d",
  });
  expect(items.find(({ account }) => account === "counted")?.requests).toBe(12);
  socket.close();
});
