import { createRequire } from "node:module";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../../src/tools/json/json-schema-generator.ts";
import { drawSeed, isLong, propertyRuns } from "../../../../support/cases.ts";
import { runTool } from "../../../../unit/tools/run-tool.ts";
import { openAjv } from "./ajv.ts";

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  definitions?: Record<string, Schema>;
}

const load = createRequire(import.meta.url);
const { createCompoundSchema } = load("genson-js") as { createCompoundSchema(samples: unknown[]): Schema };
interface Quicktype {
  jsonInputForTargetLanguage(language: string): {
    addSource(source: { name: string; samples: string[] }): Promise<void>;
  };
  InputData: new () => { addInput(input: unknown): void };
  quicktype(options: object): Promise<{ lines: string[] }>;
}
const { InputData, jsonInputForTargetLanguage, quicktype } = load("quicktype-core") as Quicktype;

const names = fc.constantFrom("a", "b", "c", "d");
const sample = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(0, 1, -7, 1.5, true, "", "text", null),
    tie("object"),
    fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  ),
  object: fc.dictionary(names, tie("value"), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
})).object;
const samples = fc.array(sample, { minLength: 1, maxLength: 5 });

const infer = async (values: readonly unknown[], options: object = {}): Promise<Schema> =>
  JSON.parse(await runTool(tool, { data: JSON.stringify(values), samples: true, ...options })) as Schema;

test("ajv accepts the schema, and every sample against it", async () => {
  const options = fc.record({
    draft: fc.constantFrom("2020-12", "7"),
    required: fc.constantFrom("common", "none"),
    enums: fc.nat({ max: 20 }),
    closed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(samples, options, async (values, given) => {
      const schema = await infer(values, given);
      const isValid = openAjv(given.draft, schema);
      for (const value of values) expect(isValid(value), JSON.stringify(schema)).toBe(true);
    }),
    { numRuns: propertyRuns(100), seed: drawSeed() },
  );
});

/** The types of a place, whichever way they are written; an integer that may also be a number is a number. */
function typesOf(schema: Schema | undefined): Set<string> {
  const types = new Set([schema?.type ?? []].flat());
  for (const one of schema?.anyOf ?? []) for (const type of typesOf(one)) types.add(type);
  if (types.has("number")) types.delete("integer");
  return types;
}

const partOf = (schema: Schema | undefined, type: string): Schema | undefined =>
  schema?.type === type || (Array.isArray(schema?.type) && schema.type.includes(type))
    ? schema
    : schema?.anyOf?.map((one) => partOf(one, type)).find((one) => one !== undefined);

/** Compares the types of all places, and which members objects must have. Returns how many places it compared. */
function compare(ours: Schema | undefined, theirs: Schema | undefined, place: string): number {
  expect(typesOf(ours), place).toEqual(typesOf(theirs));
  const [object, other] = [partOf(ours, "object"), partOf(theirs, "object")];
  expect(new Set(object?.required), place).toEqual(new Set(other?.required));
  const members = Object.keys(other?.properties ?? {});
  expect(new Set(Object.keys(object?.properties ?? {})), place).toEqual(new Set(members));
  let count = 1;
  for (const name of members)
    count += compare(object?.properties?.[name], other?.properties?.[name], `${place}/${name}`);
  const [array, list] = [partOf(ours, "array"), partOf(theirs, "array")];
  if (list?.items !== undefined && Object.keys(list.items).length > 0)
    count += compare(array?.items, list.items, `${place}/*`);
  return count;
}

test("the types and the required members are those that GenSON's way of merging finds", async () => {
  let places = 0;
  await fc.assert(
    fc.asyncProperty(samples, async (values) => {
      const ours = await infer(values, { formats: false });
      places += compare(ours, createCompoundSchema([...values]), JSON.stringify(values));
    }),
    { numRuns: propertyRuns(300), seed: drawSeed() },
  );
  expect(places).toBeGreaterThan(500);
});

test("the schema that quicktype infers has the same required members, and refuses what ours refuses", async () => {
  let refused = 0;
  const drawn = fc.sample(samples, { numRuns: isLong() ? 400 : 40, seed: drawSeed() });
  for (const values of drawn) {
    const ours = await infer(values, { draft: "7", formats: false, closed: true });
    const input = jsonInputForTargetLanguage("schema");
    await input.addSource({ name: "Root", samples: values.map((value) => JSON.stringify(value)) });
    const data = new InputData();
    data.addInput(input);
    const { lines } = await quicktype({
      inputData: data,
      lang: "schema",
      inferDateTimes: false,
      inferEnums: false,
      inferMaps: false,
      inferBooleanStrings: false,
      inferIntegerStrings: false,
      inferUuids: false,
    });
    const { $schema: _, ...theirs } = JSON.parse(lines.join("\n")) as Schema & { $schema: string };
    const root = theirs.definitions?.["Root"];
    expect(new Set(ours.required), JSON.stringify(values)).toEqual(new Set(root?.required));
    const [isOurs, isTheirs] = [openAjv("7", ours), openAjv("7", theirs)];
    for (const value of values) {
      expect(isTheirs(value)).toBe(true);
      for (const name of Object.keys(value)) {
        const { [name]: left, ...without } = value;
        // quicktype gives objects of one shape in different places one type, so it may refuse less, never more.
        if (isOurs(without)) continue;
        expect(ours.required).toContain(name);
        expect(isTheirs(without), `${JSON.stringify(without)}, without ${JSON.stringify(left)}`).toBe(false);
        refused++;
      }
    }
  }
  expect(refused).toBeGreaterThan(20);
});
