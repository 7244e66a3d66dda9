import { createRequire } from "node:module";
import { expect, test } from "vitest";
import tool from "../../../../../src/tools/data/xml-query.ts";
import { drawSeed, isLong } from "../../../../support/cases.ts";
import { runTool } from "../../../../unit/tools/run-tool.ts";
import { drawQueries } from "../../../oracles/xpath-queries.ts";

/** The parts used. The packages' own types would bring those of a browser to every file. */
interface Parser {
  DOMParser: new () => { parseFromString(text: string, type: string): unknown };
}
interface Evaluator {
  useNamespaces(names: Readonly<Record<string, string>>): (query: string, node: unknown) => unknown;
}

const load = createRequire(import.meta.url);
const { DOMParser } = load("@xmldom/xmldom") as Parser;
const select = (load("xpath") as Evaluator).useNamespaces({ x: "urn:x" });

/** Returns the value of an expression as XPath 1.0 writes it. */
function theirs(data: string, query: string): string {
  // The DOM has CDATA sections and the texts beside them as nodes, which are one text for XPath.
  const plain = data.replaceAll("<![CDATA[<c>]]>", "&lt;c>");
  const document = new DOMParser().parseFromString(plain, "text/xml");
  return String(select(query, document));
}

/**
 * The library numbers the nodes of a set in parentheses in the order in which it finds them, not in that of the document, and its axes
 * following and preceding have nodes of the wrong places; xmllint is compared with these.
 */
const isKnown = (query: string): boolean => /\)\[(?:1|last\(\))\]|(?:following|preceding)::/.test(query);

test("expressions of XPath 1.0 have the value that an implementation in JavaScript gives", async () => {
  let compared = 0;
  for (const [data, query] of drawQueries(isLong() ? 10_000 : 800, drawSeed())) {
    if (isKnown(query)) continue;
    const ours = await runTool(tool, { data, query, output: "raw" });
    expect(ours, `${query} in ${data}`).toBe(theirs(data, query));
    compared++;
  }
  expect(compared).toBeGreaterThan(100);
});
