import { expect, it } from "vitest";
import { chaos } from "../../chaos/chaos.ts";
import { findFaults } from "../../chaos/find-faults.ts";

it("four servers under load lose no key and no count when servers and Redis are killed and Redis is frozen", async () => {
  const seed = Date.now() % 1_000_000_000;
  const report = await chaos({ seconds: 6, seed, pauseMs: 60, say: () => {} });
  // A server that has just started still grows; `make chaos` runs long enough to require 1.2.
  expect(findFaults(report, 1.6), `seed ${seed}: ${JSON.stringify(report)}`).toEqual([]);
  expect(Object.values(report.faults).reduce((sum, count) => sum + count)).toBeGreaterThan(2);
  expect(report.answers["ok"]).toBeGreaterThan(100);
  expect(report.issued).toBeGreaterThan(5);
}, 300_000);
