import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { ToolError } from "../../../src/catalog/errors.ts";
import { fieldsOf } from "../../../src/catalog/fields.ts";
import { fromStrings } from "../../../src/catalog/input.ts";
import { validate } from "../../../src/catalog/issues.ts";
import { loadOperations } from "../../../src/operations/index.ts";
import { inboxInputSchema } from "../../../src/services/inbox/input.ts";
import { tools } from "../../../src/tools/index.ts";

const operations = await loadOperations();

/** The beginnings of the library's own messages, out of its English locale. */
const locale = readFileSync(createRequire(import.meta.url).resolve("zod/v4/locales/en.js"), "utf8");
const phrases = Array.from(
  locale.matchAll(/return [`"]([A-Z][a-z]+ [a-z]+|[A-Z][a-z]+ \$\{)/g),
  ([, words = ""]) => words.replace(/ ?\$\{$/, ""),
);
const theirs = new RegExp(`(?:^|\\W)(?:${phrases.join("|")}) `);
/** Words of its vocabulary that no sentence of ours has. */
const words = /unexplained|undefined|received|ZodError|\bint\b|<=|>=/;

/** Good and bad values that JSON, the text of an option and arithmetic can give. */
const long = "x".repeat(5000);
const wrong: unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER + 1,
  Number.NaN,
  "",
  "x",
  "\n",
  "\u0000 é",
  long,
  [],
  [[]],
  [1],
  [null],
  ["x"],
  ["\n"],
  [long],
  Array.from({ length: 2000 }, () => "x"),
  {},
  { a: 1 },
];

/** The messages of a schema for a value that it refuses, with the sentence first. */
function messagesOf(schema: z.ZodObject, raw: unknown): string[] {
  try {
    validate(schema, raw);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (error.code !== "invalid_input") throw error;
    return [error.message, ...(error.details.errors ?? []).map(({ message }) => message)];
  }
  return [];
}

function expectOurs(messages: readonly string[], name: string): void {
  const [sentence = "", ...places] = messages;
  const begins = new RegExp(`^${name.replace(".", "\\.")}(?:\\[\\d+\\])*(?:\\.\\w+)? (?:must|is|has) `);
  const wrongOnes = [
    ...messages.filter((message) => theirs.test(message) || words.test(message) || !/[.)]$/.test(message)),
    ...[sentence].filter((message) => !begins.test(message)),
    ...places.filter((place) => !/^(?:Must (?:be|have|not|start)|Is required\.$|Has no field)/.test(place)),
  ];
  // One assertion for all of them: there are tens of thousands of messages.
  if (wrongOnes.length > 0) expect(wrongOnes).toEqual([]);
}

test("the phrases of the library are known", () => {
  expect(phrases.length).toBeGreaterThanOrEqual(5);
  expect(phrases).toContain("Invalid input");
});

describe("no message of the schema library reaches a caller", async () => {
  const all = await createCatalog(tools).all();

  test.each(all)("$slug: each field with values of each type", (tool) => {
    const [example] = tool.examples;
    let refused = 0;
    for (const field of fieldsOf(tool.input)) {
      for (const value of wrong) {
        const messages = messagesOf(tool.input, { ...example?.input, [field.name]: value });
        if (messages.length > 0) refused++;
        if (messages.length > 0) expectOurs(messages, field.name);
      }
      for (const text of ["", "x", "-1", "1e999", "1.5", long]) {
        try {
          const given = fromStrings(tool, [[field.name, text]]);
          const messages = messagesOf(tool.input, { ...example?.input, ...given });
          if (messages.length > 0) expectOurs(messages, field.name);
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
          expectOurs([error.message], field.name);
        }
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  test.each(operations)("$name of the operator", ({ input: schema }) => {
    let refused = 0;
    for (const name of [...Object.keys(schema.shape), "other"])
      for (const value of wrong) {
        const messages = messagesOf(schema, { [name]: value }).slice(1);
        if (messages.length > 0) refused++;
        expectOurs(["x is fine.", ...messages], "x");
      }
    expect(refused).toBeGreaterThan(0);
  });

  test("an inbox", () => {
    let refused = 0;
    for (const name of Object.keys(inboxInputSchema.shape))
      for (const value of wrong) {
        const messages = messagesOf(inboxInputSchema, { [name]: value });
        if (messages.length > 0) refused++;
        if (messages.length > 0) expectOurs(messages, name);
      }
    expect(refused).toBeGreaterThan(0);
  });
});

describe("each code of the library has a sentence of ours", () => {
  const one = (field: z.ZodType, value: unknown): string | undefined =>
    messagesOf(z.object({ field }), { field: value })[0];

  test.each<[string, z.ZodType, unknown, string]>([
    ["missing", z.string(), undefined, "field is required."],
    ["string", z.string(), 1, "field must be a string, got a number."],
    ["number", z.number(), "1", "field must be a number, got a string."],
    ["NaN", z.number(), Number.NaN, "field must be a number, got NaN."],
    ["integer", z.int(), 1.5, "field must be an integer, got 1.5."],
    ["integer of a string", z.int(), "secret", "field must be an integer, got a string."],
    ["boolean", z.boolean(), null, "field must be true or false, got null."],
    ["array", z.array(z.string()), "a", "field must be an array, even of one value, got a string."],
    ["item", z.array(z.string()), ["a", {}], "field[1] must be a string, got an object."],
    ["object", z.strictObject({}), [], "field must be an object, got an array."],
    [
      "marked as JSON",
      z.string().meta({ json: "object" }),
      [],
      "field must be a string or a JSON object, got an array.",
    ],
    ["too big", z.int().min(0).max(10), 11, "field must be 0 to 10, got 11."],
    ["too small", z.int().min(0).max(10).default(2), -1, "field must be 0 to 10, got -1."],
    ["only a minimum", z.number().min(1).optional(), 0, "field must be at least 1, got 0."],
    ["only a maximum", z.number().max(1), 2, "field must be at most 1, got 2."],
    ["an integer beyond all", z.int(), 1e300, "field must be an integer, got 1e+300."],
    ["too long", z.string().min(1).max(3), "abcd", "field must have 1 to 3 characters, got 4."],
    ["empty", z.string().min(1), "", "field must have at least 1 character, got 0."],
    ["exact", z.string().length(1), "", "field must have exactly 1 character, got 0."],
    ["items", z.array(z.string()).max(2), ["", "", ""], "field must have at most 2 items, got 3."],
    ["exact items", z.array(z.string()).length(2), [""], "field must have exactly 2 items, got 1."],
    ["enum", z.enum(["a", "b"]), "c", 'field must be one of a, b; got "c".'],
    [
      "enum, long",
      z.enum(["a", "b"]),
      "c".repeat(99),
      "field must be one of a, b; got a string of 99 characters.",
    ],
    ["literal", z.literal("a"), 1, "field must be a, got 1."],
    ["multiple", z.int().multipleOf(4), 3, "field must be a multiple of 4, got 3."],
    [
      "date",
      z.iso.datetime({ offset: true }),
      "today",
      "field must be a date and time with an offset, such as 2026-01-31T12:00:00Z.",
    ],
    ["pattern with words of its own", z.string().regex(/a/, "Must be a."), "b", "field must be a."],
    ["pattern without", z.string().regex(/a/), "b", "field must have the format that its schema describes."],
    ["strict", z.strictObject({}), { x: 1 }, 'field has no field "x".'],
    ["union", z.union([z.string(), z.int()]), [], "field must be valid against its schema."],
    ["custom", z.string().refine(() => false), "", "field must be valid against its schema."],
  ])("%s", (_, field, value, sentence) => {
    expect(one(field, value)).toBe(sentence);
  });

  test("several faults are counted, and each has its place", () => {
    const schema = z.object({ a: z.string(), b: z.int() });
    expect(messagesOf(schema, { a: 1 })).toEqual([
      "a must be a string, got a number. (and 1 more)",
      "Must be a string, got a number.",
      "Is required.",
    ]);
  });
});
