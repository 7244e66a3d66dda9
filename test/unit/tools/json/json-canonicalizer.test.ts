import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/json/json-canonicalizer.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const canonicalize = (data: string): Promise<string> => runTool(tool, { data });

test.each([
  // RFC 8785, appendix B.
  [
    "[-0, 5e-324, 1.7976931348623157e308, 9007199254740992, 295147905179352830000, 9.999999999999997e22, 1e23]",
    "[0,5e-324,1.7976931348623157e+308,9007199254740992,295147905179352830000,9.999999999999997e+22,1e+23]",
  ],
  ["[333333333.33333329, 0.000001, 0.0000001, 1E0]", "[333333333.3333333,0.000001,1e-7,1]"],
  ['"\\u0000\\u001f\\u007f\\/\\u00e9"', '"\\u0000\\u001f\u007f/é"'],
  // UTF-16 units: the surrogates of U+1F600 sort before U+FB33.
  ['{"\\ufb33":1,"\\ud83d\\ude00":2}', '{"😀":2,"\ufb33":1}'],
  ['{"__proto__":1,"b":{"d":[],"c":{}},"2":1,"10":1}', '{"10":1,"2":1,"__proto__":1,"b":{"c":{},"d":[]}}'],
  ["18446744073709551616", "18446744073709552000"],
])("%s", async (data, result) => {
  expect(await canonicalize(data)).toBe(result);
});

test.each([
  ['{"a":1,"\\u0061":2}', "/a"],
  ['["\\ud800"]', "/0"],
  ['{"x":{"\\udc00":1}}', undefined],
  ["[1,1e400]", "/1"],
  ['{"id":9007199254740993}', "/id"],
  ["[12345678901234567890.0]", "/0"],
])("%s is not I-JSON", async (data, pointer) => {
  const refusal = await refusalOf(canonicalize(data));
  expect(refusal.code).toBe("invalid_document");
  if (pointer !== undefined) expect(refusal.pointer).toBe(pointer);
});

test("a canonical form is a fixed point with the same value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ stringUnit: "grapheme" }), async (value) => {
      const once = await canonicalize(JSON.stringify(value));
      expect(await canonicalize(once)).toBe(once);
      expect(JSON.parse(once)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
