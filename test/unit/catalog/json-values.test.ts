import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { bodySchemaOf } from "../../../src/catalog/body-schema.ts";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { ToolError } from "../../../src/catalog/errors.ts";
import { execute } from "../../../src/catalog/execute.ts";
import { fieldsOf, inputSchemaOf, jsonFieldsOf } from "../../../src/catalog/fields.ts";
import { pointingIntoBody, takeJsonValues } from "../../../src/catalog/json-values.ts";
import { defineTool, type Tool } from "../../../src/catalog/tool.ts";
import differ from "../../../src/tools/diff/json-differ.ts";
import patcher from "../../../src/tools/json/json-patcher.ts";
import { tools } from "../../../src/tools/index.ts";
import generator from "../../../src/tools/jwt/jwt-generator.ts";
import validator from "../../../src/tools/lint/json-schema-validator.ts";
import webhook from "../../../src/tools/crypto/webhook-signature-verifier.ts";
import renderer from "../../../src/tools/text/template-renderer.ts";
import { context, refusalOf, runTool } from "../tools/run-tool.ts";

/** Returns the text that it was given. */
const echo = defineTool({
  slug: "echo-tester",
  title: "Echo tester",
  summary: "Show what comes in.",
  input: z.object({
    data: z.string().describe("Any text"),
    second: z.string().max(5000).meta({ json: true }).optional().describe("Any text, or any JSON"),
    key: z.string().max(5000).default("none").meta({ json: "object" }).describe("Any text, or an object"),
    plain: z.string().max(10).optional().describe("Text that is never JSON"),
  }),
  examples: [],
  run: ({ second, key }) => second ?? key,
});

async function run(tool: Tool, text: string | Uint8Array): Promise<string> {
  const body = { kind: "json" as const, bytes: Buffer.from(text) };
  const answer = await execute(tool, { body, form: "text", check: false }, context);
  return Buffer.from(answer.body).toString();
}

describe("a value arrives as it is written in the body", () => {
  const texts = [
    '{"minimum": 12345678901234567890, "x": 1.0}',
    '{"b":1e400,"a":-0.0,"b":0.10}',
    '{ "é" : "\\u0061\\ud800\\/" ,\n\t"😀":[ 1E+2 ,{}]\r\n}',
    '{"__proto__":{"constructor":null},"toString":1}',
    '["]","}","\\"","\\\\",[[]],{"a":"{"}]',
    "{}",
    "[ ]",
    "-0",
    "1e400",
    "true",
    "false",
    "null",
  ];
  test.each(texts)("%s", async (text) => {
    for (const body of [
      `{"data":"","second":${text}}`,
      `{"second":${text},"data":""}`,
      ` {\n"key" : {"a":[1]} , "second"\t:\r\n${text}\n,"data":"{\\"second\\":7}" } `,
      `{"data":"","\\u0073econd":${text}}`,
    ])
      expect(await run(echo, body)).toBe(text);
  });

  test("but a string is the text that it contains", async () => {
    expect(await run(echo, '{"data":"","second":"true"}')).toBe("true");
    expect(await run(echo, '{"data":"","second":"{\\"a\\": 1}"}')).toBe('{"a": 1}');
    expect(await run(echo, '{"data":"","second":"\\"x\\""}')).toBe('"x"');
  });

  test("whatever surrounds it", async () => {
    const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
    const noString = fc.json().filter((text) => !text.trimStart().startsWith('"'));
    await fc.assert(
      fc.asyncProperty(noString, fc.string(), fc.boolean(), space, async (text, data, first, gap) => {
        const value = `"second"${gap}:${gap}${text.trim()}${gap}`;
        const document = `"data":${gap}${JSON.stringify(data)}`;
        const body = first ? `{${value},${document}}` : `${gap}{${document},${gap}${value}}`;
        expect(await run(echo, body)).toBe(text.trim());
      }),
    );
  });
});

