import { expect, test } from "vitest";
import tool from "../../../../src/tools/json/json-unflattener.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const unflatten = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, indent: 0, ...options });

test.each([
  ["", "null"],
  ["json = 1;", "1"],
  ["json = [];\njson[0] = 1;\n", "[1]"],
  ['json.a = 1\n\n--\njson.b["c d"] = {};\r\n', '{"a":1,"b":{"c d":{}}}'],
  ["json[2] = 1;", "[null,null,1]"],
  ["json.a[0].b = 1.50;json.a", undefined],
  ["json.a = 1;\njson.a = 2;", '{"a":2}'],
  ['json.a = {"b":[1]};', '{"a":{"b":[1]}}'],
  ["  json.é$ = -0 ;  ", '{"é$":-0}'],
  ["json.a = [];\njson.a = [];\njson.a[1] = 1;", '{"a":[null,1]}'],
  ["x.a = 1;\ny.b = 2;", '{"a":1,"b":2}'],
  ['["a"] = 1', '{"a":1}'],
  ["\ufeffjson.a = 1;", '{"a":1}'],
  ["json.__proto__.a = 1;", '{"__proto__":{"a":1}}'],
])("%j is %s", async (data, result) => {
  if (result === undefined)
    expect(await refusalOf(unflatten(data))).toMatchObject({ code: "invalid_document" });
  else expect(await unflatten(data)).toBe(result);
});

test.each([
  ["json.a = 1;\njson.a.b = 2;", { line: 2, column: 1 }, "json.a.b is inside of a value"],
  ["json.a.b = 1;\njson.a = 2;", { line: 2, column: 1 }, "other paths lead into it"],
  ["json.a = {};\njson.a[0] = 1;", { line: 2 }, "in an object that is also an array"],
  ["json.a[0] = 1;\njson.a = {};", { line: 2 }, "an object and also an array"],
  ["json.a = [1,]", { line: 1, column: 12 }, ""],
  ['x = 1;\njson["é"] = "abc', { line: 2, column: 17 }, ""],
  ["json.a", { line: 1, column: 7 }, "Expected = after the path"],
  ["json.1 = 1", { line: 1, column: 5 }, "name after the point"],
  ["json[a] = 1", { line: 1, column: 5 }, "index or a key"],
  ["json[01] = 1", { line: 1, column: 5 }, "index or a key"],
  ["{}", { line: 1, column: 1 }, "begins with the path"],
  ["json[999999999] = 1", { line: 1 }, "more than 2000000 values"],
  [`json${"[0]".repeat(600)} = 1`, { line: 1 }, "more than 512 parts"],
])("%j is refused at its place", async (data, place, message) => {
  const refusal = await refusalOf(unflatten(data));
  expect(refusal).toMatchObject({ code: "invalid_document", ...place });
  expect(refusal.message).toContain(message);
});

test.each([
  ['{"a.b":1,"a.c.0":2,"a.c.1":3}', {}, '{"a":{"b":1,"c":[2,3]}}'],
  ['{"a.1":1}', {}, '{"a":{"1":1}}'],
  ['{"a.0":1}', { arrays: "none" }, '{"a":{"0":1}}'],
  ['{"a[1]":1,"b[0].c":2}', { arrays: "brackets" }, '{"a":[null,1],"b":[{"c":2}]}'],
  ['{"[0].a":1}', { arrays: "brackets" }, '[{"a":1}]'],
  ['{"a__b":{"c__d":1}}', { separator: "__" }, '{"a":{"b":{"c__d":1}}}'],
  ['{"a":{},"b":[]}', {}, '{"a":{},"b":[]}'],
  ["[1]", {}, "[1]"],
  ["{}", {}, "{}"],
])("%s with %o in dotted names is %s", async (data, options, result) => {
  expect(await unflatten(data, { style: "dotted", ...options })).toBe(result);
});

test.each([
  ['{"":7}', "7"],
  ['{"/a~1b/~0/0":1,"/":2}', '{"a/b":{"~":[1]},"":2}'],
])("%s as pointers is %s", async (data, result) => {
  expect(await unflatten(data, { style: "pointer" })).toBe(result);
});

test.each([
  ['{"a":1,"a.b":2}', { style: "dotted" }, { pointer: "/a.b" }, "inside of a value"],
  [
    '{"a":1,\n"b[":2}',
    { style: "dotted", arrays: "brackets" },
    { pointer: "/b[", line: 2 },
    "do not hold an index",
  ],
  ['{"a":1}', { style: "pointer" }, { pointer: "/a" }, "not a JSON pointer"],
  ['{"a":1,"a":2}', { style: "dotted" }, { line: 1, column: 8 }, "Duplicate key"],
])("%s with %o is refused at its place", async (data, options, place, message) => {
  const refusal = await refusalOf(unflatten(data, options));
  expect(refusal).toMatchObject({ code: "invalid_document", ...place });
  expect(refusal.message).toContain(message);
});
