import { describe, expect, it } from "vitest";
import { firstJsonError } from "../../../../src/lib/json/first-error.ts";
import { formatJson, formatJsonText } from "../../../../src/lib/json/format.ts";
import type { JsonProblem } from "../../../../src/lib/json/problem.ts";
import { faultOf } from "./fault-of.ts";

type Place = `${number}:${number}@${number} ${string}`;

/** Document, rule, "line:column@offset pointer", and a part of the message. */
const table: [string, JsonProblem["rule"], Place, string][] = [
  ["", "truncated", "1:1@0 ", "The document is empty"],
  [" \n", "truncated", "2:1@2 ", "The document is empty"],
  ["[1,]", "syntax", "1:3@2 /0", "no trailing comma"],
  ['{"a":1,\n}', "syntax", "1:7@6 /a", "no trailing comma"],
  ["[1,,2]", "syntax", "1:4@3 /1", "A value is missing before this comma"],
  ["[,1]", "syntax", "1:2@1 /0", "A value is missing before this comma"],
  ['{"a":,}', "syntax", "1:6@5 /a", "A value is missing before this comma"],
  ['{"a":}', "syntax", "1:6@5 /a", "Expected a value; found '}'"],
  ["['x']", "syntax", "1:2@1 /0", "put strings in double quotes"],
  ["{'a':1}", "syntax", "1:2@1 ", "put keys in double quotes"],
  ["{a:1}", "syntax", "1:2@1 ", "keys must be in double quotes"],
  ["{1:1}", "syntax", "1:2@1 ", "Expected a key in double quotes or '}'; found '1'"],
  ["{,}", "syntax", "1:2@1 ", "Expected a key in double quotes or '}'; found ','"],
  ['{"a" 1}', "syntax", "1:6@5 /a", "Expected ':' after the key; found '1'"],
  ['{"a"=1}', "syntax", "1:5@4 /a", "JSON writes ':' for '='"],
  ['{"a":1 "b":2}', "syntax", "1:8@7 /a", "Is a comma missing?"],
  ['{"a":1;"b":2}', "syntax", "1:7@6 /a", "Expected ',' or '}' after the value; found ';'"],
  ["[1 2]", "syntax", "1:4@3 /0", "Is a comma missing?"],
  ["[1}", "syntax", "1:3@2 /0", "The innermost open container is an array"],
  ['{"a":1]', "syntax", "1:7@6 /a", "The innermost open container is an object"],
  ['["a":1]', "syntax", "1:5@4 /0", "Members with keys need an object"],
  ["// c\n{}", "syntax", "1:1@0 ", "Comments are not JSON; remove it."],
  ["[1 /* c */]", "syntax", "1:4@3 /0", "Comments are not JSON"],
  ["{} # c", "syntax", "1:4@3 ", "Comments are not JSON"],
  ["[NaN]", "syntax", "1:2@1 /0", "NaN is not JSON"],
  ["[-Infinity]", "syntax", "1:3@2 /0", "Infinity are not JSON"],
  ["[Infinity]", "syntax", "1:2@1 /0", "Infinity is not JSON"],
  ["[undefined]", "syntax", "1:2@1 /0", "undefined is not JSON"],
  ["[True,None]", "syntax", "1:2@1 /0", "write true in lower case"],
  ["[truex]", "syntax", "1:2@1 /0", "Unquoted text is not a value"],
  ["[nul]", "syntax", "1:2@1 /0", "Unquoted text is not a value"],
  ["[abc]", "syntax", "1:2@1 /0", "Unquoted text is not a value"],
  ["[01]", "syntax", "1:2@1 /0", "must not start with 0"],
  ["[-00]", "syntax", "1:3@2 /0", "must not start with 0"],
  ["[+1]", "syntax", "1:2@1 /0", "must not start with '+'"],
  ["[.5]", "syntax", "1:2@1 /0", "needs a digit before the point"],
  ["[1.]", "syntax", "1:4@3 /0", "Expected a digit after the point; found ']'"],
  ["[1.e5]", "syntax", "1:4@3 /0", "Expected a digit after the point; found 'e'"],
  ["[1e+]", "syntax", "1:5@4 /0", "Expected a digit in the exponent; found ']'"],
  ["[-]", "syntax", "1:3@2 /0", "Expected a digit; found ']'"],
  ["[0x1F]", "syntax", "1:2@1 /0", "Hexadecimal numbers are not JSON"],
  ["[1_000]", "syntax", "1:3@2 /0", "found '_'"],
  ['["a\nb"]', "syntax", "1:4@3 /0", "write it as \\n"],
  ['["a\tb"]', "syntax", "1:4@3 /0", "U+0009 is not allowed in a string; write it as \\t"],
  ['["\u0000"]', "syntax", "1:3@2 /0", "write it as \\u0000"],
  ['["\\q"]', "syntax", "1:3@2 /0", "\\ followed by 'q' is not an escape"],
  ['["\\u12G4"]', "syntax", "1:7@6 /0", "Expected 4 hexadecimal digits in the escape; found 'G'"],
  ['{"\\x":1}', "syntax", "1:3@2 ", "is not an escape"],
  ["{}{}", "syntax", "1:3@2 ", "lines of JSON (NDJSON)"],
  ['{"a":1}\n{"a":2}', "syntax", "2:1@8 ", "lines of JSON (NDJSON)"],
  ["1 2", "syntax", "1:3@2 ", "Expected the end of the document; found '2'"],
  ["[]]", "syntax", "1:3@2 ", "It closes nothing"],
  ["[],", "syntax", "1:3@2 ", "Expected the end of the document; found ','"],
  ["}", "syntax", "1:1@0 ", "Expected a value; found '}'"],
  ["[1", "truncated", "1:3@2 /0", "Still open: 1 array."],
  ['{"a":[{"b":"x', "truncated", "1:14@13 /a/0/b", "Still open: 2 objects and 1 array."],
  ['{"a"', "truncated", "1:5@4 /a", "expected ':' after the key"],
  ['{"a', "truncated", "1:4@3 ", "at the end of the string"],
  ["[tru", "truncated", "1:5@4 /0", "expected the rest of true"],
  ["-", "truncated", "1:2@1 ", "expected a digit"],
  ['["\\', "truncated", "1:4@3 /0", "expected the rest of the escape"],
  ['["é😀",x]', "syntax", "1:7@10 /1", "Unquoted text"],
  ["\r\n\r[\u00a0]", "syntax", "3:2@4 /0", "found U+00A0"],
  ['{"a/b":{"~":[1,x]}}', "syntax", "1:16@15 /a~1b/~0/1", "Unquoted text"],
  ['{"\\u0061\\n":x}', "syntax", "1:13@12 /a\n", "Unquoted text"],
  ["[\u202e]", "syntax", "1:2@1 /0", "found U+202E"],
  ['{\u0000"\u0000', "syntax", "1:2@1 ", "found U+0000"],
];

