import { readFileSync } from "node:fs";
import { execute, parse, printSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { assemble, createSchema } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { findRetirementFaults } from "./retired.ts";
import { catalog } from "./tools-context.ts";

const changelog = readFileSync(new URL("../../../../CHANGELOG.md", import.meta.url), "utf8");

test("every retired part has a reason", async () => {
  const { schema } = await createSchema(catalog);
  expect(findRetirementFaults(schema, changelog)).toEqual([]);
});

describe("a retired field", () => {
  const retire = (reason: string, more = "") =>
    assemble([
      {
        typeDefs: `extend type Query {
          name: String @deprecated(reason: ${JSON.stringify(reason)})
          title: String
          find(text: String, words: [String!]): [Kind]
        }
        enum Kind { ONE TWO }
        ${more}`,
        resolvers: { Query: { name: () => "old", title: () => "new" } },
      },
    ]);
  const listed =
    "# Changelog\n\n## 2.1.0\n\n### Deprecated\n\n- `Query.name`: use `Query.title`.\n\n### Fixed\n\n- x\n";

  test("names its replacement, is in the changelog, and still answers", async () => {
    const schema = retire("Use Query.title instead. Goes with 3.0.0.");
    expect(findRetirementFaults(schema, listed)).toEqual([]);
    expect(await execute({ schema, document: parse("{ name title }"), contextValue: {} })).toEqual({
      data: { name: "old", title: "new" },
    });
    expect(printSchema(schema)).toContain(
      'name: String @deprecated(reason: "Use Query.title instead. Goes with 3.0.0.")',
    );
    const source =
      '{ type: __type(name: "Query") { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } }';
    const { data } = (await execute({ schema, document: parse(source), contextValue: {} })) as {
      data: { type: { fields: object[] } };
    };
    expect(data.type.fields).toContainEqual({
      name: "name",
      isDeprecated: true,
      deprecationReason: "Use Query.title instead. Goes with 3.0.0.",
    });
  });

  test.each([
    ["No longer supported", "its reason does not begin"],
    ["Use title.", "its reason does not begin"],
    ["Use Query.titel instead.", "there is no Query.titel"],
    ["Use Query.name instead.", "Query.name is retired as well"],
    ["Use Query.find(word:) instead.", "there is no Query.find(word:)"],
  ])("is refused with the reason %j", (reason, fault) => {
    expect(findRetirementFaults(retire(reason), listed)).toEqual([
      expect.stringContaining(`Query.name: ${fault}`),
    ]);
  });

  test.each([
    ["nowhere", "# Changelog\n"],
    ["elsewhere only", listed.replace("Deprecated", "Added")],
    ["as another", listed.replace("Query.name", "Query.names")],
  ])("is refused if the changelog has it %s", (_, text) => {
    expect(findRetirementFaults(retire("Use Query.title instead."), text)).toEqual([
      "Query.name: CHANGELOG.md does not list it under Deprecated",
    ]);
  });
});

test("arguments, input fields and enum values are retired in the same way", () => {
  const schema = assemble([
    {
      typeDefs: `extend type Query {
        find(text: String @deprecated(reason: "Use Query.find(by:) instead."), by: Ask, kind: Kind): Int
      }
      input Ask { text: String word: String @deprecated(reason: "Use Ask.text instead.") }
      enum Kind { ONE TWO @deprecated(reason: "Use Kind.ONE instead.") THREE @deprecated(reason: "Use Kind.TWO instead.") }`,
      resolvers: {},
    },
  ]);
  const all = "### Deprecated\n\n- `Query.find(text:)`, `Ask.word`, `Kind.TWO`, `Kind.THREE`\n";
  expect(findRetirementFaults(schema, all)).toEqual(["Kind.THREE: Kind.TWO is retired as well"]);
  expect(findRetirementFaults(schema, "").map((fault) => fault.split(": ")[0])).toEqual([
    "Query.find(text:)",
    "Ask.word",
    "Kind.TWO",
    "Kind.THREE",
  ]);
});
