import { z } from "zod";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import { minifyJson, minifyJsonText } from "../../lib/json/format.ts";
import { minifyDialect } from "../format-json.ts";
import { readDialect, refusingJson } from "../json-dialect.ts";
import { warnOfMark } from "../json-mark.ts";

export default defineTool({
  slug: "json-minifier",
  title: "JSON minifier",
  version: "1.2.0",
  summary: "Remove insignificant white space from a JSON document without changing a single value.",
  page: { tile: "Remove white space", view: "code:json", options: ["dialect"] },
  accepts: "JSON",
  aliases:
    "minify, minify json, compress json, compact json, uglify, jq -c, json on one line, remove whitespace from json, shrink json, one line json, json5 to json, strip json comments, condense json",
  input: z.object({
    data: z.string().describe("The JSON document"),
    dialect: readDialect,
  }),
  examples: [
    { input: { data: '{\n  "a": [1, 2]\n}' }, result: '{"a":[1,2]}' },
    {
      title: "White space inside strings and the notation of numbers are preserved",
      input: { data: ' { "a b" : " c\\t" , "n" : [ 1.0 , -0 , 1e+2 ] } ' },
      result: '{"a b":" c\\t","n":[1.0,-0,1e+2]}',
    },
    {
      title: "JSON5 becomes JSON",
      input: { data: "{a: 'x', /* y */ b: [+.5, 0xFF,],}", dialect: "json5" },
      result: '{"a":"x","b":[0.5,255]}',
    },
  ],
  check: "change",
  warn: warnOfMark,
  run({ data, dialect }, context) {
    if (dialect !== "json") return minifyDialect(data, dialect, context);
    return refusingJson(data, dialect, () => minifyJsonText(data, { maxResultBytes: 3 * data.length }));
  },
  maxBytes: maxDocument,
  runBytes(data, { dialect }, context) {
    if (dialect !== "json") return Buffer.from(minifyDialect(data, dialect, context));
    return refusingJson(data, dialect, () => minifyJson(data, { maxResultBytes: data.length }));
  },
});
