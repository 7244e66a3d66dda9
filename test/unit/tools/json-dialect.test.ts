import { expect, test } from "vitest";
import type { Report } from "../../../src/catalog/report.ts";
import { TooMuchInline } from "../../../src/catalog/inline.ts";
import dataConverter from "../../../src/tools/data/data-converter.ts";
import toToml from "../../../src/tools/data/json-to-toml.ts";
import toYaml from "../../../src/tools/data/json-to-yaml.ts";
import canonicalizer from "../../../src/tools/json/json-canonicalizer.ts";
import formatter from "../../../src/tools/json/json-formatter.ts";
import minifier from "../../../src/tools/json/json-minifier.ts";
import patcher from "../../../src/tools/json/json-patcher.ts";
import query from "../../../src/tools/json/json-query.ts";
import redactor from "../../../src/tools/json/json-redactor.ts";
import sorter from "../../../src/tools/json/json-sorter.ts";
import validator from "../../../src/tools/json/json-validator.ts";
import { context, refusalOf, runRaw, runTool } from "./run-tool.ts";

const jsonc = '{\n\t// é\n\t"b": [1.0, 2,], /* b */\n\t"a": "//",\n}';
const json5 = "{\n  b: [+1.0, 0x2,],\n  a: '//', // é\n}";
const plain = '{"b":[1.0,2],"a":"//"}';

test.each([
  [formatter, {}, '{\n  // é\n  "b": [\n    1.0,\n    2\n  ], /* b */\n  "a": "//"\n}'],
  [formatter, { useTabs: true, width: 80 }, '{\n\t// é\n\t"b": [1.0, 2], /* b */\n\t"a": "//"\n}'],
  [formatter, { sortKeys: true, width: 80 }, '{\n  "a": "//",\n  // é\n  "b": [1.0, 2] /* b */\n}'],
  [sorter, {}, '{\n  "a": "//",\n  // é\n  "b": [\n    1.0,\n    2\n  ] /* b */\n}'],
  [
    sorter,
    { order: "desc", arrays: "sort", useTabs: true },
    '{\n\t// é\n\t"b": [\n\t\t2,\n\t\t1.0\n\t], /* b */\n\t"a": "//"\n}',
  ],
  [minifier, {}, plain],
  [canonicalizer, {}, '{"a":"//","b":[1,2]}'],
  [patcher, { patch: '{"a":null}', indent: 0 }, '{"b":[1.0,2]}'],
  [redactor, { keys: ["a"], indent: 0 }, '{"b":[1.0,2],"a":"***"}'],
  [query, { query: "$.b[*]", output: "raw" }, "1.0\n2"],
  [toYaml, {}, "b:\n  - 1.0\n  - 2\na: //\n"],
] as const)("%#: reads JSONC, with its comments where it writes JSONC", async (tool, options, result) => {
  expect(await runTool(tool, { data: jsonc, dialect: "jsonc", ...options })).toBe(result);
});

test.each([
  [formatter, { width: 80 }, "{\n  b: [+1.0, 0x2],\n  a: '//' // é\n}"],
  [sorter, {}, "{\n  a: '//', // é\n  b: [\n    +1.0,\n    0x2\n  ]\n}"],
  [minifier, {}, plain],
  [canonicalizer, {}, '{"a":"//","b":[1,2]}'],
  [query, { query: "b[1]", language: "jmespath" }, "2"],
  [toYaml, {}, "b:\n  - 1.0\n  - 2\na: //\n"],
] as const)("%#: reads JSON5", async (tool, options, result) => {
  expect(await runTool(tool, { data: json5, dialect: "json5", ...options })).toBe(result);
});

test.each([formatter, minifier])("%#: reads a dialect from bytes as from text", async (tool) => {
  const text = await runTool(tool, { data: jsonc, dialect: "jsonc" });
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(jsonc)]);
  expect((await runRaw(tool, marked, { dialect: "jsonc" })).toString()).toBe(text);
  expect(await refusalOf(runRaw(tool, Buffer.from([0x22, 0xff, 0x22]), { dialect: "json5" }))).toMatchObject({
    code: "invalid_document",
    offset: 1,
  });
});

test.each([formatter, sorter, minifier, canonicalizer, redactor, toYaml])(
  "%#: names the dialect that accepts what JSON does not",
  async (tool) => {
    const comment = await refusalOf(runTool(tool, { data: jsonc }));
    expect(comment).toMatchObject({ code: "invalid_document", line: 2, column: 2 });
    expect(comment.message).toContain(
      "Comments are not JSON; remove it. To accept it, set dialect to jsonc.",
    );
    expect((await refusalOf(runTool(tool, { data: "{a:1}" }))).message).toContain("set dialect to json5");
    expect((await refusalOf(runTool(tool, { data: "{a:1" }))).message).not.toContain("dialect");
  },
);

