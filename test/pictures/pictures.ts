import { join } from "node:path";
import { createHistoryUsage } from "../../src/storage/history/usage.ts";
import { hourMs, noCounts, type UsageRow } from "../../src/storage/usage/usage-store.ts";
import { findBrowser, openBrowser, type Page } from "../system/e2e/browser/browser.ts";
import { call, emptyFolder, penknife, serve } from "../system/e2e/harness.ts";
import { setInput } from "../system/e2e/browser/editor.ts";
import { openHistory } from "../support/history.ts";
import { putText, textsOf } from "../support/stored-records.ts";
import { draw } from "./draw.ts";

export const pictureNames = [
  "home",
  "jwt-decoder",
  "json-formatter",
  "json-validator",
  "text-differ",
  "palette",
  "sign-in",
  "keys",
  "usage",
  "webhooks",
] as const;
export type PictureName = (typeof pictureNames)[number];

/** Draws a part of the pages that a journey visits; `wanted` are those that it must visit. */
interface Journey {
  wanted: readonly PictureName[];
  take(name: PictureName): Promise<void>;
}

/** The pictures of the documents, by name: the pages of the executable, drawn as SVG by the script of a journey. */
export async function makePictures(
  open = openBrowser,
  schemes: readonly ("light" | "dark")[] = ["light", "dark"],
  wanted: readonly PictureName[] = pictureNames,
): Promise<Map<string, string>> {
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
  const browser = await open(found);
  const pictures = new Map<string, string>();
  try {
    const context = await browser.newContext({
      viewport: { width: 1000, height: 800 },
      locale: "en-GB",
      timezoneId: "UTC",
      // Colours that change slowly would be drawn half-way.
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const take = async (name: PictureName): Promise<void> => {
      if (!wanted.includes(name)) return;
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        // Colours of the other theme would be read before the next frame.
        await page.evaluate(
          "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        const drawn = toSteady(await draw(page, 1500));
        pictures.set(colorScheme === "light" ? name : `${name}-dark`, drawn);
      }
    };
    await takeToolbox(server.url, page, { wanted, take });
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
    if (wanted.includes("webhooks")) {
      await page.goto(`${server.url}/settings/webhooks`);
      await page.locator("main").getByText("This account has no endpoints yet.").waitFor();
      await take("webhooks");
    }
    return pictures;
  } finally {
    await browser.close();
    await server.stop();
    folder.remove();
  }
}

/** The pages of the toolbox, with what a person may have given them. */
async function takeToolbox(url: string, page: Page, { wanted, take }: Journey): Promise<void> {
  const token =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJqYW5lIiwicm9sZSI6ImFkbWluIiwiaWF0IjoxNzAwMDAwMDAwfQ.4Jvu0pBBkWFLZlOTwkXBk5hMqJsMsBGvMjGGQ4rQ2nQ";
  await page.goto(`${url}/`);
  await setInput(page, token);
  await page.getByRole("button", { name: "Open JWT decoder" }).waitFor();
  await take("home");
  const takeTool = async (
    slug: PictureName,
    text: string,
    shown = ".result-pane .shown > *",
  ): Promise<void> => {
    if (!wanted.includes(slug)) return;
    await page.goto(`${url}/tools/${slug}`);
    await setInput(page, text);
    await page.locator(shown).first().waitFor();
    await isMeasured(page);
    await take(slug);
  };
  await takeTool("jwt-decoder", token);
  await takeTool("json-formatter", '{"id":12345678901234567890,"price":1.0,"tags":["a","b"]}');
  const faulty = '{\n  "name": "jane",\n  "name": "john",\n  "roles": ["admin",]\n}';
  await takeTool("json-validator", faulty);
  await page.goto(`${url}/tools/text-differ`);
  await setInput(page, "server:\n  port: 8787\nlog: info\n");
  await setInput(page, "server:\n  port: 9090\n  host: 0.0.0.0\nlog: info\n", 1);
  await page.locator(".result-pane .shown > *").first().waitFor();
  await isMeasured(page);
  await take("text-differ");
  if (!wanted.includes("palette")) return;
  await page.goto(`${url}/tools/json-formatter`);
  await page.locator(".editor .cm-content").waitFor();
  await page.keyboard.press("Control+k");
  await page.locator(".palette [role=option]").first().waitFor();
  await page.keyboard.insertText("md5");
  await page.getByRole("option", { name: "Hash generator" }).first().waitFor();
  await take("palette");
}

/** Waits for the sizes in the status line, which come after the result. */
const isMeasured = (page: Page): Promise<void> =>
  page
    .locator(".status-line")
    .getByText(/\d (?:B|KB)\b/)
    .first()
    .waitFor();

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
  await page.getByRole("radio", { name: "90 days" }).click();
  await page.locator("#times").getByText("Requests by day").waitFor();
}

/** Writes the usage of 90 days for an account that is as old; a day has more calls than a night. */
async function addHistory(data: string, keys: readonly string[]): Promise<void> {
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const day = 24 * hourMs;
  const record = JSON.parse(textsOf(data, "accounts").get("acme") ?? "") as object;
  const createdAt = new Date(now - 100 * day).toISOString();
  putText(data, "accounts:acme", JSON.stringify({ ...record, createdAt }));
  const history = openHistory(data, (error) => {
    throw error;
  });
  const usage = createHistoryUsage(history);
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
  await history.close();
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
    .replaceAll(/(?<=>|until )\d\d:\d\d</g, "10:00<")
    .replaceAll(/\b\d+(?:\.\d+)? m?s</g, "0.3 ms<")
    .replaceAll(/\b\d\d:\d\d:\d\d</g, "10:00:00<")
    .replaceAll(/\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/g, "21 Nov");
}
