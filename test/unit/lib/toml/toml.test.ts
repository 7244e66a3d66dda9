import { DocumentFault } from "../../../../src/lib/fault.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { toJson } from "../../../../src/lib/data/to-json.ts";
import { fromToml } from "../../../../src/lib/toml/from-toml.ts";
import { toToml } from "../../../../src/lib/toml/to-toml.ts";
import { jsonText } from "../json-text.ts";
import { startCost } from "../../../cost/start-cost.ts";

const read = (text: string, version: "1.0" | "1.1" = "1.1"): string => toJson(fromToml(text, { version }), 0);

function faultOf(text: string, version: "1.0" | "1.1" = "1.1"): DocumentFault {
  try {
    fromToml(text, { version });
  } catch (error) {
    if (error instanceof DocumentFault) return error;
    throw error;
  }
  throw new Error("was read");
}

describe("reading", () => {
  test.each([
    ["", "{}"],
    ["\ufeffa=1", '{"a":1}'],
    ["a = +99\nb = 1_000\nc = -0", '{"a":99,"b":1000,"c":-0}'],
    ["a=0xDEAD_beef\nb=0o755\nc=0b1101_0110", '{"a":3735928559,"b":493,"c":214}'],
    ["a=9223372036854775808", '{"a":9223372036854775808}'],
    ["a=1.0\nb=+1e06\nc=9_224.445_991E-2\nd=-nan", '{"a":1.0,"b":1e06,"c":9224.445991E-2,"d":"nan"}'],
    [
      "a=1979-05-27 07:32:00z\nb=1979-05-27t00:32:00.999-07:00",
      '{"a":"1979-05-27T07:32:00Z","b":"1979-05-27T00:32:00.999-07:00"}',
    ],
    ["a=2000-02-29\nb=23:59:60\nc=1979-05-27 # x", '{"a":"2000-02-29","b":"23:59:60","c":"1979-05-27"}'],
    ['a="""\r\nx\\\n   \n  y"""', '{"a":"xy"}'],
    ['a=""""q"""""\nb=\'\'\'\'q\'\'\'', '{"a":"\\"q\\"\\"","b":"\'q"}'],
    ["a='\\n'\nb=\"\\u00e9\\U0001F600\"", '{"a":"\\\\n","b":"é😀"}'],
    ["a.b.c=1\na.d=2\n[a.e]\nf=3", '{"a":{"b":{"c":1},"d":2,"e":{"f":3}}}'],
    ["[a.b]\nx=1\n[a]\ny=2", '{"a":{"b":{"x":1},"y":2}}'],
    ["[[a]]\n[a.b]\nx=1\n[[a]]\n[[a.c]]", '{"a":[{"b":{"x":1}},{"c":[{}]}]}'],
    ["__proto__.x=1\nconstructor={}\n3.14=2", '{"__proto__":{"x":1},"constructor":{},"3":{"14":2}}'],
    ["a=[1,\n # c\n [2,],\n]\nb=[]", '{"a":[1,[2]],"b":[]}'],
  ])("%j", (text, json) => {
    expect(read(text, "1.0")).toBe(json);
    expect(read(text)).toBe(json);
  });

  test.each([
    ["a={b=1,\n c=[2] # x\n,}", '{"a":{"b":1,"c":[2]}}'],
    ["a=07:32\nb=1979-05-27T07:32Z", '{"a":"07:32:00","b":"1979-05-27T07:32:00Z"}'],
    ['a="\\x41\\e"', '{"a":"A\\u001b"}'],
  ])("%j is TOML 1.1", (text, json) => {
    expect(read(text)).toBe(json);
    expect(faultOf(text, "1.0").message).toMatch(/1\.0|1\.1/);
  });

  test.each([
    ["a=1\na=2", 4, "twice; the first is on line 1"],
    ["a=1900-02-29", 2, "1900-02-29 does not exist"],
    ["a=1988-02-30", 2, "1988-02-30 does not exist"],
    ["a=1985-06-18T17:04:07+25:00", 2, "does not exist"],
    ["a=1985-06-18T17:04:07+05:60", 2, "does not exist"],
    ["a=07", 2, "leading zeros"],
    ["a=.5", 2, "point"],
    ["a=1__0", 2, "underscore"],
    ["a=-0xff", 2, "not a value"],
    ["a=True", 2, "lower-case"],
    ["a=[1", 2, "not closed"],
    ["a='x", 4, "not closed"],
    ["a=1 b=2", 4, "end of the line"],
    ['a="\\ud800"', 3, "not a Unicode character"],
    ["a={b=1}\na.c=2", 8, "dotted keys cannot extend"],
    ["a={b=1}\n[a.c]", 9, "inline table"],
    ["a=[{}]\n[[a]]", 9, "array of tables"],
    ["[[a]]\n[a]", 7, "twice"],
    ["[a]\nb.c=1\n[a.b]", 13, "twice"],
    ["a=1\r", 3, "end of the line"],
    ["a='\u0000'", 3, "U+0000"],
    ["é=1", 0, "Quote"],
    ["a='\ud800'", 3, "surrogate"],
    ["a=" + "[".repeat(513), 514, "512"],
  ])("%# is refused", (text, index, words) => {
    const fault = faultOf(text);
    expect(fault.message).toContain(words);
    expect(fault.at.index).toBe(index);
  });

  test("reports the pointer of a repeated key", () => {
    expect(faultOf("[[a]]\n[[a]]\nb={c=[{d=1,d=2}]}").at.pointer).toBe("/a/1/b/c/0/d");
  });

  test.each([
    ["a=" + "1".repeat(1_000_000), "digits"],
    ["a=1." + "1_1".repeat(200_000), "underscores"],
    ['a="""\\' + " \n".repeat(200_000) + '"""', "folded lines"],
    ["a=0x" + "f".repeat(200_000), "hexadecimal"],
    ["a.".repeat(200_000) + "a=1", "dots"],
    ["a=" + "{a=".repeat(200_000), "braces"],
  ])("reads megabytes in linear time: %#", (text) => {
    const cost = startCost();
    try {
      fromToml(text, { version: "1.1" });
    } catch (error) {
      expect(error).toBeInstanceOf(DocumentFault);
    }
    expect(cost()).toBeLessThan(300);
  });
});

