import { createTwoFilesPatch } from "diff";
import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import {
  findChanges,
  isFold,
  linesOf,
  toLines,
  unfold,
} from "../../../../src/surfaces/web/page/views/diff/lines.ts";

const patchOf = (before: string, after: string): string => {
  const patch = createTwoFilesPatch("a", "b", before, after, "", "", { context: 1 });
  return patch.includes("@@") ? patch : "";
};

test("equal lines before, between and after hunks are folds, whose lines can be shown", () => {
  const before = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
  const after = before.with(4, "five\n").toSpliced(14, 0, "more\n");
  const lines = toLines(patchOf(before.join(""), after.join("")), 20) ?? [];
  expect(lines.filter(isFold)).toEqual([
    { from: { before: 1, after: 1 }, count: 3 },
    { from: { before: 7, after: 7 }, count: 7 },
    { from: { before: 16, after: 17 }, count: 5 },
  ]);
  const [, second] = lines.filter(isFold);
  const shown = unfold(
    second ?? { from: { before: 1, after: 1 }, count: 0 },
    linesOf(before.join("")),
    linesOf(after.join("")),
  );
  expect(shown[0]).toEqual({
    before: { line: 7, text: "7", isChanged: false },
    after: { line: 7, text: "7", isChanged: false },
  });
  expect(findChanges(lines)).toHaveLength(2);
});

test("with its folds shown, a difference has all lines of both texts, in order", () => {
  const text = array(constantFrom("a\n", "b\n", "c\n"), { maxLength: 30 });
  assert(
    property(text, text, (before, after) => {
      const patch = patchOf(before.join(""), after.join(""));
      if (patch === "") return;
      const [olds, news] = [linesOf(before.join("")), linesOf(after.join(""))];
      const lines = (toLines(patch, olds.length) ?? []).flatMap((line) =>
        isFold(line) ? unfold(line, olds, news) : [line],
      );
      const sides = (side: "before" | "after"): unknown[] =>
        lines.flatMap((line) =>
          isFold(line) || line[side] === undefined ? [] : [[line[side].line, line[side].text]],
        );
      const numbered = (all: readonly string[]): unknown[] => all.map((one, index) => [index + 1, one]);
      expect(sides("before")).toEqual(numbered(olds));
      expect(sides("after")).toEqual(numbered(news));
    }),
  );
});
