import { describe, expect, it } from "vitest";
import { StoreError } from "../../../../src/storage/errors.ts";
import type { DeliveryQueue } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { day, hour, minute, second } from "./clock.ts";
import { ok, openStage, refused, retry } from "./stage.ts";

/** Answers when the test lets it. */
function createGate() {
  const waiting: (() => void)[] = [];
  return {
    waiting,
    enter: () => new Promise<void>((resolve) => waiting.push(resolve)),
    open: () => waiting.splice(0).forEach((resolve) => resolve()),
  };
}

describe("a due delivery", () => {
  it("is sent at once, each event in the order in which it was accepted", async () => {
    const stage = openStage({ perEndpoint: 1 });
    stage.add("we_a");
    stage.start();
    const events = [];
    for (let index = 0; index < 20; index++) events.push(await stage.publish("we_a"));
    await stage.clock.rest();
    await stage.clock.pass(second);
    expect(stage.sent.map(({ event }) => event)).toEqual(events);
    expect(stage.sent.every(({ number }) => number === 1)).toBe(true);
    expect(await stage.states()).toEqual(Array(20).fill("delivered"));
    expect(stage.outcomes).toEqual(Array(20).fill("ok"));
  });

  it("is sent if it was due before the dispatcher started", async () => {
    const stage = openStage();
    stage.add("we_a");
    await stage.publish("we_a");
    stage.start();
    await stage.clock.rest();
    expect(await stage.states()).toEqual(["delivered"]);
  });

  it("runs concurrently up to the limits, in total and for each endpoint, in turns", async () => {
    const stage = openStage({ concurrency: 12, perEndpoint: 4 });
    const gate = createGate();
    const ids = ["we_a", "we_b", "we_c", "we_d"];
    // Two accounts, because one alone never gets all of `concurrency`.
    for (const [index, id] of ids.entries())
      stage.add(id, () => gate.enter().then(() => ok), { account: index < 2 ? "acme" : "other" });
    for (let index = 0; index < 10; index++) {
      await stage.publish("we_a", "we_b");
      await stage.publish("we_c", "we_d");
    }
    const dispatcher = stage.start();
    await stage.clock.rest();
    expect(dispatcher.running).toBe(12);
    expect(new Set(stage.sent.map(({ endpoint }) => endpoint)).size).toBeGreaterThanOrEqual(3);
    while (gate.waiting.length > 0) {
      gate.open();
      await stage.clock.pass(second);
    }
    expect(stage.running.most).toBe(12);
    for (const id of ids) expect(stage.mostOf.get(id)).toBeLessThanOrEqual(4);
    expect(await stage.states()).toEqual(Array(40).fill("delivered"));
  });

  it("leaves a quarter of `concurrency` to other accounts", async () => {
    const stage = openStage({ concurrency: 64 });
    const slow = Array.from({ length: 19 }, (_, index) => `we_slow${index}`);
    for (const id of slow) stage.add(id, () => new Promise(() => {}), { account: "greedy" });
    stage.add("we_good");
    for (let index = 0; index < 10; index++) await stage.publish(...slow);
    const dispatcher = stage.start();
    await stage.clock.rest();
    expect(dispatcher.running).toBe(48);
    for (let index = 0; index < 187; index++) await stage.publish("we_good");
    await stage.clock.rest();
    await stage.clock.pass(second);
    expect(await stage.states("we_good")).toEqual(Array(187).fill("delivered"));
    expect(dispatcher.running).toBe(48);
  });

  it("leaves free slots to accounts below their fair share", async () => {
    const stage = openStage({ concurrency: 12, perEndpoint: 4 });
    const gates = new Map(["one", "two", "three"].map((account) => [account, createGate()]));
    for (const [account, gate] of gates)
      for (let index = 0; index < 10; index++)
        stage.add(`we_${account}${index}`, () => gate.enter().then(() => ok), { account });
    const publishTo = async (account: string): Promise<void> => {
      for (let index = 0; index < 10; index++) await stage.publish(`we_${account}${index}`);
    };
    const runningOf = (account: string): number => gates.get(account)?.waiting.length ?? 0;
    await publishTo("one");
    await publishTo("one");
    stage.start();
    await stage.clock.rest();
    expect(runningOf("one")).toBe(9);
    await publishTo("two");
    await publishTo("two");
    await stage.clock.rest();
    expect(runningOf("two")).toBe(3);
    // All slots are taken. Each that is freed goes to an account below its share.
    await publishTo("three");
    await stage.clock.rest();
    expect(runningOf("three")).toBe(0);
    for (let count = 0; count < 5; count++) {
      gates.get("one")?.waiting.shift()?.();
      await stage.clock.rest();
      await stage.clock.pass(second);
    }
    expect(["one", "two", "three"].map(runningOf)).toEqual([4, 4, 4]);
  });

  it("is sent at once if it is urgent, even to an endpoint that failed", async () => {
    const stage = openStage();
    stage.add("we_a", () => retry);
    for (let index = 0; index < 20; index++) await stage.publish("we_a");
    stage.start();
    await stage.clock.rest();
    await stage.clock.pass(second);
    const before = stage.sent.length;
    await stage.clock.pass(second);
    expect(stage.sent.length).toBe(before);
    const event = await stage.publishUrgent("we_a");
    await stage.clock.rest();
    await stage.clock.pass(100);
    expect(stage.sent.slice(before).map((sent) => sent.event)).toEqual([event]);
  });

  it("does not wait behind a receiver that hangs", async () => {
    const stage = openStage({ concurrency: 16 });
    stage.add("we_dead", () => new Promise(() => {}));
    stage.add("we_good");
    for (let index = 0; index < 100; index++) await stage.publish("we_dead", "we_good");
    stage.start();
    await stage.clock.rest();
    await stage.clock.pass(second);
    expect(await stage.states("we_good")).toEqual(Array(100).fill("delivered"));
    expect(stage.mostOf.get("we_dead")).toBe(8);
  });
});

