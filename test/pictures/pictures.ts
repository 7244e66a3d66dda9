import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileUsage } from "../../src/services/storage/usage/file-usage.ts";
import { hourMs, noCounts, type UsageRow } from "../../src/services/storage/usage/usage-store.ts";
import { findBrowser, openBrowser, type Page } from "../e2e/browser/browser.ts";
import { call, emptyFolder, penknife, serve } from "../e2e/harness.ts";
import { draw } from "./draw.ts";

/** The pictures of the documents, by name: the pages of the executable, drawn as SVG by the script of a journey. */
export async function makePictures(): Promise<Map<string, string>> {
  const found = findBrowser();
  if (found === undefined) throw new Error("no browser was found (package chromium)");
  const folder = emptyFolder();
  const admin = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await penknife(folder.path, ["admin", ...args]);
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  await admin("accounts", "create", "acme", "--plan", "pro");
  const keys: { id: string; key: string }[] = [];
  for (const name of ["gitlab", "laptop"])
    keys.push(
      JSON.parse(await admin("keys", "issue", "--account", "acme", "--name", name, "--json")) as never,
    );
  await addHistory(
    join(folder.path, "penknife-data"),
    keys.map(({ id }) => id),
  );
  const server = await serve(folder.path);
  const browser = await openBrowser(found);
  const pictures = new Map<string, string>();
  try {
    const context = await browser.newContext({
      viewport: { width: 1000, height: 800 },
      locale: "en-GB",
      timezoneId: "UTC",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const take = async (name: string): Promise<void> =>
      void pictures.set(name, toSteady(await draw(page, 1000)));
    await page.goto(`${server.url}/sign-in#code=${await admin("login", "--account", "acme")}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await take("sign-in");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator("main").getByText("You are signed in").first().waitFor();
    await page.getByRole("link", { name: "Settings of this account" }).click();
    await page.locator("tbody tr").first().waitFor();
    await take("keys");
    await page.goto(`${server.url}/settings/usage`);
    await callTools(server.url, keys[0]?.key ?? "");
    await showsCalls(page);
    await take("usage");
    return pictures;
  } finally {
    await browser.close();
    await server.stop();
    folder.remove();
  }
}

const calls = 42;

async function callTools(url: string, key: string): Promise<void> {
  for (let n = 0; n < calls; n++)
    await call(`${url}/api/tools/json-formatter`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: '{"data":"[1]"}',
    });
}

/** Waits until the page shows the calls, of this hour and in its history. */
async function showsCalls(page: Page): Promise<void> {
  await page
    .locator(".now")
    .getByText(String(1000 - calls))
    .first()
    .waitFor();
  await page.locator("#period").selectOption("90d");
  await page.locator("#times").getByText("By day").waitFor();
}

/** Writes the usage of 90 days for an account that is as old; a day has more calls than a night. */
async function addHistory(data: string, keys: readonly string[]): Promise<void> {
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const day = 24 * hourMs;
  const path = join(data, "accounts", "acme.json");
  const record = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...record, createdAt: new Date(now - 100 * day).toISOString() }));
  const usage = createFileUsage(data, {
    onError(error) {
      throw error;
    },
  });
  const tools = ["json-formatter", "json-validator", "hash-generator", "uuid-generator"];
  const midnight = Math.floor(now / day) * day;
  for (let back = 89; back >= 2; back--) {
    const rows: UsageRow[] = tools.flatMap((tool, which) =>
      keys.map((key, whose) => ({
        ...noCounts(),
        account: "acme",
        key,
        tool,
        ok: Math.round((90 - back + 20 * (1 + Math.sin(back * 0.9))) * (4 - which) * (2 - whose)),
        refused: (back + which) % 5,
      })),
    );
    await usage.add({ id: String(back), hour: midnight - back * day + 9 * hourMs, rows });
  }
}

const starts = ["7Qw2", "Kx4T", "b9Lm"];

/** Replaces what differs from run to run. */
function toSteady(svg: string): string {
  const seen: string[] = [];
  return svg
    .replaceAll(/svc_live_(\w{4})/g, (whole, start: string) => {
      if (!seen.includes(start)) seen.push(start);
      return `svc_live_${starts[seen.indexOf(start)] ?? whole}`;
    })
    .replaceAll(/>[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}</g, ">7K3QF-0M9XA-2HVTC-8PRWD<")
    .replaceAll(/>(?:this minute|\d+ minutes? ago)</g, ">this minute<")
    .replaceAll(/>\d\d:\d\d</g, ">10:00<")
    .replaceAll(/\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/g, "21 Nov");
}
