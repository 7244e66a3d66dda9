import { describe, expect, it } from "vitest";
import type { JsonDialect } from "../../../../src/lib/json/source.ts";
import { validateJson } from "../../../../src/lib/json/validate.ts";

const check = (text: string, options: Parameters<typeof validateJson>[1] = {}) =>
  validateJson(Buffer.from(text), options);

describe("duplicate keys", () => {
  it("are all reported, with both places", () => {
    const problems = check('{"a":1,\n "\\u0061":2, "b":{"é":1,"é":2}, "a":3}');
    expect(
      problems.map(({ rule, message, line, column, offset, pointer, first }) => [
        rule,
        message,
        first,
        line,
        column,
        offset,
        pointer,
      ]),
    ).toEqual([
      ["duplicate-key", 'Duplicate key "a"', { line: 1, column: 2, offset: 1 }, 2, 2, 9, "/a"],
      ["duplicate-key", 'Duplicate key "é"', { line: 2, column: 19, offset: 26 }, 2, 25, 33, "/b/é"],
      ["duplicate-key", 'Duplicate key "a"', { line: 1, column: 2, offset: 1 }, 2, 33, 42, "/a"],
    ]);
  });

  it("come before the error that ends the document", () => {
    expect(check('{"a":1,"a":2,}').map(({ rule }) => rule)).toEqual(["duplicate-key", "syntax"]);
    expect(check('{"a":1,"a":"').map(({ rule }) => rule)).toEqual(["duplicate-key", "truncated"]);
  });

  it("come before bytes that are not UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from('{"a":1,"a":"'), Buffer.of(0xff), Buffer.from('"}')]);
    expect(validateJson(bytes).map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ["duplicate-key", "/a"],
      ["invalid-utf8", "/a"],
    ]);
  });

  it("can be allowed, and include only keys of the same object", () => {
    expect(check('{"a":1,"a":2}', { duplicateKeys: "allow" })).toEqual([]);
    expect(check('[{"a":{"a":1}},{"a":1},{"a":1,"A":1,"b":[{"a":1}]}]')).toEqual([]);
    expect(check('{"__proto__":1,"constructor":1,"toString":1}')).toEqual([]);
    expect(check('{"__proto__":1,"__proto__":1}')).toHaveLength(1);
  });

  it("compare lone surrogates and their pairs by value", () => {
    expect(check('{"\\ud83d\\ude00":1,"😀":2}')).toHaveLength(1);
    expect(check('{"\\ud83d":1,"\\ude00":2}')).toEqual([]);
    expect(check('{"\\/":1,"/":2}')).toHaveLength(1);
    expect(check('{"\\\\u0061":1,"a":2}')).toEqual([]);
  });

  it("show only the start of a key, without terminal control characters", () => {
    const [problem] = check(`{"${"k".repeat(99)}":1,"${"k".repeat(99)}":2}`);
    expect(problem?.message).toContain(`Duplicate key "${"k".repeat(16)}…"`);
    const [escape] = check('{"\\u001b[31m":1,"\\u001b[31m":2}');
    expect(escape?.message).toContain('Duplicate key "?[31m"');
  });
});

describe("depth", () => {
  it("is 512 levels by default", () => {
    const nested = (depth: number): string => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
    expect(check(nested(512))).toEqual([]);
    expect(check(nested(513))).toMatchObject([{ rule: "too-deep", offset: 5 * 512 }]);
    expect(check("[[]]", { maxDepth: 1 })).toMatchObject([{ rule: "too-deep", offset: 1, pointer: "/0" }]);
    expect(check("1", { maxDepth: 0 })).toEqual([]);
  });
});

/** Document and the dialects that accept it. */
const dialects: [string, string][] = [
  ['{"a":[1,null]}', "json jsonc json5"],
  ["[1,]", "jsonc json5"],
  ['{"a":1,}', "jsonc json5"],
  ["[,]", ""],
  ["[1,,]", ""],
  ["{,}", ""],
  ["// c\n[1/* c */,/***/2]// c", "jsonc json5"],
  ["[1] /* c", ""],
  ["/* c", ""],
  ["/*/ 1", ""],
  ["1 /", ""],
  ["# c\n1", ""],
  ["\ufeff1", "json jsonc json5"],
  ["[1,\ufeff2]", "json5"],
  ["[1,\u00a0\u2003\u2028\u000b\u000c2]", "json5"],
  ["{a:1,$b_:2,é:3,\\u0061b:4,ab\u200c:5,𝒳:6}", "json5"],
  ["{1a:1}", ""],
  ["{a-b:1}", ""],
  ["{\\u0031:1}", ""],
  ["{\\x61:1}", ""],
  ["{null:1,Infinity:2}", "json5"],
  ["{'a':'b\"c'}", "json5"],
  ["['it\\'s']", "json5"],
  ["['a\nb']", ""],
  ["['a\\\nb\\\r\nc\\\u2028d']", "json5"],
  ["['\u2028']", "json5"],
  ['["\u2028"]', "json jsonc json5"],
  ['["\u0001"]', "json5"],
  ["['\\x41\\v\\0\\a\\😀']", "json5"],
  ["['\\x4']", ""],
  ["['\\01']", ""],
  ["['\\1']", ""],
  ["['\\u12']", ""],
  ["[.5,5.,+1,-.5e-3,0x1F,-0Xaf,Infinity,-Infinity,+NaN]", "json5"],
  ["[0]", "json jsonc json5"],
  ["[01]", ""],
  ["[.]", ""],
  ["[+]", ""],
  ["[0x]", ""],
  ["[0xg]", ""],
  ["[1e]", ""],
  ["[- 1]", ""],
  ["[NaNN]", ""],
  ["[Infinit]", ""],
  ["[infinity]", ""],
  ["[true,false,null]", "json jsonc json5"],
  ["[True]", ""],
];

describe("dialects", () => {
  it.each(dialects)("%j is %s", (text, accepting) => {
    const all: JsonDialect[] = ["json", "jsonc", "json5"];
    expect(all.filter((dialect) => check(text, { dialect }).length === 0).join(" ")).toBe(accepting);
  });

  it("compare the keys of JSON5 by value", () => {
    expect(check("{a:1,'a':2,\"\\x61\":3,\\u0061:4,'\\a':5,'\\\na':6}", { dialect: "json5" })).toHaveLength(
      5,
    );
    expect(check("{'\\v':1,'v':2,'\\0':3,'0':4,'\\n':5,n:6}", { dialect: "json5" })).toEqual([]);
  });

  it("report an unclosed comment", () => {
    expect(check("[1 /* c", { dialect: "jsonc" })).toMatchObject([
      {
        rule: "truncated",
        offset: 7,
        message: expect.stringContaining("'*/' at the end of the comment"),
      },
    ]);
  });
});
