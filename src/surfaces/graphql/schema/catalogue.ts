import { aliasesOf } from "../../../catalog/describe.ts";
import { categories } from "../../../catalog/categories.ts";
import { findNamed } from "../../../catalog/find-tools.ts";
import type { CatalogTool } from "../../../catalog/catalog.ts";
import { bodySchemaOf } from "../../../catalog/body-schema.ts";
import { toEnumName } from "./names.ts";
import { maxFirst, maxSearch, type Page, type PageArgs, pageOf } from "./page-of.ts";
import type { Part } from "./part.ts";
import { runTool, type ToolRun } from "./tool-run.ts";

/**
 * The catalogue, and `runTool`, which runs any tool by its slug.
 * @param fields Fields of ToolRunner by slug.
 */
export function createCatalogue(tools: readonly CatalogTool[], fields: ReadonlyMap<string, string>): Part {
  // All possible categories, so that the type is the same with and without pipelines.
  const names = [...new Set([...Object.keys(categories), ...tools.map(({ category }) => category)])];
  return {
    typeDefs: `${typeDefs}
"The category of a tool."
enum ToolCategory { ${names.map((name) => `${JSON.stringify(categories[name] ?? name)} ${toEnumName(name)}`).join(" ")} }
`,
    enums: { ToolCategory: names, Severity: ["error", "warning"] },
    resolvers: {
      Query: {
        tools: (_, args: ListArgs) => listTools(tools, args),
        tool: (_, { slug }: { slug: string }, { deps }) => deps.catalog.get(slug),
      },
      Mutation: {
        async runTool(_, { slug, input, check }: RunToolArgs, context) {
          const tool = await context.deps.catalog.get(slug);
          return runTool(context, tool, { kind: "json", bytes: Buffer.from(input) }, check);
        },
      },
      Tool: {
        checkable: (tool: CatalogTool) => tool.check !== undefined,
        aliases: aliasesOf,
        input: (tool: CatalogTool) => bodySchemaOf(tool.input),
        field: (tool: CatalogTool) => fields.get(tool.slug),
        steps: (tool: CatalogTool) => tool.steps?.map((step) => step.tool) ?? null,
      },
      ToolRun: {
        version: ({ tool }: ToolRun) => tool.version,
        valid: ({ report }: ToolRun) => report?.valid ?? null,
      },
    },
  };
}

interface ListArgs extends PageArgs {
  category?: string | null;
  search?: string | null;
}

interface RunToolArgs {
  slug: string;
  /** JSON text. */
  input: string;
  check: boolean;
}

function listTools(
  all: readonly CatalogTool[],
  { category, search, ...page }: ListArgs,
): Page<CatalogTool> & { onlyNearest: boolean | null } {
  if (search == null || search.trim() === "") {
    const found = all.filter((tool) => (category ?? tool.category) === tool.category);
    return { ...pageOf(found, page, ({ slug }) => slug), onlyNearest: null };
  }
  const { found, onlyNearest } = findNamed(all, search, category ?? undefined);
  return { ...pageOf(found, page, ({ slug }) => slug), onlyNearest };
}

const typeDefs = `
extend type Query {
  "The tools that this installation serves, its pipelines among them. Without a search they are in a fixed order."
  tools(
    category: ToolCategory
    "What people call it, such as md5sum or pretty print json; the best first, at most ${maxSearch} characters."
    search: String
    "The maximum number of entries, 0 to ${maxFirst}."
    first: Int! = 200
    "The endCursor of an earlier page of the same query."
    after: ID
  ): ToolConnection!

  "One tool; the error unknown_tool names the nearest slug if it does not exist."
  tool(slug: ID!): Tool
}

extend type Mutation {
  "Runs any tool by its slug, with the same input, result and errors as POST /api/tools/<slug>."
  runTool(
    slug: ID!
    "The fields of the tool. A field that takes JSON as text also accepts the JSON value; its numbers are kept digit for digit."
    input: JSON!
    "Return a report: whether the document is valid, or whether a formatter would change it."
    check: Boolean! = false
  ): ToolRun
}

"A page of tools."
type ToolConnection {
  nodes: [Tool!]!
  pageInfo: PageInfo!
  "The total number of entries."
  totalCount: Int!
  "Whether no tool is called so: the tools, if there are any, are only the nearest. Null without a search."
  onlyNearest: Boolean
}

"A tool, or a pipeline of tools under a name."
type Tool {
  "The name in URLs and on the command line."
  slug: ID!
  title: String!
  "A one-sentence summary."
  summary: String!
  category: ToolCategory!
  "What \`data\` is, such as a JSON Web Token; null without a document."
  accepts: String
  "What people and other tools call it."
  aliases: [String!]!
  "Changes with every change of a result."
  version: String!
  "Whether the same input always has the same result."
  deterministic: Boolean!
  "Whether \`check\` is supported."
  checkable: Boolean!
  "The field of \`run\` that runs it."
  field: String!
  "JSON Schema 2020-12 of the input of runTool."
  input: JSON!
  examples: [ToolExample!]!
  "The tools of a pipeline, in order; null for a tool."
  steps: [ID!]
}

"An input and its result."
type ToolExample {
  "What the example shows, if the input does not say it."
  title: String
  input: JSON!
  result: String!
}

"One run of a tool."
type ToolRun {
  tool: Tool!
  "The version of the tool."
  version: String!
  "The result itself; for a validator or a check, the report as JSON."
  result: String!
  "The same report; null without a report."
  report: Report
  "Whether the report has no errors; null without a report."
  valid: Boolean
}

"The findings of a validator, a linter or a check."
type Report {
  "Whether none of the findings is an error."
  valid: Boolean!
  errors: [Finding!]!
}

"A finding and its place."
type Finding {
  message: String!
  severity: Severity!
  "Stable name of the rule, in kebab case."
  rule: String!
  "From 1."
  line: Int!
  "From 1, in code points."
  column: Int!
  "From 0, in bytes."
  offset: Int!
  "RFC 6901; empty for the whole document."
  pointer: String!
}

"How bad a finding is."
enum Severity {
  ERROR
  WARNING
}
`;
