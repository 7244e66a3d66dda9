import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { toJson } from "../../../../src/lib/data/to-json.ts";
import { DocumentFault } from "../../../../src/lib/fault.ts";

describe("converting JSON to the model and back", () => {
  test.each([
    '{"2":1,"1":{"__proto__":[],"constructor":{}},"":null}',
    "[12345678901234567890,1.0,-0,1E400,0.10,-1e-7]",
    '["\\\\","\\"","a\\\\\\"b",":","{","\\u0000"]',
    '"just text"',
    "-0.0",
    "[[],{},[[]],[{}]]",
    '"\\ud800"',
  ])("keeps %s", (text) => {
    expect(toJson(fromJson(text), 0)).toBe(text);
  });

  test("uses the layout of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 10 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // JSON.stringify writes -0 as 0 and drops `__proto__`; the model keeps both.
        fc.pre(!text.includes("__proto__"));
        expect(toJson(fromJson(JSON.stringify(value)), indent)).toBe(text);
      }),
    );
  });

  test("accepts white space of every kind, in bytes and text", () => {
    const text = ' \t\r\n{ "a" \n:\t[ 1 , true ] , "b" : "x" } \n';
    expect(toJson(fromJson(text), 0)).toBe('{"a":[1,true],"b":"x"}');
    expect(toJson(fromJson(Buffer.from(text)), 0)).toBe('{"a":[1,true],"b":"x"}');
  });

  test("accepts comments and trailing commas only in jsonc", () => {
    const text = '// a\r{"a": /* b "*/ [1, 2,], // c\n "b" /* : */ : "//", }//end';
    expect(toJson(fromJson(text, "jsonc"), 0)).toBe('{"a":[1,2],"b":"//"}');
    expect(() => fromJson(text)).toThrow(DocumentFault);
  });

  test.each([
    ['{"a":1,"\\u0061":2}', "duplicate-key", 'Duplicate key "a"'],
    ["[".repeat(513) + "]".repeat(513), "too-deep", "512"],
    ["[1,]", "syntax", "comma"],
    ["", "truncated", "empty"],
    ['"\ud800"', "lone-surrogate", "U+D800"],
  ])("%.20s is refused", (text, rule, words) => {
    try {
      fromJson(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DocumentFault);
      expect((error as DocumentFault).rule).toBe(rule);
      expect((error as DocumentFault).message).toContain(words);
    }
  });

  test("converts dates, and numbers that JSON lacks, to strings", () => {
    const value = [
      { kind: "local-date", text: "2026-01-02" } as const,
      { kind: "nonfinite", text: "-inf" } as const,
    ];
    expect(toJson(value, 0)).toBe('["2026-01-02","-inf"]');
  });

  test("limits nesting times indentation", () => {
    const deep = `${"[".repeat(500)}${"1,".repeat(400_000)}1${"]".repeat(500)}`;
    expect(() => toJson(fromJson(deep), 10)).toThrow("larger than");
  });
});
