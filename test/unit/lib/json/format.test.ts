import { describe, expect, it } from "vitest";
import { formatJson, formatJsonText, minifyJson, minifyJsonText } from "../../../../src/lib/json/format.ts";
import { faultOf } from "./fault-of.ts";

describe("formatJson", () => {
  it.each([
    "12345678901234567890",
    "1.0",
    "1E400",
    "-0",
    "0e-0",
    "1.10e+05",
    `${"9".repeat(40)}.${"0".repeat(40)}E-${"1".repeat(40)}`,
    "1234567890123456789012345678901",
    "-123456789012345678901234567890.5",
    '"\\u00e9"',
    '"\\/"',
    '"\\ud800"',
    '"\\"\\\\\\b\\f\\n\\r\\t\\uABcd"',
    '"0123456789abcde\\u0041"',
    '"é ～ 😀 \u2028 \u007f"',
    '{"b":1,"2":1,"b":2}',
    '{"__proto__":1,"constructor":2,"":3}',
    "[[],{},[[]],[{}],null,true,false]",
  ])("keeps %s as written", (text) => {
    expect(minifyJsonText(text)).toBe(text);
    expect(minifyJsonText(formatJsonText(text, { indent: 3 }))).toBe(text);
    const bytes = Buffer.from(text);
    expect(Buffer.from(minifyJson(formatJson(bytes, { indent: 10 }))).equals(bytes)).toBe(true);
  });

  it("uses the layout of JSON.stringify", () => {
    const value = { a: [1, "x", { b: {}, c: [] }], "": null, d: [[[true]]], e: "ünïcode 😀" };
    for (let indent = 0; indent <= 10; indent++) {
      const expected = JSON.stringify(value, null, indent);
      expect(formatJsonText(JSON.stringify(value), { indent })).toBe(expected);
      expect(formatJsonText(JSON.stringify(value, null, "\r\n\t "), { indent })).toBe(expected);
    }
  });

  it("drops white space of any length and place", () => {
    for (const length of [0, 1, 2, 15, 16, 17, 33, 70]) {
      const space = " \t\r\n".repeat(length).slice(0, length);
      const spaced = [
        "",
        "{",
        '"a"',
        ":",
        "[",
        "1",
        ",",
        '"x"',
        "]",
        ",",
        '"b"',
        ":",
        "{",
        "}",
        "}",
        "",
      ].join(space);
      expect(formatJsonText(spaced, { indent: 1 })).toBe('{\n "a": [\n  1,\n  "x"\n ],\n "b": {}\n}');
      expect(minifyJsonText(spaced)).toBe('{"a":[1,"x"],"b":{}}');
    }
  });

  it("copies strings and numbers of any length", () => {
    for (let length = 1; length < 100; length++) {
      for (const token of [
        `"${"x".repeat(length)}"`,
        `"${"é".repeat(length)}\\n"`,
        "7".repeat(length),
        `0.${"3".repeat(length)}`,
      ]) {
        expect(minifyJsonText(`[ ${token} , ${token}]`)).toBe(`[${token},${token}]`);
      }
    }
  });

  it("returns bytes that share no memory with the next result", () => {
    const first = formatJson(Buffer.from("[1]"), { indent: 0 });
    const second = formatJson(Buffer.from("[2]"), { indent: 0 });
    expect([...first]).toEqual([...Buffer.from("[1]")]);
    expect(first.buffer).not.toBe(second.buffer);
    expect(first.buffer.byteLength).toBe(3);
  });

  it("reads only its part of a larger buffer", () => {
    const whole = Buffer.from("xxx[1, 2]yyy");
    expect(Buffer.from(formatJson(whole.subarray(3, 9), { indent: 0 })).toString()).toBe("[1,2]");
  });

  it("keeps duplicate keys by default", () => {
    const text = '{"a":1,"\\u0061":2}';
    expect(formatJsonText(text, { indent: 0 })).toBe(text);
    expect(faultOf(text, () => formatJsonText(text, { indent: 0, duplicateKeys: "error" }))).toMatchObject({
      rule: "duplicate-key",
      offset: 7,
      pointer: "/a",
    });
    expect(formatJsonText('{"a":{"a":1},"b":{"a":1}}', { indent: 0, duplicateKeys: "error" })).toBe(
      '{"a":{"a":1},"b":{"a":1}}',
    );
  });

  it("refuses a depth over maxDepth", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(formatJsonText(nested(3), { indent: 0, maxDepth: 3 })).toBe(nested(3));
    expect(faultOf(nested(4), () => formatJsonText(nested(4), { indent: 0, maxDepth: 3 }))).toMatchObject({
      rule: "too-deep",
      offset: 3,
      pointer: "/0/0/0",
    });
    expect(formatJsonText(nested(10_000), { indent: 0 })).toBe(nested(10_000));
    expect(faultOf(nested(10_001), () => formatJsonText(nested(10_001), { indent: 0 }))).toMatchObject({
      rule: "too-deep",
    });
  });

  it("refuses a result over maxResultBytes and says where", () => {
    const options = { indent: 2, maxResultBytes: 14 };
    expect(formatJsonText("[1,[2]]", { indent: 2, maxResultBytes: 22 })).toHaveLength(22);
    expect(
      faultOf("[1,[2]]", () => formatJsonText("[1,[2]]", { indent: 2, maxResultBytes: 21 })),
    ).toMatchObject({
      rule: "result-too-large",
    });
    expect(faultOf('["é",{"k":2}]', () => formatJsonText('["é",{"k":2}]', options))).toMatchObject({
      rule: "result-too-large",
      pointer: "/1",
      line: 1,
      column: 7,
      offset: 7,
    });
    expect(
      faultOf(Buffer.from('"12345"'), () =>
        formatJson(Buffer.from('"12345"'), { indent: 0, maxResultBytes: 6 }),
      ),
    ).toMatchObject({
      rule: "result-too-large",
    });
  });

  it("accepts an indentation of 0 to 10", () => {
    for (const indent of [-1, 11, 1.5, Number.NaN])
      expect(() => formatJsonText("1", { indent })).toThrow(RangeError);
  });
});
