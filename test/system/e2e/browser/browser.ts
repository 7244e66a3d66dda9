import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

// The part of playwright-core that these tests use; its own types are not installed for a type check.
export interface Browser {
  newContext(options?: PageOptions): Promise<BrowserContext>;
  newPage(options?: PageOptions): Promise<Page>;
  contexts(): BrowserContext[];
  isConnected(): boolean;
  close(): Promise<void>;
}

/** Pages that share cookies, as the windows of one person do. */
export interface BrowserContext {
  newPage(options?: PageOptions): Promise<Page>;
  cookies(): Promise<Cookie[]>;
  clearCookies(): Promise<void>;
  addCookies(cookies: (Cookie & { domain: string; secure: boolean })[]): Promise<void>;
  /** Opens the DevTools protocol of a page. */
  newCDPSession(page: Page): Promise<{ send(method: string, values: unknown): Promise<unknown> }>;
  close(): Promise<void>;
}

export interface Cookie {
  name: string;
  value: string;
  path: string;
  httpOnly: boolean;
  sameSite: string;
}

export interface PageOptions {
  viewport?: { width: number; height: number };
  colorScheme?: "light" | "dark";
  reducedMotion?: "reduce" | "no-preference";
  forcedColors?: "active" | "none";
  javaScriptEnabled?: boolean;
  ignoreHTTPSErrors?: boolean;
  locale?: string;
  timezoneId?: string;
}

export interface Page {
  goto(url: string): Promise<unknown>;
  /** Waits until the page has loaded this address. */
  waitForURL(url: string): Promise<void>;
  route(
    url: string,
    handle: (route: {
      abort(): Promise<void>;
      fallback(): Promise<void>;
      fulfill(answer: { status: number }): Promise<void>;
    }) => Promise<void>,
  ): Promise<unknown>;
  unroute(url: string): Promise<void>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
  /** The page itself first, then its frames. */
  frames(): Pick<Page, "evaluate">[];
  title(): Promise<string>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  emulateMedia(media: Pick<PageOptions, "colorScheme" | "forcedColors" | "reducedMotion">): Promise<void>;
  waitForEvent(event: "download"): Promise<Download>;
  setDefaultTimeout(ms: number): void;
  locator(selector: string): Locator;
  getByRole(role: string, options?: { name: string; exact?: boolean }): Locator;
  readonly keyboard: { press(key: string): Promise<void>; insertText(text: string): Promise<void> };
  waitForResponse(wanted: (response: { headers(): Record<string, string> }) => boolean): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
  /** Evaluates a script in the page and returns its value. */
  evaluate(script: string): Promise<unknown>;
  workers(): { evaluate(script: string): Promise<unknown> }[];
  exposeFunction(name: string, called: (text: string) => void): Promise<unknown>;
  addInitScript(script: string): Promise<unknown>;
  on(event: "request" | "requestfailed", seen: (request: Sent) => void): unknown;
  on(event: "websocket", seen: (socket: { url(): string }) => void): unknown;
  on(event: "pageerror", seen: (error: Error) => void): unknown;
  on(event: "console", seen: (message: { type(): string; text(): string }) => void): unknown;
}

export interface Download {
  suggestedFilename(): string;
  path(): Promise<string>;
}

interface Sent {
  url(): string;
  method(): string;
}

export interface Locator {
  first(): Locator;
  locator(selector: string): Locator;
  getByText(text: string | RegExp): Locator;
  getByRole(role: string, options: { name: string; exact?: boolean }): Locator;
  click(): Promise<void>;
  focus(): Promise<void>;
  selectOption(option: string | { index: number }): Promise<unknown>;
  waitFor(): Promise<void>;
  count(): Promise<number>;
  isVisible(): Promise<boolean>;
  innerText(): Promise<string>;
  /** Relative to the window; null if it is not shown. */
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  evaluate<T>(read: (element: { href: string }) => T): Promise<T>;
}

interface Playwright {
  chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> };
}

/** The browser of this machine; undefined if there is none. */
export function findBrowser(): string | undefined {
  for (const name of ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // This one is not installed.
    }
  }
  return undefined;
}

/** Names that stand for other sites and other names of the server. */
const names = ["tools.example", "evil.example", "allowed.example"];

/**
 * Starts a browser that resolves only the names of the tests, all to this machine: an attempt to load anything else
 * fails and is recorded.
 */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  (createRequire(import.meta.url)("playwright-core") as Playwright).chromium.launch({
    executablePath,
    args: [
      `--host-resolver-rules=${[
        ...names.map((name) => `MAP ${name} 127.0.0.1`),
        "MAP * ~NOTFOUND",
        "EXCLUDE 127.0.0.1",
        "EXCLUDE localhost",
      ].join(", ")}`,
    ],
  });

let running: Promise<Browser> | undefined;

/**
 * Returns the browser of this process, which serves one test file after the other and ends with the process. `close`
 * closes the pages of the file. A browser that has crashed is replaced for the next file.
 */
export async function shareBrowser(executablePath: string): Promise<Browser> {
  const last = await running?.catch(() => undefined);
  running = last?.isConnected() === true ? Promise.resolve(last) : openBrowser(executablePath);
  const browser = await running;
  return {
    newContext: (options) => browser.newContext(options),
    newPage: (options) => browser.newPage(options),
    contexts: () => browser.contexts(),
    isConnected: () => browser.isConnected(),
    async close() {
      for (const context of browser.contexts()) await context.close();
    },
  };
}

/** The recorded activity of a page. */
export interface Watched {
  page: Page;
  /** Addresses of all requests and WebSockets. */
  asked: string[];
  /** Requests that the page aborted. */
  aborted: string[];
  /** All lines of the console. */
  lines: string[];
  /** Console errors and warnings, uncaught errors, and violations of the Content-Security-Policy. */
  complaints: string[];
}

export async function watch(
  browser: Pick<Browser | BrowserContext, "newPage">,
  options?: PageOptions,
): Promise<Watched> {
  const page = await browser.newPage(options);
  // Shorter than the timeout of a test, so that the error names what was waited for.
  page.setDefaultTimeout(60_000);
  const watched: Watched = { page, asked: [], aborted: [], lines: [], complaints: [] };
  page.on("request", (request) => watched.asked.push(request.url()));
  page.on("websocket", (socket) => watched.asked.push(socket.url()));
  page.on("requestfailed", (request) => watched.aborted.push(`${request.method()} ${request.url()}`));
  page.on("pageerror", (error) => watched.complaints.push(error.message));
  page.on("console", (message) => {
    watched.lines.push(message.text());
    if (/^(?:error|warning)$/.test(message.type())) watched.complaints.push(message.text());
  });
  await page.exposeFunction("refusedByPolicy", (text: string) => void watched.complaints.push(text));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    refusedByPolicy("policy: " + event.effectiveDirective + " " + event.blockedURI));`);
  return watched;
}
