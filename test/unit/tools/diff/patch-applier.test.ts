import * as fc from "fast-check";
import { expect, test } from "vitest";
import differ from "../../../../src/tools/diff/text-differ.ts";
import tool from "../../../../src/tools/diff/patch-applier.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const apply = (data: string, patch: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, patch, ...options });
/** Letters are lines. */
const toText = (letters: string): string => [...letters].map((letter) => `${letter}\n`).join("");
/** A hunk from a word such as " a-b+c". */
const hunk = (start: number, word: string): string => {
  const lines = word.match(/[-+ ]./g) ?? [];
  const count = (sign: string): number => lines.filter((line) => line[0] === " " || line[0] === sign).length;
  return `@@ -${start},${count("-")} +${start},${count("+")} @@ f()\n${lines.map((line) => `${line}\n`).join("")}`;
};

test.each([
  ["abc", hunk(1, " a-b+B c"), {}, "aBc"],
  ["xyabc", hunk(1, " a-b+B c"), {}, "xyaBc"],
  ["abc", hunk(7, " a-b+B c"), {}, "aBc"],
  ["abcabcabc", hunk(4, " a-b+B c"), {}, "abcaBcabc"],
  ["aBc", hunk(1, " a-b+B c"), { reverse: true }, "abc"],
  ["abc", hunk(2, "+x"), {}, "abxc"],
  ["abc", hunk(0, "+x"), {}, "xabc"],
  ["abc", hunk(1, "-a-b-c"), {}, ""],
  ["", hunk(0, "+a"), {}, "a"],
  // The second hunk is where the first has moved it.
  ["__abcdefgh", hunk(1, " a-b+B c") + hunk(5, " e-f+F g"), {}, "__aBcdeFgh"],
  // Less context before than after, at the first line, means the beginning.
  ["xabc", hunk(1, "-a+A b c"), { rejects: "skip" }, "xabc"],
  ["abcx", hunk(1, " a b-c+C"), { rejects: "skip" }, "abcx"],
  ["aXcde", hunk(1, " a b-c+C d e"), { fuzz: 1, rejects: "skip" }, "aXcde"],
  ["XbcdY", hunk(1, " a b-c+C d e"), { fuzz: 1 }, "XbCdY"],
  ["XXcYY", hunk(1, " a b-c+C d e"), { fuzz: 2 }, "XXCYY"],
])("%s with %j and %j is %s", async (data, patch, options, result) => {
  expect(await apply(toText(data), patch, options)).toBe(toText(result));
});

