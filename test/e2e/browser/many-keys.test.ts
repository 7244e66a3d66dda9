import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { key } from "../../services/storage/drivers.ts";
import { emptyFolder, penknife, serve, type Server } from "../harness.ts";
import { type Browser, findBrowser, shareBrowser, watch } from "./browser.ts";

// /settings/keys of an account with ten thousand keys in a store of files.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser test of ten thousand keys skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const many = 10_000;
/** Bytes of an answer with a hundred keys, and more than enough for their names. */
const mostBytes = 65_536;

describe.runIf(found !== undefined)("ten thousand keys", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;

  const admin = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await penknife(folder.path, ["admin", ...args]);
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
    return stdout.trim();
  };

  beforeAll(async () => {
    await admin("accounts", "create", "acme", "--plan", "pro");
    // As the store writes them: to issue so many would take a minute.
    const keys = join(folder.path, "penknife-data/keys");
    mkdirSync(keys, { recursive: true });
    for (let n = 0; n < many; n++) {
      const id = n.toString(16).padStart(20, "0");
      const createdAt = new Date(Date.now() - (many - n) * 1000).toISOString();
      writeFileSync(join(keys, `${id}.json`), JSON.stringify(key(id, { name: `key ${n}`, createdAt })), {
        mode: 0o600,
      });
    }
    server = await serve(folder.path);
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  it("are shown a hundred at a time, and found by a search", async () => {
    const { page, lines, complaints } = await watch(browser);
    await page.goto(`${server.url}/sign-in#code=${await admin("login", "--account", "acme")}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator("main").getByText("You are signed in").first().waitFor();

    /** The names of the first and the last row, when this many keys are selected. */
    const shown = async (total: string, first: string): Promise<unknown[]> => {
      const row = page.locator("tbody tr").first();
      await page.locator("main p[role=status]").getByText(total).waitFor();
      await row.getByText(first).first().waitFor();
      return (await page.evaluate(`(() => {
        const names = [...document.querySelectorAll("tbody tr th")].map(({ textContent }) => textContent.trim());
        return [names.length, names[0], names.at(-1)].map((name) => typeof name === "string" ? name.split(" svc_")[0] : name);
      })()`)) as unknown[];
    };
    const began = performance.now();
    await page.goto(`${server.url}/settings/keys`);
    expect(await shown("10,000 keys", "key 9999")).toEqual([100, "key 9999", "key 9900"]);
    const opened = performance.now();
    await page.getByRole("button", { name: "Older" }).click();
    expect(await shown("10,000 keys", "key 9899")).toEqual([100, "key 9899", "key 9800"]);
    const turned = performance.now();
    process.stdout.write(
      `ten thousand keys: opened in ${(opened - began).toFixed(0)} ms, turned a page in ${(turned - opened).toFixed(0)} ms\n`,
    );
    await page.locator("#search").click();
    await page.keyboard.insertText("KEY 777");
    await page.keyboard.press("Enter");
    expect(await shown("19 keys", "key 9777")).toEqual([19, "key 9777", "key 777"]);

    // Only what is shown is sent.
    const sizes = (await page.evaluate(`performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith("/graphql")).map(({ decodedBodySize }) => decodedBodySize)`)) as number[];
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    for (const size of sizes) expect(size).toBeLessThan(mostBytes);
    expect([lines, complaints]).toEqual([[], []]);
  });
});
