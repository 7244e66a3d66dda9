import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { decodeForm } from "../../lib/form/decode.ts";
import { arrayStyles } from "../../lib/form/encode.ts";
import { withoutLineEnd } from "../../lib/lines.ts";
import { writeValue } from "../json-value.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The query of a URL or the body of a form, with or without a leading ?"),
  arrays: z
    .enum(arrayStyles)
    .default("repeat")
    .describe(
      "Notation of arrays: repeat reads repeated names, bracket also a[]=1 and a[b]=1, comma also a=1,2",
    ),
  plusAsSpace: z.boolean().default(true).describe("Read + as a space, as in forms"),
  indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
});

export default defineTool({
  slug: "query-to-json",
  title: "Query to JSON",
  version: "1.1.0",
  summary: "Convert the query of a URL to a JSON object, repeated names to arrays.",
  page: {
    tile: "A URL query to an object",
    view: "code:json+tree",
    options: ["arrays"],
    labels: { "arrays=repeat": "a=1&a=2", "arrays=bracket": "a[]=1", "arrays=comma": "a=1,2" },
  },
  accepts: "the query of a URL",
  aliases:
    "query string, parse query string, query string to json, urlsearchparams, querystring parse, parse_str, qs.parse, url parameters, url params to json, get parameters, form data to json, x-www-form-urlencoded, utm parameters, parse_qs, read url parameters",
  input,
  whenOff: { plusAsSpace: "Read + as a plus sign" },
  examples: [
    {
      input: { data: "?q=caf%C3%A9+noir&tag=a&tag=b" },
      result: '{\n  "q": "café noir",\n  "tag": [\n    "a",\n    "b"\n  ]\n}',
    },
    {
      title: "Names such as __proto__ and 10, and nesting",
      input: { data: "__proto__=1&10=x&2=y&page[size]=20&ids[]=7", arrays: "bracket", indent: 0 },
      result: '{"__proto__":"1","10":"x","2":"y","page":{"size":"20"},"ids":["7"]}',
    },
  ],
  run: ({ data, arrays, plusAsSpace, indent }) => {
    const bytes = Buffer.from(withoutLineEnd(data));
    return writeValue(
      refusing(bytes, () => decodeForm(bytes, arrays, plusAsSpace)),
      indent,
    );
  },
});
