import * as fc from "fast-check";
import { expect, test } from "vitest";
import jsonMinifier from "../../../../src/tools/json/json-minifier.ts";
import jsonToYaml from "../../../../src/tools/data/json-to-yaml.ts";
import yamlToJson from "../../../../src/tools/data/yaml-to-json.ts";
import { jsonText } from "../../lib/json-text.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  [{ data: '{\r\n  "key": "value",\r\n  "key2": 1\r\n}' }, "key: value\nkey2: 1\n"],
  [{ data: '{"a":{"b":1},"c":[1]}', indent: 4 }, "a:\n    b: 1\nc:\n    - 1\n"],
  [{ data: '["no"]', compat: "yaml1.2" }, "- no\n"],
  [{ data: "null" }, "null\n"],
])("%j", async (input, result) => {
  expect(await runTool(jsonToYaml, input)).toBe(result);
});

test("the YAML of a value parses to the same value under both versions", async () => {
  await fc.assert(
    fc.asyncProperty(jsonText({ null: true }), async (data) => {
      const yaml = await runTool(jsonToYaml, { data });
      // Only escapes may be written differently.
      const plain = JSON.stringify(await runTool(jsonMinifier, { data }));
      for (const schema of ["core", "yaml-1.1"]) {
        const back = await runTool(yamlToJson, { data: yaml, schema, indent: 0 });
        expect(JSON.stringify(back)).toBe(plain);
      }
    }),
    { numRuns: 100 },
  );
});

test.each([
  [{ data: '{"a":1,"a":2}' }, "invalid_document"],
  [{ data: "{" }, "invalid_document"],
  [{ data: "1", indent: 0 }, "invalid_input"],
  [{ data: "1", compat: "1.1" }, "invalid_input"],
])("%j is refused", async (input, code) => {
  expect((await refusalOf(runTool(jsonToYaml, input))).code).toBe(code);
});
