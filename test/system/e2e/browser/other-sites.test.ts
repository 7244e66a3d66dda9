import { createServer, type Server as HttpServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callTool, emptyFolder, serve, type Server } from "../harness.ts";
import { type Browser, findBrowser, shareBrowser, type Page } from "./browser.ts";
import { shareTab } from "./stage.ts";

// Tests in a real browser what pages of other sites, and one that uses DNS rebinding, can do.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of other sites skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const query = "query=%7B__typename%7D";

describe.runIf(found !== undefined)("a browser", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;
  let site: HttpServer;
  let sitePort = 0;

  beforeAll(async () => {
    // An empty page for every path of every name.
    site = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end("<!doctype html><title>elsewhere</title><body></body>");
    }).listen(0, "127.0.0.1");
    await once(site, "listening");
    sitePort = (site.address() as AddressInfo).port;
    server = await serve(folder.path);
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    site?.close();
    folder.remove();
  });

  /** Requests in the server's log since the last call, except those for icons. */
  let seen = 0;
  async function arrived(): Promise<
    { status: number; path: string; method: string; tool?: string; outcome: string }[]
  > {
    const marker = `marker-${seen}`;
    await call(`${server.url}/api/tools`, { headers: { "X-Request-Id": marker } });
    await expect.poll(() => server.stdout().includes(marker), { timeout: 60_000 }).toBe(true);
    const lines = server
      .stdout()
      .trim()
      .split("\n")
      .filter((line) => line.includes('"request"'));
    const fresh = lines.slice(seen);
    seen = lines.length;
    return fresh
      .map(
        (line) =>
          JSON.parse(line) as {
            requestId: string;
            status: number;
            path: string;
            method: string;
            outcome: string;
          },
      )
      .filter(({ requestId, path }) => requestId !== marker && !path.includes("favicon"));
  }

  /** Anonymous requests that this machine has left of 100 an hour, before this one. */
  async function left(): Promise<number> {
    const { headers } = await callTool(server, "json-formatter", { data: "1" });
    return Number(headers["x-ratelimit-remaining"]) + 1;
  }

  /** Everything that a page can do without a preflight request. Each attempt ends, with or without success. */
  const attempts = (base: string): string => `(async () => {
    const base = ${JSON.stringify(base)};
    const body = '{"data":"[1]"}';
    const tool = base + "/api/tools/json-formatter";
    const ended = [];
    const tryTo = (name, attempt) => attempt().then(
      (value) => ended.push(name + ": " + value), (error) => ended.push(name + ": " + error.name));
    const element = (tag, attribute, url) => new Promise((resolve) => {
      const node = Object.assign(document.createElement(tag), { onload: () => resolve("loaded"), onerror: () => resolve("failed") });
      node[attribute] = url;
      document.body.append(node);
    });
    const post = (type, mode) => () => fetch(tool, { method: "POST", mode, body, headers: { "Content-Type": type } }).then(({ status }) => status);
    await tryTo("GET /graphql no-cors", () => fetch(base + "/graphql?${query}", { mode: "no-cors" }).then(({ status }) => status));
    await tryTo("GET /graphql", () => fetch(base + "/graphql?${query}").then(({ status }) => status));
    await tryTo("GET /graphql with the header", () => fetch(base + "/graphql?${query}", { headers: { "GraphQL-Require-Preflight": "1" } }).then(({ status }) => status));
    await tryTo("text no-cors", post("text/plain", "no-cors"));
    await tryTo("text", post("text/plain", "cors"));
    await tryTo("JSON", post("application/json", "cors"));
    await tryTo("beacon", async () => navigator.sendBeacon(tool, body));
    await tryTo("image", () => element("img", "src", base + "/graphql?${query}&from=img"));
    await tryTo("script", () => element("script", "src", base + "/graphql?${query}&from=script"));
    await tryTo("frame", () => element("iframe", "src", base + "/graphql?${query}&from=iframe"));
    await tryTo("form in a frame", () => new Promise((resolve) => {
      const frame = Object.assign(document.createElement("iframe"), { name: "target" });
      const form = Object.assign(document.createElement("form"), { method: "POST", action: tool, enctype: "text/plain", target: "target" });
      document.body.append(frame, form);
      frame.onload = () => resolve("loaded");
      form.submit();
    }));
    await tryTo("event stream", () => new Promise((resolve) => {
      const source = new EventSource(base + "/graphql?query=subscription%7Busage%7Bused%7D%7D");
      source.onopen = () => { source.close(); resolve("open"); };
      source.onerror = () => { source.close(); resolve("failed"); };
    }));
    await tryTo("WebSocket", () => new Promise((resolve) => {
      const socket = new WebSocket(base.replace("http", "ws") + "/graphql", "graphql-transport-ws");
      socket.onopen = () => { socket.close(); resolve("open"); };
      socket.onerror = () => resolve("failed");
    }));
    return ended;
  })()`;

  const inTab = shareTab(() => browser);
  const visit = (url: string, act: (page: Page) => Promise<void>): Promise<void> =>
    inTab(async ({ page }) => {
      await page.goto(url);
      await act(page);
    });

  const isRefused = ({
    status,
    path,
    method,
    outcome,
  }: {
    status: number;
    path: string;
    method: string;
    outcome: string;
  }): boolean =>
    (status === 403 && outcome === "cross_site") ||
    (status === 421 && outcome === "misdirected_request") ||
    // A page of the test's own that runs nothing.
    (status === 200 && method === "GET" && path === "/graphiql");

  it.each([
    ["of another site", () => `http://evil.example:${sitePort}/`],
    ["of another port of the same address", () => `http://127.0.0.1:${sitePort}/`],
    ["of localhost, which is another site than its address", () => `http://localhost:${sitePort}/`],
  ])("runs and counts nothing for a page %s", async (_, url) => {
    await visit(url(), async (page) => {
      const before = await left();
      await arrived();
      const ended = (await page.evaluate(attempts(server.url))) as string[];
      expect(ended).toHaveLength(13);
      // The browser did send the requests, so the server refused them.
      const requests = await arrived();
      expect(requests.length).toBeGreaterThanOrEqual(11);
      expect(requests.filter((one) => !isRefused(one))).toEqual([]);
      expect(ended).toContain("WebSocket: failed");
      expect(ended.filter((text) => /: 2\d\d$|: open$/.test(text))).toEqual([]);
      expect(await left()).toBe(before - 1);
    });
  });

  it("runs nothing for a page that uses DNS rebinding", async () => {
    // The address of the name changes once its page is there; the port is the server's from the beginning. Here an
    // image of the server does for that page: the origin is what counts.
    const rebound = `http://evil.example:${server.port}`;
    const before = await left();
    await arrived();
    await visit(`${rebound}/healthz`, async (page) => {
      expect((await arrived()).map(({ status }) => status)).toEqual([]);
      const ended = (await page.evaluate(attempts(rebound))) as string[];
      expect(ended).toHaveLength(13);
      const requests = await arrived();
      expect(requests.length).toBeGreaterThanOrEqual(12);
      expect(requests.filter((one) => !isRefused(one))).toEqual([]);
      expect(requests.filter(({ status }) => status === 421).length).toBeGreaterThanOrEqual(12);
      expect(ended).toContain("WebSocket: failed");
      expect(ended.filter((text) => /: 2\d\d$|: open$/.test(text))).toEqual([]);
      expect(await left()).toBe(before - 1);
    });
  });

  it("runs everything for a page of the server's own", async () => {
    await visit(`${server.url}/graphql/schema.graphql`, async (page) => {
      const ended = (await page.evaluate(attempts(server.url))) as string[];
      for (const text of [
        "GET /graphql: 200",
        "GET /graphql with the header: 200",
        "text: 200",
        "JSON: 200",
        "event stream: open",
        "WebSocket: open",
      ])
        expect(ended).toContain(text);
    });
  });

  it("serves a page and a document to a link from another site", async () => {
    const elsewhere = `http://evil.example:${sitePort}/`;
    // GraphiQL itself would request the schema, which counts.
    const scripts = "**/graphql/graphiql/**";
    await inTab(async ({ page }) => {
      await page.route(scripts, (route) => route.abort());
      for (const [path, status] of [
        ["/graphql?query=%7B__typename%7D", 200],
        ["/api/tools", 200],
        ["/problems/cross_site", 200],
        ["/api/inboxes", 403],
      ] as const) {
        await page.goto(elsewhere);
        await arrived();
        const before = await left();
        await arrived();
        await page.evaluate(`(() => {
        const link = Object.assign(document.createElement("a"), { href: ${JSON.stringify(server.url + path)}, textContent: "there", id: "there" });
        document.body.append(link);
      })()`);
        await page.locator("#there").click();
        await expect
          .poll(
            async () =>
              (await arrived()).filter(({ path: asked }) => path.startsWith(asked)).map((one) => one.status),
            {
              timeout: 60_000,
            },
          )
          .toEqual([status]);
        expect(await left()).toBe(before - 1);
      }
      await page.unroute(scripts);
    });
  });

  it("allows calls from a page of a listed origin", async () => {
    const own = emptyFolder();
    const origin = `http://allowed.example:${sitePort}`;
    const sharing = await serve(own.path, { PENKNIFE_SERVER_CORS_ORIGINS: origin });
    try {
      await visit(`${origin}/`, async (page) => {
        const ended = (await page.evaluate(attempts(sharing.url))) as string[];
        for (const text of ["GET /graphql with the header: 200", "text: 200", "JSON: 200", "WebSocket: open"])
          expect(ended).toContain(text);
        expect(ended).toContain("GET /graphql: 403");
      });
    } finally {
      await sharing.stop();
      own.remove();
    }
  });
});
