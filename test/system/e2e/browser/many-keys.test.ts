import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { key } from "../../../support/records.ts";
import { isLong, amount } from "../../../support/cases.ts";
import { putTexts, textsOf } from "../../../support/stored-records.ts";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { admin, openSocket } from "../operate.ts";
import { type Browser, findBrowser, shareBrowser, watch } from "./browser.ts";
import { enter } from "./stage.ts";

// /settings/keys of an account with thousands of keys in a store of files.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser test of many keys skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const many = amount(1000);
/** A part of the names of fewer than a hundred keys. */
const part = isLong() ? "777" : "77";
const total = `${many.toLocaleString()} keys`;
/** The names of keys, the newest first, that a search finds. */
const named = (text: string): string[] =>
  Array.from({ length: many }, (_, n) => `key ${many - 1 - n}`).filter((name) => name.includes(text));
/** Bytes of an answer with a hundred keys, and more than enough for their names. */
const maxBytes = 65_536;

describe.runIf(found !== undefined)("many keys", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    await admin(folder.path, "accounts create acme --plan pro");
    // As the store writes them: to issue so many would take a minute.
    const data = join(folder.path, "penknife-data");
    const { incarnation } = JSON.parse(textsOf(data, "accounts").get("acme") ?? "") as {
      incarnation: string;
    };
    const records: [string, string][] = [];
    for (let n = 0; n < many; n++) {
      const id = n.toString(16).padStart(20, "0");
      const createdAt = new Date(Date.now() - (many - n) * 1000).toISOString();
      const record = key(id, { name: `key ${n}`, createdAt, incarnation });
      records.push([`keys:${id}`, JSON.stringify(record)]);
    }
    putTexts(data, records);
    server = await serve(folder.path);
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  it("are shown a hundred at a time, and found by a search", async () => {
    const context = await browser.newContext();
    const { page, lines, complaints } = await watch(context);
    const socket = await openSocket(folder.path);
    await enter(context, { url: server.url, admin: socket }, "acme");
    socket.close();

    /** The names of the first and the last row, when this many keys are selected. */
    const shown = async (status: string, first: string): Promise<unknown[]> => {
      const row = page.locator("tbody tr").first();
      await page.locator("main p[role=status]").getByText(status).waitFor();
      await row.getByText(first).first().waitFor();
      return (await page.evaluate(`(() => {
        const names = [...document.querySelectorAll("tbody tr th")].map(({ textContent }) => textContent.trim());
        return [names.length, names[0], names.at(-1)].map((name) => typeof name === "string" ? name.split(" svc_")[0] : name);
      })()`)) as unknown[];
    };
    const began = performance.now();
    await page.goto(`${server.url}/settings/keys`);
    const first = named("")[0] ?? "";
    expect(await shown(total, first)).toEqual([100, first, named("")[99]]);
    const opened = performance.now();
    // Twice, before the next page is there.
    await page.evaluate(
      `{ const older = document.querySelector(".pager button:last-of-type"); older.click(); older.click(); }`,
    );
    const hundredth = named("")[100] ?? "";
    expect(await shown(total, hundredth)).toEqual([100, hundredth, named("")[199]]);
    const turned = performance.now();
    expect(await page.locator(".pager span").first().innerText()).toBe("Page 2");
    await page.getByRole("button", { name: "Newer" }).click();
    expect(await shown(total, first)).toEqual([100, first, named("")[99]]);
    process.stdout.write(
      `${total}: opened in ${(opened - began).toFixed(0)} ms, turned a page in ${(turned - opened).toFixed(0)} ms\n`,
    );
    await page.locator("#search").click();
    await page.keyboard.insertText(`KEY ${part}`);
    await page.keyboard.press("Enter");
    const chosen = named(part);
    expect(await shown(`${chosen.length} keys`, chosen[0] ?? "")).toEqual([
      chosen.length,
      chosen[0],
      `key ${part}`,
    ]);

    // Only what is shown is sent.
    const sizes = (await page.evaluate(`performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith("/graphql")).map(({ decodedBodySize }) => decodedBodySize)`)) as number[];
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    for (const size of sizes) expect(size).toBeLessThan(maxBytes);
    expect([lines, complaints]).toEqual([[], []]);
  });
});
