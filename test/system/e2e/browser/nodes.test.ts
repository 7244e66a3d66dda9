import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRedis, type RedisServer } from "../../storage/redis-server.ts";
import { type Fleet, startFleet } from "../fleet.ts";
import { type Browser, findBrowser, shareBrowser, type Page, watch } from "./browser.ts";

// The pages of two nodes on one Redis, in a real browser: a cookie is for all ports of a host, and so for both nodes.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of several nodes skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };

describe.runIf(found !== undefined)("pages of two nodes on one Redis", () => {
  let redis: RedisServer;
  let fleet: Fleet;
  let browser: Browser;
  const urlOf = (at: number): string => fleet.servers[at]?.url ?? "";

  beforeAll(async () => {
    redis = await startRedis();
    fleet = await startFleet(redis.url, 2);
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await fleet?.close();
    await redis?.close();
  });

  const used = (page: Page): Promise<unknown> =>
    page.evaluate(`document.querySelector(".now dd")?.textContent.trim()`);
  const names = (page: Page): Promise<unknown> =>
    page.evaluate(
      `[...document.querySelectorAll("main tbody th")].map(({ textContent }) => textContent).sort()`,
    );
  const hindrance = (page: Page): Promise<string> => page.locator(".hindrance").innerText();

  it("show what happens at the other node, say that the store is away, go on by themselves, and end with their session", async () => {
    const key = await fleet.issueKey("acme");
    const { code } = await fleet.operate((operate) =>
      operate<{ code: string }>("login", { account: "acme" }),
    );
    const context = await browser.newContext();
    const { page: usage } = await watch(context);
    await usage.goto(`${urlOf(0)}/sign-in#code=${code}`);
    await usage.getByRole("button", { name: "Sign in", exact: true }).click();
    await usage.locator("main").getByText("You are signed in").first().waitFor();
    await usage.goto(`${urlOf(0)}/settings/usage`);
    await expect.poll(() => used(usage), patience).toBe("0 of 1,000");
    const { page: keys } = await watch(context);
    await keys.goto(`${urlOf(1)}/settings/keys`);
    await expect.poll(() => names(keys), patience).toHaveLength(1);

    await expect.poll(async () => (await fleet.ask(1, key)).status, patience).toBe(200);
    await expect.poll(() => used(usage), patience).toMatch(/^[1-9]\d* of 1,000$/);
    await fleet.operate((operate) => operate("keys.issue", { account: "acme", name: "second" }));
    await expect.poll(() => names(keys), patience).toContainEqual(expect.stringContaining("second"));

    redis.freeze();
    await keys.getByRole("button", { name: "Generate New Key" }).click();
    await keys.locator("dialog").getByRole("button", { name: "Generate" }).click();
    await expect.poll(() => hindrance(keys), patience).toContain("The server does not answer.");
    expect(await names(keys)).toContainEqual(expect.stringContaining("second"));
    redis.thaw();
    await expect.poll(() => hindrance(keys), patience).toBe("");

    await fleet.operate(async (operate) => {
      const { items } = await operate<{ items: { id: string }[] }>("sessions.list");
      for (const { id } of items) await operate("sessions.revoke", { id });
    });
    for (const page of [usage, keys])
      await page.locator(".hindrance").getByText("You are signed out.").waitFor();
    await context.close();
  });
});
