import { describe, expect, test } from "vitest";
import { belongingTo } from "../../../../src/services/access/incarnation.ts";
import { isKey } from "../../../../src/services/access/key-format.ts";
import { sessionPrefix } from "../../../../src/services/access/sessions/session-format.ts";
import { refusalOf, start } from "../../services/setup.ts";
import { hour, minute } from "../../services/access/sessions/setup.ts";
import { noCounts } from "../../../../src/storage/usage/usage-store.ts";
import { fieldIn, openAccounts } from "./account-surface.ts";

const at = (ms: number): string => new Date(ms).toISOString();

/** The lines of the audit trail about the test's callers: who did what to what. */
async function actsOf({ call }: Awaited<ReturnType<typeof openAccounts>>) {
  const { items } = await call<{ items: Record<string, unknown>[] }>("audit.list");
  return items
    .filter(({ actor }) => actor !== "cli:ops")
    .map(({ actor, from, act, account, target, result }) => ({ actor, from, act, account, target, result }));
}

describe("viewer", () => {
  const query =
    "{ viewer { kind operator account { name plan limit disabled createdAt } key { id state } session { id current state } quota { limit used remaining resetAt } } }";

  test("is the caller, with its quota window", async () => {
    const { ask, keyId } = await openAccounts();
    const account = {
      name: "acme",
      plan: "TEAM",
      limit: 10_000,
      disabled: false,
      createdAt: at(start),
    };
    const quota = (limit: number) => ({ limit, used: 1, remaining: limit - 1, resetAt: at(start + hour) });
    const nobody = { operator: false, account: null, key: null, session: null };
    expect(await ask("anonymous", query)).toEqual({
      errors: [],
      data: { viewer: { ...nobody, kind: "ANONYMOUS", quota: quota(100) } },
    });
    expect((await ask("key", query)).data?.["viewer"]).toEqual({
      ...nobody,
      kind: "KEY",
      account,
      key: { id: keyId, state: "LIVE" },
      quota: quota(10_000),
    });
    const session = { id: expect.stringMatching(/^ses_/) as unknown, current: true, state: "LIVE" };
    expect((await ask("session", query)).data?.["viewer"]).toEqual({
      ...nobody,
      kind: "SESSION",
      account,
      session,
      quota: quota(1000),
    });
    expect((await ask("operator", query)).data?.["viewer"]).toEqual({
      ...nobody,
      kind: "SESSION",
      operator: true,
      session,
      quota: quota(1000),
    });
  });
});

