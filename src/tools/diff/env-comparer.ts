import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { compareEnv, readEnvFile } from "../../lib/env/compare.ts";
import { toSortedFindings } from "../findings.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "env-comparer",
  title: "ENV comparer",
  summary: "Report which variables of a dotenv file are missing, extra or changed compared with another.",
  page: {
    title: ".env comparer",
    tile: "Missing, extra and changed names",
    layout: "compare",
    view: "report:changes",
    options: ["keysOnly", "showValues"],
    second: "other",
    labels: { data: "Old .env", other: "New .env", keysOnly: "Names only", showValues: "Show values" },
  },
  accepts: "a dotenv file",
  aliases:
    "compare .env files, env diff, missing environment variables, .env.example, dotenv diff, dotenv-linter compare, staging and production env, environment drift",
  input: z.object({
    data: z.string().describe("The text of the .env file to check"),
    other: z.string().max(10_000_000).describe("The text of the .env file to compare it with"),
    keysOnly: z.boolean().default(false).describe("Compare names only, as with a .env.example"),
    showValues: z.boolean().default(false).describe("Include values in messages; they are often secrets"),
  }),
  examples: [
    {
      input: { data: "A=1\nB=2\n", other: "B='2'\nA=1" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "A different value, and a missing name",
      input: { data: "A=1\n", other: "A=2\nB=3\n" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "A has another value in the other file.",\n      "severity": "error",\n      "rule": "changed-value",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    },\n    {\n      "message": "B is missing; the other file has it.",\n      "severity": "error",\n      "rule": "missing-key",\n      "line": 2,\n      "column": 1,\n      "offset": 4,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  check: "report",
  against: {},
  run({ data, other, ...options }) {
    const mine = refusing(data, () => readEnvFile(data));
    const theirs = refusing(other, () => readEnvFile(other), "other");
    return toReport(toSortedFindings(data, compareEnv(mine, theirs, options)));
  },
});
