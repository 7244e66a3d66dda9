import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

// What we use of playwright-core; its own types are not there when only the types are checked.
export interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
  title(): Promise<string>;
  setDefaultTimeout(ms: number): void;
  locator(selector: string): Locator;
  getByRole(role: string, options?: { name: string; exact?: boolean }): Locator;
  readonly keyboard: { press(key: string): Promise<void>; insertText(text: string): Promise<void> };
  waitForResponse(wanted: (response: { headers(): Record<string, string> }) => boolean): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
  /** Runs a script in the page and gives its value. */
  evaluate(script: string): Promise<unknown>;
  exposeFunction(name: string, called: (text: string) => void): Promise<unknown>;
  addInitScript(script: string): Promise<unknown>;
  on(event: "request" | "requestfailed", seen: (request: Sent) => void): unknown;
  on(event: "websocket", seen: (socket: { url(): string }) => void): unknown;
  on(event: "pageerror", seen: (error: Error) => void): unknown;
  on(event: "console", seen: (message: { type(): string; text(): string }) => void): unknown;
}

interface Sent {
  url(): string;
  method(): string;
}

export interface Locator {
  first(): Locator;
  locator(selector: string): Locator;
  getByText(text: string): Locator;
  getByRole(role: string, options: { name: string; exact?: boolean }): Locator;
  click(): Promise<void>;
  waitFor(): Promise<void>;
  count(): Promise<number>;
  innerText(): Promise<string>;
}

interface Playwright {
  chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> };
}

/** The browser that this machine has; undefined where it has none. */
export function findBrowser(): string | undefined {
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

/**
 * Started so that no name but these can be looked up, which are this machine: what it tries to load from elsewhere fails,
 * and is seen.
 */
export const openBrowser = (executablePath: string, names: readonly string[] = []): Promise<Browser> =>
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

/** What a page did. */
export interface Watched {
  page: Page;
  /** Addresses of all requests and WebSockets. */
  asked: string[];
  /** Requests that the page gave up. */
  aborted: string[];
  /** Errors and warnings of the console, uncaught errors, and what the Content-Security-Policy refused. */
  complaints: string[];
}

export async function watch(browser: Browser): Promise<Watched> {
  const page = await browser.newPage();
  // Less than that of a test, so that it is said what was waited for.
  page.setDefaultTimeout(20_000);
  const watched: Watched = { page, asked: [], aborted: [], complaints: [] };
  page.on("request", (request) => watched.asked.push(request.url()));
  page.on("websocket", (socket) => watched.asked.push(socket.url()));
  page.on("requestfailed", (request) => watched.aborted.push(`${request.method()} ${request.url()}`));
  page.on("pageerror", (error) => watched.complaints.push(error.message));
  page.on("console", (message) => {
    if (/^(?:error|warning)$/.test(message.type())) watched.complaints.push(message.text());
  });
  await page.exposeFunction("refusedByPolicy", (text: string) => void watched.complaints.push(text));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    refusedByPolicy("policy: " + event.effectiveDirective + " " + event.blockedURI));`);
  return watched;
}