describe("keys", () => {
  test("have their requests of the last 24 hours, from one reading of the usage for a whole list", async () => {
    const { ask, call, keyId, store, clock } = await openAccounts();
    const { id: idle } = await call<{ id: string }>("keys.issue", { account: "acme" });
    const { id: foreign } = await call<{ id: string }>("keys.issue", { account: "other" });
    const usage = await store.usage();
    const used = (key: string, account: string, ok: number) => ({
      ...noCounts(),
      account,
      key,
      tool: "uuid",
      ok,
      refused: 1,
      failed: 1,
      limited: 9,
    });
    await usage.add({ id: "1", hour: clock.now - 25 * hour, rows: [used(keyId, "acme", 1000)] });
    await usage.add({ id: "2", hour: clock.now - 23 * hour, rows: [used(keyId, "acme", 3)] });
    await usage.add({
      id: "3",
      hour: clock.now,
      rows: [used(keyId, "acme", 5), used(foreign, "other", 70)],
    });
    let readings = 0;
    const { read } = usage;
    usage.read = (...range) => {
      readings += 1;
      return read(...range);
    };
    const query = "{ keys { id requestsLast24h } }";
    const mine = [
      { id: keyId, requestsLast24h: 12 },
      { id: idle, requestsLast24h: 0 },
    ];
    expect((await ask("session", query)).data).toEqual({ keys: mine });
    expect(readings).toBe(1);
    const byHour = fieldIn<{ id: string; requestsByHour: number[] }[]>(
      await ask("session", "{ keys { id requestsByHour } }"),
      "keys",
    );
    expect(byHour.find(({ id }) => id === idle)?.requestsByHour).toEqual([]);
    const hours = byHour.find(({ id }) => id === keyId)?.requestsByHour ?? [];
    expect(hours).toHaveLength(25);
    expect([hours[1], hours[24], hours.reduce((sum, one) => sum + one)]).toEqual([5, 7, 12]);
    readings = 1;
    const { data } = await ask("operator", query);
    expect(data?.["keys"]).toEqual(expect.arrayContaining([...mine, { id: foreign, requestsLast24h: 72 }]));
    expect(readings).toBe(2);
    const days = `{ usage(key: "${keyId}", since: "90d", by: DAY) { items { day requests } } }`;
    const { items } = fieldIn<{ items: { requests: number }[] }>(await ask("key", days), "usage");
    const ended = await ask("session", '{ usage(since: "1h", until: "2h") { since } }');
    expect(ended.errors).toMatchObject([
      { code: "invalid_input", message: expect.stringContaining("until must be after since") },
    ]);
    // The account is younger than the other rows, which may be of a previous owner of its name.
    expect(items.map(({ requests }) => requests)).toEqual([7]);
  });

  test("are paged, newest first, and found by words, state and warning", async () => {
    const { ask, call, keyId, clock } = await openAccounts();
    const made: string[] = [keyId];
    for (const [name, expires] of [
      ["GitLab runner", "90d"],
      ["gitlab deploy", "10d"],
      ["laptop", "1h"],
    ]) {
      clock.now += minute;
      made.unshift((await call<{ id: string }>("keys.issue", { account: "acme", name, expires })).id);
    }
    await call("keys.issue", { account: "other", name: "gitlab of others" });
    const page = async (
      args: string,
      fields = "totalCount pageInfo { hasNextPage endCursor } nodes { id }",
    ) => {
      const { data, errors } = await ask("session", `{ keysConnection(${args}) { ${fields} } }`);
      expect(errors).toEqual([]);
      return data?.["keysConnection"] as {
        totalCount: number;
        nodes: { id: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    };
    const [laptop = "", deploy = "", runner = ""] = made;
    expect(await page("first: 2")).toEqual({
      totalCount: 4,
      pageInfo: { hasNextPage: true, endCursor: deploy },
      nodes: [{ id: laptop }, { id: deploy }],
    });
    expect(await page(`first: 2, after: "${deploy}"`)).toEqual({
      totalCount: 4,
      pageInfo: { hasNextPage: false, endCursor: keyId },
      nodes: [{ id: runner }, { id: keyId }],
    });
    expect((await page('search: "git RUN"')).nodes).toEqual([{ id: runner }]);
    expect((await page(`search: "${keyId}"`)).nodes).toEqual([{ id: keyId }]);
    expect((await page("warning: EXPIRES_SOON")).nodes).toEqual([{ id: laptop }, { id: deploy }]);
    const { warnings } = (await page("first: 0", "warnings { warning keys }")) as unknown as {
      warnings: { warning: string; keys: number }[];
    };
    expect(warnings.find(({ warning }) => warning === "EXPIRES_SOON")).toEqual({
      warning: "EXPIRES_SOON",
      keys: 2,
    });
    await call("keys.revoke", { id: deploy });
    // The cursor may have left the selection since.
    expect((await page(`state: LIVE, after: "${deploy}"`)).nodes).toEqual([{ id: runner }, { id: keyId }]);
    expect((await page("state: REVOKED")).nodes).toEqual([{ id: deploy }]);
    for (const [args, text] of [
      ["first: 1001", "first must be 0 to 1000, got 1001."],
      ['after: "key_none"', "after must be the endCursor of an earlier page of the same query."],
      [`search: "${"x".repeat(201)}"`, "search must have at most 200 characters, got 201."],
    ])
      expect((await ask("session", `{ keysConnection(${args}) { totalCount } }`)).errors).toMatchObject([
        { code: "invalid_input", message: text },
      ]);
    expect((await ask("anonymous", "{ keysConnection { totalCount } }")).errors).toMatchObject([
      { code: "missing_key" },
    ]);
    expect(
      (await ask("session", '{ keysConnection(account: "other") { totalCount } }')).errors,
    ).toMatchObject([{ code: "forbidden" }]);
    const { data } = await ask("operator", '{ keysConnection(search: "gitlab") { totalCount } }');
    expect(data).toEqual({ keysConnection: { totalCount: 3 } });
  });

  test("the secret of a new one is returned once, and works", async () => {
    const surface = await openAccounts();
    const { ask } = surface;
    const made = await ask(
      "session",
      'mutation { generateKey(input: { name: "gitlab", expires: "90d" }) { secret key { id name start state account createdAt expiresAt } } }',
    );
    expect(made.errors).toEqual([]);
    const { secret, key } = fieldIn<{ secret: string; key: Record<string, unknown> }>(made, "generateKey");
    expect(isKey(secret)).toBe(true);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/) as unknown,
      name: "gitlab",
      start: secret.slice(0, 13),
      state: "LIVE",
      account: "acme",
      createdAt: at(start),
      expiresAt: at(start + 90 * 24 * hour),
    });
    expect((await ask({ token: secret }, "{ viewer { key { id } } }")).data).toEqual({
      viewer: { key: { id: key["id"] } },
    });
    const later = await ask("session", "{ keys { id name start revokeReason rotatedFrom rotatedTo } }");
    expect(JSON.stringify(later)).not.toContain(secret.slice(13));
    expect(await actsOf(surface)).toEqual([
      {
        actor: expect.stringMatching(/^session:ses_[0-9a-f]{20}$/) as unknown,
        from: "198.51.100.1",
        act: "keys.issue",
        account: "acme",
        target: key["id"],
        result: "done",
      },
    ]);
  });

  test("are rotated with a grace period, and revoked with a reason; the list can be filtered by state", async () => {
    const { ask, keyId, clock, tokens } = await openAccounts();
    const rotated = await ask(
      "session",
      `mutation { rotateKey(id: "${keyId}", input: { grace: "1h" }) { secret key { id rotatedFrom } } }`,
    );
    const { key } = fieldIn<{ key: { id: string; rotatedFrom: string } }>(rotated, "rotateKey");
    expect(key.rotatedFrom).toBe(keyId);
    expect((await ask("key", "{ keys(state: LIVE) { id } }")).data?.["keys"]).toHaveLength(2);
    for (let n = 0; n < 2; n++) {
      clock.now += hour / 2;
      await ask("session", "{ viewer { kind } }");
    }
    expect((await refusalOf(() => ask("key", "{ viewer { kind } }"))).code).toMatch(
      /expired_key|revoked_key/,
    );
    const revoked = await ask(
      "session",
      `mutation { revokeKey(id: "${key.id}", reason: "leaked") { state revokedAt revokeReason } }`,
    );
    expect(revoked.data?.["revokeKey"]).toEqual({
      state: "REVOKED",
      revokedAt: at(start + hour),
      revokeReason: "leaked",
    });
    expect((await ask("session", "{ keys(state: REVOKED) { id } }")).data).toEqual({
      keys: [{ id: key.id }],
    });
    // The finder of a leaked key has only the key.
    const byKey = await ask("session", "query ($id: ID!) { key(id: $id) { id } }", { id: tokens.key });
    expect(byKey.data).toEqual({ key: { id: keyId } });
  });

  test.each([
    ['mutation { generateKey(input: { expires: "yesterday" }) { secret } }', "invalid_input"],
    [`mutation { generateKey(input: { name: "svc_live_${"a".repeat(38)}" }) { secret } }`, "invalid_input"],
    ...["\\u001b[2J", "\\u009b2J", "a\\nb", "a\\tb", "a\\u2028b", "a\\u202eb", "a\\u2066b", "a\\u200fb"].map(
      (name): [string, string] => [
        `mutation { generateKey(input: { name: "${name}" }) { secret } }`,
        "invalid_input",
      ],
    ),
    ['mutation { rotateKey(id: "key_00000000000000000000") { secret } }', "not_found"],
    [`{ key(id: "${"x".repeat(65)}") { id } }`, "invalid_input"],
    ['{ usage(since: "soon") { since } }', "invalid_input"],
    ['{ usage(since: "7d", by: HOURS) { since } }', "invalid_input"],
  ])("%s is refused with %s", async (query, code) => {
    const { ask } = await openAccounts();
    const { errors } = await ask("session", query);
    expect(errors.map((error) => error.code)).toEqual([code]);
    expect(errors[0]?.message).not.toContain("svc_live_a");
  });

  test("a spent quota does not keep a session from revoking the key that spent it", async () => {
    const { ask, limits, keyId, accounts } = await openAccounts();
    await limits.consume({ kind: "key", ...belongingTo(await accounts.get("acme")) }, 10_000);
    expect(await refusalOf(() => ask("key", "{ viewer { kind } }"))).toMatchObject({
      code: "quota_exceeded",
    });
    const { data } = await ask("session", `mutation { revokeKey(id: "${keyId}") { state } }`);
    expect(data).toEqual({ revokeKey: { state: "REVOKED" } });
  });
});

