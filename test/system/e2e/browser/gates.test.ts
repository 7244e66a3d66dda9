import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { cases, maxSeconds } from "../../../support/cases.ts";
import { faults, ofColours } from "./axe.ts";
import { findBrowser, type Page, watch, type Watched } from "./browser.ts";
import { enter, openStage } from "./stage.ts";

// Rules for every page: widths, sizes of text and targets, contrast of the tokens.
const found = findBrowser();
const patience = { timeout: 60_000 };
const sheet = readFileSync(new URL("../../../../src/surfaces/web/page/base.css", import.meta.url), "utf8");

/** The colours of each theme by the name of their token. */
const tokens = Object.fromEntries(
  [...sheet.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, [light, dark] as const],
  ),
);

/** The relative luminance of a colour (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratioOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each([
  ["light", 0],
  ["dark", 1],
] as const)("the tokens of the %s theme", (_, theme) => {
  const of = (name: string): string => tokens[name]?.[theme] ?? `no token --${name}`;
  const surfaces = ["canvas", "panel", "raised", "sunk", "hover"];
  const texts = ["text", "muted", "accent", "accent-strong", "ok", "bad", "warn"];
  const code = ["code-key", "code-string", "code-number", "code-word", "part-1", "part-2", "part-3"];

  test.each(texts)("%s is read on every surface", (name) => {
    for (const surface of surfaces)
      expect([surface, ratioOf(of(name), of(surface)) >= 4.5]).toEqual([surface, true]);
  });

  test.each(code)("%s is read in editors, and on the soft colours of a marked line", (name) => {
    for (const surface of ["panel", "raised", "sunk", "accent-soft", "bad-soft"])
      expect([surface, ratioOf(of(name), of(surface)) >= 4.5]).toEqual([surface, true]);
  });

  test.each([
    ["ok", "ok-soft"],
    ["bad", "bad-soft"],
    ["warn", "warn-soft"],
    ["accent", "accent-soft"],
    ["on-accent", "accent"],
    ["on-accent", "accent-strong"],
    ["on-accent", "bad"],
    ...["match-a", "match-b", "match-group", "match-group-b", "add", "add-mark", "del", "del-mark"].map(
      (mark) => ["text", mark],
    ),
  ])("%s is read on %s", (name, surface) => {
    expect(ratioOf(of(name ?? ""), of(surface ?? ""))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(["edge", "brass", "accent"])("%s is seen on every surface of a control", (name) => {
    for (const surface of ["canvas", "panel", "raised", "sunk"])
      expect([surface, ratioOf(of(name), of(surface)) >= 3]).toEqual([surface, true]);
  });
});

describe.runIf(found !== undefined)("every page", () => {
  const stage = openStage(found);
  let watched: Watched;
  beforeAll(async () => {
    const context = await stage.browser.newContext();
    await enter(context, stage, "acme");
    watched = await watch(context);
    await watched.page.addInitScript(
      `window.moves = []; new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
          moves.push(...sources.map(({ node, previousRect, currentRect }) =>
            [value, node?.outerHTML ?? node?.textContent, JSON.stringify(previousRect), JSON.stringify(currentRect)].join(" ")));
      }).observe({ type: "layout-shift", buffered: true });`,
    );
  });
  afterAll(() => watched?.page.close());

  const paths = [
    "",
    "tools",
    "tools/json-formatter",
    "tools/nope",
    "nope",
    "api",
    "pipelines",
    "sign-in",
    "problems/internal",
    ...["keys", "usage", "webhooks", "inboxes", "events", "sessions"].map((name) => `settings/${name}`),
  ];
  const widths = [320, 390, 640, 768, 1000, 1440, 3840];
  const backgrounds = { light: "rgb(244, 246, 248)", dark: "rgb(14, 17, 21)" };
  /** Chromium's own line for a page whose status is 404. */
  const missing = "Failed to load resource: the server responded with a status of 404 (Not Found)";

  /** Texts below 13 px, and targets below 24 px that are neither in a line of text nor behind a label. */
  const small = (page: Page): Promise<unknown> =>
    page.evaluate(`(() => {
      const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.closest(".unseen, .sprite, noscript") === null;
      const texts = [...document.querySelectorAll("body *")].filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "") && seen(element) &&
        element.closest("option, script, style") === null && parseFloat(getComputedStyle(element).fontSize) < 13);
      const targets = [...document.querySelectorAll("a, button, input, select, textarea, summary, [role=option]")].filter((element) => {
        if (!seen(element) || element.matches(".skip") || element.hidden || element.type === "file") return false;
        if (getComputedStyle(element).display === "inline") return false;
        const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
        return width > 0 && (width < 24 || height < 24);
      });
      return [...texts, ...targets].map(({ outerHTML }) => outerHTML.slice(0, 120));
    })()`);

  it("loads little besides its own parts", async () => {
    const html = await (await fetch(`${stage.url}/`, { headers: { accept: "text/html" } })).text();
    const sizeOf = async (kind: string): Promise<number> => {
      const files = [...html.matchAll(new RegExp(`(?:href|src)="\\./(web/[^"]+\\.${kind})"`, "g"))];
      const sizes = files.map(async ([, file = ""]) => {
        const content = await (await fetch(`${stage.url}/${file}`)).arrayBuffer();
        return gzipSync(content).length;
      });
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    };
    for (const [kind, most] of [
      ["css", 10_000],
      ["js", 30_000],
    ] as const) {
      const size = await sizeOf(kind);
      expect(size).toBeGreaterThan(1000);
      expect(size).toBeLessThanOrEqual(most);
    }
  });

  /** Waits until a page shows what its script adds. */
  async function whole(page: Page, path: string): Promise<void> {
    await expect.poll(() => page.evaluate("document.documentElement.dataset.account"), patience).toBe("acme");
    await page.locator("main h1").first().waitFor();
    if (path === "tools/json-formatter" || path === "pipelines")
      await page.locator(".editor .cm-content").first().waitFor();
    if (path === "") await page.locator(".next h2").waitFor();
    if (path === "tools") await page.getByRole("searchbox", { name: "Filter the tools" }).waitFor();
    await page.waitForTimeout(300);
  }

  interface Measured {
    /** Elements that moved while the page was loaded, with their places before and after. */
    moves: string[];
    /** The width of the page, the longest line of a paragraph and the tallest part of the header, in pixels. */
    wide: number;
    line: number;
    bar: number;
  }
  const measure = (page: Page): Promise<Measured> =>
    page.evaluate(`({
      moves,
      wide: document.documentElement.scrollWidth,
      line: Math.max(0, ...[...document.querySelectorAll("main p")].filter((p) => getComputedStyle(p).clipPath === "none").map((p) => {
        const text = document.createRange();
        text.selectNodeContents(p);
        return text.getBoundingClientRect().width;
      })),
      bar: Math.max(...[...document.querySelectorAll(".bar > *")].map((one) => one.offsetHeight)),
    })`) as Promise<Measured>;

  it.each(paths)(
    "/%s fits each width, nothing in it moves, no text or target is small, it asks this server alone, and axe finds no fault",
    async (path) => {
      const { page, asked, lines, complaints } = watched;
      for (const recorded of [asked, lines, complaints]) recorded.length = 0;
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
      for (const width of cases(widths, maxSeconds)) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${stage.url}/${path}`);
        await whole(page, path);
        const { moves, wide, line, bar } = await measure(page);
        expect({ width, moves, wide }).toEqual({ width, moves: [], wide: width });
        expect(line).toBeLessThan(Math.min(width, 1500));
        // The header is one line: nothing in it is broken into letters.
        expect(bar).toBeLessThanOrEqual(52);
        expect([width, await small(page)]).toEqual([width, []]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        // Half-way colours of a transition are none of a theme.
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const background = await page.evaluate("getComputedStyle(document.body).backgroundColor");
        expect(background).toBe(backgrounds[colorScheme]);
        // Only colours differ in the second round.
        expect(await faults(page, colorScheme === "dark" ? ofColours : undefined)).toEqual([]);
      }
      const { origin } = new URL(stage.url);
      expect(
        asked.filter((one) => new URL(one.replace(/^blob:/, "").replace(/^ws:/, "http:")).origin !== origin),
      ).toEqual([]);
      const refused = path.endsWith("nope") ? widths.map(() => missing) : [];
      expect(lines).toEqual(refused);
      expect(complaints.filter((one) => one !== missing)).toEqual([]);
    },
  );
});
