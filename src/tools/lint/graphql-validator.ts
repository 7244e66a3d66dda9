import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { federations } from "../../lib/graphql/federation.ts";
import { loadGraphql } from "../../lib/graphql/problem.ts";
import { readSchema } from "../../lib/graphql/schema.ts";
import { validateOperations } from "../../lib/graphql/validate.ts";
import { toFindings } from "../findings.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "graphql-validator",
  title: "GraphQL validator",
  version: "1.1.2",
  summary: "Validate a GraphQL schema, or operations against a schema.",
  page: {
    tile: "Schema, or operations on it",
    layout: "check",
    view: "report",
    options: ["federation"],
    second: "schema",
    labels: {
      data: "Schema or operations",
      schema: "Schema",
      federation: "Federation",
      "federation=none": "No",
    },
    next: [{ slug: "graphql-formatter", text: "Format" }],
  },
  accepts: "a GraphQL schema or operations",
  aliases:
    "graphql, graphql lint, validate graphql, graphql schema check, sdl, graphql query validator, graphql-eslint, apollo subgraph, federation schema, graphql inspector, gql, rover subgraph check, validate query against schema",
  input: z.object({
    data: z.string().describe("The schema (SDL) or, with schema, a document of operations and fragments"),
    schema: z
      .string()
      .max(8_388_608)
      .default("")
      .describe("The schema (SDL) of the operations in data; omit it if data is itself a schema"),
    federation: z
      .enum(federations)
      .default("auto")
      .describe(
        "Apollo Federation whose directives the schema may use, such as @key: 1, 2 or none; auto is 2 if @link imports it and 1 if its directives are used without definitions",
      ),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: "type Query { user(id: ID!): User }\ntype User { id: ID!, friends: [User!] }" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "An operation that selects an unknown field",
      input: {
        data: "{ user(id: 1) {\n  nmae } }",
        schema: "type Query { user(id: ID!): User } type User { name: String }",
      },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Cannot query field \\"nmae\\" on type \\"User\\". Did you mean \\"name\\"?",\n      "severity": "error",\n      "rule": "fields-on-correct-type",\n      "line": 2,\n      "column": 3,\n      "offset": 18,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "A subgraph of Apollo Federation",
      input: {
        data: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])\ntype Product @key(fields: "sku") { id: ID! }',
      },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The fields of @key are wrong: Cannot query field \\"sku\\" on type \\"Product\\".",\n      "severity": "error",\n      "rule": "federation-fields",\n      "line": 2,\n      "column": 27,\n      "offset": 113,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  check: "report",
  async run({ data, schema, federation }) {
    const graphql = await loadGraphql();
    if (schema === "") {
      const { problems, executable } = readSchema(graphql, data, federation);
      if (executable)
        throw invalidField("schema", "data holds operations; give the schema that they are for.");
      return toReport(toFindings(data, problems));
    }
    const problems = refusing(schema, () => validateOperations(graphql, data, schema, federation), "schema");
    return toReport(toFindings(data, problems));
  },
});
