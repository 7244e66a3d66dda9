import { describe, expect, test } from "vitest";
import { account, drivers, key, openTestStore } from "./drivers.ts";

const hour = 3_600_000;

describe.each(drivers)("the %s driver", (driver) => {
  test("gives a record back as it was, and not one that was never there", async () => {
    const { store } = await openTestStore({ driver });
    const record = account("acme", { plan: "team", limit: 25_000 });
    await store.accounts.set("acme", record);
    expect(await store.accounts.get("acme")).toEqual(record);
    expect(await store.accounts.get("other")).toBeUndefined();
    expect(await store.keys.get("acme")).toBeUndefined();
  });

  test("keeps kinds apart and lists in order", async () => {
    const { store } = await openTestStore({ driver });
    await store.keys.set("b".repeat(20), key("b".repeat(20)));
    await store.keys.set("a".repeat(20), key("a".repeat(20)));
    await store.accounts.set("b-2", account("b-2"));
    expect(await store.keys.ids()).toEqual(["a".repeat(20), "b".repeat(20)]);
    expect((await store.keys.all()).map(({ id }) => id)).toEqual([
      `key_${"a".repeat(20)}`,
      `key_${"b".repeat(20)}`,
    ]);
    expect(await store.accounts.ids()).toEqual(["b-2"]);
  });

  test("removes, and removing what is not there is no error", async () => {
    const { store } = await openTestStore({ driver });
    await store.accounts.set("acme", account("acme"));
    await store.accounts.remove("acme");
    await store.accounts.remove("acme");
    expect(await store.accounts.get("acme")).toBeUndefined();
    expect(await store.accounts.ids()).toEqual([]);
  });

  test("of writes that overlap, the last one asked for stays", async () => {
    const { store } = await openTestStore({ driver });
    const limits = Array.from({ length: 30 }, (_, index) => 10_000 + index);
    await Promise.all(
      limits.map((limit) => store.accounts.set("acme", account("acme", { plan: "team", limit }))),
    );
    expect((await store.accounts.get("acme"))?.limit).toBe(10_029);
  });

  test("a record cannot be changed by who was given it", async () => {
    const { store } = await openTestStore({ driver });
    await store.accounts.set("acme", account("acme"));
    const found = await store.accounts.lookup("acme");
    expect(() => Object.assign(found ?? {}, { plan: "team" })).toThrow(TypeError);
  });

  test.each(["", "a/b", "..", "a?b", "a:b", "A", "a.b", "x".repeat(64), "ä"])(
    "refuses the id %j",
    async (id) => {
      const { store } = await openTestStore({ driver });
      await expect(store.accounts.get(id)).rejects.toThrow(TypeError);
      await expect(store.accounts.set(id, account(id))).rejects.toThrow(/not a record|not the id/);
    },
  );

  test("refuses a record under an id that is not its own, and one that breaks its schema", async () => {
    const { store } = await openTestStore({ driver });
    await expect(store.accounts.set("acme", account("other"))).rejects.toThrow("another id");
    await expect(store.accounts.set("acme", account("acme", { limit: 0.5 }))).rejects.toThrow(
      "not a record of accounts",
    );
    expect(await store.accounts.ids()).toEqual([]);
  });

  test("a look-up is at once for what is fresh, reads again after 500 ms, and sees writes of this process at once", async () => {
    let time = 1_000_000;
    const { store } = await openTestStore({ driver, now: () => time });
    await store.accounts.set("acme", account("acme"));
    expect(store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    time += 499;
    expect(store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    time += 1;
    const again = store.accounts.lookup("acme");
    expect(again).toBeInstanceOf(Promise);
    expect(store.accounts.lookup("acme")).toBe(again);
    await again;
    await store.accounts.set("acme", account("acme", { disabled: true }));
    expect(store.accounts.lookup("acme")).toMatchObject({ disabled: true });
  });

  test("a read that began before a write does not bring the old record back", async () => {
    const { store } = await openTestStore({ driver });
    await store.accounts.set("acme", account("acme"));
    for (let round = 0; round < 20; round++) {
      const disabled = round % 2 === 0;
      const before = store.accounts.get("acme");
      const writing = store.accounts.set("acme", account("acme", { disabled }));
      const during = store.accounts.lookup("acme");
      await Promise.all([before, writing, during]);
      expect(store.accounts.lookup("acme")).toMatchObject({ disabled });
    }
  });

  test("counts in a window of an hour that starts with the first request", async () => {
    let time = 5_000;
    const { store } = await openTestStore({ driver, now: () => time });
    expect(await store.counters.peek("account:acme")).toBeUndefined();
    expect(await store.counters.consume("account:acme", 1)).toEqual({ used: 1, resetAt: 5_000 + hour });
    time += 1_000;
    expect(await store.counters.consume("account:acme", 4)).toEqual({ used: 5, resetAt: 5_000 + hour });
    expect(await store.counters.peek("account:acme")).toEqual({ used: 5, resetAt: 5_000 + hour });
    expect(await store.counters.peek("ip:7f000001")).toBeUndefined();
    time = 5_000 + hour;
    expect(store.counters.seen("account:acme")).toBeUndefined();
    expect(await store.counters.consume("account:acme", 1)).toEqual({ used: 1, resetAt: time + hour });
  });

  test("a reset begins a new window", async () => {
    const { store } = await openTestStore({ driver });
    await store.counters.consume("account:acme", 7);
    await store.counters.reset("account:acme");
    expect(await store.counters.peek("account:acme")).toBeUndefined();
    expect((await store.counters.consume("account:acme", 1)).used).toBe(1);
  });

  test("counts exactly when many come at once, and is exact within the turn", async () => {
    const { store } = await openTestStore({ driver });
    const pending = Array.from({ length: 1_500 }, () => store.counters.consume("account:acme", 1));
    expect(store.counters.seen("account:acme")?.used).toBe(1_500);
    const used = (await Promise.all(pending)).map((count) => count.used);
    expect(used.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_500 }, (_, index) => index + 1));
  });

  test("a clock that is set back does not make a window longer than an hour", async () => {
    let time = 100 * hour;
    const { store } = await openTestStore({ driver, now: () => time });
    await store.counters.consume("account:acme", 3);
    time -= 50 * hour;
    expect(store.counters.seen("account:acme")).toEqual({ used: 3, resetAt: time + hour });
    time += hour;
    expect(store.counters.seen("account:acme")).toBeUndefined();
  });

  test("is ready", async () => {
    const { store } = await openTestStore({ driver });
    await expect(store.check()).resolves.toBeUndefined();
  });
});
