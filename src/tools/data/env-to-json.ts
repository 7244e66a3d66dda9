import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { toJson } from "../../lib/data/to-json.ts";
import { readEnv } from "../../lib/env/read.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "env-to-json",
  title: "ENV to JSON",
  summary: "Convert a dotenv file to a JSON object of its variables.",
  input: z.object({
    data: z.string().describe("The text of the .env file, parsed as Node.js does; every value is a string"),
    prefix: z
      .string()
      .max(256)
      .default("")
      .describe("Prefix of the variables to include; it is removed from their names. Empty for all"),
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
    {
      title: "Names with a prefix",
      input: { data: "APP_ID=007\nOTHER=1", prefix: "APP_", indent: 0 },
      result: '{"ID":"007"}',
    },
  ],
  run: ({ data, prefix, indent }) => refusing(data, () => toJson(readEnv(data, { prefix }), indent)),
});
