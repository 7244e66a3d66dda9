import * as fc from "fast-check";
import { expect, test } from "vitest";
import differ from "../../../src/tools/diff/json-differ.ts";
import patcher from "../../../src/tools/json/json-patcher.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../cost/start-cost.ts";

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
      { numRuns: 300 },
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
    { numRuns: 300 },
  );
});

test("points at what a merge patch cannot express", async () => {
  const refusal = await refusalOf(diff('{"a":1}', '{"a":{"b":null}}', { format: "merge" }));
  expect(refusal).toMatchObject({ code: "invalid_document", pointer: "/a/b", column: 11 });
});

test("pairs 20,000 unlike items without a search", async () => {
  const list = (name: string): string =>
    JSON.stringify(Array.from({ length: 20_000 }, (_, index) => `${name}${index}`));
  const cost = startCost();
  expect(JSON.parse(await diff(list("a"), list("b")))).toHaveLength(20_000);
  expect(cost()).toBeLessThan(1000);
});

test("reports an error in the other document as such", async () => {
  expect(await refusalOf(diff("1", "[1,]"))).toMatchObject({ code: "invalid_document", column: 3 });
  expect((await refusalOf(diff("1", "[1,]"))).message).toMatch(/^other: /);
});
