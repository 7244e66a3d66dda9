import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults, faultsAgain } from "./axe.ts";
import { findBrowser, type Page, watch } from "./browser.ts";
import { choose, pick, store } from "./controls.ts";
import { enter, openStage } from "./stage.ts";

// /settings/webhooks in a real browser, with a receiver on this machine.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of the page of webhooks skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };
/** Markup, a terminal sequence and a right-to-left override, as a receiver may answer. */
const hostile = "<script>alert(1)</script>\u001B[31m\u202Egnp.exe";

describe.runIf(found !== undefined)("/settings/webhooks", () => {
  let receiver: HttpServer;
  let url = "";
  let status = 204;
  const received: { body: string; signatures: string[] }[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const signatures = String(request.headers["webhook-signature"]).split(" ");
        received.push({ body: Buffer.concat(chunks).toString(), signatures });
        response.writeHead(status).end(status === 204 ? undefined : hostile);
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  });
  afterAll(() => void receiver?.close());
  const stage = openStage(found, { PENKNIFE_WEBHOOKS_ALLOW_CIDRS: "127.0.0.0/8" });

  const rowsOf = async (page: Page, table: string): Promise<string[][]> =>
    (await page.evaluate(`[...document.querySelectorAll("[aria-label='${table}'] tbody tr")]
      .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent))`)) as string[][];

  it("adds an endpoint, tests it, and shows each delivery and its attempts as they happen", async () => {
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page, lines, complaints } = await watch(context);
    await enter(context, stage, "acme");
    await page.goto(`${stage.url}/settings/webhooks`);
    await page.locator("main").getByText("This account has no endpoints yet.").waitFor();
    expect(await faults(page)).toEqual([]);

    await page.getByRole("button", { name: "Add an endpoint" }).click();
    await page.locator("dialog .check").first().waitFor();
    expect(await faults(page)).toEqual([]);
    const fill = async (selector: string, text: string): Promise<void> => {
      await page.locator(selector).click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    };
    const [address, note] = ["dialog input[type=url]", "dialog input:not([type])"];
    await fill(address, "ftp://127.0.0.1/");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator("dialog [role=alert]").getByText("url").first().waitFor();
    await fill(address, url);
    await fill(note, "<script>alert(1)</script> gnp.exe");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator("dialog .secret").waitFor();
    expect(await page.locator("dialog pre").first().innerText()).toMatch(/^whsec_/);
    expect(await faults(page)).toEqual([]);
    await store(page);
    await expect
      .poll(async () => (await rowsOf(page, "Endpoints"))[0]?.slice(0, 3), patience)
      .toEqual([expect.stringContaining(`POST ${url}<script>alert(1)</script> gnp.exe`), "all", "Active"]);

    // A test is shown as it is added and delivered.
    await page.getByRole("button", { name: `Send a test to ${url}` }).click();
    await expect
      .poll(async () => (await rowsOf(page, "List of deliveries"))[0]?.slice(0, 3), patience)
      .toEqual(["webhook.test", url, expect.stringMatching(/^Delivered/)]);
    expect(received).toHaveLength(1);

    expect(await faults(page)).toEqual([]);

    // With two secrets there are two signatures.
    await pick(page, url, `Rotate secret of ${url}`);
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await store(page);
    await page.getByRole("button", { name: `Send a test to ${url}` }).click();
    await expect.poll(() => received.length, patience).toBe(2);
    await expect.poll(async () => (await rowsOf(page, "List of deliveries")).length, patience).toBe(2);
    expect(received.map(({ signatures }) => signatures.length)).toEqual([1, 2]);

    // A receiver that refuses: what it answered is text.
    status = 400;
    await page.getByRole("button", { name: `Send a test to ${url}` }).click();
    await expect
      .poll(async () => (await rowsOf(page, "List of deliveries"))[0]?.[2], patience)
      .toMatch(/^Failed .*400/);
    await choose(page, "State", "Failed");
    await expect.poll(async () => (await rowsOf(page, "List of deliveries")).length, patience).toBe(1);
    await page.getByRole("button", { name: "Details of webhook.test" }).click();
    const drawer = page.locator(".drawer");
    await drawer.locator("li").getByText("HTTP 400").first().waitFor();
    // The body with its structure, and as it was sent.
    const body = drawer.locator("pre");
    expect(await body.innerText()).toContain('\n    "message": "This is a test. Nothing has happened."');
    await choose(page, "How to show: Body", "Raw");
    expect(await body.innerText()).toBe(received.at(-1)?.body);
    await page.getByRole("tab", { name: "Headers" }).click();
    expect(await body.innerText()).toMatch(/^x-event-type: webhook\.test\nx-delivery-id: dlv_/m);
    expect(await drawer.innerText()).not.toContain("whsec_");
    await page.getByRole("tab", { name: "Answer" }).click();
    expect(await body.innerText()).toBe(String.raw`<script>alert(1)</script>\u{1b}[31m\u{202e}gnp.exe`);
    expect(await faults(page)).toEqual([]);
    status = 204;
    await page.getByRole("button", { name: "Send again" }).click();
    await drawer.getByText("Delivered").first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => drawer.count(), patience).toBe(0);
    await expect.poll(async () => (await rowsOf(page, "List of deliveries")).length, patience).toBe(0);
    await choose(page, "State", "All");
    await expect.poll(async () => (await rowsOf(page, "List of deliveries")).length, patience).toBe(3);
    // From one delivery to the next.
    const shown = (): Promise<string> => drawer.locator("dd").first().innerText();
    await page.getByRole("button", { name: "Details of webhook.test" }).first().click();
    await drawer.locator("li").first().waitFor();
    const ids = new Set([(await drawer.innerText()).match(/dlv_[0-9a-f-]+/)?.[0]]);
    for (let times = 0; times < 3; times++) {
      await page.getByRole("button", { name: "The delivery below" }).click();
      ids.add((await drawer.innerText()).match(/dlv_[0-9a-f-]+/)?.[0]);
    }
    expect(ids.size).toBe(3);
    expect(await shown()).toContain(url);
    await page.getByRole("button", { name: "Close" }).click();

    await pick(page, url, `Recover deliveries to ${url}`);
    await page.getByRole("button", { name: "Send again", exact: true }).click();
    await page.locator("dialog").getByText("0 deliveries are sent again.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await pick(page, url, `Pause ${url}`);
    await expect
      .poll(async () => (await rowsOf(page, "Endpoints"))[0]?.[2], patience)
      .toBe("Paused: events are queued");
    await page.locator("[role=status]").getByText(`Paused: ${url}.`).waitFor();
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe(`More for ${url}`);
    await page.getByRole("button", { name: `Resume ${url}` }).click();
    await expect.poll(async () => (await rowsOf(page, "Endpoints"))[0]?.[2], patience).toBe("Active");
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await pick(page, url, `Delete ${url}`);
    await page.locator("dialog input").click();
    await page.keyboard.insertText(url);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.locator("main").getByText("This account has no endpoints yet.").waitFor();
    expect(await faultsAgain(page)).toEqual([]);
    expect([lines, complaints]).toEqual([[], []]);
    await context.close();
  });
});
