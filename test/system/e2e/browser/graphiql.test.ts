import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, emptyFolder, issueKey, serve, type Server } from "../harness.ts";
import { openSocket, type Socket } from "../operate.ts";
import {
  type Browser,
  findBrowser,
  type Locator,
  shareBrowser,
  type Page,
  watch,
  type Watched,
} from "./browser.ts";
import { shareTab } from "./stage.ts";

// GET /graphql in a real browser that can reach only the server.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "browser tests of GraphiQL skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );
it.runIf(process.env.TEST_MACHINE === "required")("finds a browser where one is required", () =>
  expect(found).toBeDefined(),
);

const patience = { timeout: 60_000 };

describe.runIf(found !== undefined)("GraphiQL", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;
  let admin: Socket;
  let key = "";
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    server = await serve(folder.path);
    admin = await openSocket(folder.path);
    key = await issueKey(folder.path, "acme");
    browser = await shareBrowser(found ?? "");
    watched = await watch(browser);
    page = watched.page;
  });
  afterAll(async () => {
    await browser?.close();
    admin?.close();
    await server?.stop();
    folder.remove();
  });

  type Editor = "Query" | "Headers" | "Variables";
  const editor = (name: Editor): Locator =>
    page.locator(
      `${name === "Query" ? ".graphiql-query-editor" : ".graphiql-editor-tool .graphiql-editor:not(.hidden)"} .CodeMirror`,
    );
  const result = (): Promise<string> => page.locator(".result-window").innerText();
  const button = (name: string): Locator => page.getByRole("button", { name });

  /** Replaces the content of an editor, like pasting. */
  async function write(name: Editor, text: string): Promise<void> {
    if (name !== "Query") await button(name).click();
    await editor(name).click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(text);
  }

  it("loads only from the server, and requests the schema", async () => {
    await page.goto(`${server.url}/graphql`);
    expect(await page.title()).toBe("GraphiQL – penknife");
    await page.locator(".graphiql-query-editor .cm-comment").first().waitFor();
    await button("Show Documentation Explorer").click();
    await page.locator(".graphiql-doc-explorer").getByText("Root Types").waitFor();
    expect(watched.asked.map((url) => url.replace(/[\w-]{22}\./, "<hash>."))).toEqual([
      `${server.url}/graphql`,
      `${server.url}/graphql/graphiql/<hash>.css`,
      `${server.url}/graphql/graphiql/<hash>.js`,
      `${server.url}/graphql`,
    ]);
  });

  it("runs the initial query", async () => {
    await button("Execute query (Ctrl-Enter)").click();
    await expect.poll(result, patience).toContain('"kind": "ANONYMOUS"');
  });

  it("shows the documentation of the schema, a field for each tool included", async () => {
    const docs = page.locator(".graphiql-doc-explorer");
    await docs.getByRole("link", { name: "Query", exact: true }).click();
    await docs.getByRole("link", { name: "ToolRunner" }).click();
    await docs.getByRole("link", { name: "jsonFormatter", exact: true }).click();
    await expect.poll(() => docs.innerText(), patience).toContain("JsonFormatterInput");
  });

  it("runs a tool with variables, as the account of the key in its headers", async () => {
    await write("Headers", JSON.stringify({ Authorization: `Bearer ${key}` }));
    await write("Variables", JSON.stringify({ data: '{"a":[1,2]}' }));
    await write(
      "Query",
      `query ($data: String!) {
        viewer { account { name } }
        run { jsonFormatter(input: { data: $data, indent: 0 }) { result } }
      }`,
    );
    await page.keyboard.press("Control+Enter");
    await expect.poll(result, patience).toContain(String.raw`"result": "{\"a\":[1,2]}"`);
    await expect.poll(result, patience).toContain('"name": "acme"');
  });

  it("runs a subscription, receives events, and disconnects when stopped", async () => {
    await write("Variables", "{}");
    await write("Query", "subscription { events { type account timestamp } }");
    const streaming = page.waitForResponse((response) =>
      (response.headers()["content-type"] ?? "").startsWith("text/event-stream"),
    );
    await page.keyboard.press("Control+Enter");
    await streaming;
    await admin.call("keys.issue", { account: "acme" });
    await expect.poll(result, patience).toContain('"type": "KEY_ISSUED"');
    expect(watched.aborted).toEqual([]);
    await button("Stop query (Ctrl-Enter)").click();
    await button("Execute query (Ctrl-Enter)").waitFor();
    await expect.poll(() => watched.aborted).toEqual([`POST ${server.url}/graphql`]);
  });

  it("shows the errors of the server, with their codes", async () => {
    await write("Query", "{ sessions { id } }");
    await page.keyboard.press("Control+Enter");
    await expect.poll(result, patience).toContain('"code": "forbidden"');
  });

  it("stores documents, but neither headers nor answers", async () => {
    // Typed text is stored half a second later.
    await expect
      .poll(() => page.evaluate('sessionStorage.getItem("graphiql:tabState")'), patience)
      .toContain("sessions { id }");
    const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
    expect(kept).toContain("sessions { id }");
    expect(kept).not.toContain(key);
    expect(kept).not.toContain("KEY_ISSUED");
    await page.reload();
    await page.locator(".graphiql-query-editor").getByText("sessions").first().waitFor();
    await button("Headers").click();
    expect((await editor("Headers").innerText()).replace(/\W/g, "")).toBe("1");
  });

  it("has dialogs and menus whose styles the policy allows", async () => {
    await button("Open settings dialog").click();
    await page.getByRole("dialog").getByText("Dark").click();
    await page.keyboard.press("Escape");
    expect(await page.locator("body.graphiql-dark").count()).toBe(1);
    await button("Open short keys dialog").click();
    await page.getByRole("dialog").getByText("Execute query").waitFor();
    await page.keyboard.press("Escape");
  });

  it("has contacted no other server, and violated no policy", () => {
    const elsewhere = watched.asked.filter((url) => !url.startsWith(`${server.url}/graphql`));
    expect(elsewhere).toEqual([]);
    expect(watched.complaints).toEqual([]);
  });

  // Another tab, in which nothing is stored.
  const inTab = shareTab(() => browser);

  it("loads a document from a link without running it", async () => {
    await inTab(async ({ page: other, asked }) => {
      const query = "mutation { signOut { id } }";
      await other.goto(`${server.url}/graphql?query=${encodeURIComponent(query)}`);
      await other.locator(".graphiql-query-editor").getByText("signOut").waitFor();
      await other.waitForTimeout(500);
      expect(asked).toHaveLength(4);
      expect(await other.locator(".result-window").innerText()).not.toContain("errors");
    });
  });

  it("works below a base path and without introspection, and is missing if disabled", async () => {
    const second = emptyFolder();
    const below = await serve(second.path, {
      PENKNIFE_SERVER_BASE_PATH: "/tools",
      PENKNIFE_GRAPHQL_INTROSPECTION: "false",
    });
    const act = async ({ page: other, asked, complaints }: Watched): Promise<void> => {
      await other.goto(`${below.url}/tools/graphql`);
      await other.getByRole("button", { name: "Execute query (Ctrl-Enter)" }).click();
      await other.locator(".result-window").getByText("ANONYMOUS").waitFor();
      expect(asked.filter((url) => !url.startsWith(`${below.url}/tools/graphql`))).toEqual([]);
      // Page, style, script and the query: the schema is not requested.
      expect(asked).toHaveLength(4);
      expect(complaints).toEqual([]);
    };
    await inTab(act).finally(() => below.stop());
    const without = await serve(second.path, { PENKNIFE_GRAPHQL_GRAPHIQL: "false" });
    const { status, headers } = await call(`${without.url}/graphql`, {
      headers: { Accept: "text/html", "GraphQL-Require-Preflight": "1" },
    });
    expect(status).toBe(406);
    expect(headers["content-type"]).not.toContain("html");
    await without.stop();
    second.remove();
  });

  it("keeps an injected script from running and from calling other servers", async () => {
    const heard: string[] = [];
    const thief = createServer((req, res) => void res.end(heard.push(req.url ?? "").toString()));
    await once(thief.listen(0, "127.0.0.1"), "listening");
    const theirs = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    const before = watched.complaints.length;
    await page.evaluate(`
      document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
      document.body.append(Object.assign(document.createElement("img"), { src: "${theirs}/image" }));
      setTimeout("window.ran = true");
      fetch("${theirs}/stolen").catch(() => {});
    `);
    await expect
      .poll(() =>
        watched.complaints
          .slice(before)
          .filter((text) => text.startsWith("policy: "))
          .toSorted(),
      )
      .toEqual([
        `policy: connect-src ${theirs}/stolen`,
        `policy: img-src ${theirs}/image`,
        "policy: script-src eval",
        "policy: script-src-elem inline",
      ]);
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(heard).toEqual([]);
    thief.close();
  });
});
