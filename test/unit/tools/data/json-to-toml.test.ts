import * as fc from "fast-check";
import { expect, test } from "vitest";
import jsonToToml from "../../../../src/tools/data/json-to-toml.ts";
import tomlToJson from "../../../../src/tools/data/toml-to-json.ts";
import { jsonText } from "../../lib/json-text.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const long = `{"a":["${"x".repeat(50)}","${"y".repeat(50)}"]}`;

test.each([
  [{ data: "{}" }, ""],
  [{ data: '{"b":1,"a":{"2":1,"1":{"c":true}}}' }, "b = 1\n\n[a]\n2 = 1\n\n[a.1]\nc = true\n"],
  [{ data: '{"d":"1979-05-27","n":-0.0,"e":1E400}' }, 'd = "1979-05-27"\nn = -0.0\ne = 1E400\n'],
  [{ data: long, indent: 4 }, `a = [\n    "${"x".repeat(50)}",\n    "${"y".repeat(50)}",\n]\n`],
  [{ data: long, indent: 0 }, `a = ["${"x".repeat(50)}", "${"y".repeat(50)}"]\n`],
])("%j", async (input, result) => {
  expect(await runTool(jsonToToml, input)).toBe(result);
});

test("the TOML of a value parses to the same value", async () => {
  await fc.assert(
    fc.asyncProperty(jsonText({ null: false }), async (item) => {
      const data = `{"r":${item}}`;
      const toml = await runTool(jsonToToml, { data });
      const back = await runTool(tomlToJson, { data: toml, version: "1.0", indent: 0 });
      // A second round trip through TOML changes nothing.
      expect(await runTool(jsonToToml, { data: back })).toBe(toml);
    }),
    { numRuns: 100 },
  );
});

test.each([
  [{ data: "[]" }, { code: "invalid_document", pointer: "" }],
  [{ data: '{"a": [{"b": null}]}' }, { code: "invalid_document", pointer: "/a/0/b", column: 14 }],
  [{ data: "{" }, { code: "invalid_document", offset: 1 }],
])("%j is refused", async (input, refusal) => {
  expect(await refusalOf(runTool(jsonToToml, input))).toMatchObject(refusal);
});

test("members that are null are left out, if asked to; items are not", async () => {
  expect(await runTool(jsonToToml, { data: '{"a":null,"b":{"c":null}}', nulls: "omit" })).toBe("[b]\n");
  expect((await refusalOf(runTool(jsonToToml, { data: '{"a":[null]}', nulls: "omit" }))).code).toBe(
    "invalid_document",
  );
});
