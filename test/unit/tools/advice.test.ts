import { expect, test } from "vitest";
import type { Tool } from "../../../src/catalog/tool.ts";
import csvToJson from "../../../src/tools/data/csv-to-json.ts";
import dataConverter from "../../../src/tools/data/data-converter.ts";
import ndjsonToJson from "../../../src/tools/data/ndjson-to-json.ts";
import xmlFormatter from "../../../src/tools/format/xml-formatter.ts";
import jsonFormatter from "../../../src/tools/json/json-formatter.ts";
import jsonQuery from "../../../src/tools/json/json-query.ts";
import jsonToYaml from "../../../src/tools/data/json-to-yaml.ts";
import queryToJson from "../../../src/tools/web/query-to-json.ts";
import { refusalOf, runTool } from "./run-tool.ts";

/** Calls that are refused, the end of the message, and the options that accept the document, if it names some. */
const refusals: [Tool, Record<string, unknown>, string, Record<string, unknown>?][] = [
  [csvToJson, { data: "a,b\n1" }, "set ragged to pad or keep.", { ragged: "pad" }],
  [csvToJson, { data: "a,b\n1,2,3", header: false }, "set ragged to keep.", { ragged: "keep" }],
  [csvToJson, { data: "a,b\n1,2,3" }, "the first has 2."],
  [csvToJson, { data: 'a,b\n"x"y",1' }, "set quotes to lenient.", { quotes: "lenient" }],
  [csvToJson, { data: 'a,b\n"x"y,1' }, "write a literal quote twice."],
  [csvToJson, { data: 'a,b\n1,"x' }, "set quotes to lenient.", { quotes: "lenient" }],
  [dataConverter, { data: "a,b\n1", from: "csv", to: "json" }, "csv-to-json has this option."],
  [dataConverter, { data: "1: 2", from: "yaml", to: "json" }, "yaml-to-json has this option."],
  [dataConverter, { data: "1\n---\n2", from: "yaml", to: "json" }, "to JSON with yaml-to-json."],
  [ndjsonToJson, { data: "1\nx" }, "set skipInvalid to true.", { skipInvalid: true }],
  [queryToJson, { data: "a=1&a[b]=2", arrays: "bracket" }, "names as written.", { arrays: "repeat" }],
  [xmlFormatter, { data: "<a/><b/>", fragment: false }, "set fragment to true.", { fragment: true }],
  [xmlFormatter, { data: "<a>", fragment: false }, "<a> is not closed."],
  [jsonQuery, { data: '{"a":1}', query: "/a" }, "set language to pointer.", { language: "pointer" }],
  [jsonQuery, { data: '{"a":1}', query: ".a" }, "write $.a, or set language to jq.", { query: "$.a" }],
  [jsonQuery, { data: '{"a":1}', query: ".a" }, "or set language to jq.", { language: "jq" }],
  [
    jsonQuery,
    { data: '{"a":1}', query: "a" },
    "set language to jmespath, jsonata or jq.",
    { language: "jsonata" },
  ],
];

test.each(refusals)("%#: a refusal names what accepts the document", async (tool, input, end, options) => {
  const { message } = await refusalOf(runTool(tool, input));
  expect(message.replace(/ \(line .*\)$/, "").endsWith(end), message).toBe(true);
  if (options !== undefined) expect(await runTool(tool, { ...input, ...options })).not.toBe("");
});

test("a document with duplicate keys is refused with what accepts it", async () => {
  const data = '{"a":1,"a":2}';
  const { message } = await refusalOf(runTool(jsonFormatter, { data, duplicateKeys: "error" }));
  expect(message).toContain("(to accept it, set duplicateKeys to keep)");
  const { message: advice } = await refusalOf(runTool(jsonToYaml, { data }));
  expect(advice).toContain("(data-converter with duplicateKeys set to last removes duplicates)");
  const unique = await runTool(dataConverter, {
    data,
    from: "json",
    to: "json",
    duplicateKeys: "last",
    indent: 0,
  });
  expect(unique).toBe('{"a":2}');
});
