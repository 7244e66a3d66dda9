import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw, type RawAnswer } from "../../e2e/raw.ts";
import { openRawSocket } from "../graphql/raw-socket.ts";
import { type GraphqlServer, openGraphqlServer } from "../graphql/server.ts";

// Sessions of browsers, on raw sockets: a browser would not send most of these requests.
let server: GraphqlServer;
let port: number;
let own: string;
beforeAll(async () => {
  server = await openGraphqlServer({
    PENKNIFE_SERVER_ALLOWED_HOSTS: "tools.example.com",
    PENKNIFE_SERVER_CORS_ORIGINS: "https://ci.example.com",
    PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1",
  });
  port = Number(new URL(server.url).port);
  own = `http://127.0.0.1:${port}`;
});
afterAll(() => server.stop());

interface Call {
  method?: string;
  path?: string;
  headers?: Record<string, string | undefined> | undefined;
  body?: string;
}

/** A request of a page of this server, unless the headers say otherwise. */
async function send({
  method = "POST",
  path = "/session",
  headers = {},
  body = "",
}: Call): Promise<RawAnswer> {
  const all: Record<string, string | undefined> = {
    Host: `127.0.0.1:${port}`,
    Origin: own,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  const [answer] = await sendRaw(port, `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

// Each client has an address of its own: refused codes are counted by it.
let clients = 0;
const client = (): { "X-Forwarded-For": string } => ({ "X-Forwarded-For": `198.51.100.${(clients += 1)}` });

const newCode = (): Promise<string> => server.login("ci");
const exchange = (code: string, headers: Call["headers"] = {}): Promise<RawAnswer> =>
  send({ headers: { ...client(), ...headers }, body: JSON.stringify({ code }) });
const cookieOf = ({ head }: RawAnswer): string | undefined =>
  /^set-cookie: (.*)\r?$/im.exec(head)?.[1]?.trim();
const pairOf = (answer: RawAnswer): string => cookieOf(answer)?.split(";")[0] ?? "";
const problemOf = ({ status, body }: RawAnswer): [number, string] => [
  status,
  (JSON.parse(body) as { code: string }).code,
];

async function signIn(): Promise<string> {
  return pairOf(await exchange(await newCode()));
}

/** Returns the person or account that the server takes a request for. */
async function viewer(headers: Call["headers"], more: Call = {}): Promise<unknown> {
  const body = JSON.stringify({ query: "{ viewer { kind account { name } } }" });
  const answer = await send({ path: "/graphql", body, ...more, headers });
  const { data, errors, code } = JSON.parse(answer.body) as {
    data?: { viewer: { kind: string } };
    errors?: { extensions: { code: string } }[];
    code?: string;
  };
  return data?.viewer.kind ?? [answer.status, errors?.[0]?.extensions.code ?? code];
}

const secureHost = { Host: "tools.example.com", Origin: "https://tools.example.com" };

describe("POST /session", () => {
  it("exchanges a code for a cookie that no script sees", async () => {
    const answer = await exchange(await newCode());
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toMatch(
      /^penknife=svc_sess_[0-9A-Za-z]{38}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=28800$/,
    );
    expect(answer.body).not.toContain("svc_sess_");
    expect(JSON.parse(answer.body)).toMatchObject({ session: { account: "ci", state: "live" } });
    expect(answer.head.toLowerCase()).toContain("cache-control: no-store");
    expect(await viewer({ Cookie: pairOf(answer) })).toBe("SESSION");
  });

  it("sets a cookie with the host prefix over HTTPS, also behind a proxy", async () => {
    const answer = await exchange(await newCode(), secureHost);
    expect(cookieOf(answer)).toMatch(
      /^__Host-penknife=svc_sess_\w+; Secure; HttpOnly; SameSite=Lax; Path=\/; Max-Age=28800$/,
    );
    expect(await viewer({ Cookie: pairOf(answer), ...secureHost })).toBe("SESSION");
  });

  it("refuses plain HTTP on a network, and leaves the code unused", async () => {
    const code = await newCode();
    const lan = {
      Host: "tools.example.com",
      Origin: "http://tools.example.com",
      "Sec-Fetch-Site": undefined,
    };
    const refused = await exchange(code, lan);
    expect(problemOf(refused)).toEqual([403, "forbidden"]);
    expect(refused.body).toContain("web.insecureCookies");
    expect(cookieOf(refused)).toBeUndefined();
    expect((await exchange(code)).status).toBe(200);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ["another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
    ["another port of this host", { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site" }],
    ["another port, without Sec-Fetch-Site", { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": undefined }],
    ["an origin that may call the API", { Origin: "https://ci.example.com", "Sec-Fetch-Site": "cross-site" }],
    ["an opaque origin", { Origin: "null", "Sec-Fetch-Site": "cross-site" }],
    ["no page", { Origin: undefined, "Sec-Fetch-Site": undefined }],
    ["a typed address", { Origin: undefined, "Sec-Fetch-Site": "none" }],
    [
      "an HTTP page of an HTTPS host",
      { ...secureHost, Origin: "http://tools.example.com", "X-Forwarded-Proto": "https" },
    ],
  ])("refuses %s, and leaves the code unused", async (_, headers) => {
    const code = await newCode();
    const refused = await exchange(code, headers);
    expect(problemOf(refused)).toEqual([403, "cross_site"]);
    expect(cookieOf(refused)).toBeUndefined();
    expect((await exchange(code)).status).toBe(200);
  });

  it("refuses a host name that is not this server's (DNS rebinding)", async () => {
    const code = await newCode();
    const evil = { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` };
    expect(problemOf(await exchange(code, evil))).toEqual([421, "misdirected_request"]);
    expect((await exchange(code)).status).toBe(200);
  });

  it.each([
    ["a form", { "Content-Type": "text/plain" }, '{"code":"x"}', 415, "unsupported_media_type"],
    ["no JSON", {}, "code=x", 400, "bad_json"],
    ["no code", {}, "{}", 400, "invalid_input"],
    ["another field", {}, '{"code":"x","then":"https://evil.example"}', 400, "invalid_input"],
    ["a code that is no text", {}, '{"code":["x"]}', 400, "invalid_input"],
    ["too much", {}, JSON.stringify({ code: "x".repeat(2000) }), 413, "body_too_large"],
    ["a mistyped code", {}, '{"code":"7K3QF"}', 401, "malformed_key"],
    ["an invented code", {}, '{"code":"00000-00000-00000-00000"}', 401, "unknown_key"],
  ])("refuses %s", async (_, headers, body, status, code) => {
    const refused = await send({ headers: { ...client(), ...headers }, body });
    expect(problemOf(refused)).toEqual([status, code]);
    expect(cookieOf(refused)).toBeUndefined();
  });

  it("gives one session for a code used twice at once", async () => {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(401)]);
    expect(answers.filter((answer) => cookieOf(answer) !== undefined)).toHaveLength(1);
  });

  it("stops an address that tries codes, also with the right one then", async () => {
    const address = client();
    const attempt = (code: string) => send({ headers: address, body: JSON.stringify({ code }) });
    const invented = (n: number) => `00000-00000-00000-${String(n).padStart(5, "0")}`;
    const codes: string[] = [];
    for (let n = 0; n < 31; n++) codes.push(problemOf(await attempt(invented(n)))[1]);
    expect(new Set(codes.slice(0, 30))).toEqual(new Set(["unknown_key"]));
    expect(codes[30]).toBe("quota_exceeded");
    const right = await newCode();
    expect(problemOf(await attempt(right))).toEqual([429, "quota_exceeded"]);
    expect((await exchange(right)).status).toBe(200);
  });

  it("begins a new session, whatever cookie the browser has (fixation)", async () => {
    const planted = await signIn();
    const answer = await exchange(await newCode(), { Cookie: planted });
    expect(answer.status).toBe(200);
    expect(pairOf(answer)).not.toBe(planted);
    expect(await viewer({ Cookie: planted, ...client() })).toEqual([401, "revoked_key"]);
    const stale = await exchange(await newCode(), { Cookie: `penknife=svc_sess_${"0".repeat(38)}` });
    expect(stale.status).toBe(200);
  });
});

