import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { loadYaml } from "../../lib/yaml/parse.ts";
import { validateYaml } from "../../lib/yaml/validate.ts";
import { toSortedFindings } from "../findings.ts";

export default defineTool({
  slug: "yaml-validator",
  title: "YAML validator",
  summary: "Say whether a document or stream is YAML and, where it is not, in which places and why.",
  input: z.object({
    data: z.string().describe("The document, or several, each begun by ---"),
    version: z.enum(["1.1", "1.2"]).default("1.2").describe("The version of YAML whose rules hold"),
    duplicateKeys: z.enum(["error", "allow"]).default("error").describe("Whether a map may have a key twice"),
    lint: z
      .array(z.enum(["indent", "truthy", "tabs", "key-order"]))
      .max(4)
      .default([])
      .describe(
        "Rules beyond the specification, each finding an error: one step of indentation; no plain yes, no, on, off; no tabs; keys in order",
      ),
  }),
  isolate: "process",
  examples: [
    { input: { data: "a: 1\nb: [x, y]\n" }, result: '{\n  "valid": true,\n  "errors": []\n}' },
    {
      title: "A key that comes twice, because readers disagree about which value counts",
      input: { data: "port: 80\nhost: x\nport: 8080\n" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The key \\"port\\" occurs twice in this map; the first is on line 1.",\n      "severity": "error",\n      "rule": "duplicate-key",\n      "line": 3,\n      "column": 1,\n      "offset": 17,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "A word that is a boolean to some readers and a string to others",
      input: { data: "debug: no\n", lint: ["truthy"] },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "no is a boolean in YAML 1.1 and a string in YAML 1.2; put it in quotes, or write true or false.",\n      "severity": "error",\n      "rule": "truthy",\n      "line": 1,\n      "column": 8,\n      "offset": 7,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  check: "report",
  async run({ data, ...checks }) {
    const yaml = await loadYaml();
    return toReport(toSortedFindings(data, validateYaml(yaml, data, checks)));
  },
});
