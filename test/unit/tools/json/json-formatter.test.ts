import * as fc from "fast-check";
import { expect, test } from "vitest";
import { execute } from "../../../../src/catalog/execute.ts";
import { TooMuchInline } from "../../../../src/catalog/inline.ts";
import formatter from "../../../../src/tools/json/json-formatter.ts";
import { context, refusalOf, runRaw, runTool } from "../run-tool.ts";

/** The JSON engine has tests of its own; these check what the tool passes to it, over JSON and raw calls. */
test.each([
  ['{"b":1,"a":[1.0,{}]}', {}, '{\n  "b": 1,\n  "a": [\n    1.0,\n    {}\n  ]\n}'],
  ['{"b":1,"a":2}', { sortKeys: true, indent: 0 }, '{"a":2,"b":1}'],
  ['{"a":1,"a":2}', { indent: 0 }, '{"a":1,"a":2}'],
  ["1E400", {}, "1E400"],
] as const)("%j with %j", async (data, options, result) => {
  expect(await runTool(formatter, { data, ...options })).toBe(result);
  const strings = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
  expect((await runRaw(formatter, Buffer.from(data), strings)).toString()).toBe(result);
});

test("reports an invalid document with its place, in both ways of calling", async () => {
  const data = '{"a":\n [1,]}';
  const place = { code: "invalid_document", line: 2, column: 4, offset: 9 };
  expect(await refusalOf(runTool(formatter, { data }))).toMatchObject(place);
  expect(await refusalOf(runRaw(formatter, Buffer.from(data)))).toMatchObject(place);
  expect(await refusalOf(runRaw(formatter, Buffer.from([0x22, 0xff, 0x22])))).toMatchObject({
    code: "invalid_document",
    offset: 1,
  });
});

test("refuses duplicate keys if `duplicateKeys` is `error`", async () => {
  const refusal = await refusalOf(runTool(formatter, { data: '{"a":1,"a":2}', duplicateKeys: "error" }));
  expect(refusal).toMatchObject({ code: "invalid_document", pointer: "/a" });
});

test.each([
  { indent: -1 },
  { indent: 11 },
  { indent: 1.5 },
  { indent: "2" },
  { sortKeys: "yes" },
  { duplicateKeys: "drop" },
])("%j is an invalid call", async (options) => {
  expect((await refusalOf(runTool(formatter, { data: "1", ...options }))).code).toBe("invalid_input");
});

test("reports in check mode whether a document would change, and that its own output would not", async () => {
  const check = async (data: string): Promise<boolean | undefined> => {
    const body = { kind: "raw" as const, bytes: Buffer.from(data), text: true, options: [] };
    return (await execute(formatter, { body, form: "json", check: true }, context)).valid;
  };
  expect(await check("[1]")).toBe(false);
  expect(await check("[\n  1\n]\n")).toBe(true);
  await fc.assert(
    fc.asyncProperty(fc.json(), async (data) => {
      expect(await check(await runTool(formatter, { data }))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test.each([{}, { sortKeys: true }])("leaves nesting times indentation to a worker: %j", async (more) => {
  const data = "[".repeat(400) + "]".repeat(400);
  const text = { data, indent: 10, ...more };
  const bytes = Buffer.from(data);
  const options = { indent: 10, ...more };
  const here = { ...context, inlineResultBytes: 1_000_000 };
  expect(() => formatter.run(text, here)).toThrow(TooMuchInline);
  expect(() => formatter.runBytes?.(bytes, options, here)).toThrow(TooMuchInline);
  const roomy = { ...context, inlineResultBytes: 2_000_000 };
  expect(formatter.run(text, roomy)).toBe(JSON.stringify(JSON.parse(data), null, 10));
  expect(formatter.run(text, context)).toBe(formatter.run(text, roomy));
  // An error in the document is reported without a worker.
  await expect(async () => formatter.run({ ...text, data: "[1" }, here)).rejects.toMatchObject({
    code: "invalid_document",
  });
});
