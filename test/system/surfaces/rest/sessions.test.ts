import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { createSessions } from "../../../../src/services/access/sessions/sessions.ts";
import { type Harness, openHarness } from "../harness.ts";
import { testRuntime } from "../../../support/runtime.ts";

let app: Harness;
afterEach(() => app.close());

async function signIn(account?: string) {
  const { store } = app;
  const sessions = createSessions({
    store,
    runtime: testRuntime({ now: Date.now, random: (size) => randomBytes(size) }),
  });
  const { code } = await sessions.issueCode(account);
  const { token, record } = await sessions.begin(code);
  return { token, id: record.id, end: () => sessions.revoke(record.id) };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

const call = (token: string): Promise<Response> =>
  app.post("/api/tools/json-formatter", '{"data": "[1]", "indent": 0}', bearer(token));

test("a session runs tools in a quota window of its own, and is logged by its id", async () => {
  app = await openHarness();
  const key = await app.key("team", "ci");
  for (const account of ["ci", undefined]) {
    const { token, id } = await signIn(account);
    for (const remaining of ["999", "998"]) {
      const answer = await call(token);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ result: "[1]" });
      expect(answer.headers.get("x-ratelimit-limit")).toBe("1000");
      expect(answer.headers.get("x-ratelimit-remaining")).toBe(remaining);
    }
    expect(app.logText()).toContain(id);
    expect(app.logText()).not.toContain(token.slice(9));
    expect(app.runs.at(-1)?.principal).toMatchObject({ kind: "session", sessionId: id });
  }
  expect((await call(key)).headers.get("x-ratelimit-remaining")).toBe("9999");
});

test("one that ended, or is invalid, is a 401 that says so", async () => {
  app = await openHarness();
  await app.key("pro", "ci");
  const { token, id, end } = await signIn("ci");
  expect((await call(token)).status).toBe(200);
  await end();
  const cases = [
    [token, "revoked_key", id],
    [token.slice(0, -1), "malformed_key", "session token"],
    [`${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`, "malformed_key", "session token"],
  ] as const;
  for (const [sent, code, words] of cases) {
    const answer = await call(sent);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    const problem = (await answer.json()) as { code: string; detail: string };
    expect(problem.code).toBe(code);
    expect(problem.detail).toContain(words);
    expect(problem.detail).not.toContain(token.slice(9, 30));
  }
});

test("a token in the URL is refused as a key is", async () => {
  app = await openHarness();
  const { token } = await signIn();
  const answer = await app.post(`/api/tools/json-formatter?token=${token}`, '{"data": "1"}');
  expect(answer.status).toBe(400);
  const text = await answer.text();
  expect(text).toContain("key_in_query");
  expect(text + app.logText()).not.toContain(token.slice(9));
});

test("inboxes require a session of their account; the operator is referred to GraphQL", async () => {
  app = await openHarness({ inbox: {} });
  await app.key("pro", "ci");
  const own = await signIn("ci");
  const made = await app.post("/api/inboxes", "{}", bearer(own.token));
  expect(made.status).toBe(201);
  expect(((await made.json()) as { account: string }).account).toBe("ci");
  const operator = await signIn();
  const answer = await app.get("/api/inboxes", { headers: bearer(operator.token) });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({
    code: "forbidden",
    detail: expect.stringContaining("/graphql"),
  });
});
