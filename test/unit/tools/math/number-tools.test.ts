import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import bytes from "../../../../src/tools/math/byte-size-converter.ts";
import bases from "../../../../src/tools/math/number-base-converter.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

describe("number-base-converter", () => {
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
});

describe("byte-size-converter", () => {
  test.each([
    [{ data: "1KiB" }, "1024"],
    [{ data: "1 kB" }, "1000"],
    [{ data: "1 KB", system: "iec" }, "1024"],
    [{ data: "1 KiB", system: "si" }, "1024"],
    [{ data: "10mb" }, "10000000"],
    [{ data: "2G" }, "2000000000"],
    [{ data: "2Gi" }, "2147483648"],
    [{ data: "1.5e3 kB" }, "1500000"],
    [{ data: "8 bits" }, "1"],
    [{ data: "100 Mbit", to: "MB" }, "12.5"],
    [{ data: "0.1 KiB" }, "102.4"],
    [{ data: "1024" }, "1.02 kB"],
    [{ data: "1024", system: "iec" }, "1 KiB"],
    [{ data: "999995" }, "1 MB"],
    [{ data: "999994" }, "999.99 kB"],
    [{ data: "0" }, "0 B"],
    [{ data: "-1536 KiB", to: "MiB" }, "-1.5"],
    [{ data: "1 B", to: "KiB" }, "0.0009765625"],
    [{ data: "1 B", to: "GB", precision: 3 }, "0"],
    [{ data: "1.005 kB", to: "kB", precision: 2 }, "1.01"],
    [{ data: "9007199254740993", to: "B" }, "9007199254740993"],
    [{ data: "1 YiB" }, "1208925819614629174706176"],
    [{ data: "1,234,567 B", to: "B" }, "1234567"],
    [{ data: "1_000_000kB" }, "1000000000"],
    [{ data: "1 000 B", to: "B" }, "1000"],
  ])("%j", async (input, result) => {
    expect(await runTool(bytes, input)).toBe(result);
  });

  test.each([
    "",
    "GB",
    "1 XB",
    "1 GBs",
    "1,000",
    "1,5 GB",
    "1,23,456",
    "1,234_567",
    "512m",
    "1e999",
    "1.",
    "NaN",
    "1 bit/s",
    "0x10",
  ])("%j is refused", async (data) => {
    expect((await refusalOf(runTool(bytes, { data }))).code).toBe("invalid_document");
  });

  test("converts to any unit and back exactly", async () => {
    const unit = fc.constantFrom("kB", "MB", "YB", "KiB", "GiB", "YiB");
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 100n }), unit, async (size, to) => {
        const there = await runTool(bytes, { data: `${size} B`, to });
        expect(await runTool(bytes, { data: there + to })).toBe(String(size));
      }),
    );
  });
});

// IEEE 1541-2002: b is a bit and B a byte. Only writers who capitalize the prefix correctly distinguish the two.
describe("byte-size-converter and bits", () => {
  test.each([
    ["512m", "m alone has three meanings"],
    ["1,234 GB", "1,234 may be 1234 or 1.234; write one of them."],
    ["1,5 GB", "Write a point in the place of the decimal comma."],
    ["8Mb", "Mb is megabits; write MB for megabytes or Mbit for megabits."],
    ["8 Kb", "Kb is kilobits; write kB for kilobytes or kbit for kilobits."],
    ["1.5Gb ", "Gb is gigabits; write GB for gigabytes or Gbit for gigabits."],
    ["2Gib", "Gib is gibibits; write GiB for gibibytes or Gibit for gibibits."],
    ["2 Yb", "Yb is yottabits; write YB for yottabytes or Ybit for yottabits."],
  ])("%j is refused", async (data, message) => {
    const refusal = await refusalOf(runTool(bytes, { data }));
    expect(refusal).toMatchObject({ code: "invalid_document", line: 1 });
    expect(refusal.message).toContain(message);
  });

  test.each([
    ["8Mbit", "1000000"],
    ["8 kbit", "1000"],
    ["8Kibits", "1024"],
    ["8mb", "8000000"],
    ["8kb", "8000"],
    ["8gib", "8589934592"],
    ["8MB", "8000000"],
    ["8b", "8"],
  ])("%j is %s bytes", async (data, result) => {
    expect(await runTool(bytes, { data, to: "B" })).toBe(result);
  });
});