test.each([
  ["a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "b\n"],
  ["a\n", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "b"],
  ["a", "@@ -1,0 +2 @@\n+b\n", "a\nb\n"],
  ["a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n", "a\r\nc\r\n"],
  // A patch with CRLF in all its lines.
  ["a\nb\n", "@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n", "a\nc\n"],
  // An editor has removed the space of an empty line.
  ["a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nc\n"],
  ["a\n", "", "a\n"],
  [
    "a\n",
    "Subject: [PATCH] b\n\n---\n a | 2 +-\n\n--- a/a\t2026-01-01\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n",
    "b\n",
  ],
])("%j with %j is %j", async (data, patch, result) => {
  expect(await apply(data, patch)).toBe(result);
});

test("white space is ignored where it is asked for, and kept in lines of context", async () => {
  const patch = "@@ -1,2 +1,2 @@\n if a:\n-  b = 1\n+  b = 2\n";
  expect(await apply("if  a: \r\n\tb  = 1\n", patch, { ignoreWhitespace: true })).toBe(
    "if  a: \r\n  b = 2\n",
  );
});

test.each([
  ["hello", { line: 1, field: "patch" }, "no unified patch"],
  ["*** a\n--- b\n***************\n*** 1 ****\n", { line: 3 }, "context diff"],
  ["x\nGIT binary patch\n", { line: 2 }, "binary"],
  ["@@@ -1 -1 +1 @@@\n", { line: 1 }, "combined"],
  ["@@ -1 +1\n-a\n+b\n", { line: 1 }, "@@ -1,3 +1,4 @@"],
  ["@@ -1,2 +1 @@\n-a\n", { line: 3 }, "1 more old and 1 more new"],
  ["@@ -1,2 +1,2 @@\n a\n?b\n", { line: 3 }, "ends too early"],
  ["@@ -1 +1,2 @@\n-a\n-b\n+c\n", { line: 3 }, "more lines than"],
  ["@@ -1 +1 @@\n\\ No newline\n", { line: 2 }, "precedes"],
])("%j is refused", async (patch, place, words) => {
  const refusal = await refusalOf(apply("a\n", patch));
  expect(refusal).toMatchObject({ code: "invalid_document", field: "patch", ...place });
  expect(refusal.message).toContain(words);
});

test("hunks that do not match are refused with their places, with advice", async () => {
  const patch = hunk(1, " a-b+B c") + hunk(9, " x-y+Y z");
  const refusal = await refusalOf(apply(toText("abc"), patch));
  expect(refusal).toMatchObject({ code: "invalid_document", field: "patch", line: 6 });
  expect(refusal.message).toContain("1 of 2 hunks does not match");
  expect((await refusalOf(apply(toText("aBc"), hunk(1, " a-b+B c")))).message).toContain(
    "applied to it already",
  );
  expect((await refusalOf(apply(toText("abc"), hunk(1, " a-b+B c"), { reverse: true }))).message).toContain(
    "leave out reverse",
  );
});

test("a report says where each hunk was found", async () => {
  const patch = hunk(1, " a-b+B c") + hunk(9, " x-y+Y z");
  const result = await apply(toText("..abc"), patch, { output: "report", rejects: "skip" });
  expect(JSON.parse(result)).toEqual({
    applied: 1,
    rejected: 1,
    hunks: [
      { hunk: 1, applied: true, line: 3, offset: 2, fuzz: 0 },
      { hunk: 2, applied: false, line: 9, offset: 0, fuzz: 0 },
    ],
  });
});

test("a patch of several files needs the name of one", async () => {
  const patch = `--- a/x/1\n+++ b/x/1\n${hunk(1, "-a+A")}--- /dev/null\n+++ b/2\n${hunk(0, "+new")}`;
  expect(await refusalOf(apply("a\n", patch))).toMatchObject({ code: "invalid_input", pointer: "/path" });
  expect((await refusalOf(apply("a\n", patch, { path: "3" }))).message).toContain("b/x/1, b/2");
  for (const path of ["x/1", "a/x/1", "b/x/1"]) expect(await apply("a\n", patch, { path })).toBe("A\n");
  expect(await apply("", patch, { path: "2" })).toBe("n\n");
});

test("a search for hunks has a limit", async () => {
  const many = "a\n".repeat(40_000);
  const old = ` a\n`.repeat(5000);
  const patch = `@@ -1,10001 +1,10000 @@\n${old}-b\n${old}`;
  const refusal = await refusalOf(apply(many, patch));
  expect(refusal).toMatchObject({ code: "invalid_document" });
  expect(refusal.message).toContain("100000000");
});

test("applies every patch that text-differ makes, and reverses it", async () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\r\n", "d", "\n"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, text, fc.nat({ max: 3 }), async (data, other, context) => {
      const patch = await runTool(differ, { data, other, context });
      expect(await apply(data, patch)).toBe(other);
      expect(await apply(other, patch, { reverse: true })).toBe(data);
    }),
    { numRuns: 150 },
  );
});

test.each([
  [
    "lines without context, moved beyond the end, are added there",
    "abdbc",
    hunk(1, "-c+a") + hunk(4, "+d+e"),
    "abdbade",
  ],
  [
    "a hunk begins in the context with which the one before it ends",
    "ddbdbdx",
    hunk(1, "-b+a d") + hunk(4, " d+c+a b"),
    "ddadcabdx",
  ],
])("as in GNU patch, %s", async (_, data, patch, wanted) => {
  expect(await apply(toText(data), patch, { fuzz: 1 })).toBe(toText(wanted));
});
