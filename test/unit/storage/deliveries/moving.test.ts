import { randomBytes } from "node:crypto";
import { cpSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type {
  Claim,
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  DeliveryQueue,
} from "../../../../src/storage/deliveries/delivery-queue.ts";
import { isAskedFor } from "../../../../src/storage/deliveries/newest.ts";
import { makeFolder } from "../../../support/store.ts";
import { makeAttempt, makeEvent } from "./conformance.ts";
import { journalOf, openOn } from "./file.ts";
import { testRuntime } from "../../../support/runtime.ts";

const start = Date.UTC(2026, 10, 21, 12);

/** A clock that is set by hand. */
const createClock = () => {
  let time = start;
  return { now: () => time, set: (value: number) => void (time = value) };
};

async function showAll(queue: DeliveryQueue): Promise<(DeliveryDetail | undefined)[]> {
  const list = await queue.list({ limit: 10_000 });
  return Promise.all(list.map(({ id }) => queue.get(id)));
}

async function claimOne(queue: DeliveryQueue): Promise<Claim> {
  const [claim] = await queue.claim({ count: 1, leaseMs: 60_000 });
  return claim as Claim;
}

describe("compacting a journal", () => {
  /** The remains of a long life: some wait with attempts, some are held, and a great many have ended. */
  async function live(data: string) {
    const opened = await openOn(data, { runtime: testRuntime({ now: () => start }), segmentBytes: 30_000 });
    const { queue } = opened;
    await queue.hold("we_held", Infinity);
    await queue.hold("we_later", start + 60_000);
    await queue.add(makeEvent(start), ["we_held", "we_later"], { name: "once", until: start + 1e9 });
    await queue.add(makeEvent(start), ["we_retry", "we_held"]);
    await queue.settle(await claimOne(queue), {
      attempt: makeAttempt(1, start, { outcome: "retry", excerpt: "busy" }),
      state: "waiting",
      nextAt: start + 1,
    });
    for (let n = 0; n < 200; n++) {
      await queue.add(makeEvent(start, { body: JSON.stringify("x".repeat(300)) }), ["we_ok"]);
      await queue.settle(await claimOne(queue), { attempt: makeAttempt(1, start), state: "delivered" });
      if (n === 100) {
        await queue.hold("we_later", 0);
        const claim = await claimOne(queue);
        await queue.settle(claim, {
          attempt: makeAttempt(1, start, { outcome: "retry" }),
          state: "waiting",
          nextAt: start + 2,
        });
      }
    }
    return opened;
  }

  test("keeps all waiting deliveries, and little else", async () => {
    const data = makeFolder();
    const { queue, errors } = await live(data);
    const before = await showAll(queue);
    await queue.close();
    const bytes = journalOf(data).reduce((sum, path) => sum + statSync(path).size, 0);
    // 200 events of 700 bytes each, with their outcomes, have gone through it.
    expect(bytes).toBeLessThan(70_000);
    expect(errors).toEqual([]);
    const again = await openOn(data, { runtime: testRuntime({ now: () => start }) });
    expect(await showAll(again.queue)).toEqual(before);
    expect(await again.queue.health("we_retry")).toEqual({ failures: 1, failingSince: start });
    expect(await again.queue.health("we_later")).toEqual({ failures: 1, failingSince: start });
    expect(await again.queue.add(makeEvent(start), ["we_a"], { name: "once", until: start + 1e9 })).toEqual(
      [],
    );
    expect(await again.queue.claim({ count: 10, leaseMs: 1 })).toEqual([]);
    expect(await again.queue.nextAt()).toBe(start + 1);
  });

  test("gives the same state beside the segments that it replaces, however many of them a crash has left", async () => {
    const data = makeFolder();
    const copies = makeFolder();
    const seen = new Map<string, string>();
    const opened = await openOn(data, { runtime: testRuntime({ now: () => start }), segmentBytes: 10_000 });
    const { queue } = opened;
    // Every file as it was when it was last seen; removed ones are put back.
    const keep = (): void => {
      for (const path of journalOf(data)) {
        cpSync(path, join(copies, basename(path)));
        seen.set(basename(path), path);
      }
    };
    await queue.add(makeEvent(start), ["we_0", "we_1", "we_2"]);
    for (let n = 0; n < 120; n++) {
      await queue.add(makeEvent(start, { body: JSON.stringify("x".repeat(300)) }), [`we_${n % 3}`]);
      const claim = await claimOne(queue);
      const attempt = makeAttempt(1, start, { outcome: n % 5 === 0 ? "refused" : "ok" });
      if (n % 7 === 0)
        await queue.settle(claim, {
          attempt: { ...attempt, outcome: "retry" },
          state: "waiting",
          nextAt: start + 1_000,
        });
      else await queue.settle(claim, { attempt, state: "delivered" });
      if (n % 20 === 0) await queue.redeliver(claim.delivery.id);
      keep();
    }
    const health = () => Promise.all([0, 1, 2].map((n) => queue.health(`we_${n}`)));
    const expected = { all: await showAll(queue), health: await health() };
    await queue.close();
    keep();
    const present = new Set(journalOf(data).map((path) => basename(path)));
    const removed = [...seen.keys()].filter((name) => !present.has(name)).toSorted();
    expect(removed.length).toBeGreaterThan(3);
    for (const [index, name] of removed.toReversed().entries()) {
      cpSync(join(copies, name), seen.get(name) as string);
      if (index % 3 !== 0 && index !== removed.length - 1) continue;
      const other = makeFolder();
      cpSync(data, other, { recursive: true });
      const again = await openOn(other, { runtime: testRuntime({ now: () => start }) });
      expect({
        all: await showAll(again.queue),
        health: await Promise.all([0, 1, 2].map((n) => again.queue.health(`we_${n}`))),
      }).toEqual(expected);
      await again.queue.close();
    }
  });

  test("makes one file of many small ones", async () => {
    const data = makeFolder();
    for (let n = 0; n < 20; n++) {
      const { queue } = await openOn(data);
      await queue.add(makeEvent(Date.now()), ["we_a"]);
      await queue.close();
    }
    expect(journalOf(data).length).toBeLessThan(17);
    const { queue } = await openOn(data);
    expect((await queue.stats()).depth).toBe(20);
  });
});

async function inPages(queue: DeliveryQueue, filter: Partial<DeliveryQuery>): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for (let after: Delivery | undefined; ; after = found.at(-1)) {
    const page = await queue.list({ ...filter, limit: 7, ...(after !== undefined && { after }) });
    if (page.length === 0) return found;
    found.push(...page);
  }
}

