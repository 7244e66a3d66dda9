import * as fc from "fast-check";
import { expect, test } from "vitest";
import bases from "../../../../src/tools/math/number-base-converter.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  [{ data: "255", to: 16 }, "ff"],
  [{ data: "0XFF", to: 10 }, "255"],
  [{ data: "-0b101", to: 10 }, "-5"],
  [{ data: "+0o17", to: 2 }, "1111"],
  [{ data: "0xff", from: 16, to: 10 }, "255"],
  [{ data: "0b1", from: 16, to: 10 }, "177"],
  [{ data: "Zz", from: "36", to: 10 }, "1295"],
  [{ data: "0017", to: 8 }, "21"],
  [{ data: "1_000_000", to: 16, upper: true }, "F4240"],
  [{ data: "-0", to: 2 }, "0"],
  [{ data: "18446744073709551616\n", to: 16 }, "10000000000000000"],
  [{ data: "10.1", from: 2, to: 10 }, "2.5"],
  [{ data: "0.001", from: 2, to: 16 }, "0.2"],
  [{ data: "0.2", from: 3, to: 9 }, "0.6"],
  [{ data: "1.50", to: 10 }, "1.5"],
  [{ data: "0.1", to: 2, digits: 8 }, "0.0001101"],
  [{ data: "0.5", to: 2, digits: 8 }, "0.1"],
  [{ data: "-2.5", to: 10, digits: 0 }, "-3"],
  [{ data: "-0.4", to: 10, digits: 0 }, "0"],
  [{ data: "0.999", to: 10, digits: 2 }, "1"],
  [{ data: "0.2", from: 3, to: 10, digits: 5 }, "0.66667"],
  [{ data: "ff.8", from: 16, to: 10, digits: 3 }, "255.5"],
])("%j", async (input, result) => {
  expect(await runTool(bases, input)).toBe(result);
});

test.each([
  [{ data: "", to: 2 }, 0],
  [{ data: "0x", to: 2 }, 2],
  [{ data: "12a", to: 2 }, 2],
  [{ data: "102", from: 2, to: 10 }, 2],
  [{ data: "1__0", to: 2 }, 1],
  [{ data: "_1", to: 2 }, 0],
  [{ data: "1_", to: 2 }, 1],
  [{ data: "1 000", to: 2 }, 1],
  [{ data: "1,000", to: 2 }, 1],
  [{ data: "1e3", to: 2 }, 1],
  [{ data: ".5", to: 2 }, 0],
  [{ data: "0.1", to: 2 }, 0],
  [{ data: "٣", to: 2 }, 0],
  [{ data: "1".repeat(10_001), to: 2 }, 10_000],
])("%j is refused", async (input, offset) => {
  expect(await refusalOf(runTool(bases, input))).toMatchObject({ code: "invalid_document", offset });
});

test.each([
  [{ data: "ff", to: 10 }, "set from to 16."],
  [{ data: "12", from: 2, to: 10 }, "set from to 10."],
  [{ data: "xyz", to: 10 }, "set from to 36."],
])("%j is refused with the base that accepts it", async (input, words) => {
  expect((await refusalOf(runTool(bases, input))).message).toContain(words);
});

test("a text that is a number in no base is refused without one", async () => {
  expect((await refusalOf(runTool(bases, { data: "1,0", to: 2 }))).message).not.toContain("set ");
});

test("a fraction that does not end is refused with the option that rounds it", async () => {
  expect((await refusalOf(runTool(bases, { data: "0.1", to: 2 }))).message).toContain("set digits");
});

test("rounded digits of binary fractions are those of Number.prototype.toFixed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -(2 ** 20), max: 2 ** 20 }),
      fc.integer({ min: 0, max: 9 }),
      async (n, digits) => {
        // Exact in a double, so that toFixed rounds the number itself: halves away from 0.
        const value = n / 1024;
        const wanted = value
          .toFixed(digits)
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "")
          .replace(/^-0$/, "0");
        expect(await runTool(bases, { data: value.toFixed(10), to: 10, digits })).toBe(wanted);
      },
    ),
  );
});

test.each([{ to: 37 }, { to: 1 }, { to: 2, from: "1" }, { to: 2, from: "hex" }, {}])(
  "%j is not a valid base",
  async (rest) => {
    expect((await refusalOf(runTool(bases, { data: "1", ...rest }))).code).toBe("invalid_input");
  },
);

test("converts to any base and back without loss", async () => {
  const base = fc.integer({ min: 2, max: 36 });
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }),
      base,
      base,
      async (value, from, to) => {
        const there = await runTool(bases, { data: value.toString(from), from, to });
        expect(there).toBe(value.toString(to));
        expect(await runTool(bases, { data: there, from: to, to: from })).toBe(value.toString(from));
      },
    ),
  );
});

test("converts the largest numbers in little time", async () => {
  const cost = startCost();
  await runTool(bases, { data: `0.${"1".repeat(200)}`, from: 30, to: 16 }).catch(() => "");
  await runTool(bases, { data: "z".repeat(10_000), from: 36, to: 7 });
  await runTool(bases, { data: `${"z".repeat(9800)}.${"z".repeat(200)}`, from: 36, to: 6 });
  expect(cost()).toBeLessThan(150);
});
