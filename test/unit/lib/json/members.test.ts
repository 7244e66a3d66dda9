import * as fc from "fast-check";
import { expect, test } from "vitest";
import { membersOf } from "../../../../src/lib/json/members.ts";
import { endOfValue } from "../../../../src/lib/json/value-end.ts";

const read = (text: string): [string, string][] => {
  const bytes = Buffer.from(text);
  return membersOf(bytes, bytes.indexOf("{")).map(({ key, from, to }) => [
    key,
    bytes.subarray(from, to).toString(),
  ]);
};

test.each<[string, [string, string][]]>([
  ["{}", []],
  [" { } ", []],
  ['{"a":1}', [["a", "1"]]],
  [
    '{"a" : 1 ,\n"a"\t:\r[2, {"a":3}] , "\\u0061é":"}\\"," } ',
    [
      ["a", "1"],
      ["a", '[2, {"a":3}]'],
      ["aé", '"}\\","'],
    ],
  ],
  ['[{"x":-0.0e+1}', [["x", "-0.0e+1"]]],
])("%s", (text, members) => {
  expect(read(text)).toEqual(members);
});

test("returns exactly the members of any object", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      expect(read(text).map(([key, value]) => [key, JSON.parse(value) as unknown])).toEqual(
        Object.entries(JSON.parse(text) as object),
      );
    }),
  );
});

test("finds the end of a value", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("", " ", ",", "]", "}", "\n"), (json, behind) => {
      const text = json.trim();
      expect(endOfValue(Buffer.from(text + behind), 0)).toBe(Buffer.byteLength(text));
    }),
  );
});
