import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/json/json-patcher.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const patch = (data: string, change: unknown, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, {
    data,
    patch: typeof change === "string" ? change : JSON.stringify(change),
    indent: 0,
    ...options,
  });

test.each([
  // RFC 6902, appendix A.
  ['{"foo":["bar","baz"]}', [{ op: "add", path: "/foo/1", value: "qux" }], '{"foo":["bar","qux","baz"]}'],
  ['{"foo":{"a":1},"b":2}', [{ op: "move", from: "/foo/a", path: "/c" }], '{"foo":{},"b":2,"c":1}'],
  ['{"/":9,"~1":10}', [{ op: "test", path: "/~01", value: 10 }], '{"/":9,"~1":10}'],
  ["1", [{ op: "replace", path: "", value: [] }], "[]"],
  [
    '{"a":[1]}',
    [
      { op: "copy", from: "/a", path: "/b" },
      { op: "add", path: "/b/-", value: 2 },
    ],
    '{"a":[1],"b":[1,2]}',
  ],
  ["{}", '[{"op":"add","path":"/__proto__","value":{"x":1e400}}]', '{"__proto__":{"x":1e400}}'],
  ['{"n":1.0}', '[{"op":"test","path":"/n","value":10e-1}]', '{"n":1.0}'],
  ['{"n":9007199254740993}', '[{"op":"add","path":"/m","value":0.10}]', '{"n":9007199254740993,"m":0.10}'],
  // RFC 7396, appendix A.
  ['{"a":"b","b":"c"}', { a: null }, '{"b":"c"}'],
  ['{"a":[{"b":"c"}]}', { a: [1] }, '{"a":[1]}'],
  ["[1,2]", { a: "b", c: null }, '{"a":"b"}'],
  ["{}", { a: { bb: { ccc: null } } }, '{"a":{"bb":{}}}'],
  ['{"e":null}', { a: 1 }, '{"e":null,"a":1}'],
])("%s and %j: %s", async (data, change, result) => {
  expect(await patch(data, change)).toBe(result);
});

test("a list is applied as a merge patch on request", async () => {
  expect(await patch('{"a":1}', [1], { type: "merge" })).toBe("[1]");
  expect((await refusalOf(patch('{"a":1}', { a: 2 }, { type: "patch" }))).message).toContain(
    "array of operations",
  );
});

test.each([
  [[{ op: "remove", path: "/a/01" }], "/0/path"],
  [[{ op: "remove", path: "/a/1e0" }], "/0/path"],
  [[{ op: "add", path: "/a/3", value: 1 }], "/0/path"],
  [[{ op: "add", path: "a", value: 1 }], "/0/path"],
  [[{ op: "add", path: "/~2", value: 1 }], "/0/path"],
  [[{ op: "replace", path: "/x", value: 1 }], "/0/path"],
  [[{ op: "test", path: "/a/0", value: "1" }], "/0/value"],
  [[{ op: "add", path: "/b" }], "/0"],
  [[{ op: "copy", from: "/x", path: "/y" }], "/0/from"],
  [[{ op: "move", from: "/a", path: "/a/b" }], "/0/path"],
  [[{ op: "remove", path: "" }], "/0/path"],
  [[{ op: "spam", path: "/a" }], "/0/op"],
  [[7], "/0"],
])("%j cannot be applied, and the error has its place", async (change, pointer) => {
  expect(await refusalOf(patch('{"a":[1,2]}', change))).toMatchObject({ code: "invalid_document", pointer });
});

test("an error in the patch is reported in the patch", async () => {
  const refusal = await refusalOf(patch("{}", '[\n{"op":"remove","path":"/a"}]'));
  expect(refusal).toMatchObject({ line: 2, column: 23 });
  expect(refusal.message).toMatch(/^patch: /);
  expect((await refusalOf(patch("{}", '{"a":'))).message).toMatch(/^patch: /);
});

test("copies that double the document each time are refused", async () => {
  const change = Array.from({ length: 60 }, () => ({ op: "copy", from: "", path: "/0/-" }));
  expect((await refusalOf(patch("[[1,2,3]]", change))).code).toBe("invalid_document");
});

test("adding and removing again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string(),
      fc.jsonValue(),
      async (object, key, value) => {
        fc.pre(!Object.hasOwn(object, key));
        const path = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        const data = JSON.stringify(object);
        const change = [
          { op: "add", path, value },
          { op: "remove", path },
        ];
        expect(JSON.parse(await patch(data, change))).toEqual(JSON.parse(data));
      },
    ),
  );
});
