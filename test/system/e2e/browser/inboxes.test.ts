import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { faults, faultsAgain } from "./axe.ts";
import { findBrowser, type Page, watch } from "./browser.ts";
import { choose, pick, store } from "./controls.ts";
import { enter, openStage } from "./stage.ts";

// /settings/inboxes and /settings/events in a real browser, below a base path.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of the pages of inboxes and events skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };
const basePath = "/a/b";
/** Markup, a terminal sequence and a right-to-left override. */
const hostile = "<img src=x onerror=alert(1)>\u001B[31m\u202Egnp.exe";
const visible = "<img src=x onerror=alert(1)>⟨001B⟩[31m⟨202E⟩gnp.exe";

describe.runIf(found !== undefined)("what an account receives", () => {
  const stage = openStage(found, { PENKNIFE_SERVER_BASE_PATH: basePath });

  const rowsOf = async (page: Page, table: string): Promise<string[][]> =>
    (await page.evaluate(`[...document.querySelectorAll("[aria-label='${table}'] tbody tr")]
      .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent))`)) as string[][];
  async function fill(page: Page, label: string, text: string): Promise<void> {
    await page.evaluate(`[...document.querySelectorAll("dialog label")]
      .find(({ textContent }) => textContent === ${JSON.stringify(label)}).control.focus()`);
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  }

  it("is shown as it comes, with headers and body as they were received", async () => {
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page, asked, lines, complaints } = await watch(context);
    await enter(context, stage, "acme");
    await page.goto(`${stage.url}/settings/inboxes`);
    await page.locator("main").getByText("This account has no inboxes yet.").waitFor();
    // The end of the session closes the WebSocket, and the page says so at once.
    await expect.poll(() => asked.filter((url) => url.startsWith("ws:")).length, patience).toBe(1);
    expect(await faults(page)).toEqual([]);

    await page.getByRole("button", { name: "Create an inbox" }).click();
    await fill(page, "Name", "issues");
    await page.locator("dialog select").first().selectOption("GITHUB");
    await page.locator("dialog").getByText("A message with a wrong signature").waitFor();
    expect(await faults(page)).toEqual([]);
    await fill(page, "Status of the answer", "99");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    // The browser itself refuses a number below the least.
    expect(await page.locator("dialog .secret").count()).toBe(0);
    await fill(page, "Status of the answer", "202");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.locator("dialog .secret").waitFor();
    const secret = await page.locator("dialog pre").first().innerText();
    await store(page);
    await expect
      .poll(async () => (await rowsOf(page, "List of inboxes"))[0]?.slice(0, 5), patience)
      .toEqual(["issues", "GitHub", "0", "none yet", "202"]);

    await page.getByRole("button", { name: "Show the messages of issues" }).click();
    await page.locator("#messages").waitFor();
    const url = await page.locator(".example pre").first().innerText();
    expect(url).toMatch(new RegExp(`^${stage.url}/inbox/in_[0-9a-f]{32}$`));
    expect(await page.locator("main").innerText()).toContain(
      `penknife inbox forward ${url.split("/").at(-1)} http://localhost:3000/hook`,
    );
    await page.locator("[role=status]").getByText("0 messages").waitFor();
    const send = async (body: Uint8Array | string, headers: Record<string, string> = {}): Promise<number> => {
      const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      const answer = await fetch(`${url}?a=1`, {
        method: "POST",
        headers: { "X-Hub-Signature-256": signature, "X-GitHub-Event": "issues", ...headers },
        body,
      });
      return answer.status;
    };
    const text = JSON.stringify({ title: hostile }, null, 1);
    expect(await send(text, { "User-Agent": "<b>agent</b>", "X-GitHub-Delivery": "one" })).toBe(202);
    await expect
      .poll(async () => (await rowsOf(page, "List of messages"))[0]?.slice(1, 5), patience)
      .toEqual(["issues", "valid", "one", String(Buffer.byteLength(text))]);
    await page.getByRole("button", { name: "message msg_" }).first().click();
    const detail = page.locator("section[aria-label='Message']");
    const content = detail.locator(".content");
    await content.first().waitFor();
    // Beside the list, which stays.
    expect(await rowsOf(page, "List of messages")).toHaveLength(1);
    // JSON itself escapes the terminal sequence.
    const shownText = text.replace("\u202E", "⟨202E⟩");
    expect(await content.innerText()).toBe(shownText.replace('\n "title": ', '\n  "title": '));
    await choose(page, "How to show: Body", "Raw");
    expect(await content.innerText()).toBe(shownText);
    await page.getByRole("tab", { name: "Headers" }).click();
    const headers = await content.first().innerText();
    expect(headers).toMatch(/^POST \?a=1\n/);
    expect(headers.toLowerCase()).toContain("\nuser-agent: <b>agent</b>\n");
    expect(await detail.locator("img, b").count()).toBe(0);
    expect(await faults(page)).toEqual([]);

    // Bytes that are no text, and text with what a terminal would obey.
    expect(await send(new Uint8Array([0xff, 0xfe, 0]), { "X-GitHub-Delivery": "two" })).toBe(202);
    const three = {
      "X-GitHub-Delivery": "three",
      Referer: "javascript:alert(1)",
      "User-Agent": Buffer.from(hostile.replace("\u001B", "")).toString("latin1"),
    };
    expect(await send(`${hostile}\tx\nlast`, three)).toBe(202);
    expect(await send("{}", { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}` })).toBe(401);
    await expect.poll(async () => (await rowsOf(page, "List of messages")).length, patience).toBe(3);
    const show = async (index: number): Promise<string> => {
      await page.locator(`[aria-label='List of messages'] tbody tr:nth-child(${index}) button`).click();
      const id = (await rowsOf(page, "List of messages"))[index - 1]?.[0]?.match(/msg_[0-9a-f-]+/)?.[0] ?? "";
      await detail.getByText(id).first().waitFor();
      await page.getByRole("tab", { name: "Body" }).waitFor();
      await content.first().waitFor();
      const all = await detail.innerText();
      expect([all.includes("\u001B"), all.includes("\u202E")]).toEqual([false, false]);
      expect(await detail.locator("img, b, a").count()).toBe(0);
      return content.first().innerText();
    };
    await expect.poll(() => show(1), patience).toBe(`${visible}\tx\nlast`);
    await expect.poll(() => show(2), patience).toBe("//4A");
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await faultsAgain(page)).toEqual([]);

    await pick(page, "issues", "Change issues");
    await fill(page, "Name", hostile.slice(0, 28));
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await expect
      .poll(async () => (await rowsOf(page, "List of inboxes"))[0]?.[0], patience)
      .toBe("<img src=x onerror=alert(1)>");
    await pick(page, "<img", "Delete <img");
    await fill(page, "Type the name to confirm", hostile.slice(0, 28));
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.locator("main").getByText("This account has no inboxes yet.").waitFor();
    expect([lines, complaints]).toEqual([[], []]);
    await context.close();
  });

  it("shows the events of the account as they happen", async () => {
    const context = await stage.browser.newContext();
    const { page, lines, complaints } = await watch(context);
    await enter(context, stage, "acme");
    await page.goto(`${stage.url}/settings/events`);
    await page.locator("main").getByText("Waiting for events.").waitFor();
    const events = (): Promise<string[]> =>
      page.evaluate(
        `[...document.querySelectorAll(".events strong")].map(({ textContent }) => textContent)`,
      ) as Promise<string[]>;
    // A page that is not connected yet sees no event.
    await expect
      .poll(async () => {
        await stage.admin.call("keys.issue", { account: "acme", name: "<img src=x> gnp" });
        return (await events()).at(-1);
      }, patience)
      .toBe("key.issued");
    await page.locator("summary").first().click();
    expect(await page.locator(".events .content").first().innerText()).toContain("<img src=x> gnp");
    expect(await page.locator(".events img").count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    await page.getByRole("button", { name: "Pause" }).click();
    const before = (await events()).length;
    await stage.admin.call("accounts.set", { name: "acme", plan: "team" });
    await page.getByRole("button", { name: "Go on (1 new)" }).click();
    await expect.poll(events, patience).toHaveLength(before + 1);
    expect((await events())[0]).toBe("account.updated");
    await page.locator("#type").selectOption("ACCOUNT_UPDATED");
    expect(await events()).toEqual(["account.updated"]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect([lines, complaints]).toEqual([[], []]);
    await context.close();
  });
});
