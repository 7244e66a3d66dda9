import { describe, expect, test } from "vitest";
import { isKey } from "../../../../../src/services/access/key-format.ts";
import { hashLoginCode } from "../../../../../src/services/access/sessions/login-codes.ts";
import { sessionPrefix } from "../../../../../src/services/access/sessions/session-format.ts";
import type { SessionView } from "../../../../../src/operations/sessions/view.ts";
import { createSessions } from "../../../../../src/services/access/sessions/sessions.ts";
import { createRandom, day, refusalOf, start } from "../../../../unit/services/setup.ts";
import { drivers, optionsOf } from "../../../storage/drivers.ts";
import { openTestStore } from "../../../../support/store.ts";
import { hour, minute, withSessions } from "../../../../unit/services/access/sessions/setup.ts";
import { testRuntime } from "../../../../support/runtime.ts";

describe.each(drivers)("over the %s driver", (driver) => {
  test("a code becomes a session, once", async () => {
    const { issue, begin, store, call } = await withSessions(await optionsOf(driver));
    const code = await issue("acme");
    const { id, token, session } = await begin(code);
    expect(isKey(token, sessionPrefix)).toBe(true);
    const view = {
      id,
      account: "acme",
      operator: false,
      state: "live",
      createdAt: new Date(start).toISOString(),
      expiresAt: new Date(start + 8 * hour).toISOString(),
      lastUsedAt: null,
    };
    expect(session).toEqual(view);
    expect(await call("sessions.list")).toEqual({ items: [view] });
    expect(await call("sessions.show", { id: token })).toEqual(view);
    expect(await store.logins.ids()).toEqual([]);
    expect(await refusalOf(() => begin(code))).toMatchObject({ code: "unknown_key" });
    expect(await store.sessions.ids()).toEqual([id.slice(4)]);
  });

  test("of fifty concurrent exchanges of one code, one gets a session and no other session remains", async () => {
    const { issue, store, clock } = await withSessions(await optionsOf(driver));
    const code = await issue();
    // Not through the operator, who takes them one after another.
    const random = createRandom();
    const sessions = createSessions({
      store,
      runtime: testRuntime({ now: () => clock.now, random: (count) => random(count) }),
    });
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => sessions.begin(code)));
    const won = tries.filter((one) => one.status === "fulfilled");
    expect(won).toHaveLength(1);
    for (const one of tries) {
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "unknown_key" });
    }
    const [winner] = won;
    expect((await store.sessions.all()).records).toEqual([winner?.value.record]);
    expect(winner?.value.record).toMatchObject({ operator: true });
  });

  test("a deleted account loses its sessions and codes, and other accounts keep theirs", async () => {
    const { issue, signIn, call, store, bearer, begin } = await withSessions(await optionsOf(driver));
    const left = await signIn("other");
    const operator = await signIn();
    const gone = await signIn("acme");
    const code = await issue("acme");
    await call("accounts.delete", { name: "acme" });
    expect((await store.sessions.ids()).toSorted()).toEqual(
      [left.id, operator.id].map((id) => id.slice(4)).toSorted(),
    );
    expect(await store.logins.ids()).toEqual([]);
    // A later account of the same name does not get them.
    await call("accounts.create", { name: "acme", plan: "pro" });
    expect(await refusalOf(() => bearer(gone.token))).toMatchObject({ code: "unknown_key" });
    expect(await refusalOf(() => begin(code))).toMatchObject({ code: "unknown_key" });
    expect(await bearer(left.token)).toMatchObject({ account: "other" });
  });

  test("sessions that ended a day ago are removed with the next code, so that the store does not grow", async () => {
    const { issue, signIn, store, clock } = await withSessions(await optionsOf(driver));
    const old = await signIn("acme");
    await issue("acme");
    clock.now += day + 8 * hour - 1;
    const young = await signIn("acme");
    expect(await store.sessions.ids()).toHaveLength(2);
    expect(await store.logins.ids()).toEqual([]);
    clock.now += 1;
    await issue();
    expect(await store.sessions.ids()).toEqual([young.id.slice(4)]);
    expect(old.id).not.toBe(young.id);
  });
});

