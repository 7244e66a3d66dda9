import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/json/json-sorter.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const sort = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, indent: 0, ...options });

test.each([
  ["{}", {}, "{}"],
  ["[]", { arrays: "sort" }, "[]"],
  [' { "b" : 1 , "a" : [ 2 , 1 ] } ', {}, '{"a":[2,1],"b":1}'],
  ['{"b":1,"a":2}', { order: "desc" }, '{"b":1,"a":2}'],
  ['{"a":1,"a":0,"A":2}', {}, '{"A":2,"a":1,"a":0}'],
  ['{"a":1,"a":0,"b":2}', { order: "desc" }, '{"b":2,"a":1,"a":0}'],
  // By code point, not by UTF-16 unit, and by the unescaped key.
  ['{"😀":1,"\\uff5e":2}', {}, '{"\\uff5e":2,"😀":1}'],
  ['{"\\u0062":1,"a":2}', {}, '{"a":2,"\\u0062":1}'],
  ['{"__proto__":1,"constructor":2,"10":3,"9":4}', {}, '{"10":3,"9":4,"__proto__":1,"constructor":2}'],
  [
    '["b","a",2,10,1e0,null,{"b":1,"a":2},[2,1],false]',
    { arrays: "sort" },
    '[null,false,1e0,2,10,"a","b",[1,2],{"a":2,"b":1}]',
  ],
  ["[1,3,2]", { arrays: "sort", order: "desc" }, "[3,2,1]"],
  // Far beyond a double: Number() would make them equal.
  [
    "[9007199254740993,9007199254740992,1e400,-1e400]",
    { arrays: "sort" },
    "[-1e400,9007199254740992,9007199254740993,1e400]",
  ],
  ['"a\\"b{"', {}, '"a\\"b{"'],
])("%j with %j: %j", async (data, options, result) => {
  expect(await sort(data, options)).toBe(result);
});

test("sorting is idempotent and keeps every value", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.constantFrom("asc", "desc"),
      fc.constantFrom("keep", "sort"),
      async (data, order, arrays) => {
        const once = await sort(data, { order, arrays });
        expect(await sort(once, { order, arrays })).toBe(once);
        expect(once.length).toBe((await sort(data)).length);
        if (arrays === "keep") expect(JSON.parse(once)).toEqual(JSON.parse(data));
      },
    ),
  );
});

test("an error has its place; too deep nesting is refused", async () => {
  expect(await refusalOf(sort('{"a":1,}'))).toMatchObject({ code: "invalid_document", column: 7 });
  expect((await refusalOf(sort("[".repeat(2000) + "]".repeat(2000)))).code).toBe("invalid_document");
  expect(await sort(`${"[".repeat(900)}${"]".repeat(900)}`, { arrays: "sort" })).toHaveLength(1800);
});
