import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { Browser, Page } from "../system/e2e/browser/browser.ts";
import { type Figure, ratios, toFigure } from "./figures.ts";
import { filesOf, zippedSize } from "./web-files.ts";
import { largeFigures } from "./web-large.ts";
import { setup, type ToolboxBench } from "./web-script.ts";

const root = new URL("../../", import.meta.url).pathname;
const kilobyte = 1024;

/** Measures the pages of the toolbox: what they load, when they paint, and how fast they answer a keystroke. */
export async function toolboxFigures(bench: ToolboxBench): Promise<Figure[]> {
  return [
    ...assetFigures(),
    ...(await firstToolFigures(bench)),
    ...(await paintFigures(bench, 1, { fcp: 300, lcp: 800 })),
    ...(await paintFigures(bench, 4, { fcp: 1000, lcp: 1500 })),
    ...(await keystrokeFigures(bench)),
    ...(await largeFigures(bench)),
  ];
}

/**
 * The sizes of all that the executable can send to a browser: the pages themselves, and the tools and their libraries, each of which is
 * fetched when its tool is used. The second has no bound, since it grows with the catalogue; what one tool loads is measured below.
 */
function assetFigures(): Figure[] {
  const folder = join(root, "dist/web");
  const { files } = JSON.parse(readFileSync(join(folder, "files.json"), "utf8")) as { files: string[] };
  const own = new Set(files.map((name) => `${name}.br`));
  const sum = (names: readonly string[]): number =>
    names.reduce((all, name) => all + statSync(join(folder, name)).size, 0) / kilobyte;
  const all = globSync("*.br", { cwd: folder });
  const ofTools = all.filter((name) => !own.has(name));
  return [
    toFigure(
      "web",
      "all scripts and styles of the pages, brotli",
      "KB",
      [sum(all.filter((name) => own.has(name)))],
      {
        atMost: 300,
      },
    ),
    toFigure("web", `tools and libraries fetched on use, ${ofTools.length} files, brotli`, "KB", [
      sum(ofTools),
    ]),
  ];
}

/** Measures the scripts that json-formatter loads: its page, the worker until the first result, and the editor after the first paint. */
async function firstToolFigures({ origin, browser }: ToolboxBench): Promise<Figure[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const asked = new Set<string>();
    page.on("request", (request) => void (request.url().endsWith(".js") && asked.add(request.url())));
    await page.goto(`${origin}/tools/json-formatter`);
    await page.locator(".editor .cm-content").waitFor();
    await page.evaluate(setup("editor"));
    await page.evaluate(`bench.paste('{"a":1}')`);
    const early = (await page.evaluate(`(() => {
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      return performance.getEntriesByType("resource")
        .filter(({ name }) => /\\/(?:code-view|json-colours)-/.test(name)).every(({ startTime }) => startTime > paint.startTime);
    })()`)) as boolean;
    if (!early) throw new Error("the editor was fetched before the first paint");
    const shell = new Set(await filesOf(`${origin}/sign-in`));
    const own = [...asked].filter((url) => !url.startsWith("blob:") && !shell.has(url));
    const ofWorker = await workerScripts(page, origin);
    const sum = async (isOne: (url: string) => boolean): Promise<number> =>
      (await Promise.all(own.filter(isOne).map(zippedSize))).reduce((all, one) => all + one, 0) / kilobyte;
    const isEditor = (url: string): boolean => /\/(?:code-view|json-colours)-/.test(url);
    const isOfWorker = (url: string): boolean => ofWorker.has(url);
    const isOfPage = (url: string): boolean => !isEditor(url) && !isOfWorker(url);
    return [
      toFigure("web", "editor, fetched after the first paint, gzip", "KB", [await sum(isEditor)], {
        atMost: 120,
      }),
      toFigure("web", "worker with json-formatter, gzip", "KB", [await sum(isOfWorker)], { atMost: 65 }),
      toFigure("web", "/tools/json-formatter, scripts besides the shell, gzip", "KB", [await sum(isOfPage)]),
      toFigure(
        "web",
        "/tools/json-formatter, first visit with the shell and a result, gzip",
        "KB",
        [(await sum(() => true)) + (await sizeOfShell(shell))],
        { atMost: 250 },
      ),
    ];
  } finally {
    await context.close();
  }
}

const sizeOfShell = async (files: Iterable<string>): Promise<number> =>
  (await Promise.all([...files].map(zippedSize))).reduce((all, one) => all + one, 0) / kilobyte;

/** The URLs of all scripts of the worker. */
async function workerScripts(page: Page, origin: string): Promise<ReadonlySet<string>> {
  const file = String(await page.evaluate("document.documentElement.dataset.tab"));
  const { loader, requirements } = (await (await fetch(`${origin}/web/${file}`)).json()) as {
    loader: string;
    requirements: Record<string, unknown>;
  };
  const names = [loader, ...Object.keys(requirements).map((name) => `${name}.js`)];
  return new Set(names.map((name) => `${origin}/web/${name}`));
}

