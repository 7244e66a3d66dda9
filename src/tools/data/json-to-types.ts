import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { render } from "../../lib/types/language.ts";
import { languages } from "../../lib/types/languages.ts";
import { builtIn, toModel } from "../../lib/types/model.ts";
import { readShape, sampleFields } from "../samples.ts";

export default defineTool({
  slug: "json-to-types",
  title: "JSON to types",
  version: "1.0.1",
  summary:
    "Write the types of a JSON document in TypeScript, Go, Rust, Python, Java, C# or another language.",
  page: {
    tile: "Interfaces, structs and classes",
    view: "code",
    options: ["language", "name", "samples", "dates"],
    labels: {
      data: "Samples",
      language: "Language",
      "language=typescript": "TypeScript",
      "language=zod": "Zod",
      "language=go": "Go",
      "language=rust": "Rust",
      "language=python": "Python",
      "language=pydantic": "Pydantic",
      "language=java": "Java",
      "language=csharp": "C#",
      "language=kotlin": "Kotlin",
      "language=swift": "Swift",
      "language=graphql": "GraphQL",
      "language=proto3": "Protobuf",
    },
  },
  accepts: "JSON or YAML",
  aliases:
    "quicktype, json to typescript, json2ts, json to ts, json to go, json-to-go, json to struct, json to rust, serde struct, json to python, json to dataclass, json to pydantic, json to zod, json to java, json to record, json2csharp, json to c#, poco, pojo, json to kotlin, kotlin data class, json to swift, swift codable, json to graphql, json to proto, json to protobuf, interface from json, generate types, yaml to typescript, class from json",
  input: z.object({
    data: z.string().describe("The document, or several"),
    language: z
      .enum(Object.keys(languages) as [keyof typeof languages])
      .default("typescript")
      .describe("Language of the types"),
    name: z
      .string()
      .max(100)
      .regex(/^[A-Z][A-Za-z0-9]*$/, "Must be letters and digits that begin with a capital, such as Root.")
      .default("Root")
      .describe("Name of the type of the whole document"),
    ...sampleFields,
    dates: z
      .enum(["string", "native"])
      .default("string")
      .describe("Type of texts that are all times of RFC 3339: string, or that of the language"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: '{"id":1,"name":"a","tags":["x"],"owner":{"e-mail":null,"age":1.5}}' },
      result:
        'export interface Root {\n  id: number;\n  name: string;\n  tags: string[];\n  owner: Owner;\n}\n\nexport interface Owner {\n  "e-mail": unknown;\n  age: number;\n}\n',
    },
    {
      title: "A struct, from samples of which one lacks a member",
      input: {
        data: '[{"user_id":1},{"user_id":2,"at":"2026-01-02T03:04:05Z"}]',
        language: "go",
        name: "Event",
        samples: true,
        dates: "native",
      },
      result:
        'package main\n\nimport "time"\n\ntype Event struct {\n\tUserId int64      `json:"user_id"`\n\tAt     *time.Time `json:"at,omitempty"`\n}\n',
    },
    {
      title: "Models of pydantic, with a key that is no name in Python",
      input: {
        data: '{"class":"a","items":[{"price":9.5},{"price":null}]}',
        language: "pydantic",
        name: "Order",
      },
      result:
        'from __future__ import annotations\n\nfrom pydantic import BaseModel, Field\n\n\nclass Item(BaseModel):\n    price: float | None\n\n\nclass Order(BaseModel):\n    class_: str = Field(alias="class")\n    items: list[Item]\n',
    },
    {
      title: "Integers of 64 bits in Protocol Buffers, from YAML",
      input: {
        data: "orderId: 9007199254740993\nlines:\n  - sku: a\n    count: 2\n",
        language: "proto3",
        dataFormat: "yaml",
      },
      result:
        'syntax = "proto3";\n\nmessage Root {\n  int64 order_id = 1;\n  repeated Line lines = 2;\n}\n\nmessage Line {\n  string sku = 1;\n  int32 count = 2;\n}\n',
    },
  ],
  async run({ data, language, name, dates, ...options }) {
    if (builtIn.has(name))
      throw invalidField("name", `${name} is a type of one of the languages; take another name.`);
    const model = toModel(await readShape(data, options), name, dates === "native");
    return render(model, languages[language]);
  },
});
