import {
  buildSchema,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import { expect, test } from "vitest";
import { createLimitRule } from "../../../../src/surfaces/graphql/limits.ts";
import { measure, type Size } from "../../../../src/surfaces/graphql/measure.ts";
import { fragmentsOf } from "../../../../src/surfaces/graphql/plan.ts";
import { startCost } from "../../../cost/start-cost.ts";

const schema = buildSchema(`
  type Query { value: Int a: Query list: [Query!]! matrix: [[Int]] some(first: Int = 3): [Query] top(limit: Int): [Query]
    page(first: Int! = 200): Page! }
  type Page { nodes: [Query!]! total: Int }
`);

function sizeOf(source: string, variables?: Record<string, unknown>): Size {
  const document = parse(source);
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  return measure(schema, operation as OperationDefinitionNode, fragmentsOf(document), variables);
}

/** Returns the errors of the rule, with bounds that a usual document is far below. */
const errorsOf = (source: string, limits = {}): string[] =>
  validate(schema, parse(source), [
    createLimitRule({ maxDepth: 10, maxAliases: 30, maxCost: 5000, ...limits }),
  ]).map(({ message }) => message);

test.each<[string, Partial<Size>]>([
  ["{ value }", { depth: 1, cost: 1, aliases: 0, sized: false }],
  ["{ value __typename }", { cost: 2 }],
  ["{ a { a { value } } }", { depth: 3, cost: 3 }],
  ["{ a { value } list { value } }", { depth: 2, cost: 2 + 1 + 20 }],
  ["{ list { list { value } } }", { cost: 1 + 20 * (1 + 20) }],
  ["{ some { value } }", { cost: 1 + 3 }],
  ["{ some(first: 7) { value } }", { cost: 1 + 7 }],
  ["{ some(first: 0) { value } }", { cost: 1 + 1 }],
  ["{ some(first: -5) { value } }", { cost: 1 + 1 }],
  ["{ top { value } }", { cost: 1 + 20 }],
  ["{ top(limit: 2) { value } }", { cost: 1 + 2 }],
  // A limit on a connection applies to its nodes, and is reported once.
  ["{ page { total nodes { value } } }", { cost: 1 + 200 * (1 + 1 + 1) }],
  ["{ page(first: 2) { nodes { value list { value } } } }", { cost: 1 + 2 * (1 + 1 + 1 + 20) }],
  ["{ page(first: 2) { ...P } } fragment P on Page { nodes { value } }", { cost: 1 + 2 * (1 + 1) }],
  // Names.
  ["{ x: value value: value a { y: value } }", { aliases: 2 }],
  [
    "{ ...F a { ...F } } fragment F on Query { x: value y: value }",
    { aliases: 4, cost: 2 + 1 + 2, depth: 2 },
  ],
  ["{ ... { ... on Query { value } } }", { depth: 1, cost: 1 }],
  // Introspection fields add no depth.
  ["{ __schema { types { fields { type { name } } } } }", { depth: 1, introspectionAliases: 0 }],
  ["{ __schema { types { x: name } } }", { introspectionAliases: 1 }],
  ["{ x: __schema { types { name } } }", { introspectionAliases: 1 }],
  ['{ x: __type(name: "Query") { name } }', { introspectionAliases: 0, aliases: 1 }],
])("%s", (source, size) => expect(sizeOf(source)).toMatchObject(size));

test.each<[string, Record<string, unknown> | undefined, number]>([
  // The list may be as short as 1: the cost is computed again once the variable is known.
  ["query ($n: Int) { some(first: $n) { value } }", undefined, 1 + 1],
  ["query ($n: Int = 5) { some(first: $n) { value } }", undefined, 1 + 1],
  ["query ($n: Int = 5) { some(first: $n) { value } }", {}, 1 + 5],
  ["query ($n: Int) { some(first: $n) { value } }", { n: 100 }, 1 + 100],
  ["query ($n: Int) { some(first: $n) { value } }", { n: null }, 1 + 20],
  ["query ($n: Int) { some(first: $n) { value } }", {}, 1 + 3],
])("%s with %j costs %i, and depends on its variables", (source, variables, cost) =>
  expect(sizeOf(source, variables)).toMatchObject({ cost, sized: true }),
);

test("introspection as tools request it passes whatever the limits are", () => {
  for (const source of [
    getIntrospectionQuery(),
    getIntrospectionQuery({ oneOf: true, inputValueDeprecation: true }),
  ])
    expect(errorsOf(source, { maxDepth: 2, maxAliases: 0, maxCost: 300 })).toEqual([]);
});

const deep = (levels: number): string => `${"a{".repeat(levels - 1)}value${"}".repeat(levels - 1)}`;

test("a limit allows its value, and one more is refused with advice", () => {
  expect(errorsOf(`{${deep(10)}}`)).toEqual([]);
  expect(errorsOf(`{${deep(11)}}`)).toEqual([
    "The document is refused for being nested deeper than 10 levels (graphql.maxDepth).",
  ]);
  const named = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `x${index}: value`).join(" ")}}`;
  expect(errorsOf(named(30))).toEqual([]);
  expect(errorsOf(named(31))[0]).toContain("more than 30 aliases (graphql.maxAliases)");
  expect(errorsOf("{ some(first: 4999) { value } }")).toEqual([]);
  expect(errorsOf("{ some(first: 5000) { value } }")[0]).toContain("more than 5000 fields (graphql.maxCost)");
  const directives = (count: number): string => `{ value ${"@skip(if: false) ".repeat(count)} }`;
  expect(errorsOf(directives(50))).toEqual([]);
  expect(errorsOf(directives(51))).toEqual(["The document is refused for using more than 50 directives."]);
  expect(errorsOf(`{${"value ".repeat(51)}}`)).toEqual([]);
  expect(errorsOf(`{${"value ".repeat(52)}}`)).toEqual([
    "The document is refused for repeating fields more than 50 times.",
  ]);
  // As they are merged: fields in inline fragments, and below repeated fields, are compared with each other.
  const again = ["The document is refused for repeating fields more than 50 times."];
  expect(errorsOf(`{${"... { value } ".repeat(51)}}`)).toEqual([]);
  expect(errorsOf(`{${"... on Query { value } ".repeat(52)}}`)).toEqual(again);
  expect(errorsOf(`{ a {${"... { a { value } } ".repeat(27)}} }`)).toEqual(again);
  expect(errorsOf(`{${"a { value list { value } a { value } } ".repeat(14)}}`)).toEqual(again);
  expect(errorsOf(`query A {${"value ".repeat(30)}} query B {${"value ".repeat(22)}}`)).toEqual([]);
  const spreads = (count: number): string => `{${"...F ".repeat(count)}} fragment F on Query { value }`;
  expect(errorsOf(spreads(50))).toEqual([]);
  expect(errorsOf(spreads(51))).toEqual(["The document is refused for using fragments more than 50 times."]);
});

test("every operation of a document is checked, and directives at any place", () => {
  expect(errorsOf(`query A { value } query B { ${deep(11)} }`)).toHaveLength(1);
  expect(
    errorsOf(`query A($v: Int ${"@x ".repeat(20)}) ${"@x ".repeat(20)} { ...F ${"@x ".repeat(6)} }
      fragment F on Query ${"@x ".repeat(5)} { value }`),
  ).toHaveLength(1);
});

test("fragments count as often as they are used, and take no longer for it", () => {
  const doubling = Array.from(
    { length: 24 },
    (_, index) => `fragment F${index} on Query { a { ...F${index + 1} } b: a { ...F${index + 1} } }`,
  );
  const source = `{ ...F0 } ${doubling.join(" ")} fragment F24 on Query { value }`;
  const cost = startCost();
  expect(sizeOf(source)).toMatchObject({ depth: 25, aliases: 2 ** 24 - 1, cost: 3 * 2 ** 24 - 2 });
  expect(cost()).toBeLessThan(50);
});

test("errors of a document are left to other rules", () => {
  // Cycles, and undefined names.
  expect(errorsOf("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }")).toEqual([]);
  expect(errorsOf("{ nothing { of { this } } ...Nothing ... on Nobody { value } }")).toEqual([]);
  expect(errorsOf("mutation { value } ")).toEqual([]);
  expect(errorsOf("type Query { value: Int }")).toEqual([]);
  // Nesting beyond what is counted is infinitely deep.
  expect(sizeOf(`{${deep(1600)}}`).depth).toBe(Infinity);
});
