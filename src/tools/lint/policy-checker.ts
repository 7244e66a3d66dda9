import { z } from "zod";
import type { Report } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { openEngine } from "../../lib/cel/engine.ts";
import { readDocuments, type StreamFormat } from "../documents.ts";
import { toMarkedReport } from "../json-mark.ts";
import { formatOfFile, policyExamples } from "../policy-checker-parts.ts";
import { readPolicy } from "../read-policy.ts";
import { runPolicy } from "../run-policy.ts";

export default defineTool({
  slug: "policy-checker",
  title: "Policy checker",
  summary:
    "Check documents by the rules of a policy, whose conditions are CEL, and report the place of each violation.",
  page: {
    tile: "Rules of your own, in CEL",
    layout: "compare",
    view: "report",
    options: ["dataFormat"],
    second: "policy",
    labels: { data: "Document", policy: "Policy", dataFormat: "Format" },
  },
  accepts: "JSON, YAML, TOML or NDJSON",
  aliases:
    "cel, common expression language, policy as code, policy check, cel policy, custom rules, check config against rules, guardrails, enforce rules, assert",
  input: z.object({
    data: z.string().describe("The document; in YAML several that begin with ---, in NDJSON one a line"),
    policy: z
      .string()
      .max(1_048_576)
      .meta({ json: "object" })
      .describe(
        "The policy in YAML or JSON: rules, each with id and expression (CEL, true where the document is as it must be), and optionally message, messageExpression, severity (error or warning), match (CEL) and each (JSONPath of the values that it is evaluated for); and variables, each with name and expression. Expressions use document, self, path and variables. Rego is not supported",
      ),
    dataFormat: z
      .enum(["json", "jsonc", "yaml", "toml", "ndjson"])
      .default("json")
      .describe("Format of the document; a check of files takes it from the name of the file"),
  }),
  isolate: "process",
  examples: policyExamples,
  check: "report",
  fileOptions: formatOfFile,
  async run({ data, policy, dataFormat }): Promise<Report> {
    const engine = await openEngine();
    const rules = await readPolicy(policy, engine);
    const documents = await readDocuments(data, dataFormat satisfies StreamFormat);
    if ("errors" in documents) return documents;
    const { errors } = await runPolicy(data, documents, rules, engine);
    return toMarkedReport(data, dataFormat, errors);
  },
});
