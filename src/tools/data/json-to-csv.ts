import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { writeRecords } from "../../lib/csv/write.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { checkDialect, delimiter, quote } from "../csv-fields.ts";
import { readDialect, refusingJson } from "../json-dialect.ts";

export default defineTool({
  slug: "json-to-csv",
  title: "JSON to CSV",
  version: "1.2.1",
  summary: "Convert a JSON array of objects or arrays to CSV (RFC 4180).",
  page: {
    tile: "Objects to rows",
    view: "table+code",
    options: ["delimiter", "header", "flatten"],
    labels: { header: "Header row", flatten: "Flatten objects" },
  },
  accepts: "a JSON array",
  aliases:
    "json2csv, jq @csv, json to excel, json to tsv, export csv, json to spreadsheet, json to table, in2csv",
  input: z.object({
    data: z
      .string()
      .describe(
        "The JSON document; a single object is one record, or, if its one member is a list of objects, their wrapper",
      ),
    dialect: readDialect,
    delimiter,
    header: z.boolean().default(true).describe("Write a header line with the column names"),
    columns: z
      .array(z.string().max(10_000))
      .max(10_000)
      .default([])
      .describe("Columns to write, in this order; defaults to all columns in order of appearance"),
    eol: z.enum(["lf", "crlf"]).default("lf").describe("Line ending; none is written after the last line"),
    flatten: z.boolean().default(true).describe("Write nested members as columns such as a.b and a.0"),
    escapeFormulas: z
      .boolean()
      .default(false)
      .describe(
        "Put an apostrophe before text that a spreadsheet would evaluate as a formula (text that begins with = + - @ or a tab)",
      ),
    bom: z
      .boolean()
      .default(false)
      .describe("Write a byte order mark at the beginning, which some spreadsheets need"),
    quote,
    quoteAll: z.boolean().default(false).describe("Quote every field, not only those that need it"),
    emptyRecords: z
      .enum(["fill", "blank", "skip", "skip-blank"])
      .default("fill")
      .describe(
        "Output for {} and []: fill writes empty fields, blank an empty line, skip nothing; skip-blank omits every record without content",
      ),
  }),
  whenOff: {
    header: "Omit the header line",
    flatten: "Write nested members as JSON text in one field",
  },
  isolate: "process",
  examples: [
    {
      input: { data: '[{"id":1,"name":"Ada"},{"id":2,"name":"Grace, Rear Admiral"}]' },
      result: 'id,name\n1,Ada\n2,"Grace, Rear Admiral"',
    },
    {
      title: "Records with different members, nested members, exact numbers and quotes",
      input: {
        data: '[{"n":1.0,"t":{"x":null,"y":[true]}},{"n":12345678901234567890,"q":"say \\"hi\\"\\n"}]',
        eol: "crlf",
      },
      result: 'n,t.x,t.y.0,q\r\n1.0,,true,\r\n12345678901234567890,,,"say ""hi""\n"',
    },
    {
      title: "Text that a spreadsheet would evaluate as a formula",
      input: { data: '[["=1+1", -1, "a"]]', escapeFormulas: true },
      result: '"\'=1+1",-1,a',
    },
  ],
  run({ data, dialect, ...options }) {
    checkDialect(options);
    return refusingJson(data, dialect, () => writeRecords(fromJson(data, dialect), options));
  },
});
