import { readdirSync } from "node:fs";
import { expect, it, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import schemaValidator from "../../../src/tools/lint/json-schema-validator.ts";
import xmlValidator from "../../../src/tools/lint/xml-validator.ts";
import csvToJson from "../../../src/tools/data/csv-to-json.ts";
import { runTool } from "../tools/run-tool.ts";
import { documentOf } from "../../bench/document.ts";
import { tools as firstTools } from "../../bench/first-tools.ts";
import { csvOf, recordsSchema, textsOf, xmlOf } from "../../bench/tool-documents.ts";

const valid = '{\n  "valid": true,\n  "errors": []\n}';

test("each contest is named after a tool", () => {
  const { has } = createCatalog(tools);
  const files = readdirSync(new URL("../../bench/peers/contests", import.meta.url));
  expect(files.filter((file) => !has(file.replace(/\.ts$/, "")))).toEqual([]);
  expect(files.length).toBeGreaterThan(0);
});

test("the first eight tools still exist", () => {
  const { slugs } = createCatalog(firstTools);
  const { has } = createCatalog(tools);
  expect(slugs.length).toBe(8);
  expect(slugs.filter((slug) => !has(slug))).toEqual([]);
});

test.each([
  ["csv", csvOf],
  ["xml", xmlOf],
  ["text", (bytes: number) => textsOf(bytes).before],
])("the %s document has the expected size and is deterministic", (_, make) => {
  const document = make(20_000);
  expect(Buffer.byteLength(document) - 20_000).toBeGreaterThanOrEqual(0);
  expect(Buffer.byteLength(document) - 20_000).toBeLessThan(500);
  expect(make(20_000)).toBe(document);
});

it("the documents are of the formats that they are named after", async () => {
  const records = JSON.parse(await runTool(csvToJson, { data: csvOf(20_000) })) as { note: string }[];
  expect(new Set(records.map(({ note }) => note)).size).toBe(3);
  expect(await runTool(xmlValidator, { data: xmlOf(20_000) })).toBe(valid);
  expect(await runTool(schemaValidator, { data: documentOf(20_000), schema: recordsSchema })).toBe(valid);
  const { before, after } = textsOf(200_000);
  const [old, now] = [before, after].map((text) => new Set(text.split("\n")));
  expect(now?.difference(old ?? new Set()).size).toBeGreaterThan(20);
});
