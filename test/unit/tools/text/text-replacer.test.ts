import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { execute } from "../../../../src/catalog/execute.ts";
import tool from "../../../../src/tools/text/text-replacer.ts";
import { context, refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

test.each([
  [{ data: "aaa", find: "a", replace: "b" }, "bbb"],
  [{ data: "aaa", find: "aa", replace: "b" }, "ba"],
  [{ data: "aaa", find: "a", replace: "b", all: false }, "baa"],
  [{ data: "a.b", find: ".", replace: "$&" }, "a$&b"],
  [{ data: "AbaB", find: "AB", replace: "x", flags: "i" }, "xx"],
  [{ data: "a\nb", find: "\n", replace: "" }, "ab"],
  [{ data: "👋x", find: "👋", replace: "" }, "x"],
  [{ data: "", find: "a" }, ""],
  [{ data: "ab", find: "x*", replace: "-", mode: "re2" }, "-a-b-"],
  [{ data: "ab", find: "x*", replace: "-", mode: "regex" }, "-a-b-"],
  [{ data: "A\nb", find: "^.", replace: "<$&>", mode: "re2", flags: "m" }, "<A>\n<b>"],
  [{ data: "ab", find: "(a)(c)?", replace: "[$1$2]", mode: "re2" }, "[a]b"],
  [{ data: "ab", find: "(a)", replace: "$12 $$1 $x $", mode: "regex" }, "a2 $1 $x $b"],
  [{ data: "ab", find: "(?<x>a)", replace: "$<x>${x}${1}$0", mode: "regex" }, "aaaab"],
  [{ data: "ab", find: "(?<__proto__>a)", replace: "${__proto__}!", mode: "regex" }, "a!b"],
  [{ data: "é", find: "\\p{L}", replace: "L", mode: "regex", flags: "u" }, "L"],
])("%j is %j", async (input, result) => {
  expect(await runTool(tool, input)).toBe(result);
});

test.each([
  [{ find: "" }, "/find"],
  [{ find: "(", mode: "re2" }, "/find"],
  [{ find: "(", mode: "regex" }, "/find"],
  [{ find: "(?=a)", mode: "re2" }, "/find"],
  [{ find: "a", flags: "m" }, "/flags"],
  [{ find: "a", flags: "ii" }, "/flags"],
  [{ find: "a", flags: "u", mode: "re2" }, "/flags"],
  [{ find: "a", flags: "uv", mode: "regex" }, "/flags"],
  [{ find: "a", replace: "$1", mode: "re2" }, "/replace"],
  [{ find: "a", replace: "${toString}", mode: "regex" }, "/replace"],
  [{ find: "(?<x>a)", replace: "$<y>", mode: "regex" }, "/replace"],
])("refuses %j", async (input, pointer) => {
  expect(await refusalOf(runTool(tool, { data: "a", ...input }))).toMatchObject({
    code: "invalid_input",
    pointer,
  });
});

describe("hostile input", () => {
  test("refuses a short replacement with an enormous result", async () => {
    const input = { data: "a".repeat(100_000), find: "a", replace: "x".repeat(60_000) };
    expect((await refusalOf(runTool(tool, input))).code).toBe("invalid_document");
    const whole = { data: "a".repeat(100_000), find: ".*", replace: "$&".repeat(30_000) };
    for (const mode of ["re2", "regex"])
      expect((await refusalOf(runTool(tool, { ...whole, mode }))).code).toBe("invalid_document");
  });

  test("matches without backtracking in mode re2", async () => {
    const cost = startCost();
    const data = `${"a".repeat(5000)}b`;
    expect(await runTool(tool, { data, find: "^(a|a)*$", mode: "re2" })).toBe(data);
    expect(cost()).toBeLessThan(200);
  });
});

test("replaces literally like split and join, and so do both engines with escaped text", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab.$*("), maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, text.filter(Boolean), text, async (data, find, replace) => {
      const wanted = data.split(find).join(replace);
      expect(await runTool(tool, { data, find, replace })).toBe(wanted);
      const input = {
        data,
        find: find.replaceAll(/[.$*(]/g, "\\$&"),
        replace: replace.replaceAll("$", "$$$$"),
      };
      for (const mode of ["re2", "regex"]) expect(await runTool(tool, { ...input, mode })).toBe(wanted);
    }),
  );
});

test("refuses a pattern for which V8 runs out of stack, and does not report an internal error", async () => {
  const call = runTool(tool, { data: "a".repeat(5_000_000), find: "(a|b)*c", mode: "regex" });
  expect(await refusalOf(call)).toMatchObject({ code: "invalid_input", pointer: "/find" });
});

test("refuses a result that would be six times as long in JSON, and returns it as text", async () => {
  const input = { data: "a".repeat(2300), find: "a", replace: "\u0001".repeat(10_000) };
  expect(await refusalOf(runTool(tool, input))).toMatchObject({ code: "invalid_document" });
  const call = {
    slug: tool.slug,
    body: { kind: "input" as const, input },
    form: "text" as const,
    check: false,
  };
  expect((await execute(tool, call, context)).body).toHaveLength(23_000_000);
});
