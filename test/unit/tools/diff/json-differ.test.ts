import * as fc from "fast-check";
import { expect, test } from "vitest";
import differ from "../../../../src/tools/diff/json-differ.ts";
import patcher from "../../../../src/tools/json/json-patcher.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const diff = (data: string, other: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(differ, { data, other, ...options });
const text = (data: string, other: string, options: Record<string, unknown> = {}): Promise<string> =>
  diff(data, other, { format: "text", ...options });

test.each([
  ["1", "1.0", ""],
  ["9007199254740992", "9007199254740993", '~ "": 9007199254740992 -> 9007199254740993'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', ""],
  ['{"a":null}', "{}", '- "/a": null'],
  ['{"a/b":{"~":1}}', '{"a/b":{"~":2}}', '~ "/a~1b/~0": 1 -> 2'],
  ['{"__proto__":1}', '{"__proto__":2}', '~ "/__proto__": 1 -> 2'],
  ["[1,2,3]", "[0,1,3]", '+ "/0": 0\n- "/1": 2'],
  ['[{"a":1},{"b":2}]', '[{"a":1},{"b":3}]', '~ "/1/b": 2 -> 3'],
])("%s, %s: %s", async (data, other, result) => {
  expect(await text(data, other)).toBe(result);
});

test.each([
  ["[1,2,3]", "[3,1,2]", { arrays: "set" }, ""],
  ["[1,1,2]", "[2,1]", { arrays: "set" }, '- "/1": 1'],
  [
    '[{"k":1,"v":1},{"k":2}]',
    '[{"k":2},{"k":1,"v":9}]',
    { arrays: "key", arrayKey: "k" },
    '~ "/0/v": 1 -> 9',
  ],
  ['[{"k":1},2]', '[2,{"k":1}]', { arrays: "key", arrayKey: "k" }, '- "/0": {"k":1}\n+ "/1": {"k":1}'],
])("%s, %s with %j: %s", async (data, other, options, result) => {
  expect(await text(data, other, options)).toBe(result);
});

const keyed = fc.letrec((tie) => ({
  list: fc
    .uniqueArray(
      fc.tuple(fc.nat({ max: 6 }), fc.oneof({ depthSize: "small" }, fc.constantFrom("1", "[]"), tie("list"))),
      { selector: ([id]) => id, maxLength: 6 },
    )
    .map((items) => `[${items.map(([id, value]) => `{"id":${id},"v":${String(value)}}`).join()}]`),
})).list as fc.Arbitrary<string>;

test("moves in arrays by key lead to exactly the other document", async () => {
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(keyed, keyed, async (data, other) => {
      const patch = await diff(data, other, { arrays: "key", moves: true });
      if (patch.includes('"move"')) moved++;
      const result = await runTool(patcher, { data, patch, type: "patch" });
      expect(await diff(result, other, { arrays: "ordered" })).toBe("[]");
    }),
    { numRuns: 100 },
  );
  expect(moved).toBeGreaterThan(5);
});

test("a reversed array of 5,000 objects has one move less than objects", async () => {
  const ids = Array.from({ length: 5_000 }, (_, id) => ({ id }));
  const options = { arrays: "key", moves: true };
  const patch = await diff(JSON.stringify(ids), JSON.stringify(ids.toReversed()), options);
  expect((JSON.parse(patch) as { op: string }[]).filter(({ op }) => op === "move")).toHaveLength(4_999);
});

test("moves are reported in text, patch and check mode, and only by option", async () => {
  const data = '[{"id":1,"v":1},{"id":2},{"id":3}]';
  const other = '[{"id":2},{"id":4},{"id":3},{"id":1,"v":2}]';
  const options = { arrays: "key", moves: true };
  expect(await text(data, other, options)).toBe('> "/0" -> "/3"\n+ "/1": {"id":4}\n~ "/0/v": 1 -> 2');
  expect(JSON.parse(await diff(data, other, options))).toMatchObject([
    { op: "move", from: "/0", path: "/2" },
    { op: "add", path: "/1" },
    { op: "replace", path: "/3/v" },
  ]);
  const report = await checkTool(differ, { data, other: '[{"id":2},{"id":1,"v":1},{"id":3}]', ...options });
  expect(report).toMatchObject({ valid: false, errors: [{ rule: "moved", severity: "error" }] });
  const [finding] = report.errors;
  expect(finding?.pointer).toMatch(/^\/[01]$/);
  expect(await text(data, other, { arrays: "key" })).not.toMatch(/^>/m);
});

