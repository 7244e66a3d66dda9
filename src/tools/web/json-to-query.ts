import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { DocumentFault } from "../../lib/fault.ts";
import { arrayStyles, encodeForm } from "../../lib/form/encode.ts";
import { readDialect, refusingJson } from "../json-dialect.ts";

export default defineTool({
  slug: "json-to-query",
  title: "JSON to query",
  version: "1.1.1",
  summary: "Convert a JSON object to a URL query or the body of a form.",
  page: {
    tile: "An object to a URL query",
    view: "text",
    tab: "Query",
    options: ["arrays"],
    labels: { "arrays=repeat": "a=1&a=2", "arrays=bracket": "a[]=1", "arrays=comma": "a=1,2" },
  },
  accepts: "a JSON object",
  aliases:
    "json to query string, object to query string, http_build_query, urlsearchparams, query string builder, build query string, json to form data, form urlencoded, x-www-form-urlencoded, to url parameters, qs.stringify, urllib.parse.urlencode, encode parameters",
  input: z.object({
    data: z.string().describe("The JSON object"),
    arrays: z
      .enum(arrayStyles)
      .default("repeat")
      .describe(
        "Notation of arrays: repeat (a=1&a=2), bracket (a[]=1&a[]=2, and a[b]=1 for objects) or comma (a=1,2)",
      ),
    plusAsSpace: z.boolean().default(true).describe("Write a space as +"),
    dialect: readDialect,
  }),
  whenOff: { plusAsSpace: "Write a space as %20" },
  examples: [
    { input: { data: '{"q": "café noir", "tag": ["a", "b"]}' }, result: "q=caf%C3%A9+noir&tag=a&tag=b" },
    {
      title: "Numbers keep their digits",
      input: { data: '{"id": 12345678901234567890, "price": 1.50, "page": {"size": 20}}', arrays: "bracket" },
      result: "id=12345678901234567890&price=1.50&page[size]=20",
    },
    {
      title: "A comma in a value is escaped",
      input: { data: '{"ids": [1, "2,3", true], "flag": null}', arrays: "comma", plusAsSpace: false },
      result: "ids=1,2%2C3,true&flag",
    },
  ],
  run({ data, arrays, plusAsSpace, dialect }) {
    return refusingJson(data, dialect, () => {
      const value = fromJson(data, dialect);
      if (!(value instanceof Map))
        throw new DocumentFault("Expected an object, {…}.", { pointer: "" }, "shape");
      return encodeForm(value, arrays, plusAsSpace);
    });
  },
});
