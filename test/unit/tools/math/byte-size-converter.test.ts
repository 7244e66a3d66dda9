import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import bytes from "../../../../src/tools/math/byte-size-converter.ts";
import { refusalOf, runTool } from "../run-tool.ts";

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
