import { once } from "node:events";
import { createServer, request, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases, maxSeconds } from "../../../support/cases.ts";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { startProxy } from "../proxy.ts";
import {
  type Browser,
  findBrowser,
  shareBrowser,
  type Page,
  type PageOptions,
  watch,
  type Watched,
} from "./browser.ts";
import { shareTab } from "./stage.ts";

// The pages in a real browser that can reach only the server.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of the pages skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const patience = { timeout: 60_000 };
const usual = { width: 1280, height: 720 };
const paths = [
  "/",
  "/tools",
  "/api",
  "/pipelines",
  "/nope",
  "/tools/json-formatter",
  "/problems/quota_exceeded",
  "/sign-in",
];
/** Chromium's own line for a page whose status is 404. */
const missing = "Failed to load resource: the server responded with a status of 404 (Not Found)";

describe.runIf(found !== undefined)("the pages", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;
  const inTab = shareTab(() => browser);

  beforeAll(async () => {
    server = await serve(folder.path, { PENKNIFE_SERVER_ALLOWED_HOSTS: "tools.example" });
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  /** Opens a page, hands it over, and expects it to have been quiet and to have asked this server alone. */
  async function visit(
    url: string,
    { viewport = usual, ...media }: Pick<PageOptions, "viewport" | "reducedMotion" | "forcedColors">,
    act: (page: Page, watched: Watched) => Promise<void>,
    tab = inTab,
  ): Promise<void> {
    await tab(async (watched) => {
      const { page } = watched;
      await page.setViewportSize(viewport);
      await page.emulateMedia({
        colorScheme: "light",
        forcedColors: "none",
        reducedMotion: "no-preference",
        ...media,
      });
      await page.goto(url);
      await act(page, watched);
      wasQuiet(watched, url);
    });
  }

  /** Expects a tab to have shown this address, `times` times, without a complaint and without asking another server. */
  function wasQuiet({ asked, lines, complaints }: Watched, url: string, times = 1): void {
    const { origin } = new URL(url);
    expect(asked.filter((one) => !one.replace(/^blob:/, "").startsWith(`${origin}/`))).toEqual([]);
    expect(lines.filter((line) => line !== missing)).toEqual([]);
    expect(complaints.filter((line) => line !== missing)).toEqual([]);
    expect(lines.filter((line) => line === missing)).toHaveLength(url.endsWith("/nope") ? times : 0);
  }

  /** Pastes what is in the clipboard into the page. */
  async function paste(page: Page): Promise<unknown> {
    await page.evaluate(`{
      const field = document.createElement("textarea");
      field.ariaLabel = "pasted";
      document.body.append(field);
      field.focus();
    }`);
    await page.keyboard.press("Control+V");
    return page.evaluate(`document.querySelector("[aria-label=pasted]").value`);
  }

  it("/ is a field for anything and the list of tools, and its links work", async () => {
    await visit(server.url, {}, async (page, { asked }) => {
      expect(await page.title()).toBe("penknife: developer tools over HTTP");
      await page.getByRole("heading", { name: "Paste anything." }).waitFor();
      const files = asked.map((url) => url.replace(/-[\w-]{16}\./, "-<hash>."));
      expect(files[0]).toBe(`${server.url}/`);
      for (const name of ["app-<hash>.css", "app-<hash>.js", "preact-<hash>.js"])
        expect(files.filter((url) => url === `${server.url}/web/${name}`)).toHaveLength(1);
      const links = (await page.evaluate(
        `[...document.querySelectorAll("a")].map((one) => one.href)`,
      )) as string[];
      expect(links.length).toBeGreaterThan(3);
      for (const link of cases(links, maxSeconds)) {
        const { status } = await fetch(link, { headers: { accept: "text/html, */*;q=0.8" } });
        expect([link, status]).toEqual([link, 200]);
      }
    });
  });

  const exampleOf = (host: string): string =>
    `curl http://${host}:${server.port}/api/tools/json-formatter \\\n  -H 'Content-Type: application/json' \\\n  -d '{"data":"{\\"a\\":1}"}'`;

  it("an example can be copied without the browser's clipboard, over plain HTTP", async () => {
    const host = "tools.example";
    await visit(`http://${host}:${server.port}/api`, {}, async (page) => {
      expect(await page.evaluate("isSecureContext")).toBe(false);
      await page.getByRole("button", { name: "Copy “Send JSON, get JSON”" }).click();
      await page.getByRole("button", { name: "Copied “Send JSON, get JSON”" }).waitFor();
      expect(String(await paste(page)).trim()).toBe(exampleOf(host));
    });
  });

  it("a page that is not there leads home, and to what explains it", async () => {
    await visit(`${server.url}/nope`, {}, async (page) => {
      expect(await page.title()).toBe("There is nothing here – penknife");
      await page.getByRole("link", { name: "About this problem" }).click();
      await page.locator("main").getByText("HTTP status 404").waitFor();
      expect(await page.title()).toBe("not_found: There is nothing here – penknife");
      await page.getByRole("link", { name: "penknife", exact: true }).click();
      await page.getByRole("heading", { name: "Paste anything." }).waitFor();
    });
  });

  it("the keyboard alone reaches and copies an example with the browser's clipboard, and shows where it is", async () => {
    await visit(`${server.url}/api`, { forcedColors: "active" }, async (page) => {
      const focused = async (): Promise<{ text: string; outline: string; shown: boolean }> =>
        (await page.evaluate(`(() => {
          const { activeElement: at } = document;
          const { outlineStyle, outlineWidth, clipPath } = getComputedStyle(at);
          return { text: at.textContent, outline: outlineStyle + " " + outlineWidth, shown: clipPath === "none" };
        })()`)) as { text: string; outline: string; shown: boolean };
      await page.getByRole("button", { name: "Copy “Send JSON, get JSON”" }).waitFor();
      await page.keyboard.press("Tab");
      expect(await focused()).toEqual({ text: "Skip to the content", outline: "solid 2px", shown: true });
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press("Tab");
        if ((await focused()).text.startsWith("Copy")) break;
      }
      expect(await focused()).toEqual({
        text: "Copy “Send JSON, get JSON”",
        outline: "solid 2px",
        shown: true,
      });
      expect(await page.evaluate("isSecureContext")).toBe(true);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Copied “Send JSON, get JSON”" }).waitFor();
      expect(String(await paste(page)).trim()).toBe(exampleOf("127.0.0.1"));
    });
  });

  it("moves unless a person prefers that nothing does", async () => {
    await visit(`${server.url}/sign-in`, { reducedMotion: "reduce" }, async (page) => {
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      const style = `getComputedStyle(document.querySelector("button")).transitionDuration`;
      expect(await page.evaluate(style)).toBe("0s");
      await page.emulateMedia({ reducedMotion: "no-preference" });
      expect(await page.evaluate(style)).toBe("0.12s, 0.12s");
    });
  });

  describe("without JavaScript", () => {
    let page: Page;
    beforeAll(async () => {
      page = await browser.newPage({ javaScriptEnabled: false });
    });

    it.each(paths)("%s is complete, says so, and links what describes the API", async (path) => {
      await page.goto(server.url + path);
      expect(await page.locator("h1").innerText()).not.toBe("");
      expect(await page.locator("noscript p").first().innerText()).toContain("JavaScript is off");
      for (const [name, text] of [
        ["openapi.json", '"openapi":"3.1'],
        ["llms.txt", "# penknife"],
      ] as const) {
        // The browser itself takes long to show the first.
        const url = await page.getByRole("link", { name, exact: true }).evaluate(({ href }) => href);
        expect(await (await fetch(url)).text()).toContain(text);
      }
    });
  });

  it("keeps injected code from running, from becoming HTML and from calling other servers, and is in no frame", async () => {
    const heard: string[] = [];
    const thief = createServer((req, res) => {
      heard.push(req.url ?? "");
      res.setHeader("Content-Type", "text/html").end(`<iframe src="${server.url}/"></iframe>`);
    }).listen(0, "127.0.0.1");
    await once(thief, "listening");
    const { port } = thief.address() as AddressInfo;
    const theirs = `http://127.0.0.1:${port}`;
    const { page, complaints } = await watch(browser);
    try {
      await page.goto(server.url);
      const error = await page.evaluate(`(() => {
        document.body.append(Object.assign(document.createElement("img"), { src: "${theirs}/image" }));
        fetch("${theirs}/stolen").catch(() => {});
        const refused = [];
        for (const act of [
          () => { document.body.innerHTML = "<b>"; },
          () => { document.createElement("script").src = "${theirs}/script"; },
          () => { setTimeout("window.ran = true"); },
          () => { trustedTypes.createPolicy("other", {}); },
        ]) try { act(); } catch ({ name }) { refused.push(name); }
        return refused;
      })()`);
      expect(error).toEqual(["TypeError", "TypeError", "TypeError", "TypeError"]);
      await expect
        .poll(() => complaints.filter((text) => text.startsWith("policy: ")).toSorted(), patience)
        .toEqual([
          `policy: connect-src ${theirs}/stolen`,
          `policy: img-src ${theirs}/image`,
          ...Array.from({ length: 3 }, () => "policy: require-trusted-types-for trusted-types-sink"),
          "policy: trusted-types trusted-types-policy",
        ]);
      expect(await page.evaluate("window.ran")).toBeUndefined();
      expect(heard).toEqual([]);
      await page.goto(`http://evil.example:${port}/`);
      const framed = `document.querySelector("iframe").contentDocument?.body?.textContent ?? ""`;
      await expect.poll(() => complaints.join("\n"), patience).toMatch(/frame|ERR_BLOCKED|403/i);
      expect(await page.evaluate(framed)).not.toContain("tools");
    } finally {
      await page.close();
      thief.close();
    }
  });

  it("says that the server was upgraded, and reloads on a click", async () => {
    const other = "another-build---";
    const replaceBuild = (content: string): string =>
      content.replace(/(?<=data-build="|"build":")[\w-]{16}(?=")/, other);
    const old = await startProxyOf(server.port, { change: replaceBuild });
    const { port } = old.address() as AddressInfo;
    let upgraded: HttpServer | undefined;
    try {
      await visit(`http://127.0.0.1:${port}/api`, {}, async (page, { complaints, lines }) => {
        const build = `document.documentElement.dataset.build`;
        expect(await page.evaluate(build)).toBe(other);
        const comeBack = `fetch("/web/build").then(() => { dispatchEvent(new Event("focus")); return ""; }, () => "")`;
        await page.getByRole("button", { name: "Copy “Send JSON, get JSON”" }).waitFor();
        await page.evaluate(comeBack);
        expect(await page.getByRole("button", { name: "Reload this page" }).count()).toBe(0);
        await stopProxy(old);
        // The server is away: the page waits, whatever Chromium writes about it.
        // It does not ask while an earlier question is open, and is not to ask once more after the answer.
        const ask = async (): Promise<string> => {
          if (lines.length === 0) await page.evaluate(`dispatchEvent(new Event("focus"))`);
          return lines.join();
        };
        await expect.poll(ask, patience).toContain("ERR_CONNECTION_REFUSED");
        expect(await page.getByRole("button", { name: "Reload this page" }).count()).toBe(0);
        lines.length = complaints.length = 0;
        upgraded = await startProxyOf(server.port, { listen: port });
        await page.evaluate(comeBack);
        await page.getByRole("status").getByText("The server was upgraded.").waitFor();
        await page.getByRole("button", { name: "Reload this page" }).click();
        await expect.poll(() => page.evaluate(build).catch(() => other), patience).not.toBe(other);
        await page.evaluate(comeBack);
        expect(await page.getByRole("button", { name: "Reload this page" }).count()).toBe(0);
      });
    } finally {
      await stopProxy(old);
      if (upgraded !== undefined) await stopProxy(upgraded);
    }
  });

  it("works over HTTPS below a base path, behind the proxy of config/nginx.conf", async () => {
    const second = emptyFolder();
    const below = await serve(second.path, {
      PENKNIFE_SERVER_BASE_PATH: "/a/b",
      PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1",
    });
    const proxy = await startProxy(second.path, [below.port]);
    try {
      const root = `https://localhost:${proxy.port}/a/b`;
      const url = `${root}/api`;
      const insecure = await browser.newContext({ ignoreHTTPSErrors: true });
      const act = async (page: Page, { asked }: Watched): Promise<void> => {
        await page.getByRole("button", { name: "Copy “Send JSON, get JSON”" }).waitFor();
        expect(await page.locator("pre").first().innerText()).toContain(`curl ${root}/api/tools/`);
        expect(asked.filter((one) => !one.startsWith(`${root}/`))).toEqual([]);
      };
      await visit(
        url,
        {},
        act,
        shareTab(() => insecure),
      );
      await insecure.close();
    } finally {
      await proxy.stop();
      await below.stop();
      second.remove();
    }
  });

  it("works behind a proxy that puts a prefix before every path", async () => {
    const proxy = await startProxyOf(server.port, { prefix: "/some/prefix" });
    const { port } = proxy.address() as AddressInfo;
    try {
      for (const path of paths) {
        await visit(`http://127.0.0.1:${port}/some/prefix${path}`, {}, async (page, { asked }) => {
          const prefix = `http://127.0.0.1:${port}/some/prefix/`;
          expect(asked.filter((url) => !url.startsWith(prefix))).toEqual([]);
          expect(await page.evaluate(`document.styleSheets.length`)).toBe(1);
          if (path !== "/") await page.getByRole("link", { name: "penknife", exact: true }).click();
          await page.getByRole("heading", { name: "Paste anything." }).waitFor();
          await page.getByRole("button", { name: "API", exact: true }).click();
          await page.getByRole("menuitem", { name: "Reference" }).click();
          await page.getByRole("button", { name: "Copy “Send JSON, get JSON”" }).waitFor();
          expect(asked.at(-1)?.startsWith(prefix)).toBe(true);
          // The server does not know of the prefix.
          expect(await page.locator("pre").first().innerText()).toContain(`curl ${prefix}api/tools/`);
        });
      }
    } finally {
      await stopProxy(proxy);
    }
  });
});

interface Passing {
  /** Put before every path, and removed on the way to the server. */
  prefix?: string;
  /** Changes the pages and what is JSON. */
  change?: (content: string) => string;
  /** The port to listen on; a free one if it is not given. */
  listen?: number;
}

/** Starts a proxy in front of a server. */
async function startProxyOf(port: number, { prefix = "", change, listen = 0 }: Passing): Promise<HttpServer> {
  const proxy = createServer((req, res) => {
    const path = req.url?.startsWith(`${prefix}/`) === true ? req.url.slice(prefix.length) : "/";
    const { "accept-encoding": _coding, ...rest } = req.headers;
    const headers = change === undefined ? req.headers : rest;
    const passed = request({ port, path, method: req.method, headers }, (answer) => {
      const { "content-length": _length, etag: _etag, ...own } = answer.headers;
      const isChanged = change !== undefined && /html|json/.test(own["content-type"] ?? "");
      res.writeHead(answer.statusCode ?? 502, isChanged ? own : answer.headers);
      if (isChanged) void readText(answer).then((whole) => res.end(change(whole)));
      else answer.pipe(res);
    });
    passed.on("error", () => res.destroy());
    req.pipe(passed);
  }).listen(listen, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}

async function stopProxy(proxy: HttpServer): Promise<void> {
  if (!proxy.listening) return;
  const closed = once(proxy, "close");
  proxy.close();
  proxy.closeAllConnections();
  await closed;
}
