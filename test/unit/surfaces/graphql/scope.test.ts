import { describe, expect, test } from "vitest";
import { hour } from "../../services/access/sessions/setup.ts";
import { refusalOf } from "../../services/setup.ts";
import { type Answered, fieldIn, openAccounts, type Who } from "./account-surface.ts";

const everybody: readonly Who[] = ["anonymous", "key", "session", "operator"];

/** The result for each caller: "ok", or the code of the refusal. */
type Row = Readonly<Record<Who, string>>;

const all: Row = { anonymous: "ok", key: "ok", session: "ok", operator: "ok" };
const members: Row = { ...all, anonymous: "missing_key" };
const sessions: Row = { ...members, key: "forbidden" };
const operators: Row = { ...sessions, session: "forbidden" };

const inboxIn = (answer: Answered): string =>
  fieldIn<{ inbox: { id: string } }>(answer, "createInbox").inbox.id;

type Opened = Awaited<ReturnType<typeof openAccounts>>;

/** Each with the items of acme, which operator commands created before. */
async function prepare() {
  const surface = await openAccounts();
  const { call, signIn, ask } = surface;
  const endpoint = await call<{ id: string }>("webhooks.add", {
    account: "acme",
    url: "http://127.0.0.1:9/",
  });
  const { delivery } = await call<{ delivery: string }>("webhooks.test", { id: endpoint.id });
  const inbox = await ask("session", "mutation { createInbox { inbox { id } } }");
  const victim = await signIn("acme");
  return {
    ...surface,
    ids: {
      KEY: surface.keyId,
      ENDPOINT: endpoint.id,
      DELIVERY: delivery,
      INBOX: inboxIn(inbox),
      SESSION: victim.id,
      CODE: await surface.issue("acme"),
    },
  };
}

const rows: readonly [string, Row][] = [
  ["{ tools(first: 1) { totalCount } }", all],
  ['{ tool(slug: "json-formatter") { slug } }', all],
  ['{ run { jsonFormatter(input: { data: "1" }) { result } } }', all],
  ['mutation { runTool(slug: "json-formatter", input: { data: "1" }) { result } }', all],
  ["{ viewer { kind operator quota { remaining } } }", all],
  ['mutation { signIn(code: "CODE") { session { id } } }', all],

  ['{ keys(account: "acme") { id } }', members],
  ['{ keysConnection(account: "acme") { totalCount } }', members],
  ['{ key(id: "KEY") { id start } }', members],
  ['{ usage(account: "acme") { items { requests } } }', members],
  ['{ account(name: "acme") { name quota { used } } }', members],
  ['subscription { usage(account: "acme") { account } }', members],
  ['subscription { events(account: "acme") { id } }', members],
  ['{ inboxes(account: "acme") { id } }', members],
  ['{ inbox(id: "INBOX") { id } }', members],
  ['mutation { createInbox(input: { account: "acme" }) { inbox { id } } }', members],
  ['mutation { updateInbox(id: "INBOX", input: { name: "n" }) { inbox { id } } }', members],
  ['mutation { deleteInbox(id: "INBOX") { id } }', members],
  ['subscription { inboxEvents(id: "INBOX") { id } }', members],

  ['{ webhookEndpoints(account: "acme") { id } }', sessions],
  ['{ webhookEndpoint(id: "ENDPOINT") { id } }', sessions],
  ['{ deliveries(account: "acme") { id } }', sessions],
  ['{ delivery(id: "DELIVERY") { id } }', sessions],
  ['subscription { deliveries(account: "acme") { id } }', sessions],
  [
    'mutation { createWebhookEndpoint(input: { account: "acme", url: "http://127.0.0.1:9/" }) { secret } }',
    sessions,
  ],
  ['mutation { pauseWebhookEndpoint(id: "ENDPOINT") { id } }', sessions],
  ['mutation { resumeWebhookEndpoint(id: "ENDPOINT") { id } }', sessions],
  ['mutation { rotateWebhookSecret(id: "ENDPOINT") { secret } }', sessions],
  ['mutation { testWebhookEndpoint(id: "ENDPOINT") { event } }', sessions],
  ['mutation { redeliver(id: "DELIVERY") { id } }', sessions],
  ['mutation { recoverDeliveries(endpoint: "ENDPOINT", since: "1h") { redelivered } }', sessions],
  ['mutation { deleteWebhookEndpoint(id: "ENDPOINT") { id } }', sessions],
  ['mutation { generateKey(input: { account: "acme" }) { secret } }', sessions],
  ['mutation { rotateKey(id: "KEY", input: { grace: "1h" }) { secret } }', sessions],
  ['mutation { revokeKey(id: "KEY") { state } }', sessions],
  ['mutation { revokeAllKeys(account: "acme") { id } }', sessions],
  ['{ sessions(account: "acme") { id } }', sessions],
  ['mutation { revokeSession(id: "SESSION") { state } }', sessions],
  [
    'mutation { revokeSessions(person: { issuer: "proxy", subject: "alice" }) { id } }',
    { ...sessions, session: "forbidden" },
  ],
  ["mutation { signOut { state } }", sessions],

  ["{ accounts { name } }", operators],
  ["{ accountsConnection { totalCount } }", operators],
  ["{ auditTrail { seq } }", operators],
  ["{ auditProof { intact } }", operators],
  ["{ doctor { check } }", operators],
  ["{ nodes { id } }", operators],
  ["{ configuration { option value } }", operators],
  ['mutation { createLogin(account: "acme") { code } }', operators],
  ['mutation { createAccount(input: { name: "third", plan: PRO }) { name } }', operators],
  ['mutation { updateAccount(name: "acme", input: { limit: 20000 }) { limit } }', operators],
  ['mutation { disableAccount(name: "acme") { disabled } }', operators],
  ['mutation { enableAccount(name: "acme") { disabled } }', operators],
  ['mutation { deleteAccount(name: "other") { name } }', operators],
  ['mutation { resetLimits(account: "acme") { name } }', operators],
];

