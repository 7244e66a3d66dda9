import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeKey } from "../../../../src/lib/json/decode-key.ts";
import { anyCharacter } from "../../../support/any-character.ts";

const decode = (token: string): string => decodeKey(Buffer.from(token), 0, Buffer.byteLength(token));

describe("decodeKey", () => {
  it.each([
    ['"a"', "a"],
    ['""', ""],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\\ud83d\\uDE00\\ud800"', "\u{1f600}\ud800"],
    ['"\\\\x41"', "\\x41"],
    ["'\\x41\\v\\0\\'\\a\\\\x41'", "A\v\0'a\\x41"],
    ["'a\\\nb\\\r\nc\\\rd\\\u2028e\\\u2029f'", "abcdef"],
    ["'\\😀'", "😀"],
    ["\\u0061b", "ab"],
    ["é$_", "é$_"],
  ])("%j is %j", (token, value) => {
    expect(decode(token)).toBe(value);
  });

  it("decodes the output of JSON.stringify, in either quotes", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (value) => {
        const token = JSON.stringify(value);
        expect(decode(token)).toBe(value);
        expect(decode(`'${token.slice(1, -1)}'`)).toBe(value);
      }),
    );
  });
});
