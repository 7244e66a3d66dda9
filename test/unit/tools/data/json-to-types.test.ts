import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import { z } from "zod";
import tool from "../../../../src/tools/data/json-to-types.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const write = (data: string, language: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, language, ...options });

test.each([
  ["1", "export type Root = number;"],
  ["[]", "export type Root = unknown[];"],
  ["{}", "export interface Root {\n}"],
  ['[1,"a"]', "export type Root = (string | number)[];"],
  ["[1,null]", "export type Root = (number | null)[];"],
  ['[{"a":1}]', "export type Root = RootItem[];\n\nexport interface RootItem {\n  a: number;\n}"],
  [
    '{"a":{"b":1},"c":{"b":2}}',
    "export interface Root {\n  a: A;\n  c: A;\n}\n\nexport interface A {\n  b: number;\n}",
  ],
  [
    '{"a":{"b":1},"A":{"c":2}}',
    "export interface Root {\n  a: A;\n  A: A2;\n}\n\nexport interface A {\n  b: number;\n}\n\nexport interface A2 {\n  c: number;\n}",
  ],
  [
    '{"string":{"b":1}}',
    "export interface Root {\n  string: String2;\n}\n\nexport interface String2 {\n  b: number;\n}",
  ],
  [
    '{"cities":[{"n":1}],"boxes":[{"m":1}]}',
    "export interface Root {\n  cities: City[];\n  boxes: Box2[];\n}\n\nexport interface City {\n  n: number;\n}\n\nexport interface Box2 {\n  m: number;\n}",
  ],
])("%s in TypeScript", async (data, text) => {
  expect(await write(data, "typescript")).toBe(`${text}\n`);
});

test.each([
  ["go", '{"a,b":1,"-":2,"a`":3}', '`json:"-"` // "a,b" cannot be the name of a tag'],
  ["go", '{"n":123456789012345678901}', "json.Number"],
  ["rust", '{"\\u{1f600}":1}'.replace("\\u{1f600}", "\u{1f600}"), '#[serde(rename = "\\u{1f600}")]'],
  ["kotlin", '{"$a":1}', '@SerialName("\\$a")'],
  ["swift", '{"a\\"b\\u0000":1}', '"a\\u{22}b\\u{0}"'],
  ["java", '{"class":1,"hashCode":2}', '@JsonProperty("class") Long class_'],
  ["csharp", '{"root":1}', "public required long Root_ { get; init; }"],
  ["python", '{"from":1}', 'from_: int = field(metadata={"key": "from"})'],
  ["pydantic", '{"_a":1,"b":null}', 'a: int = Field(alias="_a")'],
  ["pydantic", '{"_3":1}', 'value_3: int = Field(alias="_3")'],
  ["pydantic", '{"a":1,"_a":2}', 'a2: int = Field(alias="_a")'],
  ["pydantic", '{"_class":1}', 'class_: int = Field(alias="_class")'],
  ["graphql", '{"a":3000000000,"b":[null]}', "a: Float!\n  b: [JSON]!"],
  [
    "proto3",
    '{"a b":[[1]],"c":[null,1],"d":null}',
    '  google.protobuf.ListValue a_b = 1 [json_name = "a b"];\n  google.protobuf.ListValue c = 2;\n  google.protobuf.Value d = 3;',
  ],
  [
    "proto3",
    '{"value2":1,"value_2":2}',
    '  int32 value_2 = 1;\n  int32 value_22 = 2 [json_name = "value_2"];',
  ],
])("%s writes what its keys and values need: %s", async (language, data, text) => {
  expect(await write(data, language)).toContain(text);
});

test.each([
  ["typescript", "at: Date"],
  ["zod", "at: z.coerce.date()"],
  ["go", "At time.Time"],
  ["rust", "chrono::DateTime<chrono::Utc>"],
  ["python", "at: datetime"],
  ["pydantic", "at: datetime"],
  ["java", "OffsetDateTime at"],
  ["csharp", "DateTimeOffset At"],
  ["kotlin", "val at: Instant"],
  ["swift", "let at: Date"],
  ["graphql", "at: DateTime!"],
  ["proto3", "google.protobuf.Timestamp at = 1;"],
])("%s has times of its own", async (language, text) => {
  const data = '{"at":"2026-01-02T03:04:05Z"}';
  expect((await write(data, language, { dates: "native" })).replaceAll(/ +/g, " ")).toContain(text);
  expect(await write(data, language)).not.toContain(text);
});

test.each([
  [{ data: "{" }, { code: "invalid_document", line: 1 }],
  [
    { data: "1", name: "String" },
    { code: "invalid_input", pointer: "/name" },
  ],
  [
    { data: "1", name: "a b" },
    { code: "invalid_input", pointer: "/name" },
  ],
  [{ data: "1", samples: true }, { code: "invalid_document" }],
  [{ data: "[".repeat(600) }, { code: "invalid_document" }],
])("%j is refused", async (input, refusal) => {
  expect(await refusalOf(runTool(tool, input))).toMatchObject(refusal);
});

const key = fc.oneof(
  fc.constantFrom("a", "b", "$x", "a-b", "class", "__proto__", "1", "é", "", "type", "list"),
  fc.string({ maxLength: 4 }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, 1, 1.5, 2 ** 40, "a", "2026-01-02T03:04:05Z"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(key, tie("any"), { maxKeys: 4 }),
  ),
})).any;

test("zod accepts the document that its schema was made of", async () => {
  await fc.assert(
    fc.asyncProperty(value, async (document) => {
      const text = await write(JSON.stringify(document), "zod");
      const body = text.replaceAll(/^(?:import|export type) .*$/gm, "").replaceAll("export const", "const");
      const schema = runInNewContext(`${body}\nRoot`, { z }) as z.ZodType;
      expect(schema.safeParse(JSON.parse(JSON.stringify(document))).success, text).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("a schema of zod comes after those that it names, also where two objects share one", async () => {
  const text = await write('[{"":{},"a":{"a":{}}}]', "zod");
  expect(text.indexOf("const Value =")).toBeLessThan(text.indexOf("const A ="));
  expect(text.indexOf("const A =")).toBeLessThan(text.indexOf("const RootItem ="));
});

test("a member that is numbered is not named as its class in C#, which refuses that", async () => {
  const text = await write('{"value3":{"+":1,"-":2,"*":3}}', "csharp");
  expect(text).toContain("public sealed record Value3\n");
  expect([...text.matchAll(/required long (\w+)/g)].map(([, name]) => name)).toEqual([
    "Value",
    "Value2",
    "Value4",
  ]);
});

test("graphql accepts its types", async () => {
  await fc.assert(
    fc.asyncProperty(value, async (document) => {
      const text = await write(JSON.stringify(document), "graphql", { dates: "native" });
      expect(() => buildSchema(`${text}\ntype Query { root: Root }`)).not.toThrow();
    }),
    { numRuns: 100 },
  );
});
