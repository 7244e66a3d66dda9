import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { toReport } from "../../catalog/report.ts";
import { maxResultLength } from "../../lib/data/result-length.ts";
import { toJson } from "../../lib/data/to-json.ts";
import { createUnflattener } from "../../lib/data/unflatten.ts";
import { readEnv } from "../../lib/env/read.ts";
import { validateEnv } from "../../lib/env/validate.ts";
import { toSortedFindings } from "../findings.ts";
import { separator } from "../flat-fields.ts";
import { limited } from "../limited.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "env-to-json",
  title: "ENV to JSON",
  version: "1.3.0",
  summary: "Convert a dotenv file to a JSON object of its variables.",
  page: {
    title: ".env to JSON",
    tile: "Variables as an object",
    view: "code:json+tree",
    options: ["expand", "prefix"],
    labels: {
      expand: "Variables in values",
      "expand=none": "Keep",
      "expand=strict": "Expand",
      "expand=compose": "As Compose",
    },
  },
  accepts: "a dotenv file",
  aliases:
    "dotenv, .env, env file, parse .env, dotenv to json, environment variables to json, env2json, docker env file, docker --env-file",
  input: z.object({
    data: z
      .string()
      .describe(
        "The text of the .env file, parsed as Node.js does: every value is a string, and a # ends a value without quotes, also in A=b#c, which other parsers read as b#c; check mode warns of each, as env-validator does",
      ),
    prefix: z
      .string()
      .max(256)
      .default("")
      .describe("Prefix of the variables to include; it is removed from their names. Empty for all"),
    expand: z
      .enum(["none", "strict", "compose"])
      .default("none")
      .describe(
        "References such as $NAME and ${NAME:-default} to names set above: none keeps them as written, strict refuses names that are not set, compose makes these empty, as Docker Compose does; values in single quotes stay",
      ),
    duplicateKeys: z
      .enum(["error", "last"])
      .default("error")
      .describe("Names that are set twice: error refuses them, last keeps the last value"),
    unflatten: z
      .boolean()
      .default(false)
      .describe("Split names at separator into nested objects, and names that count from 0 into lists"),
    separator,
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  }),
  examples: [
    {
      input: { data: "HOST=localhost\nPORT=8080 # web\n" },
      result: '{\n  "HOST": "localhost",\n  "PORT": "8080"\n}',
    },
    {
      title: "Quotes, multi-line values, export and a value that looks like a comment",
      input: { data: 'export A=\'#1 $HOME\'\nB="x\\ny"\nC=`it\'s\n"so"`\n__proto__=\n', indent: 0 },
      result: '{"A":"#1 $HOME","B":"x\\ny","C":"it\'s\\n\\"so\\"","__proto__":""}',
    },
    { title: "A prefix", input: { data: "A_ID=007\nB=1", prefix: "A_", indent: 0 }, result: '{"ID":"007"}' },
    {
      title: "References and nested objects",
      input: {
        data: "HOST=db\nDB__URL=$HOST:${PORT:-5432}\nDB__OPTS__0='$x'\n",
        expand: "strict",
        unflatten: true,
        separator: "__",
        indent: 0,
      },
      result: '{"HOST":"db","DB":{"URL":"db:5432","OPTS":["$x"]}}',
    },
  ],
  check: "warnings",
  report: ({ data, duplicateKeys }) => toReport(toSortedFindings(data, validateEnv(data, [], duplicateKeys))),
  run: ({ data, indent, unflatten, separator: between, ...options }, context) =>
    refusing(data, () => {
      const read = (maxLength: number) => readEnv(data, { ...options, maxLength });
      const variables = limited(context, maxResultLength, read);
      return toJson(unflatten ? createUnflattener(between)(variables) : variables, indent);
    }),
});
