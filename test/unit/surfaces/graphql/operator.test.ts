import { expect, test } from "vitest";
import { minute } from "../../services/access/sessions/setup.ts";
import { fieldIn, openAccounts } from "./account-surface.ts";

const reads = [
  "{ auditTrail { seq } }",
  "{ auditProof { intact } }",
  "{ doctor { check } }",
  "{ nodes { id } }",
  "{ configuration { option } }",
  "{ accountsConnection { totalCount } }",
];

test("accounts are paged by name, and found by words", async () => {
  const { ask, call } = await openAccounts();
  for (const name of ["beta-one", "beta-two", "zeta"]) await call("accounts.create", { name, plan: "pro" });
  const page = async (args: string): Promise<unknown> => {
    const { data, errors } = await ask(
      "operator",
      `{ accountsConnection(${args}) { totalCount pageInfo { hasNextPage endCursor } nodes { name } } }`,
    );
    expect(errors).toEqual([]);
    return data?.["accountsConnection"];
  };
  expect(await page('search: "beta PRO", first: 1')).toEqual({
    totalCount: 2,
    pageInfo: { hasNextPage: true, endCursor: "beta-one" },
    nodes: [{ name: "beta-one" }],
  });
  expect(await page('search: "beta", after: "beta-one"')).toEqual({
    totalCount: 2,
    pageInfo: { hasNextPage: false, endCursor: "beta-two" },
    nodes: [{ name: "beta-two" }],
  });
  expect(await page('search: "beta", plan: FREE')).toMatchObject({ totalCount: 0 });
  expect(await page("plan: PRO, first: 0")).toMatchObject({ totalCount: 4 });
});

test("an account counts the keys that work, and says to the operator alone who is signed in", async () => {
  const { ask, call, keyId } = await openAccounts();
  const { id } = await call<{ id: string }>("keys.issue", { account: "acme" });
  const counts = async (who: "operator" | "session"): Promise<unknown> =>
    (await ask(who, '{ account(name: "acme") { liveKeys } }')).data?.["account"];
  const before = (await counts("operator")) as { liveKeys: number };
  await call("keys.revoke", { id });
  expect(await counts("operator")).toEqual({ liveKeys: before.liveKeys - 1 });
  expect(await counts("session")).toEqual({ liveKeys: before.liveKeys - 1 });
  await call("keys.revoke", { id: keyId });
  expect(await counts("operator")).toEqual({ liveKeys: before.liveKeys - 2 });
});

test("all accounts are paged by name, also after one that is gone", async () => {
  const { ask, call } = await openAccounts();
  for (const name of ["a", "aa", "y", "z"]) await call("accounts.create", { name, plan: "pro" });
  const page = async (args: string) => {
    const { data, errors } = await ask(
      "operator",
      `{ accountsConnection(${args}) { totalCount pageInfo { hasNextPage endCursor } nodes { name } } }`,
    );
    expect(errors).toEqual([]);
    return data?.["accountsConnection"] as {
      totalCount: number;
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
      nodes: { name: string }[];
    };
  };
  const { totalCount } = await page("first: 0");
  const first = await page("first: 2");
  expect([first.nodes.map(({ name }) => name), first.pageInfo, first.totalCount]).toEqual([
    ["a", "aa"],
    { hasNextPage: true, endCursor: "aa" },
    totalCount,
  ]);
  await call("accounts.delete", { name: "aa" });
  const rest = await page('first: 100, after: "aa"');
  expect(rest.nodes.map(({ name }) => name)).toContain("y");
  expect(rest.nodes.map(({ name }) => name).slice(-1)).toEqual(["z"]);
  expect(rest.pageInfo).toEqual({ hasNextPage: false, endCursor: "z" });
  expect(rest.nodes).toHaveLength(totalCount - 2);
  expect((await page('first: 1, search: " "')).nodes).toEqual([{ name: "a" }]);
  expect(await page("first: 0")).toMatchObject({
    pageInfo: { hasNextPage: true, endCursor: null },
    nodes: [],
  });
  for (const args of ['after: "No name"', "first: -1", "first: 1001"])
    expect((await ask("operator", `{ accountsConnection(${args}) { totalCount } }`)).errors).toMatchObject([
      { code: "invalid_input" },
    ]);
});

