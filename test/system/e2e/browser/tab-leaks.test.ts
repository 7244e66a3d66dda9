import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { type Recorder, startRecorder } from "../recorder.ts";
import { type Browser, findBrowser, shareBrowser, type Page, watch } from "./browser.ts";
import { openDriver, runInTab } from "./tab-driver.ts";

// Every way out of a worker that a tool could try, with a mark in each address. The same attempts by a page are the control:
// there each arrives.
const found = findBrowser();

/** Attempts by name. Each settles, whether something was sent or not. */
const attempts = `
const settle = (start) => Promise.race([
  new Promise((resolve) => { try { start(resolve); } catch (error) { resolve(String(error)); } }),
  new Promise((resolve) => setTimeout(resolve, 3000, "nothing")),
]);
const blob = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
const at = (name) => origin + "/leak?" + mark + "-" + name;
const outcomes = {
  fetch: await settle((end) => fetch(at("fetch")).then(end, (error) => end(String(error)))),
  body: await settle((end) => fetch(origin + "/leak", { method: "POST", body: mark + "-body", keepalive: true }).then(end, (error) => end(String(error)))),
  noCors: await settle((end) => fetch(at("noCors"), { mode: "no-cors" }).then(end, (error) => end(String(error)))),
  request: await settle((end) => { const request = new XMLHttpRequest(); request.onloadend = end; request.open("GET", at("request")); request.send(); }),
  socket: await settle((end) => { const socket = new WebSocket(at("socket").replace("http", "ws")); socket.onclose = end; }),
  events: await settle((end) => { const source = new EventSource(at("events")); source.onerror = () => { source.close(); end(); }; }),
  import: await settle((end) => import(at("import")).then(end, (error) => end(String(error)))),
  importInBlob: await settle((end) => import(blob("import " + JSON.stringify(at("importInBlob")))).then(end, (error) => end(String(error)))),
  worker: await settle((end) => { const one = new Worker(trust(at("worker"))); one.onerror = end; }),
  workerOfBlob: await settle((end) => { const one = new Worker(trust(blob("fetch(" + JSON.stringify(at("workerOfBlob")) + ").then(postMessage, postMessage)"))); one.onerror = end; one.onmessage = end; }),
  font: await settle((end) => new FontFace("leak", "url(" + at("font") + ")").load().then(end, (error) => end(String(error)))),
  cache: await settle((end) => caches.open("leak").then((cache) => cache.add(at("cache"))).then(end, (error) => end(String(error)))),
  transport: await settle((end) => { const one = new WebTransport(at("transport").replace("http:", "https:")); one.ready.then(end, (error) => end(String(error))); one.closed.catch(() => {}); }),
  importScripts: await settle((end) => { importScripts(trust(at("importScripts"))); end(); }),
  need: await settle((end) => { postMessage({ kind: "need", names: ["../leak?" + mark + "-need", "x/../../leak?" + mark + "-need2"] }); setTimeout(end, 500); }),
};
return Object.keys(outcomes);`;

const script = (origin: string, mark: string, trust: string): string =>
  `(async () => { const origin = ${JSON.stringify(origin)}, mark = ${JSON.stringify(mark)}; const trust = ${trust}; ${attempts} })()`;

describe.runIf(found !== undefined)("the worker of a tab", () => {
  const folder = emptyFolder();
  let server: Server;
  let recorder: Recorder;
  let elsewhere: Recorder;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = await serve(folder.path);
    recorder = await startRecorder(server.url);
    elsewhere = await startRecorder(server.url);
    browser = await shareBrowser(found ?? "");
    ({ page } = await watch(browser));
    await page.goto(`${recorder.url}/sign-in`);
    await openDriver(page);
    const body = { kind: "input" as const, input: { data: '{"a":1}' } };
    await runInTab(page, [{ slug: "json-formatter", body, form: "text", check: false }]);
  });
  afterAll(async () => {
    await browser?.close();
    await recorder?.close();
    await elsewhere?.close();
    await server?.stop();
    folder.remove();
  });

  const marksIn = (mark: string): string[] =>
    [...recorder.sent, ...elsewhere.sent].flatMap((text) =>
      [...text.matchAll(new RegExp(`${mark}-(\\w+)`, "g"))].map(([, name]) => name ?? ""),
    );

  it("can reach neither the server nor any other", async () => {
    const [worker] = page.workers();
    // A tool cannot make a policy of Trusted Types; it may find that of the loader.
    const trust = "(url) => url";
    for (const { url } of [recorder, elsewhere]) {
      const tried = (await worker?.evaluate(script(url, "by-worker", trust))) as string[];
      expect(tried).toHaveLength(15);
    }
    expect(marksIn("by-worker")).toEqual([]);
  });

  it("could, if it were a page, which is the control", async () => {
    await page.evaluate(script(recorder.url, "by-page", "(url) => url"));
    await expect
      .poll(() => new Set(marksIn("by-page")), { timeout: 60_000 })
      .toEqual(new Set(["fetch", "body", "noCors", "request", "socket", "events", "import", "cache"]));
  });
});
