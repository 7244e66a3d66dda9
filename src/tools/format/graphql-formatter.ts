import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { formatGraphql } from "../../lib/graphql/format.ts";
import { loadGraphql } from "../../lib/graphql/problem.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "graphql-formatter",
  title: "GraphQL formatter",
  version: "1.0.1",
  summary: "Format a GraphQL schema or operations; comments and descriptions are kept.",
  page: {
    tile: "Schemas and operations",
    view: "code",
    options: ["indent", "width"],
    labels: { data: "Schema or operations", width: "Width" },
  },
  accepts: "a GraphQL schema or operations",
  aliases:
    "graphql prettify, graphql prettier, prettier graphql, format graphql, graphql beautifier, gql format, format graphql schema, format graphql query, sdl formatter, indent graphql",
  input: z.object({
    data: z.string().describe("The schema (SDL), or a document of operations and fragments"),
    indent: z.int().min(1).max(10).default(2).describe("Spaces per level, 1 to 10"),
    width: z
      .int()
      .min(20)
      .max(1000)
      .default(80)
      .describe("Width beyond which arguments and members of unions get lines of their own"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: "query  user($id:ID!){user(id:$id){name,friends(first:10){name}}}" },
      result:
        "query user($id: ID!) {\n  user(id: $id) {\n    name\n    friends(first: 10) {\n      name\n    }\n  }\n}\n",
    },
    {
      title: "Comments, descriptions and blank lines stay",
      input: {
        data: '# Who\n"A person"\ntype User implements Node@key(fields:"id"){\n  id:ID! # opaque\n\n  # Not for guests\n  mail(verified:Boolean=true):String\n}\nenum Role{ADMIN GUEST}\n',
      },
      result:
        '# Who\n"A person"\ntype User implements Node @key(fields: "id") {\n  id: ID! # opaque\n\n  # Not for guests\n  mail(verified: Boolean = true): String\n}\n\nenum Role {\n  ADMIN\n  GUEST\n}\n',
    },
    {
      title: "Arguments and unions that are too wide",
      input: {
        data: "union Found=Article|Comment|Person\ntype Query{search(text:String!,first:Int=10):[Found!]!}",
        width: 30,
        indent: 4,
      },
      result:
        "union Found =\n    | Article\n    | Comment\n    | Person\n\ntype Query {\n    search(\n        text: String!\n        first: Int = 10\n    ): [Found!]!\n}\n",
    },
  ],
  check: "change",
  async run({ data, ...layout }) {
    const graphql = await loadGraphql();
    return refusing(data, () => formatGraphql(graphql, data, layout));
  },
});
