import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { defineTool } from "../../catalog/tool.ts";
import { toJson } from "../../lib/data/to-json.ts";
import { fromYaml, yamlTags } from "../../lib/yaml/from-yaml.ts";
import { loadYaml } from "../../lib/yaml/parse.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "yaml-to-json",
  title: "YAML to JSON",
  version: "2.0.1",
  summary:
    "Convert YAML to JSON, preserving the digits of numbers; aliases that expand excessively are refused.",
  page: {
    tile: "Digits kept, aliases bounded",
    view: "code:json+tree",
    options: ["schema", "documents", "indent"],
    labels: {
      "schema=core": "YAML 1.2",
      "schema=yaml-1.1": "YAML 1.1",
      "schema=failsafe": "Text only",
      "documents=single": "One",
      "documents=all": "All",
    },
  },
  accepts: "YAML",
  aliases:
    "yaml2json, yml to json, yq -o json, yaml parser, parse yaml, js-yaml load, yaml converter, kubernetes manifest to json, yaml viewer",
  input: z.object({
    data: z.string().describe("The YAML document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
    schema: z
      .enum(["core", "yaml-1.1", "failsafe"])
      .default("core")
      .describe(
        "Types of plain scalars: core follows YAML 1.2; in yaml-1.1 no is a boolean and 012 is octal; in failsafe every scalar is a string",
      ),
    documents: z
      .enum(["single", "all"])
      .default("single")
      .describe("Number of documents: single expects one, all returns an array of any number"),
    merge: z.boolean().default(true).describe("Merge the maps under the key << into their parent"),
    keys: z
      .enum(["error", "stringify"])
      .default("error")
      .describe("Handling of keys that are not strings: refuse them, or convert them to strings as written"),
    tags: z
      .enum(yamlTags)
      .default("error")
      .describe(
        "Handling of tags such as !Ref: error refuses them, drop keeps the value alone, keep makes it an object with the tag as its key, cloudformation writes the long form of its functions; the tags of YAML itself set types",
      ),
  }),
  whenOff: { merge: "Treat the key << like any other key" },
  isolate: "process",
  examples: [
    {
      input: { data: "on: push\nv: 1.0\nlist:\n  - 012\n  - no\n" },
      result: '{\n  "on": "push",\n  "v": 1.0,\n  "list": [\n    12,\n    "no"\n  ]\n}',
    },
    {
      title: "Anchors, merge keys and booleans of YAML 1.1",
      input: {
        data: "base: &b {a: 1, b: 2}\nmore:\n  <<: *b\n  b: yes\n  mode: 0644\n",
        indent: 0,
        schema: "yaml-1.1",
      },
      result: '{"base":{"a":1,"b":2},"more":{"a":1,"b":true,"mode":420}}',
    },
    {
      title: "A stream of documents, and keys that are not strings",
      input: { data: "---\n80: web\n---\n[]\n", documents: "all", keys: "stringify", indent: 0 },
      result: '[{"80":"web"},[]]',
    },
    {
      title: "Tags of CloudFormation",
      input: { data: "a: !Ref Bucket\nb: !GetAtt Db.Endpoint.Port\n", tags: "cloudformation", indent: 0 },
      result: '{"a":{"Ref":"Bucket"},"b":{"Fn::GetAtt":["Db","Endpoint.Port"]}}',
    },
  ],
  async run({ data, indent, documents, ...options }) {
    const yaml = await loadYaml();
    return refusing(data, () => {
      const values = fromYaml(yaml, data, options);
      if (documents === "all") return toJson(values, indent);
      if (values.length <= 1) return toJson(values[0] ?? null, indent);
      const message = `data has ${values.length} documents; set documents to all to get them as an array.`;
      throw new ToolError("invalid_document", message);
    });
  },
});
