import * as fc from "fast-check";
import { expect, test } from "vitest";
import generator from "../../../src/tools/generate/test-data-generator.ts";
import differ from "../../../src/tools/diff/openapi-differ.ts";
import validator from "../../../src/tools/lint/json-schema-validator.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

type Schema = Record<string, unknown>;

// What a change breaks is decided by documents: those that were valid before and are not any more break a request, those that were not
// valid and are now break a response.

const describe31 = (schema: Schema): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "a", version: "1" },
    paths: {
      "/a": {
        post: {
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: {
            "200": { description: "", content: { "application/json": { schema } } },
          },
        },
      },
    },
  });

interface Row {
  impact: "breaking" | "dangerous" | "safe";
  rule: string;
}

const compare = async (from: Schema, to: Schema): Promise<Row[]> =>
  JSON.parse(
    await runTool(differ, {
      data: describe31(from),
      other: describe31(to),
      format: "json",
      now: "2026-01-01T00:00:00Z",
    }),
  ) as Row[];

/** Documents that are valid, and some that break one rule. */
async function samplesOf(schema: Schema): Promise<string[]> {
  const texts: string[] = [];
  for (const options of [
    { optional: "all" },
    { optional: "none" },
    { optional: "random" },
    { invalid: "one", optional: "all" },
    { invalid: "one" },
  ]) {
    try {
      const drawn = await runTool(generator, {
        data: JSON.stringify(schema),
        count: 25,
        output: "ndjson",
        seed: "a",
        now: "2026-01-02T03:04:05Z",
        ...options,
      });
      for (const line of drawn.split("\n").filter((one) => one !== "")) {
        const value = JSON.parse(line) as { document?: unknown };
        texts.push(
          "invalid" in options && typeof value === "object" && value !== null && "document" in value
            ? JSON.stringify(value.document)
            : line,
        );
      }
    } catch {
      // A schema without a document that breaks one rule.
    }
  }
  return texts;
}

const isValid = async (data: string, schema: Schema): Promise<boolean> =>
  (
    JSON.parse(await runTool(validator, { data, schema: JSON.stringify(schema), draft: "2020-12" })) as {
      valid: boolean;
    }
  ).valid;

/** Whether a document is valid under the first schema and not under the second. */
async function breaks(from: Schema, to: Schema): Promise<string | undefined> {
  for (const text of [...(await samplesOf(from)), ...(await samplesOf(to))])
    if ((await isValid(text, from)) && !(await isValid(text, to))) return text;
  return undefined;
}

const object = (properties: Schema, more: Schema = {}): Schema => ({ type: "object", properties, ...more });
const text: Schema = { type: "string" };
const whole: Schema = { type: "integer" };

