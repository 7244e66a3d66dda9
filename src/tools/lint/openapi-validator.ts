import { z } from "zod";
import type { Report } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { toJsonValues } from "../../lib/json-schema/validate.ts";
import { validateOpenApi } from "../../lib/openapi/validate.ts";
import { readDocument } from "../document.ts";
import { toMarkedReport } from "../json-mark.ts";
import { checkByRuleset } from "../check-by-ruleset.ts";

export default defineTool({
  slug: "openapi-validator",
  title: "OpenAPI validator",
  version: "1.3.0",
  summary:
    "Validate structure, references, parameters and examples of an OpenAPI description (2.0, 3.0, 3.1, 3.2).",
  page: { tile: "2.0, 3.0, 3.1 and 3.2", layout: "check", view: "report", options: ["version"] },
  accepts: "an OpenAPI description in JSON or YAML",
  aliases:
    "openapi, swagger, swagger validator, openapi lint, swagger editor, spectral, spectral ruleset, spectral lint, redocly, validate api description, oas3, openapi 3.1, api spec check, swagger.json, swagger lint, validate swagger, openapi.yaml",
  input: z.object({
    data: z.string().describe("The description, in JSON or YAML"),
    version: z
      .enum(["auto", "2.0", "3.0", "3.1", "3.2"])
      .default("auto")
      .describe("Version that the document must have; auto uses the one it declares"),
    examples: z
      .enum(["warning", "error"])
      .default("warning")
      .describe(
        "Severity of an example that does not fit its schema; a default that does not is always an error",
      ),
    ruleset: z
      .string()
      .min(1)
      .max(1_048_576)
      .meta({ json: "object" })
      .optional()
      .describe(
        "A ruleset of Spectral in YAML or JSON, by whose rules alone the document is checked; it may extend spectral:oas. Functions of JavaScript and other files are refused",
      ),
    fileName: z
      .string()
      .max(4096)
      .default("")
      .describe("Name of the file, for the overrides of a ruleset; a check of files knows it"),
  }),
  examples: [
    {
      input: { data: 'openapi: "3.1.0"\ninfo: {title: Pets, version: "1"}\npaths: {}\n' },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "A path parameter that the operation does not declare",
      input: {
        data: '{"openapi":"3.0.3","info":{"title":"Pets","version":"1"},\n"paths":{"/pets/{id}":{\n"get":{"responses":{"200":{"description":"A pet"}}}}}}',
      },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "{id} in the path \\"/pets/{id}\\" is not a path parameter of this operation.",\n      "severity": "error",\n      "rule": "path-parameter",\n      "line": 3,\n      "column": 7,\n      "offset": 88,\n      "pointer": "/paths/~1pets~1{id}/get"\n    }\n  ]\n}',
    },
  ],
  isolate: "process",
  check: "report",
  fileOptions: (fileName) => ({ fileName }),
  async run({ data, ruleset, fileName, ...options }): Promise<Report> {
    // JSON is valid YAML, but the JSON parser has better messages.
    const format = /^\s*(?:\[|\{\s*(?:"|\}|$))/.test(data) ? "json" : "yaml";
    const document = await readDocument(data, format);
    if ("errors" in document) return document;
    if (ruleset !== undefined)
      return checkByRuleset(data, format, document, { ...options, ruleset, fileName });
    const found = document.locate(await validateOpenApi(toJsonValues(document.value), options));
    return toMarkedReport(data, format, found);
  },
});
