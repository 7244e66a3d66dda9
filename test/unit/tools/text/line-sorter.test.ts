import * as fc from "fast-check";
import { expect, test } from "vitest";
import sorter from "../../../../src/tools/text/line-sorter.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  ["", {}, ""],
  ["\n", {}, "\n"],
  ["b\na", {}, "a\nb"],
  ["b\r\na\r\n", {}, "a\r\nb\r\n"],
  ["b\n\na\n", {}, "\na\nb\n"],
  ["a\nB\nc", {}, "B\na\nc"],
  ["a\nB\nC", { ignoreCase: true }, "a\nB\nC"],
  ["a\nA\na", { unique: true }, "A\na"],
  ["b\nB\na", { unique: true, ignoreCase: true }, "a\nb"],
  // In UTF-16 order the emoji, whose code point is higher, comes first.
  ["\u{1f600}\n\uff5e", {}, "\uff5e\n\u{1f600}"],
  ["10\n9\n1e3\n-1\nx\n 2", { numeric: true }, "-1\nx\n1e3\n 2\n9\n10"],
  ["0.10\n0.1\n.2\n-0\n+3", { numeric: true }, "-0\n0.1\n0.10\n.2\n+3"],
  ["a10b\na9c\na09b", { natural: true }, "a09b\na9c\na10b"],
  ["v1.2\nv1.10\nv1", { natural: true, order: "desc" }, "v1.10\nv1.2\nv1"],
  ["b\na\nb", { order: "keep", unique: true }, "b\na"],
  ["a\nb\nc", { order: "reverse" }, "c\nb\na"],
  ["z\nä\na", { locale: "de" }, "a\nä\nz"],
  ["zebra\nöl\nord", { locale: "sv" }, "ord\nzebra\nöl"],
  ["x  b\n y a\nz", { column: 2 }, "z\n y a\nx  b"],
  ["a,2\nb,10\nc,2", { column: 2, separator: ",", numeric: true, order: "desc" }, "b,10\na,2\nc,2"],
  ["b\na\nb\nB", { counts: true }, "1\tB\n1\ta\n2\tb"],
  ["a\nb\nB", { counts: true, ignoreCase: true, order: "desc" }, "2\tb\n1\ta"],
  ["b\na\nb", { counts: true, order: "keep" }, "2\tb\n1\ta"],
  ["constructor\n__proto__\n__proto__", { unique: true }, "__proto__\nconstructor"],
])("%j with %j is %j", async (data, options, result) => {
  expect(await runTool(sorter, { data, ...options })).toBe(result);
});

test.each([
  [{ order: "shuffle" }, "/seed"],
  [{ numeric: true, natural: true }, "/natural"],
  [{ locale: "?" }, "/locale"],
])("%j is refused", async (options, pointer) => {
  expect(await refusalOf(runTool(sorter, { data: "a", ...options }))).toMatchObject({
    code: "invalid_input",
    pointer,
  });
});

test("always gives the same order for a seed, and keeps every line", async () => {
  const data = "abcdefgh".split("").join("\n");
  const shuffled = await runTool(sorter, { data, order: "shuffle", seed: "penknife" });
  expect(shuffled).toBe(await runTool(sorter, { data, order: "shuffle", seed: "penknife" }));
  expect(shuffled).not.toBe(await runTool(sorter, { data, order: "shuffle", seed: "other" }));
  expect(await runTool(sorter, { data: shuffled })).toBe(data);
});

test("sorting is idempotent and keeps every line, whatever the order", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."aAbä019.-\n\n\r"), maxLength: 40 });
  const options = fc.record({
    order: fc.constantFrom("asc", "desc"),
    by: fc.constantFrom("text", "numeric", "natural"),
    ignoreCase: fc.boolean(),
    unique: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(text, options, async (data, { by, ...rest }) => {
      const input = { ...rest, ...(by !== "text" && { [by]: true }) };
      const once = await runTool(sorter, { data, ...input });
      expect(await runTool(sorter, { data: once, ...input })).toBe(once);
      const lines = (value: string): string[] => value.replaceAll("\r\n", "\n").split("\n").toSorted();
      if (!rest.unique && !data.includes("\r")) expect(lines(once)).toEqual(lines(data));
    }),
    { numRuns: 300 },
  );
});
