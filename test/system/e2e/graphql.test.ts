import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  adminIn,
  ask,
  codeIn,
  dataOf,
  listen,
  loginCode,
  type Session,
  signIn,
  signInDocument,
} from "./graphql-client.ts";
import { call, callTool, emptyFolder, issueKey, penknife, serve, type Server } from "./harness.ts";
import { codeWith, eventsOf, metricOf } from "./operate.ts";

/** A text that must not appear in a log. */
const document = '{"secret":"of the caller"}';

const folder = emptyFolder();
const admin = adminIn(folder.path);
let server: Server;
/** The credential of each caller. */
const tokens: Record<string, string | undefined> = { anonymous: undefined };
/** Secrets that must not be written anywhere. */
const secrets: string[] = [];

beforeAll(async () => {
  server = await serve(folder.path, {
    PENKNIFE_TOOLS_DEADLINE_MS: "60000",
    PENKNIFE_LOG_FORMAT: "json",
    PENKNIFE_LOG_LEVEL: "debug",
    PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1",
  });
  tokens["key"] = await issueKey(folder.path, "acme", "team", ["--limit", "1000000"]);
  await issueKey(folder.path, "other");
  tokens["account"] = (await signIn(server, admin, "acme")).token;
  tokens["operator"] = (await signIn(server, admin)).token;
  secrets.push(...Object.values(tokens).filter((token) => token !== undefined));
});

afterAll(async () => {
  await server?.stop();
  folder.remove();
});

const everybody = ["anonymous", "key", "account", "operator"] as const;
const none = "missing_key";
const no = "forbidden";

describe("permissions", () => {
  it.each<[document: string, ...codes: (string | undefined)[]]>([
    ["{ tools(first: 1) { totalCount } }", "ok", "ok", "ok", "ok"],
    ['{ tool(slug: "json-minifier") { slug } }', "ok", "ok", "ok", "ok"],
    ['{ run { jsonMinifier(input: { data: "[1, 2]" }) { result } } }', "ok", "ok", "ok", "ok"],
    [
      'mutation { runTool(slug: "json-minifier", input: { data: "[1]" }) { result } }',
      "ok",
      "ok",
      "ok",
      "ok",
    ],
    ["{ viewer { kind } }", "ok", "ok", "ok", "ok"],
    ["{ keys { id } }", none, "ok", "ok", "ok"],
    ['{ keys(account: "acme") { id } }', none, "ok", "ok", "ok"],
    ['{ keys(account: "other") { id } }', none, no, no, "ok"],
    ["{ usage { __typename } }", none, "ok", "ok", "ok"],
    ['{ usage(account: "other") { __typename } }', none, no, no, "ok"],
    ['{ account(name: "acme") { name } }', none, "ok", "ok", "ok"],
    ["{ inboxes { id } }", none, "ok", "ok", "ok"],
    ['{ inboxes(account: "other") { id } }', none, no, no, "ok"],
    ["{ webhookEndpoints { id } }", none, no, "ok", "ok"],
    ['{ webhookEndpoints(account: "other") { id } }', none, no, no, "ok"],
    ["{ deliveries { id } }", none, no, "ok", "ok"],
    ["{ sessions { id } }", none, no, "ok", "ok"],
    ["{ accounts { name } }", none, no, no, "ok"],
    ['mutation { generateKey(input: { account: "acme" }) { key { id } } }', none, no, "ok", "ok"],
    ['mutation { generateKey(input: { account: "other" }) { key { id } } }', none, no, no, "ok"],
    ['mutation { disableAccount(name: "other") { name } }', none, no, no, "ok"],
    ['mutation { enableAccount(name: "other") { name } }', none, no, no, "ok"],
    ['mutation { resetLimits(account: "acme") { __typename } }', none, no, no, "ok"],
  ])("%s", async (query, ...codes) => {
    const found = [];
    for (const who of everybody) found.push(codeIn(await ask(server, query, { token: tokens[who] })));
    expect(found).toEqual(codes);
  });

  it.each<[document: string, ...codes: string[]]>([
    ["subscription { events { id } }", none, "ok", "ok", "ok"],
    ['subscription { events(account: "other") { id } }', none, no, no, "ok"],
    ['subscription { usage(account: "acme") { used } }', none, "ok", "ok", "ok"],
    ["subscription { deliveries { id } }", none, no, "ok", "ok"],
  ])("%s", async (query, ...codes) => {
    const found = [];
    for (const who of everybody) found.push(await codeOfStream(query, tokens[who]));
    expect(found).toEqual(codes);
  });

  it("does not reveal whether another account's object exists", async () => {
    const { keys } = await dataOf(server, '{ keys(account: "other") { id } }', { token: tokens["operator"] });
    const keyOf = (id: string): string => `{ key(id: "${id}") { id } }`;
    const [others, nobodys] = await Promise.all(
      [keys[0].id, "key_0123456789abcdef0123"].map((id: string) =>
        ask(server, keyOf(id), { token: tokens["account"] }),
      ),
    );
    expect(others?.data).toEqual(nobodys?.data);
    expect(others && codeIn(others)).toBe(nobodys && codeIn(nobodys));
    expect(await dataOf(server, keyOf(keys[0].id), { token: tokens["operator"] })).toEqual({
      key: { id: keys[0].id },
    });
  });

  /** `ok` if a stream starts, or the code of its first event. */
  async function codeOfStream(query: string, token: string | undefined): Promise<string> {
    const abort = new AbortController();
    const response = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: {
        accept: "text/event-stream",
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query }),
      signal: abort.signal,
    });
    expect(response.status).toBe(200);
    // An allowed stream is silent until an event; a refused one sends its error at once.
    const length = response.headers.get("content-length");
    const text = length === null ? "" : await response.text();
    abort.abort();
    return /"code":"(\w+)"/.exec(text)?.[1] ?? "ok";
  }
});

