import { Kind, type OperationDefinitionNode, parse } from "graphql";
import { expect, test } from "vitest";
import { countRuns, fragmentsOf, type Plan, toPlan } from "../../../../src/surfaces/graphql/plan.ts";

function planOf(source: string): Plan {
  const document = parse(source);
  const node = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return toPlan(node as OperationDefinitionNode, fragmentsOf(document));
}

test.each<[string, number]>([
  ["{ viewer { kind } }", 0],
  ["{ run { __typename } }", 0],
  ["{ run { jsonFormatter { result } } }", 1],
  [
    "{ run { a: jsonFormatter { result } b: jsonFormatter { result } jsonMinifier { result } __typename } }",
    3,
  ],
  // One response name is one run, however often it is written.
  ["{ run { jsonFormatter { result } jsonFormatter { valid } } run { jsonFormatter { version } } }", 1],
  ["{ run { a: jsonFormatter { result } } run { b: jsonFormatter { result } } }", 2],
  ["{ x: run { a: jsonFormatter { result } } y: run { a: jsonFormatter { result } } }", 2],
  [
    "{ ...F } fragment F on Query { run { ...G } } fragment G on ToolRunner { a: x { result } b: x { result } }",
    2,
  ],
  [
    "{ ...F ...F run { ...G } } fragment F on Query { run { ...G } } fragment G on ToolRunner { a: x { result } }",
    1,
  ],
  ["{ ... { ... on Query { run { ... on ToolRunner { a: x { result } } } } } }", 1],
  // Literals skip these fields.
  ["{ run @skip(if: true) { a: x { result } } }", 0],
  ["{ run @include(if: false) { a: x { result } } }", 0],
  ["{ run { a: x @skip(if: false) @include(if: true) { result } b: x @include(if: false) { result } } }", 1],
  ["{ ...F @skip(if: true) run { a: x { result } } } fragment F on Query { run { b: x { result } } }", 1],
  // A field of another type, or below another field, is a different one.
  ["mutation { runTool { result } }", 1],
  ["mutation { a: runTool { result } b: runTool { result } signOut { id } }", 2],
  ["mutation { run { a { result } } }", 0],
  ["{ runTool { result } viewer { run { a: x } } }", 0],
  ["subscription { events { id } }", 0],
])("%s runs %i", (source, runs) => expect(planOf(source).runs).toBe(runs));

test.each<[Record<string, unknown>, number]>([
  [{ yes: true, no: false }, 2],
  [{ yes: false, no: false }, 1],
  [{ yes: true, no: true }, 1],
  [{ yes: false, no: true }, 0],
])("with %j it runs %i: variables skip fields", (variables, runs) => {
  const {
    node,
    fragments,
    runs: known,
  } = planOf(`query ($yes: Boolean!, $no: Boolean!) {
    run { a: x @include(if: $yes) { result } ...F }
  } fragment F on ToolRunner { b: x @skip(if: $no) { result } }`);
  expect(known).toBeUndefined();
  expect(countRuns(node, fragments, variables)).toBe(runs);
});

test("cycles and long chains of fragments end", () => {
  expect(
    planOf("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A run { x { result } } }").runs,
  ).toBe(1);
});

test.each<[string, boolean, boolean]>([
  ["{ __schema { types { name } } }", true, false],
  [
    '{ __typename x: __type(name: "Query") { name } ...F } fragment F on Query { __schema { description } }',
    true,
    false,
  ],
  ["{ __typename }", false, false],
  ["{ __schema { description } viewer { kind } }", false, false],
  ["query ($n: String!) { __type(name: $n) { name } }", false, false],
  ['mutation { signIn(code: "x") { token } }', false, true],
  [
    'mutation { __typename a: signIn(code: "x") { token } ... { b: signIn(code: "y") { token } } }',
    false,
    true,
  ],
  ['mutation { signIn(code: "x") { token } signOut { id } }', false, false],
  ['mutation { signIn(code: "x") { token } signOut @skip(if: true) { id } }', false, false],
  ["mutation { __typename }", false, false],
  ["query { signIn }", false, false],
])("%s: introspection %s, sign-in %s", (source, introspection, signIn) =>
  expect(planOf(source)).toMatchObject({ introspection, signIn }),
);
