import { expect, test } from "vitest";
import tomlToJson from "../../../../src/tools/data/toml-to-json.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  [{ data: "" }, "{}"],
  [{ data: "a = 1.0\r\nb = 0.10", indent: 0 }, '{"a":1.0,"b":0.10}'],
  [{ data: "[[p]]\nn=1\n[[p]]\nn=2", indent: 0 }, '{"p":[{"n":1},{"n":2}]}'],
  [{ data: "__proto__ = {x = [1]}", indent: 0 }, '{"__proto__":{"x":[1]}}'],
])("%j", async (input, result) => {
  expect(await runTool(tomlToJson, input)).toBe(result);
});

test.each([
  [{ data: "'é' = 1\n'é' = 2" }, { code: "invalid_document", line: 2, column: 1, offset: 9 }],
  [
    { data: "a = {b = 1,}", version: "1.0" },
    { code: "invalid_document", column: 11 },
  ],
  [{ data: "a = 2023-02-29" }, { code: "invalid_document", column: 5 }],
  [{ data: "a = 1", version: "2.0" }, { code: "invalid_input" }],
])("%j is refused", async (input, refusal) => {
  expect(await refusalOf(runTool(tomlToJson, input))).toMatchObject(refusal);
});
