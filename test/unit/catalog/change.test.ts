import { expect, test } from "vitest";
import { isFixer, toChangeReport, toFixed } from "../../../src/catalog/change.ts";
import { execute } from "../../../src/catalog/execute.ts";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";

const report = (before: string, after: string) =>
  toChangeReport("any-formatter", Buffer.from(before), Buffer.from(after));

test.each([
  ["ab", "ac", 1, 1, 2],
  // The two characters share the first of their two bytes, then the first three of their four.
  ["xé", "xè", 1, 1, 2],
  ["\n👋", "\n👌", 1, 2, 1],
  ["é", "è", 0, 1, 1],
  ["abc", "ab", 2, 1, 3],
  ["ab", "abc", 2, 1, 3],
])("%j to %j differs from the start of a character: byte %i", (before, after, offset, line, column) => {
  expect(report(before, after)).toMatchObject({
    valid: false,
    errors: [{ offset, line, column, rule: "any-formatter", severity: "error" }],
  });
});

test("a document that is left as it is has no finding", () => {
  expect(report("a\n", "a\n")).toEqual({ valid: true, errors: [] });
});

const fixed = (before: string, result: string, exact: boolean) =>
  Buffer.from(toFixed(Buffer.from(before), Buffer.from(result), exact)).toString();

test.each([
  ["the final newline stays", "a\n", "a", "a\n"],
  ["a final CRLF stays", "a\r\n", "a", "a\r\n"],
  ["of several final newlines one stays", "a\n\n", "a", "a\n"],
  ["a missing final newline stays missing", "a", "a\n", "a"],
  ["a missing final CRLF stays missing", "a\r\nb", "a\nb\n", "a\r\nb"],
  ["CRLF stays", "{\r\n}\r\n", "{\n\n}\n", "{\r\n\r\n}\r\n"],
  ["no CR is doubled", "{\r\n}", "{\r\n\n}", "{\r\n\r\n}"],
  ["a file with both line ends gets those of the result", "a\r\nb\nc", "a\nb\nc", "a\nb\nc"],
  ["a lone CR is no line end", "a\rb\n", "a\nb", "a\nb\n"],
  ["the byte order mark stays", "\ufeffa\n", "b", "\ufeffb\n"],
  ["the byte order mark is not doubled", "\ufeffa", "\ufeffb", "\ufeffb"],
  ["an empty result keeps the final newline", " \n", "", "\n"],
  ["an empty document stays empty", "", "\n", ""],
])("%s: %j with the result %j becomes %j", (_, before, result, expected) => {
  expect(fixed(before, result, false)).toBe(expected);
});

test.each([
  ["the line ends are its own", "a\r\nb\r\n", "a\nb\n", "a\nb\n"],
  ["the byte order mark is its own", "\ufeffa\n", "a\n", "a\n"],
  ["it may add a final newline", "a", "a\n", "a\n"],
  ["it may leave nothing", "\n\n", "", ""],
  ["a missing final newline is added", "{ }\n", "{}", "{}\n"],
  ["a missing final CRLF is added", "{ }\r\n", "{}", "{}\r\n"],
])("an exact result, %s: %j with the result %j becomes %j", (_, before, result, expected) => {
  expect(fixed(before, result, true)).toBe(expected);
});

const catalog = createCatalog(tools);
const context = { now: () => 0, random: (size: number) => new Uint8Array(size) };

async function fix(slug: string, text: string, options: [string, string][] = []) {
  const tool = await catalog.get(slug);
  const body = { kind: "raw", bytes: Buffer.from(text), text: tool.runBytes === undefined, options } as const;
  const answer = await execute(tool, { body, form: "fix", check: true }, context);
  return { document: Buffer.from(answer.body).toString(), valid: answer.report?.valid };
}

test("check mode returns the fixed document on request, and nothing for one that it leaves as it is", async () => {
  expect(await fix("json-formatter", '{"a":1}\r\n')).toEqual({
    document: '{\r\n  "a": 1\r\n}\r\n',
    valid: false,
  });
  expect(await fix("json-formatter", "[]\n")).toEqual({ document: "", valid: true });
  expect(await fix("json-validator", "[1")).toEqual({ document: "", valid: false });
  expect(await fix("whitespace-normalizer", "a \r\n\r\n", [["eol", "keep"]])).toEqual({
    document: "a\r\n",
    valid: false,
  });
});

test("a fixer is a tool, not a pipeline, whose check is whether the result differs", async () => {
  expect(isFixer(await catalog.get("yaml-formatter"))).toBe(true);
  for (const slug of ["yaml-validator", "base64-decoder", "json-differ", "uuid-generator"])
    expect([slug, isFixer(await catalog.get(slug))]).toEqual([slug, false]);
  expect(isFixer({ check: "change", steps: [] })).toBe(false);
});
