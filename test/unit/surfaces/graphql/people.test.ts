import { describe, expect, test } from "vitest";
import type { Person } from "../../../../src/catalog/principal.ts";
import type { AuditView } from "../../../../src/services/audit/list.ts";
import type { OutputOf } from "../../../../src/operations/index.ts";
import { fieldIn, openAccounts } from "./account-surface.ts";

const alice: Person = { issuer: "https://id.example.com", subject: "a|1", name: "Alice" };
const bob: Person = { issuer: "proxy", subject: "bob" };

/** Sessions of acme: two of Alice, one of Bob, and one that began with a code; Alice has one of another account too. */
async function openPeople() {
  const surface = await openAccounts();
  const { call, ask, signIn } = surface;
  const open = (person: Person, whose: object = { account: "acme" }): Promise<OutputOf<"sessions.begin">> =>
    call("sessions.open", { person, ...whose });
  const sessions = {
    own: await open(alice),
    second: await open(alice),
    elsewhere: await open(alice, { account: "other" }),
    bobs: await open(bob),
    coded: await signIn("acme"),
  };
  const listed = async (who: Parameters<typeof ask>[0], args = ""): Promise<string[]> =>
    fieldIn<{ id: string }[]>(await ask(who, `{ sessions${args} { id } }`), "sessions").map(({ id }) => id);
  return { ...surface, open, sessions, listed };
}

const revoke = (id: string): string => `mutation { revokeSession(id: "${id}") { state } }`;

test("an account says who is signed in to it, each once, and to the operator alone", async () => {
  const { ask, sessions } = await openPeople();
  const query = '{ account(name: "acme") { people } }';
  const people = async (): Promise<string[] | undefined> =>
    fieldIn<{ people: string[] }>(await ask("operator", query), "account").people.toSorted();
  expect(await people()).toEqual(["Alice", "bob"]);
  await ask("operator", revoke(sessions.bobs.id));
  expect(await people()).toEqual(["Alice"]);
  const refused = await ask({ token: sessions.own.token }, query);
  expect(refused.errors).toMatchObject([{ code: "forbidden" }]);
  expect(refused.data?.["account"]).toEqual({ people: null });
});

describe("a person", () => {
  test("lists the own sessions of the account and those that began with a code, with their people", async () => {
    const { ask, sessions, listed } = await openPeople();
    const { own, second, coded, bobs, elsewhere } = sessions;
    const ids = await listed({ token: own.token });
    expect(ids).toEqual(expect.arrayContaining([own.id, second.id, coded.id]));
    expect(ids).not.toContain(bobs.id);
    expect(ids).not.toContain(elsewhere.id);
    const answer = await ask(
      { token: own.token },
      "{ viewer { session { person { issuer subject name } } } }",
    );
    expect(answer).toMatchObject({ data: { viewer: { session: { person: alice } } }, errors: [] });
  });

  test("ends an own session, and cannot end one of somebody else", async () => {
    const { ask, sessions, bearer } = await openPeople();
    const { own, second, bobs, elsewhere } = sessions;
    expect((await ask({ token: own.token }, revoke(second.id))).errors).toEqual([]);
    await expect(async () => bearer(second.token)).rejects.toMatchObject({ code: "revoked_key" });
    for (const { id } of [bobs, elsewhere])
      expect((await ask({ token: own.token }, revoke(id))).errors).toMatchObject([{ code: "not_found" }]);
    expect(await bearer(bobs.token)).toMatchObject({ person: bob });
  });

  test("ends all own sessions at once, in every account, and those of nobody else", async () => {
    const { ask, sessions, bearer } = await openPeople();
    const { own, second, elsewhere, bobs, coded } = sessions;
    const answer = await ask({ token: own.token }, "mutation { revokeSessions { id state } }");
    const ended = fieldIn<{ id: string; state: string }[]>(answer, "revokeSessions");
    expect(ended.map(({ id }) => id).toSorted()).toEqual(
      [own, second, elsewhere].map(({ id }) => id).toSorted(),
    );
    expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(["REVOKED"]));
    for (const { token } of [bobs, coded]) expect(await bearer(token)).toMatchObject({ account: "acme" });
    const other = await ask(
      { token: bobs.token },
      `mutation { revokeSessions(person: { issuer: "${alice.issuer}", subject: "${alice.subject}" }) { id } }`,
    );
    expect(other.errors).toMatchObject([{ code: "forbidden" }]);
  });
});

