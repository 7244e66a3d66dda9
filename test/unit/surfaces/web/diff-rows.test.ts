import { createTwoFilesPatch } from "diff";
import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { toRows } from "../../../../src/surfaces/web/page/views/diff/rows.ts";

test("a replaced line stands beside its replacement, an added one beside nothing", () => {
  expect(
    toRows("--- a\n+++ b\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2½\n three\n\\ No newline at end of file\n"),
  ).toEqual([
    { before: { line: 1, text: "one", isChanged: false }, after: { line: 1, text: "one", isChanged: false } },
    { before: { line: 2, text: "two", isChanged: true }, after: { line: 2, text: "2", isChanged: true } },
    { after: { line: 3, text: "2½", isChanged: true } },
    {
      before: { line: 3, text: "three", isChanged: false },
      after: { line: 4, text: "three", isChanged: false },
    },
  ]);
});

test("hunks are apart from each other", () => {
  expect(toRows("@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n")?.[1]).toEqual({});
});

test.each(["", "The documents are equal.", '{"valid":true}', "--- a\n+++ b\n"])(
  "%j is no unified difference",
  (text) => {
    expect(toRows(text)).toBeUndefined();
  },
);

test("the two sides hold both documents, line by line", () => {
  const lines = array(constantFrom("a", "b", "--- c", "+++ d", "@@ e", ""), { maxLength: 12 });
  assert(
    property(lines, lines, (one, other) => {
      const [left, right] = [one, other].map((list) => list.map((line) => `${line}\n`).join("")) as [
        string,
        string,
      ];
      const rows = toRows(createTwoFilesPatch("a", "b", left, right, "", "", { context: 99 })) ?? [];
      if (left === right) return;
      for (const [document, side] of [
        [one, "before"],
        [other, "after"],
      ] as const) {
        const found = rows.flatMap((row) => row[side] ?? []);
        expect(found.map(({ text }) => text)).toEqual(document);
        expect(found.map(({ line }) => line)).toEqual(document.map((_, index) => index + 1));
      }
    }),
  );
});
