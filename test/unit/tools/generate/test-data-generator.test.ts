import { expect, test } from "vitest";
import tool from "../../../../src/tools/generate/test-data-generator.ts";
import { runTool } from "../run-tool.ts";

test.each([
  ["", "", {}],
  [" a ", " a ", {}],
  [" a ", "a", { trim: true }],
])("%j is %j with %j", async (data, result, options) => {
  expect(await runTool(tool, { data, ...options })).toBe(result);
});
