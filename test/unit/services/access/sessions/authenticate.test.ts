import { describe, expect, test } from "vitest";
import type { ToolError } from "../../../../../src/catalog/errors.ts";
import { createAuth } from "../../../../../src/services/access/auth.ts";
import { createKey } from "../../../../../src/services/access/key-format.ts";
import { sessionQuota } from "../../../../../src/services/access/limits.ts";
import { sessionPrefix } from "../../../../../src/services/access/sessions/session-format.ts";
import { createRandom, day, refusalOf, start } from "../../setup.ts";
import { makeFolder, openTestStore } from "../../../../support/store.ts";
import { breakReads } from "../../../../support/break-reads.ts";
import { putText, textsOf } from "../../../../support/stored-records.ts";
import { hour, ip, minute, withSessions } from "./setup.ts";
import { testRuntime } from "../../../../support/runtime.ts";

const invent = createRandom();
const stranger = (): string => createKey((count) => invent(count).map((byte) => byte ^ 1), sessionPrefix);

describe("identity", () => {
  test("a session authenticates as its account, synchronously if it is cached", async () => {
    const { signIn, bearer, accounts } = await withSessions();
    const { id, token } = await signIn("acme");
    const principal = {
      kind: "session",
      account: "acme",
      incarnation: (await accounts.get("acme")).incarnation,
      plan: "team",
      sessionId: id,
      signedInAt: start,
      ip,
    };
    expect(await bearer(token)).toEqual(principal);
    expect(bearer(token)).toEqual(principal);
  });

  test("a session of the operator has no account", async () => {
    const { signIn, bearer } = await withSessions();
    const { id, token } = await signIn();
    expect(await bearer(token)).toEqual({
      kind: "session",
      operator: true,
      sessionId: id,
      signedInAt: start,
      ip,
    });
  });

  test.each([
    ["as it was written", {}, "accepted"],
    ["of a later version", { v: 2 }, "storage_unavailable"],
    ["with a field of a later release", { role: "auditor" }, "storage_unavailable"],
    ["with another kind of operator", { operator: "auditor" }, "storage_unavailable"],
    ["without an owner", { operator: undefined }, "storage_unavailable"],
    ["with two owners", { account: "acme" }, "storage_unavailable"],
  ])("a session of the operator %s, for a node that has not seen it", async (_, change, expected) => {
    const [theirs, ours] = [makeFolder(), makeFolder()];
    const { signIn, store: theirStore } = await withSessions({ driver: "file", path: theirs });
    const { id, token } = await signIn();
    const name = `sessions:${id.slice(4)}`;
    const written = JSON.stringify({ ...(await theirStore.sessions.get(id.slice(4))), ...change });
    await (await openTestStore({ driver: "file", path: ours })).store.close();
    putText(ours, name, written);
    const { bearer, issue, store } = await withSessions({ driver: "file", path: ours });
    await issue();
    const answer = Promise.resolve().then(() => bearer(token));
    expect(
      await answer.then(
        () => "accepted",
        (error: ToolError) => error.code,
      ),
    ).toBe(expected);
    await store.close();
    expect(textsOf(ours, "sessions").get(id.slice(4))).toBe(written);
  });

  test("an account on the free plan has no keys, and may have a session", async () => {
    const { signIn, bearer, call } = await withSessions();
    const { token } = await signIn("acme");
    await call("accounts.set", { name: "acme", plan: "free" });
    expect(await bearer(token)).toMatchObject({ kind: "session", account: "acme", plan: "free" });
  });

  test("a session is accepted by a server that requires credentials", async () => {
    const { signIn, bearer } = await withSessions({ anonymous: false });
    const { token } = await signIn("acme");
    expect(await bearer(token)).toMatchObject({ kind: "session" });
  });
});

