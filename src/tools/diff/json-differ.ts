import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { differFields, fileFormat, reportDifferences, writeDifferences } from "../json-differ-fields.ts";

export default defineTool({
  slug: "json-differ",
  title: "JSON differ",
  version: "1.3.1",
  summary: "Compare two documents in JSON, YAML or TOML by value and return a patch or a list of changes.",
  page: {
    tile: "Changed paths, patch, side by side",
    layout: "compare",
    view: "changes",
    options: ["arrays", "ignorePaths", "ignoreCase"],
    second: "other",
    labels: {
      data: "Old document",
      other: "New document",
      "arrays=ordered": "By position",
      "arrays=set": "As sets",
      "arrays=key": "By key",
      ignorePaths: "Ignore paths",
    },
  },
  accepts: "JSON, YAML or TOML",
  aliases:
    "json diff, jsondiff, json compare, compare json, jd, json-diff, deep diff, difference between two json files, create json patch, rfc 6902, json patch generator, compare api responses, deep equal, yaml diff, compare yaml, dyff, toml diff, compare helm values",
  input: z.object({
    data: z.string().describe("The first document, in JSON, YAML or TOML"),
    other: z.string().max(16_777_216).meta({ json: true }).describe("The second document"),
    ...differFields,
  }),
  examples: [
    {
      input: { data: '{"a":1,"b":[1,2,3]}', other: '{"a":1.0,"b":[1,3],"c":true}', format: "text" },
      result: '- "/b/1": 2\n+ "/c": true',
    },
    {
      title: "A patch; equal numbers in different notations do not differ",
      input: { data: '{"n":1.50,"x":{"y":1}}', other: '{"x":{"y":12345678901234567890},"n":15e-1}' },
      result: '[\n  {\n    "op": "replace",\n    "path": "/x/y",\n    "value": 12345678901234567890\n  }\n]',
    },
    {
      title: "Values that differ every time are ignored",
      input: {
        data: '{"id":1,"at":"09:00","tags":["A"]}',
        other: '{"id":1,"at":"10:00","tags":["a"]}',
        ignorePaths: ["$..at"],
        ignoreCase: true,
      },
      result: "[]",
    },
    {
      title: "Objects paired by a member, in any order",
      input: {
        data: '[{"id":1,"v":1},{"id":2,"v":2}]',
        other: '[{"id":2,"v":3},{"id":1,"v":1}]',
        format: "text",
        arrays: "key",
      },
      result: '~ "/1/v": 2 -> 3',
    },
    {
      title: "Objects paired by a member, with changes of their order",
      input: {
        data: '[{"id":1},{"id":2}]',
        other: '[{"id":2},{"id":1}]',
        arrays: "key",
        moves: true,
        format: "text",
      },
      result: '> "/0" -> "/1"',
    },
    {
      title: "YAML and JSON",
      input: {
        data: "port: 80 # web\nhosts: &h [a, b]\naliases: *h\n",
        other: '{"port": 80.0, "hosts": ["a", "b"], "aliases": ["a"]}',
        dataFormat: "yaml",
        otherFormat: "json",
        format: "text",
      },
      result: '- "/aliases/1": "b"',
    },
  ],
  isolate: "process",
  check: "difference",
  against: {},
  fileOptions: fileFormat,
  run: ({ data, other, ...options }) => writeDifferences(data, other, options),
  report: ({ data, other, ...options }) => reportDifferences(data, other, options),
});
