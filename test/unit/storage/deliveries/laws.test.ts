import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Claim } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { createHeap } from "../../../../src/storage/deliveries/heap.ts";
import { createMemoryQueue } from "../../../../src/storage/deliveries/memory-queue.ts";
import { propertyRuns } from "../../../support/cases.ts";
import { makeAttempt, makeEvent } from "./conformance.ts";
import { testRuntime } from "../../../support/runtime.ts";

test("a heap returns the least first, whatever is removed from its middle", () => {
  const step = fc.record({ value: fc.nat(50), takes: fc.option(fc.nat(100), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = createHeap<{ slot: number; value: number }>((one, other) => one.value < other.value);
      const held: { slot: number; value: number }[] = [];
      for (const { value, takes } of steps) {
        const item = { slot: -1, value };
        heap.push(item);
        held.push(item);
        const taken = takes === undefined ? undefined : held[takes % held.length];
        if (taken !== undefined) {
          heap.remove(taken);
          heap.remove(taken);
          held.splice(held.indexOf(taken), 1);
          expect(taken.slot).toBe(-1);
        }
        expect(heap.first()?.value).toBe(
          held.length === 0 ? undefined : Math.min(...held.map((one) => one.value)),
        );
        expect(heap.items()).toHaveLength(held.length);
      }
      const sorted: number[] = [];
      for (let first = heap.first(); first !== undefined; first = heap.first()) {
        heap.remove(first);
        sorted.push(first.value);
      }
      expect(sorted).toEqual(held.map((one) => one.value).toSorted((a, b) => a - b));
    }),
  );
});

describe("random operations on a queue", () => {
  const perEndpoint = 2;
  const circuit = { after: 3, everyMs: 500 };
  const leaseMs = 1_000;
  const endpoint = fc.constantFrom("we_a", "we_b", "we_c");
  const add = fc.record({ do: fc.constant("add" as const), endpoint });
  const look = fc.record({ do: fc.constant("next" as const) });
  const act = fc.oneof(
    add,
    add,
    look,
    look,
    fc.record({ do: fc.constant("claim" as const), count: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      do: fc.constant("settle" as const),
      which: fc.nat(20),
      end: fc.constantFrom(
        "ok" as const,
        "retry" as const,
        "retry" as const,
        "refused" as const,
        "back" as const,
      ),
      waits: fc.nat(2_000),
    }),
    fc.record({ do: fc.constant("hold" as const), endpoint, ms: fc.constantFrom(0, 700, Infinity) }),
    fc.record({ do: fc.constant("resetHealth" as const), endpoint }),
    fc.record({ do: fc.constant("fail" as const), endpoint }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 1_500 }) }),
  );

  test("nextAt is the first moment at which something can be claimed, and no limit is exceeded", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 80, size: "max" }), async (acts) => {
        let time = 1_000_000;
        const queue = createMemoryQueue({
          runtime: testRuntime({
            now: () => time,
            random: (size) => crypto.getRandomValues(new Uint8Array(size)),
          }),
          perEndpoint,
          circuit,
        });
        let held: (Claim & { until: number })[] = [];
        let added = 0;
        let ended = 0;

        async function claim(count: number): Promise<number> {
          const claims = await queue.claim({ count, leaseMs });
          expect(claims.length).toBeLessThanOrEqual(count);
          const live = held.filter(({ until }) => until > time);
          for (const { delivery } of claims) {
            expect(delivery.nextAt).toBeLessThanOrEqual(time);
            expect(live.map((one) => one.delivery.id)).not.toContain(delivery.id);
          }
          held = [...held, ...claims.map((one) => ({ ...one, until: time + leaseMs }))];
          for (const name of ["we_a", "we_b", "we_c"]) {
            const { failures } = await queue.health(name);
            const isNew = claims.some(({ delivery }) => delivery.endpoint === name);
            const now = held.filter(
              ({ until, delivery }) => until > time && delivery.endpoint === name,
            ).length;
            if (isNew) expect(now).toBeLessThanOrEqual(failures >= circuit.after ? 1 : perEndpoint);
          }
          return claims.length;
        }

        for (const one of acts) {
          if (one.do === "add") added += (await queue.add(makeEvent(time), [one.endpoint])).length;
          else if (one.do === "claim") await claim(one.count);
          else if (one.do === "hold") await queue.hold(one.endpoint, one.ms === 0 ? 0 : time + one.ms);
          else if (one.do === "resetHealth") await queue.resetHealth(one.endpoint);
          else if (one.do === "pass") time += one.ms;
          else if (one.do === "fail") {
            ended += await queue.fail(one.endpoint, "It was removed.");
            held = held.filter(({ delivery }) => delivery.endpoint !== one.endpoint);
          } else if (one.do === "settle") {
            const chosen = held[one.which % held.length];
            if (chosen === undefined) continue;
            held = held.filter((other) => other !== chosen);
            const attempt = makeAttempt(1, time, { outcome: one.end === "back" ? "ok" : one.end });
            const isLast = one.end === "ok" || one.end === "refused";
            const health = await queue.settle(chosen, {
              ...(one.end !== "back" && { attempt }),
              ...(isLast ? { state: "delivered" } : { state: "waiting", nextAt: time + one.waits }),
            });
            if (chosen.until > time) expect(health).toBeDefined();
            if (health !== undefined && isLast) ended += 1;
          } else {
            const next = await queue.nextAt();
            if (next === undefined) expect(await claim(1)).toBe(0);
            else {
              if (next > time + 1) {
                time = next - 1;
                expect(await claim(10)).toBe(0);
              }
              time = Math.max(time, next);
              expect(await claim(1)).toBe(1);
            }
          }
          expect((await queue.stats()).depth).toBe(added - ended);
        }
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
