import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { readJournal } from "../../../src/storage/journal/lines.ts";
import { damageIn, type Disk } from "./disk.ts";
import { codeOf } from "./fleet.ts";
import { call, callTool, executable, issueKey, type Output, penknife, type Server } from "./harness.ts";
import { openSocketWithin, type Socket } from "./socket.ts";

export interface Issued {
  id: string;
  key: string;
}

/** Runs `penknife admin …`. */
export const admin = (cwd: string, line: string): Promise<Output> =>
  penknife(cwd, ["admin", ...line.split(" ")]);

/** Opens the admin socket of a server, which is faster than running commands. */
export async function openSocket(cwd: string): Promise<Socket> {
  const socket = await openSocketWithin(cwd, 5000);
  if (socket === undefined) throw new Error(`no server listens in ${cwd}`);
  return socket;
}

export type { Socket };

/** Returns a code for a session of the account, or of the operator if none is given. */
export const signInCode = async (socket: Socket, account?: string): Promise<string> =>
  (await socket.call<{ code: string }>("login", account === undefined ? {} : { account })).code;

/** Calls a tool with this key. Returns `ok` or the error code. */
export const codeWith = async (server: Server, key: string): Promise<string> =>
  codeOf(await callTool(server, "json-minifier", { data: "[1]" }, key));

/** The sum of a metric over the labels that contain `label`. */
export async function metricOf(server: Server, name: string, label = ""): Promise<number> {
  const { text } = await call(`${server.url}/metrics`);
  return text
    .split("\n")
    .filter((line) => line.startsWith(name) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

export const readiness = async (server: Server): Promise<string> => {
  const { status, text } = await call(`${server.url}/readyz`);
  return `${status} ${text}`;
};

/** The lines of a JSON log that do not belong to a request. */
export const eventsOf = (server: Server): string[] =>
  server
    .stdout()
    .split("\n")
    .filter((line) => line !== "" && !line.includes('"message":"request"'));

export interface Load {
  /** Requests that were answered with 200. */
  answered(): number;
  sent(): number;
  /** All other results. */
  others: string[];
  stop(): Promise<void>;
}

/** Calls with this key, sequentially on two connections, until stopped or the server is gone. */
export function startLoad(server: Server, key: string, pauseMs = 4): Load {
  let [sent, answered] = [0, 0];
  let going = true;
  const others: string[] = [];
  const running = Array.from({ length: 2 }, async () => {
    while (going) {
      sent += 1;
      const code = await codeWith(server, key).catch(() => undefined);
      if (code === undefined) return;
      if (code === "ok") answered += 1;
      else others.push(code);
      await sleep(pauseMs);
    }
  });
  return {
    answered: () => answered,
    sent: () => sent,
    others,
    async stop() {
      going = false;
      await Promise.all(running);
    },
  };
}

/** Starts a server that must fail. Returns its exit status and output. */
export function startInVain({ cwd }: Disk) {
  const { status, stdout, stderr } = spawnSync(executable, ["serve", "--port", "0"], {
    cwd,
    env: { PATH: process.env.PATH },
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, said: stdout + stderr };
}

export const filesOf = ({ data }: Disk): string[] =>
  readdirSync(data, { recursive: true, encoding: "utf8" }).toSorted();

export const usedOf = async (socket: Socket, account: string): Promise<number> => {
  const { items } = await socket.call<{ items: [{ used: number }] }>("usage", { account });
  return items[0].used;
};

export function journaled({ data }: Disk, account: string): number {
  const windows = [...readJournal(join(data, "counters.log"))];
  return windows.find(([id]) => id.startsWith(`account:${account}:`))?.[1].used ?? 0;
}

/** The recorded runs of tools, including those that this server has not written yet. */
export async function requestsOf(socket: Socket, account: string): Promise<number> {
  const { items } = await socket.call<{ items: { account: string; requests: number }[] }>("usage.history", {
    since: "2h",
  });
  return items.find((item) => item.account === account)?.requests ?? 0;
}

export const liveKeys = async (socket: Socket, account: string): Promise<string[]> =>
  (await socket.call<{ items: { id: string; state: string }[] }>("keys.list", { account })).items
    .filter(({ state }) => state === "live")
    .map(({ id }) => id);

/** Creates an account under load, and keys for the acts of the operator. */
export async function prepare(disk: Disk, server: Server) {
  const key = await issueKey(disk.cwd, "loaded", "team", ["--limit", "1000000"]);
  const socket = await openSocket(disk.cwd);
  await socket.call("accounts.create", { name: "ci", plan: "pro" });
  const issue = () => socket.call<Issued>("keys.issue", { account: "ci" });
  return { server, key, socket, leaked: await issue(), old: await issue(), doomed: await issue() };
}

export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Returns the status of `admin keys revoke`, and of a call with the key afterwards. */
export async function revocation(disk: Disk, server: Server, { id, key }: Issued) {
  const { status, stderr } = await admin(disk.cwd, `keys revoke ${id}`);
  return { status, stderr, code: await codeWith(server, key) };
}

/**
 * Expects that operations that grow the store are refused with the reason and have no effect. If `revokes` is false,
 * nothing can be written, and a revocation is only in memory.
 */
export async function expectRefusals(
  disk: Disk,
  { server, socket, leaked, old, doomed }: Prepared,
  reason: RegExp,
  revokes: boolean,
) {
  const before = await liveKeys(socket, "ci");
  const command = await admin(disk.cwd, "keys issue --account ci");
  expect([command.status, command.stdout]).toEqual([3, ""]);
  expect(command.stderr).toMatch(reason);
  await expect(socket.call("keys.rotate", { id: old.id })).rejects.toThrow(reason);
  await expect(socket.call("accounts.create", { name: "late", plan: "pro" })).rejects.toThrow(reason);
  expect(await liveKeys(socket, "ci")).toEqual(before);
  expect([await codeWith(server, leaked.key), await codeWith(server, old.key)]).toEqual(["ok", "ok"]);
  await expect(socket.call("accounts.show", { name: "late" })).rejects.toThrow(/late/);
  const { status, stderr, code } = await revocation(disk, server, doomed);
  expect([stderr, status, code]).toEqual([
    revokes ? "" : expect.stringMatching(/refused by this server from now on, but it could not be written/),
    revokes ? 0 : 3,
    "revoked_key",
  ]);
  expect(await readiness(server)).toMatch(revokes ? /^200 / : /^503 /);
}

/** Expects that the refused operations work again without a restart. */
export async function expectAllWorks(disk: Disk, { server, socket, leaked, old, doomed }: Prepared) {
  expect(await revocation(disk, server, doomed)).toMatchObject({ status: 0, code: "revoked_key" });
  const issued = await socket.call<Issued>("keys.issue", { account: "ci" });
  const fresh = await socket.call<Issued>("keys.rotate", { id: old.id });
  await socket.call("keys.revoke", { id: leaked.id });
  const keys = [issued, fresh, leaked, old];
  expect(await Promise.all(keys.map(({ key }) => codeWith(server, key)))).toEqual([
    "ok",
    "ok",
    "revoked_key",
    "revoked_key",
  ]);
  expect(await socket.call("audit.verify")).toMatchObject({ faultCount: 0, notices: [] });
  expect(damageIn(disk)).toEqual([]);
}
