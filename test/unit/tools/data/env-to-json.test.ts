import * as fc from "fast-check";
import { parseEnv } from "node:util";
import { describe, expect, test } from "vitest";
import { TooMuchInline } from "../../../../src/catalog/inline.ts";
import toJson from "../../../../src/tools/data/env-to-json.ts";
import { checkTool, context, refusalOf, runTool } from "../run-tool.ts";

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });

const variableName = fc.stringMatching(/^[A-Za-z_][\w.-]{0,5}$/);

const awkwardText = fc.string({
  unit: fc.constantFrom("a", "é", " ", "#", "=", "'", '"', "`", "$", "\\", "n", "\n", "\t"),
  maxLength: 8,
});

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

test("reads every accepted text like Node", async () => {
  const spaced = fc.constantFrom("", " ", "  ");
  const quoted = fc
    .tuple(fc.constantFrom('"', "'", "`"), awkwardText)
    .map(([quote, text]) => quote + text.replaceAll(quote, "") + quote);
  const bare = fc.stringMatching(/^[a-z$=é][a-z =$\\]{0,5}$/);
  const line = fc.oneof(
    fc
      .tuple(variableName, spaced, fc.oneof(quoted, bare), fc.constantFrom("", " # c", "\r"))
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

test.each([
  ["quotes", "A='\n".repeat(50_000)],
  ["no quotes", "A=`x\n".repeat(50_000)],
  ["lines", "a\n".repeat(50_000)],
  ["spaces", `A${" ".repeat(300_000)}x`],
  ["spaces before a sign", `A${" ".repeat(300_000)}x=1`],
])("%s take linear time", async (_, data) => {
  expect((await refusalOf(read(data))).code).toBe("invalid_document");
});

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
      expect(JSON.parse(await read(data, { expand }))).toEqual({ S: "s", E: "", V: result });
    expect(await read(data)).toContain('"S":"s","E":""');
  });

  test("reads names that the prefix excludes, and the last of two values", async () => {
    const data = "A=1\nA=2\nX_A=$A\nX_B=$X_A$X_C\nX_C=3";
    expect(await read(data, { expand: "compose", prefix: "X_", duplicateKeys: "last" })).toBe(
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
    const refusal = await refusalOf(read(data, { expand: "strict" }));
    expect(refusal).toMatchObject({ code: "invalid_document", line, column });
    expect(refusal.message).toContain(words);
  });

  test("refuses values that double at every line, and moves them off the event loop first", async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `V${at + 1}=$V${at}$V${at}`);
    const data = ["V0=0123456789", ...lines].join("\n");
    expect((await refusalOf(read(data, { expand: "strict" }))).message).toContain("larger than");
    const input = { data, expand: "strict", prefix: "", unflatten: false, separator: "_", indent: 0 };
    expect(() => toJson.run(input, { ...context, inlineResultBytes: 10_000 })).toThrow(TooMuchInline);
  });
});

test("names the option that accepts a repeated name", async () => {
  expect((await refusalOf(read("A=1\nA=2"))).message).toContain("set duplicateKeys to last");
});

test.each([
  ["A_B=1\nA_C_0=2\nA_C_1=3\n__proto__=4", "_", '{"A":{"B":"1","C":["2","3"]},"__proto__":"4"}'],
  ["A__B_C=1\nD=2\nA__1=3", "__", '{"A":{"B_C":"1","1":"3"},"D":"2"}'],
  ["0=a\n1=b", "_", '{"0":"a","1":"b"}'],
])("unflattens %j at %s", async (data, separator, result) => {
  expect(await read(data, { unflatten: true, separator })).toBe(result);
});

test.each([
  ["A=1\nA_B=2", '"A" is a value and also an object'],
  ["A_B=2\nA=1", "set unflatten to false"],
  [`A${"_B".repeat(600)}=1`, "512 parts"],
])("refuses to unflatten %.20j", async (data, words) => {
  expect((await refusalOf(read(data, { unflatten: true }))).message).toContain(words);
});

describe("check mode", () => {
  test.each([
    ["A=b#c\n", {}, true, ["1:4 warning unquoted-hash"]],
    ["A=b # c\nB='x#y'\n", {}, true, ["1:5 warning inline-comment"]],
    ["A=1\nA=2\n", {}, false, ["2:1 error duplicate-key"]],
    ["A=1\nA=2#\n", { duplicateKeys: "last" }, true, ["2:4 warning unquoted-hash"]],
    ["A=1\n", {}, true, []],
  ])("of %j with %j is valid: %j, %j", async (data, options, isValid, found) => {
    const { valid, errors } = await checkTool(toJson, { data, ...options });
    expect(valid).toBe(isValid);
    expect(errors.map(({ line, column, severity, rule }) => `${line}:${column} ${severity} ${rule}`)).toEqual(
      found,
    );
  });
});
