import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/text/text-statistics.ts";
import { refusalOf, runTool } from "../run-tool.ts";

interface Counted {
  bytes: number;
  codePoints: number;
  graphemes: number;
  words: number;
  wordsBySpace: number;
  lines: number;
  blankLines: number;
  lineBreaks: { lf: number; crlf: number; cr: number };
  longestLine: { line: number; codePoints: number };
  characters: Record<string, number>;
  entropyPerByte: number;
  frequent: { text: string; count: number }[];
}

const count = async (data: string, options: Record<string, unknown> = {}): Promise<Counted> =>
  JSON.parse(await runTool(tool, { data, ...options })) as Counted;

test.each([
  ["", { bytes: 0, words: 0, sentences: 0, lines: 0, longestLine: { line: 0, codePoints: 0 } }],
  ["\n", { bytes: 1, lines: 1, blankLines: 1, longestLine: { line: 1, codePoints: 0 } }],
  ["a", { lines: 1, blankLines: 0, lineBreaks: { lf: 0, crlf: 0, cr: 0 } }],
  ["a\r\nbb\rc\n\n \n", { lines: 5, blankLines: 2, lineBreaks: { lf: 3, crlf: 1, cr: 1 } }],
  ["a\nbb\ncc\n", { longestLine: { line: 2, codePoints: 2 } }],
  ["e\u0301\u{1f600}", { bytes: 7, codePoints: 3, graphemes: 2 }],
  ["\u{1f600}\n\u{1f600}x", { longestLine: { line: 2, codePoints: 2 } }],
  ["don't stop: 3.14", { words: 3, wordsBySpace: 3 }],
  ["x-y/z", { words: 3, wordsBySpace: 1 }],
  ["Dr. Who? Yes. No!", { sentences: 4 }],
  ["a1 é٣._+\u00a0", { characters: { letters: 2, digits: 2, spaces: 2, punctuation: 2, other: 1 } }],
  ["aaaa", { entropyPerByte: 0 }],
  ["abab", { entropyPerByte: 1 }],
  ["abcd", { entropyPerByte: 2 }],
])("%j has %o", async (data, expected) => {
  expect(await count(data)).toMatchObject(expected);
});

test.each([
  ["b a B a b", {}, ["b 3", "a 2"]],
  ["b a B a b", { ignoreCase: false }, ["b 2", "a 2", "B 1"]],
  ["b a B a b", { frequent: 1 }, ["b 3"]],
  ["b a B a b", { frequent: 0 }, []],
  ["e\u0301Ee\u0301", { unit: "character" }, ["e\u0301 2", "e 1"]],
  ["x y\n\nx y\r\nz", { unit: "line" }, ["x y 2", "z 1"]],
  ["__proto__ constructor __proto__", {}, ["__proto__ 2", "constructor 1"]],
])("the most frequent of %j with %j are %j", async (data, options, expected) => {
  const { frequent } = await count(data, options);
  expect(frequent.map((one) => `${one.text} ${one.count}`)).toEqual(expected);
});

test("the language decides where a word ends", async () => {
  expect((await count("東京は暑い", { locale: "ja" })).words).toBe(3);
});

test.each([
  [{ data: "a", locale: "?" }, "invalid_input", "/locale"],
  [{ data: "a\ud800b" }, "invalid_document", undefined],
])("%j is refused", async (input, code, pointer) => {
  const refusal = await refusalOf(runTool(tool, input));
  expect(refusal).toMatchObject(pointer === undefined ? { code, offset: 1 } : { code, pointer });
});

test("the parts of two texts on lines of their own add up", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."aB1 ._\u{1f600}é\u0301\t"), maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, text, async (a, b) => {
      const [one, two, both] = await Promise.all([count(`${a}\n`), count(`${b}\n`), count(`${a}\n${b}\n`)]);
      for (const name of [
        "bytes",
        "codePoints",
        "graphemes",
        "words",
        "wordsBySpace",
        "lines",
        "blankLines",
      ] as const)
        expect(both[name], name).toBe(one[name] + two[name]);
      const { letters, digits, spaces, punctuation, other } = both.characters as Record<string, number>;
      expect([letters, digits, spaces, punctuation, other].reduce((sum, n = 0) => (sum ?? 0) + n, 0)).toBe(
        both.codePoints,
      );
    }),
    { numRuns: 100 },
  );
});