describe("a receiver that fails", () => {
  it("is retried by the schedule, until it succeeds", async () => {
    const stage = openStage();
    stage.add("we_a", ({ number }) => (number < 4 ? retry : ok));
    stage.start();
    await stage.publish("we_a");
    await stage.clock.pass(hour);
    const [first] = stage.sent;
    expect(stage.sent.map(({ number, at }) => [number, at - (first?.at ?? 0)])).toEqual([
      [1, 0],
      [2, 5 * second],
      [3, 20 * second],
      [4, 65 * second],
    ]);
    expect(await stage.states()).toEqual(["delivered"]);
    expect(new Set(stage.sent.map(({ event }) => event)).size).toBe(1);
  });

  it("is obeyed if Retry-After asks for a longer delay, but not for a shorter one, or for more than 12 hours", async () => {
    const stage = openStage();
    const asked = [minute, second, 100 * hour];
    stage.add("we_a", ({ number }) => {
      const retryAfterMs = asked[number - 1];
      return retryAfterMs === undefined ? ok : { outcome: "retry", retryAfterMs };
    });
    stage.start();
    await stage.publish("we_a");
    await stage.clock.pass(24 * hour);
    const times = stage.sent.map(({ at }) => at);
    expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual([
      minute,
      15 * second,
      12 * hour,
    ]);
  });

  it("is failed after the last attempt, with the reason, and retried when it is redelivered", async () => {
    const stage = openStage({ schedule: { attempts: 3, delayBefore: () => minute } });
    stage.add("we_a", () => retry);
    stage.start();
    const event = await stage.publish("we_a");
    await stage.clock.pass(10 * minute);
    const [delivery] = await stage.queue.list({ limit: 1 });
    expect(delivery).toMatchObject({ state: "failed", attempts: 3, event });
    expect(delivery?.reason).toBe("None of 3 attempts succeeded. Attempt 3 got status 500.");
    stage.receivers.set("we_a", () => ok);
    await stage.queue.resetHealth("we_a");
    await stage.queue.redeliver(delivery?.id ?? "");
    await stage.clock.pass(second);
    expect(stage.sent.at(-1)).toMatchObject({ event, number: 1 });
    expect(await stage.states()).toEqual(["delivered"]);
    expect((await stage.queue.get(delivery?.id ?? ""))?.log).toHaveLength(4);
  });

  it("is failed at once if the next attempt would be too late", async () => {
    const stage = openStage({ schedule: { attempts: 12, delayBefore: () => 40 * hour } });
    stage.add("we_a", () => retry);
    stage.start();
    await stage.publish("we_a");
    await stage.clock.pass(40 * hour + minute);
    expect(stage.sent).toHaveLength(2);
    const [delivery] = await stage.queue.list({ limit: 1 });
    expect(delivery?.state).toBe("failed");
    expect(delivery?.reason).toBe("It was not delivered within 72 hours. Attempt 2 got status 500.");
  });

  it("is probed once a minute after five failures in a row, and waiting deliveries lose no attempt by that", async () => {
    const stage = openStage({ perEndpoint: 1 });
    let down = true;
    stage.add("we_a", () => (down ? retry : ok));
    stage.start();
    for (let index = 0; index < 30; index++) await stage.publish("we_a");
    await stage.clock.pass(second);
    expect(stage.sent).toHaveLength(5);
    await stage.clock.pass(10 * minute);
    expect(stage.sent.length).toBeGreaterThanOrEqual(14);
    expect(stage.sent.length).toBeLessThanOrEqual(16);
    down = false;
    await stage.clock.pass(2 * minute);
    await stage.clock.pass(10 * minute);
    expect(await stage.states()).toEqual(Array(30).fill("delivered"));
  });
});