test("the parser of keys never sees a token: no key is looked up", async () => {
  const { signIn, bearer, store, auth } = await withSessions();
  const { token } = await signIn("acme");
  const asked: string[] = [];
  for (const name of ["lookup", "get"] as const) {
    const own = store.keys[name] as (id: string) => unknown;
    Object.assign(store.keys, { [name]: (id: string) => (asked.push(id), own(id)) });
  }
  const remembered = store.keys.remembered;
  store.keys.remembered = (id) => (asked.push(id), remembered(id));
  await bearer(token);
  await refusalOf(() => bearer(stranger()));
  await refusalOf(() => bearer(token.slice(0, -1)));
  const credentials = { authorization: `Bearer ${token}`, authorizationCount: 1, xApiKey: false, ip };
  expect(await auth.presume(credentials)).toBeUndefined();
  expect(asked).toEqual([]);
});

test("a key with the prefix of a session is refused, and the other way round", async () => {
  const { signIn, bearer, keys } = await withSessions();
  const { token } = await signIn("acme");
  const { key } = await keys.issue({ account: "acme" });
  for (const forged of [token.replace("sess", "live"), key.replace("live", "sess")]) {
    expect(await refusalOf(() => bearer(forged))).toMatchObject({ code: "malformed_key" });
  }
});

describe("the state of a session", () => {
  test.each<[string, (token: string) => string]>([
    ["a part", (token) => token.slice(0, -1)],
    ["the prefix", () => sessionPrefix],
    ["a slip", (token) => `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`],
    ["another alphabet", (token) => token.replace(/.$/, "_")],
    ["more", (token) => `${token}0`],
  ])("malformed: %s", async (_, change) => {
    const { signIn, bearer } = await withSessions();
    const { token } = await signIn("acme");
    const { code, message } = await refusalOf(() => bearer(change(token)));
    expect(code).toBe("malformed_key");
    expect(message).toContain("session token");
    expect(message).not.toContain(token.slice(9, 30));
  });

  test("unknown if it was never issued, and if only its id exists", async () => {
    const { signIn, bearer, store } = await withSessions();
    const { id, token } = await signIn("acme");
    expect(await refusalOf(() => bearer(stranger()))).toMatchObject({ code: "unknown_key" });
    const record = await store.sessions.get(id.slice(4));
    if (record === undefined) return expect.unreachable();
    const hash = id.slice(4).padEnd(64, "0");
    await store.sessions.set(id.slice(4), { ...record, hash, revokedAt: record.createdAt });
    expect(await refusalOf(() => bearer(token))).toMatchObject({ code: "unknown_key" });
  });

  test("expired after eight hours, to the millisecond", async () => {
    const { signIn, bearer, clock } = await withSessions();
    const { token } = await signIn("acme");
    for (let n = 0; n < 16; n++) {
      clock.now += hour / 2 - (n === 15 ? 1 : 0);
      expect(await bearer(token)).toMatchObject({ kind: "session" });
    }
    clock.now += 1;
    const { code, message } = await refusalOf(() => bearer(token));
    expect(code).toBe("expired_key");
    expect(message).toContain("penknife admin login");
  });

  test("a clock that steps does not extend it", async () => {
    const { signIn, bearer, clock } = await withSessions();
    const { token } = await signIn("acme");
    clock.now += 30 * day;
    expect(await refusalOf(() => bearer(token))).toMatchObject({ code: "expired_key" });
    clock.now = start - 30 * day;
    expect(await refusalOf(() => bearer(token))).toMatchObject({ code: "expired_key" });
    // The permitted difference between the clocks of two nodes.
    clock.now = start - 10 * minute;
    expect(await bearer(token)).toMatchObject({ kind: "session" });
  });

  test("revoked in this process: seen by the very next call", async () => {
    const { signIn, bearer, call } = await withSessions();
    const { id, token } = await signIn("acme");
    await bearer(token);
    await call("sessions.revoke", { id });
    const { code, message } = await refusalOf(() => bearer(token));
    expect(code).toBe("revoked_key");
    expect(message).toContain(id);
  });

  test("its account: disabled, enabled, deleted", async () => {
    const { signIn, bearer, call, store } = await withSessions();
    const { token } = await signIn("acme");
    await call("accounts.disable", { name: "acme" });
    expect(await refusalOf(() => bearer(token))).toMatchObject({ code: "account_disabled" });
    await call("accounts.enable", { name: "acme" });
    expect(await bearer(token)).toMatchObject({ kind: "session" });
    await store.accounts.remove("acme");
    expect(await refusalOf(() => bearer(token))).toMatchObject({ code: "unknown_key" });
  });

  test("with the store unavailable a cached session keeps working, and no other is called unknown", async () => {
    const { signIn, bearer, clock } = await withSessions({ driver: "file", path: makeFolder() });
    const { token } = await signIn("acme");
    await bearer(token);
    const repair = breakReads();
    clock.now += 1000;
    expect(await bearer(token)).toMatchObject({ kind: "session" });
    expect(await refusalOf(() => bearer(stranger()))).toMatchObject({ code: "storage_unavailable" });
    repair();
    expect(await refusalOf(() => bearer(stranger()))).toMatchObject({ code: "unknown_key" });
  });
});

