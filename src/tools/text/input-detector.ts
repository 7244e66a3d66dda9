import { z } from "zod";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { dataEncoding, toBytes } from "../bytes.ts";
import { rankTools } from "../rank-detected.ts";

const input = z.object({
  data: z
    .string()
    .describe(
      "The text or, with dataEncoding, bytes to recognize; of a long input only the beginning is read",
    ),
  dataEncoding,
  limit: z.int().min(1).max(100).default(10).describe("Maximum number of tools to list"),
});

export default defineTool({
  slug: "input-detector",
  title: "Input detector",
  version: "1.2.4",
  summary: "List the tools that fit a text or bytes, the best first, and what each would read.",
  page: {
    title: "What is this?",
    tile: "Which tools fit a text",
    view: "offers",
    options: ["dataEncoding"],
    labels: { data: "Text or file" },
  },
  accepts: "anything",
  aliases:
    "detect, identify, what format is it, magic, smart detection, auto detect format, guess format, file type, recognize, clipboard, unknown data, which tool",
  input,
  isolate: "process",
  examples: [
    {
      input: { data: '{"a":1}', limit: 1 },
      result:
        '{\n  "items": [\n    {\n      "tool": "json-formatter",\n      "kind": "json",\n      "description": "JSON",\n      "reason": "It is valid JSON (RFC 8259).",\n      "confidence": 0.85,\n      "field": "data",\n      "needs": [],\n      "steps": [\n        {\n          "tool": "json-formatter",\n          "with": {}\n        }\n      ],\n      "part": null\n    }\n  ]\n}',
    },
    {
      title: "Two steps: JSON in base64",
      input: { data: "eyJ1c2VyIjoiamFuZSIsInJvbGVzIjpbImFkbWluIl19", limit: 2 },
      result:
        '{\n  "items": [\n    {\n      "tool": "base64-decoder",\n      "kind": "base64",\n      "description": "base64",\n      "reason": "It is valid base64, of text.",\n      "confidence": 0.95,\n      "field": "data",\n      "needs": [],\n      "steps": [\n        {\n          "tool": "base64-decoder",\n          "with": {}\n        }\n      ],\n      "part": null\n    },\n    {\n      "tool": "json-formatter",\n      "kind": "json",\n      "description": "JSON",\n      "reason": "It is valid base64, of text. It is valid JSON (RFC 8259).",\n      "confidence": 0.767,\n      "field": "data",\n      "needs": [],\n      "steps": [\n        {\n          "tool": "base64-decoder",\n          "with": {}\n        },\n        {\n          "tool": "json-formatter",\n          "with": {}\n        }\n      ],\n      "part": null\n    }\n  ]\n}',
    },
    {
      title: "A part of the input",
      input: {
        data: "curl -H 'Authorization: Bearer eyJhbGciOiJub25lIn0.eyJpZCI6MX0.' https://example.com",
        limit: 1,
      },
      result:
        '{\n  "items": [\n    {\n      "tool": "jwt-decoder",\n      "kind": "jwt",\n      "description": "JSON Web Token",\n      "reason": "It contains a JSON Web Token.",\n      "confidence": 0.955,\n      "field": "data",\n      "needs": [],\n      "steps": [\n        {\n          "tool": "jwt-decoder",\n          "with": {}\n        }\n      ],\n      "part": {\n        "line": 1,\n        "column": 32,\n        "offset": 31,\n        "length": 32\n      }\n    }\n  ]\n}',
    },
  ],
  run: ({ data, dataEncoding: encoding, limit }, { call }) => report(toBytes(data, encoding), limit, call),
  runBytes: (data, { dataEncoding: encoding, limit }, { call }) =>
    report(toBytes(data, encoding), limit, call),
});

const report = async (bytes: Uint8Array, limit: number, call: ToolContext["call"]): Promise<string> =>
  JSON.stringify({ items: await rankTools(bytes, limit, call) }, null, 2);