test("the holder of a code sees all sessions of the account, as before, and the operator those of a person", async () => {
  const { sessions, listed } = await openPeople();
  const { own, second, elsewhere, bobs, coded } = sessions;
  expect(await listed({ token: coded.token })).toEqual(
    expect.arrayContaining([own.id, second.id, bobs.id, coded.id]),
  );
  const ids = await listed(
    "operator",
    `(person: { issuer: "${alice.issuer}", subject: "${alice.subject}" })`,
  );
  expect(ids.toSorted()).toEqual([own, second, elsewhere].map(({ id }) => id).toSorted());
});

test("the operator ends the sessions of a person, also when the sign-in is old", async () => {
  const { ask, clock, bearer, open } = await openPeople();
  clock.now += 20 * 60_000;
  const recent = await open(bob);
  const answer = await ask(
    "operator",
    'mutation { revokeSessions(person: { issuer: "proxy", subject: "bob" }) { id } }',
  );
  expect(answer.errors).toEqual([]);
  await expect(async () => bearer(recent.token)).rejects.toMatchObject({ code: "revoked_key" });
  const nobody = await ask("operator", "mutation { revokeSessions { id } }");
  expect(nobody.errors).toMatchObject([{ code: "invalid_input" }]);
});

test("an operator whose sign-in is old is asked for another one, not for a code", async () => {
  const { ask, clock, open } = await openPeople();
  const { token } = await open(bob, { operator: true });
  clock.now += 11 * 60_000;
  const { errors } = await ask({ token }, 'mutation { resetLimits(account: "acme") { name } }');
  expect(errors).toMatchObject([
    { code: "forbidden", message: expect.stringMatching(/Sign in again\.$/) as unknown },
  ]);
});

test("the audit trail names the person for every act in a session, whatever the act, and the operator can filter by it", async () => {
  const { ask, call, open, sessions, keyId } = await openPeople();
  const operator = await open(alice, { operator: true });
  const { token } = sessions.own;
  const acts = [
    [token, 'mutation { generateKey(input: { name: "n" }) { secret } }'],
    [token, `mutation { rotateKey(id: "${keyId}", input: { grace: "1h" }) { secret } }`],
    [token, 'mutation { createWebhookEndpoint(input: { url: "http://127.0.0.1:9/" }) { secret } }'],
    [token, revoke(sessions.second.id)],
    [token, 'mutation { revokeKey(id: "key_00000000000000000000") { id } }'],
    [operator.token, 'mutation { createInbox(input: { account: "acme" }) { inbox { id } } }'],
    [operator.token, 'mutation { createAccount(input: { name: "third", plan: PRO }) { name } }'],
    [token, "mutation { signOut { id } }"],
  ] as const;
  const before = (await call<{ items: AuditView[] }>("audit.list")).items.length;
  for (const [credential, query] of acts) await ask({ token: credential }, query);
  const trail = (await call<{ items: AuditView[] }>("audit.list")).items.slice(before);
  expect(trail.map(({ act }) => act)).toEqual([
    "keys.issue",
    "keys.rotate",
    "webhooks.add",
    "sessions.revoke",
    "inboxes.create",
    "accounts.create",
    "sessions.revoke",
  ]);
  const actor = "person:https://id.example.com#a%7C1";
  for (const { actor: who, from } of trail) {
    expect(who).toBe(actor);
    expect(from).toMatch(/^198\.51\.100\.1 ses_[0-9a-f]{20}$/);
  }
  const answer = await ask("operator", `{ auditTrail(actor: "${actor}") { act actor } }`);
  const found = fieldIn<{ act: string; actor: string }[]>(answer, "auditTrail");
  expect(found.map(({ act }) => act).toReversed()).toEqual(trail.map(({ act }) => act));
});