describe("a final answer", () => {
  it("fails the delivery at once, and no other", async () => {
    const stage = openStage();
    stage.add("we_a", ({ event }) => (event === "evt_0001" ? refused : ok));
    stage.start();
    await stage.publish("we_a");
    await stage.publish("we_a");
    await stage.clock.pass(hour);
    expect(await stage.states()).toEqual(["failed", "delivered"]);
    const [, first] = await stage.queue.list({ limit: 2 });
    expect(first?.reason).toBe("Attempt 1 got status 404. It is not retried.");
    expect(stage.disabled.size).toBe(0);
  });

  it("of 410 disables the endpoint, fails its waiting deliveries, and is reported once", async () => {
    const stage = openStage({ perEndpoint: 2 });
    stage.add("we_a", () => ({ outcome: "refused", disable: true }));
    stage.add("we_b");
    for (let index = 0; index < 10; index++) await stage.publish("we_a", "we_b");
    stage.start();
    await stage.clock.pass(second);
    expect(stage.to("we_a").length).toBeLessThanOrEqual(2);
    expect(await stage.states("we_a")).toEqual(Array(10).fill("failed"));
    expect(await stage.states("we_b")).toEqual(Array(10).fill("delivered"));
    expect(stage.endpoints.get("we_a")).toMatchObject({ state: "disabled", disabledReason: "gone" });
    expect([...stage.disabled]).toEqual([`we_a gone ${stage.sent[0]?.at}`]);
  });
});

