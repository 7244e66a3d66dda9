import { applyPatch } from "diff";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/diff/text-differ.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const head = "--- a\n+++ b\n";
const noEnd = "\\ No newline at end of file\n";

test.each([
  ["", "", {}, ""],
  ["a\n", "a\n", {}, ""],
  ["", "a\n", {}, `${head}@@ -0,0 +1 @@\n+a\n`],
  ["a\n", "", {}, `${head}@@ -1 +0,0 @@\n-a\n`],
  ["", "a", {}, `${head}@@ -0,0 +1 @@\n+a\n${noEnd}`],
  ["a", "a\n", {}, `${head}@@ -1 +1 @@\n-a\n${noEnd}+a\n`],
  ["x\na", "y\na", {}, `${head}@@ -1,2 +1,2 @@\n-x\n+y\n a\n${noEnd}`],
  ["a\r\n", "a\n", {}, `${head}@@ -1 +1 @@\n-a\r\n+a\n`],
  ["a\r\nb\n", "a\nc\n", { ignoreEol: true }, `${head}@@ -1,2 +1,2 @@\n a\r\n-b\n+c\n`],
  ["A\nÉ\n", "a\né\n", { ignoreCase: true }, ""],
  ["A\nb\n", "a\nc\n", { ignoreCase: true }, `${head}@@ -1,2 +1,2 @@\n A\n-b\n+c\n`],
  [" a  b\nc", "a b\nc\n", { ignoreWhitespace: true }, ""],
  ["1\n2\n3\n", "1\n3\n", { context: 0 }, `${head}@@ -2 +1,0 @@\n-2\n`],
  [
    "1\n2\n3\n",
    "1\n3\n",
    { context: 1, labels: ["x y", "z"] },
    "--- x y\n+++ z\n@@ -1,3 +1,2 @@\n 1\n-2\n 3\n",
  ],
  ["-- x\n", "++ y\n", {}, `${head}@@ -1 +1 @@\n--- x\n+++ y\n`],
])("%j and %j with %j", async (data, other, options, result) => {
  expect(await runTool(tool, { data, other, ...options })).toBe(result);
});

