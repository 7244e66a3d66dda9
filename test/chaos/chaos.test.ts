import { expect, it } from "vitest";
import { chaos } from "./chaos.ts";
import { judge } from "./judge.ts";

it("four servers under load lose no key and no count to kills of servers and of Redis, and freezes", async () => {
  const seed = Date.now() % 1_000_000_000;
  const report = await chaos({ seconds: 18, seed, say: () => {} });
  // A server that has only just started still grows into its work: `make chaos` runs long enough to hold it to 1.2.
  expect(judge(report, 1.6), `seed ${seed}: ${JSON.stringify(report)}`).toEqual([]);
  expect(Object.values(report.faults).reduce((sum, count) => sum + count)).toBeGreaterThan(3);
  expect(report.answers["ok"]).toBeGreaterThan(300);
  expect(report.issued).toBeGreaterThan(8);
}, 120_000);
