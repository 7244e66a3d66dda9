import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import type { Person } from "../../../src/catalog/principal.ts";
import { unwritten } from "../../../src/storage/server-store.ts";
import { StoreError } from "../../../src/storage/errors.ts";
import { findOpenings } from "../../../src/storage/folder-modes.ts";
import type { Store } from "../../../src/storage/storage.ts";
import { createTestOperator, createTestOutbox } from "../../unit/services/setup.ts";
import { redisOptions } from "./drivers.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { startRedis } from "./redis-server.ts";
import { testRuntime } from "../../support/runtime.ts";

const anna: Person = { issuer: "https://id.example.com", subject: "anna", name: "Anna" };

interface Issued {
  id: string;
  key: string;
}

function operate(store: Store, serves: boolean) {
  const outbox = createTestOutbox(store, Date.now, { enabled: false });
  const operator = createTestOperator({
    store,
    outbox,
    runtime: testRuntime({ now: Date.now, random: randomBytes }),
    serves,
  });
  const call = <T>(operation: string, args: object) => operator.perform(operation, args) as Promise<T>;
  const reason = async (operation: string, args: object): Promise<string> =>
    call(operation, args).then(
      () => "done",
      (error: unknown) =>
        error instanceof ToolError && error.cause instanceof StoreError ? error.cause.reason : String(error),
    );
  return { call, reason };
}

test("on a full Redis access can be closed, and nothing else is written", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const { store } = await openTestStore({ driver: "redis", redis: redisOptions(redis.url) });
  const { call, reason } = operate(store, true);
  await call("accounts.create", { name: "ci", plan: "pro" });
  const one = await call<Issued>("keys.issue", { account: "ci" });
  const two = await call<Issued>("keys.issue", { account: "ci" });
  const session = await call<{ id: string }>("sessions.open", { person: anna, account: "ci" });
  await redis.command("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction");
  expect(await reason("keys.issue", { account: "ci" })).toMatch(/is full \(maxmemory\)/);
  expect(await call("keys.revoke", { id: one.id })).toMatchObject({ state: "revoked" });
  expect(await call("keys.check", { key: one.key })).toMatchObject({ valid: false, code: "revoked_key" });
  expect(await call("accounts.disable", { name: "ci" })).toMatchObject({ disabled: true });
  expect(await call("keys.check", { key: two.key })).toMatchObject({ code: "account_disabled" });
  expect(await call("sessions.revokeAll", { person: anna })).toMatchObject({
    items: [{ id: session.id, state: "revoked" }],
  });
  expect(unwritten(store)).toBe(0);
  expect(await call("audit.verify", {})).toMatchObject({ faultCount: 0 });
  await redis.command("CONFIG", "SET", "maxmemory", "0");
  expect(await reason("keys.issue", { account: "ci" })).toBe("done");
});