describe("the log of ended deliveries", () => {
  test("forgets what ended long ago, in bounded steps", async () => {
    const clock = createClock();
    const data = makeFolder();
    const { queue } = await openOn(data, { runtime: testRuntime({ now: clock.now }) });
    const days = 5;
    for (let day = 0; day < days; day++) {
      clock.set(start + day * 86_400_000);
      await queue.add(makeEvent(clock.now()), ["we_a"]);
      await queue.settle(await claimOne(queue), {
        attempt: makeAttempt(1, clock.now()),
        state: "failed",
        reason: "No.",
      });
    }
    const list = await queue.list({ limit: 10 });
    expect(list).toHaveLength(days);
    expect(await queue.list({ limit: 2 })).toEqual(list.slice(0, 2));
    expect(await queue.list({ limit: 10, since: start + 3 * 86_400_000 })).toEqual(list.slice(0, 2));

    // The oldest has ended again, and stays for that long.
    const [oldest] = list.toReversed();
    await queue.redeliver(oldest?.id ?? "");
    await queue.settle(await claimOne(queue), { attempt: makeAttempt(1, clock.now()), state: "delivered" });
    const options = { lifetimeMs: 1e9, keptMs: 2.5 * 86_400_000, reason: "It was too old." };
    expect(await queue.prune(options)).toBe(true);
    expect((await queue.list({ limit: 10 })).map(({ createdAt }) => createdAt)).toEqual([
      start + 4 * 86_400_000,
      start + 3 * 86_400_000,
      start + 2 * 86_400_000,
      start,
    ]);
    expect(await queue.get(oldest?.id ?? "")).toMatchObject({ state: "delivered", attempts: 1 });
    expect((await queue.get(oldest?.id ?? ""))?.log).toHaveLength(2);

    const many = Array.from({ length: 300 }, () => makeEvent(clock.now()));
    await Promise.all(many.map((event) => queue.add(event, ["we_gone"])));
    expect(await queue.fail("we_gone", "The endpoint was removed.")).toBe(300);
    clock.set(start + 10 * 86_400_000);
    let turns = 1;
    while (!(await queue.prune(options))) turns += 1;
    expect(turns).toBe(2);
    expect(await queue.list({ limit: 10 })).toEqual([]);
  });

  test("finds the same by every combination of filters, in pages", async () => {
    const clock = createClock();
    const { queue } = await openOn(makeFolder(), {
      runtime: testRuntime({ now: clock.now, random: (size) => randomBytes(size) }),
    });
    for (let n = 0; n < 60; n++) {
      clock.set(start + Math.floor(n / 4));
      const event = { ...makeEvent(clock.now()), account: `a${n % 2}`, type: `t.${n % 3}` };
      await queue.add(event, [`we_${n % 4}`]);
      await queue.settle(await claimOne(queue), {
        attempt: makeAttempt(1, clock.now()),
        state: n % 5 === 0 ? "failed" : "delivered",
      });
    }
    const all = await queue.list({ limit: 1_000 });
    expect(all).toHaveLength(60);
    const values = <T>(...some: T[]): (T | undefined)[] => [undefined, ...some];
    for (const account of values("a1"))
      for (const endpoint of values("we_1", "we_2"))
        for (const type of values("t.2"))
          for (const state of values("failed", "delivered"))
            for (const since of values(start + 5))
              for (const event of values(all[7]?.event)) {
                const filter: Partial<DeliveryQuery> = {};
                for (const [name, value] of Object.entries({ account, endpoint, type, state, since, event }))
                  if (value !== undefined) Object.assign(filter, { [name]: value });
                const expected = all.filter((one) => isAskedFor(one, { ...filter, limit: 1 }));
                expect(await inPages(queue, filter), JSON.stringify(filter)).toEqual(expected);
              }
  });

  test("is searched to redeliver hundreds of them", async () => {
    const data = makeFolder();
    const { queue } = await openOn(data, { perEndpoint: 10_000, circuit: { after: 1e9, everyMs: 1 } });
    const count = 300;
    const events = Array.from({ length: count }, () =>
      makeEvent(Date.now(), { body: JSON.stringify("x".repeat(500)) }),
    );
    await Promise.all(events.map((event) => queue.add(event, ["we_a"])));
    expect(await queue.fail("we_a", "The endpoint was removed.")).toBe(count);
    const failed = await queue.list({ endpoint: "we_a", state: "failed", limit: count });
    expect(failed).toHaveLength(count);
    for (const { id } of failed) await queue.redeliver(id);
    expect((await queue.stats()).depth).toBe(count);
    const claims = await queue.claim({ count, leaseMs: 60_000 });
    expect(claims.map(({ delivery }) => delivery.event).toSorted()).toEqual(
      events.map(({ id }) => id).toSorted(),
    );
  });

  test("remembers an event, even one created by an earlier process", async () => {
    const data = makeFolder();
    const event = makeEvent(start);
    const first = await openOn(data, { runtime: testRuntime({ now: () => start + 1_000 }) });
    await first.queue.add(event, ["we_a"]);
    await first.queue.settle(await claimOne(first.queue), {
      attempt: makeAttempt(1, start),
      state: "delivered",
    });
    await first.queue.close();
    const { queue } = await openOn(data, { runtime: testRuntime({ now: () => start + 86_400_000 }) });
    expect(await queue.add(event, ["we_a"])).toEqual([]);
    await queue.prune({ lifetimeMs: 1e9, keptMs: 0, reason: "It was too old." });
    expect(await queue.add(event, ["we_a"])).toHaveLength(1);
  });
});

