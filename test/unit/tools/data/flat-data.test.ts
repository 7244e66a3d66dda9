import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TooMuchInline } from "../../../../src/catalog/inline.ts";
import csvToJson from "../../../../src/tools/data/csv-to-json.ts";
import dataConverter from "../../../../src/tools/data/data-converter.ts";
import envToJson from "../../../../src/tools/data/env-to-json.ts";
import jsonToEnv from "../../../../src/tools/data/json-to-env.ts";
import { context, refusalOf, runTool } from "../run-tool.ts";

const readEnv = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(envToJson, { data, indent: 0, ...options });
const readCsv = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(csvToJson, { data, indent: 0, ...options });
const convert = (data: string, from: string, to: string, options = {}): Promise<string> =>
  runTool(dataConverter, { data, from, to, indent: 0, ...options });

describe("references in env-to-json", () => {
  // As https://docs.docker.com/reference/compose-file/interpolation/ describes them.
  test.each([
    ["$S", "s"],
    ["${S}x$S", "sxs"],
    ["$E", ""],
    ["${S:-d}", "s"],
    ["${E:-d}", "d"],
    ["${E-d}", ""],
    ["${U-d}", "d"],
    ["${U:-${E:-${S}}}", "s"],
    ["${S:+r}", "r"],
    ["${E:+r}", ""],
    ["${E+r}", "r"],
    ["${U+r}", ""],
    ["${S:?no}", "s"],
    ["${E?no}", ""],
    ["$$S \\$S $5 $", "$S $S $5 $"],
    ["${U:-a}b}", "ab}"],
    ["${S:-${E:?no}}", "s"],
    ['"$S\\n$$"', "s\n$"],
    ["'$S'", "$S"],
    ["`$S`", "$S"],
  ])("%s becomes %j", async (value, result) => {
    const data = `S=s\nE=\nV=${value}\n`;
    for (const expand of ["strict", "compose"])
      expect(JSON.parse(await readEnv(data, { expand }))).toEqual({ S: "s", E: "", V: result });
    expect(await readEnv(data)).toContain('"S":"s","E":""');
  });

  test("reads names that the prefix excludes, and the last of two values", async () => {
    const data = "A=1\nA=2\nX_A=$A\nX_B=$X_A$X_C\nX_C=3";
    expect(await readEnv(data, { expand: "compose", prefix: "X_", duplicateKeys: "last" })).toBe(
      '{"A":"2","B":"2","C":"3"}',
    );
  });

  test.each([
    ["A=$B", 1, 3, "set expand to compose"],
    ["A=1\nB='x\ny'\nC=${D}", 4, 3, "D is not set above"],
    ["A=${B:?port of the server}", 1, 3, "B is not set: port of the server"],
    ["B=\nA=${B:?port}", 2, 3, "B is not set: port"],
    ["A=${1}", 1, 3, "Write $$ for a dollar sign, or set expand to none"],
    ["A=${B", 1, 3, "Expected } after ${B"],
    [`A=${"${B:-".repeat(40)}`, 1, 3, "32 levels"],
  ])("%.20j is refused", async (data, line, column, words) => {
    const refusal = await refusalOf(readEnv(data, { expand: "strict" }));
    expect(refusal).toMatchObject({ code: "invalid_document", line, column });
    expect(refusal.message).toContain(words);
  });

  test("refuses values that double at every line, and moves them off the event loop first", async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `V${at + 1}=$V${at}$V${at}`);
    const data = ["V0=0123456789", ...lines].join("\n");
    expect((await refusalOf(readEnv(data, { expand: "strict" }))).message).toContain("larger than");
    const input = { data, expand: "strict", prefix: "", unflatten: false, separator: "_", indent: 0 };
    expect(() => envToJson.run(input, { ...context, inlineResultBytes: 10_000 })).toThrow(TooMuchInline);
  });
});

test("names the option that accepts a repeated name", async () => {
  expect((await refusalOf(readEnv("A=1\nA=2"))).message).toContain("set duplicateKeys to last");
});

describe("nested values as environment variables", () => {
  test.each([
    ['{"a":{"b":1.0,"c":[true,{"d":null}],"e":{}}}', {}, "a_b=1.0\na_c_0=true\na_c_1_d=\na_e="],
    ['{"a":{"b":"x y"}}', { separator: "__", prefix: "P_" }, "P_a__b='x y'"],
  ])("flattens %s with %j", async (data, options, result) => {
    expect(await runTool(jsonToEnv, { data, flatten: true, ...options })).toBe(result);
  });

  test.each([
    ['{"A":{"B":1},"A_B":2}', { flatten: true }, 'Two values get the name "A_B"'],
    ['{"A":[{"":1}]}', { flatten: true, separator: " " }, "not a name"],
    ['{"A":[1]}', {}, "set flatten to true"],
    ["[1]", { flatten: true }, "Expected an object"],
  ])("refuses %s with %j", async (data, options, words) => {
    const refusal = await refusalOf(runTool(jsonToEnv, { data, ...options }));
    expect(refusal.code).toBe("invalid_document");
    expect(refusal.message).toContain(words);
  });

  test("moves long names off the event loop", () => {
    const data = `{"${"a".repeat(1000)}":[${"1,".repeat(99)}1]}`;
    const input = { data, dialect: "json", prefix: "", export: false, flatten: true, separator: "_" };
    expect(() => jsonToEnv.run(input, { ...context, inlineResultBytes: 50_000 })).toThrow(TooMuchInline);
  });

  test.each([
    ["A_B=1\nA_C_0=2\nA_C_1=3\n__proto__=4", "_", '{"A":{"B":"1","C":["2","3"]},"__proto__":"4"}'],
    ["A__B_C=1\nD=2\nA__1=3", "__", '{"A":{"B_C":"1","1":"3"},"D":"2"}'],
    ["0=a\n1=b", "_", '{"0":"a","1":"b"}'],
  ])("unflattens %j at %s", async (data, separator, result) => {
    expect(await readEnv(data, { unflatten: true, separator })).toBe(result);
  });

  test.each([
    ["A=1\nA_B=2", '"A" is a value and also an object'],
    ["A_B=2\nA=1", "set unflatten to false"],
    [`A${"_B".repeat(600)}=1`, "512 parts"],
  ])("refuses to unflatten %.20j", async (data, words) => {
    expect((await refusalOf(readEnv(data, { unflatten: true }))).message).toContain(words);
  });

  test("comes back", async () => {
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
        const data = await runTool(jsonToEnv, { data: JSON.stringify(value), flatten: true });
        expect(JSON.parse(await readEnv(data, { unflatten: true }))).toEqual(value);
      }),
      { numRuns: 100 },
    );
  });
});

