import { describe, expect, test } from "vitest";
import type { Person } from "../../../../../src/catalog/principal.ts";
import type { AuditView } from "../../../../../src/services/audit/list.ts";
import type { OutputOf } from "../../../../../src/operations/index.ts";
import { maxOfPerson } from "../../../../../src/services/access/sessions/sweep.ts";
import { day, refusalOf } from "../../../../unit/services/setup.ts";
import { drivers, optionsOf } from "../../../storage/drivers.ts";
import { hour, ip, withSessions } from "../../../../unit/services/access/sessions/setup.ts";

const alice: Person = { issuer: "https://id.example.com/realms/staff", subject: "42", name: "Alice" };
const bob: Person = { issuer: "proxy", subject: "bob" };

async function withPeople(options: Parameters<typeof withSessions>[0] = {}) {
  const services = await withSessions(options);
  const { call } = services;
  return {
    ...services,
    open: (person: Person, whose: object = { account: "acme" }): Promise<OutputOf<"sessions.begin">> =>
      call("sessions.open", { person, ...whose }),
    listed: async (args: object = {}): Promise<string[]> =>
      (await call<OutputOf<"sessions.list">>("sessions.list", args)).items.map(({ id }) => id),
    acts: async (args: object = {}): Promise<AuditView[]> =>
      (await call<{ items: AuditView[] }>("audit.list", args)).items,
  };
}

describe.each(drivers)("over the %s driver", (driver) => {
  test("a session names its person, in its views and to those who authenticate it", async () => {
    const { open, bearer, call, signIn } = await withPeople(await optionsOf(driver));
    const { id, token, session } = await open(alice);
    expect(session).toMatchObject({ account: "acme", operator: false, person: alice, state: "live" });
    expect(await call("sessions.show", { id })).toMatchObject({ person: alice });
    expect(await bearer(token)).toMatchObject({
      kind: "session",
      account: "acme",
      sessionId: id,
      person: alice,
    });
    const operator = await open(bob, { operator: true });
    expect(await bearer(operator.token)).toMatchObject({ operator: true, person: bob });
    // One that begins with a code is as it was.
    const coded = await signIn("acme");
    expect(coded.session).not.toHaveProperty("person");
    expect(await bearer(coded.token)).not.toHaveProperty("person");
  });

  test("the sessions of a person end together, and no others", async () => {
    const { open, call, bearer, signIn, listed } = await withPeople(await optionsOf(driver));
    const first = await open(alice);
    const second = await open({ ...alice, name: "Alice B." }, { account: "other" });
    const others = [
      await open(bob),
      await open({ issuer: "proxy", subject: alice.subject }),
      await signIn("acme"),
    ];
    const { issuer, subject } = alice;
    const { items } = await call<OutputOf<"sessions.list">>("sessions.revokeAll", {
      person: { issuer, subject },
    });
    expect(items.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
    expect(items.map(({ state }) => state)).toEqual(["revoked", "revoked"]);
    for (const { token } of [first, second])
      expect(await refusalOf(() => bearer(token))).toMatchObject({ code: "revoked_key" });
    for (const { token } of others) expect(await bearer(token)).toMatchObject({ kind: "session" });
    expect((await listed({ person: { issuer, subject } })).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    );
    expect(await call("sessions.revokeAll", { person: { issuer, subject } })).toEqual({ items: [] });
  });
});

test("the sessions of a person in one account end without those in others", async () => {
  const { open, call, bearer } = await withPeople();
  const [own, other] = [await open(bob), await open(bob, { account: "other" })];
  await call("sessions.revokeAll", { person: bob, account: "acme" });
  expect(await refusalOf(() => bearer(own.token))).toMatchObject({
    code: "revoked_key",
    message: expect.stringMatching(/Sign in again\.$/) as unknown,
  });
  expect(await bearer(other.token)).toMatchObject({ account: "other" });
});

describe("no session is opened", () => {
  test.each([
    ["of an account that does not exist", { account: "acmee" }, "not_found"],
    ["of neither an account nor the operator", {}, "invalid_input"],
    ["of both", { account: "acme", operator: true }, "invalid_input"],
  ])("%s", async (_what, whose, code) => {
    const { open, store } = await withPeople();
    expect(await refusalOf(() => open(bob, whose))).toMatchObject({ code });
    expect(await store.sessions.ids()).toEqual([]);
  });

  test("of a disabled account", async () => {
    const { open, call } = await withPeople();
    await call("accounts.disable", { name: "acme" });
    expect(await refusalOf(() => open(bob))).toMatchObject({ code: "account_disabled" });
  });

  test("of somebody whom the issuer does not identify", async () => {
    const { open, store } = await withPeople();
    for (const person of [
      { issuer: "proxy", subject: "" },
      { issuer: "proxy", subject: "bob\n{}" },
    ])
      expect(await refusalOf(() => open(person))).toMatchObject({
        code: "invalid_input",
        pointer: "/person",
      });
    expect(await store.sessions.ids()).toEqual([]);
  });
});

test("a person who signs in again and again has a bounded number of records, and the newest work", async () => {
  const { open, bearer, clock, store, listed, call } = await withPeople();
  const stranger = await open(alice);
  const opened: OutputOf<"sessions.begin">[] = [];
  for (let n = 0; n < maxOfPerson + 3; n++) {
    opened.push(await open(bob));
    clock.now += 1000;
  }
  expect(await listed({ person: bob })).toEqual(opened.slice(3).map(({ id }) => id));
  expect(await refusalOf(() => bearer(opened[2]?.token ?? ""))).toMatchObject({ code: "unknown_key" });
  expect(await bearer(opened[3]?.token ?? "")).toMatchObject({ person: bob });
  expect(await bearer(stranger.token)).toMatchObject({ person: alice });
  // One that was ended makes room before one that is live.
  await call("sessions.revoke", { id: opened.at(-1)?.id });
  await open(bob);
  expect(await bearer(opened[3]?.token ?? "")).toMatchObject({ person: bob });
  expect(await listed({ person: bob })).not.toContain(opened.at(-1)?.id);
  // And a day later all are gone, though nobody used a code.
  clock.now += day + 8 * hour;
  const last = await open(bob);
  expect(await store.sessions.ids()).toEqual([last.id.slice(4)]);
});

describe("in the audit trail", () => {
  test("a session that is opened has its person, and not its token", async () => {
    const { open, acts } = await withPeople();
    const { id, token } = await open(alice);
    const trail = await acts();
    expect(trail.at(-1)).toMatchObject({
      act: "sessions.open",
      account: "acme",
      target: id,
      result: "done",
      detail: { person: { before: null, after: "person:https://id.example.com/realms/staff#42" } },
    });
    expect(JSON.stringify(trail)).not.toContain(token);
  });

  test("the end of all sessions of a person names the person and each session", async () => {
    const { open, acts, call } = await withPeople();
    const { id } = await open(bob);
    await call("sessions.revokeAll", { person: bob });
    expect((await acts()).at(-1)).toMatchObject({
      act: "sessions.revokeAll",
      target: "person:proxy#bob",
      detail: { liveSessions: { before: [id], after: [] } },
    });
  });

  test("acts can be filtered by their actor, as a whole", async () => {
    const { operator, acts } = await withPeople();
    for (const actor of ["person:proxy#bob", "person:proxy#bobby"])
      await operator.call("limits.reset", { account: "acme" }, { actor, from: ip });
    const found = await acts({ actor: "person:proxy#bob" });
    expect(found.map(({ actor, act }) => [actor, act])).toEqual([["person:proxy#bob", "limits.reset"]]);
    expect(await acts({ actor: "bob" })).toEqual([]);
  });
});