const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("null", "true", "1", "1.0", "12345678901234567890", '"a"', '"b"', "{}", "[]"),
    fc.array(tie("value"), { maxLength: 6 }).map((items) => `[${items.join()}]`),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "/~"), tie("value")).map(
      (object) =>
        `{${Object.entries(object)
          .map(([key, value]) => `${JSON.stringify(key)}:${String(value)}`)
          .join()}}`,
    ),
  ),
})).value as fc.Arbitrary<string>;

test.each(["ordered", "set", "key"])(
  "gives a patch that leads from one document to the other (%s)",
  async (arrays) => {
    await fc.assert(
      fc.asyncProperty(tree, tree, async (data, other) => {
        const patch = await diff(data, other, { arrays });
        const result = await runTool(patcher, { data, patch, type: "patch" });
        expect(await diff(result, other, { arrays })).toBe("[]");
        expect(await diff(data, data, { arrays })).toBe("[]");
      }),
      { numRuns: 120 },
    );
  },
);

test("gives a merge patch that leads to the other document, or an error", async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (data, other) => {
      const patch = await diff(data, other, { format: "merge" }).catch((error: { code?: string }) => {
        expect(error.code).toBe("invalid_document");
      });
      fc.pre(patch !== undefined);
      expect(await diff(await runTool(patcher, { data, patch, type: "merge" }), other)).toBe("[]");
    }),
    { numRuns: 120 },
  );
});

test("points at what a merge patch cannot express", async () => {
  const refusal = await refusalOf(diff('{"a":1}', '{"a":{"b":null}}', { format: "merge" }));
  expect(refusal).toMatchObject({ code: "invalid_document", pointer: "/a/b", column: 11 });
});

test("pairs 8,000 unlike items without a search", async () => {
  const list = (name: string): string =>
    JSON.stringify(Array.from({ length: 8000 }, (_, index) => `${name}${index}`));
  const cost = startCost();
  expect(JSON.parse(await diff(list("a"), list("b")))).toHaveLength(8000);
  expect(cost()).toBeLessThan(400);
});

test("reports an error in the other document as such", async () => {
  expect(await refusalOf(diff("1", "[1,]"))).toMatchObject({ code: "invalid_document", column: 3 });
  expect((await refusalOf(diff("1", "[1,]"))).message).toMatch(/^other: /);
});

test.each([
  ['{"a":{"at":1},"b":[{"at":2}]}', '{"a":{"at":3},"b":[{}],"at":4}', ["$..at"], ""],
  ['{"a":1,"b":2}', '{"a":3,"b":2}', ["/a"], ""],
  ['{"a":1}', '{"a":2,"c":1}', ["/a"], '+ "/c": 1'],
  ["[1,2,3]", "[1,9,3]", ["/1"], ""],
  ["[1,2]", "[1,2,3]", ["/1"], '+ "/2": 3'],
  ["1", "2", ["$"], ""],
  ['{"a":{"x":1}}', '{"a":{"x":2}}', ["$.a", "$.a.x", "/nothing"], ""],
])("%s and %s without %j: %s", async (data, other, ignorePaths, result) => {
  expect(await text(data, other, { ignorePaths })).toBe(result);
});

test("refuses a patch that would set ignored items to null, and paths that are none", async () => {
  const items = await refusalOf(diff("[1]", "[2]", { ignorePaths: ["$[0]"] }));
  expect(items).toMatchObject({ code: "invalid_input" });
  expect(items.message).toContain("Set format to text");
  const wrong = await refusalOf(diff("1", "2", { ignorePaths: ["/a", "$["] }));
  expect(wrong.message).toContain("Path 2");
});

test("ignores the case of values, not of names, and shows them as they are", async () => {
  expect(await text('{"a":"X","b":["Y"]}', '{"a":"x","b":["y","Z"]}', { ignoreCase: true })).toBe(
    '+ "/b/1": "Z"',
  );
  expect(await diff('{"a":"X","b":1}', '{"a":"x","b":2}', { ignoreCase: true, format: "merge" })).toBe(
    '{\n  "b": 2\n}',
  );
  expect(await text('{"A":1}', '{"a":1}', { ignoreCase: true })).toBe('- "/A": 1\n+ "/a": 1');
});

