import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawSeed } from "../../../support/cases.ts";
import toYaml from "../../../../src/tools/data/json-to-yaml.ts";
import toJson from "../../../../src/tools/data/yaml-to-json.ts";
import jsonMerger from "../../../../src/tools/diff/json-merger.ts";
import tool from "../../../../src/tools/diff/yaml-merger.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const merge = (data: string, other: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, other, ...options });

test.each([
  // Values of Helm: maps are merged, lists replaced, and null removes a default.
  ["a: {x: 1, z: 2}\nb: [1]\n", "a: {x: 3}\nb: [2]\n", {}, "a: {x: 3, z: 2}\nb: [2]\n"],
  [
    "probe:\n  http: # default\n    port: 80\n  delay: 1\n",
    "probe:\n  http: null\n  exec: ls\n",
    {},
    "probe:\n  delay: 1\n  exec: ls\n",
  ],
  ["a: 1 # c\n", "a: 1\n", {}, "a: 1 # c\n"],
  ["a: 1 # c\n", "", {}, "null\n"],
  ["# c\n", "a: 1\n", {}, "a: 1\n"],
  ["a: &x {k: 1}\nb: *x\n", "b: {l: 2}\n", {}, "a: &x {k: 1}\nb:\n  k: 1\n  l: 2\n"],
  ["a: &x {k: 1}\nb: *x\n", "c: 1\n", {}, "a: &x {k: 1}\nb: *x\nc: 1\n"],
  ["x: &x {k: 1}\na:\n  <<: *x\n  m: 1\n", "a: {k: 2}\n", {}, "x: &x {k: 1}\na:\n  <<: *x\n  m: 1\n  k: 2\n"],
  ["a: !Ref b\nc: 1\n", "c: 2\n", {}, "a: !Ref b\nc: 2\n"],
  [
    "l:\n- name: a # first\n  v: 1\n- name: b\n",
    "l: [{name: a, v: 2}, {name: c}]\n",
    { arrays: "key" },
    "l:\n- name: a # first\n  v: 2\n- name: b\n- name: c\n",
  ],
  ["a: 1\n", "b: 2\n", { others: ["c: {d: 3}\n"], layout: "new" }, "a: 1\nb: 2\nc:\n  d: 3\n"],
])("%j and %j with %o are %j", async (data, other, options, result) => {
  expect(await merge(data, other, options)).toBe(result);
});

test.each([
  ["a: 1\n---\nb: 1\n", "c: 1\n", {}, {}, "Expected one document, not 2"],
  ["a: 1\n", "a: 1\n---\nb: 1\n", {}, {}, "Expected one document, not 2"],
  ["a: 1\n", "b:\n  - !Ref c\n", {}, { field: "other", line: 2, column: 10 }, "tags of their own"],
  ["a: !Ref b\n", "c: 1\n", { layout: "new" }, { line: 1 }, "tags of their own"],
  ["a: 1\n", "a: [\n", {}, { field: "other", line: 2 }, ""],
  ["a: 1\n", "b: 1\n", { others: ["a: 1\na: 2\n"] }, { field: "others", line: 2, column: 1 }, ""],
  ["a: {b: 1}\n", "a: {b: 2}\n", { conflict: "error" }, { field: "other" }, "Two different values for /a/b"],
  [
    "x: &x {k: 1}\na:\n  <<: *x\n",
    "a: {k: null}\n",
    { null: "keep", layout: "keep", conflict: "error" },
    { field: "other" },
    "Two different values",
  ],
])("%j and %j with %o are refused", async (data, other, options, place, message) => {
  const refusal = await refusalOf(merge(data, other, options));
  expect(refusal).toMatchObject({ code: "invalid_document", ...place });
  expect(refusal.message).toContain(message);
});

const key = fc.constantFrom("a", "b", "c d");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, 1, "x", "two\nlines\n"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(key, value, { minKeys: 1, maxKeys: 3 });

test("values are those of json-merger, in both layouts", async () => {
  await fc.assert(
    fc.asyncProperty(
      object,
      object,
      fc.constantFrom("replace", "append", "union", "key"),
      fc.constantFrom("delete", "keep"),
      async (one, two, arrays, nulls) => {
        const [data, other] = [JSON.stringify(one), JSON.stringify(two)];
        const rules = { arrays, arrayKey: "a", null: nulls };
        const expected: unknown = JSON.parse(await runTool(jsonMerger, { data, other, ...rules }));
        for (const layout of ["keep", "new"]) {
          const given = {
            data: await runTool(toYaml, { data }),
            other: await runTool(toYaml, { data: other }),
          };
          const merged = await runTool(tool, { ...given, ...rules, layout });
          expect(JSON.parse(await runTool(toJson, { data: merged }))).toEqual(expected);
        }
      },
    ),
    {
      numRuns: 200,
      seed: drawSeed(),
      // A line goes behind which another one comes.
      examples: [
        [{ "c d": { a: {}, b: null } }, { "c d": { b: null }, a: [] }, "replace", "delete"],
        [{ "c d": { "c d": null, a: [] } }, { "c d": { a: null }, a: 1 }, "replace", "delete"],
      ],
    },
  );
});
