import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { amount } from "../../../support/cases.ts";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { faults } from "./axe.ts";
import { type Browser, findBrowser, shareBrowser, type Page } from "./browser.ts";
import { resultOf, setInput } from "./editor.ts";
import { shareTab } from "./stage.ts";

/** The size of a large file, in megabytes. */
const large = amount(20);

// The toolbox where something is in its way: a large file, a server that requires keys, a server that was upgraded.
const found = findBrowser();
const patience = { timeout: 60_000 };

describe.runIf(found !== undefined)("the toolbox", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    server = await serve(folder.path, { PENKNIFE_AUTH_ANONYMOUS: "false" });
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  const inTab = shareTab(() => browser);
  const visit = (path: string, act: (page: Page) => Promise<void>): Promise<void> =>
    inTab(async ({ page }) => {
      await page.goto(`${server.url}/${path}`);
      await act(page);
    });

  const shown = resultOf;

  it(`a file of ${large} MB is shown by its beginning and processed whole, while the page answers`, async () => {
    await visit("tools/hash-generator", async (page) => {
      await page.locator(".editor .cm-content").waitFor();
      await page.evaluate(`{
        const data = new DataTransfer();
        data.items.add(new File(Array.from({ length: ${large} }, () => "0123456789".repeat(1e5)), "large.txt"));
        // The longest time for which the page could not have answered a key.
        window.silence = 0;
        window.begun = performance.now();
        let last = performance.now();
        window.watching = setInterval(() => {
          const now = performance.now();
          silence = Math.max(silence, now - last);
          last = now;
        }, 5);
        document.querySelector(".editor .box")
          .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      }`);
      await page.locator(".source-pane").getByText(`large.txt · ${large} MB`).waitFor();
      await page
        .locator(".source-pane")
        .getByText("Its beginning is shown; the tool gets all of it.")
        .waitFor();
      const head = `document.querySelector(".editor .code").shadowRoot.querySelector(".cm-content").textContent.length`;
      await expect.poll(() => page.evaluate(head), patience).toBeGreaterThan(100);
      expect(await page.evaluate(head)).toBeLessThan(100_000);
      await expect.poll(() => shown(page), patience).toMatch(/^[\da-f]{64}$/);
      const whole = createHash("sha256").update("0123456789".repeat(large * 1e5));
      expect(await shown(page)).toBe(whole.digest("hex"));
      const [silence, took] = (await page.evaluate("[silence, performance.now() - begun]")) as [
        number,
        number,
      ];
      expect(silence).toBeLessThan(took / 2);
      await page.getByRole("button", { name: "Clear: Text or file" }).click();
      await setInput(page, "abc");
      await expect
        .poll(() => shown(page), patience)
        .toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    });
  });

  it("a file that is larger than a tab can hold is refused with a sentence", async () => {
    await visit("tools/json-minifier", async (page) => {
      await page.locator(".editor .cm-content").waitFor();
      await page.evaluate(`{
        const data = new DataTransfer();
        const part = new Blob(["0".repeat(1e6)]);
        data.items.add(new File(Array.from({ length: 300 }, () => part), "huge.json"));
        document.querySelector(".editor .box")
          .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      }`);
      await expect
        .poll(() => shown(page), patience)
        .toBe(
          "huge.json has 300000000 bytes; a page takes at most 268435456. Use the command line: penknife run json-minifier FILE.",
        );
    });
  });

  it("a server that requires keys: tools run in the tab, and those of the server say what they need", async () => {
    await visit("tools/json-minifier", async (page) => {
      await setInput(page, '{ "a": 1 }');
      await expect.poll(() => shown(page), patience).toBe('{"a":1}');
    });
    await visit("tools/x509-parser", async (page) => {
      await page.locator("main").getByText("Runs on the server and needs a key of yours").waitFor();
      await setInput(page, "x");
      await page.getByRole("button", { name: "Run" }).click();
      await expect.poll(() => shown(page), patience).toMatch(/key/);
      expect(await faults(page)).toEqual([]);
    });
    await visit("pipelines", async (page) => {
      await page.getByRole("combobox", { name: "Tool of the new step" }).click();
      await page.keyboard.insertText("x509-parser");
      await page.getByRole("option").first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Run" }).waitFor();
    });
  });

  it.each([
    ["because it is upgraded", 404, /The server no longer has a part of this page\. Load the page again\./],
    ["because it is away", 0, /The server cannot be reached\. Try again\./],
  ])(
    "a script that the server does not send %s: the page says so, and the next key tries again",
    async (_, status, message) => {
      await inTab(async ({ page }) => {
        let isMissing = true;
        const missing = "**/web/json-minifier-*.js";
        await page.route(missing, (route) =>
          isMissing ? (status === 0 ? route.abort() : route.fulfill({ status })) : route.fallback(),
        );
        await page.goto(`${server.url}/tools/json-minifier`);
        await expect.poll(() => shown(page), patience).toMatch(message);
        await setInput(page, "[ 1 ]");
        await expect.poll(() => shown(page), patience).toMatch(message);
        isMissing = false;
        await setInput(page, "[ 1, 2 ]");
        await expect.poll(() => shown(page), patience).toBe("[1,2]");
        await page.unroute(missing);
      });
    },
  );

  it("the inverse of a tool opens with the result", async () => {
    await visit("tools/base64-encoder", async (page) => {
      await setInput(page, "<b>hello</b>");
      await expect.poll(() => shown(page), patience).toBe("PGI+aGVsbG88L2I+");
      await page.getByRole("button", { name: "Send to" }).click();
      await page.getByRole("menuitem", { name: "Base64 decoder" }).click();
      await page.getByRole("heading", { name: "Base64 decoder" }).waitFor();
      await expect.poll(() => shown(page), patience).toBe("<b>hello</b>");
    });
  });
});
