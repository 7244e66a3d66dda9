import type { CatalogTool } from "../../../catalog/catalog.ts";
import { aliasesOf, describe } from "../../../catalog/describe.ts";
import { inputSchemaOf } from "../../../catalog/fields.ts";
import { componentOf } from "./forms.ts";
import { countedHeaders, headersOf } from "./headers.ts";
import { everywhere, problemsOf } from "./problems.ts";
import {
  type Content,
  type Example,
  type Operation,
  type Parameter,
  type PathItem,
  refTo,
  type Schema,
} from "./types.ts";

/** `/api/tools/<slug>`: input and answers of a tool, from its definition. */
export const toolPath = (tool: CatalogTool): PathItem => ({
  parameters: [refTo("parameters", "RequestId")],
  get: {
    operationId: `describe${nameOf(tool)}`,
    tags: [tool.category],
    summary: `${tool.title}: its fields and examples`,
    description: "The input of the tool, as JSON Schema 2020-12, and examples. Not counted.",
    security: [],
    parameters: [refTo("parameters", "IfNoneMatch")],
    responses: {
      200: refTo("responses", "ToolDescription"),
      304: refTo("responses", "NotModified"),
      ...problemsOf(...everywhere, 404, 503),
    },
  },
  post: runOperation(tool),
});

/** The forms of a result by media type. */
export const resultContent: Content = {
  "application/json": { schema: componentOf("Result") },
  "text/plain": { schema: { type: "string" } },
  "application/octet-stream": { schema: { type: "string", format: "binary" } },
};

function runOperation(tool: CatalogTool): Operation {
  const takesDocument = "data" in tool.input.shape;
  const checkable = tool.check !== undefined;
  return {
    operationId: `run${nameOf(tool)}`,
    tags: [tool.category],
    summary: tool.title,
    description: describeRun(tool),
    parameters: [...(checkable ? [refTo("parameters", "Check")] : []), ...optionParameters(tool)],
    requestBody: { required: takesDocument, content: requestContent(tool) },
    responses: {
      200: {
        description: checkable ? "The result; with `check`, a report without errors." : "The result.",
        headers: headersOf("Tool-Version", ...countedHeaders),
        content: {
          ...resultContent,
          "application/json": {
            schema: componentOf("Result"),
            ...toExamples(tool, ({ result }) => ({ result })),
          },
        },
      },
      ...problemsOf(...everywhere, 401, 403, 404, 406, 413, 415, 422, 429, 503, 504),
      ...(checkable && { 422: refTo("responses", "Findings") }),
    },
  };
}

function describeRun(tool: CatalogTool): string {
  const { summary, version, deterministic, steps, accepts } = tool;
  const takes = accepts === undefined ? "" : ` Takes ${accepts}.`;
  const names = aliasesOf(tool).join(", ");
  const called = names === "" ? "" : `\n\nAlso found as ${names}.`;
  const varies = deterministic ? "" : " Its result depends on time or randomness.";
  const counts = steps === undefined ? "" : ` Counts as ${steps.length} requests, one for each step.`;
  return `${summary}${takes}\n\nVersion ${version}.${varies}${counts}${called}`;
}

function requestContent(tool: CatalogTool): Content {
  const { $schema: _, ...schema } = describe(tool).input;
  const { data = { maxLength: 0 } } = flatProperties(tool);
  return {
    "application/json": { schema, ...toExamples(tool, ({ input }) => input) },
    "text/plain": { schema: { type: "string", ...data } },
    ...(tool.runBytes !== undefined && {
      "application/octet-stream": { schema: { type: "string", format: "binary" } },
    }),
  };
}

/** The fields other than the document, as parameters for a raw body. */
function optionParameters(tool: CatalogTool): Parameter[] {
  const { required = [] } = inputSchemaOf(tool.input) as { required?: string[] };
  const { data: _, ...options } = flatProperties(tool);
  return Object.entries(options).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    description: `${String(description)}. Not with a JSON body${required.includes(name) ? "; required without one" : ""}.`,
    schema,
  }));
}

const flatProperties = (tool: CatalogTool): Record<string, Schema> =>
  (inputSchemaOf(tool.input) as { properties?: Record<string, Schema> }).properties ?? {};

function toExamples(
  { examples }: CatalogTool,
  valueOf: (example: CatalogTool["examples"][number]) => unknown,
): { examples?: Record<string, Example> } {
  if (examples.length === 0) return {};
  // Examples have the same name in the request and in the answer; readers and mock servers pair them by it.
  const named = examples.map((example, index): [string, Example] => [
    `example${index + 1}`,
    { ...(example.title !== undefined && { summary: example.title }), value: valueOf(example) },
  ]);
  return { examples: Object.fromEntries(named) };
}

/**
 * Converts a slug to a part of a name in camel case. A hyphen before a digit becomes an underscore: `sha-1` and `sha1`
 * are two tools and must not share an operationId.
 */
const nameOf = ({ slug }: CatalogTool): string =>
  slug.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()).replaceAll("-", "_");
