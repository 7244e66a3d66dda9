import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import tool from "../../../../src/tools/web/html-query.ts";
import { drawSeed } from "../../../support/cases.ts";
import { runTool } from "../../../unit/tools/run-tool.ts";
import { type Browser, findBrowser, type Page, shareBrowser } from "./browser.ts";

const found = findBrowser();

/** Pieces of markup that parsers repair; without `select`, whose contents newer browsers parse in another way. */
const piece = fc.constantFrom(
  ..."<p> <p class=x> </p> <b> </b> <i title=t> </i> <a href=#> </a> <div class='x y'> </div> <ul> <li> <li class=x> </ul> <table> <tr> <td> </td> </table> </select> <svg viewBox='0 0 1 1'> <foreignObject> </svg> <math><mi> <br> <img> <!--c--> one two &amp; &notit; <h1> </h1> <button> <form> </form> <noscript> </noscript> <template> </template> <style> </style> <title> </title> <body id=i> <frameset> <caption> <colgroup> <col> <script> </script> <textarea> </textarea>".split(
    / (?=<|one|two|&)/,
  ),
);
const simple = fc.constantFrom(
  ..."* p b i li td tr svg foreignObject .x .y .x.y #i [title] [title=t] [viewBox] a[href^='#'] :first-child :last-child :only-child :nth-child(2n+1) :nth-last-child(2) :nth-of-type(2) :nth-last-of-type(-n+2) :first-of-type :last-of-type :only-of-type :nth-child(2,of,.x) :root p:not(.x) :is(b,i) :where(p,li) div:has(>.x) :has(+p) :not(:has(*))"
    .split(" ")
    .map((part) => part.replaceAll(",of,", " of ")),
);
const selector = fc
  .tuple(simple, fc.constantFrom(" ", " > ", " + ", " ~ ", ", "), simple)
  .map((parts) => parts.join(""));
/**
 * No form after a template: in the table of a template's contents HTML ignores the form
 * (section 13.2.6.4.9, "in table"), as we do, and Chromium inserts one.
 */
const pieces = fc.array(piece, { minLength: 5, maxLength: 40 }).map((list) => {
  const template = list.indexOf("<template>");
  return list.filter((one, at) => one !== "<form>" || template === -1 || at < template);
});
const draws = fc.sample(fc.tuple(pieces, selector), { numRuns: 1500, seed: drawSeed() });

describe.runIf(found !== undefined)("html-query beside a browser", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await shareBrowser(found ?? "");
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());

  test("the same elements match, with the same HTML", async () => {
    const cases = draws.map(([list, selected]) => [list.join(""), selected]);
    const theirs = (await page.evaluate(
      `${JSON.stringify(cases)}.map(([html, selector]) => {
        const document = new DOMParser().parseFromString("<!doctype html>" + html, "text/html");
        return Array.from(document.querySelectorAll(selector), (element) => element.outerHTML);
      })`,
    )) as string[][];
    let matched = 0;
    for (const [at, [html = "", selected = ""]] of cases.entries()) {
      const data = `<!doctype html>${html}`;
      const ours = await runTool(tool, { data, selector: selected, output: "html" });
      expect(ours, `${selected} in ${data}`).toBe(theirs[at]?.join("\n"));
      matched += theirs[at]?.length ?? 0;
    }
    expect(matched).toBeGreaterThan(500);
  });
});
