import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../config/free-port.ts";
import { openRealProvider, type RealProvider, registered } from "../../services/access/oidc/real-provider.ts";
import { emptyFolder, issueKey, serve, type Server } from "../harness.ts";
import { openSocket, signInCode, type Socket } from "../operate.ts";
import { faults } from "./axe.ts";
import {
  type Browser,
  type BrowserContext,
  findBrowser,
  shareBrowser,
  type Page,
  watch,
  type Watched,
} from "./browser.ts";

// Single sign-on in a real browser, with a certified provider on another site.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of single sign-on skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const people = {
  anna: { name: "Anna Example", groups: ["team-a"] },
  ben: { name: "Ben Example", groups: ["team-b"] },
  dora: { name: "Dora Example", groups: ["team-b", "team-a", "choir"] },
  nina: { name: "Nina Example", groups: ["choir"] },
  olga: { name: "Olga Example", groups: ["penknife-operators"] },
};

describe.runIf(found !== undefined)("single sign-on", () => {
  const folder = emptyFolder();
  let server: Server;
  let provider: RealProvider;
  let browser: Browser;
  let admin: Socket;
  let context: BrowserContext;
  let watched: Watched;

  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    provider = await openRealProvider({ publicUrl, people, host: "localhost" });
    server = await serve(folder.path, {
      PENKNIFE_SERVER_PORT: String(port),
      PENKNIFE_WEB_PUBLIC_URL: publicUrl,
      PENKNIFE_WEB_CONTACT: "ops@example.com",
      PENKNIFE_OIDC_ISSUER: provider.issuer,
      PENKNIFE_OIDC_NAME: "Example ID",
      PENKNIFE_OIDC_CLIENT_ID: registered.clientId,
      PENKNIFE_OIDC_CLIENT_SECRET: registered.clientSecret,
      PENKNIFE_OIDC_ACCOUNT_CLAIM: "groups",
      PENKNIFE_OIDC_OPERATOR_RULE: "groups=penknife-operators",
    });
    admin = await openSocket(folder.path);
    for (const team of ["team-a", "team-b"]) await issueKey(folder.path, team, "team");
    browser = await shareBrowser(found ?? "");
    context = await browser.newContext();
    watched = await watch(context);
  });
  afterAll(async () => {
    await browser?.close();
    admin?.close();
    await server?.stop();
    await provider?.stop();
    folder.remove();
  });

  const link = (page: Page, name: string): Promise<void> => page.getByRole("link", { name }).click();
  const heading = (page: Page, name: string): Promise<void> =>
    page.getByRole("heading", { name, exact: true }).waitFor();
  const says = (page: Page, text: string): Promise<void> =>
    page.locator("main").getByText(text).first().waitFor();

  /** The tab, in which nobody is signed in, neither here nor at the provider. */
  async function forget(): Promise<Watched> {
    await context.clearCookies();
    watched.complaints.length = 0;
    return watched;
  }

  /** Takes a person to the provider's page, as the link on the sign-in page does. */
  async function arrive(): Promise<Watched> {
    const { page } = await forget();
    await page.goto(`${server.url}/sign-in/oidc`);
    return watched;
  }

  const members = [
    ["anna", "team-a"],
    ["ben", "team-b"],
  ] as const;
  it.each(members)("%s signs in to the account %s, and no script sees the session", async (name, account) => {
    const { page, complaints } = await forget();
    await page.goto(`${server.url}/sign-in`);
    await link(page, "Sign in with Example ID");
    await link(page, name);
    await heading(page, "API keys");
    await expect.poll(() => page.locator("tbody th").count(), { timeout: 60_000 }).toBe(1);
    expect(await page.evaluate("location.href")).toBe(`${server.url}/settings/keys`);
    const cookies = (await context.cookies()).filter(({ name: of }) => of.includes("penknife"));
    expect(cookies).toMatchObject([{ name: "penknife", httpOnly: true, sameSite: "Lax" }]);
    expect(await page.evaluate("document.cookie")).not.toContain("penknife");
    await page.goto(`${server.url}/sign-in`);
    await says(page, "You are signed in");
    await says(page, account);
    expect(await faults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(JSON.stringify(await admin.call("audit.list"))).toContain(`person:${provider.issuer}#${name}`);
  });

  it("olga comes to the pages of the operator", async () => {
    const { page, complaints } = await arrive();
    await link(page, "olga");
    await heading(page, "Accounts");
    await expect.poll(() => page.locator("tbody th").count(), { timeout: 60_000 }).toBe(2);
    expect(complaints).toEqual([]);
  });

  it("dora chooses between her accounts", async () => {
    const { page, complaints } = await arrive();
    await link(page, "dora");
    await heading(page, "Continue as");
    expect(await page.locator("main li").count()).toBe(2);
    expect(await faults(page)).toEqual([]);
    await link(page, "Account team-b");
    await heading(page, "API keys");
    await page.goto(`${server.url}/sign-in`);
    await says(page, "team-b");
    expect(complaints).toEqual([]);
  });

  it("nina is refused, and reads whom to ask", async () => {
    const { page } = await arrive();
    await link(page, "nina");
    await says(page, "Example ID signed you in as Nina Example, but no rule gives you an account here.");
    await says(page, "Ask ops@example.com");
    expect(await faults(page)).toEqual([]);
    expect((await context.cookies()).filter(({ name }) => name.includes("penknife"))).toEqual([]);
  });

  it("anna signs out here and at the provider, which asks for her name again", async () => {
    const { page } = await arrive();
    await link(page, "anna");
    await heading(page, "API keys");
    // The provider still knows her.
    await page.goto(`${server.url}/sign-in/oidc`);
    await heading(page, "API keys");
    await page.goto(`${server.url}/sign-in`);
    await page.getByRole("button", { name: "Sign out here and at Example ID" }).click();
    await page.locator('button[value="yes"]').click();
    await heading(page, "Sign in");
    expect((await context.cookies()).filter(({ name }) => name === "penknife")).toEqual([]);
    await link(page, "Sign in with Example ID");
    await page.getByRole("link", { name: "anna" }).waitFor();
  });

  it("goes back to one-time codes while the provider is down, and on when it is up again", async () => {
    await provider.stop();
    const { page } = await forget();
    // For a second, the server takes the provider for up. A page would load that often.
    const isSaid = async (text: string): Promise<boolean> => {
      const answer = await fetch(`${server.url}/sign-in/oidc`, { redirect: "manual" });
      return (await answer.text()).includes(text);
    };
    const isDown = "Example ID cannot sign anybody in now.";
    await expect.poll(() => isSaid(isDown), { timeout: 60_000 }).toBe(true);
    await page.goto(`${server.url}/sign-in/oidc`);
    await page.locator("main").getByText(isDown).first().waitFor();
    expect(await faults(page)).toEqual([]);
    await link(page, "Sign in with a one-time code");
    await page.locator("#code").focus();
    await page.keyboard.insertText(await signInCode(admin, "team-a"));
    await page.getByRole("button", { name: "Sign in with the code" }).click();
    await says(page, "You are signed in");
    // A person who signed in with a code has no session at the provider.
    expect(await page.getByRole("button", { name: "Sign out here and at Example ID" }).count()).toBe(0);
    await provider.start();
    await link(page, "Sign in with Example ID");
    await link(page, "ben");
    await heading(page, "API keys");
  });
});
