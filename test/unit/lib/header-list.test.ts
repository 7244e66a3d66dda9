import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitHeader, trimOws, unquoteHeader } from "../../../src/lib/header-list.ts";

test.each<[string, "," | ";", string[]]>([
  ["a, b\t,c", ",", ["a", "b", "c"]],
  ["", ",", [""]],
  [",", ",", ["", ""]],
  ['a="b,c", d', ",", ['a="b,c"', "d"]],
  ['a="b\\",c", d', ",", ['a="b\\",c"', "d"]],
  ['a="b\\\\",c', ",", ['a="b\\\\"', "c"]],
  ['a="b,c', ",", ['a="b,c']],
  [
    'text/plain; x="; charset=latin1"; charset=utf-8',
    ";",
    ["text/plain", 'x="; charset=latin1"', "charset=utf-8"],
  ],
  ["\u00a0a\u00a0, b", ",", ["\u00a0a\u00a0", "b"]],
])("splits %j at %j", (value, separator, parts) => {
  expect(splitHeader(value, separator)).toEqual(parts);
});

test.each<[string, string | undefined]>([
  ["token-1.2", "token-1.2"],
  ['"a b"', "a b"],
  [String.raw`"a\"b\\"`, String.raw`a"b\ `.trimEnd()],
  ['""', ""],
  ["", undefined],
  ["a b", undefined],
  ['"a', undefined],
  ['a"', undefined],
  ['"a"b"', undefined],
  [String.raw`"a\"`, undefined],
])("unquotes %j", (value, text) => {
  expect(unquoteHeader(value)).toBe(text);
});

test("what was quoted comes back, and is one part", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
      const quoted = `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
      expect(splitHeader(`a;b=${quoted}; c`, ";")).toEqual(["a", `b=${quoted}`, "c"]);
      expect(unquoteHeader(quoted)).toBe(text);
    }),
  );
});

test("trims a long run of spaces within a value as fast as any other text", () => {
  const value = `a${" ".repeat(1_000_000)}b`;
  expect(trimOws(` ${value}\t`)).toBe(value);
});
