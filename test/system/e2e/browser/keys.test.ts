import { describe, expect, it } from "vitest";
import { call } from "../harness.ts";
import { signInCode } from "../operate.ts";
import { faults, faultsAgain } from "./axe.ts";
import { findBrowser, type Page, watch } from "./browser.ts";
import * as choices from "./controls.ts";
import { enter, openStage } from "./stage.ts";

// /settings/keys in a real browser that can reach only the server, which is below a base path.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of the page of keys skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };
const basePath = "/a/b";
/** Markup, which has to stay text. */
const hostile = "<img src=x onerror=alert(1)> gnp.exe";

describe.runIf(found !== undefined)("/settings/keys", () => {
  const stage = openStage(found, { PENKNIFE_SERVER_BASE_PATH: basePath });

  async function callWith(key: string): Promise<number> {
    const { status } = await call(`${stage.url}/api/tools/json-minifier`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: '{"data":"[1]"}',
    });
    return status;
  }

  const rowsOf = async (page: Page): Promise<string[][]> =>
    (await page.evaluate(`[...document.querySelectorAll("tbody tr")]
      .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent))`)) as string[][];
  const textOf = (page: Page, selector: string): Promise<string> =>
    page.locator(selector).first().innerText();

  /** Moves the focus with the Tab key to the control of this name; the test fails if none is reached. */
  async function moveTo(page: Page, name: string): Promise<void> {
    const focused = `(() => { const { ariaLabel, textContent, labels } = document.activeElement;
      return ariaLabel ?? labels?.[0]?.textContent ?? textContent.trim(); })()`;
    const seen: unknown[] = [];
    for (let steps = 0; steps < 60; steps++) {
      await page.keyboard.press("Tab");
      const reached = await page.evaluate(focused);
      if (reached === name) return;
      seen.push(reached);
    }
    throw new Error(`"${name}" is not reached by Tab: ${JSON.stringify(seen)}`);
  }
  async function choose(page: Page, name: string): Promise<void> {
    await moveTo(page, name);
    await page.keyboard.press("Enter");
  }

  const open = async (page: Page): Promise<void> => {
    await page.goto(`${stage.url}/settings/keys`);
    await page.locator("main p[role=status]").waitFor();
  };

  it("is the way from a link to a key in use, by the keyboard alone", async () => {
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page, lines, complaints } = await watch(context);
    await page.addInitScript(
      `globalThis.moved = 0; new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.moved += entry.value;
      }).observe({ type: "layout-shift", buffered: true });`,
    );
    await page.goto(`${stage.url}/sign-in#code=${await signInCode(stage.admin, "acme")}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await moveTo(page, "One-time code");
    await choose(page, "Skip to the content");
    await choose(page, "Sign in");
    await page.locator("main").getByText("You are signed in").first().waitFor();
    await choose(page, "Settings of this account");
    await page.locator("main").getByText("This account has no keys yet.").waitFor();
    expect(await faults(page)).toEqual([]);
    expect(await page.evaluate("moved")).toBe(0);

    // Generate, and store.
    await choose(page, "Generate New Key");
    await moveTo(page, "Name");
    await page.keyboard.insertText("ci");
    expect(await faults(page)).toEqual([]);
    await choose(page, "Generate");
    await page.locator("dialog .secret").waitFor();
    expect(await faults(page)).toEqual([]);
    const first = await textOf(page, "dialog pre");
    expect(first).toMatch(/^svc_live_\w+$/);
    const shown = await textOf(page, "dialog");
    expect(shown).toContain(`export PENKNIFE_KEY=${first}`);
    expect(shown).toContain("ci: your new key");
    for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
    await page.evaluate(`document.querySelector("dialog").click()`);
    expect(await textOf(page, "dialog pre")).toBe(first);
    // Each tab has the key where it is used.
    await moveTo(page, "Shell");
    await page.keyboard.press("ArrowRight");
    expect(await textOf(page, "dialog [role=tabpanel] pre")).toBe(`PENKNIFE_KEY=${first}`);
    await page.keyboard.press("End");
    expect(await textOf(page, "dialog [role=tabpanel] pre")).toContain(`Authorization: Bearer ${first}`);
    // It closes only after the person has said that the key is stored.
    await choose(page, "Close");
    expect(await textOf(page, "dialog pre")).toBe(first);
    await choose(page, "Copy “Key”");
    await page
      .locator("dialog")
      .getByText(/Copied|Selected/)
      .first()
      .waitFor();
    await moveTo(page, "I have stored it");
    await page.keyboard.press("Space");
    await choose(page, "Close");
    await expect.poll(() => page.locator("dialog").count(), patience).toBe(0);
    await expect.poll(async () => (await rowsOf(page)).length, patience).toBe(1);
    const [name = "", state, , ends = "", used] = (await rowsOf(page))[0] ?? [];
    expect([name, state, used]).toEqual([`ci ${first.slice(0, 13)}…`, "Live", "not known"]);
    // A date, which people can plan with.
    expect(ends).toMatch(/\b\d{4}\b/);
    expect(await page.title()).toBe("API keys – acme – penknife");
    expect(await textOf(page, "aside h2")).toBe("acme");
    expect(await page.evaluate("document.documentElement.outerHTML")).not.toContain(first.slice(13));

    // The first call is counted live.
    await page.keyboard.press("Shift+Tab");
    await choose(page, "Usage");
    await page.getByRole("tab", { name: "By tool" }).waitFor();
    await expect.poll(() => textOf(page, ".figures"), patience).toMatch(/^This hour\s+0/);
    expect(await callWith(first)).toBe(200);
    await expect.poll(() => textOf(page, ".figures"), patience).toMatch(/^This hour\s+1/);

    // Rotate with a day of grace, and revoke the old one.
    await choose(page, "API keys");
    await page.locator("tbody tr").waitFor();
    await choose(page, `Rotate ci, ${first.slice(0, 13)}`);
    expect(await faults(page)).toEqual([]);
    await choose(page, "Rotate");
    await page.locator("dialog .secret").waitFor();
    const second = await textOf(page, "dialog pre");
    expect(second).toMatch(/^svc_live_\w+$/);
    await choices.store(page);
    await expect.poll(async () => (await rowsOf(page)).length, patience).toBe(2);
    expect((await rowsOf(page)).map((cells) => cells.slice(0, 2))).toEqual([
      [`ci ${second.slice(0, 13)}…`, "Live"],
      [`ci ${first.slice(0, 13)}…`, "Live replaced"],
    ]);
    // The replaced key is meant to end, so it needs no attention.
    expect(await page.locator(".banner").count()).toBe(0);
    const stops = (await page.evaluate(
      `document.querySelectorAll("tbody tr:nth-child(2) time")[1].dateTime`,
    )) as string;
    expect((Date.parse(stops) - Date.now()) / 3_600_000).toBeCloseTo(24, 0);
    expect([await callWith(first), await callWith(second)]).toEqual([200, 200]);

    // Both have the same name: the dialog says which one it is.
    await choose(page, `Revoke ci, ${first.slice(0, 13)}`);
    await page.locator("dialog").getByText(first.slice(0, 13)).first().waitFor();
    expect(await textOf(page, "dialog")).toMatch(/the id key_[0-9a-f]{20} stops at once/);
    await moveTo(page, "Type the name to confirm");
    await page.keyboard.insertText("something else");
    await page.keyboard.press("Enter");
    expect(await callWith(first)).toBe(200);
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("ci");
    expect(await faults(page)).toEqual([]);
    await choose(page, "Revoke");
    await expect.poll(async () => (await rowsOf(page))[1]?.[1], patience).toBe("Revoked");
    // A revoked key is refused within half a second.
    await expect.poll(() => callWith(first), patience).toBe(401);
    expect(await callWith(second)).toBe(200);

    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await faultsAgain(page)).toEqual([]);
    expect([lines, complaints]).toEqual([[], []]);
    await context.close();
  });

  it("shows what others do to keys, and names as they are", async () => {
    await stage.admin.call("accounts.create", { name: "many", plan: "team" });
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page, lines, complaints } = await watch(context);
    // Before the page is open, which reads them again after each.
    for (let n = 100; n < 104; n++)
      await stage.admin.call("keys.issue", { account: "many", name: `key ${n}`, expires: "90d" });
    await enter(context, stage, "many");
    await open(page);
    const status = (): Promise<string> => textOf(page, "main p[role=status]");
    await expect.poll(status, patience).toBe("4 keys");
    expect((await rowsOf(page)).length).toBe(4);

    // Somebody else issues and revokes.
    await stage.admin.call("keys.issue", { account: "many", name: hostile });
    await expect.poll(status, patience).toBe("5 keys");
    await expect
      .poll(async () => (await rowsOf(page))[0]?.toSpliced(2, 1).slice(0, 3), patience)
      .toEqual([
        expect.stringMatching(/^<img src=x onerror=alert\(1\)> gnp\.exe svc_live_\w{4}…$/),
        "Live",
        "never",
      ]);
    expect(await page.locator("tbody img").count()).toBe(0);
    await page.locator("#search").click();
    await page.keyboard.insertText("KEY 103");
    await page.keyboard.press("Enter");
    await expect.poll(status, patience).toBe("1 key");
    await stage.admin.call("keys.revoke", { id: await page.evaluate(keyId), reason: "left in a log" });
    await expect.poll(async () => (await rowsOf(page))[0]?.[1], patience).toBe("Revokedleft in a log");
    await page.locator("#search").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Show it: never expires" }).click();
    await expect.poll(status, patience).toBe("1 key");
    expect(await faults(page)).toEqual([]);

    await page.getByRole("button", { name: "Revoke all keys" }).click();
    await page.locator("dialog input").click();
    await page.keyboard.insertText("many");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Show all keys" }).click();
    await choices.choose(page, "State", "Live");
    await expect.poll(status, patience).toBe("No key matches.");
    expect([lines, complaints]).toEqual([[], []]);
    await context.close();
  });

  it("keeps a shown key, whatever the user and other windows do in the meantime", async () => {
    await stage.admin.call("accounts.create", { name: "slow", plan: "pro" });
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page, lines, complaints } = await watch(context);
    // Answers to generateKey are held back.
    await page.addInitScript(`{ const send = fetch; globalThis.generated = 0;
      globalThis.fetch = async (url, options) => {
        const answer = await send(url, options);
        if (String(options?.body).includes("generateKey")) {
          globalThis.generated += 1;
          await new Promise((resolve) => (globalThis.release = resolve));
        }
        return answer;
      }; }`);
    await enter(context, stage, "slow");
    await open(page);
    await page.getByRole("button", { name: "Generate New Key" }).click();
    await page.locator("dialog input").first().click();
    await page.keyboard.insertText("a  b");
    for (const key of ["Enter", "Enter", "Escape", "Escape"]) await page.keyboard.press(key);
    await page.evaluate(`document.querySelector("dialog footer button[type=button]").click()`);
    await expect.poll(() => page.evaluate("generated"), patience).toBe(1);
    expect(await textOf(page, "dialog h2")).toBe("Generate a new key");
    await page.evaluate("release()");
    await page.locator("dialog .secret").waitFor();
    const secret = await textOf(page, "dialog pre");
    expect(secret).toMatch(/^svc_live_\w+$/);
    const leave = `dispatchEvent(new Event("beforeunload", { cancelable: true }))`;
    expect(await page.evaluate(leave)).toBe(false);

    // Another window of the browser signs in as the operator, and the list is read again.
    const { page: other } = await watch(context);
    await other.goto(`${stage.url}/sign-in#code=${await signInCode(stage.admin)}`);
    await other.getByRole("button", { name: "Sign in", exact: true }).click();
    await other.locator("main").getByText("You are signed in").first().waitFor();
    await stage.admin.call("keys.issue", { account: "slow", name: "other" });
    await page.locator("main").getByText("belongs to no account").waitFor();
    expect(await textOf(page, "dialog pre")).toBe(secret);
    await choices.store(page);
    await expect.poll(() => page.locator("dialog").count(), patience).toBe(0);
    await expect.poll(() => page.evaluate(leave), patience).toBe(true);

    // A name that nobody can type is confirmed as it is shown. The focus outlives the button of the row.
    await enter(context, stage, "slow");
    await open(page);
    await choices.pick(page, "a b", "Revoke a b");
    await page.locator("dialog .field + .field input").click();
    await page.keyboard.insertText("a b");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await rowsOf(page))[1]?.[1], patience).toBe("Revoked");
    await expect.poll(() => page.evaluate("document.activeElement.tagName"), patience).toBe("MAIN");
    expect([lines, complaints]).toEqual([[], []]);
    await context.close();
  });

  it("lists sessions, and ends the pages of one that is ended", async () => {
    const mine = await stage.browser.newContext();
    const theirs = await stage.browser.newContext();
    const { page, lines, complaints } = await watch(mine);
    const { page: other } = await watch(theirs);
    await enter(theirs, stage, "acme");
    await open(other);
    await enter(mine, stage, "acme");
    await page.goto(`${stage.url}/settings/sessions`);
    await page.locator("tbody tr").first().waitFor();
    const live = (await rowsOf(page)).filter(([, state]) => state === "Live").map(([name]) => name);
    expect(live.filter((name) => name?.includes("(this one)"))).toHaveLength(1);
    // The other browser's, and that of the first journey.
    expect(live.length).toBeGreaterThanOrEqual(2);
    expect(await faults(page)).toEqual([]);
    for (;;) {
      const button = page.locator("tbody button[aria-label^='End session']");
      const before = await button.count();
      if (before === 0) break;
      await button.first().click();
      await page.getByRole("button", { name: "End the session" }).click();
      await expect.poll(() => button.count(), patience).toBe(before - 1);
    }
    await other.locator(".hindrance").getByText("You are signed out.").waitFor();
    await page.getByRole("button", { name: "End this session" }).click();
    await page.getByRole("button", { name: "End the session" }).click();
    await page.locator(".hindrance").getByText("You are signed out.").waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
    expect(lines.filter((text) => !text.includes("401"))).toEqual([]);
    await mine.close();
    await theirs.close();
  });

  it("offers no keys to a free account, and none to the operator", async () => {
    await stage.admin.call("accounts.create", { name: "small", plan: "free" });
    const context = await stage.browser.newContext();
    const { page, lines, complaints } = await watch(context);
    await enter(context, stage, "small");
    await open(page);
    await page.getByRole("heading", { name: "API keys are part of the plans pro and team" }).waitFor();
    expect(await page.getByRole("button", { name: "Generate New Key" }).count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    await stage.admin.call("accounts.set", { name: "small", plan: "pro" });
    await page.getByRole("button", { name: "Generate New Key" }).waitFor();
    await enter(context, stage);
    await page.goto(`${stage.url}/settings/keys`);
    await page.locator("main").getByText("belongs to no account").waitFor();
    expect(await faults(page)).toEqual([]);
    expect([lines, complaints]).toEqual([[], []]);
    await context.close();
  });
});

/** The id of the only key that is shown. */
const keyId = `fetch("${basePath}/graphql", { method: "POST", headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ query: '{ keysConnection(search: "key 103") { nodes { id } } }' }) })
  .then((answer) => answer.json()).then(({ data }) => data.keysConnection.nodes[0].id)`;