describe("csv-to-json", () => {
  test.each([
    [' a ,b\n x,"\ty "\n', { trim: true }, '[{"a":"x","b":"y"}]'],
    ['a,b\n,""\n', { emptyFields: "null" }, '[{"a":null,"b":null}]'],
    ["a,b\n ,1\n", { trim: true, emptyFields: "null", types: "infer" }, '[{"a":null,"b":1}]'],
    ["a\n", { emptyFields: "null", header: false }, '[["a"]]'],
    ["a.b,a.c.0,d\n1,2,3\n", { unflatten: true, types: "infer" }, '[{"a":{"b":1,"c":[2]},"d":3}]'],
    ["a.b,c\n1\n", { unflatten: true, ragged: "keep" }, '[{"a":{"b":"1"}}]'],
    ["a.b\nx.y\n", { unflatten: true, header: false }, '[["a.b"],["x.y"]]'],
  ])("reads %j with %j", async (data, options, result) => {
    expect(await readCsv(data, options)).toBe(result);
  });

  test("refuses columns that contradict each other, names that trim makes equal, and too many objects", async () => {
    const refusal = await refusalOf(readCsv("a,a.b\n1,2", { unflatten: true }));
    expect(refusal.message).toContain('"a" is a value and also an object');
    expect((await refusalOf(readCsv("a, a\n1,2", { trim: true }))).message).toContain("occurs twice");
    const data = `${"a.".repeat(500)}b\n${"1\n".repeat(4100)}`;
    expect((await refusalOf(readCsv(data, { unflatten: true }))).message).toContain(
      "more than 2000000 objects",
    );
  });
});

describe("data-converter", () => {
  const unit = "A=1\n[S]\nE=a\nE=b\nE=c\n";
  test.each([
    [unit, "ini", { duplicateKeys: "list" }, '{"A":"1","S":{"E":["a","b","c"]}}'],
    [unit, "ini", { duplicateKeys: "last" }, '{"A":"1","S":{"E":"c"}}'],
    ["a=1\na:2", "properties", { duplicateKeys: "list" }, '{"a":["1","2"]}'],
    ["A=1\nA=2", "env", { duplicateKeys: "list" }, '{"A":["1","2"]}'],
    ['{"a":1,"b":2,"a":3}', "json", { duplicateKeys: "last" }, '{"a":3,"b":2}'],
    ["{a:1,a:2,}", "json5", { duplicateKeys: "last" }, '{"a":2}'],
    ["a.b=1\na.c.0=2\nd=3", "properties", { unflatten: true }, '{"a":{"b":"1","c":["2"]},"d":"3"}'],
    ["[a]\nb.c=1\n[a.d]\ne=2", "ini", { unflatten: true }, '{"a":{"b":{"c":"1"},"d":{"e":"2"}}}'],
    ["A_B=1", "env", { unflatten: true }, '{"A":{"B":"1"}}'],
    ["a.b\n1\n", "csv", { unflatten: true }, '[{"a":{"b":"1"}}]'],
  ])("reads %j from %s with %j", async (data, from, options, result) => {
    expect(await convert(data, from, "json", options)).toBe(result);
  });

  test("writes nested values to ENV", async () => {
    expect(await convert('{"a":{"b":[1]}}', "json", "env")).toBe("a_b_0=1");
  });

  test.each([
    [unit, "ini", "json", {}, "To accept it, set duplicateKeys to last or list."],
    ["a=1\na=2", "properties", "json", {}, "To accept it, set duplicateKeys to last or list."],
    ["A=1\nA=2", "env", "json", {}, "set duplicateKeys to last."],
    [
      '{"a":1,"a":2}',
      "json",
      "yaml",
      {},
      /^Duplicate key "a" \(to accept it, set duplicateKeys to last\) at line 1/,
    ],
    ['{"a":1,"a":2}', "json", "yaml", { duplicateKeys: "list" }, "must be error or last if from is json"],
    ["a: 1", "yaml", "json", { duplicateKeys: "last" }, "must be error if from is yaml"],
    ["{}", "jsonc", "json5", { duplicateKeys: "last" }, "set to to json"],
    ["{}", "jsonc", "json5", { unflatten: true }, "set to to json"],
    ['{"a":{"b":1},"a.b":2}', "json", "properties", {}, /^(?!.*duplicateKeys)/],
  ])("%j from %s to %s with %j is refused", async (data, from, to, options, words) => {
    expect((await refusalOf(convert(data, from, to, options))).message).toMatch(words);
  });
});
