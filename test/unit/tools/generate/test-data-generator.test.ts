import * as fc from "fast-check";
import { expect, test } from "vitest";
import generator from "../../../../src/tools/json/json-schema-generator.ts";
import tool from "../../../../src/tools/generate/test-data-generator.ts";
import validator from "../../../../src/tools/lint/json-schema-validator.ts";
import { atHand, readCorpus } from "../../corpora/corpus.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const generate = async (schema: unknown, options: Record<string, unknown> = {}): Promise<unknown[]> =>
  JSON.parse(
    await runTool(tool, {
      data: JSON.stringify(schema),
      count: 20,
      seed: "a",
      now: "2026-01-02T03:04:05Z",
      ...options,
    }),
  ) as unknown[];

test.each([
  [{ const: 7 }, /^7$/],
  [{ enum: ["a", null] }, /^(?:"a"|null)$/],
  [{ type: "integer", minimum: 3, maximum: 4 }, /^[34]$/],
  [{ type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 5 }, /^4$/],
  [{ type: "number", minimum: 0.1, maximum: 0.3, multipleOf: 0.1 }, /^0\.[123]$/],
  [{ type: "integer", multipleOf: 2.5, minimum: 1, maximum: 9 }, /^5$/],
  [{ type: "integer", maximum: -5 }, /^-\d+$/],
  [{ type: "string", maxLength: 3 }, /^".{0,3}"$/],
  [{ type: "string", minLength: 40 }, /^".{40,}"$/],
  [{ type: "string", pattern: "^(?:a|b{2,3})[^\\W_]\\d?$" }, /^"(?:a|b{2,3})[A-Za-z0-9]\d?"$/],
  [{ type: "string", pattern: "\\x41\\u0042[x-z]+." }, /^"AB[x-z]+[A-Za-z]"$/],
  [{ type: "string", format: "ipv4" }, /^"192\.0\.2\.\d+"$/],
  [{ type: "string", format: "date" }, /^"2025-\d\d-\d\d"|"2026-01-0[12]"$/],
  [{ type: ["null"] }, /^null$/],
  [
    { type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 2 },
    /^\[(?:true|false),(?:true|false)\]$/,
  ],
  [{ type: "array", items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 }, /^\[[123],[123],[123]\]$/],
  [{ type: "array", prefixItems: [{ const: 1 }, { const: 2 }], items: false, minItems: 2 }, /^\[1,2\]$/],
  [{ type: "array", contains: { const: 9 }, items: { type: "integer" } }, /9\]$/],
  [{ required: ["a"], properties: { a: { const: 1 } }, additionalProperties: false }, /^\{"a":1\}$/],
  [
    { type: "object", minProperties: 2, propertyNames: { pattern: "^x[0-9]{3}$" } },
    /^\{"x\d{3}":.*"x\d{3}":/,
  ],
  [
    {
      type: "object",
      patternProperties: { "^p[0-9]+$": { const: 1 } },
      additionalProperties: false,
      minProperties: 1,
    },
    /^\{"p\d+":1/,
  ],
  [{ allOf: [{ type: "integer", minimum: 5 }, { maximum: 6 }] }, /^[56]$/],
  [{ type: "integer", minimum: 0, maximum: 3, not: { enum: [0, 1] } }, /^[23]$/],
  [{ oneOf: [{ const: 1 }, { const: 2 }] }, /^[12]$/],
  [
    JSON.parse(
      '{"type":"integer","minimum":0,"maximum":9,"if":{"minimum":5},"then":{"const":7},"else":{"const":2}}',
    ) as object,
    /^[27]$/,
  ],
  [{ $ref: "#/$defs/a", $defs: { a: { const: 3 } } }, /^3$/],
])("%j has documents such as %s", async (schema, pattern) => {
  const documents = await generate(schema);
  expect(documents).toHaveLength(20);
  for (const document of documents) expect(JSON.stringify(document)).toMatch(pattern);
});

test("optional members are written as asked", async () => {
  const schema = { type: "object", required: ["a"], properties: { a: { const: 1 }, b: { const: 2 } } };
  expect(new Set((await generate(schema, { optional: "all" })).map((one) => JSON.stringify(one)))).toEqual(
    new Set(['{"a":1,"b":2}']),
  );
  expect(new Set((await generate(schema, { optional: "none" })).map((one) => JSON.stringify(one)))).toEqual(
    new Set(['{"a":1}']),
  );
  expect(new Set((await generate(schema)).map((one) => JSON.stringify(one))).size).toBe(2);
});

test("a schema that refers to itself has documents of limited depth", async () => {
  const schema = {
    type: "object",
    properties: { value: { type: "integer" }, children: { type: "array", items: { $ref: "#" } } },
  };
  for (const document of await generate(schema))
    expect(JSON.stringify(document).length).toBeLessThan(100_000);
});

test("the same seed gives the same documents, another one others", async () => {
  const schema = { type: "string" };
  expect(await generate(schema)).toEqual(await generate(schema));
  expect(await generate(schema)).not.toEqual(await generate(schema, { seed: "b" }));
});

test("numbers keep their digits", async () => {
  const data = '{"type":"integer","minimum":9007199254740993,"maximum":9007199254740993}';
  expect(await runTool(tool, { data, count: 1, output: "ndjson" })).toBe("9007199254740993\n");
});

test.each([
  ["{", {}, { code: "invalid_document", line: 1 }],
  ["false", {}, { code: "invalid_document" }],
  ['{"type":"string","pattern":"(?=a)b"}', {}, { code: "invalid_document" }],
  ['{"type":"integer","minimum":2,"maximum":1}', {}, { code: "invalid_document" }],
  ['{"type":"nonsense"}', {}, { code: "invalid_document", pointer: "/type" }],
  ['{"$ref":"#/nothing"}', {}, { code: "invalid_document" }],
  ['{"required":["a"],"properties":{"a":{"$ref":"#"}}}', {}, { code: "invalid_document" }],
  ['{"type":"array","minItems":1000000}', {}, { code: "invalid_document" }],
  ["true", { invalid: "one" }, { code: "invalid_input", pointer: "/invalid" }],
])("%s with %j is refused", async (data, options, refusal) => {
  expect(await refusalOf(runTool(tool, { data, seed: "a", ...options }))).toMatchObject(refusal);
});

const validate = async (
  document: unknown,
  schema: string,
  draft = "auto",
): Promise<{ valid: boolean; errors: { rule: string; pointer: string }[] }> =>
  JSON.parse(await runTool(validator, { data: JSON.stringify(document), schema, draft })) as never;

test("documents made from the schema of samples are valid, and those that are not name a rule that they break", async () => {
  const samples = fc.array(
    fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(samples, fc.string(), async (values, seed) => {
      const schema = await runTool(generator, { data: JSON.stringify(values), samples: true, closed: true });
      const options = { count: 3, seed };
      for (const document of await generate(JSON.parse(schema), options))
        expect(await validate(document, schema)).toEqual({ valid: true, errors: [] });
      for (const one of (await generate(JSON.parse(schema), { ...options, invalid: "one" })) as {
        rule: string;
        pointer: string;
        document: unknown;
      }[]) {
        const { errors } = await validate(one.document, schema);
        expect(errors[0]).toMatchObject({ rule: one.rule, pointer: one.pointer });
      }
    }),
    { numRuns: 40 },
  );
});

test.runIf(atHand)(
  "of the schemas of the JSON Schema suite most have documents, and the validator accepts each",
  async () => {
    const schemas = new Map<string, string>();
    for (const { input } of readCorpus("json-schema-test-suite")) {
      const {
        schema,
        schemas: others,
        draft = "auto",
      } = input as { schema?: unknown; schemas?: unknown; draft?: string };
      if (schema === undefined || others !== undefined || /^(?:draft3|v1)$/.test(draft)) continue;
      schemas.set(typeof schema === "string" ? schema : JSON.stringify(schema), draft.replace("draft", ""));
    }
    let made = 0;
    let tried = 0;
    for (const [schema, draft] of [...schemas].slice(0, 400)) {
      if (/^false$|"https?:|"urn:|"tag:|\.json"/.test(schema)) continue;
      tried++;
      const input = {
        data: schema,
        draft,
        count: 2,
        seed: "a",
        now: "2026-01-02T03:04:05Z",
        schemaFormat: "json",
      };
      const result = await runTool(tool, input).catch(() => undefined);
      if (result === undefined) continue;
      made++;
      for (const document of JSON.parse(result) as unknown[])
        expect((await validate(document, schema, draft)).valid, schema).toBe(true);
    }
    expect(tried).toBeGreaterThan(100);
    expect(made / tried).toBeGreaterThan(0.9);
  },
);