describe("signing in again", () => {
  it("ends the session that the browser had before, and no other", async () => {
    const [first, other] = [await signIn(), await signIn()];
    const second = pairOf(await exchange(await newCode(), { Cookie: first }));
    expect(await viewer({ Cookie: second })).toBe("SESSION");
    expect(await viewer({ Cookie: other })).toBe("SESSION");
    expect(await viewer({ Cookie: first, ...client() })).toEqual([401, "revoked_key"]);
  });

  it("ends nothing with a code that is refused, with two cookies, or over HTTPS that of plain HTTP", async () => {
    const cookie = await signIn();
    expect((await exchange("AAAAA-AAAAA-AAAAA-AAAAA", { Cookie: cookie })).status).toBe(401);
    expect((await exchange(await newCode(), { Cookie: `${cookie}; ${await signIn()}` })).status).toBe(400);
    expect((await exchange(await newCode(), { Cookie: cookie, ...secureHost })).status).toBe(200);
    expect(await viewer({ Cookie: cookie })).toBe("SESSION");
  });

  it("does not count a session that has ended as a refused credential", async () => {
    const cookie = await signIn();
    const same = client();
    await exchange(await newCode(), { Cookie: cookie, ...same });
    for (let n = 0; n < 31; n++)
      expect((await exchange(await newCode(), { Cookie: cookie, ...same })).status).toBe(200);
    expect(await viewer({ Cookie: cookie, ...same })).toEqual([401, "revoked_key"]);
  });
});