describe("a settings session", () => {
  it("creates a key that works everywhere, and revokes it for every connection, including sockets", async () => {
    const token = tokens["account"] as string;
    const { generateKey } = await dataOf(
      server,
      "mutation { generateKey(input: {}) { secret key { id state } } }",
      { token },
    );
    const { secret, key } = generateKey as { secret: string; key: { id: string; state: string } };
    secrets.push(secret);
    expect(key.state).toBe("LIVE");
    expect(await codeWith(server, secret)).toBe("ok");
    const viewer = await dataOf(server, "{ viewer { kind account { name } key { id } } }", { token: secret });
    expect(viewer).toEqual({ viewer: { kind: "KEY", account: { name: "acme" }, key: { id: key.id } } });
    const { stdout } = await admin("keys", "show", key.id, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ id: key.id, account: "acme", state: "live" });

    const ends = await listen(server, secret, "subscription { events { id } }");
    const stays = await listen(server, token, "subscription { events(types: [KEY_REVOKED]) { type } }");
    const revoked = await dataOf(server, `mutation { revokeKey(id: "${key.id}") { state } }`, { token });
    const at = performance.now();
    expect(revoked).toEqual({ revokeKey: { state: "REVOKED" } });
    const refused = await ask(server, "{ viewer { kind } }", { token: secret });
    expect([refused.status, codeIn(refused)]).toEqual([401, "revoked_key"]);
    expect(await codeWith(server, secret)).toBe("revoked_key");
    const closed = await ends.closed;
    expect(closed.code).toBe(4403);
    expect(closed.at - at).toBeLessThan(1000);
    await expect.poll(() => stays.heard).toEqual([{ events: { type: "KEY_REVOKED" } }]);
    await stays.close();
  });

  it("starts with a code once, and ends when revoked", async () => {
    const code = await loginCode(admin, "acme");
    expect(code).toMatch(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$/);
    secrets.push(code);
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => ask(server, signInDocument, { variables: { code } })),
    );
    const taken = tries.filter(({ data }) => data?.signIn != null);
    expect(taken).toHaveLength(1);
    expect(tries.map(codeIn).filter((one) => one === "unknown_key")).toHaveLength(9);
    const [{ data } = { data: undefined }] = taken;
    const { token, session } = data.signIn as Session;
    secrets.push(token);

    expect(await codeWith(server, token)).toBe("ok");
    const socket = await listen(server, token, "subscription { events { id } }");
    const listed = await admin("sessions", "list", "--json");
    expect(listed.stdout).toContain(session.id);
    const { status } = await admin("sessions", "revoke", session.id);
    const at = performance.now();
    expect(status).toBe(0);
    const refused = await ask(server, "{ viewer { kind } }", { token });
    expect([refused.status, codeIn(refused)]).toEqual([401, "revoked_key"]);
    const closed = await socket.closed;
    expect(closed.code).toBe(4403);
    // The command finishes shortly before its process ends.
    expect(closed.at - at).toBeLessThan(1000);
  });

  it("has its acts recorded in the audit trail, under its name", async () => {
    const { session } = await dataOf(server, "{ viewer { session { id } } }", {
      token: tokens["account"],
    }).then((data) => data.viewer as { session: { id: string } });
    const { stdout } = await admin("audit", "--json");
    expect(stdout).toContain(`session:${session.id}`);
    expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
  });

  it("can revoke a key of an account whose quota is used up", async () => {
    const key = await issueKey(folder.path, "spent", "pro");
    const { token } = await signIn(server, admin, "spent");
    const fields = Array.from(
      { length: 20 },
      (_, index) => `a${index}: jsonMinifier(input: { data: "1" }) { result }`,
    );
    const twenty = `{ run { ${fields.join(" ")} } }`;
    for (let batch = 0; batch < 50; batch++) await dataOf(server, twenty, { token: key });
    expect(await codeWith(server, key)).toBe("quota_exceeded");
    const { keys } = await dataOf(server, "{ keys { id } }", { token });
    const revoked = await dataOf(server, `mutation { revokeKey(id: "${keys[0].id}") { state } }`, { token });
    expect(revoked).toEqual({ revokeKey: { state: "REVOKED" } });
    expect(await codeWith(server, key)).toBe("revoked_key");
  });

  it("starts from an address whose quota is used up", async () => {
    const code = await loginCode(admin, "acme");
    const headers = { "X-Forwarded-For": "192.0.2.99" };
    for (let batch = 0; batch < 10; batch++)
      await Promise.all(Array.from({ length: 10 }, () => ask(server, "{ viewer { kind } }", { headers })));
    expect(codeIn(await ask(server, "{ viewer { kind } }", { headers }))).toBe("quota_exceeded");
    const signedIn = await ask(server, signInDocument, { headers, variables: { code } });
    expect(signedIn.data?.signIn?.token).toMatch(/^svc_sess_/);
  });
});

