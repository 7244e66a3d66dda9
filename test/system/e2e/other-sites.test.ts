import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callTool, emptyFolder, issueKey, penknife, serve, type Server } from "./harness.ts";
import { sendRaw, toRequest } from "./raw.ts";

// Sends the requests that a page of another site, or one that uses DNS rebinding, can make a browser send.

const folder = emptyFolder();
let server: Server;
let key: string;
let session: string;
let inbox: string;
const token = "a-token-for-the-metrics";

beforeAll(async () => {
  server = await serve(folder.path, {
    PENKNIFE_SERVER_CORS_ORIGINS: "https://ci.example.com",
    PENKNIFE_SERVER_ALLOWED_HOSTS: "tools.example.com,*.dev.example.com",
    PENKNIFE_METRICS_TOKEN: token,
  });
  key = await issueKey(folder.path, "acme", "team");
  const { stdout: code } = await penknife(folder.path, ["admin", "login", "--account", "acme"]);
  const { text } = await call(`${server.url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: `mutation { signIn(code: "${code.trim()}") { token } }` }),
  });
  session = /svc_sess_\w+/.exec(text)?.[0] ?? "";
  const made = await call(`${server.url}/api/inboxes`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: "{}",
  });
  inbox = new URL((JSON.parse(made.text) as { url: string }).url).pathname;
});

afterAll(async () => {
  await server?.stop();
  folder.remove();
});

interface Surface {
  line: string;
  headers?: Record<string, string>;
  body?: string;
  /** The status of an allowed request. */
  good: number;
  /** Whether it is a page or document that links may lead to. */
  page?: true;
  /** Whether it is answered under any host name. */
  probe?: true;
}

const json = { "Content-Type": "application/json" };
const surfaces = (): Record<string, Surface> => ({
  "REST, JSON": { line: "POST /api/tools/json-formatter", headers: json, body: '{"data":"[1]"}', good: 200 },
  "REST, text": {
    line: "POST /api/tools/json-formatter",
    headers: { "Content-Type": "text/plain" },
    body: "[1]",
    good: 200,
  },
  "REST, a form": {
    line: "POST /api/tools/json-formatter",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "a=1",
    good: 415,
  },
  "REST, no such tool": { line: "POST /api/tools/no-such", headers: json, body: "{}", good: 404 },
  pipelines: {
    line: "POST /api/pipelines/run",
    headers: json,
    body: '{"data":"[1]","steps":[{"tool":"json-minifier"}]}',
    good: 200,
  },
  "GraphQL, POST": { line: "POST /graphql", headers: json, body: '{"query":"{ __typename }"}', good: 200 },
  "GraphQL, GET": {
    line: "GET /graphql?query=%7B__typename%7D",
    headers: { "GraphQL-Require-Preflight": "1" },
    good: 200,
  },
  "GraphQL, WebSocket": {
    line: "GET /graphql",
    headers: {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "Sec-WebSocket-Protocol": "graphql-transport-ws",
    },
    good: 101,
  },
  "an inbox": { line: `POST ${inbox}`, headers: json, body: "{}", good: 200 },
  inboxes: { line: "GET /api/inboxes", good: 401 },
  GraphiQL: { line: "GET /graphql", headers: { Accept: "text/html" }, good: 200, page: true },
  tools: { line: "GET /api/tools", good: 200, page: true },
  "a tool": { line: "GET /api/tools/json-formatter", good: 200, page: true },
  OpenAPI: { line: "GET /openapi.json", good: 200, page: true },
  "llms.txt": { line: "GET /llms.txt", good: 200, page: true },
  events: { line: "GET /api/events", good: 200, page: true },
  "a problem": { line: "GET /problems/cross_site", good: 200, page: true },
  SDL: { line: "GET /graphql/schema.graphql", good: 200, page: true },
  nothing: { line: "GET /nothing", good: 404, page: true },
  metrics: { line: "GET /metrics", headers: { Authorization: `Bearer ${token}` }, good: 200, page: true },
  health: { line: "GET /healthz", good: 200, page: true, probe: true },
  readiness: { line: "GET /readyz", good: 200, page: true, probe: true },
});

interface Combination {
  headers?: Record<string, string>;
  host?: string;
  expected(surface: Surface): number;
}

const good = ({ good: status }: Surface): number => status;
const crossSite = (): number => 403;
const navigation = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
const visit = ({ line, page, good: status }: Surface): number =>
  page === true && line.startsWith("GET") ? status : 403;
/** A credential in the header allows any host name. */
const misdirected = ({ probe, headers, good: status }: Surface): number =>
  probe === true || headers?.["Authorization"] !== undefined ? status : 421;

const combinations = (): Record<string, Combination> => ({
  "no browser": { expected: good },
  "a page of ours": {
    headers: { "Sec-Fetch-Site": "same-origin", Origin: "http://127.0.0.1" },
    expected: good,
  },
  "a typed address": { headers: { "Sec-Fetch-Site": "none", ...navigation }, expected: good },
  "an origin that is allowed": {
    headers: { "Sec-Fetch-Site": "cross-site", Origin: "https://ci.example.com" },
    expected: good,
  },
  "cross-site": {
    headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" },
    expected: crossSite,
  },
  "same-site": { headers: { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors" }, expected: crossSite },
  "another origin": { headers: { Origin: "https://evil.example" }, expected: crossSite },
  "another port": { headers: { Origin: "http://127.0.0.1:3000" }, expected: crossSite },
  "an opaque origin": { headers: { Origin: "null", "Sec-Fetch-Site": "cross-site" }, expected: crossSite },
  "another origin, and ours by its site": {
    headers: { Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" },
    expected: crossSite,
  },
  "a link": { headers: { "Sec-Fetch-Site": "cross-site", ...navigation }, expected: visit },
  "a frame": {
    headers: { "Sec-Fetch-Site": "cross-site", ...navigation, "Sec-Fetch-Dest": "iframe" },
    expected: crossSite,
  },
  "a name that is listed": { host: "tools.example.com", expected: good },
  "a name below one, with a port": { host: "a.dev.example.com:8443", expected: good },
  localhost: { host: "localhost:1", expected: good },
  IPv6: { host: "[::1]:8787", expected: good },
  "another name": { host: "evil.example", expected: misdirected },
  "another name, and one that a proxy sends": {
    host: "evil.example",
    headers: { "X-Forwarded-Host": "tools.example.com", Forwarded: "host=tools.example.com" },
    expected: misdirected,
  },
  "a page that is rebound": {
    host: "evil.example:8787",
    headers: { Origin: "http://evil.example:8787", "Sec-Fetch-Site": "same-origin" },
    expected: misdirected,
  },
  "a link to another name": {
    host: "evil.example",
    headers: { "Sec-Fetch-Site": "cross-site", ...navigation },
    expected: (surface) => (surface.line.startsWith("GET") ? misdirected(surface) : 403),
  },
  "no name": { host: "", expected: misdirected },
  "another name and a key that is none": {
    host: "evil.example",
    headers: { Authorization: "Bearer svc_live_junk" },
    expected: ({ probe, good: status }) => (probe === true ? status : 421),
  },
});

describe("each surface", () => {
  it("refuses requests from other sites and under other host names, without counting or reading them", async () => {
    const faults: string[] = [];
    let refusals = 0;
    for (const [where, surface] of Object.entries(surfaces())) {
      for (const [what, { headers, host, expected }] of Object.entries(combinations())) {
        const status = expected(surface);
        // All refusals come from this address; what is left of its quota shows that none was counted. Refused credentials count towards
        // thirty a minute, which another test covers.
        const refused = status !== surface.good && !what.includes("a key that is none");
        const from = refused ? "127.0.0.2" : `127.0.1.${(faults.length + refusals) % 200}`;
        const [answer] = await sendRaw(
          server.port,
          toRequest(surface.line, { ...surface.headers, ...headers }, surface.body, host),
          from,
        );
        if (answer?.status !== status) faults.push(`${where}, ${what}: ${answer?.status}, not ${status}`);
        if (!refused) continue;
        refusals++;
        if (/ratelimit/i.test(answer?.head ?? "")) faults.push(`${where}, ${what}: counted`);
        const code = status === 403 ? "cross_site" : "misdirected_request";
        const body = answer?.body ?? "";
        if (!body.includes(`"code":"${code}"`)) faults.push(`${where}, ${what}: ${body}`);
        const ran =
          where === "GraphQL, GET" && what === "a link" ? "GraphQL-Require-Preflight" : "server.corsOrigins";
        const named = status === 403 ? ran : "server.allowedHosts";
        if (!body.includes(named)) faults.push(`${where}, ${what} does not name ${named}`);
      }
    }
    expect(faults).toEqual([]);
    expect(refusals).toBeGreaterThan(150);
    const first = await callTool(server, "json-formatter", { data: "[1]" }, undefined, {
      localAddress: "127.0.0.2",
    });
    expect([first.status, first.headers["x-ratelimit-remaining"]]).toEqual([200, "99"]);
    const { text } = await call(`${server.url}${inbox.replace("/inbox/", "/api/inboxes/")}/messages`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const stored = (JSON.parse(text) as { items: unknown[] }).items.length;
    const received = Object.entries(combinations()).filter(
      ([, { expected }]) => expected({ line: "POST /", good: 200 }) === 200,
    );
    expect(received.length).toBeGreaterThan(1);
    expect(stored).toBe(received.length);
  });

  it.each([
    ["a key", () => key],
    ["a session", () => session],
  ])("answers %s under any host name, but no page of another site", async (_, credential) => {
    const Authorization = `Bearer ${credential()}`;
    for (const { line, headers, body } of Object.values(surfaces()).slice(0, 9)) {
      const ask = async (host: string, more: Record<string, string> = {}): Promise<number> =>
        (await sendRaw(server.port, toRequest(line, { ...headers, Authorization, ...more }, body, host)))[0]
          ?.status ?? 0;
      expect(await ask("evil.example"), line).not.toBe(421);
      expect(await ask("127.0.0.1", { "Sec-Fetch-Site": "cross-site" }), line).toBe(403);
    }
  });

  it("refuses before the body arrives", async () => {
    for (const more of [{ Origin: "https://evil.example" }, { Host: "evil.example" }]) {
      const headers = { ...json, "Content-Length": "50000", ...more };
      const [answer] = await sendRaw(server.port, toRequest("POST /api/tools/json-formatter", headers));
      expect([403, 421]).toContain(answer?.status);
    }
  });

  it("answers preflight requests of allowed origins only", async () => {
    const preflight = async (origin: string): Promise<number | undefined> => {
      const [answer] = await sendRaw(
        server.port,
        toRequest("OPTIONS /graphql", {
          Origin: origin,
          "Sec-Fetch-Site": "cross-site",
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "graphql-require-preflight",
        }),
      );
      expect(answer?.head.includes("Access-Control-Allow-Origin")).toBe(answer?.status === 204);
      return answer?.status;
    };
    expect(await preflight("https://ci.example.com")).toBe(204);
    expect(await preflight("https://evil.example")).toBe(403);
  });
});

describe("the host name of a request", () => {
  const ask = async (text: string): Promise<number | undefined> =>
    (await sendRaw(server.port, text))[0]?.status;

  it("in absolute form is that of the target, and the Host header must be valid too", async () => {
    const post = (target: string, host: string): Promise<number | undefined> =>
      ask(toRequest(`POST ${target}/api/tools/json-formatter`, json, '{"data":"1"}', host));
    expect(await post("http://localhost", "localhost")).toBe(200);
    expect(await post("http://evil.example", "localhost")).toBe(421);
    expect(await post("http://localhost", "evil.example")).toBe(421);
    expect(await post("http://localhost@evil.example", "localhost")).toBe(421);
    expect(await post("http://evil.example@localhost", "localhost")).toBe(421);
  });

  it("may be missing in HTTP/1.0, which no browser uses", async () => {
    expect(await ask("GET /api/tools HTTP/1.0\r\n\r\n")).toBe(200);
    expect(await ask("GET /api/tools HTTP/1.0\r\nHost: evil.example\r\n\r\n")).toBe(421);
    expect(await ask("GET /api/tools HTTP/1.1\r\nConnection: close\r\n\r\n")).toBe(400);
  });

  it("is logged from time to time, with the option", async () => {
    const lines = await linesWith(server, "server.allowedHosts", "misdirected_request");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("evil.example");
  });
});

/** Returns the lines of the log that contain a text, once the log contains another: lines are written a moment later, in order. */
async function linesWith({ stdout }: Server, text: string, reached: string): Promise<string[]> {
  await expect.poll(() => stdout().includes(reached), { timeout: 60_000 }).toBe(true);
  return stdout()
    .split("\n")
    .filter((line) => line.includes(text));
}

describe("GET /graphql", () => {
  const path = "/graphql?query=%7B__typename%7D";
  const ask = (headers: Record<string, string>, localAddress = "127.0.0.1") =>
    call(server.url + path, { headers, localAddress });

  it.each<[string, () => Record<string, string>]>([
    ["Authorization", () => ({ Authorization: `Bearer ${key}` })],
    ["Sec-Fetch-Site: same-origin", () => ({ "Sec-Fetch-Site": "same-origin" })],
    ["GraphQL-Require-Preflight", () => ({ "GraphQL-Require-Preflight": "" })],
  ])("runs with %s", async (_, headers) => {
    const { status, text } = await ask(headers());
    expect([status, text]).toEqual([200, '{"data":{"__typename":"Query"}}']);
  });

  it.each<[string, Record<string, string>]>([
    ["nothing", {}],
    ["a typed address", { "Sec-Fetch-Site": "none" }],
    ["an allowed origin", { Origin: "https://ci.example.com" }],
    ["an event stream", { Accept: "text/event-stream" }],
  ])("does not run with %s, and names the three headers", async (_, headers) => {
    const { status, text, headers: answered } = await ask(headers, "127.0.0.3");
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: "cross_site" } }] });
    for (const name of ["Authorization", "Sec-Fetch-Site: same-origin", "GraphQL-Require-Preflight"])
      expect(text).toContain(name);
    expect(answered["x-ratelimit-limit"]).toBeUndefined();
  });

  it("does not count those requests", async () => {
    const { headers } = await ask({ "GraphQL-Require-Preflight": "1" }, "127.0.0.3");
    expect(headers["x-ratelimit-remaining"]).toBe("99");
  });
});

describe("disguised input", () => {
  it("a key in the request id is neither logged nor returned", async () => {
    for (const secret of [key, session, `job-${key}`, key.slice(9)]) {
      const answer = await callTool(server, "json-formatter", { data: "1" }, key, {
        headers: { "X-Request-Id": secret },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers["x-request-id"]).toMatch(/^[a-z0-9]+-[a-z0-9]+$/);
      if (secret.includes("svc_"))
        await call(`${server.url}/api/tools/${secret.replace("svc", "%73vc")}/${secret}`);
    }
    const other = await callTool(server, "json-formatter", { data: "1" }, key, {
      headers: { "X-Request-Id": "job-17" },
    });
    expect(other.headers["x-request-id"]).toBe("job-17");
    expect(await linesWith(server, "job-17", '"requestId":"job-17"')).toHaveLength(1);
    const said = server.stdout() + server.stderr();
    expect([key, session].filter((secret) => said.includes(secret.slice(9, 30)))).toEqual([]);
  });

  it("bytes after a malformed request, or one of another protocol, are not a request", async () => {
    const tool = toRequest("POST /api/tools/json-formatter", json, '{"data":"[1]"}');
    const left = async (): Promise<string | string[] | undefined> =>
      (await callTool(server, "json-formatter", { data: "1" }, undefined, { localAddress: "127.0.0.4" }))
        .headers["x-ratelimit-remaining"];
    expect(await left()).toBe("99");
    const { line, headers } = surfaces()["GraphQL, WebSocket"] as Surface;
    const handshake = toRequest(line, headers ?? {});
    const upgrade = { Connection: "Upgrade", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__" };
    const firsts: [string, number][] = [
      [toRequest("GET /api/tools", upgrade), 200],
      [toRequest("GET /api/tools", { Connection: "keep-alive", Upgrade: "websocket" }), 200],
      [toRequest("POST /api/tools/json-formatter", { ...upgrade, ...json }, '{"data":"2"}'), 200],
      [
        toRequest("GET /graphql", { Connection: "Upgrade", Upgrade: "websocket, h2c", Accept: "text/html" }),
        200,
      ],
      [
        toRequest("GET /api/tools", { Connection: "keep-alive", "Transfer-Encoding": "gzip, chunked" }) +
          "0\r\n\r\n",
        400,
      ],
      ["GET /api/tools HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
    ];
    for (const [first, status] of firsts) {
      for (const [at, text, later] of [
        ["at once", first + tool + handshake + tool, ""],
        ["later", first, tool + handshake + tool],
      ] as const) {
        const answers = await sendRaw(server.port, text, "127.0.0.4", later);
        expect(
          answers.map((answer) => answer.status),
          `${at}: ${first}`,
        ).toEqual([status]);
        expect(answers[0]?.head, first).toMatch(/^connection: close/im);
      }
    }
    // The one that was itself sent as a tool call, twice.
    expect(await left()).toBe("96");
    expect(
      (await sendRaw(server.port, toRequest("GET /api/tools", { Connection: "keep-alive" }) + tool)).length,
    ).toBe(2);
  });
});

describe("metrics.token", () => {
  const scrape = (value: string, host = "127.0.0.1") =>
    call(`${server.url}/metrics`, {
      headers: { Authorization: `Bearer ${value}`, Host: host },
      localAddress: "127.0.0.5",
    });

  it("works under any host name", async () => {
    expect((await scrape(token, "evil.example")).status).toBe(200);
    expect((await call(`${server.url}/metrics`)).status).toBe(401);
  });

  it("allows thirty guesses a minute under any host name, counted together with keys", async () => {
    for (let guess = 0; guess < 10; guess++) expect((await scrape(`guess-${guess}`)).status).toBe(401);
    for (let guess = 0; guess < 10; guess++)
      expect((await scrape(`guess-${guess}`, "evil.example")).status).toBe(421);
    for (let guess = 0; guess < 10; guess++)
      expect(
        (await callTool(server, "json-formatter", {}, "junk", { localAddress: "127.0.0.5" })).status,
      ).toBe(401);
    for (const host of ["127.0.0.1", "evil.example"]) {
      const { status, headers } = await scrape("guess", host);
      expect(status).toBe(429);
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
      // At the cap, a right token is refused like a wrong one.
      expect((await scrape(token, host)).status).toBe(429);
    }
    expect(
      (await call(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).status,
    ).toBe(200);
  });
});

describe("a server that listens on all interfaces", () => {
  it.each([
    ["serves every name until the list is set, and says so once", {}, 200, 1],
    ["serves the names of the list", { PENKNIFE_SERVER_ALLOWED_HOSTS: "tools.example.com" }, 421, 0],
    ["serves every name where the list says so", { PENKNIFE_SERVER_ALLOWED_HOSTS: "*" }, 200, 0],
  ])("%s", async (_, env, status, lines) => {
    const own = emptyFolder();
    const open = await serve(own.path, { PENKNIFE_SERVER_HOST: "0.0.0.0", ...env });
    try {
      const post = (host: string) =>
        callTool(open, "json-formatter", { data: "1" }, undefined, { headers: { Host: host } });
      expect((await post("evil.example")).status).toBe(status);
      for (const host of ["tools.example.com", "127.0.0.1", "localhost"])
        expect((await post(host)).status).toBe(200);
      const warnings = await linesWith(open, "DNS rebinding", "json-formatter");
      expect(warnings).toHaveLength(lines);
      for (const line of warnings) expect(line).toContain("server.allowedHosts");
    } finally {
      await open.stop();
      own.remove();
    }
  });

  it("accepts only its own host names on loopback", async () => {
    const own = emptyFolder();
    const closed = await serve(own.path, { PENKNIFE_SERVER_HOST: "localhost" });
    try {
      const ask = async (host: string): Promise<number> =>
        (await call(`${closed.url}/api/tools`, { headers: { Host: host } })).status;
      expect([await ask("localhost"), await ask("evil.example"), await ask("127.0.0.1")]).toEqual([
        200, 421, 200,
      ]);
      expect(await linesWith(closed, "DNS rebinding", "misdirected_request")).toEqual([]);
    } finally {
      await closed.stop();
      own.remove();
    }
  });
});
