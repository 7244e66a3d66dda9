import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { execute } from "../../../../src/catalog/execute.ts";
import { tools } from "../../../../src/tools/index.ts";
import { cases, maxSeconds } from "../../../support/cases.ts";
import { context } from "../../../unit/tools/run-tool.ts";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { type Recorder, startRecorder } from "../recorder.ts";
import { faults, faultsAgain, ofColours } from "./axe.ts";
import { dropFiles, resultOf, setInput, setOptions } from "./editor.ts";
import { type Browser, findBrowser, shareBrowser, type Page, type Watched } from "./browser.ts";
import { shareTab } from "./stage.ts";

// The toolbox as a person uses it, in a real browser whose every request is recorded.
const found = findBrowser();
const patience = { timeout: 60_000 };
/** Chromium's own line for an answer of the server. */
const refused = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)";
const token =
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZWNyZXQtcGVyc29uIiwicm9sZSI6ImFkbWluIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

describe.runIf(found !== undefined)("the toolbox", () => {
  const folder = emptyFolder();
  const catalog = createCatalog(tools);
  let server: Server;
  let recorder: Recorder;
  let browser: Browser;
  const inTab = shareTab(() => browser);

  beforeAll(async () => {
    server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
    recorder = await startRecorder(server.url);
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await recorder?.close();
    await server?.stop();
    folder.remove();
  });

  /**
   * Opens a page, hands it over, and expects it to have been quiet. A test that gives the page a whole input needs no new
   * load if the tab shows the page already.
   */
  async function visit(
    path: string,
    act: (page: Page, watched: Watched) => Promise<void>,
    mayStay = false,
  ): Promise<void> {
    await inTab(async (watched) => {
      const url = `${recorder.url}/${path}`;
      if (!mayStay || (await watched.page.evaluate("location.href")) !== url) await watched.page.goto(url);
      await act(watched.page, watched);
      expect(watched.complaints.filter((line) => line !== refused)).toEqual([]);
      expect(watched.lines.filter((line) => line !== refused)).toEqual([]);
    });
  }

  /** The selected text of the editor, what it underlines, and the lines that it tints. */
  const markedIn = (page: Page): Promise<unknown> =>
    page.evaluate(`(() => {
      const { shadowRoot } = document.querySelector(".editor .code");
      const marks = [...shadowRoot.querySelectorAll(".mark")].map(({ title, textContent }) => [title, textContent]);
      const lines = [...shadowRoot.querySelectorAll(".cm-line.faulty-line")].map(({ textContent }) => textContent);
      return { selected: shadowRoot.getSelection().toString(), marks, lines };
    })()`);

  it("offers the JWT decoder for a token, and shows its claims; the token leaves no trace", async () => {
    const before = recorder.sent.length;
    await visit("", async (page) => {
      await setInput(page, token);
      await page.getByRole("button", { name: "Open JWT decoder" }).click();
      await page.getByRole("heading", { name: "JWT decoder" }).waitFor();
      await expect.poll(() => resultOf(page), patience).toContain("secret-person");
      expect(await page.title()).toBe("JWT decoder – penknife");
      const kept = await page.evaluate(
        "JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state, name])",
      );
      expect(kept).toContain("jwt-decoder");
      expect(kept).not.toContain("eyJ");
      expect(await faults(page)).toEqual([]);
      // Links go on to work below the address of the tool.
      await page.getByRole("link", { name: "penknife", exact: true }).click();
      await page.getByRole("heading", { name: "All tools" }).waitFor();
    });
    const sent = recorder.sent.slice(before).join("\n");
    for (const part of token.split(".")) expect(sent).not.toContain(part);
  });

  it("takes what is typed before its script has come, and keeps the focus and the cursor", async () => {
    await visit("", async (page) => {
      const script = "**/web/home-*.js";
      const held: (() => void)[] = [];
      await page.route(script, async (route) => {
        await new Promise<void>((resolve) => held.push(resolve));
        await route.fallback();
      });
      try {
        await page.goto(`${recorder.url}/`);
        const box = page.getByRole("textbox", { name: "Paste, drop or type anything" });
        await box.click();
        await page.keyboard.insertText("md5sum");
        await expect.poll(() => held.length).toBeGreaterThan(0);
        for (const release of held.splice(0)) release();
        await page.getByRole("button", { name: "Hash generator" }).first().waitFor();
        await page.keyboard.insertText("s");
        expect(await page.evaluate("document.activeElement.value")).toBe("md5sums");
      } finally {
        await page.unroute(script);
      }
    });
  });

  it("opens a chain of decoders with the inner document", async () => {
    await visit(
      "",
      async (page) => {
        await setInput(page, Buffer.from('{"user":"jane","roles":["admin"]}').toString("base64"));
        await page.getByRole("button", { name: "Base64 decoder, then JSON formatter" }).click();
        await expect
          .poll(() => resultOf(page), patience)
          .toBe('{\n  "user": "jane",\n  "roles": [\n    "admin"\n  ]\n}');
      },
      true,
    );
  });

  it("finds a tool by what people call it, without asking the server", async () => {
    const before = recorder.sent.length;
    await visit("", async (page) => {
      await setInput(page, "md5sum");
      const offers = page.getByRole("region", { name: "Tools that fit" });
      await offers.getByRole("button", { name: "Hash generator" }).first().click();
      await page.getByRole("heading", { name: "Hash generator" }).waitFor();
    });
    expect(recorder.sent.slice(before).join("\n")).not.toContain("md5sum");
  });

  it("many tools show the results of the server's own code, and send nothing of what they are given", async () => {
    const all = await catalog.all();
    const chosen: { slug: string; input: Record<string, unknown> }[] = [];
    for (const tool of all) {
      const example = tool.examples.find(
        ({ input }) => Object.keys(input).length === 1 && typeof input["data"] === "string",
      );
      if (example !== undefined && tool.deterministic && !/^(?:cert|image)$/.test(tool.category))
        chosen.push({ slug: tool.slug, input: example.input });
    }
    expect(chosen.length).toBeGreaterThanOrEqual(40);
    const before = recorder.sent.length;
    const marks: string[] = [];
    for (const { slug, input } of cases(chosen, maxSeconds))
      await visit(`tools/${slug}`, async (page) => {
        const data = String(input["data"]);
        marks.push(data);
        await setInput(page, data);
        const tool = await catalog.get(slug);
        const { body } = await execute(
          tool,
          { body: { kind: "input", input: { data } }, form: "text", check: false },
          context,
        );
        await expect
          .poll(() => resultOf(page), patience)
          .toBe(typeof body === "string" ? body : new TextDecoder().decode(body));
      });
    const sent = recorder.sent
      .slice(before)
      .filter((text) => !/^GET \/(?:web\/|tools\/|session\n)/.test(text));
    for (const text of recorder.sent.slice(before))
      expect(text).toMatch(/^GET \/(?:session|(?:web|tools)\/[\w./-]+)\n/);
    for (const mark of marks.filter((one) => one.length > 8)) expect(sent.join("\n")).not.toContain(mark);
  });

  it("the keyboard alone opens a tool from any page with the palette", async () => {
    const before = recorder.sent.length;
    await visit("sign-in", async (page) => {
      await page.keyboard.press("Control+k");
      await page.locator(".palette [role=option]").first().waitFor();
      await page.keyboard.insertText("prettify json");
      await page.getByRole("option", { name: "JSON formatter" }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "JSON formatter" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.locator(".palette [role=option]").first().waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator(".palette").count(), patience).toBe(0);
    });
    expect(recorder.sent.slice(before).join("\n")).not.toMatch(/prettify/);
  });

  it("a search that no tool answers says so, and names the nearest", async () => {
    await visit("sign-in", async (page) => {
      await page.keyboard.press("Control+k");
      const status = page.locator(".palette [role=status]");
      await page.locator(".palette [role=option]").first().waitFor();
      await page.keyboard.insertText("gzip");
      await page.getByRole("option", { name: "Base64 encoder" }).waitFor();
      expect(await status.innerText()).toMatch(/^No tool is called so; these are the nearest\. \d found\./);
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText("zzzzzz");
      await expect.poll(() => status.innerText(), patience).toMatch(/^No tool is called so\. 0 found\./);
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText("md5");
      await expect.poll(() => status.innerText(), patience).toMatch(/^\d found\./);
    });
  });

  it("the home page says that the tools of a search are only the nearest", async () => {
    await visit("", async (page) => {
      const offers = page.getByRole("region", { name: "Tools that fit" });
      const near = offers.getByText("No tool is called so; this is one of the nearest.");
      await setInput(page, "gzip");
      await offers.getByRole("button", { name: "Base64 encoder" }).waitFor();
      expect(await near.count()).toBeGreaterThan(0);
      await setInput(page, "md5sum");
      await offers.getByRole("button", { name: "Hash generator" }).first().waitFor();
      await expect.poll(() => near.count(), patience).toBe(0);
    });
  });

  it("the home page recognises JSON of more than 1 MiB, and opens it", async () => {
    await visit("", async (page) => {
      const data = JSON.stringify(Array.from({ length: 60_000 }, (_, id) => ({ id, name: `n${id}` })));
      expect(data.length).toBeGreaterThan(2 ** 20);
      await setInput(page, data);
      await page.getByRole("button", { name: "Open JSON formatter" }).click();
      await page.getByRole("heading", { name: "JSON formatter" }).waitFor();
      await expect.poll(() => resultOf(page), patience).toContain('"id": 0');
    });
  });

  it("favourites stay, and what was typed does not", async () => {
    await visit("tools/url-encoder", async (page) => {
      await setInput(page, "a secret text");
      await page.getByRole("button", { name: "Favourite" }).click();
      await page.reload();
      await page.locator(".star[aria-pressed=true]").waitFor();
      expect(await page.evaluate("JSON.stringify({ ...localStorage })")).toBe(
        JSON.stringify({ "penknife.recent": '["url-encoder"]', "penknife.favourites": '["url-encoder"]' }),
      );
      await page.goto(`${recorder.url}/`);
      await page
        .getByRole("region", { name: "Tools that fit" })
        .getByRole("link", { name: "URL encoder" })
        .waitFor();
    });
  });

  it("a validator lists its findings, and each leads to its place", async () => {
    await visit("tools/json-validator", async (page) => {
      await setInput(page, '{"a":1,\n"a":2}');
      await page.locator(".status-line").getByText("1 error").waitFor();
      await page.keyboard.press("F8");
      expect(await markedIn(page)).toEqual({
        selected: '"',
        marks: [[expect.any(String), '"']],
        lines: ['"a":2}'],
      });
      expect(await faults(page)).toEqual([]);
    });
  });

  it("a document in which nothing is found goes on to another tool, with the options that it has, too", async () => {
    await visit("tools/json-validator?dialect=jsonc", async (page) => {
      await setInput(page, '{"a":1,}');
      await page.getByRole("button", { name: "Convert to YAML" }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Convert to YAML" }).click();
      await page.getByRole("heading", { name: "JSON to YAML", exact: true }).waitFor();
      await expect.poll(() => resultOf(page), patience).toBe("a: 1\n");
      await page.evaluate("history.back()");
      await page.getByRole("heading", { name: "JSON validator", exact: true }).waitFor();
      await setInput(page, '{"a":1');
      await page.locator(".status-line").getByText("1 error").waitFor();
      expect(await page.getByRole("button", { name: "Convert to YAML" }).count()).toBe(0);
    });
  });

  it("the present time is entered by a button, into the field for a time and into an option", async () => {
    await visit("tools/timestamp-converter", async (page) => {
      const now = new Date().toISOString().slice(0, 13);
      await page.getByRole("button", { name: "Now: Time" }).click();
      await expect
        .poll(() => page.evaluate(`document.querySelector(".line-input textarea").value`), patience)
        .toContain(now);
      await page.locator(".led-result").getByText("UTC").first().waitFor();
      await page.getByRole("button", { name: "Advanced" }).click();
      await page.getByRole("button", { name: "Now: Now" }).click();
      await expect
        .poll(() => page.evaluate(`document.querySelector(".drawer .with-button input").value`), patience)
        .toContain(now);
      expect(await faults(page)).toEqual([]);
    });
  });

  it("the finder lists the tools whose other names have the words, and sends them the result", async () => {
    await visit("tools/json-minifier", async (page) => {
      await setInput(page, '{ "a": 1 }');
      await expect.poll(() => resultOf(page), patience).toBe('{"a":1}');
      await page.keyboard.press("Control+k");
      await page.locator(".palette [role=option]").first().waitFor();
      await page.keyboard.insertText("md5");
      await page.getByRole("option", { name: "Send the result to Hash generator" }).waitFor();
      const listed = await page.evaluate(
        `[...document.querySelectorAll(".palette [role=option] b")].map(({ textContent }) => textContent)`,
      );
      expect(listed).toEqual(
        expect.arrayContaining(["Hash generator", "Checksum verifier", "UUID generator"]),
      );
      await page.keyboard.press("Control+Enter");
      await page.getByRole("heading", { name: "Hash generator", exact: true }).waitFor();
      await page.locator(".result-pane").getByText("bb6cb5c68df4652941caf652a366f2d8").first().waitFor();
    });
  });

  it("a refusal says where, and leads there", async () => {
    await visit("tools/json-formatter", async (page) => {
      await setInput(page, '{\n  "a": tru\n}');
      await page.locator(".refused").getByText("Line 2, column 8:").waitFor();
      await page.getByRole("button", { name: "Go to the place" }).click();
      expect(await markedIn(page)).toEqual({
        selected: "t",
        marks: [["Unquoted text is not a value; put strings in double quotes.", "t"]],
        lines: ['  "a": tru'],
      });
      expect(await faults(page)).toEqual([]);
    });
  });

  it("a large result is shown as far as it is seen, and copied whole, also over plain HTTP", async () => {
    const rows = Array.from({ length: 600 }, (_, id) => ({ id, name: `person ${id}`, tags: ["a", "b"] }));
    await visit(
      "tools/json-formatter",
      async (page) => {
        await setInput(page, JSON.stringify(rows));
        await page.locator(".result-pane .cm-content").waitFor();
        await page.locator(".status-line").getByText("4,802 lines").waitFor();
        expect(
          await page.evaluate(
            `document.querySelector(".result-pane .code").shadowRoot.querySelectorAll(".cm-line").length`,
          ),
        ).toBeLessThan(500);
        // Without TLS there is no `navigator.clipboard`.
        await page.evaluate(
          `Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true })`,
        );
        await page.locator(".result-pane").getByRole("button", { name: "Copy “Result”" }).click();
        await page.locator(".result-pane").getByRole("button", { name: "Copied “Result”" }).waitFor();
        await page.evaluate(`{
        const field = document.createElement("textarea");
        field.ariaLabel = "pasted";
        document.body.append(field);
        field.focus();
      }`);
        await page.keyboard.press("Control+V");
        expect(await page.evaluate(`document.querySelector("[aria-label=pasted]").value`)).toBe(
          JSON.stringify(rows, null, 2),
        );
        await page.evaluate(`document.querySelector("[aria-label=pasted]").remove()`);
        expect(await faultsAgain(page)).toEqual([]);
        await setInput(page, "{}");
        await expect.poll(() => resultOf(page), patience).toBe("{}");
      },
      true,
    );
  });

  it("options change the result, and markup in input and options is text", async () => {
    const markup = `<img src=x onerror=alert(1)>`;
    await visit("tools/text-replacer", async (page) => {
      await setInput(page, `a${markup}`);
      await setOptions(page, { Find: "a<", Replace: `<script>alert(2)</script>${markup}<` });
      await expect.poll(() => resultOf(page), patience).toContain("<script>alert(2)</script>");
      expect(await page.evaluate(`document.querySelectorAll("main img, main script").length`)).toBe(0);
    });
  });

  it("a link carries options and nothing else", async () => {
    await visit("tools/json-formatter?indent=1&sortKeys=true&data=%7B%7D&x=%3Cimg%3E", async (page) => {
      await setInput(page, '{"b":1,"a":"a secret"}');
      await expect.poll(() => resultOf(page), patience).toBe('{\n "a": "a secret",\n "b": 1\n}');
      await page.evaluate(
        `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`,
      );
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("menuitem", { name: "Copy a link with these options" }).click();
      await expect
        .poll(() => page.evaluate("window.copied"), patience)
        .toBe(`${recorder.url}/tools/json-formatter?indent=1&sortKeys=true`);
    });
  });

  it("a link carries the input in its fragment if a person asks for it, and the history forgets it", async () => {
    const before = recorder.sent.length;
    await visit("tools/json-formatter", async (page) => {
      await setInput(page, '{"a":"<b>a secret</b>"}');
      await page.evaluate(
        `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`,
      );
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("menuitem", { name: "Copy a link with the document" }).click();
      await expect.poll(() => page.evaluate("window.copied"), patience).toContain("#data=");
      const link = String(await page.evaluate("window.copied"));
      // A new document.
      await page.goto("about:blank");
      await page.goto(link);
      await expect.poll(() => resultOf(page), patience).toBe('{\n  "a": "<b>a secret</b>"\n}');
      expect(await page.evaluate("location.href")).toBe(`${recorder.url}/tools/json-formatter`);
    });
    expect(recorder.sent.slice(before).join("\n")).not.toContain("secret");
  });

  it("colours are those of the system or of the person's choice, from the first paint on", async () => {
    const choose = async (page: Page, colours: string): Promise<void> => {
      await page.getByRole("button", { name: "Colours: " }).click();
      await page.getByRole("menuitemradio", { name: colours }).click();
    };
    const background = (page: Page): Promise<unknown> =>
      page.evaluate("getComputedStyle(document.body).backgroundColor");
    await visit("sign-in", async (page) => {
      await page.emulateMedia({ colorScheme: "light" });
      await choose(page, "Dark");
      expect(await background(page)).toBe("rgb(14, 17, 21)");
      await page.goto(`${recorder.url}/tools/json-formatter`);
      expect(await background(page)).toBe("rgb(14, 17, 21)");
      await page.locator(".editor .cm-content").waitFor();
      expect(await faultsAgain(page, ofColours)).toEqual([]);
      await choose(page, "As the system");
      expect(await background(page)).toBe("rgb(244, 246, 248)");
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await background(page)).toBe("rgb(14, 17, 21)");
      expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain("colours");
      await page.emulateMedia({ colorScheme: "light" });
    });
  });

  it("two documents are compared, swapped, and filled by two files that are dropped anywhere", async () => {
    await visit("tools/text-differ", async (page) => {
      await setInput(page, "one\n<b>two</b>\n");
      await setInput(page, "one\n<i>2</i>\n", 1);
      const patch = (from: string, to: string): string =>
        `--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-${from}\n+${to}\n`;
      await expect.poll(() => resultOf(page), patience).toBe(patch("<b>two</b>", "<i>2</i>"));
      await page.getByRole("button", { name: "Swap the documents" }).click();
      await expect.poll(() => resultOf(page), patience).toBe(patch("<i>2</i>", "<b>two</b>"));
      await dropFiles(page, ".tool-head", [
        { name: "old.txt", content: "one\nleft\n" },
        { name: "new.txt", content: "one\nright\n" },
      ]);
      await expect.poll(() => resultOf(page), patience).toBe(patch("left", "right"));
      await page.locator("main").getByText("old.txt · 9 B").waitFor();
      expect(await faults(page)).toEqual([]);
    });
  });

  it("a tool of the server runs at the press of the button only", async () => {
    const before = recorder.sent.length;
    await visit("tools/x509-parser", async (page) => {
      await page.locator("main").getByText("runs on the server; counts as a request").waitFor();
      await setInput(page, "not a certificate");
      expect(recorder.sent.slice(before).some((text) => text.startsWith("POST "))).toBe(false);
      await page.getByRole("button", { name: "Run" }).click();
      await expect.poll(() => resultOf(page), patience).toContain("BEGIN CERTIFICATE");
      await setInput(page, "no certificate either");
      await page.locator("main").getByText("of an earlier input").waitFor();
      await page
        .locator(".status-line")
        .getByText(/\d of \d+ left this hour/)
        .waitFor();
    });
    expect(recorder.sent.slice(before).filter((text) => text.startsWith("POST "))).toHaveLength(1);
  });

  it("a long document is run with its last key, and one that is cleared in the same moment stays empty", async () => {
    const before = recorder.sent.length;
    await visit("tools/x509-parser", async (page) => {
      await page.locator("main").getByText("runs on the server; counts as a request").waitFor();
      await setInput(page, "not a certificate\n".repeat(20_000));
      await page.evaluate(`{
        const content = document.querySelector(".editor .code").shadowRoot.querySelector(".cm-content");
        content.focus();
        document.execCommand("insertText", false, "the last key");
        content.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, ctrlKey: true, bubbles: true }));
      }`);
      await expect
        .poll(() => recorder.sent.slice(before).filter((text) => text.startsWith("POST ")), patience)
        .toEqual([expect.stringContaining("the last key")]);
      await page.evaluate(`{
        document.querySelector(".editor .code").shadowRoot.querySelector(".cm-content").focus();
        document.execCommand("insertText", false, "a key");
        document.querySelector("[aria-label^='Clear: ']").click();
      }`);
      await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))");
      expect(
        await page.evaluate(
          `document.querySelector(".editor .code").shadowRoot.querySelector(".cm-content").textContent`,
        ),
      ).toBe("");
    });
  });

  it("a secret is masked until it is shown, and its field is not one for signing in", async () => {
    await visit("tools/webhook-signature-generator", async (page) => {
      await page.locator(".secret").first().waitFor();
      const read = (): Promise<unknown> =>
        page.evaluate(`(() => {
          const field = document.querySelector(".secret input, .secret textarea");
          return [field.type === "password" || getComputedStyle(field).webkitTextSecurity === "disc", field.form.autocomplete];
        })()`);
      expect(await read()).toEqual([true, "off"]);
      await page.getByRole("button", { name: "Show", exact: true }).first().click();
      await expect.poll(read, patience).toEqual([false, "off"]);
    });
  });

  it("a pattern that RE2 refuses is taken by the other engine at the press of a button", async () => {
    await visit("tools/regex-tester", async (page) => {
      await setOptions(page, { Pattern: "a(?=b)" });
      await setInput(page, "ab ac");
      await page.locator(".refused").first().waitFor();
      await page.getByRole("button", { name: "Use engine js" }).click();
      await expect.poll(() => resultOf(page), patience).toContain('"count": 1');
    });
  });

  it("work that never ends is stopped by its button, and the page goes on", async () => {
    await visit("tools/regex-tester", async (page) => {
      await setOptions(page, { Engine: "JavaScript", Pattern: "^(a|a)*$" });
      await setInput(page, `${"a".repeat(60)}!`);
      await page.locator(".status-line").getByText("Working for").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await setInput(page, "aaa");
      await expect.poll(() => resultOf(page), patience).toContain('"aaa"');
    });
  });
});