describe("faults of a document", () => {
  it.each(table)("%j: %s at %s: %s", (text, rule, place, message) => {
    const problem = faultOf(text, () => formatJsonText(text, { indent: 2 }));
    expect(problem?.rule).toBe(rule);
    expect(`${problem?.line}:${problem?.column}@${problem?.offset} ${problem?.pointer}`).toBe(place);
    expect(problem?.message).toContain(message);
    expect(faultOf(text, () => formatJson(Buffer.from(text), { indent: 2 }))).toEqual(problem);
    expect(firstJsonError(Buffer.from(text))).toMatchObject(problem ?? {});
  });

  it.each([
    ["\ufeff", "truncated", 3, "is empty"],
    ["\ufeff[x]", "syntax", 4, "Unquoted text"],
    ["\ufeff\ufeff{}", "syntax", 3, "found U+FEFF"],
  ])("%j: %s at offset %i", (text, rule, offset, message) => {
    const problem = faultOf(text, () => formatJsonText(text, { indent: 2 }));
    expect(problem).toMatchObject({ rule, offset, message: expect.stringContaining(message) as string });
    expect(faultOf(text, () => formatJson(Buffer.from(text), { indent: 2 }))).toEqual(problem);
    expect(firstJsonError(Buffer.from(text))).toMatchObject({ rule: "byte-order-mark", offset: 0 });
  });

  it.each([
    ['["a\\xff"]', "invalid-utf8", "1:4@3 /0", "Byte 0xFF is not valid UTF-8"],
    ['["\\xc3"]', "invalid-utf8", "1:3@2 /0", "0xC3"],
    ['["\\xed\\xa0\\x80"]', "invalid-utf8", "1:3@2 /0", "0xED"],
    ['["\\xc0\\xaf"]', "invalid-utf8", "1:3@2 /0", "0xC0"],
    ['["\\xf4\\x90\\x80\\x80"]', "invalid-utf8", "1:3@2 /0", "0xF4"],
    ['{"\\xc3\\xa9":"\\xf0\\x9f\\x98"}', "invalid-utf8", "1:7@7 /é", "0xF0"],
    ["{}\\x80", "invalid-utf8", "1:3@2 ", "0x80"],
    ["[\\x80]", "invalid-utf8", "1:2@1 /0", "0x80"],
    ['[1}, "\\xff"]', "syntax", "1:3@2 /0", "found '}'"],
    ["\\xff\\xfe[\\x00]\\x00", "invalid-utf8", "1:1@0 ", "UTF-16 byte order mark"],
    ["[\\x00]\\x00", "syntax", "1:2@1 /0", "this looks like UTF-16"],
  ])("bytes %s: %s at %s: %s", (escaped, rule, place, message) => {
    const bytes = Buffer.from(
      escaped.replace(/\\x(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    );
    const problem = faultOf(bytes, () => formatJson(bytes, { indent: 2 }));
    expect(problem?.rule).toBe(rule);
    expect(`${problem?.line}:${problem?.column}@${problem?.offset} ${problem?.pointer}`).toBe(place);
    expect(problem?.message).toContain(message);
  });

  it.each([
    ['["é\ud800"]', "lone-surrogate", "1:4@4 /0", "write it as \\ud800"],
    ['{"😀":"\udc00\ud800"}', "lone-surrogate", "1:7@9 /😀", "U+DC00 is half of a surrogate pair"],
    ['{"\ufffd":"\udc00"}', "lone-surrogate", "1:7@8 /\ufffd", "U+DC00"],
    ["{}\ud800", "lone-surrogate", "1:3@2 ", "U+D800"],
    ['[1}, "\ud800"]', "syntax", "1:3@2 /0", "found '}'"],
  ])("text %j: %s at %s: %s", (text, rule, place, message) => {
    const problem = faultOf(text, () => formatJsonText(text, { indent: 2 }));
    expect(problem?.rule).toBe(rule);
    expect(`${problem?.line}:${problem?.column}@${problem?.offset} ${problem?.pointer}`).toBe(place);
    expect(problem?.message).toContain(message);
  });

  it("lists the expected tokens if there are few", () => {
    expect(firstJsonError(Buffer.from('{"a":1 x}'))?.expected).toBe("',' or '}' after the value");
    expect(firstJsonError(Buffer.from("[1,]"))).not.toHaveProperty("expected");
  });

  it("quotes at most a few characters of the document", () => {
    const secret = "hunter2-".repeat(50);
    for (const text of [
      `[${secret}]`,
      `"${secret}`,
      `{"a":"${secret}" x}`,
      `{${secret}:1}`,
      `"\\u${secret}"`,
      `1${secret}`,
    ]) {
      expect(firstJsonError(Buffer.from(text))?.message.length).toBeLessThan(250);
      expect(firstJsonError(Buffer.from(text))?.message).not.toContain("hunter");
    }
  });

  it("shortens a long pointer to that of an ancestor", () => {
    const key = "k".repeat(3000);
    expect(firstJsonError(Buffer.from(`{"${key}":{"${key}":x}}`))?.pointer).toBe(`/${key}`);
    expect(firstJsonError(Buffer.from(`{"a":{"${"\\u0061".repeat(5000)}":x}}`))?.pointer).toBe("/a");
  });

  it("reports nothing for valid JSON", () => {
    for (const text of ["1", " [] ", '{"a":1,"a":2}', "[".repeat(2000) + "]".repeat(2000)]) {
      expect(firstJsonError(Buffer.from(text))).toBeUndefined();
    }
  });
});
