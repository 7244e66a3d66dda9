import * as fc from "fast-check";
import { expect, test } from "vitest";
import filter from "../../../../src/tools/text/line-filter.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  ["ab\ncd\n", "b", {}, "ab\n"],
  ["ab\r\ncd", "c", {}, "cd"],
  ["ab\ncd", "x", {}, ""],
  ["ab\n\ncd\n", "", {}, "ab\n\ncd\n"],
  ["ab\n\n", "", { invert: true }, ""],
  ["a.b\naxb", "a.b", {}, "a.b"],
  ["a.b\naxb", "a.b", { mode: "re2" }, "a.b\naxb"],
  ["AB\nab", "Ab", { ignoreCase: true }, "AB\nab"],
  ["É\né", "É", { ignoreCase: true }, "É\né"],
  ["abc\nxabc", "ab*", { mode: "glob" }, "abc"],
  ["a*c\nabc", "a\\*c", { mode: "glob" }, "a*c"],
  ["a1\nab\na-", "a[0-9-]", { mode: "glob" }, "a1\na-"],
  ["a1\nab", "a[!0-9]", { mode: "glob" }, "ab"],
  ["a]\na[", "a[]]", { mode: "glob" }, "a]"],
  ["👋\nab", "?", { mode: "glob" }, "👋"],
  ["a+b (c)", "a+b (c)", { mode: "glob" }, "a+b (c)"],
  ["foo1\nfoo", "foo(?!\\d)", { mode: "regex" }, "foo"],
  ["a\nb\nc\nd\ne", "c", { before: 1 }, "b\nc"],
  ["a\nb\nc\nd\ne\n", "b", { after: 2 }, "b\nc\nd\n"],
  ["x\n1\n2\nx\n3\nx", "x", { before: 1, after: 1 }, "x\n1\n2\nx\n3\nx"],
  ["x\n1\n2\n3\nx", "x", { after: 1, lineNumbers: true }, "1:x\n2-1\n--\n5:x"],
  ["x\n1\nx", "x", { lineNumbers: true }, "1:x\n3:x"],
  ["x\n1\nx\n", "x", { count: true }, "2"],
  ["x\n1\nx\n", "x", { count: true, invert: true }, "1"],
  ["", "x", { count: true }, "0"],
])("%j by %j with %j is %j", async (data, pattern, options, result) => {
  expect(await runTool(filter, { data, pattern, ...options })).toBe(result);
});

test.each([
  ["(", "re2"],
  ["(?=a)", "re2"],
  ["(", "regex"],
  ["[a", "glob"],
  ["a\\", "glob"],
  ["[z-a]", "glob"],
])("rejects %s as a pattern of %s", async (pattern, mode) => {
  expect(await refusalOf(runTool(filter, { data: "a", pattern, mode }))).toMatchObject({
    code: "invalid_input",
    pointer: "/pattern",
  });
});

test.each([
  ["a literal of any case", "- ".repeat(30_000), { ignoreCase: true }],
  ["an expression", "- ".repeat(30_000), { mode: "regex" }],
  ["an expression with many groups", "(?:a|b)".repeat(8000), { mode: "regex" }],
])("refuses %s that V8 cannot compile, which it detects at the first line", async (_, pattern, options) => {
  const refusal = await refusalOf(runTool(filter, { data: "a\nb", pattern, ...options }));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/pattern" });
  expect(refusal.message).toBe("pattern is too large to compile; shorten it.");
});

test("divides the lines between a pattern and its inversion", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab*?[]\\\n"), maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom("a*", "?b", "[ab]*", "\\*"), async (data, pattern) => {
      const kept = await runTool(filter, { data, pattern, mode: "glob" });
      const rest = await runTool(filter, { data, pattern, mode: "glob", invert: true });
      const lines = (value: string): string[] => value.split("\n").filter(Boolean).toSorted();
      expect([...lines(kept), ...lines(rest)].toSorted()).toEqual(lines(data));
    }),
  );
});

test("matches a glob that makes other engines backtrack for ever in linear time", async () => {
  const cost = startCost();
  await runTool(filter, { data: "a".repeat(20_000), pattern: `${"*a".repeat(30)}b`, mode: "glob" });
  expect(cost()).toBeLessThan(300);
});
