import { describe, expect, test } from "vitest";
import { drivers, local, optionsOf, redisOptions, sharedRedis } from "./drivers.ts";
import { account, endpoint, inbox, key, login, session } from "../../support/records.ts";
import { openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

const hour = 3_600_000;

describe.each(drivers)("the %s driver", (driver) => {
  test("returns a record as it was put, and none for an unknown id", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const record = account("acme", { plan: "team", limit: 25_000 });
    await store.accounts.set("acme", record);
    expect(await store.accounts.get("acme")).toEqual(record);
    expect(await store.accounts.get("other")).toBeUndefined();
    expect(await store.keys.get("acme")).toBeUndefined();
  });

  test("keeps kinds apart and lists in order", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await store.keys.set("b".repeat(20), key("b".repeat(20)));
    await store.keys.set("a".repeat(20), key("a".repeat(20)));
    await store.accounts.set("b-2", account("b-2"));
    expect(await store.keys.ids()).toEqual(["a".repeat(20), "b".repeat(20)]);
    expect((await store.keys.all()).records.map(({ id }) => id)).toEqual([
      `key_${"a".repeat(20)}`,
      `key_${"b".repeat(20)}`,
    ]);
    expect(await store.accounts.ids()).toEqual(["b-2"]);
  });

  test("keeps endpoints and inboxes, lists in them included", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const one = endpoint("a".repeat(24), { events: ["key.issued", "key.revoked"], description: "é ☃" });
    const two = inbox("b".repeat(32), { scheme: "github", secret: "sealed:v1:x", body: "" });
    await store.endpoints.set("a".repeat(24), one);
    await store.inboxes.set("b".repeat(32), two);
    expect(await store.endpoints.all()).toEqual({ records: [one], damaged: [] });
    expect(await store.inboxes.all()).toEqual({ records: [two], damaged: [] });
  });

  test.each([
    ["endpoints", endpoint("a".repeat(24), { url: "ftp://example.com/" })],
    ["endpoints", endpoint("a".repeat(24), { url: "https://example.com/#x" })],
    ["endpoints", endpoint("a".repeat(24), { events: [] })],
    ["endpoints", endpoint("a".repeat(24), { method: "GET" as "POST" })],
    ["endpoints", endpoint("a".repeat(24), { disabledAt: "yesterday" })],
    ["endpoints", { ...endpoint("a".repeat(24)), more: 1 } as ReturnType<typeof endpoint>],
    ["inboxes", inbox("a".repeat(32), { status: 199 })],
    ["inboxes", inbox("a".repeat(32), { delayMs: 30_001 })],
    ["inboxes", inbox("a".repeat(32), { scheme: "github" })],
    ["inboxes", inbox("a".repeat(32), { secret: "x" })],
    ["sessions", session("a".repeat(20), { operator: true })],
    ["sessions", { ...session("a".repeat(20)), account: undefined }],
    ["sessions", { ...session("a".repeat(20)), account: undefined, operator: false }],
    ["sessions", session("a".repeat(20), { expiresAt: "tomorrow" })],
    ["sessions", session("a".repeat(20), { person: { issuer: "proxy", subject: "a\nb" } })],
    ["sessions", { ...session("a".repeat(20)), person: { issuer: "proxy", subject: "a", email: "a@b" } }],
    ["logins", { ...login("a".repeat(20)), revokedAt: "2026-11-21T00:00:00.000Z" }],
    ["logins", { ...login("a".repeat(20)), id: `ses_${"a".repeat(20)}` }],
  ] as const)("refuses an invalid record of %s: %j", async (kind, record) => {
    const { store } = await openTestStore(await optionsOf(driver));
    const id = record.id.slice(record.id.indexOf("_") + 1);
    const collection = store[kind] as { set(id: string, value: unknown): Promise<void> };
    await expect(collection.set(id, record)).rejects.toThrow("not a record of");
    expect(await store[kind].ids()).toEqual([]);
  });

  test("opens the queue of deliveries and the inbox once, and neither after close", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    expect(await store.deliveries()).toBe(await store.deliveries());
    expect(await store.inbox()).toBe(await store.inbox());
    await store.close();
    await expect(store.deliveries()).rejects.toThrow("The store is closed.");
    await expect(store.inbox()).rejects.toThrow("The store is closed.");
  });

  test("a delivery added to the queue is found by id and by account", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const queue = await store.deliveries();
    const event = { id: "evt_1", type: "key.issued", account: "acme", body: "{}" };
    const [delivery] = await queue.add(event, ["we_1"]);
    expect(await queue.get(delivery?.id ?? "")).toMatchObject({ ...delivery, body: "{}" });
    expect(await queue.list({ account: "acme", limit: 9 })).toHaveLength(1);
  });

  test("removes records; removing a missing one is no error", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await store.accounts.set("acme", account("acme"));
    await store.accounts.remove("acme");
    await store.accounts.remove("acme");
    expect(await store.accounts.get("acme")).toBeUndefined();
    expect(await store.accounts.ids()).toEqual([]);
  });

  test("keeps sessions and codes, those of an account, of the operator and of a person", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const { account: _account, ...rest } = session("b".repeat(20), { revokedAt: "2026-11-21T01:00:00.000Z" });
    const operator = { ...rest, operator: true as const };
    const person = { issuer: "https://id.example.com/realms/staff", subject: "42", name: "Zoë" };
    const own = session("a".repeat(20), { person });
    await store.sessions.set("b".repeat(20), operator);
    await store.sessions.set("a".repeat(20), own);
    await store.logins.set("c".repeat(20), login("c".repeat(20)));
    expect(await store.sessions.all()).toEqual({ records: [own, operator], damaged: [] });
    expect(await store.logins.all()).toEqual({ records: [login("c".repeat(20))], damaged: [] });
  });

  test("of concurrent takers of a record exactly one gets it, and then it is gone", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const { logins } = store;
    const id = "a".repeat(20);
    expect(await logins.take(id)).toBe(false);
    for (let round = 0; round < 3; round++) {
      await logins.set(id, login(id));
      const taken = await Promise.all(Array.from({ length: 50 }, () => logins.take(id)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await logins.get(id)).toBeUndefined();
      expect(logins.lookup(id)).toBeUndefined();
    }
    await expect(logins.take("a:b")).rejects.toThrow(TypeError);
  });

  test("of overlapping writes, the last one issued wins", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const limits = Array.from({ length: 30 }, (_, index) => 10_000 + index);
    await Promise.all(
      limits.map((limit) => store.accounts.set("acme", account("acme", { plan: "team", limit }))),
    );
    expect((await store.accounts.get("acme"))?.limit).toBe(10_029);
  });

  test("a returned record is a copy: changing it does not change the store", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await store.accounts.set("acme", account("acme"));
    const found = await store.accounts.lookup("acme");
    expect(() => Object.assign(found ?? {}, { plan: "team" })).toThrow(TypeError);
  });

  test.each(["", "a/b", "..", "a?b", "a:b", "A", "a.b", "x".repeat(64), "ä"])(
    "refuses the id %j",
    async (id) => {
      const { store } = await openTestStore(await optionsOf(driver));
      await expect(store.accounts.get(id)).rejects.toThrow(TypeError);
      await expect(store.accounts.set(id, account(id))).rejects.toThrow(/not a record|not the id/);
    },
  );

  test("refuses a record under another id, and one that violates its schema", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await expect(store.accounts.set("acme", account("other"))).rejects.toThrow("another id");
    await expect(store.accounts.set("acme", account("acme", { limit: 0.5 }))).rejects.toThrow(
      "not a record of accounts",
    );
    expect(await store.accounts.ids()).toEqual([]);
  });

  test("a look-up uses the cache, of a store that others can change for 500 ms, and sees this process's writes at once", async () => {
    let time = 1_000_000;
    const { store } = await openTestStore({
      ...(await optionsOf(driver)),
      runtime: testRuntime({ now: () => time }),
    });
    await store.accounts.set("acme", account("acme"));
    expect(store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    time += 499;
    expect(store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    time += 1;
    // While a process holds the folder's lock, nobody else changes a record.
    if (driver === "file") return expect(store.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    const again = store.accounts.lookup("acme");
    expect(again).toBeInstanceOf(Promise);
    expect(store.accounts.lookup("acme")).toBe(again);
    await again;
    await store.accounts.set("acme", account("acme", { disabled: true }));
    expect(store.accounts.lookup("acme")).toMatchObject({ disabled: true });
  });

  test("a read that began before a write does not restore the old record", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
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

  test("a reset starts a new window", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await store.counters.consume("account:acme", 7);
    await store.counters.reset("account:acme");
    expect(await store.counters.peek("account:acme")).toBeUndefined();
    expect((await store.counters.consume("account:acme", 1)).used).toBe(1);
  });

  test("counts exactly under concurrency", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const pending = Array.from({ length: 1_500 }, () => store.counters.consume("account:acme", 1));
    const used = (await Promise.all(pending)).map((count) => count.used);
    expect(used.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_500 }, (_, index) => index + 1));
    expect(store.counters.seen("account:acme")?.used).toBe(1_500);
    expect((await store.counters.peek("account:acme"))?.used).toBe(1_500);
  });

  test("allows exactly the limit under concurrency, and counts no refused request", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const pending = Array.from({ length: 1_500 }, () => store.counters.consume("account:acme", 1, 1_000));
    const counts = await Promise.all(pending);
    expect(counts.filter(({ allowed }) => allowed)).toHaveLength(1_000);
    for (const { allowed, used } of counts) if (!allowed) expect(used).toBe(1_000);
    expect((await store.counters.peek("account:acme"))?.used).toBe(1_000);
  });

  test("counts all points of a request or none under concurrency", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const { counters } = store;
    await counters.consume("account:acme", 90, 100);
    expect(await counters.consume("account:acme", 19, 100)).toMatchObject({ allowed: false, used: 90 });
    expect((await counters.peek("account:acme"))?.used).toBe(90);
    const pending = [3, 19, 1, 1, 4, 1, 1].map((points) => counters.consume("account:acme", points, 100));
    expect((await Promise.all(pending)).map(({ allowed }) => allowed)).toEqual([
      true,
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect((await counters.peek("account:acme"))?.used).toBe(100);
  });

  test("a raised limit admits the next request, a lowered one does not", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const { counters } = store;
    for (let n = 0; n < 5; n++) await counters.consume("account:acme", 1, 5);
    expect((await counters.consume("account:acme", 1, 5)).allowed).toBe(false);
    expect(await counters.consume("account:acme", 1, 6)).toMatchObject({ allowed: true, used: 6 });
    expect((await counters.consume("account:acme", 1, 3)).allowed).toBe(false);
    expect((await counters.peek("account:acme"))?.used).toBe(6);
  });

  test("refunded points can be used again, and never make a count negative", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const { counters } = store;
    await counters.consume("account:acme", 5);
    await counters.giveBack("account:acme", 2);
    expect((await counters.peek("account:acme"))?.used).toBe(3);
    await counters.giveBack("account:acme", 50);
    expect((await counters.peek("account:acme"))?.used).toBe(0);
    await counters.giveBack("account:never", 5);
    expect((await counters.peek("account:never"))?.used ?? 0).toBe(0);
    expect((await counters.consume("account:never", 1)).used).toBe(1);
  });

  test("is ready", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await expect(store.check()).resolves.toBeUndefined();
  });
});

