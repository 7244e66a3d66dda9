import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareDecimals,
  compareNumbers,
  isWhole,
  isWholeNumber,
  toDecimal,
} from "../../../../src/lib/number/decimal.ts";

/** Zero has no sign. */
const signOf = (order: number): number => (order === 0 ? 0 : Math.sign(order));

const digits = fc.stringMatching(/^[01259]{1,9}$/);
const number = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constant("0"), fc.stringMatching(/^[19][0-9]{0,17}$/)),
    fc.oneof(
      fc.constant(""),
      digits.map((text) => `.${text}`),
    ),
    fc.constantFrom("", "", "", "e1", "E-2", "e400", "e-400"),
  )
  .map((parts) => parts.join(""));

test("both comparisons of numbers are exact", () => {
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect(signOf(compareNumbers(a, b))).toBe(signOf(compareDecimals(toDecimal(a), toDecimal(b))));
      expect(isWholeNumber(a)).toBe(isWhole(toDecimal(a)));
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ["999999999999999", "999999999999998", 1],
  ["0.1", "0.10000000000001", -1],
  ["9007199254740993", "9007199254740992", 1],
  ["1e-400", "1e-401", 1],
  ["-0", "0", 0],
  ["1E2", "100", 0],
])("%s and %s", (a, b, order) => {
  expect(signOf(compareNumbers(a, b))).toBe(order);
});
