import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import type { CsvReadOptions } from "../../lib/csv/read.ts";
import { createJsonWriter, csvToJsonText } from "../../lib/csv/to-json-text.ts";
import * as fields from "../csv-fields.ts";
import { createCsvRun } from "../csv-run.ts";
import { csvToJsonExamples } from "../csv-to-json-examples.ts";
import { advising, refusing } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The CSV text"),
  delimiter: fields.readDelimiter,
  header: z.boolean().default(true).describe("Read the column names from the first record"),
  types: fields.types,
  inferColumns: fields.inferColumns,
  trim: fields.trim,
  emptyFields: fields.emptyFields,
  unflatten: fields.unflatten,
  ragged: fields.ragged,
  comment: z
    .string()
    .max(16)
    .default("")
    .describe("Prefix of comment lines, which are skipped; empty for none"),
  quote: fields.quote,
  quotes: fields.quotes,
  duplicateHeaders: fields.duplicateHeaders,
  emptyLines: fields.emptyLines,
  limit: z.int().min(1).max(1_000_000_000).optional().describe("Maximum number of records; defaults to all"),
  indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  encoding: fields.encoding,
});

export default defineTool({
  slug: "csv-to-json",
  title: "CSV to JSON",
  version: "1.2.2",
  summary: "Convert CSV (RFC 4180) to a JSON array of its records.",
  page: {
    tile: "Records, with types if you like",
    view: "code:json+table",
    options: ["delimiter", "header", "types"],
    labels: {
      header: "First row is a header",
      types: "Types",
      "types=none": "Text only",
      "types=infer": "Detect",
    },
  },
  accepts: "CSV",
  aliases:
    "csv2json, parse csv, convert csv, tsv, tsv to json, excel to json, spreadsheet, comma separated values, csvjson, csvkit, miller, mlr, papaparse, read csv, semicolon separated",
  input,
  whenOff: { header: "Treat the first record as data and write each record as an array" },
  isolate: "process",
  examples: csvToJsonExamples,
  run: ({ data, ...options }) => convert(data, options),
  runBytes: (bytes, options) => convert(fields.decodeCsv(bytes, options.encoding), options),
  runBlocks: ({ indent, ...options }) =>
    createCsvRun("csv-to-json", toReading(options), options.encoding, (reading) =>
      createJsonWriter(reading, indent),
    ),
});

type Options = Omit<z.output<typeof input>, "data">;

function toReading({
  limit = Number.POSITIVE_INFINITY,
  ...options
}: Omit<Options, "indent">): CsvReadOptions {
  return { ...fields.checkDialect(options), limit, emptyAsNull: options.emptyFields === "null" };
}

function convert(data: string, { indent, ...options }: Options): string {
  const reading = toReading(options);
  const work = () => csvToJsonText(data, reading, indent);
  return refusing(data, () => advising(work, (fault) => fields.adviseQuotes(fault, data, reading)));
}