const observe = `window.moved = 0; window.largest = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.moved += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.largest = entry.startTime; })
    .observe({ type: "largest-contentful-paint", buffered: true });`;

/** First and largest paint and movement of pages that a browser with an empty cache loads. @param slower Divides the speed of the CPU. */
async function paintFigures(
  { origin, browser, rounds }: ToolboxBench,
  slower: number,
  most: { fcp: number; lcp: number },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const path of ["/", "/tools/json-formatter"]) {
    const [fcp, lcp, moved] = [[], [], []] as [number[], number[], number[]];
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      const devTools = await context.newCDPSession(page);
      await devTools.send("Emulation.setCPUThrottlingRate", { rate: slower });
      await page.addInitScript(observe);
      await page.goto(origin + path);
      await page.locator(".editor .cm-content, .paste textarea").first().waitFor();
      const seen = (await page.evaluate(`new Promise((resolve) => setTimeout(() => resolve({
        fcp: performance.getEntriesByName("first-contentful-paint")[0].startTime, lcp: largest, moved,
      }), 500))`)) as { fcp: number; lcp: number; moved: number };
      fcp.push(seen.fcp);
      lcp.push(seen.lcp);
      moved.push(seen.moved);
      await context.close();
    }
    const name = `${path}${slower === 1 ? "" : `, CPU ${slower} × slower`}`;
    figures.push(
      toFigure("web", `${name}, first contentful paint`, "ms", fcp, { atMost: most.fcp }),
      toFigure("web", `${name}, largest contentful paint`, "ms", lcp, { atMost: most.lcp }),
      toFigure("web", `${name}, layout shift`, "×", moved, { atMost: 0 }),
    );
  }
  return figures;
}

const sizes = [
  { name: "10 KB", bytes: 1e4, result: 30 },
  { name: "1 MB", bytes: 1e6, result: 150, task: 50 },
  { name: "10 MB", bytes: 1e7, result: 800, task: 200 },
] as const;

interface Measured {
  /** From the key until the page shows the result, in ms. */
  result: number;
  /** The longest task of the main thread after the paste and after the key, in ms; less than 50 counts as 0. */
  pasteTask: number;
  keyTask: number;
}

/** A keystroke in json-formatter, beside a page of CodeMirror that formats with JSON.parse and JSON.stringify. */
async function keystrokeFigures(bench: ToolboxBench): Promise<Figure[]> {
  const peer = await servePeer();
  const figures: Figure[] = [];
  try {
    const ours = await openEditor(bench.browser, `${bench.origin}/tools/json-formatter`, "editor");
    const theirs = await openEditor(bench.browser, peer.url, "peer");
    for (const { name, bytes, result, ...more } of sizes) {
      const [own, other] = [[], []] as [Measured[], Measured[]];
      for (let round = 0; round < bench.rounds; round++) {
        own.push((await ours.evaluate(`bench.measure(${bytes})`)) as Measured);
        other.push((await theirs.evaluate(`bench.measure(${bytes})`)) as Measured);
      }
      const of = (all: readonly Measured[], key: keyof Measured): number[] => all.map((one) => one[key]);
      const task = "task" in more ? { atMost: more.task } : {};
      figures.push(
        toFigure("web", `${name}, key to result`, "ms", of(own, "result"), { atMost: result }),
        toFigure("web", `${name}, key to result, CodeMirror with JSON.parse`, "ms", of(other, "result")),
        toFigure(
          "web",
          `${name}, key to result, to that page`,
          "×",
          ratios(of(own, "result"), of(other, "result")),
        ),
        toFigure("web", `${name}, longest task after a key`, "ms", of(own, "keyTask"), task),
        toFigure(
          "web",
          `${name}, longest task after a key, CodeMirror with JSON.parse`,
          "ms",
          of(other, "keyTask"),
        ),
        toFigure("web", `${name}, longest task of a paste`, "ms", of(own, "pasteTask"), task),
        toFigure(
          "web",
          `${name}, longest task of a paste, CodeMirror with JSON.parse`,
          "ms",
          of(other, "pasteTask"),
        ),
      );
    }
    await ours.close();
    await theirs.close();
  } finally {
    await peer.close();
  }
  return figures;
}

async function openEditor(browser: Browser, url: string, kind: "editor" | "peer"): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.locator(".cm-content").first().waitFor();
  await page.evaluate(setup(kind));
  await page.evaluate("bench.measure(1000)");
  return page;
}

/** Serves the other page, with the same library for its two boxes. */
async function servePeer(): Promise<{ url: string; close(): Promise<void> }> {
  const build = await rolldown({
    input: join(import.meta.dirname, "peers/editor-page.ts"),
    platform: "browser",
    cwd: root,
    tsconfig: false,
    checks: { pluginTimings: false },
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const script = output[0].code;
  const server: HttpServer = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(
      isScript
        ? script
        : `<!doctype html><title>peer</title><body><script type="module" src="/page.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
