import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCertificate, fixedPair, toPem } from "../../../unit/tools/cert/pki.ts";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { type Browser, findBrowser, type Page, shareBrowser } from "./browser.ts";
import { resultOf } from "./editor.ts";
import { choose, drop, type Journey, make, paste, patience, pickFrom, press, type } from "./journey.ts";
import { shareTab } from "./stage.ts";

// Common tasks: the number of acts that each takes, and whether the answer is on the screen without scrolling.
const found = findBrowser();
const token =
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjaSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxOTAwMDAwMDAwfQ.Dj41Bz9KUmjnRhX2kYKyue4olXBLqF_D5Hcs9Nff5l0";
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const sha256OfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

const [root, leaf] = [fixedPair(1), fixedPair(2)];
const chain = [
  createCertificate(
    { subject: "shop.example", issuer: "House root", notAfter: "20990101000000Z", dns: ["shop.example"] },
    leaf,
    root,
  ),
  createCertificate({ subject: "House root", notAfter: "20990101000000Z", ca: true }, root),
].map((bytes) => toPem("CERTIFICATE", bytes));

const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of the text`);
const changed = lines.with(20_000, "another line");

/** Waits for the download of an act. */
const saving = (act: (page: Page) => Promise<unknown>, name: string, head: string) => async (page: Page) => {
  const saved = page.waitForEvent("download");
  await act(page);
  const download = await saved;
  expect(download.suggestedFilename()).toBe(name);
  expect(readFileSync(await download.path()).toString("latin1")).toContain(head);
};

/** Remembers what is copied as `copied`. Without TLS there is no other clipboard. */
const recordCopies = (page: Page): Promise<unknown> =>
  page.evaluate(`Object.defineProperty(navigator, "clipboard", {
    value: { writeText: (text) => ((window.copied = text), Promise.resolve()) }, configurable: true,
  }); undefined`);
const copied = (page: Page): Promise<unknown> => page.evaluate("window.copied");
/** Opens the link that was copied, as somebody else does. */
const openCopied = async (page: Page): Promise<void> => {
  await expect.poll(() => copied(page), patience).toContain("/tools/");
  const link = String(await copied(page));
  await page.goto("about:blank");
  await page.goto(link);
};

const sortByAge = (page: Page): Promise<void> => page.locator(".v-sort").getByText("age").first().click();

const journeys: readonly Journey[] = [
  {
    name: "a token and when it expires",
    path: "tools/jwt-decoder",
    acts: [paste(token)],
    actions: 1,
    sees: [{ says: /Valid until 17 Mar 2030/ }],
  },
  {
    name: "JSON formatted, folded, searched, and the path of a value copied",
    path: "tools/json-formatter",
    acts: [
      paste('{"owner":{"name":"Ana","admin":true},"tags":["a","b"]}'),
      press("button", "Fold all"),
      async (page) => {
        await page.evaluate(
          `document.querySelector(".result-pane .code").shadowRoot.querySelector(".cm-content").focus()`,
        );
        await page.keyboard.press("Control+f");
        await page.locator(".result-pane .cm-search input").first().waitFor();
        // The box of the editor looks at what is typed when a key goes up.
        for (const letter of "admin") await page.keyboard.press(letter);
        await page.keyboard.press("Enter");
      },
      async (page) => {
        await recordCopies(page);
        await page.locator(".v-path .v-steps").getByText("admin").first().waitFor();
        await page.getByRole("button", { name: "Copy path" }).first().click();
      },
    ],
    actions: 4,
    sees: [{ says: "admin", within: ".v-path .v-steps" }, { says: '"admin": true' }],
    check: async (page) => void (await expect.poll(() => copied(page), patience).toBe("$.owner.admin")),
  },
  {
    name: "JSON as a tree",
    path: "tools/json-formatter",
    acts: [paste('{"a":{"b":[1,2]}}'), press("tab", "Tree")],
    actions: 2,
    sees: [{ says: "[2]" }],
  },
  {
    name: "two JSON files by one drop",
    path: "tools/json-differ",
    acts: [drop({ name: "old.json", content: '{"v":1}' }, { name: "new.json", content: '{"v":2}' })],
    actions: 1,
    sees: [{ says: "changed" }],
  },
  {
    name: "a regular expression with named groups, marked in the text",
    path: "tools/regex-tester",
    acts: [choose({ Pattern: String.raw`(?P<year>\d{4})-\d\d` }), paste("due 2026-01-31")],
    actions: 2,
    sees: [{ says: "2026-01" }, { says: "year" }, { says: "2026", within: ".source-pane .code" }],
    async check(page) {
      const marked = `(kind) => document.querySelector(".source-pane .code").shadowRoot.querySelector(kind)?.textContent`;
      expect(await page.evaluate(`(${marked})(".match-a")`)).toBe("2026-01");
      expect(await page.evaluate(`(${marked})(".group-a")`)).toBe("2026");
    },
  },
  {
    name: "a cron line in words, with its next runs",
    path: "tools/cron-parser",
    acts: [paste("*/15 9-17 * * 1-5")],
    actions: 1,
    sees: [{ says: /Every 15 minutes/ }, { says: /in \d+|hour|minute/, within: ".v-next" }],
  },
  {
    name: "twenty UUIDs",
    path: "tools/uuid-generator",
    acts: [choose({ "How many": "20" })],
    actions: 1,
    sees: [{ says: "20 values" }],
  },
  {
    name: "the hashes of a file by drop, and which of them is the one that somebody gave",
    path: "tools/hash-generator",
    acts: [
      drop({ name: "abc.txt", content: "abc" }),
      async (page) => {
        await page.locator(".v-compare input").waitFor();
        await page.locator(".v-compare input").focus();
        await page.keyboard.insertText(`${sha256OfAbc.toUpperCase()}  abc.txt`);
      },
    ],
    actions: 2,
    sees: [{ says: /ba7816bf8f01cfea/ }, { says: "SHA-256", within: ".v-compare .tag.ok" }],
    async check(page) {
      expect(await page.evaluate("document.querySelectorAll('.v-digest.v-hit').length")).toBe(1);
    },
  },
  {
    name: "a picture in base64, with its size",
    path: "tools/base64-decoder",
    acts: [paste(png)],
    actions: 1,
    sees: [{ says: /PNG/ }, { says: "1 × 1" }],
  },
  {
    name: "YAML to JSON to TOML",
    path: "tools/yaml-to-json",
    acts: [paste("a: 1\nb: [x]\n"), ...pickFrom("Send to", "JSON to TOML")],
    actions: 3,
    sees: [{ says: /a = 1/ }],
  },
  {
    name: "a QR code as PNG and as SVG",
    path: "tools/qr-code-generator",
    acts: [
      paste("https://tools.example"),
      saving(press("button", "PNG"), "qr-code-generator.png", "PNG"),
      saving(press("button", "SVG"), "qr-code-generator.svg", "<svg"),
    ],
    actions: 3,
    sees: [{ says: "Preview" }, { says: "readable" }],
  },
  {
    name: "SQL",
    path: "tools/sql-formatter",
    acts: [paste("select a,b from t where c=1")],
    actions: 1,
    sees: [{ says: /FROM|from/ }],
  },
  {
    name: "a pipeline that is built, saved in the browser, and opened again",
    path: "pipelines",
    acts: [
      paste("id,name\n1,Ana"),
      press("button", "CSV to JSON"),
      async (page) => {
        await page.locator(".step .copy button").first().waitFor();
        await page.locator("[role=combobox]").focus();
        await page.keyboard.insertText("json to yaml");
        await page.locator(".combobox li[aria-selected=true]").getByText("JSON to YAML").waitFor();
        await page.keyboard.press("Enter");
        // What is saved are the steps that are in the page, and the script of this one is loaded first.
        await page.locator(".step:nth-child(2) .copy button").first().waitFor();
      },
      press("button", "Save"),
      async (page) => {
        await page.locator("main").getByText("Saved in this browser as pipeline.").first().waitFor();
        await page.reload();
        await page.locator("[role=combobox]").waitFor();
      },
      ...pickFrom("Open", "pipeline"),
      paste("id,name\n1,Jun"),
    ],
    actions: 8,
    sees: [{ says: "name: Jun", within: ".step:last-child .step-view" }],
  },
  {
    name: "a tool that becomes a step of a pipeline, from its result",
    path: "tools/json-sorter",
    acts: [paste('{"b":1,"a":2}'), ...pickFrom("Send to", "Add to a pipeline")],
    actions: 3,
    sees: [{ says: '"a": 2', within: ".step:last-child .step-view" }],
    async check(page) {
      expect(await page.evaluate("location.pathname")).toBe("/pipelines");
      expect(await page.title()).toBe("Pipelines – penknife");
      await page.evaluate("history.back()");
      await page.locator(".status-line").waitFor();
      expect(await resultOf(page)).toContain('"a": 2');
    },
  },
  {
    name: "a tool by the finder",
    path: "sign-in",
    acts: [
      async (page) => {
        await page.keyboard.press("Control+k");
        await page.locator(".palette input").waitFor();
      },
      type("cron", "Enter"),
    ],
    actions: 2,
    sees: [{ says: "Cron parser", within: ".tool-head h1" }],
  },
  {
    name: "a link without the document",
    path: "tools/json-formatter?indent=1",
    acts: [
      paste('{"a":"a secret"}'),
      async (page) => {
        await recordCopies(page);
        await page.getByRole("button", { name: "Share" }).first().click();
      },
      press("menuitem", "Copy a link with these options"),
      openCopied,
      paste('{"b":2}'),
    ],
    actions: 5,
    sees: [{ says: '"b": 2' }],
    async check(page) {
      expect(await page.evaluate("location.search")).toBe("?indent=1");
      expect(await resultOf(page)).toBe('{\n "b": 2\n}');
    },
  },
  {
    name: "a link with the document",
    path: "tools/json-formatter",
    acts: [
      paste('{"a":"for you"}'),
      async (page) => {
        await recordCopies(page);
        await page.getByRole("button", { name: "Share" }).first().click();
      },
      press("menuitem", "Copy a link with the document"),
      openCopied,
    ],
    actions: 4,
    sees: [{ says: '"a": "for you"' }],
  },
  {
    name: "a favourite, from the page of its tool to the home page",
    path: "tools/url-encoder",
    acts: [press("button", "Favourite"), press("link", "penknife")],
    actions: 2,
    sees: [{ says: "URL encoder", within: ".next .hits" }],
  },
  {
    name: "the history: a tool that was used is on the home page, and going back shows what was typed",
    path: "tools/url-encoder",
    acts: [
      press("link", "penknife"),
      paste(token),
      press("button", "Open JWT decoder"),
      async (page) => {
        await page.locator(".status-line").waitFor();
        await page.evaluate("history.back()");
      },
      press("button", "Clear"),
    ],
    actions: 5,
    sees: [
      { says: "JWT decoder", within: ".next .chips" },
      { says: "URL encoder", within: ".next .chips" },
    ],
  },
  {
    name: "an undone paste",
    path: "tools/json-formatter",
    acts: [paste('{"kept":1}'), paste('{"other":2}'), (page) => page.keyboard.press("Control+z")],
    actions: 3,
    sees: [{ says: "kept" }],
  },
  {
    name: "the days that a certificate has left, and its chain",
    path: "tools/x509-parser",
    acts: [paste(chain.join("")), press("button", "Run")],
    actions: 2,
    sees: [{ says: "days left" }, { says: "in order" }, { says: "House root", within: ".v-chain" }],
  },
  {
    name: "a difference of texts of 40,000 lines",
    path: "tools/text-differ",
    acts: [
      drop({ name: "old.txt", content: lines.join("\n") }, { name: "new.txt", content: changed.join("\n") }),
    ],
    actions: 1,
    sees: [{ says: "+1" }, { says: "−1" }, { says: "another line" }],
    async check(page) {
      const drawn = (): Promise<unknown> => page.evaluate("document.querySelectorAll('.v-line').length");
      expect(await drawn()).toBeLessThan(400);
      // What is folded is there, and is drawn in windows too.
      await page.getByRole("button", { name: "Show" }).first().click();
      await page.locator(".v-diff").getByText("line 0 of the text").first().waitFor();
      expect(await drawn()).toBeLessThan(400);
    },
  },
  {
    name: "CSV as a table, sorted",
    path: "tools/csv-to-json",
    acts: [paste("name,age\nzoe,9\nana,25\n"), press("tab", "Table"), sortByAge],
    actions: 3,
    sees: [{ says: "zoe" }, { says: "ana" }],
    async check(page) {
      const names = `[...document.querySelectorAll(".v-data tbody tr")].map((row) => row.cells[1].textContent)`;
      expect(await page.evaluate(names)).toEqual(["zoe", "ana"]);
      await sortByAge(page);
      await expect.poll(() => page.evaluate(names), patience).toEqual(["ana", "zoe"]);
    },
  },
];

describe.runIf(found !== undefined)("what people come for", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;
  const inTab = shareTab(() => browser);
  beforeAll(async () => {
    server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  describe.each([
    ["a desk", { width: 1440, height: 900 }],
    ["a phone", { width: 390, height: 844 }],
  ])("on %s", (_, viewport) => {
    it.each(journeys)("$name: $actions", async (journey) => {
      await inTab(async (watched) => {
        const { page } = watched;
        await page.setViewportSize(viewport);
        await page.goto(`${server.url}/${journey.path}`);
        await page.locator(journey.path.startsWith("tools/") ? ".status-line" : "main").waitFor();
        expect(await make(journey, watched)).toBe(journey.actions);
        if (viewport.width >= 1000 && (await page.locator(".status-line").count()) > 0)
          expect(await page.evaluate("document.documentElement.scrollHeight <= innerHeight")).toBe(true);
      });
    });
  });
});
