import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, emptyFolder, serve, type Server } from "../harness.ts";
import { type Issued, openSocket, signInCode, type Socket } from "../operate.ts";
import { faults } from "./axe.ts";
import { type Browser, type BrowserContext, findBrowser, shareBrowser, type Page, watch } from "./browser.ts";
import { choose } from "./controls.ts";
import { enter, shareTab } from "./stage.ts";

// /settings/usage in a real browser that can reach only the server, which is below a base path.
const found = findBrowser();
if (found === undefined)
  process.stderr.write("browser tests of the usage page skipped: no browser found (package chromium)\n");

const patience = { timeout: 60_000 };
const basePath = "/a/b";
/** A formula, markup and text that looks like the next cell. */
const hostile = '=HYPERLINK("http://evil.example"),<img src=x onerror=alert(1)> gnp';

describe.runIf(found !== undefined)("/settings/usage", () => {
  const folder = emptyFolder();
  const env = { PENKNIFE_SERVER_BASE_PATH: basePath };
  let server: Server;
  let browser: Browser;
  let admin: Socket;
  let context: BrowserContext;
  let key = "";

  const start = async (more: Record<string, string> = {}): Promise<Server> =>
    serve(folder.path, { ...env, ...more });

  beforeAll(async () => {
    server = await start();
    admin = await openSocket(folder.path);
    await admin.call("accounts.create", { name: "acme", plan: "pro" });
    ({ key } = await admin.call<Issued>("keys.issue", { account: "acme", name: hostile }));
    await admin.call("keys.issue", { account: "acme", name: "idle" });
    browser = await shareBrowser(found ?? "");
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  });
  afterAll(async () => {
    await browser?.close();
    admin?.close();
    await server?.stop();
    folder.remove();
  });

  const signIn = (into: BrowserContext, account?: string): Promise<string> =>
    enter(into, { url: server.url + basePath, admin }, account);

  async function useKey(tool: string, data = "[1]"): Promise<number> {
    const { status } = await call(`${server.url}${basePath}/api/tools/${tool}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ data }),
    });
    return status;
  }

  /** Used, the limit and what is left of this hour. */
  const figuresOf = (page: Page): Promise<unknown> =>
    page.evaluate(
      `[...document.querySelectorAll(".now dd")].slice(0, 2).map(({ textContent }) => textContent.trim()).join(", ")`,
    );
  const textOf = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText();
  const rowsOf = async (page: Page, heading: string): Promise<string[]> =>
    (await page.evaluate(`[...document.querySelectorAll("[aria-label='${heading}'] tbody tr")]
      .map((row) => [...row.querySelectorAll("th, td:not(.share)")].map((cell) => cell.textContent).join(" | "))`)) as string[];

  async function download(page: Page, name: string): Promise<string> {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).click(),
    ]);
    return `${file.suggestedFilename()}\n${readFileSync(await file.path(), "utf8")}`;
  }

  it("shows this hour live, and its history as bars, tables and CSV", async () => {
    const watched = await watch(context);
    const { page, asked, lines, complaints } = watched;
    await page.addInitScript(
      `window.moved = 0; new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.moved += entry.value;
      }).observe({ type: "layout-shift", buffered: true });`,
    );
    await signIn(context, "acme");
    // From then on the browser knows whose name the header shows.
    await page.goto(`${server.url}${basePath}/settings/sessions`);
    await page.locator("aside").getByText("acme").first().waitFor();
    const before = asked.length;
    await page.goto(`${server.url}${basePath}/settings/usage`);
    await page.getByRole("tab", { name: "By tool" }).waitFor();
    await expect.poll(() => figuresOf(page), patience).toBe("0 of 1,000, 1,000");
    expect(await useKey("json-minifier")).toBe(200);
    expect(await useKey("json-minifier", "{")).toBe(422);
    expect(await useKey("hash-generator")).toBe(200);
    await expect.poll(() => figuresOf(page), patience).toBe("3 of 1,000, 997");
    expect(await page.evaluate("window.moved")).toBe(0);

    // Another period reads the report again.
    await choose(page, "Period", "90 days");
    await page.getByRole("heading", { name: "Requests by day" }).waitFor();
    // Arrow keys walk along the bars; the numbers of the pointed one are said.
    await page.locator(".chart").focus();
    await page.keyboard.press("End");
    expect(await textOf(page, ".tip")).toMatch(/answered\s+2\s+refused\s+1\s+failed\s+0$/);
    await page.keyboard.press("ArrowLeft");
    expect(await textOf(page, ".tip")).toMatch(/answered\s+0\s+refused\s+0\s+failed\s+0$/);
    expect(await page.evaluate("document.querySelectorAll('.chart text').length")).toBeGreaterThan(5);
    expect(await textOf(page, "main")).toMatch(/As of \d/);
    expect(await faults(page)).toEqual([]);
    await choose(page, "View", "Table");
    await expect
      .poll(() => rowsOf(page, "Requests by day (UTC)").then(({ length }) => length), patience)
      .toBe(90);
    expect((await rowsOf(page, "Requests by day (UTC)")).at(-1)).toMatch(/ \| 3 \| 2 \| 1 \| 0 \| 0$/);
    const [byKey = ""] = await rowsOf(page, "Requests by key");
    expect(byKey).toContain('=HYPERLINK("http://evil.example"),<img src=x onerror=alert(1)> gnp svc_live_');
    expect(await page.evaluate("document.querySelectorAll('img').length")).toBe(0);

    const csv = await download(page, "Download CSV: Requests by key");
    const [file, heading, first = ""] = csv.split(/\r?\n/);
    expect([file, heading]).toEqual([
      "usage-90d-by-key.csv",
      "key,name,start,requests,ok,refused,failed,limited",
    ]);
    expect(first).toMatch(
      /^key_\w{20},"'=HYPERLINK\(""http:\/\/evil\.example""\),<img src=x onerror=alert\(1\)> gnp",svc_live_\w{4},3,2,1,0,0$/,
    );

    await page.getByRole("tab", { name: "By tool" }).click();
    expect(await rowsOf(page, "Requests by tool")).toEqual([
      "json-minifier | 2 | 1 | 1 | 0 | 0",
      "hash-generator | 1 | 1 | 0 | 0 | 0",
    ]);
    await page.locator("#key").selectOption({ index: 2 });
    await expect.poll(() => rowsOf(page, "Requests by tool"), patience).toEqual([]);
    await page.locator("#key").selectOption({ index: 1 });
    await choose(page, "Period", "One day");
    await expect.poll(() => rowsOf(page, "Requests by tool").then(({ length }) => length), patience).toBe(2);
    expect(await download(page, "Download CSV: Requests by hour")).toMatch(
      /^usage-\d{4}-\d\d-\d\d-by-hour\.csv\nhour,requests,ok,refused,failed,limited\r\n(?:\d{4}-\d\d-\d\dT\d\d:00:00\.000Z,\d+,\d+,\d+,0,0\r\n){1,24}$/,
    );
    expect(await faults(page)).toEqual([]);
    expect(
      asked.filter(
        (url) => !url.startsWith(server.url) && !url.startsWith("ws:") && !url.startsWith("blob:"),
      ),
    ).toEqual([]);
    expect(asked.slice(before).filter((url) => url.startsWith("ws:"))).toHaveLength(1);
    expect([lines, complaints]).toEqual([[], []]);
    await page.close();
  });

  const inTab = shareTab(() => context);
  it("fits screens of 320 and 3840 pixels, and shows its bars in forced colours", () =>
    inTab(async ({ page, lines }) => {
      await page.emulateMedia({ forcedColors: "none" });
      await page.setViewportSize({ width: 320, height: 900 });
      await page.goto(`${server.url}${basePath}/settings/usage`);
      await page.getByRole("tab", { name: "By tool" }).waitFor();
      for (const width of [320, 3840]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      }
      // Charts keep their colours, which differ from one another and from what is behind them.
      await page.emulateMedia({ forcedColors: "active" });
      const fills = (await page.evaluate(
        `["ok", "refused", "failed"].map((name) => getComputedStyle(document.querySelector(".chart rect." + name)).fill)`,
      )) as string[];
      expect(new Set(fills).size).toBe(3);
      expect(fills).not.toContain(
        await page.evaluate(`getComputedStyle(document.querySelector(".chart")).backgroundColor`),
      );
      expect(lines).toEqual([]);
    }));

  it("says what a free account and the operator see, and when the requests of a session are used up", async () => {
    await admin.call("accounts.create", { name: "small", plan: "free" });
    const own = await browser.newContext();
    const { page, lines, complaints } = await watch(own);
    await signIn(own);
    await page.goto(`${server.url}${basePath}/settings/usage`);
    await page.locator("main").getByText("belongs to no account").waitFor();
    expect(await faults(page)).toEqual([]);
    await signIn(own, "small");
    await page.goto(`${server.url}${basePath}/settings/usage`);
    await page.locator("main").getByText("ask the operator of this server").first().waitFor();
    await page.getByRole("tab", { name: "By tool" }).waitFor();
    expect(await faults(page)).toEqual([]);
    expect([lines, complaints]).toEqual([[], []]);
    // Each query counts against the quota of the session, 100 an hour. They are sent without the browser, which needs longer.
    const [cookie] = await own.cookies();
    const agent = new Agent({ keepAlive: true });
    const ask = async (): Promise<number> => {
      const { status } = await call(`${server.url}${basePath}/graphql`, {
        method: "POST",
        headers: {
          Cookie: `${cookie?.name}=${cookie?.value}`,
          Origin: server.url,
          "Sec-Fetch-Site": "same-origin",
          "Content-Type": "application/json",
        },
        body: '{"query":"{ __typename }"}',
        agent,
      });
      return status;
    };
    const statuses = new Set<number>();
    for (let n = 0; n < 101 && !statuses.has(429); n++)
      for (const status of await Promise.all(Array.from({ length: 10 }, ask))) statuses.add(status);
    agent.destroy();
    expect([...statuses]).toEqual([200, 429]);
    await page.reload();
    await page.locator(".hindrance").getByText("The requests of this session are used up").waitFor();
    await own.close();
  });

  it("goes on after a restart of the server, and stops when the session ends elsewhere", async () => {
    const { page, asked } = await watch(context);
    await page.goto(`${server.url}${basePath}/settings/usage`);
    await expect.poll(() => figuresOf(page), patience).toBe("3 of 1,000, 997");
    await server.stop();
    await page.locator(".hindrance").getByText("The server does not answer.").waitFor();
    server = await start({ PENKNIFE_SERVER_PORT: String(server.port) });
    await expect.poll(() => textOf(page, ".hindrance"), patience).toBe("");
    await useKey("uuid-generator");
    await expect.poll(() => figuresOf(page), patience).toBe("4 of 1,000, 996");
    admin = await openSocket(folder.path);
    const { items } = await admin.call<{ items: { id: string; state: string }[] }>("sessions.list");
    for (const { id, state } of items) if (state === "live") await admin.call("sessions.revoke", { id });
    await page.locator(".hindrance").getByText("You are signed out.").waitFor();
    const before = asked.length;
    await choose(page, "Period", "7 days");
    await page.getByRole("alert").getByText("The session has ended.").waitFor();
    expect(asked.slice(before)).toEqual([]);
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    // Signing in leads back.
    await page.goto(`${await page.evaluate("location.href")}#code=${await signInCode(admin, "acme")}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect.poll(() => figuresOf(page), patience).toBe("4 of 1,000, 996");
    expect(await page.evaluate("location.href")).toBe(`${server.url}${basePath}/settings/usage`);
    await page.close();
  });
});
