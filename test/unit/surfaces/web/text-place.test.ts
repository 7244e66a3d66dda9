import { expect, test } from "vitest";
import { offsetOf } from "../../../../src/surfaces/web/page/editor/text-place.ts";
import { sizeOf } from "../../../../src/surfaces/web/page/tools/sizes.ts";

test.each([
  ["a place in the first line", "abc", 1, 2, 1],
  ["a place in a later line", "ab\ncd", 2, 2, 4],
  ["a place after characters of two code units", "😀😀x", 1, 3, 4],
  ["a place before the first of them", "ab😀", 1, 3, 2],
  ["a place below characters of two code units", "😀\nab", 2, 2, 4],
  ["a place after the end", "ab", 1, 9, 2],
  ["a place below the last line", "ab\ncd", 9, 1, 3],
])("finds %s", (_, text, line, column, offset) => {
  expect(offsetOf(text, line, column)).toBe(offset);
});

test.each(["", "abc", "é", "日本", "😀", "a\ud800b", "\u0080", "x".repeat(100_000)])(
  "counts the bytes of UTF-8 in %j",
  (text) => expect(sizeOf(text)).toBe(Buffer.byteLength(text)),
);
