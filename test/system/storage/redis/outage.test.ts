import { describe, expect, test } from "vitest";
import { account } from "../../../support/records.ts";
import { before, counted, id, isUp, node, noticed, proxy, redis, times } from "./outage-node.ts";

describe("while Redis is frozen", () => {
  test("share: two nodes continue with half each of what was left, and then answer 503 and not 429", async () => {
    const [one, other] = [await node(), await node()];
    await one.store.counters.consume(id, 40, 100);
    await other.store.counters.consume(id, 1, 100);
    await one.store.counters.consume(id, 1, 100);
    await expect.poll(() => one.store.status?.().nodes).toBe(2);
    redis.freeze();
    await Promise.all([noticed(one), noticed(other)]);
    const answers = await times(60, () => other.ask(100));
    expect(answers.filter((answer) => typeof answer === "number")).toHaveLength(Math.ceil((100 - 41) / 2));
    expect(new Set(answers.filter((answer) => typeof answer === "string"))).toEqual(
      new Set(["storage_unavailable"]),
    );
    expect(other.degraded()).toBeGreaterThan(60);
    const more = await times(60, () => one.ask(100));
    expect(more.filter((answer) => typeof answer === "number")).toHaveLength((100 - 42) / 2);
    redis.thaw();
    await expect.poll(() => isUp(other)).toBe(true);
    await expect.poll(counted).toBe(42 + 30 + 29);
  });

  test("share: a node that never saw the account takes limit / nodes", async () => {
    const one = await node();
    redis.freeze();
    await noticed(one);
    expect(
      (await times(120, () => one.ask(100))).filter((answer) => typeof answer === "number"),
    ).toHaveLength(100);
    redis.thaw();
    await expect.poll(counted).toBe(100);
  });

  test("open: every request is answered, uncounted", async () => {
    const one = await node({ onStoreError: "open" });
    await one.ask(5);
    redis.freeze();
    await noticed(one);
    expect((await times(20, () => one.ask(5))).every((answer) => typeof answer === "number")).toBe(true);
    redis.thaw();
    await expect.poll(() => isUp(one)).toBe(true);
    expect(await one.ask(5)).toBe(2);
  });

  test("closed: every request is refused", async () => {
    const one = await node({ onStoreError: "closed" });
    await one.ask(5);
    redis.freeze();
    await noticed(one);
    expect(new Set(await times(20, () => one.ask(5)))).toEqual(new Set(["storage_unavailable"]));
    redis.thaw();
    await expect.poll(() => isUp(one)).toBe(true);
    expect(await one.ask(5)).toBe(2);
  });

  test.each(["share", "closed"] as const)(
    "%s: requests that Redis counts late are counted once, and only if they were answered",
    async (onStoreError) => {
      const one = await node({ onStoreError });
      await one.ask(1_000);
      redis.freeze();
      const answers = await times(50, () => one.ask(1_000));
      const answered = answers.filter((answer) => typeof answer === "number").length;
      expect(answered).toBe(onStoreError === "share" ? 50 : 0);
      redis.thaw();
      await expect.poll(() => isUp(one)).toBe(true);
      await expect.poll(() => one.ask(1_000)).toBeTypeOf("number");
      await expect.poll(async () => (await counted()) - Number(await one.ask(1_000))).toBeLessThanOrEqual(0);
      const asked = Number(await one.ask(1_000));
      expect(asked).toBe(await counted());
      await one.store.counters.reset(id);
    },
  );

  test("no call waits longer than 150 ms, and later ones do not wait at all", async () => {
    const one = await node();
    await one.ask(1_000);
    redis.freeze();
    expect(await before(1_000, () => times(30, () => one.ask(1_000)))).toBe(true);
    await noticed(one);
    expect(await before(100, () => times(30, () => one.ask(1_000)))).toBe(true);
  });

  test("the outage is reported once with its reason, and so is its end", async () => {
    const one = await node();
    redis.freeze();
    await noticed(one);
    expect(
      one.reasons().filter((reason) => reason.includes("Continuing without it (limits.onStoreError)")),
    ).toHaveLength(1);
    expect(one.reasons()[0]).toMatch(/^Redis \(127\.0\.0\.1:\d+\/0\) does not answer in time/);
    await expect(one.store.check()).rejects.toThrow(/does not answer/);
    redis.thaw();
    await expect.poll(() => isUp(one)).toBe(true);
    expect(one.notices.filter((notice) => notice.includes("answers again"))).toHaveLength(1);
    await expect.poll(() => one.store.check().then(() => "ready")).toBe("ready");
  });
});

