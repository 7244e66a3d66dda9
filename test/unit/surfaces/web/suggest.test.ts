import { beforeAll, describe, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { summarize } from "../../../../src/catalog/describe.ts";
import { type Search, searchOf } from "../../../../src/catalog/search.ts";
import {
  arrange,
  mayBeName,
  type Offer,
  type Suggestions,
} from "../../../../src/surfaces/web/page/home/suggest.ts";
import type { ListedTool } from "../../../../src/catalog/description.ts";
import { tools } from "../../../../src/tools/index.ts";
import detector from "../../../../src/tools/text/input-detector.ts";
import { runTool } from "../../tools/run-tool.ts";

// Suggestions of the home page for a text, with the real detector and the real names.
let search: Search<ListedTool>;

beforeAll(async () => {
  const all = await createCatalog(tools).all();
  search = searchOf(
    all.map(summarize).map(({ aliases, ...tool }) => ({ ...tool, aliases: aliases.join(", ") })),
  );
});

async function offersFor(text: string): Promise<Suggestions> {
  const input = { kind: "text", text } as const;
  const { items } = JSON.parse(await runTool(detector, { data: text })) as { items: Offer[] };
  return arrange(input, items, mayBeName(input) ? search(text.trim().toLowerCase()) : []);
}

const slugsOf = ({ best, others }: Suggestions): string[] =>
  [...(best ? [best] : []), ...others].map(({ slug }) => slug);

describe("what the input is decides", () => {
  test.each([
    ["550e8400-e29b-41d4-a716-446655440000", "UUID", "uuid-generator", "certificate-expiry-checker"],
    ["https://example.com/a?b=1", "URL with a query", "url-parser", "env-comparer"],
    ["0 0 * * *", "cron expression", "cron-parser", "openapi-validator"],
    ["1700000000", "Unix time", "timestamp-converter", "uuid-generator"],
    ['{"a":1}', "JSON", "json-formatter", "hash-generator"],
    ["192.168.0.0/24", "IP network", "cidr-calculator", "semver-comparer"],
  ])("%j is a %s: %s is best, and %s is not offered", async (text, description, best, never) => {
    const found = await offersFor(text);
    expect(found.description).toBe(description);
    expect(found.best?.slug).toBe(best);
    expect(slugsOf(found)).not.toContain(never);
    expect(found.others.every(({ offer }) => offer !== undefined)).toBe(true);
    expect(found.others.length).toBeLessThanOrEqual(4);
  });
});

describe("words that are nothing else are the name of a tool", () => {
  test.each([
    ["md5", "hash-generator"],
    ["md5sum", "hash-generator"],
    ["diff", "text-differ"],
    ["json", "json-formatter"],
    ["uuid", "uuid-generator"],
    ["prettify json", "json-formatter"],
    ["jwt", "jwt-decoder"],
  ])("%j is %s", async (text, slug) => {
    const found = await offersFor(text);
    expect(found.best).toBeUndefined();
    expect(slugsOf(found)).toContain(slug);
    expect(slugsOf(found).length).toBeLessThanOrEqual(6);
  });
});

test("a tool that is only near says so", async () => {
  const { others } = await offersFor("gzip");
  expect(others[0]?.reason).toMatch(/^No tool is called so; this is one of the nearest\./);
});

test("a text of which nothing is known is for the tools that take any text", async () => {
  const found = await offersFor("Dear colleagues,\nplease find attached the minutes.\n");
  expect([found.description, found.best]).toEqual(["", undefined]);
  expect(slugsOf(found)).toContain("hash-generator");
  expect(found.others.every(({ offer }) => offer !== undefined)).toBe(true);
});

test("nothing is offered for nothing", () => {
  expect(slugsOf(arrange({ kind: "text", text: "" }, [], []))).toEqual([]);
});

test.each([
  ["md5", true],
  [".env to json", true],
  ["c++", true],
  ["sha-256", true],
  ["0 0 * * *", false],
  ["https://example.com", false],
  ["a\nb", false],
  ['{"a":1}', false],
  ["x".repeat(61), false],
])("%j may be a name: %s", (text, expected) => {
  expect(mayBeName({ kind: "text", text })).toBe(expected);
});