test("the audit trail is read from its newest act on, in pages, and by words", async () => {
  const { ask, call } = await openAccounts();
  for (const name of ["one", "two", "three"]) await call("accounts.create", { name, plan: "pro" });
  await ask("operator", 'mutation { disableAccount(name: "two") { name } }');
  const trail = async (args: string): Promise<Record<string, unknown>[]> => {
    const fields = "seq at actor from act account target detail result";
    const { data, errors } = await ask("operator", `{ auditTrail(${args}) { ${fields} } }`);
    expect(errors).toEqual([]);
    return data?.["auditTrail"] as Record<string, unknown>[];
  };
  const [disabled, three] = await trail("first: 2");
  expect(disabled).toEqual({
    seq: expect.any(Number) as unknown,
    at: expect.stringMatching(/Z$/) as unknown,
    actor: expect.stringMatching(/^session:ses_[0-9a-f]{20}$/) as unknown,
    from: "198.51.100.1",
    act: "accounts.disable",
    account: "two",
    target: null,
    detail: expect.objectContaining({ disabled: expect.anything() as unknown }) as unknown,
    result: "done",
  });
  expect(three).toMatchObject({ act: "accounts.create", account: "three" });
  const rest = await trail(`before: ${String(three?.["seq"])}`);
  expect(rest.slice(0, 2).map(({ account }) => account)).toEqual(["two", "one"]);
  expect((await trail('search: "TWO accounts."')).map(({ act }) => act)).toEqual([
    "accounts.disable",
    "accounts.create",
  ]);
  expect(await trail(`search: "two", before: ${String(disabled?.["seq"])}`)).toHaveLength(1);
  expect(await trail('search: "198.51.100.1"')).toHaveLength(1);
  for (const args of ["first: 0", `search: "${"x".repeat(201)}"`])
    expect((await ask("operator", `{ auditTrail(${args}) { seq } }`)).errors).toMatchObject([
      { code: "invalid_input" },
    ]);
  const { data } = await ask(
    "operator",
    "{ auditProof { intact lines head faultCount faults { place } notices } }",
  );
  expect(data?.["auditProof"]).toEqual({
    intact: true,
    lines: expect.any(Number) as unknown,
    head: expect.stringMatching(/^\d+:[0-9a-f]{64}$/) as unknown,
    faultCount: 0,
    faults: [],
    notices: [],
  });
});

test("a code for the owner of an account works once, and its making is in the trail", async () => {
  const { ask, call } = await openAccounts();
  const made = await ask("operator", 'mutation { createLogin(account: "acme") { code account expiresAt } }');
  expect(made.errors).toEqual([]);
  const { code, account } = fieldIn<{ code: string; account: string }>(made, "createLogin");
  expect(account).toBe("acme");
  const signIn = `mutation { signIn(code: "${code}") { session { account operator } } }`;
  expect((await ask("anonymous", signIn)).data).toEqual({
    signIn: { session: { account: "acme", operator: false } },
  });
  expect((await ask("anonymous", signIn)).errors).toHaveLength(1);
  const { items } = await call<{ items: Record<string, unknown>[] }>("audit.list");
  expect(items.findLast(({ act }) => act === "login")).toMatchObject({
    actor: expect.stringMatching(/^session:/) as unknown,
    from: "198.51.100.1",
    account: "acme",
  });
  expect(JSON.stringify(items)).not.toContain(code);
  expect(
    (await ask("operator", 'mutation { createLogin(account: "nobody") { code } }')).errors,
  ).toMatchObject([{ code: "not_found" }]);
});

test("an operator who signed in a while ago reads, and makes no codes", async () => {
  const { ask, clock } = await openAccounts();
  clock.now += 11 * minute;
  for (const query of reads) expect((await ask("operator", query)).errors).toEqual([]);
  expect((await ask("operator", 'mutation { createLogin(account: "acme") { code } }')).errors).toMatchObject([
    { code: "forbidden" },
  ]);
});

test("the configuration is shown with origins and masked secrets, and the findings of doctor with what to do", async () => {
  const { ask } = await openAccounts();
  const { data } = await ask(
    "operator",
    "{ configuration { option value origin } nodes { id version seenAt current } doctor { check level message action } }",
  );
  expect(data).toEqual({
    configuration: [
      { option: "server.port", value: 8787, origin: "default" },
      { option: "auth.secret", value: "********", origin: "environment" },
    ],
    nodes: [
      { id: "0a", version: "1.2.3", seenAt: "1970-01-01T00:00:00.000Z", current: true },
      { id: "0b", version: null, seenAt: "1970-01-01T00:00:01.000Z", current: false },
    ],
    doctor: [
      { check: "storage.lock", level: "OK", message: "The store is not in use.", action: null },
      { check: "port", level: "WARNING", message: "The port is in use.", action: "Choose another." },
    ],
  });
});