describe("a document", () => {
  const three =
    '{ run { a: jsonMinifier(input: { data: "1" }) { result } b: jsonMinifier(input: { data: "2" }) { result } c: jsonMinifier(input: { data: "{" }) { result } } }';

  it("counts one request per tool, and returns the window", async () => {
    const token = tokens["key"];
    const before = await ask(server, "{ viewer { quota { remaining } } }", { token });
    const left = Number(before.headers["x-ratelimit-remaining"]);
    expect(before.data).toEqual({ viewer: { quota: { remaining: left } } });
    const after = await ask(server, three, { token });
    expect(Number(after.headers["x-ratelimit-remaining"])).toBe(left - 3);
    expect(after.data.run).toMatchObject({ a: { result: "1" }, b: { result: "2" }, c: null });
    expect([after.status, codeIn(after), after.errors[0]?.path]).toEqual([
      200,
      "invalid_document",
      ["run", "c"],
    ]);
  });

  it("is refused with the same code as over REST", async () => {
    const [graphql, rest] = [
      await ask(server, "{ viewer { kind } }", { token: "svc_live_short" }),
      await callTool(server, "json-minifier", { data: "1" }, "svc_live_short"),
    ];
    expect(codeIn(graphql)).toBe((JSON.parse(rest.text) as { code: string }).code);
    expect([graphql.status, graphql.headers["www-authenticate"]]).toEqual([
      rest.status,
      rest.headers["www-authenticate"],
    ]);
  });

  it("is in no log and no metric, except for its kind", async () => {
    const data = JSON.stringify(document);
    await dataOf(server, `query Private { run { jsonMinifier(input: { data: ${data} }) { result } } }`);
    await dataOf(server, `mutation { runTool(slug: "json-minifier", input: { data: ${data} }) { result } }`);
    await ask(server, `{ private: ${"x".repeat(10)}(input: ${data}) }`);
    await expect
      .poll(() => requestsOf().filter(({ path }) => path === "/graphql").length)
      .toBeGreaterThan(20);
    const kinds = new Set(requestsOf().flatMap(({ operation }) => operation ?? []));
    expect([...kinds].toSorted()).toEqual(["mutation", "query", "subscription"]);
    const log = server.stdout() + server.stderr();
    for (const hidden of ["of the caller", "jsonMinifier", "Private", "runTool", "generateKey", ...secrets])
      expect([hidden, log.includes(hidden)]).toEqual([hidden, false]);
    expect(requestsOf().some(({ sessionId }) => /^ses_[0-9a-f]{20}$/.test(sessionId ?? ""))).toBe(true);
    expect(eventsOf(server).filter((line) => line.includes('"level":"error"'))).toEqual([]);

    const { text } = await call(`${server.url}/metrics`);
    const series = text.split("\n").filter((line) => line.startsWith("penknife_graphql_operations_total"));
    expect(series.length).toBeGreaterThan(4);
    for (const line of series)
      expect(line).toMatch(/\{operation="(query|mutation|subscription|none)",outcome="[a-z_]+"\} \d+$/);
    expect(
      await metricOf(server, "penknife_graphql_operations_total", 'operation="mutation",outcome="ok"'),
    ).toBeGreaterThan(0);
    expect(text).not.toMatch(/Private|jsonMinifier|acme/);
  });

  function requestsOf(): { path?: string; operation?: string; sessionId?: string }[] {
    return server
      .stdout()
      .split("\n")
      .filter((line) => line.includes('"message":"request"') && line.endsWith("}"))
      .map((line) => JSON.parse(line) as { path?: string; operation?: string; sessionId?: string });
  }
});

it("prints the schema that the server serves", async () => {
  const served = await call(`${server.url}/graphql/schema.graphql`);
  const { status, stdout } = await penknife(folder.path, ["tools", "--graphql"]);
  expect([status, stdout]).toEqual([0, served.text]);
});

// It stops the server, so it is the last.
describe("long-lived connections", () => {
  it("are counted while open, and closed when the server stops", async () => {
    const token = tokens["key"] as string;
    // Those of the tests before close a moment later.
    await expect.poll(() => metricOf(server, "penknife_graphql_connections")).toBe(0);
    const sockets = await Promise.all(
      Array.from({ length: 5 }, () => listen(server, token, "subscription { usage { used } }")),
    );
    await expect.poll(() => sockets.every(({ heard }) => heard.length > 0)).toBe(true);
    expect(await metricOf(server, "penknife_graphql_connections")).toBe(5);
    await sockets[0]?.close();
    await expect.poll(() => metricOf(server, "penknife_graphql_connections")).toBe(4);
    const began = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(60_000);
    const codes = await Promise.all(sockets.slice(1).map(async ({ closed }) => (await closed).code));
    expect(codes).toEqual([1001, 1001, 1001, 1001]);
  });
});
