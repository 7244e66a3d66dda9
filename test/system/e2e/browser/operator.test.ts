import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { openSocket, signInCode } from "../operate.ts";
import { faults } from "./axe.ts";
import { type Browser, findBrowser, shareBrowser, type Page, watch } from "./browser.ts";
import { pick, store } from "./controls.ts";

// The pages of the operator in a real browser, below a base path.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of the operator's pages skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };
const basePath = "/a/b";
const secrets = { PENKNIFE_METRICS_TOKEN: `metrics-${randomBytes(16).toString("hex")}` };
const hostile = "<img src=x onerror=alert(1)> gnp.exe";

describe.runIf(found !== undefined)("the operator", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    server = await serve(folder.path, { PENKNIFE_SERVER_BASE_PATH: basePath, ...secrets });
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  const rowsOf = async (page: Page, table: string): Promise<string[][]> =>
    (await page.evaluate(`[...document.querySelectorAll("[aria-label='${table}'] tbody tr")]
      .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent))`)) as string[][];
  async function fill(page: Page, label: string, text: string): Promise<void> {
    await page.evaluate(`[...document.querySelectorAll("dialog label, form label")]
      .find(({ textContent }) => textContent === ${JSON.stringify(label)}).control.focus()`);
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  }
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();
  const open = (page: Page, path: string): Promise<unknown> => page.goto(`${server.url}${basePath}/${path}`);
  async function fits(page: Page): Promise<void> {
    expect(await faults(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  it("creates accounts, gives their owners links, and sees in the trail who did what", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page, lines, complaints } = await watch(context);
    const admin = await openSocket(folder.path);
    await open(page, `sign-in#code=${await signInCode(admin)}`);
    admin.close();
    await press(page, "Sign in");
    await page.getByRole("link", { name: "Pages of the operator" }).click();
    await page.locator("main").getByText("0 accounts").waitFor();
    await fits(page);

    await press(page, "Create an account");
    await fill(page, "Name", "Not A Name");
    await press(page, "Create");
    await page.locator("dialog [role=alert]").getByText("lower-case").waitFor();
    await fill(page, "Name", "acme");
    await page.locator("dialog select").selectOption("TEAM");
    await fill(page, "Requests an hour (optional)", "20000");
    expect(await faults(page)).toEqual([]);
    await press(page, "Create");
    await expect
      .poll(async () => (await rowsOf(page, "List of accounts"))[0]?.slice(0, 5), patience)
      .toEqual(["acme", "team", "0", "", (20_000).toLocaleString()]);
    await pick(page, "acme", "Plan and limit of acme");
    await fill(page, "Requests an hour (optional)", "30000");
    await press(page, "Change");
    await expect
      .poll(async () => (await rowsOf(page, "List of accounts"))[0]?.[4], patience)
      .toBe((30_000).toLocaleString());

    // The owner opens the link in another browser.
    await press(page, "Sign-in link for acme");
    await press(page, "Create the link");
    await page.locator("dialog .secret").waitFor();
    const link = await page.locator("dialog pre").first().innerText();
    expect(link).toContain(`${server.url}${basePath}/sign-in#code=`);
    await store(page);
    const theirs = await browser.newContext();
    const { page: owner } = await watch(theirs);
    await owner.goto(link);
    await press(owner, "Sign in");
    await owner.getByRole("link", { name: "Settings of this account" }).click();
    await press(owner, "Generate New Key");
    await fill(owner, "Name", hostile);
    await press(owner, "Generate");
    await store(owner);
    await owner.locator("tbody tr").waitFor();
    await open(owner, "operator/accounts");
    await owner.locator("main").getByText("This page is for the operator of this server.").waitFor();
    expect(await owner.locator("main button").count()).toBe(0);
    await open(owner, "settings/events");
    await owner.locator("main").getByText("Waiting for events.").waitFor();

    await press(page, "Keys of acme");
    await expect
      .poll(async () => (await rowsOf(page, "List of keys"))[0]?.slice(0, 2), patience)
      .toEqual([expect.stringContaining("<img src=x onerror=alert(1)> gnp.exe svc_live_"), "live"]);
    await fits(page);
    await page.getByRole("button", { name: "Revoke <img" }).click();
    await press(page, "Revoke");
    await expect.poll(async () => (await rowsOf(page, "List of keys"))[0]?.[1], patience).toBe("revoked");
    await press(page, "Close");
    const planOf = async (): Promise<string | undefined> => (await rowsOf(page, "List of accounts"))[0]?.[1];
    await pick(page, "acme", "Disable acme");
    await press(page, "Disable");
    await expect.poll(planOf, patience).toBe("teamdisabled");
    await owner.locator(".hindrance .notice").waitFor();
    await pick(page, "acme", "Enable acme");
    await expect.poll(planOf, patience).toBe("team");
    await pick(page, "acme", "Reset the quota of acme");
    await page.locator("main [role=status]").getByText("The quota of acme begins anew.").waitFor();

    await open(page, "operator/audit");
    await expect.poll(async () => (await rowsOf(page, "List of acts")).length, patience).toBeGreaterThan(8);
    const acts = await page.evaluate(`[...document.querySelectorAll("[aria-label='List of acts'] tbody tr")]
      .map(({ cells: [, , who, act, , from, result] }) =>
        [who.textContent, from.textContent, act.querySelector("strong").title, result.textContent])`);
    const session = expect.stringMatching(/^session:ses_[0-9a-f]{20}$/) as unknown;
    for (const act of [
      "accounts.create",
      "accounts.set",
      "accounts.disable",
      "keys.issue",
      "keys.revoke",
      "login",
    ])
      expect(acts).toContainEqual([session, "127.0.0.1", act, "done"]);
    const trail = await page.locator("main").innerText();
    expect(trail).toContain(hostile);
    // People read words and changes, not names and JSON.
    expect(trail).toContain("created the account");
    expect(trail).toContain(`limit: ${(20_000).toLocaleString()} → ${(30_000).toLocaleString()}`);
    expect(trail).not.toContain("{");
    await press(page, "Verify the trail");
    await page.locator("main").getByText("The trail is whole:").waitFor();
    await fits(page);
    await page.locator("#search").click();
    await page.keyboard.insertText("accounts.disable");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await rowsOf(page, "List of acts")).length, patience).toBe(1);

    await open(page, "operator/doctor");
    await expect.poll(async () => (await rowsOf(page, "Findings")).length, patience).toBeGreaterThan(8);
    await page.locator("main").getByText("0 errors").waitFor();
    expect((await rowsOf(page, "List of nodes")).map(([, release]) => release)).toEqual([
      expect.stringMatching(/^\d+\.\d+\.\d+/),
    ]);
    await press(page, "Examine again");
    await fits(page);

    await open(page, "operator/configuration");
    await expect.poll(async () => (await rowsOf(page, "Options")).length, patience).toBeGreaterThan(50);
    const text = await page.locator("main").innerText();
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
    await page.locator("input[type=checkbox]").click();
    await page.locator("#search").click();
    await page.keyboard.insertText("metrics");
    await expect
      .poll(() => rowsOf(page, "Options"), patience)
      .toEqual([["metrics.token", "********", expect.stringContaining("PENKNIFE_METRICS_TOKEN")]]);
    await fits(page);

    await open(page, "operator/accounts");
    await pick(page, "acme", "Delete acme");
    await fill(page, "Type the name to confirm", "acme");
    await press(page, "Delete");
    await page.locator("main").getByText("0 accounts").waitFor();
    expect([lines, complaints]).toEqual([[], []]);
    await theirs.close();
    await context.close();
  });

  it("sorts the accounts of a page by a column, down and up", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page, complaints } = await watch(context);
    const admin = await openSocket(folder.path);
    for (const [name, plan] of [
      ["sorted-a", "pro"],
      ["sorted-b", "team"],
      ["sorted-c", "pro"],
    ] as const)
      await admin.call("accounts.create", { name, plan });
    await open(page, `sign-in#code=${await signInCode(admin)}`);
    admin.close();
    await press(page, "Sign in");
    await page.locator("main").getByText("You are signed in").first().waitFor();
    await open(page, "operator/accounts");
    const listed = async (): Promise<string[]> =>
      (await rowsOf(page, "List of accounts"))
        .map(([name = ""]) => name)
        .filter((name) => name.startsWith("sorted"));
    await expect.poll(listed, patience).toEqual(["sorted-a", "sorted-b", "sorted-c"]);
    await press(page, "Limit");
    await expect.poll(listed, patience).toEqual(["sorted-b", "sorted-a", "sorted-c"]);
    expect(
      await page.evaluate(`document.querySelector("[aria-sort]:not([aria-sort=none])").textContent`),
    ).toBe("Limit ↓");
    await press(page, "Limit");
    await expect.poll(listed, patience).toEqual(["sorted-a", "sorted-c", "sorted-b"]);
    expect(await faults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
