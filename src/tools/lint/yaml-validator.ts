import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { loadYaml } from "../../lib/yaml/parse.ts";
import { validateYaml } from "../../lib/yaml/validate.ts";
import { toSortedFindings } from "../findings.ts";

export default defineTool({
  slug: "yaml-validator",
  title: "YAML validator",
  version: "1.0.1",
  summary: "Validate a YAML document or stream and report the place of each error.",
  page: {
    tile: "Errors and traps",
    layout: "check",
    view: "report",
    options: ["version", "lint"],
    labels: { lint: "Lint" },
    next: [
      { slug: "yaml-to-json", text: "Convert to JSON" },
      { slug: "yaml-formatter", text: "Format" },
    ],
  },
  accepts: "YAML",
  aliases:
    "yamllint, yaml lint, validate yaml, yml lint, check yaml, yaml syntax, yaml error, kubernetes yaml check, yaml checker, duplicate keys yaml, github actions yaml, is yaml valid",
  input: z.object({
    data: z.string().describe("The document, or several that begin with ---"),
    version: z.enum(["1.1", "1.2"]).default("1.2").describe("YAML version"),
    duplicateKeys: z
      .enum(["error", "allow"])
      .default("error")
      .describe("Handling of duplicate keys in a map"),
    lint: z
      .array(z.enum(["indent", "truthy", "tabs", "key-order"]))
      .max(4)
      .default([])
      .describe(
        "Additional rules, whose findings are errors: indent (consistent indentation), truthy (no plain yes, no, on or off), tabs (no tabs), key-order (sorted keys)",
      ),
  }),
  isolate: "process",
  examples: [
    { input: { data: "a: 1\nb: [x, y]\n" }, result: '{\n  "valid": true,\n  "errors": []\n}' },
    {
      title: "A duplicate key is an error, because parsers disagree about which value wins",
      input: { data: "port: 80\nhost: x\nport: 8080\n" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The key \\"port\\" occurs twice in this map; the first is on line 1.",\n      "severity": "error",\n      "rule": "duplicate-key",\n      "line": 3,\n      "column": 1,\n      "offset": 17,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "A word that some parsers read as a boolean and others as a string",
      input: { data: "debug: no\n", lint: ["truthy"] },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "no is a boolean in YAML 1.1 and a string in YAML 1.2; put it in quotes, or write true or false.",\n      "severity": "error",\n      "rule": "truthy",\n      "line": 1,\n      "column": 8,\n      "offset": 7,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  check: "report",
  ruleAliases: {
    "duplicate-key": ["yamllint/key-duplicates"],
    indent: ["yamllint/indentation"],
    "key-order": ["yamllint/key-ordering"],
    truthy: ["yamllint/truthy"],
  },
  async run({ data, ...checks }) {
    const yaml = await loadYaml();
    return toReport(toSortedFindings(data, validateYaml(yaml, data, checks)));
  },
});
