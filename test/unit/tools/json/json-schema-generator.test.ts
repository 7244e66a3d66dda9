import * as fc from "fast-check";
import { expect, test } from "vitest";
import validator from "../../../../src/tools/lint/json-schema-validator.ts";
import openapi from "../../../../src/tools/lint/openapi-validator.ts";
import tool from "../../../../src/tools/json/json-schema-generator.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const generate = async (data: string, options: Record<string, unknown> = {}): Promise<unknown> => {
  const { $schema: _, ...schema } = JSON.parse(await runTool(tool, { data, ...options })) as Record<
    string,
    unknown
  >;
  return schema;
};

test.each([
  ["1", {}, { type: "integer" }],
  ["1.0", {}, { type: "number" }],
  ["12345678901234567890123", {}, { type: "integer" }],
  ["null", {}, { type: "null" }],
  ["[]", {}, { type: "array" }],
  ["{}", {}, { type: "object", properties: {} }],
  ["[1, 2.5, null]", {}, { type: "array", items: { type: ["number", "null"] } }],
  [
    '[1,"a",[true],{}]',
    { samples: true },
    { type: ["object", "array", "string", "integer"], properties: {}, items: { type: "boolean" } },
  ],
  ["[]", { samples: true }, {}],
  [
    '{"a":1}',
    { closed: true, title: "A" },
    {
      title: "A",
      type: "object",
      properties: { a: { type: "integer" } },
      required: ["a"],
      additionalProperties: false,
    },
  ],
  [
    '[{"a":1},{"a":2,"b":3}]',
    { samples: true, required: "all" },
    { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } }, required: ["a", "b"] },
  ],
  [
    '[{"a":1}]',
    { samples: true, required: "none" },
    { type: "object", properties: { a: { type: "integer" } } },
  ],
  ['["x","y","x"]', { samples: true, enums: 2 }, { type: "string", enum: ["x", "y"] }],
  ['["x","y","x",null]', { samples: true, enums: 2 }, { type: ["string", "null"], enum: ["x", "y", null] }],
  ['["x","y","x"]', { samples: true, enums: 1 }, { type: "string" }],
  ['["x","y"]', { samples: true, enums: 5 }, { type: "string" }],
  ['["2026-01-02"]', { samples: true }, { type: "string", format: "date" }],
  ['["2026-01-02"]', { samples: true, formats: false }, { type: "string" }],
  ['["2026-01-02","x"]', { samples: true }, { type: "string" }],
  ['["::1"]', { samples: true }, { type: "string", format: "ipv6" }],
  [
    "a: 2026-01-02\n",
    { dataFormat: "yaml", required: "none" },
    { type: "object", properties: { a: { type: "string", format: "date" } } },
  ],
  [
    "a = 07:32:00\n",
    { dataFormat: "toml", required: "none" },
    { type: "object", properties: { a: { type: "string" } } },
  ],
  [
    '{"a":null}\n{"a":1}',
    { dataFormat: "ndjson", draft: "openapi-3.0" },
    { type: "object", properties: { a: { type: "integer", nullable: true } }, required: ["a"] },
  ],
  [
    '[1,"a",null]',
    { samples: true, draft: "openapi-3.0" },
    {
      anyOf: [
        { type: "string", nullable: true },
        { type: "integer", nullable: true },
      ],
    },
  ],
  ["[]", { draft: "openapi-3.0" }, { type: "array", items: {} }],
  ["-2147483649", { draft: "openapi-3.0" }, { type: "integer", format: "int64" }],
  ["9223372036854775808", { draft: "openapi-3.0" }, { type: "integer" }],
])("%s with %j is %j", async (data, options, schema) => {
  expect(await generate(data, options)).toEqual(schema);
});

test("keys are keys, whatever they are", async () => {
  const schema = await runTool(tool, { data: '{"__proto__":1,"constructor":"a","2":null}' });
  expect(schema).toContain('"__proto__": {\n      "type": "integer"');
  expect(schema).toMatch(/"required": \[\s+"__proto__",\s+"constructor",\s+"2"/);
});

test.each([
  ["{", {}, { code: "invalid_document", line: 1 }],
  ['{"a":1}', { samples: true }, { code: "invalid_document", pointer: "" }],
  ['{"a":1}\nx', { dataFormat: "ndjson" }, { code: "invalid_document", line: 2 }],
  ["[".repeat(600) + "]".repeat(600), {}, { code: "invalid_document" }],
])("%s with %j is refused", async (data, options, refusal) => {
  expect(await refusalOf(runTool(tool, { data, ...options }))).toMatchObject(refusal);
});

const samples = fc.array(
  fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom("a", "b", "1", "\u{1f600}") }),
  { minLength: 1, maxLength: 5 },
);

test("every sample is valid against the schema, in both drafts, however it is written", async () => {
  const options = fc.record({
    draft: fc.constantFrom("2020-12", "7"),
    required: fc.constantFrom("common", "none"),
    enums: fc.nat({ max: 20 }),
    closed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(samples, options, async (values, given) => {
      const schema = await runTool(tool, { data: JSON.stringify(values), samples: true, ...given });
      for (const value of values) {
        const report = await runTool(validator, { data: JSON.stringify(value), schema });
        expect(JSON.parse(report), schema).toEqual({ valid: true, errors: [] });
      }
    }),
    { numRuns: 100 },
  );
});

test("openapi-validator accepts its schemas", async () => {
  await fc.assert(
    fc.asyncProperty(samples, async (values) => {
      const schema = await runTool(tool, {
        data: JSON.stringify(values),
        samples: true,
        draft: "openapi-3.0",
      });
      const document = `{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{},"components":{"schemas":{"A":${schema}}}}`;
      const { errors } = JSON.parse(await runTool(openapi, { data: document })) as {
        errors: { severity: string }[];
      };
      expect(
        errors.filter(({ severity }) => severity === "error"),
        schema,
      ).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

// The cases in the documentation of genson.
test.each([
  [
    '[{"hi":"there"},{"hi":5}]',
    { type: "object", properties: { hi: { type: ["string", "integer"] } }, required: ["hi"] },
  ],
  ['[["one"],[1]]', { type: "array", items: { type: ["string", "integer"] } }],
  ['[{"a":1},{"a":2.5},{}]', { type: "object", properties: { a: { type: "number" } } }],
])("genson makes of %s the same", async (data, schema) => {
  expect(await generate(data, { samples: true })).toEqual(schema);
});