describe("a code", () => {
  test("has 100 bits, in unambiguous letters and digits, and is valid however it is typed", async () => {
    const { issue, begin } = await withSessions();
    const code = await issue("acme");
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    const typed = ` ${code.toLowerCase().replaceAll("-", "  ").replaceAll("1", "l").replaceAll("0", "o")}`;
    expect((await begin(typed)).session.account).toBe("acme");
  });

  test.each([
    ["", undefined],
    ["0".repeat(19), undefined],
    ["0".repeat(21), undefined],
    [`${"0".repeat(19)}U`, undefined],
    [`${"0".repeat(19)}é`, undefined],
    ["-".repeat(101), undefined],
    ["ooooo-iiiii-lllll-OOOOO", "00000-11111-11111-00000"],
  ])("%j is read as %j", (typed, as) => {
    expect(hashLoginCode(typed)).toBe(as === undefined ? undefined : hashLoginCode(as));
    expect(hashLoginCode(typed) === undefined).toBe(as === undefined);
  });

  test("is valid for ten minutes, to the millisecond", async () => {
    const { issue, begin, clock } = await withSessions();
    const [one, other] = [await issue("acme"), await issue("acme")];
    clock.now += 10 * minute - 1;
    await begin(one);
    clock.now += 1;
    expect(await refusalOf(() => begin(other))).toMatchObject({ code: "expired_key" });
  });

  test("is not extended if the clock is set back, and is valid if two clocks differ", async () => {
    const { issue, begin, clock } = await withSessions();
    const [one, other] = [await issue("acme"), await issue("acme")];
    clock.now -= 10 * minute;
    await begin(one);
    clock.now -= 1;
    expect(await refusalOf(() => begin(other))).toMatchObject({ code: "expired_key" });
  });

  test.each(["8K3QF", "svc_live_0", "00000-00000-00000-00000"])(
    "%s is refused, and not quoted",
    async (code) => {
      const { begin } = await withSessions();
      const { code: refused, message } = await refusalOf(() => begin(code));
      expect(refused).toBe(code.length === 23 ? "unknown_key" : "malformed_key");
      expect(message).not.toContain(code);
    },
  );

  test("requires an existing, enabled account, when it is issued and when it is used", async () => {
    const { issue, begin, call } = await withSessions();
    expect(await refusalOf(() => issue("nobody"))).toMatchObject({ code: "not_found" });
    const code = await issue("acme");
    await call("accounts.disable", { name: "acme" });
    expect(await refusalOf(() => issue("acme"))).toMatchObject({
      code: "invalid_input",
      pointer: "/account",
    });
    expect(await refusalOf(() => begin(code))).toMatchObject({ code: "account_disabled" });
    await call("accounts.enable", { name: "acme" });
    expect((await begin(code)).session.account).toBe("acme");
  });

  test("stays valid if the store refused the session", async () => {
    const { store } = await openTestStore();
    const full = {
      ...store,
      sessions: { ...store.sessions, add: () => Promise.reject(new Error("ENOSPC")) },
    };
    const runtime = testRuntime({ now: () => start, random: createRandom() });
    const { code } = await createSessions({ runtime, store }).issueCode();
    await expect(createSessions({ runtime, store: full }).begin(code)).rejects.toThrow("ENOSPC");
    const { record } = await createSessions({ runtime, store }).begin(code);
    expect(record.operator).toBe(true);
  });

  test("yields no session if it is uncertain whether it was taken", async () => {
    const { store } = await openTestStore();
    const silent = {
      ...store,
      logins: { ...store.logins, take: () => Promise.reject(new Error("time-out")) },
    };
    const runtime = testRuntime({ now: () => start, random: createRandom() });
    const { code } = await createSessions({ runtime, store }).issueCode();
    await expect(createSessions({ runtime, store: silent }).begin(code)).rejects.toThrow("time-out");
    expect(await store.sessions.ids()).toEqual([]);
  });
});

