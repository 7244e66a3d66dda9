import { beforeAll, describe, expect, it } from "vitest";
import { signInCode } from "../operate.ts";
import { faults } from "./axe.ts";
import { type BrowserContext, findBrowser, type Page, watch, type Watched } from "./browser.ts";
import { enter, openStage, shareTab } from "./stage.ts";

// The sign-in page in a real browser that can reach only the server.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of signing in skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };

/** Chromium's own line for a refused request. */
const refused = (status: string): string =>
  `Failed to load resource: the server responded with a status of ${status}`;

// The tests of the settings sign in below the other of the two.
describe.runIf(found !== undefined).each(["/a/b", ""])("signing in, below the base path %j", (basePath) => {
  const stage = openStage(found, {
    PENKNIFE_SERVER_BASE_PATH: basePath,
    PENKNIFE_SERVER_ALLOWED_HOSTS: "tools.example",
  });
  const address = (): string => `${stage.url}/sign-in`;

  let context: BrowserContext;
  beforeAll(async () => {
    context = await stage.browser.newContext();
  });
  const shared = shareTab(() => context);
  /** Hands over the tab, in which nobody is signed in. */
  const inTab = (act: (watched: Watched) => Promise<void>): Promise<void> =>
    shared(async (watched) => {
      await context.clearCookies();
      await act(watched);
    });

  const codeOf = (page: Page): Promise<unknown> => page.evaluate(`document.querySelector("input")?.value`);
  const lead = (page: Page): Promise<string> => page.locator("main [data-page]").innerText();

  it("a link fills in the code, erases it from the address, and sends it on a click only", async () => {
    const code = await signInCode(stage.admin, "acme");
    await inTab(async ({ page, asked, lines, complaints }) => {
      await page.goto(`${address()}#code=${code}`);
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      expect(await codeOf(page)).toBe(code);
      expect(await page.evaluate("location.href")).toBe(address());
      expect(await faults(page)).toEqual([]);
      expect(await page.evaluate("document.cookie")).toBe("");
      const sent = (): string[] => asked.filter((one) => one.endsWith("/session"));
      // The header asks who is signed in.
      await expect.poll(() => sent(), patience).toHaveLength(1);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await expect
        .poll(() => lead(page), patience)
        .toContain("You are signed in to the account acme, until ");
      expect(await faults(page)).toEqual([]);
      expect(sent()).toHaveLength(2);
      // No script sees the token, and the code is in no URL and in no log.
      expect(await page.evaluate("document.cookie + JSON.stringify([localStorage, sessionStorage])")).toBe(
        '[{"penknife.account":"acme"},{}]',
      );
      expect(asked.slice(1).filter((one) => one.includes(code))).toEqual([]);
      expect(stage.server.stdout()).not.toContain(code);
      expect(await page.evaluate("document.documentElement.outerHTML")).not.toContain(code);

      await page.reload();
      await expect.poll(() => lead(page), patience).toContain("You are signed in to the account acme");
      await page.getByRole("button", { name: "Sign out" }).click();
      await expect.poll(() => lead(page), patience).toContain("You are signed out.");
      await page.reload();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      expect([lines, complaints]).toEqual([[], []]);
    });
  });

  it("the keyboard alone signs the operator in, with a code typed as people type", async () => {
    const code = (await signInCode(stage.admin)).toLowerCase().replaceAll("-", " ");
    await inTab(async ({ page, lines, complaints }) => {
      await page.goto(address());
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.id")).toBe("code");
      await page.keyboard.insertText(` ${code} `);
      await page.keyboard.press("Enter");
      await expect.poll(() => lead(page), patience).toContain("You are signed in as the operator, until ");
      expect(await page.evaluate("document.activeElement.textContent")).toContain("You are signed in");
      expect([lines, complaints]).toEqual([[], []]);
    });
  });

  it("a refused code is explained, and another one can be tried", async () => {
    // A code is used up by whoever comes first.
    const code = await enter(context, stage, "acme");
    await inTab(async ({ page, lines }) => {
      await page.goto(`${address()}#code=${code}`);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      const alert = page.getByRole("alert");
      await expect.poll(() => alert.innerText(), patience).not.toBe("");
      expect(lines).toEqual([refused("401 (Unauthorized)")]);
      expect(await page.evaluate("document.activeElement.id")).toBe("code");
      // A second link in the same tab.
      const next = await signInCode(stage.admin, "acme");
      await page.goto(`${address()}#code=${next}`);
      await expect.poll(() => codeOf(page), patience).toBe(next);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await expect.poll(() => lead(page), patience).toContain("You are signed in to the account acme");
    });
  });

  it("a page whose script is gone says so, and can be loaded again", async () => {
    await inTab(async ({ page }) => {
      await page.route("**/web/sign-in-*.js", (route) => route.abort());
      await page.goto(address());
      await page.getByRole("status").getByText("A part of this page is missing.").waitFor();
      expect(await page.getByRole("button", { name: "Reload this page" }).count()).toBe(1);
      await page.unroute("**/web/sign-in-*.js");
    });
  });

  it("over plain HTTP the page says that HTTPS is needed, and the code stays valid", async () => {
    const code = await signInCode(stage.admin, "acme");
    await inTab(async ({ page, lines }) => {
      await page.goto(`${address().replace("127.0.0.1", "tools.example")}#code=${code}`);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await expect.poll(() => lead(page), patience).toContain("over HTTPS only");
      expect(lines).toEqual([refused("403 (Forbidden)")]);
      await page.goto(`${address()}#code=${code}`);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await expect.poll(() => lead(page), patience).toContain("You are signed in to the account acme");
    });
  });
});

describe.runIf(found !== undefined)("a network without HTTPS", () => {
  const stage = openStage(found, {
    PENKNIFE_WEB_INSECURE_COOKIES: "true",
    PENKNIFE_SERVER_ALLOWED_HOSTS: "tools.example",
  });

  it("has sessions where the operator allows it", async () => {
    const url = stage.url.replace("127.0.0.1", "tools.example");
    const context = await stage.browser.newContext();
    const { page, lines, complaints } = await watch(context);
    const says = async (text: string): Promise<void> =>
      page.locator("main [data-page]").getByText(text).first().waitFor();
    await page.goto(`${url}/sign-in#code=${await signInCode(stage.admin, "acme")}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await says("You are signed in to the account");
    expect(await context.cookies()).toMatchObject([{ name: "penknife", httpOnly: true, sameSite: "Lax" }]);
    await page.reload();
    await says("You are signed in to the account");
    await page.goto(`${url}/settings/usage`);
    await page.getByRole("tab", { name: "By tool" }).waitFor();
    await expect.poll(() => page.locator(".figures").count(), patience).toBe(1);
    await page.goto(`${url}/sign-in`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await says("You are signed out.");
    expect([lines, complaints]).toEqual([[], []]);
    await context.close();
  });
});
