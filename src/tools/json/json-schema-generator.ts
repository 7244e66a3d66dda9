import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { maxValues } from "../../lib/types/shape.ts";
import { toSchema } from "../../lib/types/to-schema.ts";
import { writeValue } from "../json-value.ts";
import { readShape, sampleFields } from "../samples.ts";

export default defineTool({
  slug: "json-schema-generator",
  title: "JSON schema generator",
  summary: "Infer a JSON Schema from one document or from many samples.",
  page: {
    tile: "A schema that samples fit",
    view: "code:json",
    options: ["samples", "draft", "required", "enums", "closed"],
    labels: {
      data: "Samples",
      "draft=7": "Draft 7",
      "draft=openapi-3.0": "OpenAPI 3.0",
      "required=all": "All",
      "required=common": "Those in all",
      "required=none": "None",
      closed: "No other members",
    },
  },
  accepts: "JSON or YAML",
  aliases:
    "json to json schema, generate json schema, infer schema, schema from json, schema from samples, genson, json schema from json, yaml to json schema, openapi schema from json, ndjson schema, json schema inference, reverse engineer schema",
  input: z.object({
    data: z.string().describe("The document, or several"),
    ...sampleFields,
    draft: z
      .enum(["2020-12", "7", "openapi-3.0"])
      .default("2020-12")
      .describe("Draft of JSON Schema, or the schema objects of OpenAPI 3.0"),
    required: z
      .enum(["all", "common", "none"])
      .default("common")
      .describe("Members that objects must have: all, those that every sample has, or none"),
    enums: z
      .int()
      .min(0)
      .max(maxValues)
      .default(0)
      .describe(
        "Most different values of strings that become an enumeration, if some of them repeat; 0 for none",
      ),
    formats: z
      .boolean()
      .default(true)
      .describe("Name the format that all strings of a place have, such as date-time, uuid or email"),
    closed: z.boolean().default(false).describe("Refuse members that no sample has"),
    title: z.string().max(1000).optional().describe("Title of the schema"),
  }),
  whenOff: { formats: "Leave out the formats of strings" },
  isolate: "process",
  examples: [
    {
      input: { data: '{"id": 9007199254740993, "at": "2026-01-02T03:04:05Z", "tags": ["a"]}' },
      result:
        '{\n  "$schema": "https://json-schema.org/draft/2020-12/schema",\n  "type": "object",\n  "properties": {\n    "id": {\n      "type": "integer"\n    },\n    "at": {\n      "type": "string",\n      "format": "date-time"\n    },\n    "tags": {\n      "type": "array",\n      "items": {\n        "type": "string"\n      }\n    }\n  },\n  "required": [\n    "id",\n    "at",\n    "tags"\n  ]\n}',
    },
    {
      title: "Samples, of which one lacks a member and one has null",
      input: {
        data: '{"id":1,"state":"open"}\n{"id":2.5,"state":"open"}\n{"id":null,"state":"done","by":"ann@example.com"}\n',
        dataFormat: "ndjson",
        enums: 5,
      },
      result:
        '{\n  "$schema": "https://json-schema.org/draft/2020-12/schema",\n  "type": "object",\n  "properties": {\n    "id": {\n      "type": [\n        "number",\n        "null"\n      ]\n    },\n    "state": {\n      "type": "string",\n      "enum": [\n        "open",\n        "done"\n      ]\n    },\n    "by": {\n      "type": "string",\n      "format": "email"\n    }\n  },\n  "required": [\n    "id",\n    "state"\n  ]\n}',
    },
    {
      title: "For OpenAPI 3.0, which has no null",
      input: {
        data: "- name: a\n  size: null\n- name: b\n  size: 3000000000\n",
        dataFormat: "yaml",
        samples: true,
        draft: "openapi-3.0",
        closed: true,
      },
      result:
        '{\n  "type": "object",\n  "properties": {\n    "name": {\n      "type": "string"\n    },\n    "size": {\n      "type": "integer",\n      "format": "int64",\n      "nullable": true\n    }\n  },\n  "required": [\n    "name",\n    "size"\n  ],\n  "additionalProperties": false\n}',
    },
  ],
  async run({ data, dataFormat, samples, ...options }) {
    return writeValue(toSchema(await readShape(data, { dataFormat, samples }), options));
  },
});