describe.each(local)("the %s driver, by the clock of its process", (driver) => {
  test("counts in a window of an hour that starts with the first request", async () => {
    let time = 5_000;
    const { store } = await openTestStore({
      ...(await optionsOf(driver)),
      runtime: testRuntime({ now: () => time }),
    });
    expect(await store.counters.peek("account:acme")).toBeUndefined();
    expect(await store.counters.consume("account:acme", 1)).toMatchObject({ used: 1, resetAt: 5_000 + hour });
    time += 1_000;
    expect(await store.counters.consume("account:acme", 4)).toMatchObject({ used: 5, resetAt: 5_000 + hour });
    expect(await store.counters.peek("account:acme")).toEqual({ used: 5, resetAt: 5_000 + hour });
    expect(await store.counters.peek("ip:7f000001")).toBeUndefined();
    time = 5_000 + hour;
    expect(store.counters.seen("account:acme")).toBeUndefined();
    expect(await store.counters.consume("account:acme", 1)).toMatchObject({ used: 1, resetAt: time + hour });
  });

  test("is exact within a turn of the event loop", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const pending = Array.from({ length: 1_500 }, () => store.counters.consume("account:acme", 1));
    expect(store.counters.seen("account:acme")?.used).toBe(1_500);
    await Promise.all(pending);
  });

  test("a clock that is set back does not make a window longer than an hour", async () => {
    let time = 100 * hour;
    const { store } = await openTestStore({
      ...(await optionsOf(driver)),
      runtime: testRuntime({ now: () => time }),
    });
    await store.counters.consume("account:acme", 3);
    time -= 50 * hour;
    expect(store.counters.seen("account:acme")).toEqual({ used: 3, resetAt: time + hour });
    time += hour;
    expect(store.counters.seen("account:acme")).toBeUndefined();
  });
});