describe("a clock that is set back", () => {
  const year = 365 * 86_400_000;

  test("does not prolong any wait: retries, claims, circuits and holds", async () => {
    const clock = createClock();
    const { queue } = await openOn(makeFolder(), {
      runtime: testRuntime({ now: clock.now }),
      circuit: { after: 1, everyMs: 30_000 },
    });
    clock.set(start + year);
    await queue.add(makeEvent(clock.now()), ["we_retry"]);
    await queue.settle(await claimOne(queue), { state: "waiting", nextAt: clock.now() + 10_000 });
    await queue.add(makeEvent(clock.now()), ["we_open"]);
    await queue.settle(await claimOne(queue), {
      attempt: makeAttempt(1, clock.now(), { outcome: "retry" }),
      state: "waiting",
      nextAt: clock.now(),
    });
    await queue.hold("we_held", clock.now() + 40_000);
    await queue.add(makeEvent(clock.now()), ["we_held"]);
    await queue.add(makeEvent(clock.now()), ["we_lost"]);
    await queue.claim({ count: 1, leaseMs: 20_000 });

    clock.set(start);
    expect(await queue.nextAt()).toBe(start + 10_000);
    const claims: string[] = [];
    for (let seconds = 0; seconds <= 40; seconds += 10) {
      clock.set(start + seconds * 1_000);
      for (const { delivery } of await queue.claim({ count: 10, leaseMs: 1e6 }))
        claims.push(`${seconds} ${delivery.endpoint}`);
    }
    expect(claims).toEqual(["10 we_retry", "20 we_lost", "30 we_open", "40 we_held"]);
    expect((await queue.stats()).oldestAt).toBeLessThanOrEqual(start);
    expect((await queue.health("we_open")).failingSince).toBeLessThanOrEqual(start);
  });

  test("even while nothing ran", async () => {
    const data = makeFolder();
    const ahead = await openOn(data, { runtime: testRuntime({ now: () => start + year }) });
    await ahead.queue.add(makeEvent(start), ["we_a"]);
    await ahead.queue.settle(await claimOne(ahead.queue), {
      state: "waiting",
      nextAt: start + year + 10_000,
    });
    await ahead.queue.close();
    const clock = createClock();
    const { queue } = await openOn(data, { runtime: testRuntime({ now: clock.now }) });
    expect(await queue.claim({ count: 1, leaseMs: 1 })).toEqual([]);
    expect(await queue.nextAt()).toBe(start + 10_000);
    clock.set(start + 10_000);
    expect(await queue.claim({ count: 1, leaseMs: 1 })).toHaveLength(1);
  });
});
