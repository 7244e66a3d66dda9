import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/regex/regex-tester.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

interface Result {
  matches: {
    match: string;
    index: number;
    end: number;
    groups: (string | null)[];
    named: Record<string, string | null>;
  }[];
  count: number;
  truncated: boolean;
}
const find = async (input: Record<string, unknown>): Promise<Result> =>
  JSON.parse(await runTool(tool, input)) as Result;
const matchesOf = async (input: Record<string, unknown>): Promise<string[]> =>
  (await find(input)).matches.map(({ match, index }) => `${index}:${match}`);

describe.each(["re2", "js"])("%s", (engine) => {
  test.each([
    ["a.c", "abc a\nc axc", "", ["0:abc", "8:axc"]],
    ["a.c", "a\nc", "s", ["0:a\nc"]],
    ["^\\w", "ab\ncd", "", ["0:a"]],
    ["^\\w", "ab\ncd", "m", ["0:a", "3:c"]],
    ["A", "aA", "i", ["0:a", "1:A"]],
    ["a", "aa", "g", ["0:a", "1:a"]],
    ["", "ab", "", ["0:", "1:", "2:"]],
    ["a*", "baac", "", ["0:", "1:aa", "3:", "4:"]],
    ["é", "xé", "", ["1:é"]],
    ["b", "👋b", "", ["2:b"]],
    ["x", "", "", []],
  ])("/%s/ in %j with %j", async (pattern, data, flags, wanted) => {
    expect(await matchesOf({ data, pattern, flags, engine })).toEqual(wanted);
  });

  test("returns groups by number and by name, with null for one that took no part, whatever its name", async () => {
    const pattern = "(?<__proto__>a)|(?<toString>b)|(c)";
    const { matches } = await find({ data: "ac", pattern, engine });
    expect(matches.map(({ groups }) => groups)).toEqual([
      ["a", null, null],
      [null, null, "c"],
    ]);
    expect(Object.entries(matches[0]?.named ?? {})).toEqual([
      ["__proto__", "a"],
      ["toString", null],
    ]);
  });

  test("reports that the limit was reached", async () => {
    expect(await find({ data: "aaa", pattern: "a", limit: 3, engine })).toMatchObject({
      count: 3,
      truncated: false,
    });
    expect(await find({ data: "aaaa", pattern: "a", limit: 3, engine })).toMatchObject({
      count: 3,
      truncated: true,
    });
  });

  test.each(["(", "[z-a]", "*", "a{2,1}", "\\", "(?<n>a)(?<n>b)", "(".repeat(50_000) + ")".repeat(50_000)])(
    "rejects %s as an invalid pattern, with a pointer to the option",
    async (pattern) => {
      const refusal = await refusalOf(runTool(tool, { data: "", pattern, engine }));
      expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/pattern" });
      expect(refusal.message.length).toBeLessThan(300);
    },
  );

  test.each(["X", "ii", "gg", "I", engine === "js" ? "uv" : "y", "i "])(
    "refuses the flags %j",
    async (flags) => {
      const refusal = await refusalOf(runTool(tool, { data: "", pattern: "a", flags, engine }));
      expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/flags" });
    },
  );

  test("returns matches with their exact positions", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "👋", "\n"), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom("a+", "b|👋", "(a)(b)?", "", "[^a]*"), async (data, pattern) => {
        const flags = engine === "js" ? "u" : "";
        let last = 0;
        for (const { match, index, end } of (await find({ data, pattern, flags, engine })).matches) {
          expect(data.slice(index, end)).toBe(match);
          expect(index).toBeGreaterThanOrEqual(last);
          last = end;
        }
      }),
    );
  });
});

test("reports the position of an error in a pattern if the engine gives it", async () => {
  expect((await refusalOf(runTool(tool, { data: "", pattern: "ab(?=c)" }))).message).toContain(
    "at character 3",
  );
});

test("names the other engine if only that one accepts the pattern", async () => {
  const said = async (pattern: string): Promise<string> =>
    (await refusalOf(runTool(tool, { data: "", pattern }))).message;
  for (const pattern of ["a(?=b)", "(?<!a)b", "(a)\\1"])
    expect(await said(pattern), pattern).toContain("The engine js takes it.");
  expect(await said("(")).not.toContain("js");
});

test("runs patterns that make backtracking engines run for ever in linear time with re2", async () => {
  const cost = startCost();
  expect((await find({ data: `${"a".repeat(5000)}b`, pattern: "^(a|a)*$" })).count).toBe(0);
  expect(cost()).toBeLessThan(200);
});

test("refuses a pattern for which V8 runs out of stack, and does not report an internal error", async () => {
  const call = runTool(tool, { data: "a".repeat(5_000_000), pattern: "(a|b)*c", engine: "js" });
  expect(await refusalOf(call)).toMatchObject({ code: "invalid_input", pointer: "/pattern" });
});

test("explains slashes around a pattern that matches nothing", async () => {
  const { hint } = (await find({ data: "a FOO", pattern: "/foo/i" })) as { hint?: string };
  expect(hint).toBe(
    "The slashes are part of the pattern. To leave them out, set pattern to foo and flags to i.",
  );
  expect(await find({ data: "a /foo/i", pattern: "/foo/i" })).not.toHaveProperty("hint");
  expect(await find({ data: "a", pattern: "foo" })).not.toHaveProperty("hint");
});

describe.each(["re2", "js"])("flag x with %s", (engine) => {
  test.each([
    ["a b # c", "ab", ["0:ab"]],
    ["\\d{4} - # the year\n \\d\\d", "2026-01", ["0:2026-01"]],
    ["[ #] \\# \\ x", " # x", ["0: # x"]],
    ["[]] y", "]y", engine === "re2" ? ["0:]y"] : []],
  ])("%j", async (pattern, data, matches) => {
    expect(await matchesOf({ data, pattern, flags: "x", engine })).toEqual(matches);
  });

  test("only with it white space is layout", async () => {
    expect(await matchesOf({ data: "a b", pattern: "a b", engine })).toEqual(["0:a b"]);
  });
});
