import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import validator from "../../../../src/tools/lint/csv-validator.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const validate = async (data: string, options: Record<string, unknown> = {}): Promise<Report> =>
  JSON.parse(await runTool(validator, { data, ...options })) as Report;

test.each([
  ["a,b\n1,2\n", {}],
  ['a,b\r\n"1\r\n",""\r\n', {}],
  ["a;b\n1;2", { delimiter: "auto" }],
  ["a\n\n1", {}],
  ["1,2\n3,4", { header: false, types: ["0:integer", "1:number"] }],
  ["a,b\n-1,2.5e3\n,\n", { types: ["a:integer", "b:number"] }],
  ["d,t\n2024-02-29,TRUE\n", { types: ["d:date", "t:boolean"] }],
  ["a,b\n1,2", { columns: ["a", "b"] }],
  ["a:b\nx", { types: ["a:b:nonempty"] }],
])("%j with %j is valid", async (data, options) => {
  expect(await validate(data, options)).toEqual({ valid: true, errors: [] });
});

test.each([
  ["", {}, [["empty", 1, 1]]],
  [
    "a,b\n1\n2,3,4\n",
    {},
    [
      ["ragged", 2, 1],
      ["ragged", 3, 1],
    ],
  ],
  ['a,b\nx"y,1\n', {}, [["bare-quote", 2, 2]]],
  ['a,b\né,"1"2\n', {}, [["quote", 2, 6]]],
  ['a,b\n1,"2\n', {}, [["unclosed-quote", 2, 3]]],
  [
    "a,a,\n1,2,3",
    {},
    [
      ["duplicate-header", 1, 3],
      ["empty-header", 1, 5],
    ],
  ],
  ["a,c\n1,2", { columns: ["a", "b"] }, [["header", 1, 3]]],
  ["a\n1", { columns: ["a", "b"] }, [["header", 1, 1]]],
  ["a,b\n1,2", { columns: ["a"] }, [["header", 1, 3]]],
  ["a\n1", { types: ["b:integer"] }, [["header", 1, 1]]],
  [
    'a,"b\n""",c\n"é""",x,1.5\n',
    { types: ["c:integer", 'b\n":number'] },
    [
      ["type", 3, 7],
      ["type", 3, 9],
    ],
  ],
  [
    "d\n2023-02-29\n2024-13-01\n24-1-1",
    { types: ["d:date"] },
    [
      ["type", 2, 1],
      ["type", 3, 1],
      ["type", 4, 1],
    ],
  ],
  ["a\n \n", { types: ["a:nonempty"] }, [["type", 2, 1]]],
  [
    "a,b\n1\n2\n3\n",
    { maxErrors: 2 },
    [
      ["ragged", 2, 1],
      ["ragged", 3, 1],
    ],
  ],
] as [string, Record<string, unknown>, [string, number, number][]][])(
  "%j with %j",
  async (data, options, places) => {
    const { valid, errors } = await validate(data, options);
    expect(errors.map(({ rule, line, column }) => [rule, line, column])).toEqual(places);
    expect(valid).toBe(false);
  },
);

test.each([{ types: ["a"] }, { types: ["a:text"] }, { delimiter: '"' }, { maxErrors: 0 }])(
  "%j is an invalid call",
  async (options) => {
    expect((await refusalOf(validate("a", options))).code).toBe("invalid_input");
  },
);
