import { expect, test } from "vitest";
import tool from "../../../../src/tools/diff/graphql-differ.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";
import { diff } from "./diff-graphql.ts";

const query = "type Query { a: Int }\n";

test.each([
  [
    "type A { b: Int }",
    "type B { b: Int }",
    ["breaking type-removed A old 2:6", "safe type-added B new 2:6"],
  ],
  ["type A { b: Int }", "scalar A", ["breaking type-changed-kind A old 2:6"]],
  ["type A { b: Int }", "type A { b: String }", ["breaking field-changed-kind A.b old 2:10"]],
  ["type A { b: Int }", "type A { b: Int! }", ["safe field-changed-kind-safe A.b old 2:10"]],
  ["type A { b: Int }", "type A { b(c: Int!): Int }", ["breaking required-arg-added A.b(c:) new 2:12"]],
  ["type A { b: Int }", "type A { b(c: Int): Int }", ["dangerous optional-arg-added A.b(c:) new 2:12"]],
  ["type A { b(c: Int): Int }", "type A { b: Int }", ["breaking arg-removed A.b(c:) old 2:12"]],
  [
    "enum E { X Y }",
    "enum E { X Z }",
    ["breaking value-removed-from-enum E.Y old 2:12", "dangerous value-added-to-enum E.Z new 2:12"],
  ],
  ["input I { a: Int }", "input I { a: Int b: Int! }", ["breaking required-input-field-added I.b new 2:18"]],
  [
    "input I { a: Int = 1 }",
    "input I { a: Int = 2 }",
    ["dangerous input-field-default-value-change I.a old 2:11"],
  ],
  [
    "directive @d(a: Int) on FIELD",
    "directive @d on FIELD",
    ["breaking directive-arg-removed @d(a:) old 2:14"],
  ],
  [
    "directive @d on FIELD | QUERY",
    "directive @d on FIELD",
    ["breaking directive-location-removed @d old 2:12"],
  ],
  [
    "type A { b: Int } type C { d: Int } union U = A | C",
    "type A { b: Int } type C { d: Int } union U = A",
    ["breaking type-removed-from-union U old 2:43"],
  ],
  [
    "interface I { b: Int } type A implements I { b: Int }",
    "interface I { b: Int } type A { b: Int }",
    ["breaking implemented-interface-removed A old 2:29"],
  ],
  ["type Field { b: Int }", "type Field { b: Int c: Int }", ["safe field-added Field.c new 2:21"]],
  ["type A { b: Int }", "# moved\ntype A { b: Int }", []],
])("%s to %s", async (data, other, expected) => {
  const found = await diff(query + data, query + other);
  expect(
    found.map((one) => `${one.impact} ${one.rule} ${one.coordinate} ${one.in} ${one.line}:${one.column}`),
  ).toEqual(expected);
});

test.each([
  ["breaking", false, ["error", "warning"]],
  ["dangerous", false, ["error", "error"]],
  ["any", false, ["error", "error", "error"]],
])("a check that fails on %s", async (failOn, valid, severities) => {
  const input = { data: `${query}enum E { X Y }`, other: `${query}enum E { X Z } scalar S`, failOn };
  const report = await checkTool(tool, input);
  expect(report.valid).toBe(valid);
  expect(report.errors.map(({ severity }) => severity)).toEqual(severities);
});

test("the other schema may be the old one; places of a check are in data", async () => {
  const input = { data: `scalar S\n${query}`, other: "type Query { a: Int b: Int }", old: "other" };
  const { errors } = await checkTool(tool, input);
  expect(errors).toMatchObject([{ rule: "field-removed", line: 2, column: 6 }]);
  expect(JSON.parse(await runTool(tool, input))).toMatchObject([
    { rule: "field-removed", in: "old" },
    { rule: "type-added", in: "new" },
  ]);
});

test("a check passes on what does not break clients", async () => {
  const other = `${query}scalar S`;
  expect(await checkTool(tool, { data: query, other })).toEqual({ valid: true, errors: [] });
  expect(await checkTool(tool, { data: query, other, failOn: "any" })).toMatchObject({ valid: false });
});

test("a check reports a hundred changes", async () => {
  const types = Array.from({ length: 150 }, (_, at) => `scalar S${at}`).join("\n");
  const { errors } = await checkTool(tool, { data: query + types, other: query });
  expect(errors).toHaveLength(101);
});

test("subgraphs of a federation are compared", async () => {
  const user = (fields: string): string => `type User @key(fields: "id") { id: ID! ${fields} }`;
  expect(await diff(user("name: String"), user(""))).toMatchObject([
    { rule: "field-removed", coordinate: "User.name" },
  ]);
});

test("Markdown has a heading for each impact", async () => {
  const result = await runTool(tool, {
    data: `${query}enum E { A_B }`,
    other: `${query}enum E { C }`,
    format: "list",
  });
  expect(result).toBe(
    "## Breaking\n\n- Enum value E.A\\_B was removed.\n\n## Dangerous\n\n- Enum value E.C was added.",
  );
});

test.each([
  ["type A {", query, { code: "invalid_document", line: 1 }],
  [query, "type Query { a: B }", { code: "invalid_document", field: "other", line: 1, column: 17 }],
  ["{ a }", query, { code: "invalid_document" }],
  ["{ a {} }", query, { code: "invalid_document", column: 5 }],
  [
    query,
    'type Query { a: A } type A @key(fields: "") { b: ID }',
    { code: "invalid_document", field: "other", column: 41 },
  ],
])("%s and %s are refused", async (data, other, refusal) => {
  expect(await refusalOf(diff(data, other))).toMatchObject(refusal);
});
