import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { toChangeList, toStat } from "../../lib/diff/summary.ts";
import { diffText } from "../../lib/diff/text-diff.ts";
import { toUnified } from "../../lib/diff/unified.ts";

export default defineTool({
  slug: "text-differ",
  title: "Text differ",
  summary: "Compare two texts and answer with a patch, a list of changes or the number of them.",
  input: z.object({
    data: z.string().describe("The old text"),
    other: z.string().max(67_108_864).describe("The new text"),
    format: z
      .enum(["unified", "json", "stat"])
      .default("unified")
      .describe("unified is a patch, empty where nothing differs; json lists every change; stat counts them"),
    unit: z
      .enum(["line", "word", "character"])
      .default("line")
      .describe("What is compared, for json and stat; a patch is about lines"),
    context: z
      .int()
      .min(0)
      .max(10_000)
      .default(3)
      .describe("Lines that stay the same around a change of a patch"),
    ignoreWhitespace: z
      .boolean()
      .default(false)
      .describe("Whether texts that differ in white space alone are equal"),
    ignoreEol: z.boolean().default(false).describe("Whether CRLF and LF are the same"),
    labels: z
      .array(
        z
          .string()
          .max(1024)
          // Spelt out, because validators that read patterns without the flag u do not know \p.
          // oxlint-disable-next-line no-control-regex
          .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "Must not contain control characters."),
      )
      .length(2)
      .default(["a", "b"])
      .describe("The names of the old and of the new text at the head of a patch"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: "one\ntwo\nthree\n", other: "one\n2\nthree\n" },
      result: "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    },
    {
      title: "No line end at the end of the file, and no context",
      input: { data: "a\nb", other: "a\nb\n", context: 0, labels: ["old.txt", "new.txt"] },
      result: "--- old.txt\n+++ new.txt\n@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n",
    },
    {
      title: "Nothing differs but line ends",
      input: { data: "a\r\nb", other: "a\nb", ignoreEol: true },
      result: "",
    },
    {
      title: "Words",
      input: { data: "the old way", other: "the new way", format: "json", unit: "word" },
      result:
        '{\n  "equal": false,\n  "added": 1,\n  "removed": 1,\n  "changes": [\n    {\n      "op": "equal",\n      "text": "the "\n    },\n    {\n      "op": "delete",\n      "text": "old"\n    },\n    {\n      "op": "insert",\n      "text": "new"\n    },\n    {\n      "op": "equal",\n      "text": " way"\n    }\n  ]\n}',
    },
  ],
  async run({ data, other, format, unit, context, labels, ...options }) {
    if (format === "unified" && unit !== "line")
      throw invalidField("unit", "A patch is about lines; ask for json or stat.");
    const changes = await diffText(data, other, { ...options, unit });
    if (format === "unified") return toUnified(changes, context, labels);
    return format === "json" ? toChangeList(changes, unit === "line") : toStat(changes, context);
  },
});
