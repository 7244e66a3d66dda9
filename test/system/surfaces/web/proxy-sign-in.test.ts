import { once } from "node:events";
import { createServer, request, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { AuditView } from "../../../../src/services/audit/list.ts";
import { makeFolder } from "../../../support/store.ts";
import { type Harness, openHarness } from "../harness.ts";
import { read } from "./files.ts";

// Signing in through a proxy, over the real shell: which headers count, where, and from whom.
const secret = "0123456789abcdef0123456789abcdef";
const trusted = "127.0.0.1";
let app: Harness;

beforeAll(async () => {
  app = await openHarness({
    trustedProxies: [trusted, "unix"],
    web: {
      read,
      contact: "ops@example.com",
      proxyAuth: {
        header: "X-Forwarded-User",
        secret,
        groupsHeader: "X-Forwarded-Groups",
        accountClaim: "groups",
        operatorRule: ["groups=ops", "user=root@example.com"],
      },
    },
  });
  for (const name of ["team-a", "team-b", "closed"]) await app.accounts.create({ name, plan: "team" });
  await app.accounts.disable("closed");
});
afterAll(() => app.close());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

// Each client has an address of its own: refused credentials are counted by it.
let clients = 0;

/** Sends a request as a proxy or as somebody else does; headers may be repeated. */
async function send(
  path: string,
  lines: readonly (readonly [string, string])[] = [],
  { body, ...options }: RequestOptions & { body?: string } = {},
): Promise<Answer> {
  const given = new Set(lines.map(([name]) => name));
  const usual: [string, string][] = [
    ["Host", `127.0.0.1:${app.port}`],
    ["Accept", "text/html"],
    ["X-Forwarded-For", `198.51.100.${(clients = (clients % 250) + 1)}`],
  ];
  const form: [string, string][] = [
    ["Content-Length", String(Buffer.byteLength(body ?? ""))],
    ["Content-Type", "application/x-www-form-urlencoded"],
    ["Sec-Fetch-Site", "same-origin"],
  ];
  const headers = [...usual, ...(body === undefined ? [] : form)]
    .filter(([name]) => !given.has(name))
    .concat(lines.map(([name, value]) => [name, value]))
    .flat();
  const outgoing = request({
    host: "127.0.0.1",
    port: app.port,
    localAddress: trusted,
    path,
    method: body === undefined ? "GET" : "POST",
    headers,
    agent: false,
    ...options,
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [
    NodeJS.ReadableStream & Answer & { statusCode: number },
  ];
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  return { status: incoming.statusCode, headers: incoming.headers, text };
}

const proxied = (user: string, groups = "team-a", ...more: [string, string][]): [string, string][] => [
  ["X-Forwarded-User", user],
  ["X-Forwarded-Groups", groups],
  ["X-Penknife-Proxy-Secret", secret],
  ...more,
];

const sessions = async (): Promise<number> => (await app.store.sessions.ids()).length;

const trail = async (): Promise<AuditView[]> =>
  ((await (await app.operator.admin()).call("audit.list", { limit: 1000 })) as { items: AuditView[] }).items;

describe("a person whom the proxy names", () => {
  test("sees what there is to choose, and nothing happens before a click", async () => {
    const before = await sessions();
    const one = await send("/sign-in", proxied("alice"));
    expect(one.status).toBe(200);
    expect(one.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
    expect(one.headers["content-security-policy"]).toContain("form-action 'self'");
    expect(one.headers["set-cookie"]).toBeUndefined();
    expect(one.text).toContain("signed you in as <bdi>alice</bdi>");
    expect(one.text).toContain(`name="account" value="team-a"`);
    expect(one.text).not.toContain(`name="operator"`);
    // A code works for the day when the proxy does not.
    expect(one.text).toContain(`data-page="sign-in"`);
    const all = await send("/sign-in", proxied("alice", "team-b,ops,closed,nobody,team-a"));
    expect(
      [...all.text.matchAll(/<button class="primary" name="(\w+)" value="([^"]*)"/g)].map((m) => m.slice(1)),
    ).toEqual([
      ["account", "team-a"],
      ["account", "team-b"],
      ["operator", ""],
    ]);
    expect(await sessions()).toBe(before);
  });

  test("gets a session of the chosen account, with a cookie, and the trail names the person", async () => {
    const answer = await send("/sign-in", proxied("alice@example.com", "team-a,team-b"), {
      body: "account=team-b",
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe("./settings/keys");
    expect(answer.headers["cache-control"]).toBe("no-store");
    const [cookie = ""] = answer.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^penknife=svc_sess_\w+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=28800$/);
    const own: [string, string][] = [
      ["Cookie", cookie.split(";")[0] ?? ""],
      ["Sec-Fetch-Site", "same-origin"],
    ];
    const shown = JSON.parse((await send("/session", own)).text) as { session: unknown };
    expect(shown.session).toMatchObject({
      account: "team-b",
      person: { issuer: "proxy", subject: "alice@example.com" },
    });
    expect((await send("/session", own, { method: "DELETE" })).status).toBe(200);
    const acts = (await trail()).slice(-2);
    expect(acts.map(({ act, account, actor }) => [act, account, actor])).toEqual([
      ["sessions.open", "team-b", "person:proxy#alice@example.com"],
      ["sessions.revoke", "team-b", "person:proxy#alice@example.com"],
    ]);
  });

  test("returns to the page that they came from", async () => {
    const { text } = await send("/sign-in?to=settings/webhooks", proxied("alice", "team-a"));
    expect(text).toContain(`action="./sign-in?to=settings%2Fwebhooks"`);
    const locationFor = async (to: string): Promise<string | undefined> =>
      (await send(`/sign-in?to=${to}`, proxied("alice", "team-a"), { body: "account=team-a" })).headers
        .location;
    expect(await locationFor("settings%2Fwebhooks")).toBe("./settings/webhooks");
    for (const to of ["//evil.example", "operator/audit", "settings/../x"])
      expect(await locationFor(to)).toBe("./settings/keys");
  });

  test("ends the session that the browser had before by signing in again", async () => {
    const signIn = async (cookie = ""): Promise<string> => {
      const { headers } = await send("/sign-in", proxied("alice", "team-a", ["Cookie", cookie]), {
        body: "account=team-a",
      });
      return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    };
    const isLive = async (cookie: string): Promise<boolean> => {
      const { text } = await send("/session", [
        ["Cookie", cookie],
        ["Sec-Fetch-Site", "same-origin"],
      ]);
      return (JSON.parse(text) as { session: unknown }).session !== null;
    };
    const first = await signIn();
    const second = await signIn(first);
    expect([await isLive(first), await isLive(second)]).toEqual([false, true]);
    expect((await trail()).slice(-2).map(({ act, actor }) => [act, actor])).toEqual([
      ["sessions.open", "person:proxy#alice"],
      ["sessions.revoke", "person:proxy#alice"],
    ]);
  });

  test("signs in as the operator, by the name alone", async () => {
    const answer = await send("/sign-in", proxied("root@example.com", ""), { body: "operator=" });
    expect([answer.status, answer.headers.location]).toEqual([303, "./operator/accounts"]);
    expect((await trail()).at(-1)).toMatchObject({
      act: "sessions.open",
      detail: { operator: { after: true } },
    });
  });

  test("gets a secure cookie where the proxy serves HTTPS", async () => {
    const lines = proxied("alice", "team-a", ["Origin", `https://127.0.0.1:${app.port}`]);
    const { headers } = await send("/sign-in", lines, { body: "account=team-a" });
    expect(headers["set-cookie"]?.[0]).toMatch(/^__Host-penknife=.*; Secure;/);
  });

  test("without rights learns whom to ask, and can still use a code", async () => {
    for (const [user, groups] of [
      ["mallory<b>", "team-c"],
      ["mallory", ""],
      ["mallory", "closed"],
      ["ops", "OPS"],
    ] as const) {
      const before = await sessions();
      const page = await send("/sign-in", proxied(user, groups));
      expect(page.status).toBe(403);
      expect(page.text).toContain("Ask ops@example.com for access");
      expect(page.text).toContain(`person:proxy#${user.replace("<b>", "%3Cb%3E")}`);
      expect(page.text).not.toContain("mallory<b>");
      expect(page.text).toContain(`data-page="sign-in"`);
      for (const body of ["account=team-a", "account=closed", "operator="])
        expect((await send("/sign-in", proxied(user, groups), { body })).status).toBe(403);
      expect(await sessions()).toBe(before);
    }
    expect(app.logText()).toContain("no rule gives a person rights");
  });

  test("cannot take a right that no rule gives", async () => {
    const before = await sessions();
    for (const body of ["account=team-b", "operator=", "account=", "account=../team-a"])
      expect((await send("/sign-in", proxied("alice"), { body })).status).toBe(403);
    for (const body of ["", "account=team-a&operator=", "account=team-a&account=team-a", "code=x"])
      expect((await send("/sign-in", proxied("alice"), { body })).status).toBe(400);
    expect((await send("/sign-in", proxied("alice"), { body: `account=${"a".repeat(2000)}` })).status).toBe(
      413,
    );
    expect(await sessions()).toBe(before);
  });

  test.each<[string, [string, string][]]>([
    ["another site", [["Sec-Fetch-Site", "cross-site"]]],
    ["a sibling host", [["Sec-Fetch-Site", "same-site"]]],
    ["another origin", [["Origin", "https://evil.example"]]],
    ["nowhere", [["Origin", "null"]]],
  ])("is not signed in by a form of %s", async (_what, lines) => {
    const before = await sessions();
    const headers = [...lines, ...proxied("alice")];
    const options: RequestOptions & { body: string } = { body: "account=team-a" };
    const answer = await send("/sign-in", headers, options);
    expect(answer.status).toBe(403);
    expect(await sessions()).toBe(before);
  });
});

describe("the header is ignored", () => {
  /** Returns the content of the page; without a proxy it has the form of the code alone. */
  const toPage = ({ status, text }: Answer): object => ({
    status,
    isNamed: text.includes("signed you in"),
    hasForm: text.includes(`data-page="sign-in"`),
  });
  const plain = { status: 200, isNamed: false, hasForm: true };

  test("from a peer that is not trusted, whatever it says about its address", async () => {
    const before = await sessions();
    for (const more of [[], [["X-Forwarded-For", trusted]], [["Forwarded", `for=${trusted}`]]] as [
      string,
      string,
    ][][]) {
      const lines = proxied("alice", "ops", ...more);
      expect(toPage(await send("/sign-in", lines, { localAddress: "127.0.0.2" }))).toEqual(plain);
      const posted = await send("/sign-in", lines, { localAddress: "127.0.0.2", body: "operator=" });
      expect(posted.status).toBe(403);
    }
    expect(await sessions()).toBe(before);
  });

  test("on every other path", async () => {
    const lines = proxied("alice", "ops", ["Sec-Fetch-Site", "same-origin"]);
    expect(JSON.parse((await send("/session", lines)).text)).toEqual({ session: null });
    for (const path of ["/sign-in/", "/SIGN-IN", "/sign-in/x", "/settings/keys", "/"])
      expect((await send(path, lines)).text).not.toContain("alice");
    const json: [string, string][] = [
      ["Accept", "application/json"],
      ["Content-Type", "application/json"],
    ];
    const run = await send("/api/tools/json-formatter", [...lines, ...json], { body: '{"data":"1"}' });
    expect([run.status, run.headers["x-ratelimit-limit"]]).toEqual([200, "100"]);
    expect((await send("/session", lines, { body: "account=team-a" })).status).toBe(415);
  });

  test("where the proxy names nobody", async () => {
    expect(toPage(await send("/sign-in", [["X-Penknife-Proxy-Secret", secret]]))).toEqual(plain);
    expect(toPage(await send("/sign-in", proxied("")))).toEqual(plain);
  });
});

describe("a trusted peer is refused", () => {
  test.each<[string, [string, string][]]>([
    ["without the secret", [["X-Forwarded-User", "alice"]]],
    [
      "with another secret",
      [
        ["X-Forwarded-User", "alice"],
        ["X-Penknife-Proxy-Secret", secret.toUpperCase()],
      ],
    ],
    ["with two headers", proxied("alice", "ops", ["X-Forwarded-User", "mallory"])],
    ["with two names in one", proxied("alice,mallory", "ops")],
    ["with two lists of groups", proxied("alice", "team-a", ["X-Forwarded-Groups", "ops"])],
    ["with a tab in the name", proxied("alice\tops")],
    ["with a name of 10 KB", proxied("a".repeat(10_240))],
  ])("%s", async (_what, lines) => {
    const before = await sessions();
    const page = await send("/sign-in", lines);
    expect(page.status).toBe(403);
    expect(page.text).toMatch(/Tell the operator the number of the request/);
    expect(page.text).not.toMatch(/X-Penknife|mallory/);
    const posted = await send("/sign-in", lines, { body: "account=team-a" });
    expect(posted.status).toBe(403);
    expect(await sessions()).toBe(before);
    const line = app
      .logged()
      .findLast(({ message }) => message === "a person whom a proxy names was not signed in");
    expect(line).toMatchObject({ level: "warn", reason: expect.stringMatching(/X-/) as unknown });
    expect(app.logText()).not.toContain(secret);
  });

  test("with 429 after thirty wrong secrets in a minute", async () => {
    const from: [string, string] = ["X-Forwarded-For", "203.0.113.9"];
    const lines = (value: string): [string, string][] => [
      ["X-Forwarded-User", "alice"],
      ["X-Penknife-Proxy-Secret", value],
      from,
    ];
    for (let n = 0; n < 30; n++) expect((await send("/sign-in", lines("0".repeat(32)))).status).toBe(403);
    expect((await send("/sign-in", lines("0".repeat(32)))).status).toBe(429);
    expect((await send("/sign-in", lines(secret))).text).toContain("alice");
  });
});

test("the peer of a Unix socket counts where it is trusted", async () => {
  const socketPath = join(makeFolder(), "p.sock");
  const server = createServer((req, res) => app.http.intake.handle(req, res));
  server.listen(socketPath);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const options = { socketPath, port: undefined, localAddress: undefined } as unknown as RequestOptions;
  const page = await send("/sign-in", proxied("alice"), options);
  expect(page.text).toContain("signed you in as <bdi>alice</bdi>");
});

test("a program gets problem details", async () => {
  const answer = await send("/sign-in", [
    ["Accept", "application/json"],
    ["X-Forwarded-User", "alice"],
  ]);
  expect(answer.status).toBe(403);
  expect(answer.headers["content-type"]).toContain("application/problem+json");
});
