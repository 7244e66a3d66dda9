import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locate, locateAll } from "../../../../src/lib/json/position.ts";
import { codePointAt, findInvalidUtf8 } from "../../../../src/lib/json/utf8.ts";
import { anyCharacter } from "../../../support/any-character.ts";

describe("locate", () => {
  it.each([
    ["abc", 0, 1, 1],
    ["abc", 2, 1, 3],
    ["abc", 99, 1, 4],
    ["a\nb", 2, 2, 1],
    ["a\r\nb", 3, 2, 1],
    ["a\rb", 2, 2, 1],
    ["a\n\r\n\rb", 5, 4, 1],
    ["é😀x", 6, 1, 3],
    ["\n", 0, 1, 1],
  ])("%j at %i is line %i, column %i", (text, offset, line, column) => {
    expect(locate(Buffer.from(text), offset)).toEqual({ line, column });
  });

  it("finds many offsets in any order like single ones", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n", "\r") }),
        fc.array(fc.nat({ max: 40 })),
        (text, offsets) => {
          const data = Buffer.from(text);
          expect(locateAll(data, offsets)).toEqual(offsets.map((offset) => locate(data, offset)));
        },
      ),
    );
  });
});

describe("findInvalidUtf8", () => {
  it("agrees with the decoder of the platform", () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(
          fc.constantFrom(0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5),
          { maxLength: 5 },
        )
        .map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => Buffer.concat(pieces)),
        (data) => {
          const at = findInvalidUtf8(data);
          expect(at < 0).toBe(isUtf8(data));
          // Everything before it is valid, and no continuation of it is.
          if (at >= 0) expect(isUtf8(data.subarray(0, at))).toBe(true);
          if (at >= 0) expect(codePointAt(data, at)).toBe(-1);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("reads every code point", () => {
    for (const point of [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]) {
      expect(codePointAt(Buffer.from(String.fromCodePoint(point)), 0)).toBe(point);
    }
    expect(codePointAt(Buffer.from(""), 0)).toBe(-1);
  });
});

function isUtf8(data: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(data);
    return true;
  } catch {
    return false;
  }
}
