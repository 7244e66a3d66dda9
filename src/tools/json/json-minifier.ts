import { z } from "zod";
import { defineTool, largestDocument } from "../../catalog/tool.ts";
import { minifyJson, minifyJsonText } from "../../lib/json/format.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "json-minifier",
  title: "JSON minifier",
  summary: "Remove insignificant white space from a JSON document without changing a single value.",
  input: z.object({
    data: z.string().describe("The JSON document"),
  }),
  examples: [
    { input: { data: '{\n  "a": [1, 2]\n}' }, result: '{"a":[1,2]}' },
    {
      title: "White space inside strings and the notation of numbers are preserved",
      input: { data: ' { "a b" : " c\\t" , "n" : [ 1.0 , -0 , 1e+2 ] } ' },
      result: '{"a b":" c\\t","n":[1.0,-0,1e+2]}',
    },
  ],
  check: "change",
  run: ({ data }) => refusing(data, () => minifyJsonText(data, { maxResultBytes: 3 * data.length })),
  maxBytes: largestDocument,
  runBytes: (data) => refusing(data, () => minifyJson(data, { maxResultBytes: data.length })),
});