describe("only if the field accepts JSON values", () => {
  test.each([
    ['{"data":{"a":1}}', "/data"],
    ['{"data":[]}', "/data"],
    ['{"data":null}', "/data"],
    ['{"data":"","plain":{}}', "/plain"],
    // The text of each would be a valid secret.
    ['{"data":"","key":null}', "/key"],
    ['{"data":"","key":true}', "/key"],
    ['{"data":"","key":12345678901234567890}', "/key"],
    ['{"data":"","key":["a"]}', "/key"],
  ])("%s", async (body, pointer) => {
    const refusal = await refusalOf(run(echo, body));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer });
    const expected = pointer === "/key" ? "must be a string or a JSON object, got" : "must be a string, got";
    expect(refusal.message).toContain(`${pointer.slice(1)} ${expected} `);
  });

  test("an object is accepted as a key", async () => {
    expect(await run(echo, '{"data":"","key":{"kty": "oct"}}')).toBe('{"kty": "oct"}');
  });

  test("an empty key never signs", async () => {
    for (const key of ["null", "0", "false", "[]"]) {
      const body = `{"data":"{}","algorithm":"HS256","key":${key}}`;
      expect(await refusalOf(run(generator, body))).toMatchObject({ code: "invalid_input", pointer: "/key" });
    }
  });

  test("other limits of the field apply to the text", async () => {
    const refusal = await refusalOf(run(echo, `{"data":"","second":[${" ".repeat(5000)}]}`));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/second" });
  });

  test("values without a source text are refused", async () => {
    const body = { kind: "input" as const, input: { data: "", second: { a: 1 } } };
    const call = { slug: echo.slug, body, form: "text" as const, check: false };
    expect(await refusalOf(execute(echo, call, context))).toMatchObject({ code: "invalid_input" });
  });
});

describe("other members of the body are validated as usual", () => {
  test.each([
    ['{"data":"","second":{"a":1,}}', "bad_json", { offset: 26, pointer: "/second/a" }],
    ['{"data":"","second":[1 2]}', "bad_json", { offset: 23, pointer: "/second/0" }],
    ['{"data":"","second":01}', "bad_json", { offset: 20, pointer: "/second" }],
    ['{"data":"","second":{"a":1}', "bad_json", { offset: 27 }],
    ['{"data":"","second":{},"third":{}}', "unknown_field", { pointer: "/third" }],
    ['{"data":"","__proto__":{},"second":{}}', "unknown_field", { pointer: "/__proto__" }],
    ['{"data":"","second":{},"second":[]}', "invalid_input", { offset: 23, pointer: "/second" }],
    ['{"second":{}}', "invalid_input", { pointer: "/data" }],
  ])("%s", async (body, code, place) => {
    expect(await refusalOf(run(echo, body))).toMatchObject({ code, ...place });
  });

  test("duplicate keys inside a value do not hide a duplicate field", async () => {
    const twice = `{${Array.from({ length: 300 }, () => '"a":1').join(",")}}`;
    expect(await run(echo, `{"data":"","second":${twice}}`)).toBe(twice);
    const refusal = await refusalOf(run(echo, `{"second":${twice},"data":"1","data":"2"}`));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/data" });
  });

  test("a value with too many values is refused with the advice to send text", async () => {
    const many = `[${"1,".repeat(100_000)}1]`;
    const refusal = await refusalOf(run(differ, `{"data":"[]","other":${many}}`));
    expect(refusal.code).toBe("invalid_input");
    expect(refusal.message).toMatch(/100000 values.* as text/);
    const text = await runTool(differ, { data: "[]", other: many, format: "merge" });
    expect(text.length).toBeGreaterThan(many.length);
  });

  test("a value may be nested as deep as its parser allows", async () => {
    const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(await run(differ, `{"data":"${deep(500)}","other":${deep(500)}}`)).toBe("[]");
    const refusal = await refusalOf(run(differ, `{"data":"[]","other":${deep(50_000)}}`));
    expect(refusal).toMatchObject({ code: "invalid_document", field: "other" });
    expect(refusal.pointer).toMatch(/^\/other\/0\/0/);
  });
});

