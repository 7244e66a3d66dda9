import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import { dialectOption } from "../../lib/json-files.ts";
import { loneSurrogateError } from "../../lib/json/refusals.ts";
import { validateJson } from "../../lib/json/validate.ts";
import { messageOf } from "../../catalog/errors.ts";
import { adviseDialect } from "../json-dialect.ts";
import { toMarkedReport } from "../json-mark.ts";
import { toFindings } from "../findings.ts";

export default defineTool({
  slug: "json-validator",
  title: "JSON validator",
  version: "1.2.0",
  summary: "Validate a JSON document and report the place of each error.",
  page: {
    tile: "Every error with its place",
    layout: "check",
    view: "report",
    options: ["dialect", "duplicateKeys"],
    labels: { duplicateKeys: "Equal keys" },
    next: [
      { slug: "json-formatter", text: "Format", keeps: ["dialect", "duplicateKeys"] },
      { slug: "json-query", text: "Query", keeps: ["dialect"] },
      { slug: "json-to-yaml", text: "Convert to YAML", keeps: ["dialect"] },
    ],
  },
  accepts: "JSON",
  aliases:
    "json lint, jsonlint, validate json, json syntax check, json error, invalid json, check json, json parse error, unexpected token, json checker, is this valid json, duplicate keys in json, trailing comma, jsonc validator, json5 validator, json.parse, json.tool",
  input: z.object({
    data: z.string().describe("The document"),
    dialect: z
      .enum(["json", "jsonc", "json5"])
      .default("json")
      .describe(
        "Dialect: json (RFC 8259), jsonc (JSON with comments and trailing commas) or json5 (the JSON5 specification)",
      ),
    duplicateKeys: z
      .enum(["error", "allow"])
      .default("error")
      .describe("Handling of duplicate keys in an object"),
    maxDepth: z
      .int()
      .min(1)
      .max(100_000)
      .default(512)
      .describe("Maximum nesting depth of arrays and objects"),
  }),
  examples: [
    { input: { data: '{"a": [1, 2.50, null]}' }, result: '{\n  "valid": true,\n  "errors": []\n}' },
    {
      title: "A duplicate key is an error, because parsers disagree about which value wins",
      input: { data: '{\n  "port": 80,\n  "port": 8080\n}' },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Duplicate key \\"port\\" at line 3, column 3; the first is at line 2, column 3.",\n      "severity": "error",\n      "rule": "duplicate-key",\n      "line": 3,\n      "column": 3,\n      "offset": 18,\n      "pointer": "/port"\n    }\n  ]\n}',
    },
    {
      title: "Comments and trailing commas in the dialect jsonc",
      input: { data: "[1, /* two */ 2,]", dialect: "jsonc" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
  ],
  check: "report",
  fileOptions: dialectOption,
  run: ({ data, ...options }) => {
    if (!data.isWellFormed()) return toReport(toFindings(data, [loneSurrogateError(data)]));
    return validate(Buffer.from(data), options);
  },
  maxBytes: maxDocument,
  runBytes: validate,
});

function validate(data: Uint8Array, options: NonNullable<Parameters<typeof validateJson>[1]>): Report {
  const problems = validateJson(data, options);
  const advice = options.dialect === "json" ? adviseDialect(data, problems[0]?.rule ?? "") : "";
  const errors = problems.map(({ rule, line, column, offset, pointer, ...problem }, at) => ({
    message: `${messageOf({ ...problem, line, column })}${at === 0 ? advice : ""}`,
    severity: "error" as const,
    rule,
    line,
    column,
    offset,
    pointer,
  }));
  return toMarkedReport(data, options.dialect ?? "json", errors);
}
