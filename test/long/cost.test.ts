import { expect, test } from "vitest";
import { searchRows } from "../cost/rows.ts";

test("ten minutes of search find no input that costs a tool too much", { timeout: 3_600_000 }, async () => {
  const rows = await searchRows("--seconds", "600", "--seed", String(Date.now() % 1_000_000));
  expect(rows.filter(({ tooMuch }) => tooMuch)).toEqual([]);
});