test.each([
  ["{}\n// c", {}, "set dialect to jsonc"],
  ["{a: 1}", {}, "set dialect to json5"],
  ["{a: 1", {}, undefined],
  ["{a: 1}", { dialect: "jsonc" }, undefined],
  ['{"a":1,"a":2}', {}, undefined],
])("json-validator: %j with %j is valid with %s", async (data, options, advice) => {
  const { errors } = JSON.parse(await runTool(validator, { data, ...options })) as Report;
  expect(errors.length).toBeGreaterThan(0);
  if (advice === undefined) expect(errors[0]?.message).not.toContain("dialect");
  else expect(errors[0]?.message).toContain(`To accept it, ${advice}.`);
});

test("names the option of the tool that reads the document", async () => {
  const converted = await refusalOf(runTool(dataConverter, { data: "[1,]", from: "json", to: "yaml" }));
  expect(converted.message).toContain("To accept it, set from to jsonc.");
  const patch = await refusalOf(runTool(patcher, { data: "{}", patch: "{'a':1}", query: undefined }));
  expect(patch.message).toContain("To accept it, convert it with data-converter to json from json5.");
  expect(patch).toMatchObject({ field: "patch" });
});

test.each([
  ["jsonc", '{ // c\n  /* x */ "a": [1, // [\n null] }'],
  ["json5", "{ // c\n  /* x */ a: [1, // [\n null], }"],
])("locates a value that another format lacks in %s", async (dialect, data) => {
  const refusal = await refusalOf(runTool(toToml, { data, dialect }));
  expect(refusal).toMatchObject({ line: 3, column: 2, pointer: "/a/1" });
});

test("converts between the dialects with their comments, and refuses duplicate keys", async () => {
  const convert = (data: string, from: string, to: string): Promise<string> =>
    runTool(dataConverter, { data, from, to });
  expect(await convert("[1, // a\n]", "jsonc", "jsonc")).toBe("[\n  1 // a\n]");
  expect(await convert("['x', // a\n]", "json5", "jsonc")).toBe('[\n  "x" // a\n]');
  expect(await convert("['x', // a\n]", "json5", "json5")).toBe("[\n  'x' // a\n]");
  expect(await convert("[.5]", "json5", "yaml")).toBe("- 0.5\n");
  expect(await refusalOf(convert('{"a":1,"a":2}', "jsonc", "jsonc"))).toMatchObject({ pointer: "/a" });
});

test("indents plain JSON with tabs, also inside of strings nothing else", async () => {
  const data = '{"a":["\u2028  x",{}],"b":1}';
  const result = '{\n\t"a": [\n\t\t"\u2028  x",\n\t\t{}\n\t],\n\t"b": 1\n}';
  expect(await runTool(formatter, { data, useTabs: true, indent: 4 })).toBe(result);
  expect((await runRaw(formatter, Buffer.from(data), { useTabs: "true" })).toString()).toBe(result);
  expect(await runTool(formatter, { data, useTabs: true, indent: 0 })).toBe(data);
  expect(await runTool(formatter, { data: result, useTabs: true })).toBe(result);
});

test("limits documents that are formatted token by token, and moves long ones off the event loop", async () => {
  const large = " ".repeat(16 * 1024 * 1024) + "1";
  expect(await refusalOf(runTool(formatter, { data: large, width: 80 }))).toMatchObject({
    code: "body_too_large",
  });
  const long = { data: `[${"1,".repeat(5000)}]`, dialect: "jsonc", indent: 2 };
  const inline = { ...context, inlineResultBytes: 1_000_000 };
  expect(() => minifier.run(long, inline)).toThrow(TooMuchInline);
  expect(() => formatter.run(long, inline)).toThrow(TooMuchInline);
});

test.each([
  ["$.a", '{"a":"x"}', {}, "x"],
  ["$..a", '[{"a":"x\\ny"},{"a":null}]', {}, "x\ny\nnull"],
  ["$.b", "{}", {}, ""],
  ["/a", '{"a":["x"]}', { language: "pointer" }, '["x"]'],
  [
    "a[*].b",
    '{"a":[{"b":"x"},{"b":12345678901234567890}]}',
    { language: "jmespath" },
    "x\n12345678901234567890",
  ],
  ["a.b", '{"a":[{"b":"x"},{"b":"y"}]}', { language: "jsonata" }, "x\ny"],
  ["a", "{}", { language: "jmespath" }, "null"],
])("prints the matches of %s in %s with %j raw", async (text, data, options, result) => {
  expect(await runTool(query, { data, query: text, output: "raw", ...options })).toBe(result);
});
