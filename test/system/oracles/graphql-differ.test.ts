import { buildSchema, findBreakingChanges, findDangerousChanges } from "graphql";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { diff } from "../../unit/tools/diff/diff-graphql.ts";

const type = fc.constantFrom("Int", "Int!", "String", "[Int]", "E");
const field = fc
  .tuple(fc.constantFrom("a", "b", "c"), type, fc.constantFrom("", "(x: Int)", "(x: Int!)", "(x: Int = 1)"))
  .map(([name, of, args]) => `${name}${args}: ${of}`);
const schema = fc
  .tuple(
    fc.uniqueArray(field, { minLength: 1, selector: (one) => one[0] }),
    fc.constantFrom("X", "X Y", "Y Z"),
    fc.constantFrom("", "scalar S", "type T { a: Int }"),
  )
  .map(([fields, values, more]) => `type Query { ${fields.join(" ")} e: E }\nenum E { ${values} }\n${more}`);

test("graphql-js finds the same breaking and dangerous changes; every change has a place", async () => {
  await fc.assert(
    fc.asyncProperty(schema, schema, async (data, other) => {
      const found = await diff(data, other);
      const [old, now] = [buildSchema(data), buildSchema(other)];
      const messages = (impact: string): string[] =>
        found
          .filter((one) => one.impact === impact)
          .map(({ message }) => message)
          .toSorted();
      expect(messages("breaking")).toEqual(
        findBreakingChanges(old, now)
          .map(({ description }) => description)
          .toSorted(),
      );
      expect(messages("dangerous")).toEqual(
        findDangerousChanges(old, now)
          .map(({ description }) => description)
          .toSorted(),
      );
      expect(
        found.filter(
          ({ coordinate, message }) => coordinate === "" && !message.startsWith("Standard scalar"),
        ),
      ).toEqual([]);
      expect(await diff(data, data)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
