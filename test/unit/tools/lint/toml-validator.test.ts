import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tomlValidator from "../../../../src/tools/lint/toml-validator.ts";
import { runTool } from "../run-tool.ts";

const validate = async (input: Record<string, unknown>): Promise<Report> =>
  JSON.parse(await runTool(tomlValidator, input)) as Report;

test.each([
  [{ data: "" }, []],
  [{ data: "a = {\n}" }, []],
  [{ data: "a = {\n}", version: "1.0" }, [["syntax", 1, 6]]],
  [
    { data: "a=1\na=2\na=3\nb=2023-02-29\nc=" },
    [
      ["duplicate-key", 2, 1],
      ["duplicate-key", 3, 1],
      ["invalid-date", 4, 3],
      ["syntax", 5, 3],
    ],
  ],
  [
    { data: "[a]\n[a]\nb=1\nb=2" },
    [
      ["duplicate-key", 2, 2],
      ["duplicate-key", 4, 1],
    ],
  ],
  [{ data: "a = '''x" }, [["truncated", 1, 5]]],
] as const)("%j", async (input, expected) => {
  const report = await validate(input);
  expect(report.errors.map(({ rule, line, column }) => [rule, line, column])).toEqual(expected);
  expect(report.valid).toBe(expected.length === 0);
});

test("stops after a hundred findings", async () => {
  expect((await validate({ data: "a=1\n".repeat(10_000) })).errors).toHaveLength(100);
});
