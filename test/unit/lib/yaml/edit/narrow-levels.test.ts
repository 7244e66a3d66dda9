import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatYaml, type YamlFormat } from "../../../../../src/lib/yaml/format.ts";
import { propertyRuns } from "../../../../support/cases.ts";
import { plain } from "../plain-format.ts";
import { yaml } from "./read.ts";

// With an indentation of one space, and with sequences at the column of their keys, levels have no column between them.
const format = (text: string, options: Partial<YamlFormat>): string =>
  formatYaml(yaml, text, { ...plain, ...options });

test.each<[string, Partial<YamlFormat>, string, string]>([
  ["less deep than what follows", { indent: 1 }, "a:\n  # c\n   - 0\n", "a:\n# c\n - 0\n"],
  ["between two levels", { indent: 1 }, "a:\n    b: 1\n  # c\nd: 1\n", "a:\n b: 1\n # c\nd: 1\n"],
  [
    "in a sequence at the column of its key",
    { indent: 1, sequences: "flush" },
    "a:\n    b:\n      # c\n      - 1\n      # - 2\n    # d\n    e: 1\n",
    "a:\n b:\n # c\n - 1\n # - 2\n # d\n e: 1\n",
  ],
  [
    "that is an item below a sequence, in its place",
    { sequences: "flush" },
    "a:\n  - x: 1\n  # - x: 2\n  #   y: 3\nb: 1\n",
    "a:\n- x: 1\n# - x: 2\n#   y: 3\nb: 1\n",
  ],
  [
    "that is an item below a sequence, with the sequence",
    { sequences: "indented" },
    "a:\n- x: 1\n# - x: 2\n#   y: 3\nb: 1\n",
    "a:\n  - x: 1\n  # - x: 2\n  #   y: 3\nb: 1\n",
  ],
  [
    "about the next key, with the key",
    { sequences: "indented" },
    "a:\n- x\n# about b\nb:\n- y\n\n# - or not\nc: 1\n",
    "a:\n  - x\n# about b\nb:\n  - y\n\n# - or not\nc: 1\n",
  ],
])("a comment %s", (_, options, text, expected) => {
  expect(format(text, options)).toBe(expected);
  expect(format(expected, options)).toBe(expected);
});

interface Shape {
  flush: boolean;
  step: number;
}

/** Lines of a map whose values are scalars, maps and sequences. */
const lines = (depth: number, { flush, step }: Shape, column = 0): fc.Arbitrary<string[]> => {
  const pad = " ".repeat(column);
  const inList = flush ? column : column + step;
  const items = (): fc.Arbitrary<string[]> => {
    const dash = `${" ".repeat(inList)}- `;
    const scalar = fc.nat({ max: 9 }).map((value) => [`${dash}${value}`]);
    const map = lines(depth - 1, { flush, step }, inList + 2).map(([first = "", ...rest]) => [
      dash + first.trimStart(),
      ...rest,
    ]);
    return fc
      .array(depth > 1 ? fc.oneof(scalar, map) : scalar, { minLength: 1, maxLength: 3 })
      .map((list) => list.flat());
  };
  const value: fc.Arbitrary<string[]> =
    depth === 0
      ? fc.constant([])
      : fc.oneof(fc.constant<string[]>([]), lines(depth - 1, { flush, step }, column + step), items());
  return fc
    .array(value, { minLength: 1, maxLength: 3 })
    .map((values) =>
      values.flatMap((below, at) => [`${pad}${"abc"[at]}:${below.length === 0 ? " 1" : ""}`, ...below]),
    );
};

const shape = fc.record({ flush: fc.boolean(), step: fc.constantFrom(1, 2, 3, 4) });
const layouts = [1, 2, 4].flatMap((indent) =>
  (["indented", "flush"] as const).map((sequences) => ({ indent, sequences })),
);

test("no comment at any column is refused, in any layout, and a second pass changes nothing", () => {
  fc.assert(
    fc.property(
      shape.chain((one) => lines(3, one)),
      fc.nat(),
      fc.nat({ max: 9 }),
      fc.constantFrom("# note", "# - x"),
      (document, at, column, comment) => {
        const text = document
          .toSpliced(at % (document.length + 1), 0, " ".repeat(column) + comment)
          .join("\n");
        for (const layout of layouts) {
          const result = format(`${text}\n`, layout);
          expect(format(result, layout)).toBe(result);
        }
      },
    ),
    { numRuns: propertyRuns(300) },
  );
});

test("a commented item finds its way back to its sequence", () => {
  fc.assert(
    fc.property(lines(3, { flush: false, step: 2 }), fc.nat(), (document, chosen) => {
      const items = document.flatMap((line, at) => (/^ *- \d/.test(line) ? [at] : []));
      const at = items[chosen % Math.max(items.length, 1)];
      fc.pre(at !== undefined);
      const item = (document[at] as string).replace(/- .*/, "# - x");
      const text = `${document.toSpliced(at + 1, 0, item).join("\n")}\n`;
      for (const indent of [1, 2, 4]) {
        const direct = format(text, { indent });
        expect(format(format(text, { indent, sequences: "flush" }), { indent })).toBe(direct);
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});