test("joins hunks whose context touches, and separates them if a line lies between", async () => {
  const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at}\n`);
  const hunks = async (distance: number): Promise<number> => {
    const old = lines(30);
    const now = [...old];
    now[3] = "x\n";
    now[3 + distance] = "y\n";
    const patch = await runTool(tool, { data: old.join(""), other: now.join(""), context: 3 });
    return patch.split("@@ -").length - 1;
  };
  expect(await hunks(7)).toBe(1);
  expect(await hunks(8)).toBe(2);
});

test("json and stat", async () => {
  const input = { data: "a\nb\n", other: "a\nc\nd\n" };
  expect(JSON.parse(await runTool(tool, { ...input, format: "json" }))).toEqual({
    equal: false,
    added: 2,
    removed: 1,
    changes: [
      { op: "equal", oldLine: 1, newLine: 1, text: "a\n" },
      { op: "delete", oldLine: 2, newLine: 2, text: "b\n" },
      { op: "insert", oldLine: 3, newLine: 2, text: "c\nd\n" },
    ],
  });
  const stat = { equal: false, added: 2, removed: 1, unchanged: 1, hunks: 1 };
  expect(JSON.parse(await runTool(tool, { ...input, format: "stat" }))).toEqual(stat);
  const characters = { data: "👋a", other: "👋b", format: "json", unit: "character" };
  expect(JSON.parse(await runTool(tool, characters))).toMatchObject({
    changes: [{ text: "👋" }, { op: "delete", text: "a" }, { op: "insert", text: "b" }],
  });
});

test.each([
  [{ unit: "word" }, "/unit"],
  [{ labels: ["a"] }, "/labels"],
  [{ labels: ["a", "b\n+++ c"] }, "/labels/1"],
  [{ context: -1 }, "/context"],
])("refuses %j", async (options, pointer) => {
  expect(await refusalOf(runTool(tool, { data: "a", other: "b", ...options }))).toMatchObject({
    code: "invalid_input",
    pointer,
  });
});

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "\n", "\n", "\r\n", " "), maxLength: 40 });

describe("properties", () => {
  test("writes a patch that turns the old text into the new one, and an empty one for equal texts", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, fc.integer({ min: 0, max: 4 }), async (data, other, context) => {
        const patch = await runTool(tool, { data, other, context });
        expect(patch === "").toBe(data === other);
        const options = { autoConvertLineEndings: false };
        if (patch !== "") expect(applyPatch(data, patch, options)).toBe(other);
      }),
      { numRuns: 1000 },
    );
  });

  test("gives the old text as what is equal or deleted, and the new text as what is equal or inserted", async () => {
    const unit = fc.constantFrom("line", "word", "character");
    await fc.assert(
      fc.asyncProperty(text, text, unit, async (data, other, chosen) => {
        const result = await runTool(tool, { data, other, format: "json", unit: chosen });
        const { changes } = JSON.parse(result) as { changes: { op: string; text: string }[] };
        const without = (op: string): string =>
          changes.map((change) => (change.op === op ? "" : change.text)).join("");
        expect(without("insert")).toBe(data);
        expect(without("delete")).toBe(other);
      }),
    );
  });
});

describe("compares texts of thousands of lines that share little or nothing in bounded time", () => {
  const size = 20_000;
  const lines = (write: (at: number) => string): string =>
    Array.from({ length: size }, (_, at) => `${write(at)}\n`).join("");
  test.each([
    ["unlike", lines((at) => `x${at}`), lines((at) => `y${at}`)],
    ["turned round", lines(String), lines((at) => String(size - at))],
    ["in another order", lines(String), lines((at) => String((at * 7919) % size))],
    [
      "few of them, often",
      lines((at) => String((at * at) % 97)),
      lines((at) => String((at * at * at) % 101)),
    ],
  ])("%s", async (_, data, other) => {
    const cost = startCost();
    const patch = await runTool(tool, { data, other });
    expect(cost()).toBeLessThan(600);
    expect(applyPatch(data, patch)).toBe(other);
  });
});

test.skipIf(!atHand)(
  `jsdiff's own cases: patches apply, and changes give both texts (${casesOf("jsdiff")})`,
  async () => {
    for (const { case: name, slug, input } of readCorpus("jsdiff")) {
      if (slug !== "text-diff") continue;
      const { a: data, b: other } = input as { a: string; b: string };
      const patch = await runTool(tool, { data, other });
      expect(patch === "" ? data : applyPatch(data, patch, { autoConvertLineEndings: false }), name).toBe(
        other,
      );
    }
  },
);

describe("check", () => {
  const check = async (data: string, other: string, options: Record<string, unknown> = {}) => {
    const { valid, errors } = await checkTool(tool, { data, other, ...options });
    return [
      valid,
      ...errors.map(({ line, column, rule, message }) => `${line}:${column} ${rule} ${message}`),
    ];
  };

  test.each([
    ["a\nb\n", "a\nb\n", {}, [true]],
    ["a\r\nB", "a\nb", { ignoreEol: true, ignoreCase: true }, [true]],
    [
      "é\nb\nc\n",
      "é\nx\ny\nc\n",
      {},
      [false, "2:1 changed The other text has lines 2 to 3 instead of line 2."],
    ],
    ["a\nb\nc\n", "a\nc\n", {}, [false, "2:1 removed The other text lacks line 2."]],
    ["a\n", "a\nb\n", {}, [false, "2:1 added The other text has line 2 in addition."]],
    ["", "b", {}, [false, "1:1 added The other text has line 1 in addition."]],
    [
      "1\na\n2\n",
      "a\n3\n",
      { unit: "word", format: "json" },
      [
        false,
        "1:1 removed The other text lacks line 1.",
        "3:1 changed The other text has line 2 instead of line 3.",
      ],
    ],
  ])("%j and %j with %j", async (data, other, options, result) => {
    expect(await check(data, other, options)).toEqual(result);
  });

  test("reports a hundred differences, and how many more there are", async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `${at}\n`);
    const result = await check(lines.join(""), lines.filter((_, at) => at % 2 === 0).join(""));
    expect(result).toHaveLength(102);
    expect(result.at(-1)).toMatch(/ changed There are 50 more differences\.$/);
  });
});
