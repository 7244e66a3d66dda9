import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { csvToJsonText } from "../../lib/csv/to-json-text.ts";
import { checkDialect, duplicateHeaders, emptyLines, quote, quotes, readDelimiter } from "../csv-fields.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "csv-to-json",
  title: "CSV to JSON",
  summary: "Convert CSV (RFC 4180) to a JSON array of its records.",
  input: z.object({
    data: z.string().describe("The CSV text"),
    delimiter: readDelimiter,
    header: z.boolean().default(true).describe("Read the column names from the first record"),
    types: z
      .enum(["none", "infer"])
      .default("none")
      .describe(
        "Types of values: none keeps every field as text; infer converts true, false and numbers that a double holds exactly",
      ),
    inferColumns: z
      .array(z.string().max(1000))
      .max(1000)
      .default([])
      .describe("Columns to infer, by name or, without a header, by index from 0; defaults to all"),
    ragged: z
      .enum(["error", "pad", "keep"])
      .default("error")
      .describe(
        "Handling of a record that is shorter than the first: error refuses it, pad adds empty fields, keep leaves it",
      ),
    comment: z
      .string()
      .max(16)
      .default("")
      .describe("Prefix of comment lines, which are skipped; empty for none"),
    quote,
    quotes,
    duplicateHeaders,
    emptyLines,
    limit: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe("Maximum number of records; defaults to all"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  }),
  whenOff: { header: "Treat the first record as data and write each record as an array" },
  isolate: "process",
  examples: [
    {
      input: { data: 'id,name\n007,"Ada ""Countess"" Lovelace"\n', indent: 0 },
      result: '[{"id":"007","name":"Ada \\"Countess\\" Lovelace"}]',
    },
    {
      title: "A line break in a field, an empty field and inferred types",
      input: {
        data: 'n;ok;note\r\n1.50;TRUE;"a\r\nb"\r\n0123;;""',
        delimiter: ";",
        types: "infer",
        indent: 0,
      },
      result: '[{"n":1.50,"ok":true,"note":"a\\r\\nb"},{"n":"0123","ok":"","note":""}]',
    },
    {
      title: "No header",
      input: { data: "a,b\nc,d", header: false, indent: 0 },
      result: '[["a","b"],["c","d"]]',
    },
  ],
  run({ data, indent, limit = Number.POSITIVE_INFINITY, ...options }) {
    checkDialect(options);
    return refusing(data, () => csvToJsonText(data, { ...options, limit }, indent));
  },
});
