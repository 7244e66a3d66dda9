import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawSeed } from "../../../support/cases.ts";
import tool from "../../../../src/tools/diff/json-merger.ts";
import minifier from "../../../../src/tools/json/json-minifier.ts";
import patcher from "../../../../src/tools/json/json-patcher.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const merge = (data: string, other: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, other, indent: 0, ...options });

/** RFC 7396, appendix A. */
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])("%s and %s are %s", async (data, other, result) => {
  expect(await merge(data, other)).toBe(result);
});

test.each([
  ['{"a":[1,2]}', '{"a":[2,3]}', { arrays: "append" }, '{"a":[1,2,2,3]}'],
  ['{"a":[1,{"b":1.0}]}', '{"a":[{"b":1},3,3]}', { arrays: "union" }, '{"a":[1,{"b":1.0},3]}'],
  [
    '[{"id":1,"x":1},{"y":2},5]',
    '[{"id":1,"x":null,"z":3},{"id":2},{"id":2,"w":4}]',
    { arrays: "key", arrayKey: "id" },
    '[{"id":1,"z":3},{"y":2},5,{"id":2,"w":4}]',
  ],
  ['[{"id":"1"}]', '[{"id":1}]', { arrays: "key", arrayKey: "id" }, '[{"id":"1"},{"id":1}]'],
  ['{"a":1}', '{"a":null,"b":{"c":null}}', { null: "keep" }, '{"a":null,"b":{"c":null}}'],
  ['{"a":1}', '{"b":2}', { others: ['{"a":3}', '{"b":null}'] }, '{"a":3}'],
  ['{"a":1.0}', '{"a":1,"b":2}', { conflict: "error" }, '{"a":1,"b":2}'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', {}, '{"__proto__":{"a":1,"b":2}}'],
])("%s and %s with %o are %s", async (data, other, options, result) => {
  expect(await merge(data, other, options)).toBe(result);
});

test("the text of the first document is changed in place", async () => {
  const data = '{\n  // a\n  "a": {"b": [1, 2]}, // b\n\n  "c": 1.50\n}\n';
  const keep = { layout: "keep", dialect: "jsonc" };
  expect(await merge(data, "{}", keep)).toBe(data);
  expect(await merge(data, '{"a":{"b":[3],"d":{"e":1}},"c":1.5}', { ...keep, arrays: "append" })).toBe(
    '{\n  // a\n  "a": {"b": [1, 2, 3], "d": {"e": 1}}, // b\n\n  "c": 1.50\n}\n'.replace("1.50", "1.50"),
  );
  expect(await merge(data, '{"a":null,"x":1,"y":2}', keep)).toBe(
    '{\n  // a\n\n  "c": 1.50,\n  "x": 1,\n  "y": 2\n}\n',
  );
});

test.each([
  [
    '{"a":{"b":1}}',
    '{"a":\n{"b":2}}',
    { conflict: "error" },
    { field: "other", line: 2, column: 6 },
    "Two different values for /a/b",
  ],
  ['{"a":[1]}', '{"a":[2]}', { conflict: "error" }, { field: "other", column: 6 }, "for /a;"],
  ["{}", '{"a":1}', { conflict: "error", others: ['{"a":{}}'] }, { field: "others", column: 6 }, "for /a;"],
  ["{}", '{"a":', {}, { field: "other", line: 1 }, ""],
  ["{}", "{}", { others: ["[1"] }, { field: "others", line: 1 }, ""],
  ["[", "{}", {}, { line: 1 }, ""],
])("%s and %s with %o are refused", async (data, other, options, place, message) => {
  const refusal = await refusalOf(merge(data, other, options));
  expect(refusal).toMatchObject({ code: "invalid_document", ...place });
  expect(refusal.message).toContain(message);
});

const many = Array.from({ length: 300 }, (_, at) => [`k${at}`, at] as const);
const manyMembers = JSON.stringify(Object.fromEntries(many));

test("many new entries of objects and lists follow the last one where the layout is kept", async () => {
  const written = many.map(([key, value]) => `, "${key}": ${value}`).join("");
  const data = '{"a": {"b": 1}, "c": []}';
  expect(await merge('{"a": 1}', manyMembers, { layout: "keep" })).toBe(`{"a": 1${written}}`);
  const other = `{"a":${manyMembers},"c":[${many.map(([, value]) => value).join(",")}],${manyMembers.slice(1)}`;
  expect(await merge(data, other, { layout: "keep", arrays: "append" })).toBe(
    `{"a": {"b": 1${written}}, "c": [${many.map(([, value]) => value).join(", ")}]${written}}`,
  );
});

test("many new entries behind a comment follow it, and many that go are refused, where the layout is kept", async () => {
  const options = { layout: "keep", dialect: "jsonc" };
  expect(await merge('{\n  "a": 1 // one\n}', '{"b":2,"c":3,"d":4}', options)).toBe(
    '{\n  "a": 1, // one\n  "b": 2,\n  "c": 3,\n  "d": 4\n}',
  );
  const none = JSON.stringify(Object.fromEntries(many.map(([name]) => [name, null])));
  expect((await refusalOf(merge(manyMembers, none, options))).message).toContain(
    "More than 200 entries of one object or list are added or removed one by one; set layout to new",
  );
  expect(await merge(manyMembers, none)).toBe("{}");
});

const key = fc.constantFrom("a", "b", "c", "__proto__x");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, 1, "x"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(key, value, { maxKeys: 3 });

test("by default it is a merge patch, whatever the layout", async () => {
  await fc.assert(
    fc.asyncProperty(object, value, async (one, two) => {
      const [data, other] = [JSON.stringify(one), JSON.stringify(two)];
      const patched = await runTool(patcher, { data, patch: other, type: "merge", indent: 0 });
      expect(await merge(data, other)).toBe(patched);
      for (const space of [0, 2]) {
        const kept = await merge(JSON.stringify(one, null, space), other, { layout: "keep" });
        expect(JSON.parse(await runTool(minifier, { data: kept }))).toEqual(JSON.parse(patched));
      }
    }),
    { numRuns: 300, seed: drawSeed() },
  );
});