describe("a session", () => {
  test("is ended by its id or its token, permanently, and a second time changes nothing", async () => {
    const { signIn, call, clock } = await withSessions();
    const [one, other] = [await signIn("acme"), await signIn("acme")];
    const ended = await call<SessionView>("sessions.revoke", { id: one.id });
    expect(ended).toMatchObject({ id: one.id, state: "revoked", revokedAt: new Date(start).toISOString() });
    clock.now += minute;
    expect(await call("sessions.revoke", { id: one.id })).toEqual(ended);
    expect(await call("sessions.revoke", { id: other.token })).toMatchObject({ state: "revoked" });
    const { items } = await call<{ items: SessionView[] }>("sessions.list", { account: "acme" });
    expect(items.map(({ state }) => state)).toEqual(["revoked", "revoked"]);
    expect(await call("sessions.list", { account: "other" })).toEqual({ items: [] });
  });

  test.each([
    "ses_00000000000000000000",
    "ses_0",
    "",
    "key_00000000000000000000",
    `svc_sess_${"0".repeat(38)}`,
  ])("%j is not a session", async (id) => {
    const { call } = await withSessions();
    const { code, message } = await refusalOf(() => call("sessions.revoke", { id }));
    expect(code).toBe("not_found");
    expect(message.includes(id)).toBe(id === "ses_00000000000000000000" || id === "");
  });

  test("a mistyped account is an error rather than an empty list", async () => {
    const { call } = await withSessions();
    expect(await refusalOf(() => call("sessions.list", { account: "acmee" }))).toMatchObject({
      code: "not_found",
    });
  });
});

describe("the audit trail", () => {
  test("records who started and ended which session, and neither a code nor a token", async () => {
    const { issue, begin, call, store } = await withSessions();
    const code = await issue("acme");
    await refusalOf(() => begin("00000-00000-00000-00000"));
    const { id, token } = await begin(code);
    await call("sessions.revoke", { id: token });
    await issue();
    // A slip: a value in the wrong argument.
    await refusalOf(() => call("sessions.revoke", { id: code }));
    const { items } = await call<{ items: Record<string, unknown>[] }>("audit.list");
    const shown = items.slice(2).map(({ act, account, target, result, detail }) => ({
      act,
      account,
      target,
      result,
      detail,
    }));
    const login = expect.stringMatching(/^login_[0-9a-f]{20}$/) as unknown;
    const expiresAt = { before: null, after: new Date(start + 8 * hour).toISOString() };
    expect(shown).toEqual([
      { act: "login", account: "acme", target: login, result: "done", detail: {} },
      { act: "sessions.begin", account: null, target: null, result: "unknown_key", detail: {} },
      { act: "sessions.begin", account: "acme", target: id, result: "done", detail: { expiresAt } },
      {
        act: "sessions.revoke",
        account: "acme",
        target: id,
        result: "done",
        detail: { revokedAt: { before: null, after: new Date(start).toISOString() } },
      },
      { act: "login", account: null, target: login, result: "done", detail: {} },
      { act: "sessions.revoke", account: null, target: null, result: "not_found", detail: {} },
    ]);
    let all = "";
    for await (const { bytes } of (await store.audit()).read()) all += Buffer.from(bytes).toString();
    expect(all).not.toContain("svc_sess_");
    expect(all).not.toContain(token.slice(9));
    for (const group of code.split("-")) expect(all).not.toContain(group);
    for (const text of [code.replaceAll("-", ""), code.toLowerCase()]) expect(all).not.toContain(text);
  });

  test("has no line for reads, including a code that is tried", async () => {
    const { call, signIn } = await withSessions();
    const { id } = await signIn();
    const count = async (): Promise<number> => (await call<{ items: unknown[] }>("audit.list")).items.length;
    const before = await count();
    await call("sessions.list");
    await call("sessions.show", { id });
    expect(await call("sessions.check", { code: "x" })).toMatchObject({
      valid: false,
      code: "malformed_key",
    });
    expect(await count()).toBe(before);
  });
});

test("reads do not wait for writes", async () => {
  const { call, store } = await withSessions();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const change = store.accounts.change;
  store.accounts.change = async (id, alter) => {
    await held;
    return change(id, alter);
  };
  const slow = call("accounts.disable", { name: "acme" });
  expect(await call("accounts.show", { name: "acme" })).toMatchObject({ disabled: false });
  release();
  expect(await slow).toMatchObject({ disabled: true });
});
