import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { toYaml } from "../../lib/yaml/to-yaml.ts";
import { readDialect, refusingJson } from "../json-dialect.ts";

export default defineTool({
  slug: "json-to-yaml",
  title: "JSON to YAML",
  version: "1.1.1",
  summary:
    "Convert JSON to YAML that every parser reads alike: numbers as written, ambiguous strings quoted.",
  page: {
    tile: "Read alike by every parser",
    view: "code:yaml",
    options: ["indent", "compat"],
    labels: { compat: "Safe for", "compat=yaml1.1": "YAML 1.1", "compat=yaml1.2": "YAML 1.2" },
  },
  accepts: "JSON",
  aliases:
    "json2yaml, json to yml, yq -P, yaml converter, json2yml, to yaml, kubernetes manifest, k8s yaml, helm values, openapi json to yaml, js-yaml dump",
  input: z.object({
    data: z.string().describe("The JSON document"),
    dialect: readDialect,
    indent: z.int().min(1).max(10).default(2).describe("Spaces per level, 1 to 10"),
    compat: z
      .enum(["yaml1.1", "yaml1.2"])
      .default("yaml1.1")
      .describe(
        "Parsers for which ambiguous strings are quoted: yaml1.1 for parsers of both versions, yaml1.2 for parsers of 1.2 only",
      ),
    lineWidth: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe("Column at which long strings are folded; 0 disables folding"),
  }),
  // Deep nesting multiplied by indentation can turn kilobytes into tens of megabytes.
  isolate: "process",
  examples: [
    {
      input: { data: '{"name":"x","list":[1,{"a":[]}],"text":"one\\ntwo\\n"}' },
      result: "name: x\nlist:\n  - 1\n  - a: []\ntext: |\n  one\n  two\n",
    },
    {
      title: "Strings that a parser of YAML 1.1 or 1.2 could read as another type",
      input: {
        data: '{"a":"no","b":"012","c":"2024-01-01","d":"1.0","e":1.0,"n":12345678901234567890,"y":"~","t":"x: y"}',
      },
      result:
        'a: "no"\nb: "012"\nc: "2024-01-01"\nd: "1.0"\ne: 1.0\n"n": 12345678901234567890\n"y": "~"\nt: "x: y"\n',
    },
  ],
  run: ({ data, dialect, ...layout }) =>
    refusingJson(data, dialect, () => toYaml(fromJson(data, dialect), layout)),
});
