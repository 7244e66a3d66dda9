import * as fc from "fast-check";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { TooMuchInline } from "../../../../src/catalog/inline.ts";
import toJson from "../../../../src/tools/data/env-to-json.ts";
import toEnv from "../../../../src/tools/data/json-to-env.ts";
import { context, refusalOf, runTool } from "../run-tool.ts";

const write = (value: unknown, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toEnv, { data: typeof value === "string" ? value : JSON.stringify(value), ...options });

const awkwardText = fc.string({
  unit: fc.constantFrom("a", "é", " ", "#", "=", "'", '"', "`", "$", "\\", "n", "\n", "\t"),
  maxLength: 8,
});

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });

const variableName = fc.stringMatching(/^[A-Za-z_][\w.-]{0,5}$/);

test.each([
  ["{}", {}, ""],
  ['{"A":"a/b:c@d.e-f+g,h%i=j"}', {}, "A=a/b:c@d.e-f+g,h%i=j"],
  ['{"A":"x y","B":"#","C":"$HOME","D":"a\\\\nb"}', {}, "A='x y'\nB='#'\nC='$HOME'\nD='a\\nb'"],
  ['{"A":"it\'s"}', {}, 'A="it\'s"'],
  ['{"A":"it\'s $5"}', {}, "A=`it's $5`"],
  ['{"A":"it\'s \\"so\\""}', {}, 'A=`it\'s "so"`'],
  ['{"A":"\'`"}', {}, 'A="\'`"'],
  ['{"A":"1\\n2"}', {}, "A='1\n2'"],
  ['{"A":1.0,"B":12345678901234567890,"C":false,"D":null}', {}, "A=1.0\nB=12345678901234567890\nC=false\nD="],
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

test("writes what both Node and penknife read back to the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(variableName, awkwardText, { maxKeys: 4 }), async (variables) => {
      const env = await write(variables).catch(() => undefined);
      fc.pre(env !== undefined);
      expect(JSON.parse(await read(env))).toEqual(variables);
      expect({ ...parseEnv(env) }).toEqual({ ...variables });
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['{"a":{"b":1.0,"c":[true,{"d":null}],"e":{}}}', {}, "a_b=1.0\na_c_0=true\na_c_1_d=\na_e="],
  ['{"a":{"b":"x y"}}', { separator: "__", prefix: "P_" }, "P_a__b='x y'"],
])("flattens %s with %j", async (data, options, result) => {
  expect(await runTool(toEnv, { data, flatten: true, ...options })).toBe(result);
});

test.each([
  ['{"A":{"B":1},"A_B":2}', { flatten: true }, 'Two values get the name "A_B"'],
  ['{"A":[{"":1}]}', { flatten: true, separator: " " }, "not a name"],
  ['{"A":[1]}', {}, "set flatten to true"],
  ["[1]", { flatten: true }, "Expected an object"],
])("refuses %s with %j", async (data, options, words) => {
  const refusal = await refusalOf(runTool(toEnv, { data, ...options }));
  expect(refusal.code).toBe("invalid_document");
  expect(refusal.message).toContain(words);
});

test("moves long names off the event loop", () => {
  const data = `{"${"a".repeat(1000)}":[${"1,".repeat(99)}1]}`;
  const input = { data, dialect: "json", prefix: "", export: false, flatten: true, separator: "_" };
  expect(() => toEnv.run(input, { ...context, inlineResultBytes: 50_000 })).toThrow(TooMuchInline);
});

test("unflattens what flatten wrote, to the same value", async () => {
  const name = fc.constantFrom("A", "b", "C1");
  const tree = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("x", "y z", ""),
      fc.dictionary(name, tie("node"), { minKeys: 1 }),
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
    ),
  })).node;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, tree, { minKeys: 1 }), async (value) => {
      const data = await runTool(toEnv, { data: JSON.stringify(value), flatten: true });
      expect(JSON.parse(await read(data, { unflatten: true }))).toEqual(value);
    }),
    { numRuns: 100 },
  );
});
