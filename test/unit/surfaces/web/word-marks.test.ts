import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { markWords } from "../../../../src/surfaces/web/page/views/diff/word-marks.ts";

test("words that only one line has are marked", () => {
  expect(markWords("const limit = 100;", "const limit = 250;")).toEqual({
    before: [
      { text: "const limit = ", isMarked: false },
      { text: "100", isMarked: true },
      { text: ";", isMarked: false },
    ],
    after: [
      { text: "const limit = ", isMarked: false },
      { text: "250", isMarked: true },
      { text: ";", isMarked: false },
    ],
  });
});

test("lines without a common word are not marked word by word", () => {
  expect(markWords("one two", "three four")).toBeUndefined();
});

test("the stretches are the lines, and what is not marked is equal in both", () => {
  const words = array(constantFrom("a", "b", "c", " ", "-"), { maxLength: 20 });
  assert(
    property(words, words, (one, other) => {
      const [before, after] = [one.join(""), other.join("")];
      const marked = markWords(before, after);
      if (marked === undefined) return;
      const join = (stretches: readonly { text: string; isMarked: boolean }[], all: boolean): string =>
        stretches.flatMap(({ text, isMarked }) => (all || !isMarked ? [text] : [])).join("");
      expect([join(marked.before, true), join(marked.after, true)]).toEqual([before, after]);
      expect(join(marked.before, false)).toBe(join(marked.after, false));
    }),
  );
});
