import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { createEquality, findChanges } from "../../lib/json-diff/changes.ts";
import { toMergePatch, toPatch, toText } from "../../lib/json-diff/write.ts";
import { readValue, writeValue } from "../json-value.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "json-differ",
  title: "JSON differ",
  summary: "Compare two JSON documents by value and return a patch or a list of changes.",
  input: z.object({
    data: z.string().describe("The first JSON document"),
    other: z.string().max(16_777_216).meta({ json: true }).describe("The second JSON document"),
    format: z
      .enum(["patch", "merge", "text"])
      .default("patch")
      .describe(
        "Output format: patch (RFC 6902, [] if equal), merge (RFC 7396) or text (one change per line, empty if equal)",
      ),
    arrays: z
      .enum(["ordered", "set", "key"])
      .default("ordered")
      .describe(
        "Comparison of arrays: ordered by position, set ignores the order, key pairs objects by a member and ignores their order",
      ),
    arrayKey: z
      .string()
      .min(1)
      .max(200)
      .default("id")
      .describe(
        "Member that pairs objects if arrays is key; arrays with objects that lack it or share its value are compared by position",
      ),
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
      title: "Objects paired by a member, in any order",
      input: {
        data: '[{"id":1,"v":1},{"id":2,"v":2}]',
        other: '[{"id":2,"v":3},{"id":1,"v":1}]',
        format: "text",
        arrays: "key",
      },
      result: '~ "/1/v": 2 -> 3',
    },
  ],
  isolate: "process",
  run({ data, other, format, ...options }) {
    const from = readValue(data);
    const to = readValue(other, "other");
    return refusing(
      other,
      () => {
        if (format === "merge") return writeValue(toMergePatch(from, to, createEquality(options)));
        const changes = findChanges(from, to, options);
        return format === "text" ? toText(changes) : writeValue(toPatch(changes));
      },
      "other",
    );
  },
});
