import { spawnSync } from "node:child_process";
import { parseEnv } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import toJson from "../../../../src/tools/data/env-to-json.ts";
import toEnv from "../../../../src/tools/data/json-to-env.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });
const write = (value: unknown, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toEnv, { data: typeof value === "string" ? value : JSON.stringify(value), ...options });

test.each([
  ["", {}, "{}"],
  ["\uFEFFA=1", {}, '{"A":"1"}'],
  ["# c\n\n A = b # c\r\nB=", {}, '{"A":"b","B":""}'],
  ["A=b#c", {}, '{"A":"b"}'],
  ["A==b=", {}, '{"A":"=b="}'],
  ["A='x\r\ny' # c\nB=2", {}, '{"A":"x\\ny","B":"2"}'],
  ['A="a\\nb\\t$C"', {}, '{"A":"a\\nb\\\\t$C"}'],
  ["A='a\\nb'", {}, '{"A":"a\\\\nb"}'],
  ["A=`\"'`", {}, '{"A":"\\"\'"}'],
  ["A=x 'y'", {}, '{"A":"x \'y\'"}'],
  ["export  A=1\nexported=2", {}, '{"A":"1","exported":"2"}'],
  ["A.b-c=1", {}, '{"A.b-c":"1"}'],
  ["A=\u00a0x\u00a0", {}, '{"A":"\u00a0x\u00a0"}'],
  ["A= \nB=1", {}, '{"A":"","B":"1"}'],
  ["__proto__=1\nconstructor=2\n3=x", {}, '{"__proto__":"1","constructor":"2","3":"x"}'],
  ["X_A=1\nB=2\nX_=3", { prefix: "X_" }, '{"A":"1"}'],
])("%j with %j", async (data, options, result) => {
  expect(await read(data, options)).toBe(result);
});

test.each([
  ["A=1\nB", 2, 1, "'=' is missing"],
  ["=1", 1, 1, "name before"],
  ["é A=1", 1, 1, "cannot contain a space"],
  ["A=1\n\nA=2", 3, 1, "set twice"],
  ["É='x", 1, 3, "never closed"],
  ["A='it\\'s'", 1, 9, "closing quote"],
  ["A='x' y", 1, 6, "closing quote"],
  ["A=1\rB=2", 1, 4, "carriage return"],
])("%j is refused", async (data, line, column, words) => {
  const refusal = await refusalOf(read(data));
  expect(refusal).toMatchObject({ code: "invalid_document", line });
  expect(refusal.message).toContain(words);
  if (!words.startsWith("closing") && !words.startsWith("carriage")) expect(refusal.column).toBe(column);
});

describe("json-to-env", () => {
  test.each([
    ["{}", {}, ""],
    ['{"A":"a/b:c@d.e-f+g,h%i=j"}', {}, "A=a/b:c@d.e-f+g,h%i=j"],
    ['{"A":"x y","B":"#","C":"$HOME","D":"a\\\\nb"}', {}, "A='x y'\nB='#'\nC='$HOME'\nD='a\\nb'"],
    ['{"A":"it\'s"}', {}, 'A="it\'s"'],
    ['{"A":"it\'s $5"}', {}, "A=`it's $5`"],
    ['{"A":"it\'s \\"so\\""}', {}, 'A=`it\'s "so"`'],
    ['{"A":"\'`"}', {}, 'A="\'`"'],
    ['{"A":"1\\n2"}', {}, "A='1\n2'"],
    [
      '{"A":1.0,"B":12345678901234567890,"C":false,"D":null}',
      {},
      "A=1.0\nB=12345678901234567890\nC=false\nD=",
    ],
    ['{"a-b.c":1}', {}, "a-b.c=1"],
    ['{"__proto__":1}', { prefix: "X_", export: true }, "export X___proto__=1"],
    ['{"1":1}', { prefix: "_" }, "_1=1"],
    ['{"A":"it\'s $(id)"}', { export: true }, "export A='it'\\''s $(id)'"],
    ['{"A":"\'\\"`"}', { export: true }, "export A=''\\''\"`'"],
    ['{"A":"it\'s"}', { export: true }, 'export A="it\'s"'],
  ])("%j with %j", async (data, options, result) => {
    expect(await write(data, options)).toBe(result);
  });

  test.each([
    ["[1]", {}, ""],
    ['{"A":{"B":1}}', {}, "/A"],
    ['{"A":[1]}', {}, "/A"],
    ['{"A B":1}', {}, "/A B"],
    ['{"1":1}', {}, "/1"],
    ['{"":1}', {}, "/"],
    ['{"A":1,"b-c":1}', { export: true }, "/b-c"],
    ['{"A":"\\r"}', {}, "/A"],
    ['{"A":"\'\\"`"}', {}, "/A"],
    ['{"A":"\\ud800"}', {}, "/A"],
    ['{"A":"\\u0000"}', {}, "/A"],
  ])("%j with %j is refused", async (data, options, pointer) => {
    const refusal = await refusalOf(write(data, options));
    expect(refusal).toMatchObject({ code: "invalid_document" });
    expect(refusal.pointer).toBe(pointer);
  });
});

describe("properties", () => {
  const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,5}$/);
  const value = fc.string({
    unit: fc.constantFrom("a", "é", " ", "#", "=", "'", '"', "`", "$", "\\", "n", "\n", "\t"),
    maxLength: 8,
  });

  test("writes what both Node and penknife read back to the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4 }), async (variables) => {
        const env = await write(variables).catch(() => undefined);
        fc.pre(env !== undefined);
        expect(JSON.parse(await read(env))).toEqual(variables);
        expect({ ...parseEnv(env) }).toEqual({ ...variables });
      }),
      { numRuns: 1000 },
    );
  });

  test("exports what a shell reads to the same values without running any of it", async () => {
    const values = fc.sample(value, 300);
    const variables = Object.fromEntries(values.map((text, index) => [`V${index}`, text]));
    const script = `${await write(variables, { export: true })}\nprintf '%s\\0' ${values.map((_, index) => `"$V${index}"`).join(" ")}`;
    const { stdout, stderr } = spawnSync("sh", ["-eu"], { input: script, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout.split("\0").slice(0, -1)).toEqual(values);
  });

  test("reads every accepted text like Node", async () => {
    const spaced = fc.constantFrom("", " ", "  ");
    const quoted = fc
      .tuple(fc.constantFrom('"', "'", "`"), value)
      .map(([quote, text]) => quote + text.replaceAll(quote, "") + quote);
    const bare = fc.stringMatching(/^[a-z$=é][a-z =$\\]{0,5}$/);
    const line = fc.oneof(
      fc
        .tuple(name, spaced, fc.oneof(quoted, bare), fc.constantFrom("", " # c", "\r"))
        .map(([key, space, text, end]) => `${key}${space}=${space}${text}${end}`),
      fc.constantFrom("# comment", ""),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
        const env = lines.join("\n");
        const ours = await read(env).catch(() => undefined);
        expect(ours === undefined ? undefined : JSON.parse(ours)).toEqual(ours && { ...parseEnv(env) });
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  ["quotes", "A='\n".repeat(50_000)],
  ["no quotes", "A=`x\n".repeat(50_000)],
  ["lines", "a\n".repeat(50_000)],
  ["spaces", `A${" ".repeat(300_000)}x`],
  ["spaces before a sign", `A${" ".repeat(300_000)}x=1`],
])("%s take linear time", async (_, data) => {
  expect((await refusalOf(read(data))).code).toBe("invalid_document");
});
