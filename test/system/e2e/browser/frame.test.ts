import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sections } from "../../../../src/surfaces/web/sections.ts";
import { faults } from "./axe.ts";
import { type BrowserContext, findBrowser, type Locator, type Page, watch, type Watched } from "./browser.ts";
import { setInput } from "./editor.ts";
import { enter, openStage } from "./stage.ts";

// The frame of the pages and the home page, as a person uses them.
const found = findBrowser();
const patience = { timeout: 60_000 };
const token =
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqYW5lIiwiZXhwIjoxNzM1Njg5NjAwfQ.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

describe.runIf(found !== undefined)("the frame", () => {
  const stage = openStage(found);
  let watched: Watched;
  let page: Page;
  let signedIn: BrowserContext;
  beforeAll(async () => {
    signedIn = await stage.browser.newContext({ viewport: { width: 1440, height: 900 } });
    await enter(signedIn, stage, "acme");
    watched = await watch(await stage.browser.newContext());
    ({ page } = watched);
  });
  afterAll(() => page?.close());
  beforeEach(async () => {
    await page.goto(`${stage.url}/`);
    await page.evaluate("localStorage.clear()");
    watched.complaints.length = 0;
  });

  /** Pastes a text while no field has the focus. */
  const pasteAnywhere = (text: string): Promise<unknown> =>
    page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      document.activeElement.blur();
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }`);
  /** Whether a place is wholly in the window, of a page that was not scrolled. */
  async function isInView(place: Locator): Promise<boolean> {
    const box = await place.boundingBox();
    const [height, scrolled] = (await page.evaluate("[innerHeight, scrollY]")) as [number, number];
    return box !== null && scrolled === 0 && box.y >= 0 && box.y + box.height <= height;
  }
  const fitting = (): Locator => page.locator(".next");
  const remembered = (): Promise<unknown> => page.evaluate("JSON.stringify({ ...localStorage })");

  describe.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])("at $width × $height", (size) => {
    beforeAll(() => page.setViewportSize(size));

    it("a token that is pasted without a click shows its result in sight; Enter opens it; going back keeps it", async () => {
      await page.locator(".paste textarea").waitFor();
      await pasteAnywhere(token);
      const answer = fitting().getByText("2025-01-01 00:00 UTC");
      await answer.waitFor();
      expect(await isInView(answer)).toBe(true);
      expect(await isInView(fitting().getByText("Expired"))).toBe(true);
      expect(await isInView(fitting().getByRole("button", { name: "Open JWT decoder" }))).toBe(true);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "JWT decoder", exact: true }).waitFor();
      expect(
        await page.evaluate("JSON.stringify([history.state, location.href, { ...localStorage }])"),
      ).not.toContain("eyJ");
      await page.evaluate("history.back()");
      await answer.waitFor();
      expect(await page.evaluate("location.pathname")).toBe("/");
      expect(await page.evaluate(`document.querySelector(".paste textarea").value`)).toBe(token);
      expect(await page.title()).toBe("penknife: developer tools over HTTP");
      expect(watched.complaints).toEqual([]);
    });

    it("the name of a tool with Enter opens it from the finder, also before the tools are there", async () => {
      await page.keyboard.press("Control+k");
      await page.locator(".palette input").waitFor();
      await page.keyboard.insertText("md5");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Hash generator", exact: true }).waitFor();
      expect(await page.evaluate("location.pathname")).toBe("/tools/hash-generator");
    });

    it("the name of a tool with Enter opens it from the field", async () => {
      await page.locator(".paste textarea").focus();
      await page.keyboard.insertText("md5");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Hash generator", exact: true }).waitFor();
      expect(await page.evaluate("location.pathname")).toBe("/tools/hash-generator");
    });

    it("a star makes a favourite, which the card then offers; recent tools are forgotten when asked", async () => {
      await page.goto(`${stage.url}/tools`);
      await page.getByRole("searchbox", { name: "Filter the tools" }).focus();
      await page.keyboard.insertText("md5sum");
      await expect.poll(() => page.locator(".tiles li:not([hidden]) a").count(), patience).toBeLessThan(5);
      await page.getByRole("button", { name: "Favourite: Hash generator" }).click();
      await page.keyboard.press("Shift+Tab");
      await page.goto(`${stage.url}/tools/url-encoder`);
      await page.getByRole("heading", { name: "URL encoder", exact: true }).waitFor();
      await expect.poll(remembered, patience).toBe(
        JSON.stringify({
          "penknife.favourites": '["hash-generator"]',
          "penknife.recent": '["url-encoder"]',
        }),
      );
      await page.goto(`${stage.url}/`);
      const favourite = fitting().getByRole("link", { name: "Hash generator" });
      await favourite.waitFor();
      expect(await isInView(favourite)).toBe(true);
      await fitting().getByRole("link", { name: "URL encoder" }).waitFor();
      await fitting().getByRole("button", { name: "Forget" }).click();
      await expect.poll(() => fitting().getByRole("link", { name: "URL encoder" }).count(), patience).toBe(0);
      await favourite.focus();
      await page.keyboard.press("1");
      await page.getByRole("heading", { name: "Hash generator", exact: true }).waitFor();
    });
  });

  it("the filter hides the groups without hits, and Enter opens the best", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${stage.url}/tools`);
    await page.getByRole("searchbox", { name: "Filter the tools" }).focus();
    await page.keyboard.insertText("jq");
    await expect.poll(() => page.locator(".group:not([hidden])").count(), patience).toBeLessThan(5);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "JSON query", exact: true }).waitFor();
  });

  it("the menus open and close by keyboard, and letters find their items", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const at = (): Promise<unknown> => page.evaluate("document.activeElement.textContent.trim()");
    await page.getByRole("button", { name: "API", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(at, patience).toContain("Reference");
    await page.keyboard.press("ArrowDown");
    expect(await at()).toContain("GraphiQL");
    await page.keyboard.press("End");
    expect(await at()).toBe("API keys");
    await page.keyboard.press("a");
    expect(await at()).toContain("Agents");
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(at, patience).toBe("API");
    await page.getByRole("button", { name: "Tools", exact: true }).click();
    await page.getByRole("menuitem", { name: "Hashes & signatures" }).click();
    await expect
      .poll(() => page.evaluate("location.pathname + location.hash"), patience)
      .toBe("/tools#crypto");
  });

  it("the finder knows the pages, the settings and the actions", async () => {
    for (const [words, name] of [
      ["webhooks", "Webhooks Settings"],
      ["reference", "Reference every tool over HTTP"],
      ["audit", "Audit trail Operator"],
      ["dark", "Colours: dark"],
      ["list of keys", "List of keys"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.locator(".palette [role=option]").first().waitFor();
      await page.keyboard.insertText(words);
      await page.getByRole("option", { name }).waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator(".palette").count(), patience).toBe(0);
    }
    // Before anything is typed, all of them are listed.
    await page.keyboard.press("Control+k");
    await page.locator(".palette [role=option]").first().waitFor();
    const listed = await page.evaluate(
      `[...document.querySelectorAll(".palette [role=option] b")].map(({ textContent }) => textContent)`,
    );
    expect(listed).toEqual(
      expect.arrayContaining([
        "Home",
        "All tools",
        "Pipelines",
        "Sign in",
        "Reference",
        "GraphiQL",
        ...Object.values(sections).flatMap(({ pages }) => Object.values(pages).map(({ title }) => title)),
        "Colours: as the system",
        "Colours: light",
        "Colours: dark",
        "Copy the link to this page",
      ]),
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+/");
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
  });

  it("the header says who is signed in, from the first paint on, and signs out", async () => {
    const { page: own } = await watch(signedIn);
    await own.goto(`${stage.url}/`);
    await own.getByRole("button", { name: "Account acme" }).waitFor();
    expect(await own.locator(".bar > .sign-in").isVisible()).toBe(false);
    expect(await own.locator("#menu-site .sign-in").isVisible()).toBe(false);
    await own.addInitScript(`addEventListener("DOMContentLoaded", () => {
      window.shown = [document.documentElement.dataset.account, getComputedStyle(document.querySelector(".account")).display];
    });`);
    await own.goto(`${stage.url}/tools`);
    expect(await own.evaluate("window.shown")).toEqual(["acme", "flex"]);
    await own.getByRole("button", { name: "Account" }).click();
    await own.getByRole("menuitem", { name: "Usage" }).waitFor();
    expect(await own.locator("#menu-account [data-for=operator]").first().isVisible()).toBe(false);
    await own.getByRole("menuitem", { name: "Sign out" }).click();
    await own.getByRole("heading", { name: "Sign in" }).waitFor();
    await expect
      .poll(() => own.evaluate("document.documentElement.dataset.account"), patience)
      .toBeUndefined();
  });

  it("the icon is found after a page was opened in the place of another", async () => {
    await setInput(page, '{"a":1}');
    await fitting().getByRole("button", { name: "Open JSON formatter" }).click();
    await page.getByRole("heading", { name: "JSON formatter", exact: true }).waitFor();
    const icon = await page.evaluate(`document.querySelector("link[rel=icon]").href`);
    expect((await fetch(String(icon))).status).toBe(200);
  });
});
