import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/diff/three-way-merger.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const merge = (
  ours: string,
  base: string,
  theirs: string,
  options: Record<string, unknown> = {},
): Promise<string> => runTool(tool, { data: ours, base, other: theirs, ...options });
/** Letters are lines. */
const toText = (letters: string): string => [...letters].map((letter) => `${letter}\n`).join("");
const mergeLetters = async (ours: string, base: string, theirs: string, options = {}): Promise<string> =>
  (await merge(toText(ours), toText(base), toText(theirs), options)).replaceAll(
    /(\n| (?:ours|base|theirs))/g,
    "",
  );

const marked = (ours: string, theirs: string): string => `<<<<<<<${ours}=======${theirs}>>>>>>>`;

test.each([
  ["abcde", "abcde", "abcde", "abcde"],
  ["Abcde", "abcde", "abcdE", "AbcdE"],
  ["bcde", "abcde", "abcdef", "bcdef"],
  ["", "abc", "abc", ""],
  ["abc", "", "", "abc"],
  ["Xbc", "abc", "Xbc", "Xbc"],
  ["Xbc", "abc", "Ybc", `${marked("X", "Y")}bc`],
  // Neighbouring lines are one change.
  ["Xbc", "abc", "aYc", `${marked("Xb", "aY")}c`],
  ["Xbc", "abc", "abY", "XbY"],
  ["acX", "abc", "ac", "acX"],
  ["aXb", "ab", "aYb", `a${marked("X", "Y")}b`],
  ["c", "abc", "aBc", `${marked("", "aB")}c`],
  ["XpqY", "ab", "XrqY", `X${marked("p", "r")}qY`],
  ["1AAAA2", "x", "3AAAA4", `${marked("1", "3")}AAAA${marked("2", "4")}`],
  ["1AAA2", "x", "3AAA4", marked("1AAA2", "3AAA4")],
  ["1}}}}2", "x", "3}}}}4", marked("1}}}}2", "3}}}}4")],
])("%s and %s merge over %s", async (ours, base, theirs, result) => {
  expect(await mergeLetters(ours, base, theirs)).toBe(result);
});

test.each([
  ["ours", "XpqY"],
  ["theirs", "XrqY"],
  ["union", "XprqY"],
])("conflicts can be resolved: %s", async (conflicts, result) => {
  expect(await mergeLetters("XpqY", "ab", "XrqY", { conflicts })).toBe(result);
});

test.each([
  ["diff3", "<<<<<<<XpY|||||||ab=======XrY>>>>>>>"],
  ["zdiff3", "X<<<<<<<p|||||||ab=======r>>>>>>>Y"],
])("style %s", async (style, result) => {
  expect(await mergeLetters("XpY", "ab", "XrY", { style })).toBe(result);
});

test.each([
  ["a", "b", "c", "<<<<<<< ours\na\n=======\nc\n>>>>>>> theirs\n"],
  ["a\r\n", "b\r\n", "c\r\n", "<<<<<<< ours\r\na\r\n=======\r\nc\r\n>>>>>>> theirs\r\n"],
  ["a\nb", "a\nb\n", "a\nb\n", "a\nb"],
])("line ends are kept: %j", async (ours, base, theirs, result) => {
  expect(await merge(ours, base, theirs)).toBe(result);
});

test("labels and the length of markers", async () => {
  const options = { labels: ["x", "", "y z"], markerSize: 3, style: "diff3" };
  expect(await merge("a\n", "b\n", "c\n", options)).toBe("<<< x\na\n|||\nb\n===\nc\n>>> y z\n");
});

test("a call that wants no conflict is refused with the place of each", async () => {
  const refusal = await refusalOf(
    merge("\u{1f600}\nA\nb\nc\n", "\u{1f600}\na\nb\nc\n", "\u{1f600}\nB\nb\nc\n", { conflicts: "error" }),
  );
  expect(refusal).toMatchObject({ code: "invalid_document", line: 2, column: 1, offset: 5 });
  expect(refusal.message).toContain("set conflicts to markers");
  expect(await merge("A\nb\nc\n", "a\nb\nc\n", "a\nb\nC\n", { conflicts: "error" })).toBe("A\nb\nC\n");
});

test("a check reports conflicts", async () => {
  const report = await checkTool(tool, { data: "A\nb\n", base: "a\nb\n", other: "B\nb\n" });
  expect(report).toMatchObject({ valid: false, errors: [{ rule: "conflict", line: 1 }] });
  expect(await checkTool(tool, { data: "A\n", base: "a\n", other: "a\n" })).toMatchObject({ valid: true });
  const lines = (mark: string): string =>
    Array.from({ length: 150 }, (_, at) => `${mark}${at}\nx${at}\ny${at}\nz${at}\nw${at}\n`).join("");
  const { errors } = await checkTool(tool, { data: lines("a"), base: lines("b"), other: lines("c") });
  expect(errors).toHaveLength(101);
});

test("one side without changes gives the other side, and both sides can be exchanged", async () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 8 })
    .map((lines) => lines.join("\n"));
  await fc.assert(
    fc.asyncProperty(text, text, text, async (a, b, c) => {
      expect(await merge(a, b, b)).toBe(a);
      expect(await merge(b, b, a)).toBe(a);
      expect(await merge(a, b, a)).toBe(a);
      const report = async (x: string, y: string): Promise<boolean> =>
        (await checkTool(tool, { data: x, base: b, other: y, style: "diff3" })).valid;
      if (await report(a, c)) expect(await merge(a, b, c)).toBe(await merge(c, b, a));
    }),
    { numRuns: 150 },
  );
});

test("merges texts of 30,000 lines that have nothing in common in linear time", async () => {
  const lines = (mark: string): string =>
    Array.from({ length: 30_000 }, (_, at) => `${mark}${at}\n`).join("");
  const cost = startCost();
  await merge(lines("a"), lines("b"), lines("c"));
  expect(cost()).toBeLessThan(400);
});

test.each([
  [
    "neither side has changed what is between them",
    "XabcY",
    "1abc2",
    "3abc4",
    "<<<<<<<XabcY=======3abc4>>>>>>>",
  ],
  ["both have changed it alike", "XaNbY", "1ab2", "3aNb4", "<<<<<<<XaNbY=======3aNb4>>>>>>>"],
  ["one side has changed it", "XaNbY", "1ab2", "3ab4", "<<<<<<<X=======3>>>>>>>aNb<<<<<<<Y=======4>>>>>>>"],
])("conflicts three lines apart, where %s", async (_, ours, base, theirs, merged) => {
  expect(await mergeLetters(ours, base, theirs)).toBe(merged);
});

test.each([{}, { conflicts: "ours" }, { conflicts: "theirs" }, { conflicts: "union" }, { style: "zdiff3" }])(
  "texts of more lines than a call has arguments are merged with %j",
  async (options) => {
    const same = "same\n".repeat(130_000);
    const texts = ["a\n", "b\n", "c\n"].map((line) => same + line.repeat(130_000)) as [
      string,
      string,
      string,
    ];
    const result = await merge(...texts, options);
    expect(result.startsWith(same)).toBe(true);
    expect(result).toContain("conflicts" in options && options.conflicts === "theirs" ? "c\nc\n" : "a\na\n");
  },
);
