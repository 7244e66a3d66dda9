import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../config/free-port.ts";
import { toParameters, parseCookieValue } from "../../../../src/services/access/oidc/pending.ts";
import {
  type CookieClient,
  createCookieClient,
  type Loaded,
} from "../../../unit/services/access/oidc/cookies.ts";
import {
  clientId,
  clientSecret,
  type FakeProvider,
  openFakeProvider,
} from "../../../unit/services/access/oidc/fake-provider.ts";
import { type Harness, type HarnessOptions, openHarness } from "../harness.ts";
import { read } from "./files.ts";

// Single sign-on over the real shell, with a provider that does what a test says.
let fake: FakeProvider;
let app: Harness;
let secure: Harness;
let url: string;
const publicUrl = "https://tools.example.com/penknife";

beforeAll(async () => {
  fake = await openFakeProvider();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  [app, secure] = await Promise.all([open({ publicUrl: url }, { listener: { port } }), open({ publicUrl })]);
});
afterEach(() => fake.reset());
afterAll(() => Promise.all([app.close(), secure.close(), fake.close()]));

async function open(
  web: Omit<NonNullable<HarnessOptions["web"]>, "read">,
  more: HarnessOptions = {},
): Promise<Harness> {
  const harness = await openHarness({
    trustedProxies: ["127.0.0.1"],
    ...more,
    web: {
      read,
      contact: "ops@example.com",
      oidc: {
        issuer: fake.issuer,
        name: "Example ID",
        clientId,
        clientSecret,
        accountClaim: "groups",
        operatorRule: ["groups=ops", "email=anna@example.com"],
      },
      ...web,
    },
  });
  for (const name of ["team-a", "team-b", "closed"]) await harness.accounts.create({ name, plan: "team" });
  await harness.accounts.disable("closed");
  return harness;
}

// Each browser has an address of its own: refused sign-ins are counted by it.
let count = 0;
const newBrowser = (headers: Record<string, string> = {}): CookieClient =>
  createCookieClient({ "X-Forwarded-For": `198.51.100.${(count += 1)}`, ...headers });

const visit = (browser: CookieClient, path: string): Promise<Loaded> => browser.visit(url + path);

/** Starts a sign-in, and returns the path of the callback to which the provider sends the browser. */
async function start(browser: CookieClient, query = ""): Promise<string> {
  const { status, location } = await visit(browser, `/sign-in/oidc${query}`);
  expect([status, new URL(location ?? "").origin]).toEqual([303, fake.issuer]);
  return `/sign-in/callback?${fake.signIn(location ?? "")}`;
}

const signIn = async (browser = newBrowser(), query = ""): Promise<Loaded> =>
  visit(browser, await start(browser, query));

/** The session that a browser has. */
async function sessionOf(browser: CookieClient, of = url): Promise<unknown> {
  const cookie = [...browser.cookies(of)].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const { session } = (await (await fetch(`${of}/session`, { headers })).json()) as { session: unknown };
  return session;
}

/** The last line of the log with this message. */
const logged = (message: string): unknown => app.logged().findLast((line) => line["message"] === message);

const inGroups = (...groups: string[]): void => {
  fake.claims = (claims) => ({ ...claims, groups });
};

