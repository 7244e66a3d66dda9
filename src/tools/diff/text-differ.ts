import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { toReport } from "../../catalog/report.ts";
import { toDifferences } from "../../lib/diff/report.ts";
import { toChangeList, toStat } from "../../lib/diff/summary.ts";
import { diffText } from "../../lib/diff/text-diff.ts";
import { patchLabels } from "../patch-labels.ts";
import { toFindings } from "../findings.ts";
import { toUnified } from "../../lib/diff/unified.ts";

export default defineTool({
  slug: "text-differ",
  title: "Text differ",
  version: "1.1.0",
  summary: "Compare two texts and return a patch, a list of changes or their number.",
  page: {
    tile: "Side by side, with marked words",
    layout: "compare",
    view: "diff",
    options: ["ignoreWhitespace", "ignoreCase", "ignoreEol", "unit"],
    second: "other",
    labels: {
      data: "Old text",
      other: "New text",
      ignoreWhitespace: "Ignore white space",
      ignoreEol: "Ignore line ends",
      unit: "Compare",
      "unit=line": "Lines",
      "unit=word": "Words",
      "unit=character": "Characters",
    },
  },
  accepts: "the old text",
  aliases:
    "diff, text diff, text compare, compare text, compare two files, difference checker, diffchecker, unified diff, diff -u, git diff, make patch, create patch, patch file, vimdiff, meld, fc",
  input: z.object({
    data: z.string().describe("The old text"),
    other: z.string().max(67_108_864).describe("The new text"),
    format: z
      .enum(["unified", "json", "stat"])
      .default("unified")
      .describe(
        "Output format: unified (a patch, empty if the texts are equal), json (every change) or stat (the number of changes)",
      ),
    unit: z
      .enum(["line", "word", "character"])
      .default("line")
      .describe("Unit of comparison, for json and stat; a patch always compares lines"),
    context: z.int().min(0).max(10_000).default(3).describe("Unchanged lines around each change of a patch"),
    ignoreWhitespace: z.boolean().default(false).describe("Ignore white space"),
    ignoreCase: z.boolean().default(false).describe("Ignore the case of letters"),
    ignoreEol: z.boolean().default(false).describe("Ignore the difference between CRLF and LF"),
    labels: patchLabels,
  }),
  isolate: "process",
  examples: [
    {
      input: { data: "one\ntwo\nthree\n", other: "one\n2\nthree\n" },
      result: "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    },
    {
      title: "No line break at the end of the file, and no context",
      input: { data: "a\nb", other: "a\nb\n", context: 0, labels: ["old.txt", "new.txt"] },
      result: "--- old.txt\n+++ new.txt\n@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n",
    },
    {
      title: "Only line endings and the case of letters differ",
      input: { data: "a\r\nb", other: "a\nB", ignoreEol: true, ignoreCase: true },
      result: "",
    },
    {
      title: "Words",
      input: { data: "the old way", other: "the new way", format: "json", unit: "word" },
      result:
        '{\n  "equal": false,\n  "added": 1,\n  "removed": 1,\n  "changes": [\n    {\n      "op": "equal",\n      "text": "the "\n    },\n    {\n      "op": "delete",\n      "text": "old"\n    },\n    {\n      "op": "insert",\n      "text": "new"\n    },\n    {\n      "op": "equal",\n      "text": " way"\n    }\n  ]\n}',
    },
  ],
  check: "difference",
  against: {},
  async run({ data, other, format, unit, context, labels, ...options }) {
    if (format === "unified" && unit !== "line")
      throw invalidField("unit", "A patch is about lines; ask for json or stat.");
    const changes = await diffText(data, other, { ...options, unit });
    if (format === "unified") return toUnified(changes, context, labels);
    return format === "json" ? toChangeList(changes, unit === "line") : toStat(changes, context);
  },
  async report({ data, other, ...options }) {
    const changes = await diffText(data, other, { ...options, unit: "line" });
    return toReport(toFindings(data, toDifferences(changes)));
  },
});
