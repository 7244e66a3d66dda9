import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { defineTool } from "../../catalog/tool.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { maxResultLength } from "../../lib/data/result-length.ts";
import { writeEnv } from "../../lib/env/write.ts";
import { separator } from "../flat-fields.ts";
import { readDialect, refusingJson } from "../json-dialect.ts";
import { limited } from "../limited.ts";

/** Two characters of a list become a line with its whole name. */
const maxFlattenedInline = 16 * 1024;

export default defineTool({
  slug: "json-to-env",
  title: "JSON to ENV",
  version: "1.2.1",
  summary: "Convert a JSON object to a dotenv file, with values quoted so that they survive a round trip.",
  page: {
    title: "JSON to .env",
    tile: "Quoted to survive a round trip",
    view: "code:env",
    options: ["flatten", "prefix", "export"],
    labels: { flatten: "Flatten objects", export: "With export" },
  },
  accepts: "a JSON object",
  aliases:
    "json to dotenv, json to .env, json2env, export variables, to environment variables, make env file, secrets to env file, json to shell variables",
  input: z.object({
    data: z
      .string()
      .describe(
        "The JSON object; values are strings, numbers, booleans or null (an empty value), or nested with flatten",
      ),
    dialect: readDialect,
    prefix: z.string().max(256).default("").describe("Prefix added to each name"),
    flatten: z
      .boolean()
      .default(false)
      .describe(
        "Write nested values under names joined by separator, items of lists under their index from 0",
      ),
    separator,
    export: z
      .boolean()
      .default(false)
      .describe(
        "Begin each line with export and quote values for shells; names must then be valid in a shell",
      ),
  }),
  examples: [
    { input: { data: '{"HOST":"localhost","PORT":8080}' }, result: "HOST=localhost\nPORT=8080" },
    {
      title: "Values that need quotes, one of them with a line break",
      input: { data: '{"A":"#1 $x","B":"it\'s\\nhere","C":1.0,"D":null}', prefix: "APP_", export: true },
      result: "export APP_A='#1 $x'\nexport APP_B=\"it's\nhere\"\nexport APP_C=1.0\nexport APP_D=",
    },
    {
      title: "Nested values",
      input: { data: '{"DB":{"HOST":"db","PORTS":[1,2]}}', flatten: true },
      result: "DB_HOST=db\nDB_PORTS_0=1\nDB_PORTS_1=2",
    },
  ],
  run({ data, dialect, flatten, separator: between, ...options }, context) {
    if (flatten) isolateOver(data.length, maxFlattenedInline, context);
    const names = { ...options, separator: flatten ? between : undefined };
    return refusingJson(data, dialect, () =>
      limited(context, maxResultLength, (maxLength) =>
        writeEnv(fromJson(data, dialect), { ...names, maxLength }),
      ),
    );
  },
});