describe("a person", () => {
  it("of a team gets a session of the team's account", async () => {
    const browser = newBrowser();
    const { status, location, cookies } = await signIn(browser);
    expect([status, location]).toEqual([303, `${url}/settings/keys`]);
    expect(cookies).toEqual([
      "penknife-sign-in=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0",
      expect.stringMatching(/^penknife=svc_sess_\w{38}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=28800$/),
    ]);
    expect(await sessionOf(browser)).toMatchObject({
      account: "team-a",
      operator: false,
      state: "live",
      person: { issuer: fake.issuer, subject: "anna", name: "Anna Example" },
    });
  });

  it("of the operators gets the operator's role", async () => {
    inGroups("ops", "unknown");
    const browser = newBrowser();
    expect((await signIn(browser)).location).toBe(`${url}/operator/accounts`);
    expect(await sessionOf(browser)).toMatchObject({ account: null, operator: true });
  });

  it("with several rights chooses, by signing in again", async () => {
    inGroups("team-b", "ops", "team-a", "closed");
    const browser = newBrowser();
    const { status, text, cookies } = await signIn(browser);
    expect([status, cookies.length]).toEqual([200, 1]);
    expect([...text.matchAll(/href="([^"]*\/oidc[^"]*)"/g)].map(([, link]) => link)).toEqual([
      `${url}/sign-in/oidc?account=team-a`,
      `${url}/sign-in/oidc?account=team-b`,
      `${url}/sign-in/oidc?operator`,
    ]);
    expect(await sessionOf(browser)).toBeNull();
    await signIn(browser, "?account=team-b");
    expect(await sessionOf(browser)).toMatchObject({ account: "team-b" });
    await signIn(browser, "?operator");
    expect(await sessionOf(browser)).toMatchObject({ operator: true });
  });

  it.each([
    ["cross-site", null],
    ["same-site", null],
    ["same-origin", "team-b"],
    ["none", "team-b"],
  ])("with several rights chooses, and a page of another site cannot (%s)", async (site, account) => {
    inGroups("team-a", "team-b");
    const browser = newBrowser({
      "Sec-Fetch-Site": site,
      "Sec-Fetch-Mode": "navigate",
      "Sec-Fetch-Dest": "document",
    });
    const { status } = await signIn(browser, "?account=team-b");
    expect(status).toBe(account === null ? 200 : 303);
    const session = (await sessionOf(browser)) as { account: string } | null;
    expect(session?.account ?? null).toBe(account);
  });

  it.each<[string, string[], string]>([
    ["without a group", [], ""],
    ["of a group that is no account", ["team-c"], ""],
    ["of a disabled account", ["closed"], ""],
    ["of groups named like members of every object", ["constructor", "__proto__", "toString"], ""],
    ["who chose the account of others", ["team-a"], "?account=team-b"],
    ["who chose the operator's role", ["team-a"], "?operator"],
    ["who chose a disabled account", ["team-a", "closed"], "?account=closed"],
  ])("%s is refused, and told whom to ask", async (_, groups, query) => {
    inGroups(...groups);
    const browser = newBrowser();
    const before = (await app.accounts.list()).records.length;
    const { status, text, cookies } = await signIn(browser, query);
    expect([status, cookies.length]).toEqual([403, 1]);
    expect(text).toContain("Ask ops@example.com for access");
    expect(text).toContain(`subject is anna at ${fake.issuer}`);
    expect(await sessionOf(browser)).toBeNull();
    expect((await app.accounts.list()).records.length).toBe(before);
    expect(logged("single sign-on refused a person")).toMatchObject({
      level: "warn",
      subject: "anna",
      issuer: fake.issuer,
    });
  });

  it("who has the address of another is another person, and cannot use a rule for the address", async () => {
    const browser = newBrowser();
    fake.claims = (claims) => ({ ...claims, sub: "mallory" });
    // The provider has verified another address.
    fake.userinfo = { sub: "mallory", email: "mallory@example.com", email_verified: true };
    await signIn(browser);
    expect(await sessionOf(browser)).toMatchObject({
      account: "team-a",
      person: { subject: "mallory" },
    });
    const operations = await app.operator.admin();
    const text = JSON.stringify(await operations.call("audit.list", {}));
    expect(text).toContain(`person:${fake.issuer}#mallory`);
    expect(text).not.toContain("anna@example.com");
  });

  it("whose name is markup is shown as text", async () => {
    fake.claims = (claims) => ({
      ...claims,
      name: "<img src=x onerror=alert(1)>",
      groups: ["team-a", "team-b"],
    });
    const { text } = await signIn();
    expect(text).toContain("&#60;img src=x");
    expect(text).not.toContain("<img");
  });
});

