import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Kept } from "../../../../src/storage/inbox/inbox-store.ts";
import { createMessageIndex, type Indexed } from "../../../../src/storage/inbox/message-index.ts";

/** Returns the newest messages that are young enough and within the limits; the newest of them in any case. */
function keepPlainly(items: readonly Indexed[], now: number, { messages, ms, bytes }: Kept): Indexed[] {
  const kept: Indexed[] = [];
  let sum = 0;
  for (const item of items.filter(({ at }) => at >= now - ms).toReversed()) {
    sum += item.length;
    if (kept.length === messages || (sum > bytes && kept.length > 0)) break;
    kept.unshift(item);
  }
  return kept;
}

const sumOf = (items: readonly Indexed[]): number => items.reduce((sum, { length }) => sum + length, 0);

const steps = fc.array(
  fc.record({
    length: fc.integer({ min: 1, max: 50 }),
    // Clocks of senders and servers differ: a later message may be older.
    age: fc.integer({ min: 0, max: 30 }),
    wait: fc.integer({ min: 0, max: 20 }),
    event: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
    kept: fc.record({
      messages: fc.integer({ min: 1, max: 6 }),
      ms: fc.integer({ min: 1, max: 60 }),
      bytes: fc.integer({ min: 1, max: 120 }),
    }),
  }),
  { minLength: 1, maxLength: 30 },
);

test("an index keeps what a walk over all messages would keep, and knows their sums", () => {
  fc.assert(
    fc.property(steps, (all) => {
      let now = 1_000;
      const index = createMessageIndex<Indexed>(() => now);
      let plain: Indexed[] = [];
      for (const [n, { length, age, wait, event, kept }] of all.entries()) {
        now += wait;
        const before = plain;
        plain = keepPlainly(plain, now, kept);
        const dropped = index.trim(kept);
        expect(new Set(dropped)).toEqual(new Set(before.filter((item) => !plain.includes(item))));
        expect(index.items).toEqual(plain);
        const isKnown = event !== undefined && plain.some((item) => item.event === event);
        if (event !== undefined) expect(index.has(event)).toBe(isKnown);
        if (isKnown) continue;
        const item: Indexed = { id: `${n}`, at: now - age, event, type: undefined, length };
        const after = keepPlainly([...plain, { ...item, at: now }], now, kept);
        expect(index.growthOf(length, kept)).toBe(sumOf(after) - sumOf(plain));
        index.add(item);
        plain = [...plain, item];
        expect(index.bytes).toBe(sumOf(plain));
        const newest = plain.at(-1);
        expect(index.stats()).toEqual({
          messages: plain.length,
          newestAt: newest?.at,
          newestId: newest?.id,
        });
      }
    }),
    { numRuns: 300 },
  );
});

test("of two messages of an earlier process with the same event, the later is kept", () => {
  const item = (id: string, event: string | undefined): Indexed => ({
    id,
    at: 1,
    event,
    type: undefined,
    length: 10,
  });
  const found = [item("1", "a"), item("2", undefined), item("3", "b"), item("4", "a"), item("5", undefined)];
  const index = createMessageIndex(() => 1, found);
  expect(index.items.map(({ id }) => id)).toEqual(["2", "3", "4", "5"]);
  expect(index.bytes).toBe(40);
  expect(index.select({ after: "3", limit: 1 }).map(({ id }) => id)).toEqual(["4"]);
});