/** Returns the start of the last occurrence of a text. */
function placeOf(body: string, text: string): { line: number; column: number; offset: number } {
  const index = body.lastIndexOf(text);
  const lines = body.slice(0, index).split("\n");
  const column = Array.from(lines.at(-1) ?? "").length + 1;
  return { line: lines.length, column, offset: Buffer.byteLength(body.slice(0, index)) };
}

describe("faults of a value are located in the body", () => {
  test.each([
    [
      validator,
      '{"data":"1",\n "schema" : {"properties":\n {"é":{"type":"strin"}}}}',
      ["schema", "/schema/properties/é/type", '"strin"'],
    ],
    [
      validator,
      '{"schemas":{"é:b":{}},"data":"1","schema":{"items": {"$ref":"#/x"}}}',
      ["schema", "/schema/items", '{"$ref"'],
    ],
    [validator, '{"data":"1","schema":{},\n"schemas": {"a":{},"a":1}}', ["schemas", "/schemas/a", '"a":1']],
    [
      patcher,
      '{"data":"{}",\r\n"patch":[\r\n{"op":"remove","path":"/a~1b"}]}',
      ["patch", "/patch/0/path", '"/a~1b"'],
    ],
    [
      differ,
      '{"data":"{\\"é\\":1}","format":"merge","other":{"é":{"b":null}}}',
      ["other", "/other/é/b", "null"],
    ],
    [renderer, '{"data":"$A","syntax":"envsubst","variables":["A"]}', ["variables", "/variables", '["A"]']],
    [
      webhook,
      '{"data":"","provider":"github","secret":"s","headers":{"a/b":["x",null]}}',
      ["headers", "/headers/a~1b/1", "null"],
    ],
  ] as const)("%#", async (tool, body, [field, pointer, at]) => {
    const place = placeOf(body, at);
    const refusal = await refusalOf(run(tool, body));
    expect(refusal).toMatchObject({ code: "invalid_document", field, pointer, ...place });
    expect(refusal.message).toContain(`line ${place.line}, column ${place.column}`);
    expect(refusal.message).toMatch(new RegExp(`^${field}(?:: | must )`));
  });

  test("both places of a duplicate key", async () => {
    const refusal = await refusalOf(run(patcher, '{"data":"{}",\n "patch":{"a":1,"a":\n2, "a":3}}'));
    expect(refusal.message).toBe(
      'patch: Duplicate key "a" (data-converter with duplicateKeys set to last removes duplicates) at line 2, column 17; the first is at line 2, column 11.',
    );
    const later = await refusalOf(run(patcher, '{"data":"{}",\n "patch":{"b":\n1,"a":2,\n "a":3}}'));
    expect(later.message).toMatch(/at line 4, column 2; the first is at line 3, column 3\.$/);
  });

  test("a key that looks like a place is kept unchanged", async () => {
    const key = "line 1, column 2";
    const body = `{"data":"{}","patch":{"${key}":1,"${key}":2}}`;
    const { column } = placeOf(body, `"${key}"`);
    const refusal = await refusalOf(run(patcher, body));
    expect(refusal.message).toContain(`patch: Duplicate key "${key}" (`);
    expect(refusal.message).toContain(` at line 1, column ${column};`);
  });

  test("faults of text are located in the text, faults of data in data", async () => {
    const [patch] = ['[\n{"op":"remove","path":"/a"}]'];
    expect(await refusalOf(runTool(patcher, { data: "{}", patch }))).toMatchObject({
      field: "patch",
      pointer: "/0/path",
      line: 2,
      column: 23,
    });
    const data = await refusalOf(run(patcher, '{\n"patch":[], "data":"{"}'));
    expect(data).toMatchObject({ code: "invalid_document", line: 1, column: 2 });
    expect(data).not.toHaveProperty("field");
  });
});

