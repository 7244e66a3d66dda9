import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AdminClient } from "../../src/operations/client.ts";
import { type Browser, findBrowser, openBrowser, type Page } from "../system/e2e/browser/browser.ts";
import { type Figure, toFigure } from "./figures.ts";
import { addAccount, nameOf, openAdmin } from "./live-accounts.ts";
import { openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import type { Server } from "./server.ts";
import { dashboardFigures } from "./web-dashboards.ts";
import { filesOf, zippedSize } from "./web-files.ts";
import { toolboxFigures } from "./web-toolbox.ts";

/** Pages of the settings that are measured, and what shows that their content is there. */
const pages = [
  { path: "settings/keys", shown: "main table tbody tr" },
  { path: "settings/usage", shown: "main [role=tabpanel]" },
] as const;

const keys = 200;
const kilobyte = 1024;

/** Measures the toolbox and the pages of the settings in Chromium on loopback, and 500 open dashboards. */
export async function web(options: PartOptions): Promise<Figure[]> {
  const found = findBrowser();
  if (found === undefined) throw new Error("no browser was found (package chromium)");
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const server = await openPenknife(folder, options.command, { PENKNIFE_LOG_LEVEL: "error" });
  const browser = await openBrowser(found);
  const admin = await openAdmin(join(folder, "data", "penknife.sock"));
  try {
    const key = await addAccount(admin, 0);
    for (let more = 1; more < keys; more++)
      await admin.call("keys.issue", { account: nameOf(0), name: `job ${more}` });
    const rounds = options.quick ? 1 : 5;
    const figures = await shellFigures(server);
    for (const page of pages) {
      const { status } = await fetch(`${server.origin}/${page.path}`, { headers: { accept: "text/html" } });
      if (status === 200) figures.push(...(await pageFigures({ server, browser, admin, rounds }, page)));
      else options.say(`${page.path} is answered with ${status}`);
    }
    figures.push(await generateFigure({ server, browser, admin, rounds }));
    figures.push(await lagFigure({ server, browser, admin, rounds }, key));
    figures.push(...(await toolboxFigures({ origin: server.origin, browser, rounds })));
    return [...figures, ...(await dashboardFigures(options))];
  } finally {
    admin.close();
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Bench {
  server: Server;
  browser: Browser;
  admin: AdminClient;
  rounds: number;
}

/** Bytes of what every page loads. */
async function shellFigures({ origin }: Server): Promise<Figure[]> {
  const files = await filesOf(`${origin}/sign-in`);
  const sum = async (kind: string): Promise<number> =>
    (await Promise.all(files.filter((url) => url.endsWith(kind)).map(zippedSize))).reduce(
      (all, one) => all + one,
      0,
    );
  return [
    toFigure("web", "shell, scripts, gzip", "KB", [(await sum(".js")) / kilobyte], { atMost: 30 }),
    toFigure("web", "shell, style sheet, gzip", "KB", [(await sum(".css")) / kilobyte], { atMost: 10 }),
  ];
}

/** Bytes, first paint, content and movement of a page that a browser loads for the first time. */
async function pageFigures(bench: Bench, { path, shown }: (typeof pages)[number]): Promise<Figure[]> {
  const rounds = { fcp: [] as number[], content: [] as number[], moved: [] as number[] };
  const scripts = new Set<string>();
  for (let round = 0; round < bench.rounds; round++) {
    await visit(bench, path, async (page) => {
      page.on("request", (request) => void (request.url().endsWith(".js") && scripts.add(request.url())));
      await page.reload();
      await page.locator(shown).first().waitFor();
      const { fcp, content, moved } = (await page.evaluate(`new Promise((resolve) => {
        const content = performance.now();
        requestAnimationFrame(() => setTimeout(() => resolve({
          content,
          fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
          moved: window.moved,
        }), 500));
      })`)) as { fcp: number; content: number; moved: number };
      rounds.fcp.push(fcp);
      rounds.content.push(content);
      rounds.moved.push(moved);
    });
  }
  const shell = new Set(await filesOf(`${bench.server.origin}/sign-in`));
  const own = await Promise.all([...scripts].filter((url) => !shell.has(url)).map(zippedSize));
  const name = `/${path} with ${keys} keys`;
  return [
    toFigure(
      "web",
      `/${path}, scripts besides the shell, gzip`,
      "KB",
      [own.reduce((all, one) => all + one, 0) / kilobyte],
      { atMost: 60 },
    ),
    toFigure("web", `${name}, first contentful paint`, "ms", rounds.fcp, { atMost: 400 }),
    toFigure("web", `${name}, table shown`, "ms", rounds.content),
    toFigure("web", `${name}, layout shift`, "×", rounds.moved, { atMost: 0 }),
  ];
}

/** From the click until the new key is shown. */
async function generateFigure(bench: Bench): Promise<Figure> {
  const times: number[] = [];
  await visit(bench, "settings/keys", async (page) => {
    for (let round = 0; round < bench.rounds; round++) {
      await page.getByRole("button", { name: "Generate New Key" }).click();
      await page.locator("dialog input").click();
      const took = await page.evaluate(`new Promise((resolve) => {
        const begin = performance.now();
        const look = () => { if (document.querySelector("dialog pre") !== null) requestAnimationFrame(() => resolve(performance.now() - begin)); };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
        document.querySelector("dialog button.primary").click();
      })`);
      times.push(Number(took));
      await page.locator("dialog footer input[type=checkbox]").click();
      await page.getByRole("button", { name: "Close" }).click();
    }
  });
  return toFigure("web", "/settings/keys, from Generate to the shown key", "ms", times, { atMost: 150 });
}

/** From the answer to a call until the open page shows it. */
async function lagFigure(bench: Bench, key: string): Promise<Figure> {
  const lags: number[] = [];
  await visit(bench, "settings/usage", async (page) => {
    const used = `Number.parseInt(document.querySelector(".now dd")?.textContent.replaceAll(",", ""))`;
    await page.locator(".now dd").first().waitFor();
    for (let round = 0; round < bench.rounds * 2; round++) {
      // At any moment between two looks of the server.
      await sleep(Math.random() * 1000);
      const before = Number(await page.evaluate(used));
      const changed = page.evaluate(`new Promise((resolve) => {
        const look = () => { if (${used} > ${before}) resolve(Date.now()); };
        new MutationObserver(look).observe(document.querySelector(".now"), { subtree: true, childList: true, characterData: true });
        look();
      })`);
      await call(bench.server, key);
      const answered = Date.now();
      lags.push(Number(await changed) - answered);
    }
  });
  return toFigure("web", "/settings/usage, live usage behind the answer", "ms", lags, { atMost: 1000 });
}

async function call({ origin }: Server, key: string): Promise<void> {
  const answer = await fetch(`${origin}/api/tools/json-minifier`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: '{"data":"[1]"}',
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a call was answered with ${answer.status}`);
}

/** Signs in with a browser that has nothing in its cache, opens a page, and closes all of it afterwards. */
async function visit(
  { server, browser, admin }: Bench,
  path: string,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.addInitScript(
      `window.moved = 0; new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.moved += entry.value;
      }).observe({ type: "layout-shift", buffered: true });`,
    );
    const { code } = (await admin.call("login", { account: nameOf(0) })) as { code: string };
    await page.goto(`${server.origin}/sign-in#code=${code}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator("main").getByText("You are signed in").first().waitFor();
    await page.goto(`${server.origin}/${path}`);
    await act(page);
  } finally {
    await context.close();
  }
}
