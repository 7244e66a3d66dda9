import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import validator from "../../../../src/tools/json/json-validator.ts";
import { runRaw, runTool } from "../run-tool.ts";

const validate = async (input: Record<string, unknown>): Promise<Report> =>
  JSON.parse(await runTool(validator, input)) as Report;

test.each([
  ["[1,]", {}, "syntax"],
  ["", {}, "truncated"],
  ['{"a":1,"a":1}', {}, "duplicate-key"],
  ["[[1]]", { maxDepth: 1 }, "too-deep"],
  ["// a\n1", {}, "syntax"],
  ["{a:1}", { dialect: "jsonc" }, "syntax"],
])("%j with %j: %s", async (data, options, rule) => {
  const report = await validate({ data, ...options });
  expect(report.valid).toBe(false);
  expect(report.errors[0]).toMatchObject({ rule, severity: "error" });
});

test.each([
  ["[1]", {}],
  ['{"a":1,"a":1}', { duplicateKeys: "allow" }],
  ["[[1]]", { maxDepth: 2 }],
  ["// a\n[1,]", { dialect: "jsonc" }],
  ["{a:+.5,'b':\"\\\n\",}", { dialect: "json5" }],
])("%j with %j is valid", async (data, options) => {
  expect(await validate({ data, ...options })).toEqual({ valid: true, errors: [] });
});

test("reports bytes that are not UTF-8 as a finding, not as an error", async () => {
  const report = JSON.parse((await runRaw(validator, Buffer.from([0x22, 0xff, 0x22]))).toString()) as Report;
  expect(report.errors).toMatchObject([{ rule: "invalid-utf8", offset: 1 }]);
});
