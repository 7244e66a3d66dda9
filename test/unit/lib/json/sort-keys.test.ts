import { describe, expect, it } from "vitest";
import { compareCodePoints } from "../../../../src/lib/json/code-point-order.ts";
import { formatJson, formatJsonText } from "../../../../src/lib/json/format.ts";
import { startCost } from "../../../cost/start-cost.ts";

const sort = (text: string): string => formatJsonText(text, { indent: 0, sortKeys: true });

describe("sortKeys", () => {
  it.each([
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    ['{"10":1,"9":2,"a":3,"B":4,"":5}', '{"":5,"10":1,"9":2,"B":4,"a":3}'],
    ['{"b":{"z":1,"a":[{"y":1,"x":{}},{}]},"a":2}', '{"a":2,"b":{"a":[{"x":{},"y":1},{}],"z":1}}'],
    ['[{"b":1,"a":2},{"d":1,"c":{"f":1,"e":2}}]', '[{"a":2,"b":1},{"c":{"e":2,"f":1},"d":1}]'],
    ['{"b":1,"a":1,"b":0,"a":0}', '{"a":1,"a":0,"b":1,"b":0}'],
    ['{"\\u0062":1.0,"a":"\\/"}', '{"a":"\\/","\\u0062":1.0}'],
    ['{"a,b":[1,"}"],"a\\"{":"{,"}', '{"a\\"{":"{,","a,b":[1,"}"]}'],
    ['{"😀":1,"～":2}', '{"～":2,"😀":1}'],
    ["[]", "[]"],
    ['"a"', '"a"'],
  ])("%s becomes %s", (text, sorted) => {
    expect(sort(text)).toBe(sorted);
  });

  it("formats the result", () => {
    expect(formatJsonText('{"b":[],"a":{"d":1,"c":2}}', { indent: 2, sortKeys: true })).toBe(
      JSON.stringify({ a: { c: 2, d: 1 }, b: [] }, null, 2),
    );
  });

  it("is linear in the depth, and iterative", () => {
    const depth = 9_000;
    // Every level is out of order: moving whole members at every level would copy gigabytes.
    const text = `{"b":`.repeat(depth) + `"${"x".repeat(1000)}"` + `,"a":"${"y".repeat(500)}"}`.repeat(depth);
    const cost = startCost();
    const sorted = formatJson(Buffer.from(text), { indent: 0, sortKeys: true });
    expect(cost()).toBeLessThan(300);
    expect(sorted.length).toBe(text.length);
    expect(Buffer.from(sorted.subarray(0, 5)).toString()).toBe('{"a":');
  });
});

describe("compareCodePoints", () => {
  it("orders lone surrogates, pairs and other characters by code point", () => {
    const ordered = [
      "",
      "\0",
      "a",
      "aa",
      "b",
      "\ud7ff",
      "\ud83d",
      "\ud83da",
      "\ud83d\ue000",
      "\udfff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{1f600}",
      "\u{1f601}",
      "\u{1f601}a",
    ];
    for (const [left, a] of ordered.entries()) {
      for (const [right, b] of ordered.entries()) {
        expect(Math.sign(compareCodePoints(a, b)), JSON.stringify([a, b])).toBe(Math.sign(left - right));
      }
    }
  });
});