describe("GET /sign-in/callback", () => {
  it("does nothing for a browser that has not started it, and opens no session for a foreign code (login CSRF)", async () => {
    const mallory = newBrowser();
    const path = await start(mallory);
    const victim = newBrowser();
    fake.asked.length = 0;
    expect(await visit(victim, path)).toMatchObject({ status: 403, cookies: [] });
    await start(victim);
    fake.asked.length = 0;
    expect(await visit(victim, path)).toMatchObject({ status: 403, cookies: [] });
    expect(fake.asked).toEqual([]);
  });

  it.each([
    ["no state", (query: URLSearchParams) => query.delete("state")],
    ["another state", (query: URLSearchParams) => query.set("state", "x".repeat(43))],
    ["an empty state", (query: URLSearchParams) => query.set("state", "")],
  ])("with %s keeps the sign-in of the browser", async (_, back) => {
    const browser = newBrowser();
    fake.back = back;
    const path = await start(browser);
    fake.asked.length = 0;
    expect(await visit(browser, path)).toMatchObject({ status: 403, cookies: [] });
    expect(fake.asked).toEqual([]);
  });

  it("uses a state once, also if it was refused", async () => {
    const browser = newBrowser();
    const path = await start(browser);
    expect((await visit(browser, path)).status).toBe(303);
    fake.asked.length = 0;
    expect(await visit(browser, path)).toMatchObject({ status: 403, cookies: [] });
    fake.back = (query) => query.set("iss", "https://id.evil.example");
    const other = await start(browser);
    expect(await visit(browser, other)).toMatchObject({
      status: 403,
      cookies: [expect.stringContaining("Max-Age=0")],
    });
    expect(await visit(browser, other)).toMatchObject({ status: 403, cookies: [] });
    // The second start may have read the provider's configuration again.
    expect(fake.asked.filter((asked) => !asked.startsWith("/.well-known/"))).toEqual([]);
  });

  it("refuses a code that another copy of the browser has used", async () => {
    const browser = newBrowser();
    const path = await start(browser);
    const copy = newBrowser();
    for (const [name, value] of browser.cookies(url)) copy.cookies(url).set(name, value);
    expect((await visit(browser, path)).status).toBe(303);
    const replayed = await visit(copy, path);
    expect(replayed.status).toBe(403);
    expect(replayed.cookies.join()).not.toContain("svc_sess_");
  });

  it("spends a state, whatever the provider thinks of a code that comes again", async () => {
    fake.keepsCodes = true;
    const browser = newBrowser();
    const path = await start(browser);
    const copies = Array.from({ length: 3 }, () => newBrowser());
    for (const copy of copies)
      for (const [name, value] of browser.cookies(url)) copy.cookies(url).set(name, value);
    fake.asked.length = 0;
    const answers = await Promise.all([browser, ...copies].map((one) => visit(one, path)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403, 403, 403]);
    expect((await visit(copies[0] as CookieClient, path)).status).toBe(403);
    expect(fake.asked.filter((asked) => asked === "/token")).toHaveLength(1);
  });

  it("ends the session that the browser had before", async () => {
    const browser = newBrowser();
    await signIn(browser);
    const before = newBrowser();
    for (const [name, value] of browser.cookies(url)) before.cookies(url).set(name, value);
    expect(await sessionOf(before)).toMatchObject({ account: "team-a" });
    // Signing in elsewhere ends nothing.
    await signIn(newBrowser());
    expect(await sessionOf(before)).toMatchObject({ account: "team-a" });
    await signIn(browser);
    expect(await sessionOf(browser)).toMatchObject({ account: "team-a" });
    expect(await sessionOf(before)).toBeNull();
  });

  it("refuses two cookies if another server of the host has set one", async () => {
    const mallory = newBrowser();
    const path = await start(mallory);
    const planted = mallory.cookies(url).get("penknife-sign-in") ?? "";
    const victim = newBrowser();
    // A cookie of a longer path is sent first.
    victim.cookies(url).set("a=b; penknife-sign-in", planted);
    await start(victim);
    expect((await visit(victim, path)).status).toBe(403);
  });

  it("finishes the sign-ins of several tabs, in any order", async () => {
    const browser = newBrowser();
    const paths = [await start(browser), await start(browser), await start(browser)];
    for (const path of paths.toReversed()) expect((await visit(browser, path)).status).toBe(303);
    expect([...browser.cookies(url).keys()]).toEqual(["penknife"]);
  });

  it("counts refusals as refused credentials: 30 a minute from one address, then 429 for all", async () => {
    const browser = newBrowser();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++)
      statuses.push((await visit(browser, "/sign-in/callback?state=x&code=y")).status);
    expect(new Set(statuses.slice(0, 30))).toEqual(new Set([403]));
    expect(statuses[30]).toBe(429);
    const path = await start(browser);
    fake.asked.length = 0;
    expect((await visit(browser, path)).status).toBe(429);
    expect(fake.asked).toEqual([]);
    expect((await signIn()).status).toBe(303);
  });

  it("is reached from the provider's page, and other requests of other sites are refused", async () => {
    const from = {
      "Sec-Fetch-Site": "cross-site",
      "Sec-Fetch-Mode": "navigate",
      "Sec-Fetch-Dest": "document",
    };
    expect((await signIn(newBrowser(from))).status).toBe(303);
    for (const headers of [
      { "Sec-Fetch-Dest": "iframe" },
      { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" },
    ]) {
      const browser = newBrowser({ ...from, ...headers });
      for (const path of ["/sign-in/oidc", "/sign-in/callback?state=x"])
        expect(await visit(browser, path)).toMatchObject({ status: 403, cookies: [] });
    }
    expect(await visit(newBrowser(from), "/sign-in/leave")).toMatchObject({
      status: 403,
      location: undefined,
    });
  });

  it("writes neither code nor state into the log", async () => {
    const browser = newBrowser();
    const path = await start(browser);
    await visit(browser, path);
    const query = new URL(path, url).searchParams;
    expect(app.logText()).toContain("/sign-in/callback");
    for (const name of ["code", "state"]) expect(app.logText()).not.toContain(query.get(name));
    expect(app.logText()).not.toContain(clientSecret);
  });

  it("repeats neither on the page nor in the log what the provider says about an error", async () => {
    const said = "<script>alert(1)</script>\u001b[31m call 555";
    fake.back = (query) => {
      query.delete("code");
      query.set("error", "access_denied");
      query.set("error_description", said);
      query.set("error_uri", "https://evil.example/");
    };
    const texts = [(await signIn()).text];
    expect(logged("single sign-on failed")).toMatchObject({
      reason: expect.stringMatching(/: access_denied\.$/),
    });
    fake.back = () => {};
    fake.serve.set("/token", (_, res) => {
      res.writeHead(400, { "content-type": "application/json" });
      res.end(
        JSON.stringify({
          error: "invalid_grant",
          error_description: said,
          error_uri: "https://evil.example/",
        }),
      );
    });
    texts.push((await signIn()).text, app.logText());
    expect(logged("single sign-on failed")).toMatchObject({
      reason: expect.stringMatching(/ invalid_grant\.$/),
    });
    for (const text of texts) expect(text).not.toMatch(/alert|call 555|evil\.example/);
  });

  it("leads to pages of this server only, whatever the request says", async () => {
    const browser = newBrowser({ "X-Forwarded-Host": "evil.example", Referer: "https://evil.example/" });
    const more = "&return_to=https://evil.example&redirect_uri=https://evil.example&next=//evil.example";
    const started = await visit(browser, `/sign-in/oidc?${more}`);
    const asked = new URL(started.location ?? "");
    expect(asked.searchParams.get("redirect_uri")).toBe(`${url}/sign-in/callback`);
    expect(started.location).not.toContain("evil");
    const { location } = await visit(browser, `/sign-in/callback?${fake.signIn(asked.href)}${more}`);
    expect(location).toBe(`${url}/settings/keys`);
  });

  it("returns a person to the page that they came from, also by way of a choice", async () => {
    const page = await visit(newBrowser(), "/sign-in?to=settings/usage");
    expect(page.text).toContain(`href="${url}/sign-in/oidc?to=settings%2Fusage"`);
    expect((await signIn(newBrowser(), "?to=settings%2Fusage")).location).toBe(`${url}/settings/usage`);
    expect((await signIn(newBrowser(), "?to=operator%2Faudit")).location).toBe(`${url}/settings/keys`);
    inGroups("team-a", "ops");
    const browser = newBrowser();
    const { text } = await signIn(browser, "?to=operator%2Faudit");
    expect(text).toContain(`href="${url}/sign-in/oidc?operator&#38;to=operator%2Faudit"`);
    expect((await signIn(browser, "?operator&to=operator%2Faudit")).location).toBe(`${url}/operator/audit`);
  });

  it.each([
    "//evil.example",
    "https://evil.example/settings/keys",
    "settings/../../x",
    "settings/a?b",
    "\\evil",
  ])("leads to no page named %s", async (to) => {
    const query = `?${new URLSearchParams({ to }).toString()}`;
    expect((await visit(newBrowser(), `/sign-in${query}`)).text).not.toContain("data-to");
    expect((await signIn(newBrowser(), query)).location).toBe(`${url}/settings/keys`);
  });

  it("answers programs with problem details", async () => {
    const response = await fetch(`${url}/sign-in/callback?state=x`, {
      headers: { accept: "application/json" },
    });
    expect([response.status, await response.json()]).toMatchObject([403, { code: "forbidden" }]);
  });
});