describe("a Redis that is slow", () => {
  // An answer can be late because this process gets no CPU time: then the case proves nothing.
  test("by 30 ms counts everything, in order, however many requests arrive", { retry: 3 }, async () => {
    const one = await node();
    proxy.delay(30);
    const answers = await times(300, () => one.ask(200));
    expect(answers.filter((answer) => typeof answer === "number")).toHaveLength(200);
    expect(answers.filter((answer) => answer === "refused")).toHaveLength(100);
    expect(one.degraded()).toBe(0);
    expect(await counted()).toBe(200);
    await one.store.accounts.set("acme", account("acme"));
    await expect(Promise.resolve(one.store.accounts.lookup("acme"))).resolves.toMatchObject({ plan: "pro" });
    await expect(Promise.resolve(one.store.keys.lookup("0".repeat(20)))).resolves.toBeUndefined();
  });

  test("by 60 ms is within the wait of an idle machine; late or not, every request is counted once", async () => {
    const one = await node();
    proxy.delay(60);
    let answered = 0;
    for (let round = 0; round < 5; round++) {
      const answers = await times(40, () => one.ask(1_000));
      expect(answers).not.toContain("refused");
      answered += answers.filter((answer) => typeof answer === "number").length;
    }
    proxy.delay(0);
    await expect.poll(() => isUp(one)).toBe(true);
    // An answer of the last round may still be late, and is settled with the next request.
    await expect
      .poll(async () => {
        if (typeof (await one.ask(100_000)) === "number") answered += 1;
        return (await counted()) - answered;
      })
      .toBe(0);
  });

  test.each([30, 80])("by %d ms: a key that was never issued is unknown, not unavailable", async (ms) => {
    const one = await node();
    await one.store.accounts.set("acme", account("acme"));
    proxy.delay(ms);
    for (let n = 0; n < 8; n++) {
      expect(await one.store.keys.lookup(`${n}`.repeat(20))).toBeUndefined();
      expect(await one.ask(1_000)).toBe(n + 1);
    }
    expect(isUp(one)).toBe(true);
  });

  test("by 400 ms: an unknown key is looked up for as long as `storage.unknownKeyMs` says", async () => {
    const [one, brief] = [await node(), await node({ unknownKeyMs: 100 })];
    proxy.delay(400);
    expect(await one.store.keys.lookup("1".repeat(20))).toBeUndefined();
    await expect(Promise.resolve(brief.store.keys.lookup("2".repeat(20)))).rejects.toMatchObject({
      code: "storage_unavailable",
    });
  });

  test.each([120, 500])("by %d ms is treated as an outage, and no request is counted twice", async (ms) => {
    const one = await node();
    await one.ask(1_000);
    proxy.delay(ms);
    let answered = 1;
    const until = performance.now() + 1_500;
    let late = 0;
    while (performance.now() < until) {
      let answers: unknown[] = [];
      if (!(await before(1_000, async () => (answers = await times(4, () => one.ask(1_000)))))) late++;
      answered += answers.filter((answer) => typeof answer === "number").length;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(late).toBe(0);
    expect(one.degraded()).toBeGreaterThan(10);
    proxy.delay(0);
    await expect.poll(() => isUp(one)).toBe(true);
    await one.ask(100_000);
    await expect.poll(counted).toBe(answered + 1);
  });
});
