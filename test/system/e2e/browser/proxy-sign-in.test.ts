import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../config/free-port.ts";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { openSocket, signInCode, type Socket } from "../operate.ts";
import { faults } from "./axe.ts";
import { type Browser, type BrowserContext, findBrowser, shareBrowser, type Page, watch } from "./browser.ts";

// People who are signed in by the proxies of docs/sign-in.md, in a real browser. nginx runs with the lines of that document.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of signing in through a proxy skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };
const secret = "0123456789abcdef0123456789abcdef";
const document = readFileSync(new URL("../../../../docs/sign-in.md", import.meta.url), "utf8");
const [whole = "", ofAuthelia = ""] = [...document.matchAll(/^```nginx\n([^]*?)^```$/gm)].map(
  ([, text]) => text,
);

/** The lines for oauth2-proxy, and the same with the locations for Authelia. */
const recipes = {
  "oauth2-proxy": whole,
  Authelia: whole.replace(/^ {4}location = \/sign-in [^]*$/m, `${ofAuthelia}}\n`),
};

/** Stands for oauth2-proxy and Authelia: whoever starts a sign-in is the person that the test names. */
interface Portal {
  port: number;
  person: { user: string; groups: string };
  close(): Promise<void>;
}

async function openPortal(): Promise<Portal> {
  const person = { user: "", groups: "" };
  const server: HttpServer = createServer((req, res) => {
    const url = new URL(req.url ?? "/", "http://portal.invalid");
    const [, user, groups] = /person=([^;|]*)\|([^;]*)/.exec(req.headers.cookie ?? "") ?? [];
    const known = {
      "x-auth-request-user": user,
      "x-auth-request-groups": groups,
      "remote-user": user,
      "remote-groups": groups,
    };
    if (url.pathname === "/oauth2/auth" || url.pathname === "/api/authz/auth-request") {
      const portal = `${String(req.headers["x-original-url"] ?? "").replace(/\/sign-in$/, "")}/oauth2/start?rd=/sign-in`;
      res.writeHead(
        user === undefined ? 401 : 202,
        user === undefined ? { location: portal } : (known as Record<string, string>),
      );
    } else {
      const cookie = `person=${person.user}|${person.groups}; Path=/`;
      res.writeHead(302, { location: url.searchParams.get("rd") ?? "/", "set-cookie": cookie });
    }
    res.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    person,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Starts nginx with the lines of a recipe. Only ports, TLS and the path of the secret are changed. */
async function openNginx(home: string, recipe: string, ports: { server: number; portal: number }) {
  mkdirSync(home);
  const port = await freePort();
  const secretFile = join(home, "secret.conf");
  writeFileSync(secretFile, `proxy_set_header X-Penknife-Proxy-Secret "${secret}";\n`);
  const site = [
    [/listen 443 ssl;/g, `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate.*\n/gm, ""],
    [/127\.0\.0\.1:8787/g, `127.0.0.1:${ports.server}`],
    [/127\.0\.0\.1:(?:4180|9091)/g, `127.0.0.1:${ports.portal}`],
    [/\/etc\/nginx\/penknife-secret\.conf/g, secretFile],
  ].reduce((text, [pattern, by]) => {
    if (text.search(pattern as RegExp) === -1) throw new Error(`docs/sign-in.md has no ${pattern}`);
    return text.replace(pattern as RegExp, by as string);
  }, recipe);
  // The test's portal is the one of Authelia too, which has a host name of its own.
  const start = site.includes("location /oauth2/")
    ? site
    : site.replace(/\}\n$/, `location /oauth2/ { proxy_pass http://127.0.0.1:${ports.portal}; }\n}\n`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join("\n");
  const file = join(home, "nginx.conf");
  writeFileSync(
    file,
    `pid ${home}/nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${start}}\n`,
  );
  const user = process.getuid?.() === 0 ? " user root;" : "";
  const child = spawn("nginx", ["-c", file, "-p", home, "-g", `daemon off;${user}`], {
    env: { PATH: `${process.env["PATH"]}:/usr/sbin` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await once(child, "spawn");
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close");
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    if (await fetch(`${url}/healthz`).catch(() => undefined)) break;
    if (child.exitCode !== null || attempt > 2400) throw new Error(`nginx did not start: ${stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

describe.runIf(found !== undefined)("people whom a proxy signs in", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;
  let admin: Socket;
  let portal: Portal;
  const proxies = new Map<string, Awaited<ReturnType<typeof openNginx>>>();

  beforeAll(async () => {
    server = await serve(folder.path, {
      PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1",
      PENKNIFE_PROXY_AUTH_HEADER: "X-Forwarded-User",
      PENKNIFE_PROXY_AUTH_GROUPS_HEADER: "X-Forwarded-Groups",
      PENKNIFE_PROXY_AUTH_SECRET: secret,
      PENKNIFE_PROXY_AUTH_ACCOUNT_CLAIM: "groups",
      PENKNIFE_PROXY_AUTH_OPERATOR_RULE: "groups=penknife-operators",
      PENKNIFE_WEB_CONTACT: "ops@example.com",
    });
    admin = await openSocket(folder.path);
    await admin.call("accounts.create", { name: "team-a", plan: "team" });
    portal = await openPortal();
    const ports = { server: Number(new URL(server.url).port), portal: portal.port };
    for (const [name, recipe] of Object.entries(recipes))
      proxies.set(name, await openNginx(join(folder.path, `nginx-${name}`), recipe, ports));
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    admin?.close();
    for (const proxy of proxies.values()) await proxy.stop();
    await portal?.close();
    await server?.stop();
    folder.remove();
  });

  const main = (page: Page): Promise<string> => page.locator("main").innerText();
  const urlOf = (name = "oauth2-proxy"): string => proxies.get(name)?.url ?? "";

  /** Opens the sign-in page as a person who signs in at the portal on the way. */
  async function arrive(context: BrowserContext, user: string, groups: string, name?: string) {
    Object.assign(portal.person, { user, groups });
    const watched = await watch(context);
    await watched.page.goto(`${urlOf(name)}/sign-in`);
    return watched;
  }

  async function signIn(context: BrowserContext, user: string, groups: string, button: string) {
    const watched = await arrive(context, user, groups);
    await watched.page.getByRole("button", { name: button, exact: true }).click();
    await watched.page.locator("[data-page]").first().waitFor();
    return watched;
  }

  const rowsOf = async (page: Page): Promise<string[][]> =>
    (await page.evaluate(`[...document.querySelectorAll("tbody tr")]
      .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent))`)) as string[][];

  it.each(Object.keys(recipes))("%s: a person with two rights chooses, without a script", async (name) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await arrive(context, "alice", "team-a,penknife-operators", name);
    expect(await main(page)).toContain("signed you in as alice");
    expect(await page.getByRole("button", { name: "Continue as the operator", exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Continue to the account team-a", exact: true }).click();
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
    expect(await context.cookies()).toContainEqual(
      expect.objectContaining({ name: "penknife", httpOnly: true, sameSite: "Lax" }),
    );
    await context.close();
  });

  it("a stranger learns whom to ask, and can enter a code", async () => {
    const context = await browser.newContext();
    const { page, complaints } = await arrive(context, "mallory", "visitors");
    const text = await main(page);
    expect(text).toContain("Ask ops@example.com for access, and say that you are person:proxy#mallory.");
    expect(await faults(page)).toEqual([]);
    await page.locator("#code").waitFor();
    const code = await signInCode(admin, "team-a");
    await page.locator("#code").focus();
    await page.keyboard.insertText(code);
    await page.keyboard.press("Enter");
    await page.locator("main").getByText("You are signed in to the account").waitFor();
    // Chromium reports the status of the page itself.
    expect(complaints.filter((line) => !line.includes("403"))).toEqual([]);
    await context.close();
  });

  it("a person sees and ends the own sessions, and not those of others; the operator ends those of a person", async () => {
    const [first, second, other, operators] = await Promise.all([1, 2, 3, 4].map(() => browser.newContext()));
    if (!first || !second || !other || !operators) throw new Error("no contexts");
    const account = "Continue to the account team-a";
    const { page: laptop } = await signIn(first, "alice", "team-a", account);
    const { page, lines, complaints } = await signIn(second, "alice", "team-a", account);
    const { page: bobs } = await signIn(other, "bob", "team-a", account);
    await bobs.locator("main").getByText("This account has no keys yet.").waitFor();
    await page.goto(`${urlOf()}/settings/sessions`);
    await page.locator("tbody tr").first().waitFor();
    const people = (await rowsOf(page)).map(([, , who]) => who);
    expect(people.filter((who) => who?.includes("alice")).length).toBeGreaterThanOrEqual(2);
    expect(people.join()).not.toContain("bob");
    expect(await faults(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await page.getByRole("button", { name: "End all my sessions" }).click();
    await page.getByRole("button", { name: "End the sessions" }).click();
    for (const one of [page, laptop])
      await one.locator(".hindrance").getByText("You are signed out.").waitFor();
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
    expect(lines.filter((text) => !text.includes("401"))).toEqual([]);

    const { page: theirs } = await signIn(
      operators,
      "olga",
      "penknife-operators",
      "Continue as the operator",
    );
    await theirs.goto(`${urlOf()}/settings/sessions`);
    await theirs.locator("tbody tr").first().waitFor();
    expect((await rowsOf(theirs)).join()).toContain("bob");
    await theirs.locator("#search").focus();
    await theirs.keyboard.insertText("bob");
    await theirs.getByRole("button", { name: "End all sessions of bob" }).click();
    await theirs.getByRole("button", { name: "End the sessions" }).click();
    await bobs.locator(".hindrance").getByText("You are signed out.").waitFor();
    await expect
      .poll(async () => (await rowsOf(theirs)).map(([, state]) => state), patience)
      .not.toContain("Live");

    await theirs.goto(`${urlOf()}/operator/audit`);
    await theirs.locator("tbody tr").first().waitFor();
    const trail = (await theirs.evaluate(`[...document.querySelectorAll("tbody tr")]
      .map(({ cells: [, , who, act] }) => [who.textContent, act.querySelector("strong").textContent])`)) as string[][];
    expect(trail).toContainEqual(["person:proxy#olga", "ended all sessions of a person"]);
    expect(trail).toContainEqual(["person:proxy#alice", "ended all sessions of a person"]);
    expect(trail).toContainEqual(["person:proxy#bob", "signed in"]);
    for (const context of [first, second, other, operators]) await context.close();
  });

  it("the headers of a browser go no further than the proxy", async () => {
    const forged = {
      "X-Forwarded-User": "olga",
      "X-Forwarded-Groups": "penknife-operators",
      "X-Penknife-Proxy-Secret": secret,
    };
    for (const { url } of proxies.values()) {
      const start = await fetch(`${url}/sign-in`, { headers: forged, redirect: "manual" });
      expect(start.status).toBe(302);
      const own = await fetch(`${url}/sign-in`, { headers: { ...forged, Cookie: "person=alice|team-a" } });
      const text = await own.text();
      expect(text).toContain("signed you in as <bdi>alice</bdi>");
      expect(text).not.toContain("the operator</button>");
      // Another spelling of the path passes without the portal.
      expect(await (await fetch(`${url}/sign-in/`, { headers: forged })).text()).not.toContain(
        "signed you in",
      );
    }
  });
});
