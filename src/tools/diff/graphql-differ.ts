import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { federations } from "../../lib/graphql/federation.ts";
import { compareSchemas, toChangeFindings, writeChanges, writeMarkdown } from "../graphql-changes.ts";

export default defineTool({
  slug: "graphql-differ",
  title: "GraphQL differ",
  version: "1.1.0",
  summary: "Compare two GraphQL schemas and say which changes break clients.",
  page: {
    tile: "What breaks clients of a schema",
    layout: "compare",
    view: "table",
    options: ["format", "federation"],
    second: "other",
    labels: {
      data: "Old schema",
      other: "New schema",
      "format=json": "Table",
      "format=list": "List",
      failOn: "A check fails on",
      federation: "Federation",
      "federation=none": "No",
      old: "Old schema is",
      "old=data": "The first",
      "old=other": "The second",
    },
  },
  accepts: "a GraphQL schema",
  aliases:
    "graphql-inspector diff, graphql breaking changes, graphql schema diff, compare graphql schemas, findbreakingchanges, api breaking changes, breaking schema changes, schema changelog, subgraph diff",
  input: z.object({
    data: z.string().describe("The old schema (SDL)"),
    other: z.string().max(8_388_608).describe("The new schema (SDL)"),
    format: z
      .enum(["json", "list"])
      .default("json")
      .describe("Result: json has each change with its place, list is for people, in Markdown"),
    failOn: z
      .enum(["breaking", "dangerous", "any"])
      .default("breaking")
      .describe(
        "Changes with which check mode fails: breaking ones, also dangerous ones (a client may get values that it does not know), or any",
      ),
    federation: z
      .enum(federations)
      .default("auto")
      .describe("Apollo Federation whose directives the schemas may use, as in graphql-validator"),
    old: z
      .enum(["data", "other"])
      .default("data")
      .describe("The field with the old schema; the places of a check are in data"),
  }),
  isolate: "process",
  examples: [
    {
      input: {
        data: "type Query { user(id: ID): User }\ntype User { id: ID!, name: String }",
        other: "type Query { user(id: ID!): User }\ntype User { id: ID!, email: String }",
      },
      result:
        '[\n  {\n    "impact": "breaking",\n    "rule": "arg-changed-kind",\n    "message": "Argument Query.user(id:) has changed type from ID to ID!.",\n    "coordinate": "Query.user(id:)",\n    "in": "old",\n    "line": 1,\n    "column": 19\n  },\n  {\n    "impact": "breaking",\n    "rule": "field-removed",\n    "message": "Field User.name was removed.",\n    "coordinate": "User.name",\n    "in": "old",\n    "line": 2,\n    "column": 22\n  },\n  {\n    "impact": "safe",\n    "rule": "field-added",\n    "message": "Field User.email was added.",\n    "coordinate": "User.email",\n    "in": "new",\n    "line": 2,\n    "column": 22\n  }\n]',
    },
    {
      title: "A list for a pull request",
      input: {
        data: "type Query { role: Role }\nenum Role { ADMIN GUEST }",
        other: "type Query { role: Role, roles: [Role!] }\nenum Role { ADMIN OWNER }",
        format: "list",
      },
      result:
        "## Breaking\n\n- Enum value Role.GUEST was removed.\n\n## Dangerous\n\n- Enum value Role.OWNER was added.\n\n## Safe\n\n- Field Query.roles was added.",
    },
    {
      title: "The order of definitions does not count",
      input: { data: "type Query { a: Int }\nscalar Date", other: "scalar Date\ntype Query { a: Int }" },
      result: "[]",
    },
  ],
  check: "difference",
  against: { old: "other" },
  async run({ data, other, format, federation, old }) {
    const [from, to] = old === "data" ? [data, other] : [other, data];
    const changes = await compareSchemas(from, to, { federation, old });
    return format === "json" ? writeChanges(from, to, changes) : writeMarkdown(changes);
  },
  async report({ data, other, failOn, federation, old }) {
    const [from, to] = old === "data" ? [data, other] : [other, data];
    const changes = await compareSchemas(from, to, { federation, old });
    return toReport(toChangeFindings(data, changes, failOn, old));
  },
});
