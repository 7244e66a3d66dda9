import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, issueKey, serve, type Server } from "../harness.ts";
import { repeats } from "../../../support/cases.ts";
import { openSocket, signInCode, type Socket } from "../operate.ts";
import { type Browser, type BrowserContext, findBrowser, shareBrowser, type Page, watch } from "./browser.ts";
import { enter } from "./stage.ts";

// Attacks by other pages on somebody who is signed in, in a real browser: what it sends, with which cookies, is its own.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of attacks on sessions skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };

/** The mutation that an attacker wants to run in the victim's name. */
const wanted = 'mutation { generateKey(input: { name: "stolen" }) { secret } }';

describe.runIf(found !== undefined)("somebody who is signed in", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;
  let admin: Socket;
  let site: HttpServer;
  let sitePort = 0;
  /** Headers that the attacker's site received, and what it sets. */
  const received: Record<string, string | string[] | undefined>[] = [];
  let tossed: string[] = [];

  beforeAll(async () => {
    site = createServer((request, response) => {
      received.push(request.headers);
      response.setHeader("Content-Type", "text/html");
      response.setHeader("Set-Cookie", tossed);
      response.end("<!doctype html><title>elsewhere</title><body></body>");
    }).listen(0, "127.0.0.1");
    await once(site, "listening");
    sitePort = (site.address() as AddressInfo).port;
    server = await serve(folder.path);
    admin = await openSocket(folder.path);
    for (const account of ["victim", "attacker", "control"]) await issueKey(folder.path, account);
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    admin?.close();
    await server?.stop();
    site?.close();
    folder.remove();
  });

  /** A browser with a session of the account, and a page of the server. */
  async function signIn(
    account: string,
    path = "/healthz",
  ): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await enter(context, { url: server.url, admin }, account);
    await page.goto(server.url + path);
    expect(await whoIs(page)).toBe(account);
    return { context, page };
  }

  /** The account of the session that the server sees in requests of a page. */
  const whoIs = (page: Page): Promise<unknown> =>
    page.evaluate(`fetch(new URL("/session", location.href)).then((answer) => answer.json())
      .then(({ session, code }) => session?.account ?? code ?? null)`);

  /** The names of the account's keys. */
  async function keysOf(account: string): Promise<string[]> {
    const { items } = await admin.call<{ items: { name?: string }[] }>("keys.list", { account });
    return items.map(({ name = "" }) => name);
  }

  /** Attempts that any page can make with the cookies of another. Each attempt ends. */
  const attempts = (code: string): string => `(async () => {
    const base = ${JSON.stringify(server.url)};
    const body = ${JSON.stringify(JSON.stringify({ query: wanted }))};
    const ended = [];
    const tryTo = (name, attempt) => attempt().then(
      (value) => ended.push(name + ": " + value), (error) => ended.push(name + ": " + error.name));
    const send = (path, init) => () => fetch(base + path, { credentials: "include", ...init }).then(({ type, status }) => type + " " + status);
    const json = { "Content-Type": "application/json" };
    await tryTo("text, no-cors", send("/graphql", { method: "POST", mode: "no-cors", body }));
    await tryTo("text", send("/graphql", { method: "POST", body }));
    await tryTo("JSON", send("/graphql", { method: "POST", body, headers: json }));
    await tryTo("query", send("/graphql?query=" + encodeURIComponent(${JSON.stringify(wanted)}), { mode: "no-cors" }));
    await tryTo("read", send("/session"));
    await tryTo("sign out", send("/session", { method: "DELETE" }));
    await tryTo("sign in", send("/session", { method: "POST", body: ${JSON.stringify(JSON.stringify({ code }))}, headers: json }));
    await tryTo("sign in, no-cors", send("/session", { method: "POST", mode: "no-cors", body: ${JSON.stringify(JSON.stringify({ code }))} }));
    await tryTo("beacon", async () => navigator.sendBeacon(base + "/graphql", new Blob([body], { type: "text/plain" })) && "queued");
    const load = (make) => new Promise((resolve) => {
      const node = make();
      node.onload = () => resolve("loaded");
      node.onerror = () => resolve("failed");
      document.body.append(node);
    });
    for (const path of ["/session", "/graphql?query=%7Bkeys%7Bid%7D%7D"])
      await tryTo("script " + path, () => load(() => Object.assign(document.createElement("script"), { src: base + path })));
    for (const path of ["/sign-in", "/"])
      await tryTo("frame " + path, () => load(() => Object.assign(document.createElement("iframe"), { src: base + path })));
    await tryTo("form", () => new Promise((resolve) => {
      const frame = Object.assign(document.createElement("iframe"), { name: "target" });
      const form = Object.assign(document.createElement("form"), { method: "POST", action: base + "/graphql", enctype: "text/plain", target: "target" });
      form.append(Object.assign(document.createElement("input"), { name: body.slice(0, -1) + ',"a":"', value: '"}' }));
      document.body.append(frame, form);
      frame.onload = () => resolve("loaded");
      form.submit();
    }));
    for (const [name, query] of [["WebSocket", ${JSON.stringify(wanted)}], ["live", "subscription { usage { used } }"]])
      await tryTo(name, () => new Promise((resolve) => {
        const socket = new WebSocket(base.replace("http", "ws") + "/graphql", "graphql-transport-ws");
        socket.onerror = () => resolve("failed");
        socket.onopen = () => socket.send('{"type":"connection_init"}');
        socket.onmessage = ({ data }) => {
          if (JSON.parse(data).type !== "connection_ack") resolve(data);
          socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query } }));
        };
      }));
    return ended;
  })()`;

  it.each([
    [
      "another port of the same address, to which the browser sends the cookie",
      () => `http://127.0.0.1:${sitePort}/`,
    ],
    ["another site", () => `http://evil.example:${sitePort}/`],
  ])("is safe from a page of %s", async (_, url) => {
    const { context, page } = await signIn("victim");
    const evil = await context.newPage();
    await evil.goto(url());
    const ended = (await evil.evaluate(attempts(await signInCode(admin, "attacker")))) as string[];
    expect(ended).toHaveLength(16);
    // The answers that a page may not read are opaque; it sees no status of success and no data.
    expect(ended.filter((text) => !/: (?:TypeError|opaque 0|failed|loaded|queued)$/.test(text))).toEqual([]);
    expect(
      ended.filter((text) => /^(?:script|WebSocket|live)/.test(text) && !text.endsWith(": failed")),
    ).toEqual([]);
    const framed = await Promise.all(evil.frames().map((frame) => frame.evaluate("document.body.innerText")));
    expect(framed).toHaveLength(4);
    expect(framed.join("\n")).not.toMatch(/penknife|Sign in|stolen/);
    expect(await keysOf("victim")).not.toContain("stolen");
    expect(await keysOf("attacker")).not.toContain("stolen");
    expect(await whoIs(page)).toBe("victim");
    await context.close();
  });

  it("stays on this server after signing in, whatever a link says", async () => {
    const context = await browser.newContext();
    const { page, asked } = await watch(context);
    const evil = `http://evil.example:${sitePort}/`;
    const names = [
      "next",
      "to",
      "return",
      "return_to",
      "redirect",
      "redirect_uri",
      "continue",
      "url",
      "from",
    ];
    const targets = [
      evil,
      `//evil.example:${sitePort}`,
      `/\\evil.example:${sitePort}`,
      "javascript:alert(1)",
    ];
    // After four rounds, each name had each target.
    for (let round = 0; round < repeats(targets.length); round++) {
      const query = new URLSearchParams(
        names.map((name, index) => [name, targets[(index + round) % targets.length] ?? ""]),
      );
      const fragment = new URLSearchParams([["code", await signInCode(admin, "victim")], ...query]);
      await page.goto(`${server.url}/sign-in?${query}#${fragment}`);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await expect.poll(() => whoIs(page), patience).toBe("victim");
      expect(await page.evaluate("location.origin")).toBe(server.url);
      await page.getByRole("button", { name: "Sign out" }).click();
      await expect.poll(() => whoIs(page), patience).toBe(null);
    }
    expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([]);
    // A path that looks like a host leads nowhere either.
    for (const path of [
      "//evil.example",
      "//evil.example/sign-in",
      "/sign-in//evil.example",
      "/%2F/evil.example",
    ]) {
      const answer = await fetch(server.url + path, { redirect: "manual", headers: { accept: "text/html" } });
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 404, null]);
    }
    await context.close();
  });

  it("changes nothing by following a link with a mutation", async () => {
    const { context, page } = await signIn("victim");
    const evil = await context.newPage();
    await evil.goto(`http://127.0.0.1:${sitePort}/`);
    // A navigation, with which the browser sends the cookie.
    await evil.goto(`${server.url}/graphql?query=${encodeURIComponent(wanted)}`);
    expect(await keysOf("victim")).not.toContain("stolen");
    expect(await whoIs(page)).toBe("victim");
    await context.close();
  });

  it("acts for no account while another server of the host tosses cookies", async () => {
    const attacker = await signIn("attacker");
    const [planted] = await attacker.context.cookies();
    if (planted === undefined) throw new Error("there is no cookie");
    expect(planted).toMatchObject({ name: "penknife", httpOnly: true, sameSite: "Lax", path: "/" });
    const { context, page } = await signIn("victim");
    // A cookie of a longer path is sent first.
    for (const path of ["/session", "/graphql"])
      tossed.push(`penknife=${planted.value}; Path=${path}; SameSite=Lax`);
    const evil = await context.newPage();
    await evil.goto(`http://127.0.0.1:${sitePort}/`);
    tossed = [];
    expect(await whoIs(page)).toBe("conflicting_credentials");
    const made =
      await page.evaluate(`fetch("/graphql", { method: "POST", headers: { "Content-Type": "application/json" },
      body: ${JSON.stringify(JSON.stringify({ query: wanted }))} }).then(({ status }) => status)`);
    expect(made).toBe(400);
    for (const account of ["victim", "attacker"]) expect(await keysOf(account)).not.toContain("stolen");
    await context.close();
    await attacker.context.close();
  });

  it("leaves the code in no history, no Referer and no log", async () => {
    const context = await browser.newContext();
    const { page } = await watch(context);
    const code = await signInCode(admin, "victim");
    await page.goto(`${server.url}/sign-in#code=${code}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator("main").getByText("You are signed in").first().waitFor();
    const addresses = (): Promise<unknown> =>
      page.evaluate("navigation.entries().map(({ url }) => url).join(' ') + document.referrer");
    expect(await addresses()).not.toContain(code);
    await page.evaluate(`document.body.append(Object.assign(document.createElement("a"),
      { href: "http://127.0.0.1:${sitePort}/there", textContent: "there", id: "there" }))`);
    const before = received.length;
    await page.locator("#there").click();
    await expect.poll(() => page.title().catch(() => ""), patience).toBe("elsewhere");
    expect(received.length).toBeGreaterThan(before);
    // Its icon has a Referer of its own.
    expect(JSON.stringify(received.slice(before))).not.toContain(server.url);
    // Later, because the page that evaluates it ends.
    await page.evaluate("void setTimeout(() => history.back())");
    await expect.poll(() => page.title().catch(() => ""), patience).toContain("penknife");
    // The page may still be changing to the next one.
    await expect.poll(() => addresses().catch(() => code), patience).not.toContain(code);
    expect(server.stdout() + server.stderr()).not.toContain(code);
    await context.close();
  });

  it("can do the same on a page of the server", async () => {
    const { context, page } = await signIn("control", "/sign-in");
    const ended = (await page.evaluate(attempts(await signInCode(admin, "control")))) as string[];
    for (const text of ["JSON: basic 200", "read: basic 200", "sign out: basic 200", "sign in: basic 200"])
      expect(ended).toContain(text);
    expect(ended.find((text) => text.startsWith("WebSocket: "))).toContain("svc_live_");
    expect((await keysOf("control")).filter((name) => name === "stolen").length).toBeGreaterThan(0);
    await context.close();
  });
});
