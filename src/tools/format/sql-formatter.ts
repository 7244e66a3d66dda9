import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { loadSqlFormatter, sqlDialects, sqlPlaceholders } from "../../lib/sql/format.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "sql-formatter",
  title: "SQL formatter",
  version: "1.1.0",
  summary: "Indent SQL of any of 21 dialects, placeholders and templates left as they are.",
  input: z.object({
    data: z.string().describe("The statements"),
    dialect: z
      .enum(sqlDialects)
      .default("sql")
      .describe("The dialect; sql is the standard, and refuses what others add"),
    keywordCase: z
      .enum(["preserve", "upper", "lower"])
      .default("preserve")
      .describe("How keywords are written"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces of indentation"),
    useTabs: z.boolean().default(false).describe("Whether a tab indents instead"),
    placeholders: z
      .array(z.enum(sqlPlaceholders))
      .max(sqlPlaceholders.length)
      .default(["braces", "colon"])
      .describe(
        "Placeholders besides those of the dialect: braces is {{x}}, {% x %}, ${x}; colon is :x, at @x, dollar $1, percent %s and %(x)s",
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
  ],
  check: "change",
  async run({ data, ...options }) {
    const format = await loadSqlFormatter(options);
    return refusing(data, () => format(data));
  },
});