describe("a request with the cookie", () => {
  it.each<[string, Record<string, string | undefined>, unknown]>([
    ["a page of ours without Sec-Fetch-Site", { "Sec-Fetch-Site": undefined }, "SESSION"],
    ["a page of ours without Origin", { Origin: undefined }, "SESSION"],
    ["another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }, [403, "cross_site"]],
    ["another port", { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site" }, [403, "cross_site"]],
    [
      "another port, without Sec-Fetch-Site",
      { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": undefined },
      [403, "cross_site"],
    ],
    ["an allowed origin", { Origin: "https://ci.example.com", "Sec-Fetch-Site": "cross-site" }, "ANONYMOUS"],
    [
      "an allowed origin, without Sec-Fetch-Site",
      { Origin: "https://ci.example.com", "Sec-Fetch-Site": undefined },
      "ANONYMOUS",
    ],
    ["no page", { Origin: undefined, "Sec-Fetch-Site": undefined }, "ANONYMOUS"],
    ["a typed address", { Origin: undefined, "Sec-Fetch-Site": "none" }, "ANONYMOUS"],
  ])("of %s", async (_, headers, expected) => {
    expect(await viewer({ Cookie: await signIn(), ...headers })).toEqual(expected);
  });

  it("and an Authorization header is of the header", async () => {
    const cookie = await signIn();
    expect(await viewer({ Cookie: cookie, Authorization: `Bearer ${server.key}` })).toBe("KEY");
    expect(await viewer({ Cookie: cookie, Authorization: "Bearer svc_live_x" })).toEqual([
      401,
      "malformed_key",
    ]);
  });

  it("is refused with two cookies of the name (tossing), and ignores those of other programs", async () => {
    const cookie = await signIn();
    const other = await signIn();
    expect(await viewer({ Cookie: `${other}; ${cookie}` })).toEqual([400, "conflicting_credentials"]);
    expect(await viewer({ Cookie: `a=b; xpenknife=c; ${cookie}; penknife2=d` })).toBe("SESSION");
    expect(await viewer({ Cookie: "penknife=another program" })).toBe("ANONYMOUS");
    expect(await viewer({ Cookie: `penknife=${server.key}` })).toBe("ANONYMOUS");
  });

  it("of a name that only begins or ends with other white space does not count (prefix of another name)", async () => {
    const secure = pairOf(await exchange(await newCode(), secureHost));
    expect(await viewer({ Cookie: `a=b;\t ${secure} ; c=d`, ...secureHost })).toBe("SESSION");
    // Browsers do not protect the prefix of such a name.
    expect(await viewer({ Cookie: `a=b; \u00a0${secure}`, ...secureHost })).toBe("ANONYMOUS");
  });

  it("without the host prefix does not count over HTTPS, where other servers of the domain could set it", async () => {
    const cookie = await signIn();
    expect(await viewer({ Cookie: cookie, ...secureHost })).toBe("ANONYMOUS");
    const secure = pairOf(await exchange(await newCode(), secureHost));
    expect(await viewer({ Cookie: `${cookie}; ${secure}`, ...secureHost })).toBe("SESSION");
  });

  it("that has ended is 401, never anonymous", async () => {
    const cookie = await signIn();
    const ended = await send({ method: "DELETE", headers: { Cookie: cookie } });
    expect(ended.status).toBe(200);
    expect(cookieOf(ended)).toBe("penknife=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
    expect(JSON.parse(ended.body)).toMatchObject({ session: { state: "revoked" } });
    expect(await viewer({ Cookie: cookie, ...client() })).toEqual([401, "revoked_key"]);
  });

  it("runs tools over REST, and has no effect on other paths", async () => {
    const cookie = await signIn();
    const tool = { path: "/api/tools/json-minifier", body: '{"data":"[1, 2]"}' };
    const answer = await send({ ...tool, headers: { Cookie: cookie } });
    // A session has a window of its own.
    expect([answer.status, /x-ratelimit-limit: (\d+)/i.exec(answer.head)?.[1]]).toEqual([200, "1000"]);
    const metrics = await send({ method: "GET", path: "/readyz", headers: { Cookie: cookie } });
    expect(metrics.status).toBe(200);
  });

  it("does not change anything over GET", async () => {
    const cookie = await signIn();
    const query = encodeURIComponent("mutation { signOut { id } }");
    const answer = await send({
      method: "GET",
      path: `/graphql?query=${query}`,
      headers: { Cookie: cookie },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await viewer({ Cookie: cookie })).toBe("SESSION");
  });
});

describe("GET /session", () => {
  const show = async (headers: Call["headers"]): Promise<unknown> => {
    const answer = await send({ method: "GET", headers: { ...client(), ...headers } });
    const { status, head, body } = answer;
    expect([status, cookieOf(answer)]).toEqual([200, undefined]);
    expect(head).toMatch(/cache-control: no-store/i);
    return (JSON.parse(body) as { session: unknown }).session;
  };

  it("answers with the session of the cookie, without its token", async () => {
    const cookie = await signIn();
    const session = await show({ Cookie: cookie });
    expect(session).toMatchObject({ account: "ci", operator: false, state: "live" });
    expect(JSON.stringify(session)).not.toContain("svc_sess_");
  });

  it("answers to a page over plain HTTP, whose browser sends its Referer alone", async () => {
    const cookie = await signIn();
    const bare = { Cookie: cookie, Origin: undefined, "Sec-Fetch-Site": undefined };
    expect(await show({ ...bare, Referer: `${own}/sign-in` })).toMatchObject({ account: "ci" });
    for (const referer of [
      `http://127.0.0.1:${port + 1}/`,
      `http://evil.example/?${own}/`,
      `http://evil.example/#${own}/`,
      `${own}.evil.example/`,
      `${own}@evil.example/`,
      "about:blank",
    ])
      expect(await show({ ...bare, Referer: referer }), referer).toBeNull();
    const other = await send({
      method: "GET",
      headers: { ...bare, "Sec-Fetch-Site": "same-site", Referer: `${own}/` },
    });
    expect(problemOf(other)).toEqual([403, "cross_site"]);
    const answer = await send({ method: "DELETE", headers: { ...bare, Referer: `${own}/` } });
    expect(problemOf(answer)).toEqual([403, "cross_site"]);
  });

  it("answers with null to pages of others, and where there is no session", async () => {
    const cookie = await signIn();
    expect(await show({ Cookie: cookie, Origin: undefined, "Sec-Fetch-Site": undefined })).toBeNull();
    expect(
      await show({ Cookie: cookie, Origin: "https://ci.example.com", "Sec-Fetch-Site": "cross-site" }),
    ).toBeNull();
    expect(await show({})).toBeNull();
    expect(await show({ Cookie: `penknife=svc_sess_${"0".repeat(38)}` })).toBeNull();
    await send({ method: "DELETE", headers: { Cookie: cookie } });
    expect(await show({ Cookie: cookie })).toBeNull();
  });
});

describe("DELETE /session", () => {
  it("is only for pages of this server", async () => {
    const cookie = await signIn();
    for (const headers of [
      { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site" },
      { Origin: "https://ci.example.com", "Sec-Fetch-Site": "cross-site" },
      { Origin: undefined, "Sec-Fetch-Site": undefined },
    ])
      expect(problemOf(await send({ method: "DELETE", headers: { Cookie: cookie, ...headers } }))[0]).toBe(
        403,
      );
    expect(await viewer({ Cookie: cookie })).toBe("SESSION");
  });

  it("clears the cookie also if there is no session", async () => {
    for (const Cookie of [undefined, `penknife=svc_sess_${"0".repeat(38)}`]) {
      const answer = await send({ method: "DELETE", headers: { ...client(), Cookie } });
      expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { session: null }]);
      expect(cookieOf(answer)).toContain("Max-Age=0");
    }
  });
});

describe("a WebSocket with the cookie", () => {
  /** Returns the person or account that the server takes the socket of a page for; the answer to the handshake if it is refused. */
  async function open(headers: Record<string, string>, payload?: object) {
    const raw = await openRawSocket(port, { path: "/graphql", headers });
    if (!raw.head.startsWith("HTTP/1.1 101")) return { raw, kind: raw.head.slice(9, 12) };
    raw.send({ type: "connection_init", ...(payload && { payload }) });
    await raw.message();
    raw.send({ type: "subscribe", id: "1", payload: { query: "{ viewer { kind } }" } });
    const { payload: result } = await raw.message();
    return { raw, kind: (result as { data: { viewer: { kind: string } } }).data.viewer.kind };
  }

  it("of a page of ours is of the session, until it ends", async () => {
    const cookie = await signIn();
    const { raw, kind } = await open({ Cookie: cookie, Origin: own });
    expect(kind).toBe("SESSION");
    await raw.message();
    await send({ method: "DELETE", headers: { Cookie: cookie } });
    expect(await raw.closed()).toMatchObject({ code: 4403 });
  });

  it("of another site or port is refused, and of an allowed origin is anonymous", async () => {
    const Cookie = await signIn();
    expect((await open({ Cookie, Origin: "https://evil.example" })).kind).toBe("403");
    expect((await open({ Cookie, Origin: "http://127.0.0.1:1" })).kind).toBe("403");
    const allowed = await open({ Cookie, Origin: "https://ci.example.com" });
    expect(allowed.kind).toBe("ANONYMOUS");
    allowed.raw.socket.destroy();
    const none = await open({ Cookie });
    expect(none.kind).toBe("ANONYMOUS");
    none.raw.socket.destroy();
  });

  it("and a credential in connection_init is of that credential", async () => {
    const headers = { Cookie: await signIn(), Origin: own };
    const { raw, kind } = await open(headers, { Authorization: `Bearer ${server.key}` });
    expect(kind).toBe("KEY");
    raw.socket.destroy();
  });
});
