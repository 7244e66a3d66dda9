import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { findNamed, findTools } from "../../../../src/catalog/find-tools.ts";
import { tools } from "../../../../src/tools/index.ts";
import { related } from "../../../../src/catalog/related.ts";
import { searchOf } from "../../../../src/catalog/search.ts";

const catalog = createCatalog(tools);
const all = await catalog.all();
const find = (query: string): string[] => findTools(all, query).map(({ slug }) => slug);

// The second set was written by somebody who had seen neither the first nor the aliases, and read only to measure.
test.each(["phrases.json", "second/phrases.json"])(
  "finds 95 %% of the tools of %s among the first five",
  (file) => {
    const phrases = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as {
      phrase: string;
      tools: string[];
    }[];
    const recalls = phrases.map(({ phrase, tools: wanted }) => {
      const found = find(phrase).slice(0, 5);
      return wanted.filter((slug) => found.includes(slug)).length / wanted.length;
    });
    expect(recalls.length).toBeGreaterThanOrEqual(150);
    expect(recalls.reduce((sum, one) => sum + one, 0) / recalls.length).toBeGreaterThanOrEqual(0.95);
  },
);

test.each([
  ["json-formatter", "json-formatter"],
  ["JSON Formatter", "json-formatter"],
  ["yaml2json", "yaml-to-json"],
  ["json2yaml", "json-to-yaml"],
  ["convert json to yaml", "json-to-yaml"],
  ["MD5", "hash-generator"],
  ["decoding jwt", "jwt-decoder"],
  ["regexp", "regex-tester"],
  ["jsn formater", "json-formatter"],
  ["encodeURIComponent()", "url-encoder"],
  ["&amp;", "html-entity-decoder"],
  ["ＵＵＩＤ", "uuid-generator"],
])("%s finds %s first", (query, slug) => {
  expect(find(query)[0]).toBe(slug);
});

test.each(["", " ", "the of", "💥", "zzzzzz", "\u0000"])("%j finds nothing", (query) => {
  expect(find(query)).toEqual([]);
});

// Similar words are no answer: idna is not iana, base58 no base of numbers and a makefile not the environment of make.
test.each([
  ["gzip", "base64-encoder"],
  ["gunzip", "base64-encoder"],
  ["makefile", "secret-scanner"],
  ["base58", "base64-encoder"],
  ["crc32", "hash-generator"],
  ["PCRE", "regex-tester"],
  ["bson", "data-converter"],
  ["curl", "url-parser"],
  ["wireshark", "hex-decoder"],
  ["two's complement", "number-base-converter"],
  ["luhn", "text-redactor"],
])("%s finds only the nearest, of which the best is %s", (query, slug) => {
  const { found, onlyNearest } = findNamed(all, query);
  expect([found[0]?.slug, onlyNearest]).toEqual([slug, true]);
});

test("each name in the list of what no tool does leads to tools, and is the name of none", () => {
  const plain = searchOf([...all]);
  for (const [name, slugs] of related) {
    expect([name, plain(name).every(({ isNear }) => isNear)]).toEqual([name, true]);
    expect(slugs.filter((slug) => !catalog.has(slug))).toEqual([]);
  }
});

test("a tool that is switched off is not among the nearest", async () => {
  const rest = await createCatalog(tools, ["base64-encoder"]).all();
  expect(findTools(rest, "gzip").map(({ slug }) => slug)).toEqual(["base64-decoder", "json-minifier"]);
});

test("the tools of one category may be only the nearest", () => {
  expect(findNamed(all, "md5", "json").onlyNearest).toBe(true);
  expect(findNamed(all, "md5", "crypto").onlyNearest).toBe(false);
});

test.each([
  ["formatters of jsson", false],
  ["jsson", true],
  ["blake3", true],
  ["md5", false],
])("for %j the tools are only the nearest: %s", (query, onlyNearest) => {
  const named = findNamed(all, query);
  expect(named.onlyNearest).toBe(onlyNearest);
});

test("a search may find nothing near", () => {
  expect(findNamed(all, "qqzzxx")).toEqual({ found: [], onlyNearest: true });
});

test("jq finds the tool that runs its filters, and a use of jq the tool that does it", () => {
  expect(findNamed(all, "jq").found[0]?.slug).toBe("json-query");
  expect(find("jq @csv")[0]).toBe("json-to-csv");
});

test("idna finds the parser of URLs, which writes hosts in Punycode", () => {
  expect(find("idna")[0]).toBe("url-parser");
});

test("a query has at most 200 characters, of any kind", () => {
  expect(find("𝕏".repeat(100))).toEqual([]);
  expect(find("a>b to ".repeat(28)).length).toBeLessThan(100);
  expect(() => find("a".repeat(201))).toThrow("at most 200 characters, not 201");
});

test.each(all.map((tool) => [tool.slug, tool] as const))(
  "%s says what people call it and what it takes",
  (slug, { aliases = "", accepts, input }) => {
    const names = aliases.split(", ");
    expect(names.length).toBeGreaterThanOrEqual(5);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name !== name.trim() || name === "" || name.length > 50)).toEqual([]);
    expect(accepts !== undefined).toBe("data" in input.shape);
    // Each leads to it, though some names belong to several tools.
    expect(names.filter((name) => !find(name).slice(0, 5).includes(slug))).toEqual([]);
  },
);

describe("suggestions", () => {
  test.each([
    ["jsonformatter", ["json-formatter"]],
    ["md5", ["hash-generator"]],
    ["guid", ["uuid-generator"]],
    ["sha256sum", ["hash-generator"]],
    ["", []],
    ["zzzzzz", []],
    ["a".repeat(65), []],
  ])("for %s", async (name, slugs) => {
    expect(await catalog.suggest(name)).toEqual(slugs);
  });

  test("are several for a name of several tools", async () => {
    await expect(async () => catalog.get("prettify")).rejects.toMatchObject({
      code: "unknown_tool",
      message: expect.stringMatching(/ Did you mean [a-z-]+(?:, [a-z-]+)? or [a-z-]+\?$/) as string,
      details: { nearest: "json-formatter" },
    });
  });

  test("never name a tool that is switched off", async () => {
    const rest = createCatalog(tools, ["hash-generator"]);
    expect(await rest.suggest("md5")).not.toContain("hash-generator");
  });

  test("load no tool in a worker", async () => {
    const loaded: string[] = [];
    const list = {
      test: { "some-tool": () => (loaded.push("some-tool"), Promise.reject(new Error("loaded"))) },
    };
    expect(await createCatalog(list, [], false).suggest("md5")).toEqual([]);
    expect(await createCatalog(list, [], false).suggest("sometool")).toEqual(["some-tool"]);
    expect(loaded).toEqual([]);
    await createCatalog(list).suggest("md5");
    expect(loaded).toEqual(["some-tool"]);
  });

  test("are none if the tools cannot be loaded", async () => {
    const broken = createCatalog({ test: { broken: () => Promise.reject(new Error("disk")) } });
    expect(await broken.suggest("md5")).toEqual([]);
  });
});