describe("accounts", () => {
  test("are created, changed, disabled and enabled, and deleted by the operator", async () => {
    const { ask } = await openAccounts();
    const field = "name plan limit disabled";
    const run = async (mutation: string): Promise<unknown> => {
      const { data, errors } = await ask("operator", `mutation { it: ${mutation} { ${field} } }`);
      expect(errors).toEqual([]);
      return data?.["it"];
    };
    const third = { name: "third", plan: "TEAM", limit: 50_000, disabled: false };
    expect(await run('createAccount(input: { name: "third", plan: TEAM, limit: 50000 })')).toEqual(third);
    expect(await run('updateAccount(name: "third", input: { plan: PRO, limit: null })')).toEqual({
      ...third,
      plan: "PRO",
      limit: 1000,
    });
    expect(await run('disableAccount(name: "third")')).toMatchObject({ disabled: true });
    expect(await run('enableAccount(name: "third")')).toMatchObject({ disabled: false });
    expect(await run('deleteAccount(name: "third")')).toMatchObject({ name: "third" });
    const { data } = await ask("operator", "{ accounts { name quota { used remaining resetAt } } }");
    const unused = (remaining: number) => ({ used: 0, remaining, resetAt: null });
    expect(data).toEqual({
      accounts: [
        { name: "acme", quota: unused(10_000) },
        { name: "other", quota: unused(1000) },
      ],
    });
  });

  test("with working keys are deleted only with a confirmation, and limits are reset", async () => {
    const { ask, limits, accounts } = await openAccounts();
    const refused = await ask("operator", 'mutation { deleteAccount(name: "acme") { name } }');
    expect(refused.errors).toMatchObject([{ code: "invalid_input" }]);
    await limits.consume({ kind: "key", ...belongingTo(await accounts.get("acme")) }, 7);
    const used = 'account(name: "acme") { quota { used } }';
    expect((await ask("operator", `{ ${used} }`)).data).toEqual({ account: { quota: { used: 7 } } });
    const reset = await ask("operator", 'mutation { resetLimits(account: "acme") { quota { used } } }');
    expect(reset.data).toEqual({ resetLimits: { quota: { used: 0 } } });
    const gone = 'mutation { deleteAccount(name: "acme", revokeKeys: true) { name } }';
    expect((await ask("operator", gone)).errors).toEqual([]);
    for (const who of ["key", "session"] as const) {
      const { code } = await refusalOf(() => ask(who, "{ viewer { kind } }"));
      expect(["unknown_key", "revoked_key"]).toContain(code);
    }
  });
});

