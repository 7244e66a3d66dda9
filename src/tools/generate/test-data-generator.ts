import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { schemaDraft } from "../json-schema-fields.ts";
import { now, nowOf } from "../now.ts";
import { drawFor, schemaFormat, writeDrawn } from "../drawn-documents.ts";

export default defineTool({
  slug: "test-data-generator",
  title: "Test data generator",
  summary: "Generate documents that are valid against a JSON Schema, or that break one of its rules.",
  page: {
    tile: "Documents from a JSON Schema",
    view: "code:json",
    options: ["count", "invalid", "optional", "output"],
    labels: {
      data: "Schema",
      "optional=all": "All",
      "optional=none": "None",
      "optional=random": "Some",
      "invalid=none": "Valid",
      "invalid=one": "Invalid",
    },
  },
  accepts: "a JSON Schema",
  aliases:
    "json-schema-faker, mock data, fake json, sample json, fixture, fuzz input, fake data, dummy data, generate json from schema, generate test data, invalid test data, mock json",
  input: z.object({
    data: z.string().describe("The JSON Schema"),
    count: z.int().min(1).max(1000).default(3).describe("Number of documents"),
    optional: z
      .enum(["all", "none", "random"])
      .default("random")
      .describe("Which optional members are written"),
    invalid: z
      .enum(["none", "one"])
      .default("none")
      .describe(
        "Whether documents are valid: with one, each breaks at least one rule, and the result names the first",
      ),
    output: z
      .enum(["json", "ndjson"])
      .default("json")
      .describe("Result: a JSON array, or one document a line"),
    draft: schemaDraft,
    schemaFormat,
    seed: z.string().max(1024).optional().describe("Seed for repeatable results"),
    now,
  }),
  deterministic: false,
  isolate: "process",
  examples: [
    {
      input: {
        data: '{"type":"object","required":["id","email"],"properties":{"id":{"type":"string","format":"uuid"},"email":{"type":"string","format":"email"},"age":{"type":"integer","minimum":18,"maximum":99}}}',
        count: 2,
        optional: "all",
        seed: "a",
        now: "2026-01-02T03:04:05Z",
      },
      result:
        '[\n  {\n    "id": "70e489d5-7c2e-4369-9bc3-601dd8e2e155",\n    "email": "edsger.hamilton@example.com",\n    "age": 76\n  },\n  {\n    "id": "2156d436-ca68-485d-b69e-da7646d7d158",\n    "email": "katherine.allen@example.com",\n    "age": 28\n  }\n]',
    },
    {
      title: "A pattern and a time, one document a line, from a schema in YAML",
      input: {
        data: "type: object\nrequired: [sku, at]\nproperties:\n  sku: {type: string, pattern: '^[A-Z]{3}-[0-9]{4}$'}\n  at: {type: string, format: date-time}\n",
        schemaFormat: "yaml",
        output: "ndjson",
        seed: "b",
        now: "2026-01-02T03:04:05Z",
      },
      result:
        '{"sku":"MBQ-8489","at":"2025-12-05T09:10:07Z"}\n{"sku":"VQC-8811","at":"2025-02-02T22:54:01Z"}\n{"sku":"YLH-6937","at":"2025-04-04T21:38:45Z"}\n',
    },
    {
      title: "Documents that must be refused, each with the rule that it breaks",
      input: {
        data: '{"type":"object","required":["n"],"properties":{"n":{"type":"number","multipleOf":0.1}}}',
        count: 2,
        invalid: "one",
        output: "ndjson",
        seed: "c",
      },
      result:
        '{"rule":"required","pointer":"","message":"The property \\"n\\" is required.","document":{}}\n{"rule":"type","pointer":"/n","message":"Must be number, not string.","document":{"n":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}\n',
    },
  ],
  async run({ data, output, seed, now: at, ...options }, context) {
    const drawing = { ...options, seed, now: nowOf({ now: at }, context) };
    return writeDrawn(await drawFor(data, drawing, context), output);
  },
});