describe("the redis driver, by the clock of Redis", () => {
  test("counts in a window of an hour that starts with the first request", async () => {
    const redis = await sharedRedis();
    const options = redisOptions(redis.url);
    const { store } = await openTestStore({ driver: "redis", redis: options });
    const name = `${options.prefix}count:account:acme`;
    const before = Date.now();
    expect(await store.counters.peek("account:acme")).toBeUndefined();
    const first = await store.counters.consume("account:acme", 1);
    expect(first.resetAt).toBeGreaterThanOrEqual(before + hour - 1);
    expect(first.resetAt).toBeLessThanOrEqual(Date.now() + hour);
    // Simulates that most of the hour has passed.
    await redis.command("PEXPIRE", name, 400);
    const second = await store.counters.consume("account:acme", 4);
    expect(second.used).toBe(5);
    expect(second.resetAt).toBeLessThanOrEqual(Date.now() + 400);
    expect(await store.counters.peek("ip:7f000001")).toBeUndefined();
    await expect.poll(() => redis.command("EXISTS", name)).toBe(0);
    expect(store.counters.seen("account:acme")).toBeUndefined();
    const third = await store.counters.consume("account:acme", 1);
    expect(third.used).toBe(1);
    expect(third.resetAt).toBeGreaterThan(Date.now() + hour - 10_000);
  });

  test("two nodes see each other's records, counts and resets", async () => {
    let alone = 0;
    const redis = redisOptions((await sharedRedis()).url, { onDegraded: () => void (alone += 1) });
    let time = 1_000_000;
    const { store: one } = await openTestStore({
      driver: "redis",
      redis,
      runtime: testRuntime({ now: () => time }),
    });
    const { store: other } = await openTestStore({
      driver: "redis",
      redis,
      runtime: testRuntime({ now: () => time }),
    });
    expect(await other.accounts.lookup("acme")).toBeUndefined();
    await one.accounts.set("acme", account("acme"));
    expect(await other.accounts.get("acme")).toMatchObject({ plan: "pro" });
    time += 500;
    expect(await other.accounts.lookup("acme")).toMatchObject({ plan: "pro" });
    await one.accounts.set("acme", account("acme", { disabled: true }));
    time += 500;
    expect(await other.accounts.lookup("acme")).toMatchObject({ disabled: true });
    await one.accounts.remove("acme");
    time += 500;
    expect(await other.accounts.lookup("acme")).toBeUndefined();

    // On a busy machine Redis may answer so late that a node decides alone; then the count begins anew.
    for (let attempt = 1; ; attempt++) {
      const name = `account:acme${attempt}`;
      alone = 0;
      const pending = Array.from({ length: 1_500 }, (_, index) =>
        Promise.try(() => (index % 2 ? one : other).counters.consume(name, 1, 1_000)).catch(() => ({
          allowed: false,
        })),
      );
      const allowed = (await Promise.all(pending)).filter((answer) => answer.allowed).length;
      if (alone > 0 && attempt < 20) continue;
      expect([alone, allowed]).toEqual([0, 1_000]);
      await one.counters.reset(name);
      time += 500;
      expect(await other.counters.consume(name, 1, 1_000)).toMatchObject({ allowed: true, used: 1 });
      break;
    }
    expect(other.status?.().nodes).toBe(2);
  });

  test("of two nodes that take a record at once, one gets it", async () => {
    const redis = redisOptions((await sharedRedis()).url);
    const { store: one } = await openTestStore({ driver: "redis", redis });
    const { store: other } = await openTestStore({ driver: "redis", redis });
    const id = "a".repeat(20);
    for (let round = 0; round < 20; round++) {
      await one.logins.set(id, login(id));
      const taken = await Promise.all([one.logins.take(id), other.logins.take(id)]);
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
  });

  test("stores of two prefixes do not see each other", async () => {
    const { url } = await sharedRedis();
    const { store: one } = await openTestStore({ driver: "redis", redis: redisOptions(url) });
    const { store: other } = await openTestStore({ driver: "redis", redis: redisOptions(url) });
    await one.accounts.set("acme", account("acme"));
    await one.counters.consume("account:acme", 5);
    expect(await other.accounts.ids()).toEqual([]);
    expect(await other.counters.peek("account:acme")).toBeUndefined();
    expect(other.status?.().nodes).toBe(1);
  });
});
