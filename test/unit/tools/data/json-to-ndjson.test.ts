import * as fc from "fast-check";
import { expect, test } from "vitest";
import toNdjson from "../../../../src/tools/data/json-to-ndjson.ts";
import toJson from "../../../../src/tools/data/ndjson-to-json.ts";
import { runTool } from "../run-tool.ts";

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });

test.each([
  ["[]", ""],
  ["{}", "{}"],
  ['[[1, 2.0], {"a": "\\u2028\\n"}]', '[1,2.0]\n{"a":"\u2028\\n"}'],
  ["12345678901234567890", "12345678901234567890"],
])("json-to-ndjson: %j", async (data, result) => {
  expect(await runTool(toNdjson, { data })).toBe(result);
});

test("the output parses to the same value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1 }), async (value) => {
      const data = JSON.stringify(value);
      expect(await read(await runTool(toNdjson, { data }))).toBe(data);
    }),
    { numRuns: 300 },
  );
});
