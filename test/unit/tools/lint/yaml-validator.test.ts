import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import yamlValidator from "../../../../src/tools/lint/yaml-validator.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const validate = async (input: Record<string, unknown>): Promise<Report> =>
  JSON.parse(await runTool(yamlValidator, input)) as Report;

test.each([
  [{ data: "" }, []],
  [{ data: "1: a\n? [b]\n: c\n" }, []],
  [
    { data: "a: 1\nb: 2\na: 3\nb: 4\n" },
    [
      ["duplicate-key", 3, 1],
      ["duplicate-key", 4, 1],
    ],
  ],
  [{ data: "a: 1\na: 3\n", duplicateKeys: "allow" }, []],
  [{ data: "a: *b\n" }, [["bad-alias", 1, 4]]],
  [{ data: "a: 'x\n" }, [["missing-char", 2, 1]]],
  [{ data: "a: 1\n---\na: [\n" }, [["bad-indent", 4, 1]]],
  [{ data: "a: \u0007\n" }, [["bad-character", 1, 4]]],
  [
    { data: "a: yes\non: 'no'\n", lint: ["truthy"] },
    [
      ["truthy", 1, 4],
      ["truthy", 2, 1],
    ],
  ],
  [
    { data: "b: 1\na: {d: 1, c: 2}\n", lint: ["key-order"] },
    [
      ["key-order", 2, 1],
      ["key-order", 2, 11],
    ],
  ],
  [{ data: "a:\t1\nb: 'x\ty' # z\tz\n", lint: ["tabs"] }, [["tabs", 1, 3]]],
  [{ data: "a:\n  b:\n      c: 1\n  d:\n    - e: 1\n      f: 2\n", lint: ["indent"] }, [["indent", 3, 7]]],
  [{ data: "a:\n- b: 1\n  c:\n    d: 1\n", lint: ["indent"] }, []],
])("%j", async (input, expected) => {
  const report = await validate(input);
  expect(report.errors.map(({ rule, line, column }) => [rule, line, column])).toEqual(expected);
  expect(report.valid).toBe(expected.length === 0);
});

test("stops after a hundred findings", async () => {
  expect((await validate({ data: "a: 1\n".repeat(10_000) })).errors).toHaveLength(100);
});

test("an unknown rule is an invalid call", async () => {
  expect((await refusalOf(runTool(yamlValidator, { data: "", lint: ["all"] }))).code).toBe("invalid_input");
});