describe("an endpoint", () => {
  it("that was removed ends deliveries that wait for another attempt, at once", async () => {
    const stage = openStage();
    stage.add("we_a", ({ event }) => (event === "evt_0001" ? retry : { outcome: "refused", disable: true }));
    stage.start();
    await stage.publish("we_a");
    await stage.clock.pass(second);
    await stage.publish("we_a");
    await stage.clock.pass(second);
    expect(await stage.states()).toEqual(["failed", "failed"]);
    expect(stage.sent).toHaveLength(2);
  });

  it("that has only failed for 5 days is disabled, and this is reported once", async () => {
    const stage = openStage();
    stage.add("we_a", () => retry);
    stage.start();
    for (let days = 0; days < 5; days++) {
      await stage.publish("we_a");
      await stage.clock.pass(day - second);
      expect(stage.disabled.size).toBe(0);
    }
    await stage.clock.pass(day);
    await stage.publish("we_a");
    await stage.clock.pass(minute);
    expect(stage.endpoints.get("we_a")).toMatchObject({ state: "disabled", disabledReason: "failing" });
    expect([...stage.disabled]).toEqual([`we_a failing ${stage.sent[0]?.at}`]);
    expect(new Set(await stage.states("we_a"))).toEqual(new Set(["failed"]));
  });

  it("that failed once a week ago and fails again is not disabled for that", async () => {
    const stage = openStage();
    stage.add("we_a", ({ event }) => (event === "evt_0001" ? refused : retry));
    stage.start();
    await stage.publish("we_a");
    await stage.clock.pass(7 * day);
    await stage.publish("we_a");
    await stage.clock.pass(minute);
    expect(stage.sent.length).toBeGreaterThan(2);
    expect(stage.endpoints.get("we_a")).toMatchObject({ state: "active" });
    // After another whole schedule of failures it is disabled.
    await stage.clock.pass(3 * day);
    expect(stage.endpoints.get("we_a")).toMatchObject({ state: "disabled", disabledReason: "failing" });
  });

  it("that accepts one in five days is not", async () => {
    const stage = openStage();
    let sends = 0;
    stage.add("we_a", () => (++sends === 30 ? ok : retry));
    stage.start();
    for (let days = 0; days < 7; days++) {
      await stage.publish("we_a");
      await stage.clock.pass(day);
    }
    expect(sends).toBeGreaterThan(40);
    expect(stage.disabled.size).toBe(0);
  });

  it("that is paused gets nothing, and all of it when it is resumed", async () => {
    const stage = openStage();
    stage.add("we_a", undefined, { state: "paused" });
    stage.start();
    for (let index = 0; index < 20; index++) await stage.publish("we_a");
    await stage.clock.pass(10 * minute);
    expect(stage.sent).toEqual([]);
    expect(new Set(await stage.states())).toEqual(new Set(["waiting"]));
    expect((await stage.queue.list({ limit: 20 })).every(({ attempts }) => attempts === 0)).toBe(true);
    stage.change("we_a", { state: "active" });
    await stage.queue.hold("we_a", 0);
    await stage.clock.pass(second);
    expect(await stage.states()).toEqual(Array(20).fill("delivered"));
  });

  it("that was resumed while the dispatcher saw it paused does not stay held", async () => {
    const stage = openStage();
    stage.add("we_a", undefined, { state: "paused" });
    stage.start();
    await stage.publish("we_a");
    await stage.clock.pass(second);
    // The hold that the dispatcher made came after the operator's.
    stage.change("we_a", { state: "active" });
    await stage.clock.pass(minute);
    expect(await stage.states()).toEqual(["delivered"]);
  });

  it.each(["removed", "disabled"])("that was %s ends its waiting deliveries", async (how) => {
    const stage = openStage({ perEndpoint: 1 });
    if (how === "disabled") stage.add("we_a", undefined, { state: "disabled", disabledReason: "failing" });
    for (let index = 0; index < 5; index++) await stage.publish("we_a");
    stage.start();
    await stage.clock.pass(second);
    expect(stage.sent).toEqual([]);
    expect(await stage.states()).toEqual(Array(5).fill("failed"));
    expect((await stage.queue.list({ limit: 1 }))[0]?.reason).toMatch(
      how === "removed" ? /^The endpoint was removed\.$/ : /^The endpoint is disabled: every attempt failed/,
    );
  });

  it("whose secret cannot be read waits, is reported, and delays no other", async () => {
    const stage = openStage();
    stage.add("we_a");
    stage.add("we_b");
    stage.unreadable.add("we_a");
    stage.start();
    await stage.publish("we_a", "we_b");
    await stage.clock.pass(5 * minute);
    expect(await stage.states("we_a")).toEqual(["waiting"]);
    expect(await stage.states("we_b")).toEqual(["delivered"]);
    expect(stage.held[0]).toMatch(/^The secret of we_a cannot be read: /);
    // Twice a minute, and not continuously.
    expect(stage.held.length).toBeLessThanOrEqual(11);
    stage.unreadable.clear();
    await stage.clock.pass(minute);
    expect(await stage.states("we_a")).toEqual(["delivered"]);
  });
});

