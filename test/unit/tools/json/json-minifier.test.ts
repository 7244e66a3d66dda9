import * as fc from "fast-check";
import { expect, test } from "vitest";
import { execute } from "../../../../src/catalog/execute.ts";
import minifier from "../../../../src/tools/json/json-minifier.ts";
import { context, refusalOf, runRaw, runTool } from "../run-tool.ts";

test.each([
  [' [ 1 , "a b" ] ', '[1,"a b"]'],
  ['{"b": 1, "a": {}, "b": []}', '{"b":1,"a":{},"b":[]}'],
  ['"\\u00e9 \\/"', '"\\u00e9 \\/"'],
  [" -0 ", "-0"],
])("%j is %j, over JSON and over raw calls", async (data, result) => {
  expect(await runTool(minifier, { data })).toBe(result);
  expect((await runRaw(minifier, Buffer.from(data))).toString()).toBe(result);
});

test("reports an invalid document with its place, in both ways of calling", async () => {
  const data = '{"a":\n [1,]}';
  const place = { code: "invalid_document", line: 2, column: 4, offset: 9 };
  expect(await refusalOf(runTool(minifier, { data }))).toMatchObject(place);
  expect(await refusalOf(runRaw(minifier, Buffer.from(data)))).toMatchObject(place);
  expect(await refusalOf(runRaw(minifier, Buffer.from([0x22, 0xff, 0x22])))).toMatchObject({
    code: "invalid_document",
    offset: 1,
  });
});

test("names the dialect that reads comments", async () => {
  expect((await refusalOf(runTool(minifier, { data: "[1] // one" }))).message).toContain(
    "To accept it, set dialect to jsonc.",
  );
});

test("refuses options of the formatter", async () => {
  expect(await refusalOf(runTool(minifier, { data: "1", indent: 2 }))).toMatchObject({
    code: "unknown_field",
    pointer: "/indent",
  });
});

test("gives what JSON.stringify gives, once and again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), async (value, indent) => {
      const once = await runTool(minifier, { data: JSON.stringify(value, null, indent) });
      expect(once).toBe(JSON.stringify(value));
      expect(await runTool(minifier, { data: once })).toBe(once);
    }),
  );
});

test("finds in check mode white space to remove, and nothing in its own output", async () => {
  const check = async (data: string): Promise<boolean | undefined> => {
    const body = { kind: "raw" as const, bytes: Buffer.from(data), text: true, options: [] };
    return (await execute(minifier, { body, form: "json", check: true }, context)).valid;
  };
  expect(await check("[1, 2]")).toBe(false);
  expect(await check(await runTool(minifier, { data: "[1, 2]" }))).toBe(true);
});
