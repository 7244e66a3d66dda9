import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import validator from "../../../../src/tools/lint/env-validator.ts";
import { runTool } from "../run-tool.ts";

const validate = async (data: string, required: string[] = []): Promise<Report> =>
  JSON.parse(await runTool(validator, { data, required })) as Report;

test.each([
  ["", []],
  ["A=1\n# c\nB='x # y'\nexport C=\"1\n2\"\n", ["A", "B", "C"]],
])("%j is valid", async (data, required) => {
  expect(await validate(data, required)).toEqual({ valid: true, errors: [] });
});

test.each([
  ["A=1\nnonsense\nB=2\n", [], false, [["no-assignment", 2, 1]]],
  ["A='x\nB=1\n", [], false, [["unclosed-quote", 1, 3]]],
  [
    "A='x'y\nA B=1\n=1",
    [],
    false,
    [
      ["quote", 1, 6],
      ["key", 2, 1],
      ["key", 3, 1],
    ],
  ],
  [
    "é=1\n a.b=2\n",
    [],
    true,
    [
      ["name", 1, 1],
      ["name", 2, 2],
    ],
  ],
  [
    "A=b#c\nB=x y\n",
    [],
    true,
    [
      ["unquoted-hash", 1, 4],
      ["unquoted-space", 2, 3],
    ],
  ],
  ["A=#c", [], true, [["unquoted-hash", 1, 3]]],
  ["A= #c", [], true, [["inline-comment", 1, 4]]],
  [
    "A=b #c\nB=b\t# c#d\n",
    [],
    true,
    [
      ["inline-comment", 1, 5],
      ["inline-comment", 2, 5],
    ],
  ],
  [
    "A=1\nA=2\nA=3",
    [],
    false,
    [
      ["duplicate-key", 2, 1],
      ["duplicate-key", 3, 1],
    ],
  ],
  ["toString=1", ["toString", "constructor"], false, [["missing-key", 1, 11]]],
] as [string, string[], boolean, [string, number, number][]][])(
  "%j",
  async (data, required, valid, places) => {
    const report = await validate(data, required);
    expect(report.errors.map(({ rule, line, column }) => [rule, line, column])).toEqual(places);
    expect(report.valid).toBe(valid);
  },
);

test("values are never reported: they are secrets", async () => {
  const text = JSON.stringify(await validate("A=hunter2#x\nA='hunter2'hunter2\nB='hunter2\nhunter2 hunter2"));
  expect(text).not.toContain("hunter2");
});

test("the number of findings is limited", async () => {
  expect((await validate("a\n".repeat(10_000))).errors).toHaveLength(100);
});
