import { describe, expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tool from "../../../../src/tools/lint/graphql-validator.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const validate = async (data: string, schema?: string): Promise<Report> =>
  JSON.parse(await runTool(tool, { data, ...(schema !== undefined && { schema }) })) as Report;
const rulesOf = async (data: string, schema?: string): Promise<string[]> =>
  (await validate(data, schema)).errors.map(({ rule }) => rule);

describe("schemas", () => {
  test.each([
    ["type Query { a: Int }", []],
    ["schema { query: Q } type Q { a(b: [Int!]! = [1]): ID @deprecated }", []],
    ["directive @d(a: Int!) on FIELD_DEFINITION type Query { a: Int @d(a: 1) }", []],
    ["type Query { a: Int } extend type Query { b: Int }", []],
    ["type Query { a: Foo }", ["known-type-names"]],
    ["type Query { a: Int a: Int }", ["unique-field-definition-names"]],
    ["type Query { a: Int } type Query { b: Int }", ["unique-type-names"]],
    ["type Query { a: Int @nope }", ["known-directives"]],
    ["type Query { a: Int @deprecated(why: 1) }", ["directive-arguments"]],
    ["directive @d(a: Int!) on FIELD_DEFINITION type Query { a: Int @d }", ["directive-arguments"]],
    ["enum E { A A } type Query { a: E }", ["unique-enum-value-names"]],
    ["extend type Foo { a: Int } type Query { b: Int }", ["possible-type-extensions"]],
    ["type T { a: Int }", ["type-system"]],
    ["interface I { a: Int! } type Query implements I { a: Int }", ["type-system"]],
    ["input A { b: A! } type Query { a(x: A): Int }", ["type-system"]],
    ["type Query { a: Int } query Q { a }", ["schema-definitions"]],
    ["type Query {", ["syntax"]],
    ["{}", ["empty-selection"]],
    ["type Query { a: Query } query Q { a { } }", ["empty-selection"]],
    ["", ["syntax"]],
    ["type __proto__ { toString: Int } type Query { constructor: Int }", ["type-system"]],
  ])("%s", async (data, rules) => {
    const report = await validate(data);
    expect(report.errors.map(({ rule }) => rule)).toEqual(rules);
    expect(report.valid).toBe(rules.length === 0);
  });
});

describe("subgraphs of Apollo Federation", () => {
  const link = (imports: string, rest = ""): string =>
    `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: [${imports}]${rest})\n`;
  const rules = async (data: string, federation = "auto"): Promise<string[]> => {
    const report = JSON.parse(await runTool(tool, { data, federation })) as Report;
    return report.errors.map(({ rule }) => rule);
  };

  test.each([
    // Version 2.
    [
      `${link('"@key", "@shareable"')}type Product @key(fields: "id") { id: ID! name: String @shareable }`,
      "auto",
      [],
    ],
    [
      `${link('{name: "@key", as: "@id"}')}type P @id(fields: "a { b }") { a: A } type A { b: ID }`,
      "auto",
      [],
    ],
    [`${link("")}type P @federation__key(fields: "a", resolvable: false) { a: ID }`, "auto", []],
    [`${link("", ', as: "fed"')}type P @fed__key(fields: "a") { a: ID }`, "auto", []],
    [
      `${link('"@key", "FieldSet"')}directive @mine(f: FieldSet) on OBJECT type P @key(fields: "a") @mine(f: "a") { a: ID }`,
      "auto",
      [],
    ],
    [
      `${link('"@requiresScopes", "@policy"')}type Query { a: ID @requiresScopes(scopes: [["x"]]) @policy(policies: [["y"]]) }`,
      "auto",
      [],
    ],
    [`${link('"@key"')}extend type Query { p: P } type P @key(fields: "id") { id: ID! }`, "auto", []],
    [`${link('"@key"')}type P @key(fields: "id") @shareable { id: ID! }`, "auto", ["known-directives"]],
    [`${link('"@key"')}type P @key(fields: "sku") { id: ID! }`, "auto", ["federation-fields"]],
    [`${link('"@key"')}type P @key(fields: "a") { a: A } type A { b: ID }`, "auto", ["federation-fields"]],
    [`${link('"@key"')}type P @key(fields: "id } {") { id: ID! }`, "auto", ["federation-fields"]],
    [`${link('"@key"')}type P @key(fields: "") { id: ID! }`, "auto", ["federation-fields"]],
    [`${link('"@key"')}type P @key(fields: "a {}") { a: A } type A { b: ID }`, "auto", ["federation-fields"]],
    [
      `${link('"@key"')}type P @key(field: "id") { id: ID! }`,
      "auto",
      ["directive-arguments", "directive-arguments"],
    ],
    [
      `${link('"@provides", "@external"')}type Query { p: P @provides(fields: "n m") } type P { n: Int @external }`,
      "auto",
      ["federation-fields"],
    ],
    // Version 1.
    ['type User @key(fields: "id") { id: ID! }', "auto", []],
    [
      'extend type User @key(fields: "id") { id: ID! @external n: Int @requires(fields: "id") } extend type User { o: Int }',
      "auto",
      [],
    ],
    [
      'extend type User @key(fields: "id") { id: ID! @external n: Int @requires(fields: "x") }',
      "auto",
      ["federation-fields"],
    ],
    ["type Query { a: Int @shareable }", "auto", ["known-directives"]],
    ["type Query { a: Int @shareable }", "2", []],
    ["type Query { a: Int @shareable }", "1", ["known-directives"]],
    // None.
    ['type User @key(fields: "id") { id: ID! }', "none", ["known-directives"]],
    ['directive @key(name: String) on OBJECT type Query @key(name: "x") { a: Int }', "auto", []],
    ["type Query { a: Int } extend type Foo { a: Int }", "auto", ["possible-type-extensions"]],
    // Names that are none.
    [
      `${link('"@key", {name: "@tag", as: "@not a name"}, {as: "@x"}, 1, "}"')}type Query { a: Int }`,
      "auto",
      [],
    ],
  ])("%s as %s: %j", async (data, federation, wanted) => {
    expect(await rules(data, federation)).toEqual(wanted);
  });

  test.each([
    ["none", 'type User @key(fields: "id") { id: ID! }', "To accept it, set federation to auto."],
    ["auto", "type Query { a: Int @shareable }", "set federation to 2, or import it with @link."],
    ["auto", `${link('"@key"')}type Query { a: Int @shareable }`, 'Add "@shareable" to the import of @link.'],
  ])("with %s, the message for %s says what accepts it", async (federation, data, words) => {
    const report = JSON.parse(await runTool(tool, { data, federation })) as Report;
    expect(report.errors[0]?.message).toContain(words);
  });

  test("operations are validated against a subgraph", async () => {
    const schema = 'type Query { u: User } type User @key(fields: "id") { id: ID! }';
    expect(await rulesOf("{ u { id } }", schema)).toEqual([]);
    expect(await rulesOf("{ u { no } }", schema)).toEqual(["fields-on-correct-type"]);
  });
});

describe("operations", () => {
  const schema =
    'type Query { user(id: ID!): User } type User { name(upper: Boolean): String friends: [User] } "x" scalar S';
  test.each([
    ["{ user(id: 1) { name } }", []],
    ["query Q($id: ID!) { user(id: $id) { ...F } } fragment F on User { name friends { name } }", []],
    ["{ user(id: 1) }", ["scalar-leafs"]],
    ["{ user { name } }", ["provided-required-arguments"]],
    ["{ user(id: 1) { nmae } }", ["fields-on-correct-type"]],
    ["{ user(id: 1, x: 2) { name } }", ["known-argument-names"]],
    ["{ user(id: 1) { name(upper: 3) } }", ["values-of-correct-type"]],
    ["query ($id: Boolean!) { user(id: $id) { name } }", ["variables-in-allowed-position"]],
    ["query ($id: ID!) { user(id: 1) { name } }", ["no-unused-variables"]],
    ["{ user(id: $id) { name } }", ["no-undefined-variables"]],
    ["{ user(id: 1) { a: name a: friends { name } } }", ["overlapping-fields-can-be-merged"]],
    ["{ ...F } fragment F on Query { ...F }", ["no-fragment-cycles"]],
    ["{ ...G }", ["known-fragment-names"]],
    ["type T { a: Int }", ["executable-definitions"]],
    ["{ user(id: 1) { name }", ["syntax"]],
    ["{}", ["empty-selection"]],
    ["query Q {}", ["empty-selection"]],
    ["{ user(id: 1) {} }", ["empty-selection"]],
    ["{ user(id: 1) { name } ... {} }", ["empty-selection"]],
    ["{ user(id: 1) { name } } fragment F on User {}", ["empty-selection"]],
  ])("%s", async (data, rules) => {
    expect(await rulesOf(data, schema)).toEqual(rules);
  });

  test("reports places in code points and bytes", async () => {
    const { errors } = await validate('# é👋\n{ user(id: "é👋") { nmae } }', schema);
    expect(errors).toMatchObject([{ line: 2, column: 20, offset: 32, pointer: "", severity: "error" }]);
    expect(errors[0]?.message).toContain('"name"');
  });

  test("rejects operations without a schema, and an invalid schema, as an error and not as a finding", async () => {
    expect(await refusalOf(validate("{ a }"))).toMatchObject({ code: "invalid_input", pointer: "/schema" });
    expect(await refusalOf(validate("{ a }", "\ntype Query {"))).toMatchObject({
      code: "invalid_document",
      line: 2,
      column: 13,
    });
    expect(await refusalOf(validate("{ a }", "{ a }"))).toMatchObject({ code: "invalid_document" });
    expect(await refusalOf(validate("{ a }", "type Query { a: Foo }"))).toMatchObject({
      code: "invalid_document",
      column: 17,
    });
  });
});
