import { expect, test } from "vitest";
import { type Delivery, withChange } from "../../../../src/surfaces/web/page/settings/delivery-changes.ts";

const now = Date.parse("2026-11-23T12:00:00Z");
const all = { endpoint: "", state: "", type: "", since: "", cursors: [] };

function delivery(id: string, minutesOld: number, changes: Partial<Delivery> = {}): Delivery {
  return {
    id,
    event: "evt_1",
    type: "KEY_ISSUED",
    endpoint: "ep_1",
    state: "DELIVERED",
    attempts: 1,
    createdAt: new Date(now - minutesOld * 60_000).toISOString(),
    nextAt: null,
    endedAt: null,
    reason: null,
    ...changes,
  };
}
const idsOf = (deliveries: readonly Delivery[]): string[] => deliveries.map(({ id }) => id);
const known = [delivery("b", 20), delivery("c", 30)];

test("a new delivery comes first, and one that was sent again in its place", () => {
  expect(idsOf(withChange(known, delivery("a", 10), all, now))).toEqual(["a", "b", "c"]);
  expect(idsOf(withChange(known, delivery("d", 25), all, now))).toEqual(["b", "d", "c"]);
});

test("a delivery outside of the chosen time does not appear when it is sent again", () => {
  const old = delivery("a", 61);
  expect(idsOf(withChange(known, old, { ...all, since: "1h" }, now))).toEqual(["b", "c"]);
  expect(idsOf(withChange(known, old, { ...all, since: "24h" }, now))).toEqual(["b", "c", "a"]);
});

test("a delivery that a filter no longer selects goes", () => {
  const changed = delivery("b", 20, { state: "FAILED" });
  expect(idsOf(withChange(known, changed, { ...all, state: "DELIVERED" }, now))).toEqual(["c"]);
  expect(idsOf(withChange(known, changed, { ...all, endpoint: "ep_2" }, now))).toEqual(["c"]);
  expect(withChange(known, changed, all, now)[0]?.state).toBe("FAILED");
});

test("an older page gets no new deliveries", () => {
  expect(idsOf(withChange(known, delivery("a", 1), { ...all, cursors: ["x"] }, now))).toEqual(["b", "c"]);
});
