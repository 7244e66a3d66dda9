import { afterAll, beforeAll } from "vitest";
import { call, emptyFolder, serve, type Server } from "../harness.ts";
import { openSocket, signInCode, type Socket } from "../operate.ts";
import { type Browser, type BrowserContext, shareBrowser, watch, type Watched } from "./browser.ts";

/** The stage that the tests of a file share: a server, its admin socket and the browser. */
export interface Stage {
  server: Server;
  admin: Socket;
  browser: Browser;
  /** The address of the server, with its base path. */
  url: string;
}

/** Opens a stage before the tests of a suite, with the account acme of the plan pro, and closes it after them. */
export function openStage(executablePath: string | undefined, env: Record<string, string> = {}): Stage {
  const folder = emptyFolder();
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.server = await serve(folder.path, env);
    stage.url = stage.server.url + (env["PENKNIFE_SERVER_BASE_PATH"] ?? "");
    stage.admin = await openSocket(folder.path);
    await stage.admin.call("accounts.create", { name: "acme", plan: "pro" });
    stage.browser = await shareBrowser(executablePath ?? "");
  });
  afterAll(async () => {
    await stage.browser?.close();
    stage.admin?.close();
    await stage.server?.stop();
    folder.remove();
  });
  return stage;
}

/**
 * Gives the pages of a context a session of the account, or of the operator if none is given, in the place of one that they
 * have. It takes no page: the page on which people sign in has tests of its own. Returns the code, which is used up.
 */
export async function enter(
  context: BrowserContext,
  { url, admin }: Pick<Stage, "url" | "admin">,
  account?: string,
): Promise<string> {
  const code = await signInCode(admin, account);
  const { status, headers, text } = await call(`${url}/session`, {
    method: "POST",
    headers: {
      Origin: new URL(url).origin,
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ code }),
  });
  const [, name, value] = /^(\w+)=([^;]+);/.exec(headers["set-cookie"]?.[0] ?? "") ?? [];
  if (name === undefined || value === undefined) throw new Error(`no session: ${status} ${text}`);
  const { hostname } = new URL(url);
  await context.addCookies([
    { name, value, domain: hostname, path: "/", httpOnly: true, secure: false, sameSite: "Lax" },
  ]);
  return code;
}

/**
 * Returns a function that hands one test after the other the same tab, without what an earlier one stored or made it
 * record: a new tab takes as long as two pages. A test that fails leaves the next one a new tab.
 */
export function shareTab(
  browser: () => Pick<Browser, "newPage">,
): (act: (watched: Watched) => Promise<void>) => Promise<void> {
  let kept: Watched | undefined;
  return async (act) => {
    const watched = kept ?? (await watch(browser()));
    kept = undefined;
    await act(watched);
    // A page asks its server for the build while it is open, and writes to the console if that server is stopped. It leaves by itself: for
    // an address that the page did not ask for, the browser starts another process, and compiles all scripts again.
    await watched.page.evaluate(
      "localStorage.clear(); sessionStorage.clear(); setTimeout(() => location.replace('about:blank'));",
    );
    await watched.page.waitForURL("about:blank");
    for (const recorded of [watched.asked, watched.aborted, watched.lines, watched.complaints])
      recorded.length = 0;
    kept = watched;
  };
}