test("refuses duplicate keys with the option that accepts them", async () => {
  const refusal = await refusalOf(diff("{}", '{"a":1,"a":2}'));
  expect(refusal).toMatchObject({ code: "invalid_document", field: "other" });
  expect(refusal.message).toContain("set duplicateKeys to last");
  expect(await text('{"a":1,"a":2}', '{"a":2}', { duplicateKeys: "last" })).toBe("");
});

test("reads both documents in a dialect", async () => {
  expect(await text("{a:1,}", "{a:2} // b", { dialect: "json5" })).toBe('~ "/a": 1 -> 2');
});

test.each([
  ['{"a":1.0}', '{"a":1}', {}, []],
  [
    '{"a":1,\n"b":[1,\n2]}',
    '{"a":1,"b":[1,3],"c":{}}',
    {},
    [
      "3:1 /b/1 changed The other document has 3 instead of 2.",
      '1:1  added The other document has {} at "/c".',
    ],
  ],
  ['{"a":1}', "{}", { format: "merge" }, ["1:6 /a removed The other document has no such value."]],
  ["// c\n{a:1}", "{a:2}", { dialect: "json5" }, ["2:4 /a changed The other document has 2 instead of 1."]],
  ["[1]", "[2]", { ignorePaths: ["$[0]"] }, []],
])("check of %s and %s with %j", async (data, other, options, found) => {
  const { valid, errors } = await checkTool(differ, { data, other, ...options });
  expect(valid).toBe(found.length === 0);
  expect(
    errors.map(
      ({ line, column, pointer, rule, message }) => `${line}:${column} ${pointer} ${rule} ${message}`,
    ),
  ).toEqual(found);
});

test("reports a hundred differences in check mode, and how many more there are", async () => {
  const list = (from: number): string => JSON.stringify(Array.from({ length: 150 }, (_, at) => at + from));
  const { errors } = await checkTool(differ, { data: list(0), other: list(1000) });
  expect(errors).toHaveLength(101);
  expect(errors.map(({ message }) => message)).toContain("There are 50 more differences.");
});

const yaml = { dataFormat: "yaml" };
const toml = { dataFormat: "toml" };
const yamlToJson = { dataFormat: "yaml", otherFormat: "json" };

