import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { columnTypes, type ColumnType, validateCsv } from "../../lib/csv/validate.ts";
import { checkDialect, quote, readDelimiter } from "../csv-fields.ts";
import { toSortedFindings } from "../findings.ts";

export default defineTool({
  slug: "csv-validator",
  title: "CSV validator",
  summary: "Validate CSV: quotes, lengths of records, the header and the types of columns.",
  page: {
    tile: "Quotes, lengths, column types",
    layout: "check",
    view: "report+table",
    options: ["delimiter", "header", "columns"],
    labels: { header: "First row is a header", columns: "Columns" },
    next: [
      { slug: "csv-to-json", text: "Convert to JSON", keeps: ["delimiter", "quote", "header"] },
      { slug: "csv-query", text: "Query", keeps: ["delimiter", "quote", "header"] },
    ],
  },
  accepts: "CSV",
  aliases:
    "csvlint, tsv, validate csv, csv lint, check csv, csv schema, malformed csv, broken csv, csv column types, csv checker, csvclean, ragged rows, is csv valid",
  input: z.object({
    data: z.string().describe("The CSV text"),
    delimiter: readDelimiter,
    quote,
    header: z.boolean().default(true).describe("Read the column names from the first record"),
    columns: z
      .array(z.string().max(1000))
      .max(1000)
      .default([])
      .describe("Columns that the header must have, in this order; defaults to any"),
    types: z
      .array(z.string().max(1000))
      .max(1000)
      .default([])
      .describe(
        "Types of columns as name:type; types are integer, number, boolean, date and nonempty. Without a header the name is an index from 0",
      ),
    maxErrors: z.int().min(1).max(1000).default(100).describe("Maximum number of findings to report"),
  }),
  whenOff: { header: "Treat the first record as data" },
  isolate: "thread",
  examples: [
    { input: { data: 'a,b\n1,"x, y"\n' }, result: '{\n  "valid": true,\n  "errors": []\n}' },
    {
      title: "A record that is too short",
      input: { data: "a,b\n1,2\n3\n" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "This record has 1 field; the first has 2.",\n      "severity": "error",\n      "rule": "ragged",\n      "line": 3,\n      "column": 1,\n      "offset": 8,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "A value of the wrong type",
      input: { data: 'name,age\n"é""",4x', types: ["age:integer"] },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "This field is not of the type integer.",\n      "severity": "error",\n      "rule": "type",\n      "line": 2,\n      "column": 7,\n      "offset": 16,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  check: "report",
  ruleAliases: {
    ragged: ["csvlint/ragged_rows"],
    quote: ["csvlint/stray_quote"],
    "unclosed-quote": ["csvlint/unclosed_quote"],
  },
  fileOptions: (name) => (/\.tsv$/i.test(name) ? { delimiter: "tab" } : {}),
  run({ data, types, ...options }) {
    checkDialect(options);
    return toReport(toSortedFindings(data, validateCsv(data, { ...options, types: toTypes(types) })));
  },
});

const toTypes = (types: readonly string[]): Map<string, ColumnType> =>
  new Map(
    types.map((text) => {
      const colon = text.lastIndexOf(":");
      const type = columnTypes.find((one) => one === text.slice(colon + 1));
      if (colon < 0 || type === undefined)
        throw invalidField("types", `Must be name:type, with one of the types ${columnTypes.join(", ")}.`);
      return [text.slice(0, colon), type];
    }),
  );
