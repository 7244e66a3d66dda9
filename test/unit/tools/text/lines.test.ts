import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import filter from "../../../../src/tools/text/line-filter.ts";
import sorter from "../../../../src/tools/text/line-sorter.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

describe("line-sorter", () => {
  test.each([
    ["", {}, ""],
    ["\n", {}, "\n"],
    ["b\na", {}, "a\nb"],
    ["b\r\na\r\n", {}, "a\r\nb\r\n"],
    ["b\n\na\n", {}, "\na\nb\n"],
    ["a\nB\nc", {}, "B\na\nc"],
    ["a\nB\nC", { ignoreCase: true }, "a\nB\nC"],
    ["a\nA\na", { unique: true }, "A\na"],
    ["b\nB\na", { unique: true, ignoreCase: true }, "a\nb"],
    // In UTF-16 order the emoji, whose code point is higher, comes first.
    ["\u{1f600}\n\uff5e", {}, "\uff5e\n\u{1f600}"],
    ["10\n9\n1e3\n-1\nx\n 2", { numeric: true }, "-1\nx\n1e3\n 2\n9\n10"],
    ["0.10\n0.1\n.2\n-0\n+3", { numeric: true }, "-0\n0.1\n0.10\n.2\n+3"],
    ["a10b\na9c\na09b", { natural: true }, "a09b\na9c\na10b"],
    ["v1.2\nv1.10\nv1", { natural: true, order: "desc" }, "v1.10\nv1.2\nv1"],
    ["b\na\nb", { order: "keep", unique: true }, "b\na"],
    ["a\nb\nc", { order: "reverse" }, "c\nb\na"],
    ["z\nä\na", { locale: "de" }, "a\nä\nz"],
    ["zebra\nöl\nord", { locale: "sv" }, "ord\nzebra\nöl"],
    ["x  b\n y a\nz", { column: 2 }, "z\n y a\nx  b"],
    ["a,2\nb,10\nc,2", { column: 2, separator: ",", numeric: true, order: "desc" }, "b,10\na,2\nc,2"],
    ["b\na\nb\nB", { counts: true }, "1\tB\n1\ta\n2\tb"],
    ["a\nb\nB", { counts: true, ignoreCase: true, order: "desc" }, "2\tb\n1\ta"],
    ["b\na\nb", { counts: true, order: "keep" }, "2\tb\n1\ta"],
    ["constructor\n__proto__\n__proto__", { unique: true }, "__proto__\nconstructor"],
  ])("%j with %j is %j", async (data, options, result) => {
    expect(await runTool(sorter, { data, ...options })).toBe(result);
  });

  test.each([
    [{ order: "shuffle" }, "/seed"],
    [{ numeric: true, natural: true }, "/natural"],
    [{ locale: "?" }, "/locale"],
  ])("%j is refused", async (options, pointer) => {
    expect(await refusalOf(runTool(sorter, { data: "a", ...options }))).toMatchObject({
      code: "invalid_input",
      pointer,
    });
  });

  test("always gives the same order for a seed, and keeps every line", async () => {
    const data = "abcdefgh".split("").join("\n");
    const shuffled = await runTool(sorter, { data, order: "shuffle", seed: "penknife" });
    expect(shuffled).toBe(await runTool(sorter, { data, order: "shuffle", seed: "penknife" }));
    expect(shuffled).not.toBe(await runTool(sorter, { data, order: "shuffle", seed: "other" }));
    expect(await runTool(sorter, { data: shuffled })).toBe(data);
  });

  test("sorting is idempotent and keeps every line, whatever the order", async () => {
    const text = fc.string({ unit: fc.constantFrom(..."aAbä019.-\n\n\r"), maxLength: 40 });
    const options = fc.record({
      order: fc.constantFrom("asc", "desc"),
      by: fc.constantFrom("text", "numeric", "natural"),
      ignoreCase: fc.boolean(),
      unique: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(text, options, async (data, { by, ...rest }) => {
        const input = { ...rest, ...(by !== "text" && { [by]: true }) };
        const once = await runTool(sorter, { data, ...input });
        expect(await runTool(sorter, { data: once, ...input })).toBe(once);
        const lines = (value: string): string[] => value.replaceAll("\r\n", "\n").split("\n").toSorted();
        if (!rest.unique && !data.includes("\r")) expect(lines(once)).toEqual(lines(data));
      }),
      { numRuns: 300 },
    );
  });
});

describe("line-filter", () => {
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
});
