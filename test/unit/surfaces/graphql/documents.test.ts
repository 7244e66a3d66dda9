import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import { createDocuments, type Documents, Refused } from "../../../../src/surfaces/graphql/documents.ts";

const schema = buildSchema("type Query { value(text: String): Int a: Query } type Mutation { set: Int }");
const usual = { introspection: true, maxDepth: 10, maxAliases: 30, maxCost: 5000 };

function refusalOf(documents: Documents, source: string): string[] {
  try {
    documents.get(source);
  } catch (error) {
    if (error instanceof Refused) return error.errors.map(({ message }) => message);
    throw error;
  }
  return [];
}

test("a document is validated once per text", () => {
  const documents = createDocuments(schema, usual);
  const first = documents.get("query A { value } mutation B { set }");
  expect(documents.get("query A { value } mutation B { set }")).toBe(first);
  expect(documents.get("query A { value } mutation B { set } ")).not.toBe(first);
  expect(first.plans.map(({ node }) => node.name?.value)).toEqual(["A", "B"]);
  expect(documents.size()).toBe(2);
});

test("refused documents are not cached, and up to five errors are reported", () => {
  const documents = createDocuments(schema, usual);
  expect(refusalOf(documents, "{ wrong }")).toEqual(['Cannot query field "wrong" on type "Query".']);
  expect(refusalOf(documents, "{ value")).toEqual(["Syntax Error: Expected Name, found <EOF>."]);
  expect(refusalOf(documents, "")).toHaveLength(1);
  expect(refusalOf(documents, "type Query { value: Int }")[0]).toContain("not executable");
  const many = refusalOf(documents, "{ z1 z2 z3 z4 z5 z6 z7 z8 }");
  expect(many).toHaveLength(6);
  expect(many.at(-1)).toMatch(/error limit reached/);
  expect(documents.size()).toBe(0);
});

test("the thousand that were used last are cached", () => {
  const documents = createDocuments(schema, usual);
  const first = documents.get("{ value }");
  for (let index = 0; index < 999; index++) documents.get(`{ x${index}: value }`);
  expect(documents.size()).toBe(1000);
  // It was used, so that another is the oldest.
  expect(documents.get("{ value }")).toBe(first);
  const second = documents.get("{ x0: value }");
  documents.get("{ one: value }");
  documents.get("{ more: value }");
  expect(documents.size()).toBe(1000);
  expect(documents.get("{ value }")).toBe(first);
  expect(documents.get("{ x0: value }")).toBe(second);
});

test("fewer large documents are cached, and the largest not at all", () => {
  const documents = createDocuments(schema, usual);
  const large = (index: number, size: number): string => `{ value(text: "${index} ${"x".repeat(size)}") }`;
  for (let index = 0; index < 40; index++) documents.get(large(index, 30_000));
  expect(documents.size()).toBe(17);
  documents.get(large(0, 40_000));
  expect(documents.size()).toBe(17);
});

test("tokens of every kind are counted", () => {
  const documents = createDocuments(schema, usual);
  expect(refusalOf(documents, `{${"value ".repeat(5000)}}`)[0]).toMatch(/more than 5000 tokens/);
  expect(refusalOf(documents, `{ value(text: "${"x ".repeat(50_000)}") }`)).toEqual([]);
});

test("limits are checked before rules with quadratic cost", () => {
  const documents = createDocuments(schema, usual);
  expect(refusalOf(documents, `{ ${"nothing ".repeat(60)} }`)).toEqual([
    "The document is refused for repeating fields more than 50 times.",
  ]);
});

test.each([`{ value(text: ${"[".repeat(4990)} }`, `query ($v: ${"[".repeat(4980)}Int) { value }`])(
  "nesting beyond the parser's stack is refused: %.40s",
  (source) => {
    const [message, ...more] = refusalOf(createDocuments(schema, usual), source);
    expect(message).toMatch(/^Syntax Error/);
    expect(more).toEqual([]);
  },
);

test("without introspection no answer reveals the schema, not even errors", () => {
  const documents = createDocuments(schema, { ...usual, introspection: false });
  const open = createDocuments(schema, usual);
  expect(refusalOf(open, "{ valu }")[0]).toContain('Did you mean "value"?');
  expect(refusalOf(documents, "{ valu }")).toEqual(['Cannot query field "valu" on type "Query".']);
  for (const source of [
    "{ __schema { description } }",
    '{ __type(name: "Query") { name } }',
    "{ ...F } fragment F on Query { a { a { __typename } } __schema { description } }",
  ])
    expect(refusalOf(documents, source)[0]).toMatch(/introspection has been disabled/);
  expect(refusalOf(documents, "{ __typename }")).toEqual([]);
});

test("cyclic introspection is refused", () => {
  const fields = (levels: number): string =>
    levels === 0 ? "name" : `fields { type { ${fields(levels - 1)} } }`;
  expect(refusalOf(createDocuments(schema, usual), `{ __schema { types { ${fields(2)} } } }`)).toEqual([]);
  expect(refusalOf(createDocuments(schema, usual), `{ __schema { types { ${fields(3)} } } }`)[0]).toMatch(
    /introspection depth/,
  );
});