test("usage is a report on the caller's account, and on all accounts for the operator", async () => {
  const { ask, store, clock } = await openAccounts();
  for (let n = 0; n < 4; n++) {
    clock.now += hour / 2;
    for (const who of ["session", "operator"] as const) await ask(who, "{ viewer { kind } }");
  }
  const counts = {
    ok: 2,
    refused: 1,
    failed: 0,
    limited: 3,
    inputBytes: 5_000_000_000,
    outputBytes: 1,
    micros: 2500,
  };
  const tool = "json-formatter";
  const rows = ["acme", "other"].map((account) => ({ account, key: "key_1", tool, ...counts }));
  await (await store.usage()).add({ id: "b1", hour: start, rows });
  const query =
    '{ usage(since: "2h", by: ACCOUNT) { since until by hours items { account key tool hour requests ok limited inputBytes milliseconds } } }';
  const item = {
    key: null,
    tool: null,
    hour: null,
    requests: 3,
    ok: 2,
    limited: 3,
    inputBytes: 5_000_000_000,
    milliseconds: 3,
  };
  expect((await ask("key", query)).data?.["usage"]).toEqual({
    since: at(start),
    until: at(start + 2 * hour),
    by: "ACCOUNT",
    hours: [3, 0, 0],
    items: [{ account: "acme", ...item }],
  });
  const { items } = fieldIn<{ items: unknown[] }>(await ask("operator", query), "usage");
  expect(items).toHaveLength(2);
});

