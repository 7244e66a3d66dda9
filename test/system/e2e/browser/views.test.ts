import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import type { ViewName } from "../../../../src/catalog/view-name.ts";
import { tools } from "../../../../src/tools/index.ts";
import { viewsOfTools } from "../../../unit/surfaces/web/views-of-tools.ts";
import { faults, ofColours } from "./axe.ts";
import { type Browser, findBrowser, shareBrowser, type Page, type PageOptions, watch } from "./browser.ts";
import { openViewStage, type Scene, type ViewStage } from "./view-stage.ts";

// The views in a real browser, without the page of a tool around them.
const found = findBrowser();
if (found === undefined)
  process.stderr.write(
    "tests of views skipped: no browser found (package chromium-headless-shell or chromium)\n",
  );

const names = Object.keys(viewsOfTools) as ViewName[];

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

  async function show(scene: Scene, options?: PageOptions): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await watch(browser, options);
    await page.goto(stage.put(scene));
    await page.locator("[data-ready]").waitFor();
    return { page, complaints };
  }

  it.each(names)(
    "%s: each tab is accessible, keeps the policy and is not wider than a phone",
    async (view) => {
      const slug = viewsOfTools[view]?.[0] ?? "";
      const { examples } = await createCatalog(tools).get(slug);
      const input = examples.at(-1)?.input ?? {};
      const { page, complaints } = await show(
        { slug, view, input },
        { viewport: { width: 320, height: 700 }, reducedMotion: "reduce" },
      );
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
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it("a difference of 40,000 lines draws the lines in sight, and F8 steps to its changes", async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of the text`);
    const other = lines.with(20_000, "another line 20000").with(39_999, "the last line");
    const { page } = await show({
      slug: "text-differ",
      view: "diff",
      input: { data: lines.join("\n"), other: other.join("\n"), context: 10_000 },
    });
    await page.locator(".v-line").first().waitFor();
    expect(await page.evaluate("document.querySelectorAll('.v-line').length")).toBeLessThan(400);
    await page.keyboard.press("Shift+F8");
    await page.getByRole("status").getByText("Change 2 of 2").waitFor();
    await page.locator("ins").getByText("last").waitFor();
    expect(await page.evaluate("document.querySelectorAll('.v-line').length")).toBeLessThan(400);
    await page.close();
  });

  it("a table of 20,000 rows draws those in sight, and sorts by a column", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      id: index,
      name: `name ${(index * 7919) % 20_000}`,
    }));
    const { page } = await show({
      slug: "json-to-csv",
      view: "table+code",
      input: { data: JSON.stringify(rows) },
    });
    const first = "document.querySelector('.v-data tbody td:nth-child(3)').textContent";
    expect(await page.evaluate(first)).toBe("name 0");
    await page.getByRole("button", { name: "name" }).click();
    await page.getByRole("button", { name: "name" }).click();
    await expect.poll(() => page.evaluate(first)).toBe("name 19999");
    expect(await page.evaluate("document.querySelectorAll('.v-data tr').length")).toBeLessThan(600);
    await page.close();
  });

  it("digests are all in the tab, and one is compared", async () => {
    const { page } = await show({ slug: "hash-generator", view: "digests", input: { data: "abc" } });
    await page.locator(".v-digest").getByText("900150983cd24fb0d6963f7d28e17f72").waitFor();
    await page.locator(".v-compare input").focus();
    await page.keyboard.insertText("A9993E364706816ABA3E25717850C26C9CD0D89D  file.txt");
    await page.locator(".v-compare").getByText("SHA-1").waitFor();
    expect(await page.evaluate("document.querySelector('.v-hit strong').textContent")).toBe("SHA-1");
    await page.close();
  });

  it("a tree is walked by the keyboard, and says the path", async () => {
    const { page } = await show({
      slug: "json-formatter",
      view: "code:json+tree",
      input: { data: '{"owner":{"admin":true},"list":[1,2]}' },
    });
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
    await page.close();
  });

  it("a finding and a match show their place in the document", async () => {
    const report = await show({
      slug: "json-validator",
      view: "report",
      input: { data: '{\n  "a": 1,\n  "a": 2\n}' },
    });
    await report.page.keyboard.press("F8");
    expect(await report.page.evaluate("called")).toEqual(["goto 3:3"]);
    await report.page.close();
    const matches = await show({
      slug: "regex-tester",
      view: "match",
      input: { data: "a\n👋bc", pattern: "b" },
    });
    await matches.page.locator(".v-match").first().click();
    expect(await matches.page.evaluate("called")).toEqual(["goto 2:2"]);
    await matches.page.close();
  });

  it("code folds, and shows characters that nobody sees", async () => {
    const { page } = await show({
      slug: "json-formatter",
      view: "code:json+tree",
      input: { data: '{"a":{"b":[1]},"t":"x\u202ey"}' },
    });
    const shadow = "document.querySelector('.code').shadowRoot";
    await expect
      .poll(() => page.evaluate(`${shadow}?.querySelector('.unseen-character')?.textContent`))
      .toBe("202E");
    await page.getByRole("button", { name: "Fold all" }).click();
    await expect.poll(() => page.evaluate(`${shadow}.querySelectorAll('.folded').length`)).toBe(1);
    await page.getByRole("button", { name: "Unfold all" }).click();
    await expect.poll(() => page.evaluate(`${shadow}.querySelectorAll('.folded').length`)).toBe(0);
    await page.close();
  });

  it("a token is verified on the server at the press of a button alone", async () => {
    const data =
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjaSIsImFkbWluIjpmYWxzZX0.Dj41Bz9KUmjnRhX2kYKyue4olXBLqF_D5Hcs9Nff5l0";
    const { page } = await show({ slug: "jwt-decoder", view: "cards:jwt", input: { data } });
    await page.locator(".v-verify input").focus();
    await page.keyboard.insertText("a secret of thirty-two bytes or more");
    expect(await page.evaluate("called")).toEqual([]);
    await page.getByRole("button", { name: "Verify" }).click();
    await page.locator(".v-verify").getByText("The signature is genuine.").waitFor();
    expect(await page.evaluate("called")).toEqual(["server jwt-verifier"]);
    await page.close();
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
