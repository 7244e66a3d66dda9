import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call, callTool, emptyFolder, issueKey, penknife, type Server, serve } from "./harness.ts";
import { openSocket } from "./operate.ts";
import { cases, maxSeconds } from "../../support/cases.ts";

const folder = emptyFolder();
let server: Server;

beforeAll(async () => {
  server = await serve(folder.path);
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const input = { data: "[1]" };
const status = async (key: string) => (await callTool(server, "json-minifier", input, key)).status;
const code = async (key: string) =>
  (JSON.parse((await callTool(server, "json-minifier", input, key)).text) as { code: string }).code;

interface Issued {
  id: string;
  key: string;
  account: string;
  expiresAt: string | null;
}

async function admin<T>(...args: string[]): Promise<T> {
  const { status: exit, stdout, stderr } = await penknife(folder.path, ["admin", ...args, "--json"]);
  expect(stderr + stdout, args.join(" ")).toSatisfy(() => exit === 0);
  return JSON.parse(stdout) as T;
}

/** Creates an account with this many keys, without a command for each. */
async function createKeys(account: string, plan: "free" | "pro" | "team", count: number): Promise<Issued[]> {
  const socket = await openSocket(folder.path);
  await socket.call("accounts.create", { name: account, plan });
  const keys: Issued[] = [];
  for (let n = 0; n < count; n++) keys.push(await socket.call<Issued>("keys.issue", { account }));
  socket.close();
  return keys;
}

it("sees a revocation at once", async () => {
  const [{ id, key }] = (await createKeys("revoked", "pro", 1)) as [Issued];
  expect(await status(key)).toBe(200);
  await admin("keys", "revoke", id, "--reason", "left the company");
  expect(await code(key)).toBe("revoked_key");
});

it("lets both keys work during the grace of a rotation, and one afterwards", async () => {
  const [old] = (await createKeys("rotated", "team", 1)) as [Issued];
  const fresh = await admin<Issued>("keys", "rotate", old.id, "--grace", "2s");
  expect([await status(old.key), await status(fresh.key)]).toEqual([200, 200]);
  await new Promise((resolve) => setTimeout(resolve, 2600));
  expect([await code(old.key), await status(fresh.key)]).toEqual(["expired_key", 200]);
  const last = await admin<Issued>("keys", "rotate", fresh.id);
  expect([await status(fresh.key), await status(last.key)]).toEqual([401, 200]);
});

it("revokes every key of an account at once", async () => {
  const keys = await createKeys("leaked", "pro", 3);
  expect(await Promise.all(keys.map(({ key }) => status(key)))).toEqual([200, 200, 200]);
  await admin("keys", "revoke", "--all", "--account", "leaked");
  expect(await Promise.all(keys.map(({ key }) => code(key)))).toEqual(Array(3).fill("revoked_key"));
});

it("prints a key alone on standard output and stores it nowhere", async () => {
  const key = await issueKey(folder.path, "secretive");
  expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  expect(await status(key)).toBe(200);
  await call(`${server.url}/api/tools/json-minifier?api_key=${key}`, { method: "POST", body: "[]" });
  const secret = key.slice(9, 41);
  for (const file of readdirSync(folder.path, { recursive: true, encoding: "utf8" })) {
    const path = join(folder.path, file);
    if (statSync(path).isFile()) expect(readFileSync(path, "latin1"), path).not.toContain(secret);
  }
  expect(server.stdout() + server.stderr()).not.toContain(secret);
  expect(server.stdout()).toContain("key_");
});

it("checks a key from standard input, as the help shows", async () => {
  const [{ id, key }] = (await createKeys("checked", "pro", 1)) as [Issued];
  const help = await penknife(folder.path, ["admin", "keys", "check", "--help"]);
  const words = /^ *penknife (admin keys check -) < key\.txt$/m.exec(help.stdout)?.[1]?.split(" ") ?? [];
  expect(words).toHaveLength(4);
  for (const line of [key, `${key}\n`]) {
    const checked = await penknife(folder.path, [...words, "--json"], { input: line });
    expect([checked.status, JSON.parse(checked.stdout)]).toMatchObject([0, { valid: true, key: { id } }]);
  }
  await admin("keys", "revoke", id);
  expect((await penknife(folder.path, words, { input: key })).status).toBe(1);
  expect(await penknife(folder.path, words, { input: "" })).toMatchObject({ status: 2, stdout: "" });
});

it("lets a key that works pass from an address with too many refusals, after a restart too", async () => {
  const [{ key }] = (await createKeys("blocked", "pro", 1)) as [Issued];
  await server.stop();
  server = await serve(folder.path);
  for (let n = 0; n < 31; n++) await status("svc_live_junk");
  expect(await code("svc_live_junk")).toBe("quota_exceeded");
  expect(await status(key)).toBe(200);
});

it("refuses invalid operations with exit status 2 and one sentence", async () => {
  await createKeys("gratis", "free", 0);
  const refusals = [
    ["keys", "issue", "--account", "gratis"],
    ["keys", "issue", "--account", "nobody"],
    ["accounts", "create", "small", "--plan", "team", "--limit", "9999"],
    ["accounts", "create", "odd", "--plan", "pro", "--limit", "20000"],
    ["accounts", "create", "Bad_Name", "--plan", "pro"],
    ["accounts", "create", "gratis", "--plan", "pro"],
    ["keys", "issue", "--account", "revoked", "--expires", "2020-01-01T00:00:00Z"],
    ["keys", "issue", "--account", "revoked", "--expires", "-5d"],
    ["accounts", "set", "secretive", "--plan", "free"],
    ["keys", "revoke", "key_00000000000000000000"],
  ];
  for (const args of cases(refusals, maxSeconds)) {
    const { status: exit, stdout, stderr } = await penknife(folder.path, ["admin", ...args]);
    expect([args.join(" "), exit, stdout]).toEqual([args.join(" "), 2, ""]);
    expect(stderr.trim().split("\n").length, stderr).toBeLessThanOrEqual(3);
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+\)?$/m);
  }
});

// It stops the server, so it is the last.
it("gives the same output with and without the server", async () => {
  const words = [
    ["accounts", "list"],
    ["accounts", "show", "revoked"],
    ["keys", "list"],
  ] as const;
  const running = [];
  for (const args of words) running.push(await admin(...args));
  await server.stop();
  const stopped = [];
  for (const args of words) stopped.push(await admin(...args));
  expect(stopped).toEqual(running);
});