describe("signing in", () => {
  const signIn =
    "mutation ($code: String!) { signIn(code: $code) { token session { id account operator state current expiresAt } } }";

  test("exchanges a code for a session, which signOut ends", async () => {
    const surface = await openAccounts();
    const { ask, issue } = surface;
    const answer = await ask("anonymous", signIn, { code: (await issue("acme")).toLowerCase() });
    expect(answer.errors).toEqual([]);
    const { token, session } = fieldIn<{ token: string; session: { id: string } }>(answer, "signIn");
    expect(isKey(token, sessionPrefix)).toBe(true);
    expect(session).toEqual({
      id: expect.stringMatching(/^ses_/) as unknown,
      account: "acme",
      operator: false,
      state: "LIVE",
      current: false,
      expiresAt: at(start + 8 * hour),
    });
    const list = await ask({ token }, "{ sessions { id current } }");
    expect(list.data?.["sessions"]).toContainEqual({ id: session.id, current: true });
    expect(JSON.stringify(list)).not.toContain(token.slice(9));
    expect((await ask({ token }, "mutation { signOut { id state } }")).data).toEqual({
      signOut: { id: session.id, state: "REVOKED" },
    });
    expect(await refusalOf(() => ask({ token }, "{ viewer { kind } }"))).toMatchObject({
      code: "revoked_key",
    });
    const acts = await actsOf(surface);
    expect(acts).toEqual([
      {
        actor: expect.stringMatching(/^code:login_[0-9a-f]{20}$/) as unknown,
        from: "198.51.100.1",
        act: "sessions.begin",
        account: "acme",
        target: session.id,
        result: "done",
      },
      {
        actor: `session:${session.id}`,
        from: "198.51.100.1",
        act: "sessions.revoke",
        account: "acme",
        target: session.id,
        result: "done",
      },
    ]);
  });

  test("works once, however many callers try at the same time", async () => {
    const { ask, issue, store } = await openAccounts();
    const before = (await store.sessions.ids()).length;
    const code = await issue();
    // From as many addresses: the thirty-first of one address would have to wait.
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask("anonymous", signIn, { code }, `198.51.100.${n}`)),
    );
    expect(tries.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    for (const { errors } of tries) for (const error of errors) expect(error.code).toBe("unknown_key");
    expect(await store.sessions.ids()).toHaveLength(before + 1);
  });

  test.each([
    ["", "malformed_key"],
    ["7K3QF-00000-00000", "malformed_key"],
    ["x".repeat(100_000), "malformed_key"],
    ["00000-00000-00000-00000", "unknown_key"],
  ])("%.30j is refused with %s", async (code, expected) => {
    const surface = await openAccounts();
    const { data, errors } = await surface.ask("anonymous", signIn, { code });
    expect(data).toEqual({ signIn: null });
    expect(errors.map((error) => error.code)).toEqual([expected]);
    expect(await actsOf(surface)).toEqual([]);
  });

  test("an ended one is reported as such", async () => {
    const { ask, issue, clock } = await openAccounts();
    const code = await issue();
    clock.now += 10 * minute;
    expect((await ask("anonymous", signIn, { code })).errors).toMatchObject([{ code: "expired_key" }]);
  });

  test("refused codes count as refused keys do: the thirty-first of a minute is a 429, aliases or not", async () => {
    const { ask, issue } = await openAccounts();
    const wrong = Array.from({ length: 16 }, (_, n) => `a${n}: signIn(code: "no") { token }`).join(" ");
    const first = await ask("anonymous", `mutation { ${wrong} }`);
    expect(first.errors.map(({ code }) => code)).toEqual(Array(16).fill("malformed_key"));
    const second = await ask("anonymous", `mutation { ${wrong} }`);
    expect(second.errors.map(({ code }) => code)).toEqual([
      ...Array(14).fill("malformed_key"),
      ...Array(2).fill("quota_exceeded"),
    ]);
    // A valid code is then not looked up, and not used up.
    const code = await issue("acme");
    const blocked = await ask("anonymous", signIn, { code });
    expect(blocked.errors).toMatchObject([{ code: "quota_exceeded" }]);
    expect((await ask("anonymous", signIn, { code }, "203.0.113.7")).errors).toEqual([]);
  });

  test("errors and log contain no code or token", async () => {
    const { ask, issue, faults, store } = await openAccounts();
    const code = await issue("acme");
    const { add } = store.sessions;
    store.sessions.add = () => Promise.reject(new Error("the disk"));
    const { errors } = await ask("anonymous", signIn, { code });
    expect(errors).toMatchObject([{ code: "internal" }]);
    store.sessions.add = add;
    expect(JSON.stringify([errors, faults])).not.toContain(code.slice(0, 5));
    expect(faults).toHaveLength(1);
    // The code is still valid.
    expect((await ask("anonymous", signIn, { code })).errors).toEqual([]);
  });
});

