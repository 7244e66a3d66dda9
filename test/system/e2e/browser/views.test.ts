import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import type { ViewName } from "../../../../src/catalog/view-name.ts";
import { tools } from "../../../../src/tools/index.ts";
import { viewsOfTools } from "../../../unit/surfaces/web/views-of-tools.ts";
import { faults, ofColours } from "./axe.ts";
import { type Browser, findBrowser, shareBrowser, type Page } from "./browser.ts";
import { shareTab } from "./stage.ts";
import { openViewStage, type Scene, type ViewStage } from "./view-stage.ts";

// The views in a real browser, without the page of a tool around them.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "tests of views skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const names = Object.keys(viewsOfTools) as ViewName[];
const desk = { width: 1280, height: 720 };
const phone = { width: 320, height: 700 };

describe.runIf(found !== undefined)("views", () => {
  let stage: ViewStage;
  let browser: Browser;
  beforeAll(async () => {
    stage = await openViewStage();
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    stage?.close();
  });

  const inTab = shareTab(() => browser);
  /** Opens a page with a view in a window of this size, hands it over, and expects it to have kept the policy. */
  const show = (scene: Scene, act: (page: Page) => Promise<void>, viewport = desk): Promise<void> =>
    inTab(async ({ page, complaints }) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await page.goto(stage.put(scene));
      await page.locator("[data-ready]").waitFor();
      await act(page);
      expect(complaints).toEqual([]);
    });

  it.each(names)(
    "%s: each tab is accessible, keeps the policy and is not wider than a phone",
    async (view) => {
      const slug = viewsOfTools[view]?.[0] ?? "";
      const { examples } = await createCatalog(tools).get(slug);
      const input = examples.at(-1)?.input ?? {};
      const examine = async (page: Page): Promise<void> => {
        const tabs = await page.locator(".tabs button").count();
        for (let tab = 0; tab < tabs; tab++) {
          await page.evaluate(`document.querySelectorAll(".tabs button")[${tab}].click()`);
          await page.evaluate(
            "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))",
          );
          await page.emulateMedia({ colorScheme: "light" });
          expect(await faults(page)).toEqual([]);
          await page.emulateMedia({ colorScheme: "dark" });
          expect(await faults(page, ofColours)).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
          expect(await page.evaluate(tooSmall)).toEqual([]);
        }
      };
      await show({ slug, view, input }, examine, phone);
    },
  );

  it("a difference of 40,000 lines draws the lines in sight, and F8 steps to its changes", async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of the text`);
    const other = lines.with(20_000, "another line 20000").with(39_999, "the last line");
    await show(
      {
        slug: "text-differ",
        view: "diff",
        input: { data: lines.join("\n"), other: other.join("\n"), context: 10_000 },
      },
      async (page) => {
        await page.locator(".v-line").first().waitFor();
        expect(await page.evaluate("document.querySelectorAll('.v-line').length")).toBeLessThan(400);
        await page.keyboard.press("Shift+F8");
        await page.getByRole("status").getByText("Change 2 of 2").waitFor();
        await page.locator("ins").getByText("last").waitFor();
        expect(await page.evaluate("document.querySelectorAll('.v-line').length")).toBeLessThan(400);
      },
    );
  });

  it("a table of 20,000 rows draws those in sight, and sorts by a column", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      id: index,
      name: `name ${(index * 7919) % 20_000}`,
    }));
    await show(
      {
        slug: "json-to-csv",
        view: "table+code",
        input: { data: JSON.stringify(rows) },
      },
      async (page) => {
        const first = "document.querySelector('.v-data tbody td:nth-child(3)').textContent";
        expect(await page.evaluate(first)).toBe("name 0");
        await page.getByRole("button", { name: "name" }).click();
        await page.getByRole("button", { name: "name" }).click();
        await expect.poll(() => page.evaluate(first)).toBe("name 19999");
        expect(await page.evaluate("document.querySelectorAll('.v-data tr').length")).toBeLessThan(600);
      },
    );
  });

  it("digests are all in the tab, and one is compared", async () => {
    await show({ slug: "hash-generator", view: "digests", input: { data: "abc" } }, async (page) => {
      await page.locator(".v-digest").getByText("900150983cd24fb0d6963f7d28e17f72").waitFor();
      await page.locator(".v-compare input").focus();
      await page.keyboard.insertText("A9993E364706816ABA3E25717850C26C9CD0D89D  file.txt");
      await page.locator(".v-compare").getByText("SHA-1").waitFor();
      expect(await page.evaluate("document.querySelector('.v-hit strong').textContent")).toBe("SHA-1");
    });
  });

  it("a tree is walked by the keyboard, and says the path", async () => {
    await show(
      {
        slug: "json-formatter",
        view: "code:json+tree",
        input: { data: '{"owner":{"admin":true},"list":[1,2]}' },
      },
      async (page) => {
        await page.getByRole("button", { name: "Tree" }).click();
        await page.locator('[role="treeitem"]').first().focus();
        for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
        await expect
          .poll(() => page.evaluate("document.querySelector('.v-path .v-steps').textContent"))
          .toBe("$ › owner › admin");
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("ArrowLeft");
        await expect
          .poll(() =>
            page.evaluate("document.querySelector('[aria-selected=true]').getAttribute('aria-expanded')"),
          )
          .toBe("false");
      },
    );
  });

  it("a finding and a match show their place in the document", async () => {
    await show(
      {
        slug: "json-validator",
        view: "report",
        input: { data: '{\n  "a": 1,\n  "a": 2\n}' },
      },
      async (page) => {
        await page.keyboard.press("F8");
        expect(await page.evaluate("called")).toEqual(["goto 3:3"]);
      },
    );
    await show(
      {
        slug: "regex-tester",
        view: "match",
        input: { data: "a\n👋bc", pattern: "b" },
      },
      async (page) => {
        await page.locator(".v-match").first().click();
        expect(await page.evaluate("called")).toEqual(["goto 2:2"]);
      },
    );
  });

  it("code folds, and shows characters that nobody sees", async () => {
    await show(
      {
        slug: "json-formatter",
        view: "code:json+tree",
        input: { data: '{"a":{"b":[1]},"t":"x\u202ey"}' },
      },
      async (page) => {
        const shadow = "document.querySelector('.code').shadowRoot";
        await expect
          .poll(() => page.evaluate(`${shadow}?.querySelector('.unseen-character')?.textContent`))
          .toBe("202E");
        await page.getByRole("button", { name: "Fold all" }).click();
        await expect.poll(() => page.evaluate(`${shadow}.querySelectorAll('.folded').length`)).toBe(1);
        await page.getByRole("button", { name: "Unfold all" }).click();
        await expect.poll(() => page.evaluate(`${shadow}.querySelectorAll('.folded').length`)).toBe(0);
      },
    );
  });

  it("a token is verified on the server at the press of a button alone", async () => {
    const data =
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjaSIsImFkbWluIjpmYWxzZX0.Dj41Bz9KUmjnRhX2kYKyue4olXBLqF_D5Hcs9Nff5l0";
    await show({ slug: "jwt-decoder", view: "cards:jwt", input: { data } }, async (page) => {
      await page.locator(".v-verify input").focus();
      await page.keyboard.insertText("a secret of thirty-two bytes or more");
      expect(await page.evaluate("called")).toEqual([]);
      await page.getByRole("button", { name: "Verify" }).click();
      await page.locator(".v-verify").getByText("The signature is genuine.").waitFor();
      expect(await page.evaluate("called")).toEqual(["server jwt-verifier"]);
    });
  });
});

/** Texts below 13 px, and controls below 24 px, in the document and in the boxes of code. */
const tooSmall = `(() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  return all(document.querySelector(".shown")).flatMap((one) => {
    const { width, height } = one.getBoundingClientRect();
    if (width < 2 || height < 2) return [];
    const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    const isControl = one.matches("button:not(.folded), select, input, a");
    return (hasText && parseFloat(getComputedStyle(one).fontSize) < 12.99) || (isControl && (width < 23.99 || height < 23.99))
      ? [one.outerHTML.slice(0, 200)] : [];
  });
})()`;
