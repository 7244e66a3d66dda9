import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import type { Value } from "../../lib/data/value.ts";
import { type HtmlMatch, queryHtml } from "../../lib/html/query.ts";
import { htmlQueryExamples } from "../html-query-examples.ts";
import { writeLines, writeValue } from "../json-value.ts";
import { refusing, refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "html-query",
  title: "HTML query",
  summary: "Find the elements of an HTML document by a CSS selector: as text, attribute, HTML or JSON.",
  page: {
    tile: "CSS selectors over HTML",
    layout: "pattern",
    view: "text",
    options: ["selector", "output", "attribute", "first"],
    labels: { first: "First only" },
    start: { selector: "a[href]" },
  },
  accepts: "HTML",
  aliases:
    "htmlq, pup, cheerio, queryselector, queryselectorall, css selector, extract links, scrape html, parse html, html to text, select elements, get attribute from html",
  input: z.object({
    data: z
      .string()
      .describe(
        "The HTML document, or a part of one; the tree is that of a browser without scripts, so tables have a tbody, and cells outside of a table are dropped",
      ),
    selector: z
      .string()
      .min(1)
      .max(10_000)
      .describe(
        "The CSS selector, such as div.card > a[href^='https:'], li:nth-child(2) or h2:has(+ p); the time of :has(~ …) within :has(~ …) grows with the cube of the siblings, until the deadline",
      ),
    output: z
      .enum(["text", "html", "attribute", "json"])
      .default("text")
      .describe(
        "Result, one element after the other: its text on one line, its HTML, the value of attribute, or an array of names, attributes and texts as JSON",
      ),
    attribute: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe("Name of the attribute where output is attribute; elements without it are left out"),
    first: z.boolean().default(false).describe("Only the first element of the result"),
    limit: z.int().min(1).max(10_000).default(10_000).describe("Most elements of the result"),
  }),
  isolate: "process",
  examples: htmlQueryExamples,
  async run({ data, selector, output, attribute, first, limit }) {
    if ((output === "attribute") !== (attribute !== undefined))
      throw invalidField("attribute", "attribute names what output attribute writes: set both, or neither.");
    const matches = await refusing(data, () => refusingOption("selector", () => queryHtml(data, selector)));
    return refusing(data, () => {
      const results: Value[] = [];
      for (const match of matches) {
        const result = toResult(match, output, attribute);
        if (result !== undefined) results.push(result);
        if (results.length === (first ? 1 : limit)) break;
      }
      return output === "json" ? writeValue(results) : writeLines(results);
    });
  },
});

function toResult(match: HtmlMatch, output: string, attribute = ""): Value | undefined {
  if (output === "html") return match.html();
  if (output === "text") return match.text();
  if (output === "attribute") return match.attribute(attribute);
  return new Map<string, Value>([
    ["name", match.name],
    ["attributes", match.attributes()],
    ["text", match.text()],
  ]);
}
