import { expect, test } from "vitest";
import toJson from "../../../../src/tools/data/ndjson-to-json.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });

test.each([
  ["", {}, "[]"],
  ["\n \t\r\n", {}, "[]"],
  ["1\n2", {}, "[1,2]"],
  ['\uFEFF{"a":1.0}\r\n[1E5]\r\n', {}, '[{"a":1.0},[1E5]]'],
  ['"a\\nb"', {}, '["a\\nb"]'],
  ['{"__proto__":1,"2":1,"1":2}', {}, '[{"__proto__":1,"2":1,"1":2}]'],
  ["1\n1,2\n]\n3", { skipInvalid: true }, "[1,3]"],
  ['1\n{"a":1,"a":2}', { skipInvalid: true }, "[1]"],
])("%j with %j", async (data, options, result) => {
  expect(await read(data, options)).toBe(result);
});

test.each([
  ["1\n\n1,2", 3, 2],
  ["{\n}", 1, 2],
  ['1\n["é",]', 2, 5],
  ['"a"\n"b', 2, 3],
])("%j is refused", async (data, line, column) => {
  expect(await refusalOf(read(data))).toMatchObject({ code: "invalid_document", line, column });
});

test("lines that form JSON only together are refused", async () => {
  expect(await refusalOf(read("1,2\n[3\n4]"))).toMatchObject({ line: 1, column: 2 });
  expect(await read("1,2\n[3\n4]\n5", { skipInvalid: true })).toBe("[5]");
});

test("accepts many lines, reports a broken one, and limits nesting", async () => {
  const deep = "[".repeat(512) + "]".repeat(512);
  const lines = Array.from({ length: 5000 }, (_, index) => String(index));
  expect(JSON.parse(await read(lines.join("\n")))).toHaveLength(5000);
  const broken = lines.with(3000, "x").with(10, deep).join("\n");
  expect(await refusalOf(read(broken))).toMatchObject({ line: 3001, column: 1 });
  expect(JSON.parse(await read(broken, { skipInvalid: true }))).toHaveLength(4999);
});

test("a duplicate key is reported with its columns", async () => {
  const refusal = await refusalOf(read('1\n{"é":1,"é":2}'));
  expect(refusal).toMatchObject({ code: "invalid_document", line: 2, column: 8 });
  expect(refusal.message).toContain("first is at column 2.");
});