describe("GET /sign-in/oidc", () => {
  it.each(["?account=", "?account=A", "?account=a&operator", "?account=../x"])(
    "refuses %s",
    async (query) => {
      expect(await visit(newBrowser(), `/sign-in/oidc${query}`)).toMatchObject({
        status: 400,
        location: undefined,
      });
    },
  );

  it("is a secret of the browser: the provider gets hashes alone", async () => {
    const browser = newBrowser();
    const { location } = await visit(browser, "/sign-in/oidc");
    const [pending] = parseCookieValue(browser.cookies(url).get("penknife-sign-in") ?? "", Date.now());
    if (pending === undefined) throw new Error("no cookie");
    const { state, verifier } = toParameters(pending);
    expect(location).toContain(state);
    expect(location).not.toContain(verifier);
    expect(location).not.toContain(pending.secret);
  });

  it("over HTTPS sets cookies that only this host can set", async () => {
    const headers = { accept: "text/html", "X-Forwarded-For": "203.0.113.1", "X-Forwarded-Proto": "https" };
    const get = (path: string, cookie = "") =>
      fetch(secure.url + path, { redirect: "manual", headers: { ...headers, cookie } });
    const started = await get("/sign-in/oidc");
    const [line = ""] = started.headers.getSetCookie();
    expect(line).toMatch(
      /^__Host-penknife-sign-in=[\w.~-]+; Secure; HttpOnly; SameSite=Lax; Path=\/; Max-Age=600$/,
    );
    const query = fake.signIn(started.headers.get("location") ?? "");
    const path = `/sign-in/callback?${query}`;
    const [pair = ""] = line.split(";");
    // A server of another name of the domain could have set it without the prefix.
    expect((await get(path, pair.replace("__Host-", ""))).status).toBe(403);
    const done = await get(path, pair);
    expect([done.status, done.headers.get("location")]).toEqual([303, `${publicUrl}/settings/keys`]);
    expect(done.headers.getSetCookie()[1]).toMatch(
      /^__Host-penknife=svc_sess_\w{38}; Secure; HttpOnly; SameSite=Lax/,
    );
    expect(done.headers.get("cache-control")).toBe("no-store");
    expect(done.headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("a provider that is down", () => {
  it("is reported as provider_unavailable, and one-time codes work", async () => {
    fake.serve.set("/token", (_, res) => res.destroy());
    const browser = newBrowser();
    const { status, text } = await signIn(browser);
    expect(status).toBe(503);
    expect(text).toContain("Example ID cannot sign anybody in now");
    expect(text).toContain('href="../problems/provider_unavailable"');
    expect(text).toContain('href="../sign-in"');
    expect(logged("single sign-on failed")).toMatchObject({
      level: "warn",
      reason: expect.stringContaining("closed the connection"),
    });
    const gone = await openFakeProvider();
    await gone.close();
    const port = await freePort();
    const other = await open(
      {
        publicUrl: `http://127.0.0.1:${port}`,
        oidc: { issuer: gone.issuer, clientId, operatorRule: ["a=b"] },
      },
      { listener: { port } },
    );
    const json = { accept: "application/json" };
    for (const path of ["/sign-in/oidc", "/sign-in/leave"]) {
      const response = await fetch(other.url + path, { headers: json });
      expect([response.status, await response.json()]).toMatchObject([503, { code: "provider_unavailable" }]);
    }
    const operations = await other.operator.admin();
    const { code } = (await operations.call("login", { account: "team-a" })) as { code: string };
    const begun = await fetch(`${other.url}/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: other.url },
      body: JSON.stringify({ code }),
    });
    expect([begun.status, await begun.json()]).toMatchObject([200, { session: { account: "team-a" } }]);
    await other.close();
  });
});

describe("signing out", () => {
  it("leads to the provider, which leads back", async () => {
    const { status, location } = await visit(newBrowser(), "/sign-in/leave");
    expect(status).toBe(303);
    expect(location).toBe(
      `${fake.issuer}/end?theme=dark&client_id=${clientId}&post_logout_redirect_uri=${encodeURIComponent(`${url}/sign-in`)}`,
    );
  });
});

describe("the sign-in page", () => {
  it("is served under the host name of the public URL without another option, and under no other name", async () => {
    const listening = await open(
      { publicUrl: "https://tools.example.com:8443" },
      { http: { allowedHosts: [] } },
    );
    const statusFor = async (host: string): Promise<number> => {
      const sent = request(`${listening.url}/sign-in/oidc`, { headers: { host, accept: "text/html" } }).end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      return response.resume().statusCode ?? 0;
    };
    // Some proxies leave the port out.
    for (const host of ["tools.example.com:8443", "Tools.Example.com", "localhost"])
      expect(await statusFor(host), host).toBe(303);
    for (const host of [
      "evil.example",
      "a.tools.example.com",
      "example.com",
      "tools.example.com.evil.example",
    ])
      expect(await statusFor(host), host).toBe(421);
    await listening.close();
  });

  it("has a link to the provider where one is configured", async () => {
    const { text } = await visit(newBrowser(), "/sign-in");
    expect(text).toContain(
      `<a class="button primary" href="${url}/sign-in/oidc">Sign in with Example ID</a>`,
    );
    const without = await openHarness({ web: { read } });
    const page = await without.get("/sign-in", { headers: { accept: "text/html" } });
    expect(await page.text()).not.toContain("Sign in with");
    expect((await without.get("/sign-in/oidc")).status).toBe(404);
    await without.close();
  });
});
