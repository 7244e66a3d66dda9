import { describe, expect, test, vi } from "vitest";
import type { EndpointRecord } from "../../../../src/storage/records.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { createSeal } from "../../../../src/storage/seal.ts";
import { createEndpoints, type Endpoints } from "../../../../src/services/webhooks/endpoints.ts";
import { createGuard } from "../../../../src/services/webhooks/guard.ts";
import { createRandom, refusalOf, start } from "../../../unit/services/setup.ts";
import { account } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";

const hour = 3_600_000;
const key = "ab".repeat(32);
const url = "https://hooks.example.com/penknife";

interface Desk {
  store: Store;
  endpoints: Endpoints;
  clock: { now: number };
  kept(id: string): Promise<EndpointRecord | undefined>;
}

/** The names that exist; any other has no address. */
const names: Record<string, string> = { "hooks.example.com": "8.8.8.8", "intra.example.com": "10.1.2.3" };

async function openDesk(options: { key?: string; allowCidrs?: string[]; store?: Store } = {}): Promise<Desk> {
  const clock = { now: start };
  const now = () => clock.now;
  const store = options.store ?? (await openTestStore({ runtime: testRuntime({ now }) })).store;
  await store.accounts.set("acme", account("acme"));
  await store.accounts.set("other", account("other"));
  const random = createRandom();
  const endpoints = createEndpoints({
    store,
    seal: createSeal({ key: options.key ?? "", random }),
    guard: createGuard({
      runtime: testRuntime(),
      allowCidrs: options.allowCidrs ?? [],
      async lookup(name) {
        // A name whose server does not answer.
        if (name === "silent.example.com") return new Promise(() => {});
        const address = names[name];
        return address === undefined ? [] : [{ address, family: 4 }];
      },
    }),
    runtime: testRuntime({ now, random }),
  });
  return { store, endpoints, clock, kept: (id) => store.endpoints.get(id.slice(3)) };
}