test("refusals are counted with those of keys: the 31st of a minute waits, and a cached session does not", async () => {
  const { signIn, bearer, auth } = await withSessions();
  const { token } = await signIn("acme");
  await bearer(token);
  for (let n = 0; n < 29; n++) await refusalOf(() => bearer(stranger()));
  expect(auth.refusals.blocked(ip)).toBeUndefined();
  expect(auth.refusals.refuse("unknown_key", "a code", ip)).toMatchObject({ code: "unknown_key" });
  expect(auth.refusals.blocked(ip)).toMatchObject({ code: "quota_exceeded", details: { limit: 30 } });
  expect(auth.refusals.refuse("unknown_key", "a code", ip)).toMatchObject({ code: "quota_exceeded" });
  expect(await refusalOf(() => bearer(stranger()))).toMatchObject({ code: "quota_exceeded" });
  expect(bearer(token)).toMatchObject({ kind: "session" });
  expect(auth.refusals.blocked("203.0.113.9")).toBeUndefined();
});

test("a session that this process has not cached passes from an address with too many refusals", async () => {
  const { signIn, store } = await withSessions();
  const { token } = await signIn("acme");
  const auth = createAuth({
    store: { ...store, sessions: { ...store.sessions, remembered: () => undefined } },
    anonymous: true,
    runtime: testRuntime({ now: () => start }),
  });
  const bearer = (secret: string) =>
    auth.authenticate({ authorization: `Bearer ${secret}`, authorizationCount: 1, xApiKey: false, ip });
  for (let n = 0; n < 40; n++) await refusalOf(() => bearer(stranger()));
  expect(await refusalOf(() => bearer(stranger()))).toMatchObject({ code: "quota_exceeded" });
  expect(await bearer(token)).toMatchObject({ kind: "session" });
});

describe("the window of a session", () => {
  test("is its own: requests of the account do not count in it, and the other way round", async () => {
    const { signIn, bearer, limits } = await withSessions();
    const principal = await bearer((await signIn("other")).token);
    const key = { kind: "key", account: "other" } as const;
    expect(await limits.consume(key, 1000)).toMatchObject({ allowed: true, quota: { remaining: 0 } });
    expect(await limits.consume(principal, sessionQuota)).toMatchObject({
      allowed: true,
      quota: { limit: 1000, used: 1000, remaining: 0 },
    });
    expect(await limits.consume(principal)).toMatchObject({ allowed: false });
    const second = await bearer((await signIn("other")).token);
    expect(await limits.consume(second)).toMatchObject({ allowed: true, quota: { used: 1 } });
    expect(await limits.consume(await bearer((await signIn()).token))).toMatchObject({
      allowed: true,
      quota: { limit: 1000, used: 1 },
    });
  });

  test("is that of its address on the free plan, like that of any caller without a key", async () => {
    const { call, signIn, bearer, limits } = await withSessions();
    const { token } = await signIn("other");
    await call("accounts.set", { name: "other", plan: "free", revokeKeys: true });
    const principal = await bearer(token);
    expect(await limits.consume(principal, 99)).toMatchObject({ quota: { limit: 100, used: 99 } });
    const anonymous = { kind: "anonymous", ip: principal.ip ?? "" } as const;
    expect(await limits.consume(anonymous)).toMatchObject({ quota: { limit: 100, used: 100 } });
  });
});
