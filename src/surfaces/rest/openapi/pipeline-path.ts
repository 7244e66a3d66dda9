import type { CatalogTool } from "../../../catalog/catalog.ts";
import { maxSteps } from "../../../catalog/pipeline.ts";
import { anyObject, componentOf, listOf, objectOf, text } from "./forms.ts";
import { countedHeaders, headersOf } from "./headers.ts";
import { everywhere, problemsOf } from "./problems.ts";
import { resultContent } from "./tool-path.ts";
import { type Example, type PathItem, refTo, type Schema } from "./types.ts";

/** `/api/pipelines/run`. */
export function pipelinePath(tools: readonly CatalogTool[]): PathItem {
  // A step is a tool; a named pipeline is not allowed.
  const slugs = tools.filter(({ steps }) => steps === undefined).map(({ slug }) => slug);
  const shown = example.value.steps.every(({ tool }) => slugs.includes(tool));
  const examplesOf = (one: Example): { examples?: Record<string, Example> } =>
    shown ? { examples: { example1: one } } : {};
  return {
    parameters: [refTo("parameters", "RequestId")],
    post: {
      operationId: "executePipeline",
      tags: ["pipelines"],
      summary: "Run several tools in one call",
      description:
        "The result of each step is the document of the next. All steps are validated before the first one runs; an error points to its step. Each step counts as one request.",
      parameters: [refTo("parameters", "Check")],
      requestBody: {
        required: true,
        content: { "application/json": { schema: toSchema(slugs), ...examplesOf(example) } },
      },
      responses: {
        200: {
          description: "The result of the last step; with `check`, its report without errors.",
          headers: headersOf(...countedHeaders),
          content: {
            ...resultContent,
            "application/json": { schema: componentOf("Result"), ...examplesOf(result) },
          },
        },
        ...problemsOf(...everywhere, 401, 403, 404, 406, 413, 415, 429, 503, 504),
        422: refTo("responses", "Findings"),
      },
    },
  };
}

const toSchema = (slugs: readonly string[]): Schema =>
  objectOf(
    {
      "data?": text("The document of the first step; omit it if its tool takes none"),
      steps: {
        ...listOf(
          objectOf(
            {
              tool: text("The slug of a tool", { enum: slugs }),
              "with?": anyObject("The fields of the tool, as for its own path, without data"),
            },
            { additionalProperties: false },
          ),
        ),
        minItems: 1,
        maxItems: maxSteps,
      },
    },
    { additionalProperties: false },
  );

const example = {
  summary: "Sort the keys and print one line",
  value: {
    data: '{"b": 1, "a": {"d": 2, "c": 3}}',
    steps: [{ tool: "json-sorter", with: { indent: 2 } }, { tool: "json-minifier" }],
  },
};

const result = { value: { result: '{"a":{"c":3,"d":2},"b":1}' } };