describe("adding one", () => {
  test("returns its secret once, and keeps the settings", async () => {
    const { endpoints, kept } = await openDesk();
    const { record, secret, warning } = await endpoints.add({ account: "acme", url });
    expect(warning).toBeUndefined();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(record).toEqual({
      v: 1,
      id: expect.stringMatching(/^we_[0-9a-f]{24}$/),
      account: "acme",
      url,
      method: "POST",
      events: ["*"],
      secret,
      state: "active",
      retryClientErrors: false,
      createdAt: "2026-11-21T12:00:00.000Z",
    });
    expect(await kept(record.id)).toEqual(record);
    const other = await endpoints.add({
      account: "acme",
      url,
      method: "PUT",
      events: ["limit.reached", "key.issued", "key.issued"],
      description: "the deploy bot",
      retryClientErrors: true,
    });
    expect(other.record).toMatchObject({
      method: "PUT",
      events: ["key.issued", "limit.reached"],
      description: "the deploy bot",
      retryClientErrors: true,
    });
    expect(other.secret).not.toBe(secret);
  });

  test("with storage.encryptionKey the secret is nowhere in the store", async () => {
    const { endpoints, kept } = await openDesk({ key });
    const { record, secret } = await endpoints.add({ account: "acme", url });
    const found = await kept(record.id);
    expect(found?.secret).toMatch(/^sealed:v1:/);
    expect(JSON.stringify(found)).not.toContain(secret.slice(6, 20));
  });

  test.each([
    ["ftp://hooks.example.com/", /The URL must be absolute/],
    ["hooks.example.com", /The URL must be absolute/],
    ["https://me:pass@hooks.example.com/", /a user or a password/],
    ["https://hooks.example.com/#here", /a fragment/],
    [`https://hooks.example.com/${"x".repeat(2048)}`, /longer than 2048/],
    [`https://hooks.example.com/${"é".repeat(1000)}`, /longer than 2048/],
    ["http://127.0.0.1/", /not public .*webhooks\.allowCidrs/],
    ["http://2130706433/", /not public/],
    ["http://[::ffff:127.0.0.1]/", /not public/],
    ["http://intra.example.com/", /not public/],
  ])("refuses %.60s", async (given, message) => {
    const { endpoints, store } = await openDesk();
    const refusal = await refusalOf(() => endpoints.add({ account: "acme", url: given }));
    expect(refusal).toMatchObject({
      code: "invalid_input",
      pointer: "/url",
      message: expect.stringMatching(message),
    });
    expect(await store.endpoints.ids()).toEqual([]);
  });

  test("accepts an allowed address, and warns about a name that does not resolve yet", async () => {
    const { endpoints } = await openDesk({ allowCidrs: ["10.0.0.0/8"] });
    expect((await endpoints.add({ account: "acme", url: "http://10.9.9.9/" })).warning).toBeUndefined();
    expect(
      (await endpoints.add({ account: "acme", url: "http://intra.example.com/" })).warning,
    ).toBeUndefined();
    const { record, warning } = await endpoints.add({ account: "acme", url: "http://later.example.com" });
    expect(warning).toMatch(/later\.example\.com has no address/);
    expect(record.url).toBe("http://later.example.com/");
  });

  test.each([
    [{ account: "nobody" }, { code: "not_found" }],
    [
      { description: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
      { code: "invalid_input", pointer: "/description" },
    ],
    [
      { events: [] },
      { code: "invalid_input", pointer: "/events", message: expect.stringContaining("key.issued") },
    ],
    [
      { events: ["key.isued"] },
      {
        code: "invalid_input",
        pointer: "/events",
        message: expect.stringContaining("Did you mean key.issued?"),
      },
    ],
  ])("refuses %j", async (wishes, expected) => {
    const { endpoints } = await openDesk();
    expect(await refusalOf(() => endpoints.add({ account: "acme", url, ...wishes }))).toMatchObject(expected);
  });

  test("a silent name server delays an addition by at most three seconds", async () => {
    const { endpoints, kept } = await openDesk();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const adding = endpoints.add({ account: "acme", url: "https://silent.example.com/" });
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 60_000, interval: 1 });
      vi.advanceTimersByTime(3000);
      const { record, warning } = await adding;
      expect(warning).toMatch(/^The name server of silent\.example\.com does not answer/);
      expect(await kept(record.id)).toMatchObject({ state: "active" });
      await endpoints.add({ account: "acme", url });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("the 21st of an account is refused, that of another is not", async () => {
    const { endpoints } = await openDesk();
    for (let n = 0; n < 20; n++) await endpoints.add({ account: "acme", url });
    expect(await refusalOf(() => endpoints.add({ account: "acme", url }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("the maximum is 20"),
    });
    await endpoints.add({ account: "other", url });
  });
});

describe("an existing endpoint", () => {
  test("is listed with its own kind, the oldest first", async () => {
    const { endpoints, clock } = await openDesk();
    const ids: string[] = [];
    for (const name of ["acme", "other", "acme"]) {
      clock.now += 1000;
      ids.push((await endpoints.add({ account: name, url })).record.id);
    }
    const idsOf = async (name?: string): Promise<string[]> =>
      (await endpoints.list(name === undefined ? {} : { account: name })).records.map(({ id }) => id);
    expect(await idsOf()).toEqual(ids);
    expect(await idsOf("acme")).toEqual([ids[0], ids[2]]);
  });

  test("is paused and resumed; resuming releases what waited", async () => {
    const { endpoints, store, kept } = await openDesk();
    const { id } = (await endpoints.add({ account: "acme", url })).record;
    const queue = await store.deliveries();
    await endpoints.pause(id);
    await queue.add({ id: "evt_1", type: "key.issued", account: "acme", body: "{}" }, [id]);
    await queue.hold(id, start + hour);
    expect(await queue.claim({ count: 1, leaseMs: 1000 })).toEqual([]);
    expect((await kept(id))?.state).toBe("paused");
    await endpoints.resume(id);
    expect((await kept(id))?.state).toBe("active");
    expect(await queue.claim({ count: 1, leaseMs: 1000 })).toHaveLength(1);
  });

  test("is disabled once, cannot be paused then, and is reset when it is resumed", async () => {
    const { endpoints, kept } = await openDesk();
    const { id } = (await endpoints.add({ account: "acme", url })).record;
    expect(await endpoints.disable(id, "gone")).toMatchObject({ state: "disabled", disabledReason: "gone" });
    expect(await endpoints.disable(id, "failing")).toBeUndefined();
    expect((await kept(id))?.disabledReason).toBe("gone");
    expect(await refusalOf(() => endpoints.pause(id))).toMatchObject({ code: "invalid_input" });
    const resumed = await endpoints.resume(id);
    expect(resumed.state).toBe("active");
    expect(resumed).not.toHaveProperty("disabledReason");
    expect(resumed).not.toHaveProperty("disabledAt");
  });

  test("is not resumed at an address that has become private", async () => {
    const { endpoints, store, kept } = await openDesk();
    const { id } = (await endpoints.add({ account: "acme", url })).record;
    await store.endpoints.set(id.slice(3), {
      ...((await kept(id)) as EndpointRecord),
      url: "http://intra.example.com/",
    });
    await endpoints.pause(id);
    expect(await refusalOf(() => endpoints.resume(id))).toMatchObject({ pointer: "/id" });
    expect((await kept(id))?.state).toBe("paused");
  });

  test.each([
    [undefined, 24 * hour],
    ["7d", 7 * 24 * hour],
    ["0", undefined],
    ["0s", undefined],
  ])("with a grace of %s both secrets sign for that time", async (grace, lasting) => {
    const { endpoints } = await openDesk({ key });
    const first = await endpoints.add({ account: "acme", url });
    const { record, secret } = await endpoints.rotate(first.record.id, grace === undefined ? {} : { grace });
    expect(secret).not.toBe(first.secret);
    const seal = createSeal({ key, random: createRandom() });
    expect(seal.open(record.secret, record.id)).toBe(secret);
    if (lasting === undefined) {
      expect(record).not.toHaveProperty("previousSecret");
      return;
    }
    expect(seal.open(record.previousSecret as string, record.id)).toBe(first.secret);
    expect(record.previousUntil).toBe(new Date(start + lasting).toISOString());
  });

  test("is removed with its waiting deliveries", async () => {
    const { endpoints, store, kept } = await openDesk();
    const { id } = (await endpoints.add({ account: "acme", url })).record;
    const queue = await store.deliveries();
    await queue.add({ id: "evt_1", type: "key.issued", account: "acme", body: "{}" }, [id]);
    const [claim] = await queue.claim({ count: 1, leaseMs: 1000 });
    const attempt = { number: 1, at: start, durationMs: 1, outcome: "retry" } as const;
    if (claim !== undefined) await queue.settle(claim, { attempt, state: "waiting", nextAt: start });
    expect(await queue.health(id)).toMatchObject({ failures: 1 });
    await endpoints.remove(id);
    expect(await kept(id)).toBeUndefined();
    expect(await queue.health(id)).toEqual({ failures: 0 });
    expect(await queue.list({ limit: 9 })).toMatchObject([
      { state: "failed", reason: "The endpoint was removed." },
    ]);
    expect(await refusalOf(() => endpoints.remove(id))).toMatchObject({ code: "not_found" });
  });

  test("an id is repeated in a refusal, and text that may be a secret is not", async () => {
    const { endpoints } = await openDesk();
    const id = `we_${"0".repeat(24)}`;
    expect((await refusalOf(() => endpoints.get(id))).message).toContain(id);
    expect((await refusalOf(() => endpoints.get("whsec_abc"))).message).not.toContain("abc");
  });
});

describe("the cache of endpoints", () => {
  test("returns those of an account, at most half a second old, and changes of this process at once", async () => {
    const { store } = await openTestStore({ runtime: testRuntime({ now: () => start }) });
    const one = await openDesk({ store });
    const two = await openDesk({ store });
    const countIn = async (desk: Desk): Promise<number> => (await desk.endpoints.ofAccount("acme")).length;
    expect(await countIn(two)).toBe(0);
    const { id } = (await one.endpoints.add({ account: "acme", url })).record;
    expect(await countIn(one)).toBe(1);
    two.clock.now += 499;
    expect(await countIn(two)).toBe(0);
    two.clock.now += 1;
    expect(await countIn(two)).toBe(1);
    await two.endpoints.remove(id);
    expect(await countIn(two)).toBe(0);
    // A clock that was set back expires everything.
    one.clock.now -= hour;
    expect(await countIn(one)).toBe(0);
  });

  test("an endpoint removed while it is being disabled does not come back", async () => {
    const { endpoints, kept } = await openDesk();
    for (let n = 0; n < 20; n++) {
      const { id } = (await endpoints.add({ account: "acme", url })).record;
      await Promise.all([endpoints.remove(id), endpoints.disable(id, "failing")]);
      expect(await kept(id)).toBeUndefined();
    }
  });

  test("after a failure of the store, the next reader tries again", async () => {
    const { store } = await openTestStore({ runtime: testRuntime({ now: () => start }) });
    let broken = true;
    const desk = await openDesk({
      store: {
        ...store,
        endpoints: {
          ...store.endpoints,
          async of(owner: string) {
            if (broken) throw new Error("broken");
            return store.endpoints.of(owner);
          },
        },
      },
    });
    await expect(desk.endpoints.ofAccount("acme")).rejects.toThrow("broken");
    broken = false;
    expect(await desk.endpoints.ofAccount("acme")).toEqual([]);
  });
});