describe("a store that cannot be written at all", () => {
  async function begin(serves: boolean) {
    const folder = makeFolder();
    const { store } = await openTestStore({ driver: "file", path: folder });
    const operator = operate(store, serves);
    await operator.call("accounts.create", { name: "ci", plan: "pro" });
    const issued = await operator.call<Issued>("keys.issue", { account: "ci" });
    const id = issued.id.slice("key_".length);
    const open = async (person: Person, whose: object): Promise<string> =>
      (await operator.call<{ id: string }>("sessions.open", { person, ...whose })).id;
    const sessions = [
      await open(anna, { account: "ci" }),
      await open(anna, { operator: true }),
      await open({ ...anna, issuer: "proxy" }, { account: "ci" }),
    ] as const;
    expect((await store.keys.lookup(id))?.revokedAt).toBeUndefined();
    // No folder, no trail: as if the disk were gone.
    renameSync(join(folder, "audit"), join(folder, "away"));
    mkdirSync(join(folder, "audit", "head.json"), { recursive: true });
    const mend = (): void => {
      renameSync(join(folder, "audit"), join(folder, "broken"));
      renameSync(join(folder, "away"), join(folder, "audit"));
    };
    return { ...operator, store, issued, id, sessions, mend };
  }

  test("closes access in the memory of a server, reports that, and writes it when the operation is repeated", async () => {
    const { call, reason, store, issued, id, mend } = await begin(true);
    expect(await reason("keys.revoke", { id: issued.id })).toMatch(
      new RegExp(`The key ${issued.id} is refused by this server from now on, but it could not be written`),
    );
    expect((await store.keys.lookup(id))?.revokedAt).toBeDefined();
    // However old the cached record gets.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await store.keys.lookup(id))?.revokedAt).toBeDefined();
    expect(unwritten(store)).toBe(1);
    expect(await reason("accounts.disable", { name: "ci" })).toMatch(
      /The account ci is refused by this server/,
    );
    expect((await store.accounts.lookup("ci"))?.disabled).toBe(true);
    mend();
    await call("keys.revoke", { id: issued.id });
    await call("accounts.disable", { name: "ci" });
    expect(unwritten(store)).toBe(0);
    expect(await call("keys.check", { key: issued.key })).toMatchObject({ code: "revoked_key" });
    expect(await call("audit.verify", {})).toMatchObject({ faultCount: 0 });
  });

  test("ends all sessions of a person in the memory of a server, and writes that when the operation is repeated", async () => {
    const { call, reason, store, mend, sessions } = await begin(true);
    const [first, second, other] = sessions;
    const isLive = async (id: string): Promise<boolean> =>
      (await store.sessions.lookup(id.slice("ses_".length)))?.revokedAt === undefined;
    const { issuer, subject } = anna;
    const person = { issuer, subject };
    expect(await reason("sessions.revokeAll", { person, account: "ci" })).toMatch(
      new RegExp(`The session ${first} is refused by this server from now on, but it could not be written`),
    );
    expect(await Promise.all(sessions.map(isLive))).toEqual([false, true, true]);
    expect(await reason("sessions.revokeAll", { person })).toMatch(
      /2 sessions are refused by this server from now on, but they could not be written/,
    );
    expect(await Promise.all(sessions.map(isLive))).toEqual([false, false, true]);
    expect(unwritten(store)).toBe(2);
    mend();
    const { items } = await call<{ items: { id: string }[] }>("sessions.revokeAll", { person });
    expect(items.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
    expect(unwritten(store)).toBe(0);
    expect(await Promise.all(sessions.map(isLive))).toEqual([false, false, true]);
    expect(await call("sessions.show", { id: other })).toMatchObject({ state: "live" });
    expect(await call("audit.verify", {})).toMatchObject({ faultCount: 0 });
  });

  test("refuses a command, whose memory would have no effect", async () => {
    const { reason, store, issued } = await begin(false);
    const said = await reason("keys.revoke", { id: issued.id });
    expect(said).not.toMatch(/from now on/);
    expect(said).toContain("head.json");
    expect(unwritten(store)).toBe(0);
  });
});

describe("a folder that others can write to", () => {
  const open = async (folder: string, strictModes?: boolean) => {
    const notices: string[] = [];
    await openTestStore({
      driver: "file",
      path: folder,
      onNotice: (_, text) => void notices.push(text),
      ...(strictModes !== undefined && { strictModes }),
      ...(process.getuid !== undefined && { uid: process.getuid() }),
    });
    return notices;
  };

  test.each([
    [0o777, "can be written by everybody on this machine (mode 777)"],
    [0o770, "can be written by its group (mode 770)"],
  ])("of mode %o is named in the log, and refused by storage.strictModes", async (mode, words) => {
    const folder = makeFolder();
    chmodSync(folder, mode);
    await expect(open(folder, true)).rejects.toThrow(
      `${folder} ${words}. storage.strictModes refuses that. Give the folder to the user of the server and close it`,
    );
    expect(await open(folder, false)).toEqual([expect.stringContaining(`${folder} ${words}.`)]);
  });

  test("includes one below a folder that others can write to, unless that is sticky", async () => {
    const above = makeFolder();
    const folder = join(above, "data");
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(above, 0o777);
    expect(findOpenings(folder, process.getuid?.())).toEqual([
      `${above}, above ${folder}, can be written by everybody on this machine (mode 777), and could put another folder in its place.`,
    ]);
    await expect(open(folder, true)).rejects.toThrow(/above .* could put another folder in its place/);
    chmodSync(above, 0o1777);
    expect(await open(folder, true)).toEqual([]);
  });
});