/** Schemas before and after, and whether that narrows or widens what is valid. */
const pairs: [string, Schema, Schema, "narrows" | "widens" | "both" | "neither"][] = [
  [
    "maximum",
    { type: "integer", minimum: 1, maximum: 9 },
    { type: "integer", minimum: 1, maximum: 5 },
    "narrows",
  ],
  [
    "minimum becomes exclusive",
    { type: "integer", minimum: 1, maximum: 3 },
    { type: "integer", exclusiveMinimum: 1, maximum: 3 },
    "narrows",
  ],
  ["the same bound", { type: "integer", minimum: 1 }, { type: "integer", minimum: 1.0 }, "neither"],
  ["maxLength", { type: "string", maxLength: 5 }, { type: "string", maxLength: 8 }, "widens"],
  ["minLength", text, { type: "string", minLength: 30 }, "narrows"],
  [
    "minItems",
    { type: "array", items: whole, minItems: 2 },
    { type: "array", items: whole, minItems: 1 },
    "widens",
  ],
  ["maxItems", { type: "array", items: whole }, { type: "array", items: whole, maxItems: 0 }, "narrows"],
  [
    "items",
    { type: "array", items: whole, minItems: 1 },
    { type: "array", items: text, minItems: 1 },
    "both",
  ],
  [
    "uniqueItems",
    { type: "array", items: { enum: [1] }, minItems: 2 },
    { type: "array", items: { enum: [1] }, minItems: 2, uniqueItems: true },
    "narrows",
  ],
  ["multipleOf", { type: "integer", multipleOf: 2 }, { type: "integer", multipleOf: 4 }, "narrows"],
  ["another multipleOf", { type: "integer", multipleOf: 4 }, { type: "integer", multipleOf: 2 }, "widens"],
  ["enumeration", { enum: ["a", "b"] }, { enum: ["a"] }, "narrows"],
  ["another enumeration", { enum: ["a", "b"] }, { enum: ["b", "c"] }, "both"],
  ["const", { type: "string", const: "a" }, { type: "string", enum: ["a", "b"] }, "widens"],
  ["type", whole, text, "both"],
  ["a wider type", whole, { type: "number" }, "widens"],
  ["one type more", text, { type: ["string", "boolean"] }, "widens"],
  ["null", text, { type: ["string", "null"] }, "widens"],
  ["null in another notation", { type: ["string", "null"] }, { anyOf: [text, { type: "null" }] }, "neither"],
  ["null is gone", { oneOf: [text, { type: "null" }] }, text, "narrows"],
  ["pattern", text, { type: "string", pattern: "^x{40}$" }, "narrows"],
  ["required", object({ a: text }), object({ a: text }, { required: ["a"] }), "narrows"],
  ["not required", object({ a: text }, { required: ["a"] }), object({ a: text }), "widens"],
  [
    "required before, without a description",
    object({ a: text }, { required: ["a"] }),
    object({}, { required: ["a"] }),
    "widens",
  ],
  [
    "a property of another type",
    object({ a: text }, { required: ["a"] }),
    object({ a: whole }, { required: ["a"] }),
    "both",
  ],
  [
    "deep",
    object(
      { a: object({ b: { type: "integer", minimum: 1, maximum: 9 } }, { required: ["b"] }) },
      { required: ["a"] },
    ),
    object(
      { a: object({ b: { type: "integer", minimum: 1, maximum: 5 } }, { required: ["b"] }) },
      { required: ["a"] },
    ),
    "narrows",
  ],
  [
    "other properties",
    { type: "object", additionalProperties: whole, minProperties: 1 },
    { type: "object", additionalProperties: text, minProperties: 1 },
    "both",
  ],
  [
    "minProperties",
    { type: "object", additionalProperties: whole },
    { type: "object", additionalProperties: whole, minProperties: 3 },
    "narrows",
  ],
  ["an alternative less", { oneOf: [text, whole] }, { oneOf: [text, { type: "boolean" }] }, "both"],
  ["an alternative more", { anyOf: [text, whole] }, { anyOf: [text, whole, { type: "boolean" }] }, "widens"],
  ["one of several now", whole, { oneOf: [whole, text] }, "widens"],
  ["alternatives in another order", { oneOf: [text, whole] }, { oneOf: [whole, text] }, "neither"],
  [
    "allOf",
    object({ a: text }, { required: ["a"] }),
    { allOf: [object({ a: text }), { type: "object", required: ["a"] }] },
    "neither",
  ],
  [
    "allOf more",
    object({ a: text }),
    { allOf: [object({ a: text }), { type: "object", required: ["b"] }] },
    "narrows",
  ],
  [
    "nothing is allowed",
    object({ a: text }, { required: ["a"] }),
    object({ a: false }, { required: ["a"] }),
    "narrows",
  ],
];

test.each(pairs)("%s", async (_, from, to, effect) => {
  const rows = await compare(from, to);
  const found = (direction: string): boolean =>
    rows.some(({ impact, rule }) => impact === "breaking" && rule.includes(direction));
  const [lost, gained] = [await breaks(from, to), await breaks(to, from)];
  // The oracle: documents.
  expect({ narrows: lost !== undefined, widens: gained !== undefined }).toEqual({
    narrows: effect === "narrows" || effect === "both",
    widens: effect === "widens" || effect === "both",
  });
  // The differ.
  expect({ narrows: found("request"), widens: found("response") }).toEqual({
    narrows: lost !== undefined,
    widens: gained !== undefined,
  });
});

const scalar = fc.oneof(
  fc.record({
    type: fc.constant("integer"),
    minimum: fc.integer({ min: 0, max: 3 }),
    maximum: fc.integer({ min: 4, max: 9 }),
  }),
  fc.record(
    {
      type: fc.constant("string"),
      minLength: fc.integer({ min: 0, max: 3 }),
      maxLength: fc.integer({ min: 3, max: 6 }),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 }) }),
  fc.record({ type: fc.constantFrom("boolean", "integer", "number", ["string", "null"]) }),
);
const { schema } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    tie("object"),
  ) as fc.Arbitrary<Schema>,
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { minKeys: 1, noNullPrototype: true }),
      fc.subarray(["a", "b"]),
    )
    .map(([properties, required]) => ({
      type: "object",
      properties,
      required: required.filter((name) => name in properties),
      additionalProperties: false,
    })),
}));

test("where a document is not valid any more, a change is found that may break a request", async () => {
  await fc.assert(
    fc.asyncProperty(schema, schema, async (from, to) => {
      const rows = await compare(from, to);
      const lost = await breaks(from, to);
      const breaking = rows.some(({ impact, rule }) => impact === "breaking" && rule.includes("request"));
      expect({ lost, breaking: breaking || lost === undefined }).toEqual({ lost, breaking: true });
      const gained = await breaks(to, from);
      // A property more is no reason for a client to fail, although this schema closes its objects.
      const told = rows.some(({ impact, rule }) => impact !== "safe" || rule === "response-property-added");
      expect({ gained, told: told || gained === undefined }).toEqual({ gained, told: true });
    }),
    { numRuns: 60 },
  );
}, 120_000);

test("a description does not differ from itself", async () => {
  await fc.assert(
    fc.asyncProperty(schema, async (one) => {
      expect(await compare(one, structuredClone(one))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
