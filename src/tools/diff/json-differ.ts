import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { findChanges } from "../../lib/json-diff/changes.ts";
import { toDifferences } from "../../lib/json-diff/report.ts";
import { findingsIn } from "../json-dialect.ts";
import { differFields, readBoth, refuseIgnoredItems, writeDifferences } from "../json-differ-fields.ts";
import { toMarkedReport } from "../json-mark.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The first JSON document"),
  other: z.string().max(16_777_216).meta({ json: true }).describe("The second JSON document"),
  ...differFields,
});

export default defineTool({
  slug: "json-differ",
  title: "JSON differ",
  version: "1.2.0",
  summary: "Compare two JSON documents by value and return a patch or a list of changes.",
  accepts: "JSON",
  aliases:
    "json diff, jsondiff, json compare, compare json, jd, json-diff, deep diff, difference between two json files, create json patch, rfc 6902, json patch generator, compare api responses, deep equal",
  input,
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
  ],
  isolate: "process",
  check: "difference",
  async run({ data, other, ...options }) {
    const documents = await readBoth(data, other, options);
    if (options.format !== "text") refuseIgnoredItems(documents);
    return refusing(other, () => writeDifferences(documents, options), "other");
  },
  async report({ data, other, ...options }) {
    const [from, to] = await readBoth(data, other, options);
    const changes = refusing(other, () => findChanges(from.value, to.value, options), "other");
    return toMarkedReport(data, options.dialect, findingsIn(data, options.dialect, toDifferences(changes)));
  },
});
