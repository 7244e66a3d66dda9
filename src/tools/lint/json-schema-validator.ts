import { z } from "zod";
import type { Report } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { validateSchema } from "../../lib/json-schema/validate.ts";
import { locating, openDocument, readDocument } from "../document.ts";
import { formatOfSchema, jsonOf, schemaDraft, schemaFormats, toSchemaReport } from "../json-schema-fields.ts";
import { readDictionary } from "../json-value.ts";
import { refusing } from "../refusing.ts";

const schemaText = z.string().max(16_777_216);

export default defineTool({
  slug: "json-schema-validator",
  title: "JSON Schema validator",
  version: "1.3.0",
  summary:
    "Validate a document against a JSON Schema and report the place of each error, without fetching anything.",
  page: {
    tile: "A document against its schema",
    layout: "compare",
    view: "report",
    options: ["draft", "formats"],
    second: "schema",
    labels: { data: "Document", schema: "Schema", formats: "Check formats" },
  },
  accepts: "JSON or YAML",
  aliases:
    "json schema, ajv, jsonschema, validate against schema, validate yaml against schema, schema validation, check-jsonschema, json schema check, draft 2020-12, draft-07, openapi schema validation, config schema",
  input: z.object({
    data: z.string().describe("The document"),
    schema: schemaText
      .meta({ json: true })
      .describe("The JSON Schema; it is interpreted, never turned into code"),
    draft: schemaDraft,
    formats: z.boolean().default(true).describe("Validate values against the keyword format"),
    ...schemaFormats,
    schemas: schemaText
      .meta({ json: "object" })
      .default("{}")
      .describe("Other schemas that the schema refers to, as a JSON object keyed by absolute URI"),
  }),
  whenOff: { formats: "Treat format as an annotation" },
  examples: [
    {
      input: { data: '{"port": 80}', schema: '{"required":["port"]}' },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "The place of an error; numbers are exact, 0.3 is a multiple of 0.1",
      input: {
        data: "ratio: 0.3\nid: 9007199254740993\n",
        schema: '{"properties":{"ratio":{"multipleOf":0.1},"id":{"maximum":9007199254740992}}}',
        dataFormat: "yaml",
      },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Must be at most 9007199254740992.",\n      "severity": "error",\n      "rule": "maximum",\n      "line": 2,\n      "column": 5,\n      "offset": 15,\n      "pointer": "/id"\n    }\n  ]\n}',
    },
    {
      title: "A schema in YAML",
      input: { data: "port: 80\n", schema: "required: [port]\n", dataFormat: "yaml" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "A reference to another schema",
      input: {
        data: '"x"',
        schema: '{"$ref":"https://example.com/name"}',
        schemas: '{"https://example.com/name":{"minLength":1}}',
      },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
  ],
  isolate: "process",
  check: "report",
  async run({ data, schema, draft, formats, schemas, ...of }): Promise<Report> {
    const document = await readDocument(data, of.dataFormat, { remedy: "set dataFormat to" });
    if ("errors" in document) return document;
    const documents = readDictionary(schemas, "schemas", "an object of schemas by URI");
    const format = of.schemaFormat === "auto" ? formatOfSchema(schema, of.dataFormat) : of.schemaFormat;
    const root = await openDocument(schema, format, { field: "schema", remedy: "set schemaFormat to" });
    const work = () =>
      validateSchema(jsonOf(document, of.dataFormat), jsonOf(root, format), {
        draft: draft === "auto" ? undefined : draft,
        formats,
        documents: new Map(Array.from(documents, ([uri, one]) => [uri.replace(/#.*$/s, ""), one])),
      });
    const found = await refusing(schema, () => locating(root, work), "schema");
    return toSchemaReport(data, of.dataFormat, document.locate(found));
  },
});
