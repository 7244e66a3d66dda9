import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../src/tools/web/html-query.ts";
import { atHand } from "../../support/at-hand.ts";
import { drawSeed } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

/** Elements whose tree is the same for parsers of HTML and of XML. */
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("one", "two", ""),
    fc
      .tuple(
        fc.constantFrom("div", "span", "b", "em"),
        fc.constantFrom("", ' class="x"', ' class="x y"', ' id="i" title="t"', ' title="u"'),
        fc.array(tie("tree"), { maxLength: 4 }),
      )
      .map(([name, attributes, inner]) => `<${name}${attributes}>${inner.join("")}</${name}>`),
  ),
}));

/** Selectors, and the conditions of XPath that say the same. */
const parts = [
  ["div", "self::div"],
  ["span", "self::span"],
  ["b", "self::b"],
  [".x", "contains(concat(' ', @class, ' '), ' x ')"],
  [".y", "contains(concat(' ', @class, ' '), ' y ')"],
  ["#i", "@id = 'i'"],
  ["[title]", "@title"],
  ['[title="t"]', "@title = 't'"],
  ["div:first-child", "self::div and not(preceding-sibling::*)"],
  ["span:last-child", "self::span and not(following-sibling::*)"],
  ["b:nth-child(2)", "self::b and count(preceding-sibling::*) = 1"],
  ["em:not(.x)", "self::em and not(contains(concat(' ', @class, ' '), ' x '))"],
  ["div:empty", "self::div and not(node())"],
] as const;
const combinators = [
  [" ", "//"],
  [" > ", "/"],
  [" + ", "/following-sibling::*[1]/self::"],
  [" ~ ", "/following-sibling::"],
] as const;

const draws = fc.sample(
  fc.tuple(
    fc.array(tree, { minLength: 4, maxLength: 8 }),
    fc.constantFrom(...parts),
    fc.constantFrom(...combinators),
    fc.constantFrom(...parts),
  ),
  { numRuns: 120, seed: drawSeed() },
);

const count = async (data: string, selector: string): Promise<number> =>
  (JSON.parse(await runTool(tool, { data, selector, output: "json" })) as unknown[]).length;

const pageOf = (trees: readonly string[]): string =>
  `<html><head></head><body>${trees.join("")}</body></html>`;

/** pup leaves out matches in other matches. */
test.skipIf(!atHand("pup"))("as many elements match a selector without combinators as for pup", async () => {
  let matched = 0;
  for (const [trees, [selector]] of draws) {
    const theirs = execFileSync("pup", ["-n", selector], { input: pageOf(trees), encoding: "utf8" });
    const ours = await count(pageOf(trees), `${selector}:not(${selector} *)`);
    expect(ours, `${selector} in ${pageOf(trees)}`).toBe(Number(theirs.trim()));
    matched += ours;
  }
  expect(matched).toBeGreaterThan(50);
});

test.skipIf(!atHand("xmllint"))("as many elements match as for the same in XPath", async () => {
  let matched = 0;
  for (const [trees, left, [combinator, step], right] of draws) {
    const selector = left[0] + combinator + right[0];
    const path = `count(//*[${left[1]}]${step}*[${right[1]}])`;
    const theirs = execFileSync("xmllint", ["--xpath", path, "-"], {
      input: pageOf(trees),
      encoding: "utf8",
    });
    const ours = await count(pageOf(trees), selector);
    expect(ours, `${selector} in ${pageOf(trees)}`).toBe(Number(theirs.trim()));
    matched += ours;
  }
  expect(matched).toBeGreaterThan(5);
});