test("a session ends another of its account, by its id or its token", async () => {
  const { ask, signIn } = await openAccounts();
  const [one, other] = [await signIn("acme"), await signIn("acme")];
  for (const id of [one.id, other.token]) {
    const { data } = await ask("session", "mutation ($id: ID!) { revokeSession(id: $id) { state } }", { id });
    expect(data).toEqual({ revokeSession: { state: "REVOKED" } });
  }
  for (const { token } of [one, other]) {
    expect(await refusalOf(() => ask({ token }, "{ viewer { kind } }"))).toMatchObject({
      code: "revoked_key",
    });
  }
});

test("operations of the operator on an inbox are audited, without its secret; those of its account are not", async () => {
  const surface = await openAccounts();
  const { ask, call } = surface;
  const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";
  const create = `mutation { createInbox(input: { account: "acme", scheme: STANDARD_WEBHOOKS, secret: "${secret}" }) { inbox { id } } }`;
  for (const who of ["session", "operator"] as const) {
    const { inbox } = fieldIn<{ inbox: { id: string } }>(await ask(who, create), "createInbox");
    const { errors } = await ask(
      who,
      `mutation { updateInbox(id: "${inbox.id}", input: { status: 202, secret: "${secret}" }) { secret } deleteInbox(id: "${inbox.id}") { id } }`,
    );
    expect(errors).toEqual([]);
    if (who !== "operator") continue;
    const { sessionId } = await surface.bearer(surface.tokens.operator);
    const about = {
      actor: `session:${sessionId}`,
      from: "198.51.100.1",
      account: "acme",
      target: inbox.id,
      result: "done",
    };
    expect((await actsOf(surface)).filter(({ act }) => String(act).startsWith("inboxes."))).toEqual([
      { ...about, act: "inboxes.create" },
      { ...about, act: "inboxes.change" },
      { ...about, act: "inboxes.remove" },
    ]);
  }
  expect(JSON.stringify(await call("audit.list"))).not.toContain(secret.slice(6));
});
