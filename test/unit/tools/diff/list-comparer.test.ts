import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/diff/list-comparer.ts";
import { checkTool, runTool } from "../run-tool.ts";

const compare = (data: string, other: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, other, ...options });

test.each([
  ["", "", {}, "[]"],
  ["b\na\nb", "c\nb", { show: "first" }, "a"],
  ["b\na\nb", "c\nb", { show: "second" }, "c"],
  ["b\na\nb", "c\nb", { show: "both" }, "b"],
  ["b\na\nb", "c\nb", { show: "either" }, "b\na\nc"],
  ["b\na\nb", "c\nb", { show: "either", sort: true }, "a\nb\nc"],
  ["b\na\nb", "c\nb", { show: "different" }, "a\nc"],
  ["b\na\nb", "c\nb", { show: "first", repeated: true }, "b\na"],
  ["b\na\nb", "c\nb", { show: "either", repeated: true }, "b\nb\na\nc"],
  ["a\r\nb\r\n", "b\na\n", { show: "different", trim: false }, ""],
  [" a \nb", "a\nb ", { show: "different" }, ""],
  [" a\nb", "a\nb", { show: "different", trim: false }, " a\na"],
  ["A\nb", "a\nB", { show: "both", ignoreCase: true }, "A\nb"],
  ["a, b,,c", "c,a", { show: "first", separator: "," }, "b"],
  ["\n\na\n\n", "a", { show: "different" }, ""],
  ["__proto__\nconstructor", "__proto__", { show: "both" }, "__proto__"],
  ["\u{1f600}\n\uff5e", "", { show: "first", sort: true }, "\uff5e\n\u{1f600}"],
])("%j and %j with %j give %j", async (data, other, options, result) => {
  expect(await compare(data, other, options)).toBe(result);
});

test("items are counted in each list", async () => {
  expect(JSON.parse(await compare("a\nb\na", "b\nc"))).toEqual([
    { item: "a", in: "first", first: 2, second: 0 },
    { item: "b", in: "both", first: 1, second: 1 },
    { item: "c", in: "second", first: 0, second: 1 },
  ]);
});

test.each([
  ["a\nb", "b\na", {}, []],
  ["a\nb", "b\nb\na", {}, []],
  ["a\r\nb", "b\nc", {}, ["1:1 only-first", "1:1 only-second"]],
  ["a;\u{1f600} ;b", "a", { separator: ";" }, ["1:3 only-first", "1:6 only-first"]],
  ["a\nb\nb", "a\nb", { repeated: true }, ["2:1 other-count"]],
])("a check of %j beside %j with %j finds %j", async (data, other, options, found) => {
  const { valid, errors } = await checkTool(tool, { data, other, ...options });
  expect(errors.map(({ line, column, rule }) => `${line}:${column} ${rule}`).toSorted()).toEqual(found);
  expect(valid).toBe(found.length === 0);
});

test("a check reports a hundred differences, and how many more there are", async () => {
  const list = Array.from({ length: 150 }, (_, at) => `a${at}`).join("\n");
  const { errors } = await checkTool(tool, { data: list, other: "" });
  expect(errors).toHaveLength(101);
  expect(errors.map(({ message }) => message)).toContain("There are 50 more differences.");
});

test("laws of sets and of bags", async () => {
  const list = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(list, list, fc.boolean(), async (a, b, repeated) => {
      const show = async (wanted: string, [x, y] = [a, b]): Promise<string[]> => {
        const result = await compare(x.join("\n"), y.join("\n"), { show: wanted, repeated, sort: true });
        return result === "" ? [] : result.split("\n");
      };
      const [first, second, both] = [await show("first"), await show("second"), await show("both")];
      expect([...first, ...second, ...both].toSorted()).toEqual(await show("either"));
      expect([...first, ...second].toSorted()).toEqual(await show("different"));
      expect(await show("first", [b, a])).toEqual(second);
      if (repeated) expect([...first, ...both].toSorted()).toEqual(a.toSorted());
    }),
    { numRuns: 60 },
  );
});
