import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { type Browser, findBrowser, type Page, shareBrowser, watch, type Watched } from "./browser.ts";
import { dropFiles, resultOf, setInput, setOptions } from "./editor.ts";

// What people come for, on the pages of tools: how many acts it takes, and whether the answer is on the screen without scrolling.
const found = findBrowser();
const patience = { timeout: 60_000 };
const token =
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjaSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxOTAwMDAwMDAwfQ.Dj41Bz9KUmjnRhX2kYKyue4olXBLqF_D5Hcs9Nff5l0";

interface Journey {
  name: string;
  /** Path of the page, with options of a link. */
  path: string;
  /** What a person does; each is one paste, drop, choice or click. */
  acts: readonly ((page: Page) => Promise<unknown>)[];
  /** What the answer says. */
  answer: string | RegExp;
}

const paste =
  (text: string, index = 0) =>
  (page: Page) =>
    setInput(page, text, index);
const choose = (options: Readonly<Record<string, string>>) => (page: Page) => setOptions(page, options);
const press = (role: string, name: string) => (page: Page) => page.getByRole(role, { name }).first().click();
const drop =
  (...files: readonly { name: string; content: string }[]) =>
  (page: Page) =>
    dropFiles(page, "main", files);

const journeys: readonly Journey[] = [
  {
    name: "a token and when it expires",
    path: "jwt-decoder",
    acts: [paste(token)],
    answer: /Valid until 17 Mar 2030/,
  },
  { name: "format JSON", path: "json-formatter", acts: [paste('{"a":{"b":[1,2]}}')], answer: /"b": \[/ },
  {
    name: "JSON as a tree",
    path: "json-formatter",
    acts: [paste('{"a":{"b":[1,2]}}'), press("tab", "Tree")],
    answer: "[2]",
  },
  {
    name: "two JSON files by one drop",
    path: "json-differ",
    acts: [drop({ name: "old.json", content: '{"v":1}' }, { name: "new.json", content: '{"v":2}' })],
    answer: "changed",
  },
  {
    name: "a regular expression with named groups",
    path: "regex-tester",
    acts: [choose({ Pattern: String.raw`(?P<year>\d{4})-\d\d` }), paste("due 2026-01-31")],
    answer: "2026-01",
  },
  {
    name: "a cron line in words",
    path: "cron-parser",
    acts: [paste("*/15 9-17 * * 1-5")],
    answer: /Every 15 minutes/,
  },
  { name: "twenty UUIDs", path: "uuid-generator", acts: [choose({ "How many": "20" })], answer: "20 values" },
  {
    name: "digests of a file",
    path: "hash-generator",
    acts: [drop({ name: "abc.txt", content: "abc" })],
    answer: /ba7816bf8f01cfea/,
  },
  {
    name: "a picture in base64",
    path: "base64-decoder",
    acts: [
      paste(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
      ),
    ],
    answer: /PNG/,
  },
  {
    name: "YAML to JSON to TOML",
    path: "yaml-to-json",
    acts: [paste("a: 1\nb: [x]\n"), press("button", "Send to"), press("menuitem", "JSON to TOML")],
    answer: /a = 1/,
  },
  { name: "a QR code", path: "qr-code-generator", acts: [paste("https://tools.example")], answer: "Preview" },
  { name: "SQL", path: "sql-formatter", acts: [paste("select a,b from t where c=1")], answer: /FROM|from/ },
  {
    name: "an undone paste",
    path: "json-formatter",
    acts: [
      paste('{"kept":1}'),
      paste('{"other":2}'),
      async (page) => {
        await page.keyboard.press("Control+z");
        await expect.poll(() => resultOf(page), patience).toContain("kept");
      },
    ],
    answer: "kept",
  },
  {
    name: "CSV as a table",
    path: "csv-to-json",
    acts: [paste("name,age\nzoe,30\nana,25\n"), press("tab", "Table")],
    answer: "zoe",
  },
];

describe.runIf(found !== undefined)("what people come for", () => {
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;
  beforeAll(async () => {
    server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  /** Whether the first element of the result that says something is inside of the window, all of its first line. */
  const inSight = (page: Page, answer: string | RegExp): Promise<unknown> =>
    page.evaluate(`(() => {
      const answer = ${typeof answer === "string" ? JSON.stringify(answer) : String(answer)};
      const says = (text) => (typeof answer === "string" ? text.includes(answer) : answer.test(text));
      const all = [];
      const collect = (root) => {
        for (const element of root.querySelectorAll("*")) {
          all.push(element);
          if (element.shadowRoot !== null) collect(element.shadowRoot);
        }
      };
      for (const place of document.querySelectorAll(".result-pane, .status-line")) collect(place);
      const last = all.filter(({ textContent }) => says(textContent)).at(-1);
      if (last === undefined) return "missing";
      const { top, left, bottom } = last.getBoundingClientRect();
      const foot = document.querySelector(".status-line").getBoundingClientRect();
      const line = Math.min(bottom, top + 16);
      const most = last.closest(".status-line") === null ? Math.min(innerHeight, foot.top) : innerHeight;
      return top >= 0 && left >= 0 && line <= most ? "in sight" : "out of sight: " + [top, line, most].join(" ");
    })()`);

  describe.each([
    ["a desk", { width: 1440, height: 900 }],
    ["a phone", { width: 390, height: 844 }],
  ])("on %s", (_, viewport) => {
    it.each(journeys)("$name", async ({ path, acts, answer }) => {
      const { page, complaints }: Watched = await watch(browser, { viewport });
      try {
        await page.goto(`${server.url}/tools/${path}`);
        await page.locator(".status-line").waitFor();
        let count = 0;
        for (const act of acts) {
          // On a phone, the same menu has another button.
          await act(page);
          count++;
        }
        expect(count).toBeLessThanOrEqual(3);
        await expect.poll(() => inSight(page, answer), patience).toBe("in sight");
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        if (viewport.width >= 1000)
          expect(await page.evaluate("document.documentElement.scrollHeight <= innerHeight")).toBe(true);
        expect(complaints).toEqual([]);
      } finally {
        await page.close();
      }
    });
  });
});
