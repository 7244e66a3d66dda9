import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { isList } from "../../lib/data/value.ts";
import { applyPatch } from "../../lib/json-patch/apply.ts";
import { mergePatch } from "../../lib/json-patch/merge.ts";
import { parseOperations } from "../../lib/json-patch/operations.ts";
import { readDialect, readJson } from "../json-dialect.ts";
import { readValue, writeValue } from "../json-value.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "json-patcher",
  title: "JSON patcher",
  version: "1.1.1",
  summary: "Apply a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396), preserving numbers as written.",
  page: {
    tile: "Apply a patch or a merge patch",
    layout: "compare",
    view: "code:json+diff",
    tab: "Result",
    options: ["type", "indent"],
    second: "patch",
    labels: { data: "Document", patch: "Patch" },
  },
  accepts: "JSON",
  aliases:
    "json patch, rfc 6902, rfc 7396, json merge patch, apply patch, apply json patch, merge json, merge patch, update json, modify json, set value in json, kubectl patch, change json field, deep merge",
  input: z.object({
    data: z.string().describe("The JSON document"),
    patch: z
      .string()
      .max(16_777_216)
      .meta({ json: true })
      .describe("The patch: an array of operations, or the document to merge"),
    type: z
      .enum(["auto", "patch", "merge"])
      .default("auto")
      .describe(
        "Type of the patch; auto reads an array as a JSON Patch and any other value as a merge patch",
      ),
    dialect: readDialect,
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  }),
  examples: [
    {
      input: {
        data: '{"port":80,"hosts":["a"]}',
        patch: '[{"op":"replace","path":"/port","value":443},{"op":"add","path":"/hosts/-","value":"b"}]',
        indent: 0,
      },
      result: '{"port":443,"hosts":["a","b"]}',
    },
    {
      title: "In a merge patch null removes a member; other numbers keep their notation",
      input: { data: '{"id":12345678901234567890,"rate":1.0,"old":{}}', patch: '{"old":null,"new":1e2}' },
      result: '{\n  "id": 12345678901234567890,\n  "rate": 1.0,\n  "new": 1e2\n}',
    },
  ],
  isolate: "process",
  run({ data, patch, type, dialect, indent }) {
    const document = readJson(data, dialect);
    const change = readValue(patch, "patch");
    if (type === "merge" || (type === "auto" && !isList(change)))
      return writeValue(mergePatch(document, change), indent);
    return refusing(patch, () => writeValue(applyPatch(document, parseOperations(change)), indent), "patch");
  },
});
