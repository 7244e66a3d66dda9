import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fromStrings, parseInput } from "../../../src/catalog/input.ts";
import { nearest } from "../../../src/lib/nearest.ts";
import { defineTool } from "../../../src/catalog/tool.ts";

const tool = defineTool({
  slug: "test-parser",
  title: "Test",
  summary: "Test.",
  input: z.object({
    data: z.string().describe("Text"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces"),
    sortKeys: z.boolean().default(false).describe("Sort"),
    paths: z.array(z.string()).max(3).default([]).describe("Paths"),
    ratio: z.number().min(0).max(1).optional().describe("Ratio"),
  }),
  examples: [],
  run: () => "",
});

describe("values", () => {
  test("defaults are filled in", () => {
    expect(parseInput(tool, { data: "" })).toEqual({ data: "", indent: 2, sortKeys: false, paths: [] });
  });

  test.each([
    [{}, "invalid_input", "/data"],
    [{ data: 1 }, "invalid_input", "/data"],
    [{ data: "", indent: 11 }, "invalid_input", "/indent"],
    [{ data: "", indent: "2" }, "invalid_input", "/indent"],
    [{ data: "", paths: ["a", 2] }, "invalid_input", "/paths/1"],
    [{ data: "", sortKey: true }, "unknown_field", "/sortKey"],
    [JSON.parse('{"data":"","__proto__":{}}'), "unknown_field", "/__proto__"],
    [{ data: "", "a/b~c": 1 }, "unknown_field", "/a~1b~0c"],
    [[], "invalid_input", ""],
    [null, "invalid_input", ""],
    ["text", "invalid_input", ""],
  ])("%j is refused", (raw, code, pointer) => {
    expect(() => parseInput(tool, raw)).toThrow(
      expect.objectContaining({
        code,
        details: expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }),
      }),
    );
  });

  test("a long name is shortened in the message, with no suggestion", () => {
    const name = "x".repeat(100_000);
    expect(() => parseInput(tool, { [name]: 1 })).toThrow(/^.{1,300}$/);
  });
});

describe("strings", () => {
  test.each([
    [[["indent", "4"]], { indent: 4 }],
    [[["ratio", "0.5"]], { ratio: 0.5 }],
    [[["sortKeys", "true"]], { sortKeys: true }],
    [[["sortKeys", ""]], { sortKeys: true }],
    [[["sortKeys", "false"]], { sortKeys: false }],
    [[["paths", "a"]], { paths: ["a"] }],
    [
      [
        ["paths", "a"],
        ["paths", "b"],
      ],
      { paths: ["a", "b"] },
    ],
  ] as [[string, string][], object][])("%j", (pairs, values) => {
    expect(fromStrings(tool, pairs)).toEqual(values);
  });

  test.each([
    [[["indent", "0x10"]], "invalid_input"],
    [[["indent", ""]], "invalid_input"],
    [[["indent", " 2"]], "invalid_input"],
    [[["sortKeys", "yes"]], "invalid_input"],
    [[["indnt", "2"]], "unknown_field"],
    [
      [
        ["indent", "1"],
        ["indent", "2"],
      ],
      "invalid_input",
    ],
  ] as [[string, string][], string][])("%j is refused", (pairs, code) => {
    expect(() => fromStrings(tool, pairs)).toThrow(expect.objectContaining({ code }));
  });
});

test.each([
  ["json-formater", "json-formatter"],
  ["JSON-FORMATTER", "json-formatter"],
  ["jsno-formatter", "json-formatter"],
  ["xyz", undefined],
  ["", undefined],
  ["json-formatter".repeat(10), undefined],
])("the nearest name to %j is %j", (name, near) => {
  expect(nearest(name, ["json-minifier", "json-formatter", "uuid-generator"])).toBe(near);
});
