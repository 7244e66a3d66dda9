import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import validator from "../../../../src/tools/lint/ndjson-validator.ts";
import { runTool } from "../run-tool.ts";

const validate = async (data: string, options: Record<string, unknown> = {}): Promise<Report> =>
  JSON.parse(await runTool(validator, { data, ...options })) as Report;

test.each(["", "1", '{"a":1}\n[]\r\n"x"\n'])("%j is valid", async (data) => {
  expect(await validate(data)).toEqual({ valid: true, errors: [] });
});

test.each([
  [
    "1\n[1,]\n{\n2\n",
    false,
    [
      ["syntax", 2, 3],
      ["truncated", 3, 2],
    ],
  ],
  ["1\n\n2", true, [["blank-line", 2, 1]]],
  ["\uFEFF1", true, [["byte-order-mark", 1, 1]]],
  ['{"é":1,"é":1}', false, [["duplicate-key", 1, 8]]],
  [
    "1 2\n01",
    false,
    [
      ["syntax", 1, 3],
      ["syntax", 2, 1],
    ],
  ],
] as [string, boolean, [string, number, number][]][])("%j", async (data, valid, places) => {
  const report = await validate(data);
  expect(report.errors.map(({ rule, line, column }) => [rule, line, column])).toEqual(places);
  expect(report.valid).toBe(valid);
});

test("the pointer is relative to the line", async () => {
  expect((await validate('1\n{"a":[1,{"b":tru}]}')).errors[0]?.pointer).toBe("/a/1/b");
});

test("the number of findings is limited", async () => {
  expect((await validate("x\n".repeat(5000))).errors).toHaveLength(100);
  expect((await validate("x\n".repeat(50), { maxErrors: 7 })).errors).toHaveLength(7);
});