test.each([
  ["a: 1 # one\nb: [x, y]\n", 'b:\n- x\n- "y"\na: 1\n', yaml, ""],
  ["a: 1\n", "a: 2\n", yaml, '~ "/a": 1 -> 2'],
  ["a: 1\nb: no\n", '{"a":1.0,"b":"no"}', yamlToJson, ""],
  ["a: 0x10\nb: 0o17\nc: 1e3\n", '{"a":16,"b":15,"c":1000}', yamlToJson, ""],
  [
    "a: 9007199254740993\n",
    '{"a":9007199254740992}',
    yamlToJson,
    '~ "/a": 9007199254740993 -> 9007199254740992',
  ],
  ["a: 2024-01-02\n", '{"a":"2024-01-02"}', yamlToJson, ""],
  ["a: .inf\nb: ~\n", '{"a":".inf","b":null}', yamlToJson, '~ "/a": "inf" -> ".inf"'],
  ["", "null", yamlToJson, ""],
  ['{"a":[1]}', "a: [1]\n", { otherFormat: "yaml" }, ""],
  ["a = 1.0\n[b]\nc = 0x10\n", '{"a":1,"b":{"c":16}}', { ...toml, otherFormat: "json" }, ""],
  [
    "d = 1979-05-27\nt = 1979-05-27T07:32:00Z\n",
    "d = 1979-05-28\nt = 1979-05-27T07:32:00Z\n",
    toml,
    '~ "/d": "1979-05-27" -> "1979-05-28"',
  ],
  ["d = 1979-05-27\n", "d: 1979-05-27\n", { ...toml, otherFormat: "yaml" }, ""],
  ["a = [1, 2]\n", "a = [2, 1]\n", { ...toml, arrays: "set" }, ""],
  [
    "- {id: 1}\n- {id: 2}\n",
    "- {id: 2}\n- {id: 1}\n",
    { ...yaml, arrays: "key", moves: true },
    '> "/0" -> "/1"',
  ],
  ["a: &x {b: 1}\nc: *x\n", "a: {b: 1}\nc: {b: 1}\n", yaml, ""],
  ["base: &x {b: 1}\nc: {<<: *x, d: 2}\n", '{"base":{"b":1},"c":{"b":1,"d":2}}', yamlToJson, ""],
  // The value that an alias repeats is ignored in one place only.
  ["a: &x {b: 1}\nc: *x\n", "a: {b: 2}\nc: {b: 2}\n", { ...yaml, ignorePaths: ["/a/b"] }, '~ "/c/b": 1 -> 2'],
  ["a: &x [1]\nc: *x\n", "a: [2]\nc: [2]\n", { ...yaml, ignorePaths: ["$.c[0]"] }, '~ "/a/0": 1 -> 2'],
  ["a: !Ref x\n", "a: !Sub x\n", { ...yaml, tags: "drop" }, ""],
  ["a: !Ref x\n", "a: !Sub x\n", { ...yaml, tags: "keep" }, '- "/a/!Ref": "x"\n+ "/a/!Sub": "x"'],
  ["a: !Ref x\n", '{"a":{"Ref":"x"}}', { ...yamlToJson, tags: "cloudformation" }, ""],
  ["a: 1\na: 2\n", "a: 2\n", { ...yaml, duplicateKeys: "last" }, ""],
  ["a: 1\n", '{"a":2,}', { dataFormat: "yaml", otherFormat: "json", dialect: "jsonc" }, '~ "/a": 1 -> 2'],
])("%j, %j with %j: %j", async (data, other, options, result) => {
  expect(await text(data, other, options)).toBe(result);
});

test.each([
  ["a: 1\n---\nb: 2\n", "{}", yaml, undefined, "Expected one document, not 2"],
  ["a: 1\n", "a: 1\n---\na: 1\n", yaml, "other", "Expected one document, not 2"],
  ["a: !Ref x\n", "{}", yaml, undefined, "set tags to keep, cloudformation or drop"],
  ["a: 1\na: 2\n", "{}", yaml, undefined, "occurs twice"],
  ["a: [1\n", "{}", yaml, undefined, ""],
  ["{}", "x = = 1", { otherFormat: "toml" }, "other", ""],
  ["a: 1\n", "{}", {}, undefined, "set dataFormat to yaml"],
  ["{}", "a: 1\n", {}, "other", "set otherFormat to yaml"],
])("refuses %j and %j with %j", async (data, other, options, field, message) => {
  const refusal = await refusalOf(diff(data, other, options));
  expect(refusal.code).toBe("invalid_document");
  expect(refusal.message).toContain(message);
  if (field !== undefined) expect(refusal.message).toMatch(/^other: /);
});

test("places are those of the source in YAML and TOML", async () => {
  const inYaml = await checkTool(differ, {
    data: "# settings\nweb:\n  port: 80\n  name: é\n",
    other: "web: {port: 81, name: e}",
    ...yaml,
  });
  expect(inYaml.errors).toMatchObject([
    { line: 3, column: 9, offset: 24, pointer: "/web/port", rule: "changed" },
    { line: 4, column: 9, offset: 35, pointer: "/web/name", rule: "changed" },
  ]);
  const inToml = await checkTool(differ, {
    data: "\n[web]\nport = 80\n",
    other: "[web]\nport = 81\n",
    ...toml,
  });
  expect(inToml.errors).toMatchObject([{ line: 3, column: 8, pointer: "/web/port" }]);
  const merge = await refusalOf(diff("a: 1\n", "a:\n  b: ~\n", { ...yaml, format: "merge" }));
  expect(merge).toMatchObject({
    code: "invalid_document",
    field: "other",
    line: 2,
    column: 6,
    pointer: "/a/b",
  });
});

test("a document in YAML differs from another as their JSON does", async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (data, other) => {
      const expected = await text(data, other);
      expect(await text(data, other, yaml)).toBe(expected);
      expect(await text(data, other, yamlToJson)).toBe(expected);
    }),
    { numRuns: 60 },
  );
});