const fill = (query: string, ids: Record<string, string>): string =>
  query.replace(/"([A-Z]+)"/, (whole, name: string) => (name in ids ? `"${ids[name]}"` : whole));

describe.each(rows)("%s", (query, row) => {
  test.each(everybody)("as %s", async (who) => {
    const { ask, ids, faults } = await prepare();
    const { data, errors } = await ask(who, fill(query, ids));
    if (row[who] === "ok") {
      expect(errors).toEqual([]);
      expect(Object.values(data ?? {})).not.toContain(null);
    } else {
      expect(errors.map(({ code }) => code)).toEqual([row[who]]);
      expect(errors[0]?.message).toMatch(/signIn|sign in/);
      // A caller with the wrong kind of credential is not asked to send a key.
      if (row.key === "forbidden") expect(errors[0]?.message).not.toContain("svc_live_");
    }
    expect(faults).toEqual([]);
  });
});

test("every field of every root type has its row", async () => {
  const { catalog } = await import("./tools-context.ts");
  const { createSchema } = await import("../../../../src/surfaces/graphql/schema/schema.ts");
  const { schema } = await createSchema(catalog);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const names = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  const tested = rows.map(([query]) => /\{ (\w+)/.exec(query)?.[1]);
  expect(tested.toSorted()).toEqual(names.toSorted());
});

describe("items of another account", () => {
  async function ofOther(surface: Opened) {
    const { call, signIn, ask } = surface;
    const key = await call<{ id: string; key: string }>("keys.issue", { account: "other" });
    const endpoint = await call<{ id: string }>("webhooks.add", {
      account: "other",
      url: "http://127.0.0.1:9/",
    });
    const { delivery } = await call<{ delivery: string }>("webhooks.test", { id: endpoint.id });
    const session = await signIn("other");
    const inbox = await ask({ token: session.token }, "mutation { createInbox { inbox { id } } }");
    return {
      KEY: key.id,
      SECRET: key.key,
      ENDPOINT: endpoint.id,
      DELIVERY: delivery,
      INBOX: inboxIn(inbox),
      SESSION: session.id,
      TOKEN: session.token,
    };
  }

  const byId = [
    ...rows
      .map(([query]) => query)
      .filter((query) => /"(?:KEY|ENDPOINT|DELIVERY|INBOX|SESSION)"/.test(query)),
    '{ usage(key: "KEY", by: DAY) { items { requests } } }',
  ];

  test.each(byId)("%s is not found, with the same message as a missing one", async (query) => {
    const surface = await openAccounts();
    const ids = await ofOther(surface);
    const none = {
      KEY: "key_00000000000000000000",
      ENDPOINT: "we_000000000000000000000000",
      DELIVERY: "dlv_0197f2d0-0000-7000-8000-000000000000",
      INBOX: "in_00000000000000000000000000000000",
      SESSION: "ses_00000000000000000000",
    };
    const { errors } = await surface.ask("session", fill(query, ids));
    expect(errors.map(({ code }) => code)).toEqual(["not_found"]);
    const { errors: absent } = await surface.ask("session", fill(query, none));
    expect(absent).toEqual(errors);
    for (const id of Object.values(ids)) expect(JSON.stringify(errors)).not.toContain(id);
  });

  test.each(rows.filter(([query]) => query.includes('account: "acme"')))(
    "%s with its name is forbidden to both, and not to the operator",
    async (query, row) => {
      const surface = await openAccounts();
      const named = query.replace('"acme"', '"other"');
      for (const who of ["key", "session"] as const) {
        expect((await surface.ask(who, named)).errors.map(({ code }) => code)).toEqual(["forbidden"]);
      }
      if (row.operator === "ok") expect((await surface.ask("operator", named)).errors).toEqual([]);
    },
  );

  test("is in no list of the account, and in those of the operator", async () => {
    const surface = await openAccounts();
    const ids = await ofOther(surface);
    const query =
      "{ keys { id account } sessions { id account } webhookEndpoints { id account } deliveries { id account } inboxes { id account } }";
    const own = JSON.stringify((await surface.ask("session", query)).data);
    const every = JSON.stringify((await surface.ask("operator", query)).data);
    for (const name of ["KEY", "ENDPOINT", "DELIVERY", "INBOX", "SESSION"] as const) {
      expect(own).not.toContain(ids[name]);
      expect(every).toContain(ids[name]);
    }
    expect(own).not.toContain('"other"');
    for (const secret of [ids.SECRET, ids.TOKEN]) expect(every).not.toContain(secret.slice(14));
  });
});

test("a refused field is null, and its siblings are answered", async () => {
  const { ask, keyId } = await openAccounts();
  const { data, errors } = await ask(
    "key",
    `{
      keys { id } webhookEndpoints { id } deliveries { id } sessions { id } accounts { name }
      inboxes(account: "other") { id } usage(account: "other") { since } others: keys(account: "other") { id }
    }`,
  );
  const refused = ["webhookEndpoints", "deliveries", "sessions", "accounts", "inboxes", "usage", "others"];
  expect(data).toEqual({ keys: [{ id: keyId }], ...Object.fromEntries(refused.map((name) => [name, null])) });
  expect(errors.map(({ code, path }) => [path, code]).toSorted()).toEqual(
    refused.map((name) => [name, "forbidden"]).toSorted(),
  );
});

test("the operator sees items of a previous account of this name, the new account does not", async () => {
  const { ask, call, clock, signIn, keyId, ids, store } = await prepare();
  const counts = { ok: 1, refused: 0, failed: 0, limited: 0, inputBytes: 1, outputBytes: 1, micros: 1 };
  const used = [{ account: "acme", key: keyId, tool: "json-formatter", ...counts }];
  await (await store.usage()).add({ id: "b1", hour: clock.now, rows: used });
  await call("accounts.delete", { name: "acme", revokeKeys: true });
  clock.now += 2 * hour;
  await call("accounts.create", { name: "acme", plan: "pro" });
  const mine = await call<{ id: string; key: string }>("keys.issue", { account: "acme" });
  const token = (await signIn("acme")).token;
  const query =
    '{ keys(account: "acme") { id } deliveries(account: "acme") { id } usage(account: "acme", since: "5h") { items { tool } } inboxes(account: "acme") { id } }';
  expect((await ask({ token }, query)).data).toEqual({
    keys: [{ id: mine.id }],
    deliveries: [],
    usage: { items: [] },
    inboxes: [],
  });
  expect((await ask({ token: mine.key }, "{ keys { id } }")).data).toEqual({ keys: [{ id: mine.id }] });
  for (const one of [`key(id: "${keyId}")`, `delivery(id: "${ids.DELIVERY}")`]) {
    expect((await ask({ token }, `{ ${one} { id } }`)).errors).toMatchObject([{ code: "not_found" }]);
  }
  const { token: operator } = await signIn();
  const { data, errors } = await ask({ token: operator }, query);
  expect(errors).toEqual([]);
  expect(data).toMatchObject({ keys: [{ id: keyId }, { id: mine.id }], usage: { items: [{}] } });
  expect(JSON.stringify(data?.["deliveries"])).toContain(ids.DELIVERY);
  await call("keys.revoke", { id: mine.id });
  expect((await ask({ token }, "{ keys { id state } }")).data).toEqual({
    keys: [{ id: mine.id, state: "REVOKED" }],
  });
});

test("repeated look-ups of one document run once, and again for the next document", async () => {
  const { ask, operator, call, clock } = await openAccounts();
  // Requests keep the session alive.
  for (let n = 0; n < 4; n++) {
    clock.now += hour / 2;
    await ask("session", "{ viewer { kind } }");
  }
  const looks: string[] = [];
  const { perform: carryOut } = operator;
  operator.perform = (operation, ...rest) => {
    looks.push(operation);
    return carryOut(operation, ...rest);
  };
  const query =
    '{ a: keys { id } b: keys(account: "acme") { id } c: keys(state: LIVE) { id } d: usage { since } e: usage(since: "1h") { since } f: usage(by: KEY) { since } g: usage(by: DAY) { since } }';
  const { data } = await ask("session", query);
  expect(data?.["a"]).toEqual(data?.["b"]);
  expect(looks.toSorted()).toEqual(["accounts.show", "keys.list", "usage.reports", "usage.reports"]);
  await call("keys.issue", { account: "acme" });
  expect((await ask("session", query)).data?.["a"]).toHaveLength(2);
});

test("whatever a caller may be refused can be null", async () => {
  const { catalog } = await import("./tools-context.ts");
  const { createSchema } = await import("../../../../src/surfaces/graphql/schema/schema.ts");
  const { schema } = await createSchema(catalog);
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  const never = roots.filter(({ type }) => String(type).endsWith("!")).map(({ name }) => name);
  // Public fields that look up nothing.
  expect(never.toSorted()).toEqual(["run", "tools", "viewer"]);
});

test("an account may leave out its own name, and the operator has to name one when creating", async () => {
  const { ask } = await openAccounts();
  for (const who of ["key", "session"] as const) {
    expect((await ask(who, "{ account { name } }")).data).toEqual({ account: { name: "acme" } });
  }
  for (const query of [
    "{ account { name } }",
    "mutation { generateKey(input: {}) { secret } }",
    'mutation { createWebhookEndpoint(input: { url: "http://127.0.0.1:9/" }) { secret } }',
    "mutation { createInbox { secret } }",
  ]) {
    expect((await ask("operator", query)).errors).toMatchObject([{ code: "invalid_input" }]);
  }
});

test("a disabled account has no access", async () => {
  const { ask, call } = await openAccounts();
  await call("accounts.disable", { name: "acme" });
  for (const who of ["key", "session"] as const) {
    const { code } = await refusalOf(() => ask(who, "{ viewer { kind } }"));
    expect(code).toBe("account_disabled");
  }
});
