import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { toDelimiter } from "../../lib/csv/dialect.ts";
import { queryTable } from "../../lib/csv-query/run.ts";
import { readTable } from "../../lib/csv-query/table.ts";
import { toRecords, writeMarkdown, writeTableCsv, writeText } from "../../lib/csv-query/write.ts";
import { checkDialect, decodeCsv, types } from "../csv-fields.ts";
import { joinWith, openPatterns, queryFields, readFields } from "../csv-query-fields.ts";
import { csvQueryExamples } from "../csv-query-examples.ts";
import { writeLines, writeValue } from "../json-value.ts";
import { refusing, refusingOption } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The CSV text"),
  ...queryFields,
  output: z
    .enum(["csv", "json", "ndjson", "markdown", "table"])
    .default("csv")
    .describe(
      "Form of the result: CSV, a JSON array, a JSON object a line, a Markdown table, or aligned text",
    ),
  types: types.describe(
    "Types of fields in JSON: none writes text, but numbers that were computed are numbers; infer converts true, false and numbers that a double holds exactly",
  ),
  indent: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe("Spaces per level of a JSON array, 0 to 10; 0 for one line"),
  ...readFields,
});

export default defineTool({
  slug: "csv-query",
  title: "CSV query",
  summary: "Filter, group, join, compute and sort the records of a CSV text; decimals are exact.",
  page: {
    tile: "Filter, group, sum, join, sort",
    layout: "pattern",
    view: "table+code",
    options: ["where", "select", "group", "aggregate", "sort", "output"],
    second: "other",
  },
  accepts: "CSV",
  aliases:
    "qsv, mlr, miller, xsv, csvkit, csvgrep, csvcut, csvjoin, csvsort, query csv, filter csv, sort csv, group by csv, sum column, average column, join csv, vlookup, select columns",
  input,
  whenOff: { header: "Read the first record as data and name the columns c1, c2 and so on" },
  isolate: "process",
  examples: csvQueryExamples,
  run: ({ data, ...options }) => query(data, options),
  runBytes: (bytes, options) => query(decodeCsv(bytes, options.encoding), options),
});

async function query(data: string, given: Omit<z.output<typeof input>, "data">): Promise<string> {
  const { output, indent, types: typed, limit = Number.POSITIVE_INFINITY, ...options } = checkDialect(given);
  if ((options.other === undefined) !== (options.on.length === 0))
    throw invalidField("on", "other and on belong together: set both, or neither.");
  const reading = { ...options, types: "none" as const, inferColumns: [], limit: Number.POSITIVE_INFINITY };
  const pattern = await openPatterns([options.where, ...options.select]);
  return refusing(data, () => {
    const table = joinWith(readTable(data, reading), options, reading);
    const result = refusingOption("where", () => queryTable(table, { ...options, limit }, pattern));
    if (output === "markdown") return writeMarkdown(result);
    if (output === "table") return writeText(result);
    if (output === "csv") return writeTableCsv(result, toDelimiter(options.delimiter, data, options.quote));
    const records = toRecords(result, typed === "infer");
    return output === "json" ? writeValue(records, indent) : writeLines(records);
  });
}
