import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { writeCsv } from "../../lib/csv/write.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { checkDialect, delimiter, quote } from "../csv-fields.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "json-to-csv",
  title: "JSON to CSV",
  summary: "Convert a JSON array of objects or arrays to CSV (RFC 4180).",
  input: z.object({
    data: z.string().describe("The JSON document; an object alone is one record"),
    delimiter,
    header: z.boolean().default(true).describe("Whether the first line names the columns"),
    columns: z
      .array(z.string().max(10_000))
      .max(10_000)
      .default([])
      .describe(
        "The columns to write, in this order; all that occur, in the order in which they do, where none is named",
      ),
    eol: z.enum(["lf", "crlf"]).default("lf").describe("What ends a line; the last has no end"),
    flatten: z
      .boolean()
      .default(true)
      .describe("Whether nested members are columns such as a.b and a.0, or JSON text in one field"),
    escapeFormulas: z
      .boolean()
      .default(false)
      .describe(
        "Whether text that a spreadsheet would run (after = + - @ or a tab) gets an apostrophe before it",
      ),
    bom: z
      .boolean()
      .default(false)
      .describe("Whether a byte order mark comes first, which some spreadsheets need"),
    quote,
    quoteAll: z
      .boolean()
      .default(false)
      .describe("Whether every field is quoted, or those alone that need it"),
    emptyRecords: z
      .enum(["fill", "blank", "skip", "skip-blank"])
      .default("fill")
      .describe(
        "What {} and [] become: empty fields, an empty line or nothing; skip-blank leaves out all records without content",
      ),
  }),
  whenOff: {
    header: "Write no line of column names",
    flatten: "Write nested members as JSON text in one field",
  },
  isolate: "process",
  examples: [
    {
      input: { data: '[{"id":1,"name":"Ada"},{"id":2,"name":"Grace, Rear Admiral"}]' },
      result: 'id,name\n1,Ada\n2,"Grace, Rear Admiral"',
    },
    {
      title: "Records that differ, nested members, numbers as written, and quotes",
      input: {
        data: '[{"n":1.0,"t":{"x":null,"y":[true]}},{"n":12345678901234567890,"q":"say \\"hi\\"\\n"}]',
        eol: "crlf",
      },
      result: 'n,t.x,t.y.0,q\r\n1.0,,true,\r\n12345678901234567890,,,"say ""hi""\n"',
    },
    {
      title: "Text that a spreadsheet would take for a formula",
      input: { data: '[["=1+1", -1, "a"]]', escapeFormulas: true },
      result: '"\'=1+1",-1,a',
    },
  ],
  run({ data, ...options }) {
    checkDialect(options);
    return refusing(data, () => writeCsv(fromJson(data), options));
  },
});