describe("for callers that pass a part of a body to a tool", () => {
  const body = Buffer.from(
    '{"steps":[{},{"with":{"a":0}},\n {"with": {"patch": [{"op": "nope", "path":""}]}}]}',
  );
  const { steps } = JSON.parse(body.toString()) as { steps: { with: unknown }[] };

  test("the object is found by its pointer", () => {
    const values = takeJsonValues(patcher, steps[2]?.with, body, "/steps/2/with");
    expect(values?.input).toEqual({ patch: '[{"op": "nope", "path":""}]' });
    expect(takeJsonValues(patcher, steps[1]?.with, body, "/steps/1/with")).toBeUndefined();
  });

  test("and so are its faults", async () => {
    const values = takeJsonValues(patcher, steps[2]?.with, body, "/steps/2/with");
    if (values === undefined) throw new Error("There is a value");
    const work = (): Promise<string> => runTool(patcher, { ...values.input, data: "{}" });
    expect(await refusalOf(pointingIntoBody(values, work))).toMatchObject({
      field: "patch",
      pointer: "/steps/2/with/patch/0/op",
      ...placeOf(body.toString(), '"nope"'),
    });
  });

  test("anything but an object has no values; other errors pass through", async () => {
    for (const raw of [null, 7, "x", [], [{ patch: [] }], {}, { patch: "[]" }])
      expect(takeJsonValues(patcher, raw, body, "/steps/0")).toBeUndefined();
    const values = { input: {}, body, pointer: "", offsets: new Map([["patch", 3]]) };
    for (const error of [
      new Error("a bug"),
      new ToolError("deadline_exceeded", "Too slow."),
      new ToolError("invalid_input", "x", { errors: [{ message: "x", pointer: "/a" }] }),
    ])
      await expect(pointingIntoBody(values, () => Promise.reject(error))).rejects.toBe(error);
  });
});

describe("in the description of a tool", async () => {
  const all = await createCatalog(tools).all();

  test("only text fields that are not lists are marked, and data never is", () => {
    const marked = all.flatMap((tool) =>
      fieldsOf(tool.input).flatMap((field) => (field.json === undefined ? [] : [{ tool, field }])),
    );
    expect(marked.length).toBeGreaterThanOrEqual(8);
    for (const { tool, field } of marked) {
      expect(field, tool.slug).toMatchObject({ type: "string", list: false });
      expect(field, tool.slug).not.toHaveProperty("values");
      expect(field.name, tool.slug).not.toBe("data");
      expect(jsonFieldsOf(tool.input).get(field.name)).toBe(field.json);
    }
  });

  test("the mark is not a keyword of a schema", () => {
    for (const tool of all) {
      expect(JSON.stringify(inputSchemaOf(tool.input)), tool.slug).not.toContain('"json":');
      expect(JSON.stringify(bodySchemaOf(tool.input)), tool.slug).not.toContain('"json":');
    }
  });

  test("the schema of a body is valid, and every example matches it", async () => {
    for (const { slug, input, examples } of all) {
      const schema = JSON.stringify(bodySchemaOf(input));
      for (const example of examples) {
        const report = await runTool(validator, {
          data: JSON.stringify(example.input),
          schema,
          draft: "2020-12",
        });
        expect(JSON.parse(report), slug).toEqual({ valid: true, errors: [] });
      }
    }
  });

  test.each([
    ['{"data":"","second":"x"}', true],
    ['{"data":"","second":{"a":[1]}}', true],
    ['{"data":"","second":[{}]}', true],
    ['{"data":"","second":1.5}', true],
    ['{"data":"","second":null}', true],
    ['{"data":"","key":{"kty":"oct"}}', true],
    ['{"data":"","key":"x"}', true],
    ['{"data":"","key":null}', false],
    ['{"data":"","key":[]}', false],
    ['{"data":{}}', false],
    ['{"data":"","plain":{}}', false],
    [`{"data":"","second":"${"x".repeat(5001)}"}`, false],
  ])("%s by the schema: %s", async (data, valid) => {
    const schema = JSON.stringify(bodySchemaOf(echo.input));
    expect(JSON.parse(await runTool(validator, { data, schema }))).toMatchObject({ valid });
    const ran = await run(echo, data).then(
      () => true,
      () => false,
    );
    expect(ran).toBe(valid);
  });
});
