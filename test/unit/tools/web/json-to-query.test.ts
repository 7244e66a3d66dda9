import * as fc from "fast-check";
import { expect, test } from "vitest";
import toQuery from "../../../../src/tools/web/json-to-query.ts";
import toJson from "../../../../src/tools/web/query-to-json.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  ["{}", {}, ""],
  ['{"a":"b c&d=e+f%"}', {}, "a=b+c%26d%3De%2Bf%25"],
  ['{"a b":" "}', { plusAsSpace: false }, "a%20b=%20"],
  ['{"a":9007199254740993,"b":1.0,"c":1E400,"d":-0}', {}, "a=9007199254740993&b=1.0&c=1E400&d=-0"],
  ['{"a":true,"b":null,"c":""}', {}, "a=true&b&c="],
  ['{"2":1,"1":2,"__proto__":3}', {}, "2=1&1=2&__proto__=3"],
  ['{"a":{"b":{"c":[1,2]}}}', { arrays: "bracket" }, "a[b][c][]=1&a[b][c][]=2"],
  ['{"a":["x,y","z"]}', { arrays: "comma" }, "a=x%2Cy,z"],
  ["{a: 'x', // c\n b: 0x10,}", { dialect: "json5" }, "a=x&b=16"],
])("%s %j", async (data, options, result) => {
  expect(await runTool(toQuery, { data, ...options })).toBe(result);
});

test.each([
  ["[]", {}, ""],
  ['{"a":{"b":1}}', {}, "/a"],
  ['{"a":[]}', {}, "/a"],
  ['{"a":{}}', { arrays: "bracket" }, "/a"],
  ['{"a":[1,{}]}', { arrays: "bracket" }, "/a/1"],
  ['{"a":{"":1}}', { arrays: "bracket" }, "/a/"],
  ['{"a[b]":1}', { arrays: "bracket" }, "/a[b]"],
  ['{"a":[null]}', { arrays: "comma" }, "/a/0"],
  ['{"a":1,"a":2}', {}, "/a"],
])("%s %j is refused at %j", async (data, options, pointer) => {
  const refusal = await refusalOf(runTool(toQuery, { data, ...options }));
  expect(refusal).toMatchObject({ code: "invalid_document", pointer });
});

test("each reads what the other writes", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 8 });
  const value = fc.oneof(text, fc.array(text, { minLength: 2, maxLength: 4 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, value), { maxLength: 5 }),
      fc.constantFrom("repeat", "bracket", "comma"),
      fc.boolean(),
      async (pairs, arrays, plusAsSpace) => {
        const plain = pairs.filter(([key]) => arrays !== "bracket" || !/[[\]]/.test(key));
        const entries = [...new Map(plain)];
        const data = `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`).join(",")}}`;
        const query = await runTool(toQuery, { data, arrays, plusAsSpace });
        const back = await runTool(toJson, { data: query, arrays, plusAsSpace });
        expect(JSON.parse(back)).toEqual(JSON.parse(data));
      },
    ),
    {
      examples: [
        [
          [
            ["__proto__", "1"],
            ["2", ["\r\n", "+"]],
            ["1", ","],
          ],
          "comma",
          false,
        ],
      ],
    },
  );
});
