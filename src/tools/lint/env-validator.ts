import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { validateEnv } from "../../lib/env/validate.ts";
import { toSortedFindings } from "../findings.ts";

export default defineTool({
  slug: "env-validator",
  title: "ENV validator",
  version: "1.1.0",
  summary: "Validate a dotenv file: syntax, quotes, comments, duplicate and missing names.",
  page: {
    title: ".env validator",
    tile: "Syntax, duplicate, missing names",
    layout: "check",
    view: "report",
    options: ["required"],
    labels: { required: "Required names" },
    next: [{ slug: "env-to-json", text: "Convert to JSON" }],
  },
  accepts: "a dotenv file",
  aliases:
    "dotenv linter, dotenv-linter, validate .env, check .env, env lint, duplicate keys in env, missing env variables, env file checker, envalid",
  input: z.object({
    data: z.string().describe("The text of the .env file"),
    required: z.array(z.string().min(1).max(256)).max(1000).default([]).describe("Names that must be set"),
  }),
  examples: [
    {
      input: { data: "# web\nHOST=localhost\nPORT=8080\n" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "A duplicate name, and a missing one",
      input: { data: "PORT=1\nPORT=2\n", required: ["HOST"] },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "PORT is set twice; parsers disagree about which one wins.",\n      "severity": "error",\n      "rule": "duplicate-key",\n      "line": 2,\n      "column": 1,\n      "offset": 7,\n      "pointer": ""\n    },\n    {\n      "message": "HOST is required and not set.",\n      "severity": "error",\n      "rule": "missing-key",\n      "line": 3,\n      "column": 1,\n      "offset": 14,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "A warning alone leaves the file valid",
      input: { data: "COLOR=red#fff" },
      result:
        '{\n  "valid": true,\n  "errors": [\n    {\n      "message": "Some parsers read this # as a comment; put the value in quotes.",\n      "severity": "warning",\n      "rule": "unquoted-hash",\n      "line": 1,\n      "column": 10,\n      "offset": 9,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  check: "report",
  ruleAliases: {
    "duplicate-key": ["dotenv-linter/DuplicatedKey"],
    name: ["dotenv-linter/IncorrectDelimiter", "dotenv-linter/LeadingCharacter"],
    "no-assignment": ["dotenv-linter/KeyWithoutValue"],
    "unquoted-space": ["dotenv-linter/ValueWithoutQuotes"],
  },
  run: ({ data, required }) => toReport(toSortedFindings(data, validateEnv(data, required))),
});