describe("writing", () => {
  test.each([
    ['{"a":{"b":1},"c":2}', "a.b = 1\nc = 2\n"],
    ['{"c":2,"a":{"b":{"d":1}}}', "c = 2\n\n[a.b]\nd = 1\n"],
    ['{"a":{}}', "[a]\n"],
    ['{"a":[{"x":[{}]}]}', "[[a]]\n\n[[a.x]]\n"],
    ['{"a":[{},1]}', "a = [{}, 1]\n"],
    ['{"":1,"é":"\\u007f","x.y":"a\\"b"}', '"" = 1\n"é" = "\\u007f"\n"x.y" = "a\\"b"\n'],
    ['{"t":"a\\n\\"\\"\\"\\t\\\\"}', 't = """\na\n\\"""\\t\\\\"""\n'],
  ])("%s", (json, toml) => {
    expect(toToml(fromJson(json))).toBe(toml);
  });

  test.each([
    ["[1]", "", "object"],
    ['{"a":{"b":[1,null]}}', "/a/b/1", "null"],
    ['{"a":"\\ud800"}', "/a", "surrogate"],
    ['{"\\ud800":1}', "/\ud800", "surrogate"],
  ])("%s is refused", (json, pointer, words) => {
    expect(() => toToml(fromJson(json))).toThrow(expect.objectContaining({ at: { pointer } }) as Error);
    expect(() => toToml(fromJson(json))).toThrow(words);
  });

  test("reads its output back to the same value, with order and digits", () => {
    fc.assert(
      fc.property(jsonText({ null: false }), fc.constantFrom(0, 2), (text, indent) => {
        const value = new Map([["root", fromJson(text)]]);
        expect(read(toToml(value, indent), "1.0")).toBe(toJson(value, 0));
      }),
      { numRuns: 300 },
    );
  });
});