describe("shutdown", () => {
  it("waits for running attempts", async () => {
    const stage = openStage();
    const gate = createGate();
    stage.add("we_a", () => gate.enter().then(() => ok));
    const dispatcher = stage.start();
    for (let index = 0; index < 20; index++) await stage.publish("we_a");
    await stage.clock.rest();
    expect(dispatcher.running).toBe(8);
    const stopped = dispatcher.stop();
    await stage.clock.pass(4 * second);
    gate.open();
    await stage.clock.rest();
    await stopped;
    expect(stage.sent).toHaveLength(8);
    expect(tally(await stage.states())).toEqual({ delivered: 8, waiting: 12 });
  });

  it("releases the others, which are sent again with the same event and the same number", async () => {
    const stage = openStage();
    let hangs = true;
    const late: (() => void)[] = [];
    stage.add("we_a", () =>
      hangs ? new Promise((resolve) => late.push(() => resolve(ok))) : Promise.resolve(ok),
    );
    const dispatcher = stage.start();
    const events = [await stage.publish("we_a"), await stage.publish("we_a")];
    await stage.clock.rest();
    const stopped = dispatcher.stop();
    await stage.clock.pass(5 * second);
    await stopped;
    expect((await stage.queue.list({ limit: 2 })).map(({ attempts }) => attempts)).toEqual([0, 0]);
    // Later results are ignored.
    for (const answer of late) answer();
    await stage.clock.rest();
    expect(await stage.states()).toEqual(["waiting", "waiting"]);
    hangs = false;
    stage.start();
    await stage.clock.pass(second);
    expect(stage.sent.slice(2).map(({ event, number }) => [event, number])).toEqual(
      events.map((event) => [event, 1]),
    );
    expect(await stage.states()).toEqual(["delivered", "delivered"]);
  });

  it("ends at once if nothing runs", async () => {
    const stage = openStage();
    const dispatcher = stage.start();
    await stage.clock.rest();
    await dispatcher.stop();
    await dispatcher.stop();
    expect(dispatcher.running).toBe(0);
  });
});

describe("a store that fails", () => {
  const full = (): StoreError => new StoreError("write", "There is no space left.");

  it("at a settlement is retried; meanwhile nothing is sent, and nothing is sent twice", async () => {
    let failing = true;
    const stage = openStage({
      wrap: (queue): DeliveryQueue => ({
        ...queue,
        settle: async (claim, result) => {
          if (failing) throw full();
          return queue.settle(claim, result);
        },
      }),
    });
    stage.add("we_a");
    for (let index = 0; index < 30; index++) await stage.publish("we_a");
    stage.start();
    await stage.clock.pass(2 * minute);
    expect(stage.sent).toHaveLength(8);
    expect(stage.errors[0]).toBeInstanceOf(StoreError);
    failing = false;
    await stage.clock.pass(10 * second);
    expect(stage.sent).toHaveLength(30);
    expect(await stage.states()).toEqual(Array(30).fill("delivered"));
  });

  it("at a claim is retried after a second", async () => {
    let failing = true;
    let claims = 0;
    const stage = openStage({
      wrap: (queue): DeliveryQueue => ({
        ...queue,
        claim: async (options) => {
          claims++;
          if (failing) throw full();
          return queue.claim(options);
        },
      }),
    });
    stage.add("we_a");
    stage.start();
    await stage.publish("we_a");
    await stage.clock.pass(10 * second);
    expect(claims).toBeLessThan(20);
    failing = false;
    await stage.clock.pass(2 * second);
    expect(await stage.states()).toEqual(["delivered"]);
  });

  it("permanently does not delay the shutdown", async () => {
    const stage = openStage({
      wrap: (queue): DeliveryQueue => ({ ...queue, settle: () => Promise.reject(full()) }),
    });
    stage.add("we_a");
    const dispatcher = stage.start();
    await stage.publish("we_a");
    await stage.clock.pass(second);
    const stopped = dispatcher.stop();
    await stage.clock.pass(5 * second);
    await stopped;
    expect(dispatcher.running).toBe(0);
  });
});

it("a bug in one delivery is reported, and affects no other", async () => {
  const stage = openStage();
  let broken = true;
  stage.add("we_a", () => {
    if (broken) throw new TypeError("a bug");
    return ok;
  });
  stage.add("we_b");
  stage.start();
  await stage.publish("we_a", "we_b");
  await stage.clock.pass(10 * second);
  expect(stage.errors).toMatchObject([{ message: "a bug" }]);
  expect(await stage.states("we_b")).toEqual(["delivered"]);
  broken = false;
  // Its lease is over.
  await stage.clock.pass(10 * second);
  expect(await stage.states("we_a")).toEqual(["delivered"]);
});

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
