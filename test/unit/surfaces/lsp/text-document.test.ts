import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyChanges,
  createTextDocument,
  type Encoding,
  toEdit,
} from "../../../../src/surfaces/lsp/text-document.ts";
import { propertyRuns } from "../../../support/cases.ts";

const encodings: Encoding[] = ["utf-8", "utf-16", "utf-32"];
const texts = string({ unit: constantFrom("a", "é", "😀", "\n", "\r\n", "\r", " "), maxLength: 40 });

describe("positions", () => {
  test.each([
    ["utf-16", 3],
    ["utf-8", 5],
    ["utf-32", 2],
  ] as const)("count %s", (encoding, character) => {
    const document = createTextDocument("x\na😀b", encoding);
    expect(document.positionOf(5)).toEqual({ line: 1, character });
    expect(document.indexOf({ line: 1, character })).toBe(5);
  });

  test("behind the end of a line or of the text lead to that end", () => {
    const document = createTextDocument("ab\r\nc\rd\n", "utf-16");
    expect(document.indexOf({ line: 0, character: 99 })).toBe(2);
    expect(document.indexOf({ line: 1, character: 99 })).toBe(5);
    expect(document.indexOf({ line: 3, character: 0 })).toBe(8);
    expect(document.indexOf({ line: 99, character: 0 })).toBe(8);
  });

  test.each(encodings)(
    "%s: an index that is not within a pair, or between \\r and \\n, has a position and back",
    (encoding) => {
      assert(
        property(texts, (text) => {
          const document = createTextDocument(text, encoding);
          for (let index = 0; index <= text.length; index++) {
            const around = text.slice(index - 1, index + 1);
            if (index > 0 && (around === "\r\n" || /^[\ud800-\udbff][\udc00-\udfff]$/.test(around))) continue;
            expect(document.indexOf(document.positionOf(index))).toBe(index);
          }
        }),
        { numRuns: propertyRuns(100) },
      );
    },
  );
});

describe("changes", () => {
  const at = (line: number, character: number) => ({ line, character });

  test("are applied one after another", () => {
    const changes = [
      { range: { start: at(0, 1), end: at(1, 0) }, text: "-" },
      { range: { start: at(0, 0), end: at(0, 0) }, text: "😀\n", rangeLength: 5 },
      { range: { start: at(1, 3), end: at(1, 2) }, text: "!" },
    ];
    expect(applyChanges("ab\ncd", changes, "utf-16")).toBe("😀\na-!d");
    expect(applyChanges("a", [{ text: "b" }], "utf-8")).toBe("b");
  });

  test("above 1,000 make the text unknown", () => {
    expect(
      applyChanges(
        "",
        Array.from({ length: 1000 }, () => ({ text: "a" })),
        "utf-16",
      ),
    ).toBe("a");
    expect(
      applyChanges(
        "",
        Array.from({ length: 1001 }, () => ({ text: "a" })),
        "utf-16",
      ),
    ).toBeUndefined();
  });

  test.each([
    [undefined],
    [{}],
    [[1]],
    [[{ range: null, text: "" }]],
    [[{ range: { start: at(0, 0) }, text: "" }]],
    [[{ range: { start: at(-1, 0), end: at(0, 0) }, text: "" }]],
    [[{ range: { start: at(0.5, 0), end: at(0, 0) }, text: "" }]],
    [[{ range: { start: at(0, 0), end: at(0, 0) } }]],
  ])("%j are refused", (changes) => {
    expect(() => applyChanges("", changes, "utf-16")).toThrow(/must/);
  });
});

describe("an edit", () => {
  test.each(encodings)("%s: makes the second text of the first, and is the smallest", (encoding) => {
    assert(
      property(texts, texts, (before, after) => {
        const edit = toEdit(createTextDocument(before, encoding), after);
        if (edit === undefined) {
          expect(before).toBe(after);
          return;
        }
        expect(applyChanges(before, [{ range: edit.range, text: edit.newText }], encoding)).toBe(after);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test("leaves what stays", () => {
    expect(toEdit(createTextDocument("ab\ncd\nef\n", "utf-16"), "ab\nxd\nef\n")).toEqual({
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } },
      newText: "x",
    });
  });
});
