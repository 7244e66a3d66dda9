import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { loadSqlFormatter, sqlDialects } from "../../lib/sql/format.ts";
import { sqlPlaceholders } from "../../lib/sql/placeholders.ts";
import { refusing } from "../refusing.ts";

const letterCase = z.enum(["preserve", "upper", "lower"]).default("preserve");

export default defineTool({
  slug: "sql-formatter",
  title: "SQL formatter",
  version: "1.3.1",
  summary: "Format SQL in any of 21 dialects, preserving placeholders and templates.",
  page: {
    tile: "21 dialects, placeholders kept",
    view: "code:sql",
    options: ["dialect", "keywordCase", "indent"],
    labels: { keywordCase: "Keywords" },
  },
  accepts: "SQL",
  aliases:
    "sql, sql beautifier, sql prettify, format sql, sql pretty print, beautify query, pg_format, sqlfluff, sqlformat, indent sql, postgres query, mysql query, tsql, bigquery, select statement, uppercase keywords, sqlfmt, poor man's t-sql formatter, prettify, beautify",
  input: z.object({
    data: z.string().describe("The statements"),
    dialect: z
      .enum(sqlDialects)
      .default("sql")
      .describe("SQL dialect; sql is the standard, without the extensions of other dialects"),
    keywordCase: letterCase.describe("Case of keywords"),
    identifierCase: letterCase.describe("Case of names without quotes"),
    functionCase: letterCase.describe("Case of function names"),
    dataTypeCase: letterCase.describe("Case of data types"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10"),
    useTabs: z.boolean().default(false).describe("Indent with tabs instead of spaces"),
    indentStyle: z
      .enum(["standard", "tabularLeft", "tabularRight"])
      .default("standard")
      .describe("Layout: standard, or keywords in a column of ten characters, aligned left or right"),
    logicalOperators: z
      .enum(["before", "after"])
      .default("before")
      .describe("Line break before or after AND and OR"),
    width: z
      .int()
      .min(1)
      .max(1000)
      .default(50)
      .describe("Most characters of parentheses that stay on one line"),
    linesBetween: z.int().min(0).max(10).default(1).describe("Empty lines between statements"),
    denseOperators: z.boolean().default(false).describe("Write operators without spaces, as in a=1"),
    newlineBeforeSemicolon: z.boolean().default(false).describe("Put the semicolon on a line of its own"),
    placeholders: z
      .array(z.enum(sqlPlaceholders))
      .max(sqlPlaceholders.length)
      .default(["braces", "colon"])
      .describe(
        "Placeholders to accept in addition to those of the dialect: braces ({{x}}, {% x %} and ${x}), colon (:x), at (@x), dollar ($1), percent (%s and %(x)s)",
      ),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: "select a,b from t where a=1 and b in (1,2)", keywordCase: "upper" },
      result: "SELECT\n  a,\n  b\nFROM\n  t\nWHERE\n  a = 1\n  AND b IN (1, 2)",
    },
    {
      title: "Templates and named placeholders",
      input: { data: "select * from {{ source('x') }} where id=:id and a::int=1", dialect: "postgresql" },
      result: "select\n  *\nfrom\n  {{ source('x') }}\nwhere\n  id = :id\n  and a::int = 1",
    },
    {
      title: "Another layout",
      input: {
        data: "Select Count(A) From T Where a=1 or b=2",
        keywordCase: "lower",
        functionCase: "lower",
        identifierCase: "lower",
        indentStyle: "tabularLeft",
        denseOperators: true,
      },
      result: "select    count(a)\nfrom      t\nwhere     a=1\nor        b=2",
    },
  ],
  check: "change",
  async run({ data, ...options }) {
    const format = await loadSqlFormatter(options);
    return refusing(data, () => format(data));
  },
});
