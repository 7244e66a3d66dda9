import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ToolError } from "../../../../src/catalog/errors.ts";
import type { Principal } from "../../../../src/catalog/principal.ts";
import { createAuth, type KeyHolder } from "../../../../src/services/access/auth.ts";
import { letIn } from "../../../../src/services/access/refusals.ts";
import { createKey, hashKey } from "../../../../src/services/access/key-format.ts";
import { createRandom, createServices, day, refusalOf } from "../../../unit/services/setup.ts";
import type { ServicesOptions } from "../../../unit/services/setup.ts";
import { redisOptions, sharedRedis } from "../../storage/drivers.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";
import { breakReads } from "../../../support/break-reads.ts";
import { testRuntime } from "../../../support/runtime.ts";

const ip = "198.51.100.1";

async function withKey(options: ServicesOptions = {}) {
  const services = await createServices(options);
  await services.accounts.create({ name: "acme", plan: "team" });
  const { key, record } = await services.keys.issue({ account: "acme", expires: "90d" });
  const call = (
    authorization?: string,
    more: { xApiKey?: boolean; authorizationCount?: number; ip?: string; holder?: KeyHolder } = {},
  ) =>
    services.auth.authenticate({
      authorization,
      authorizationCount: authorization === undefined ? 0 : 1,
      xApiKey: false,
      ip,
      ...more,
    });
  const bearer = (secret = key, from = ip) => call(`Bearer ${secret}`, { ip: from });
  return { ...services, key, record, call, bearer };
}

/** A well-formed key that was never issued. */
const invent = createRandom();
const stranger = () => createKey((count) => invent(count).map((byte) => byte ^ 1));

describe("identity", () => {
  test("a key authenticates as its account, synchronously if it is cached", async () => {
    const { bearer, record } = await withKey();
    const principal: Principal = {
      kind: "key",
      account: "acme",
      ...(record.incarnation && { incarnation: record.incarnation }),
      plan: "team",
      limit: 10_000,
      keyId: record.id,
      ip,
    };
    expect(await bearer()).toEqual(principal);
    expect(bearer()).toEqual(principal);
  });

  test("without a header: anonymous, or refused on a private endpoint", async () => {
    const { call } = await withKey();
    expect(call()).toEqual({ kind: "anonymous", ip });
    const { call: private_, bearer } = await withKey({ anonymous: false });
    expect(await refusalOf(() => private_())).toMatchObject({ code: "missing_key" });
    expect(await bearer()).toMatchObject({ kind: "key" });
  });

  test.each(["Bearer ", "bearer ", "BEARER ", "Bearer   "])("the scheme %j", async (scheme) => {
    const { call, key } = await withKey();
    expect(await call(scheme + key)).toMatchObject({ kind: "key" });
  });

  test.each<[string, (key: string) => string]>([
    ["an empty header", () => ""],
    ["no scheme", (key) => key],
    ["another scheme", (key) => `Basic ${key}`],
    ["no key", () => "Bearer "],
    ["another kind of token", () => "Bearer eyJhbGciOi.J9.x"],
    ["a part of the key", (key) => `Bearer ${key.slice(0, -1)}`],
    ["a slip in the key", (key) => `Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`],
    ["two keys in a header", (key) => `Bearer ${key}, Bearer ${key}`],
    ["a key and more", (key) => `Bearer ${key} ${key}`],
  ])("malformed, never anonymous: %s", async (_, header) => {
    const { call, key } = await withKey();
    const { code, message } = await refusalOf(() => call(header(key)));
    expect(code).toBe("malformed_key");
    expect(message).not.toContain(key.slice(9, 30));
  });

  test.each([{ xApiKey: true }, { authorizationCount: 2 }])("two credentials: %j", async (more) => {
    const { call, key } = await withKey();
    expect(await refusalOf(() => call(`Bearer ${key}`, more))).toMatchObject({
      code: "conflicting_credentials",
    });
  });

  test("X-API-Key alone is refused rather than anonymous, and the refusal names the header to send", async () => {
    const { call } = await withKey();
    const { code, message } = await refusalOf(() => call(undefined, { xApiKey: true }));
    expect(code).toBe("malformed_key");
    expect(message).toContain("Authorization: Bearer");
  });
});

describe("a connection that remembers the hash of its key", () => {
  test("authenticates with it, and with another key sent later", async () => {
    const { call, key, keys } = await withKey();
    const holder: KeyHolder = {};
    expect(await call(`Bearer ${key}`, { holder })).toMatchObject({ kind: "key" });
    expect(holder.hashed).toEqual({ authorization: `Bearer ${key}`, hash: hashKey(key) });
    const { key: second, record } = await keys.issue({ account: "acme", expires: "90d" });
    expect(await call(`Bearer ${second}`, { holder })).toMatchObject({ keyId: record.id });
    expect(holder.hashed?.hash).toBe(hashKey(second));
  });

  test("refuses a key that differs in one character, and lets anonymous callers in", async () => {
    const { call, key } = await withKey();
    const holder: KeyHolder = {};
    await call(`Bearer ${key}`, { holder });
    const wrong = `Bearer ${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
    expect(await refusalOf(() => call(wrong, { holder }))).toMatchObject({ code: "malformed_key" });
    expect(await refusalOf(() => call(`Bearer ${stranger()}`, { holder }))).toMatchObject({
      code: "unknown_key",
    });
    expect(await call(undefined, { holder })).toMatchObject({ kind: "anonymous" });
  });

  test("notices a revocation like any other connection", async () => {
    const { call, key, keys, record } = await withKey();
    const holder: KeyHolder = {};
    await call(`Bearer ${key}`, { holder });
    await keys.revoke(record.id);
    expect(await refusalOf(() => call(`Bearer ${key}`, { holder }))).toMatchObject({ code: "revoked_key" });
  });

  test("makes its caller once, and again when the account, the key or the address is another", async () => {
    const { accounts, call, clock, key } = await withKey();
    const holder: KeyHolder = {};
    const ask = () => call(`Bearer ${key}`, { holder });
    const first = await ask();
    expect(ask()).toBe(first);
    expect(await call(`Bearer ${key}`, { holder, ip: "198.51.100.7" })).toMatchObject({ ip: "198.51.100.7" });
    await accounts.set("acme", { limit: 20_000 });
    expect(await ask()).toMatchObject({ ip, limit: 20_000 });
    await accounts.disable("acme");
    expect(await refusalOf(ask)).toMatchObject({ code: "account_disabled" });
    await accounts.enable("acme");
    clock.now += 90 * day;
    expect(await refusalOf(ask)).toMatchObject({ code: "expired_key" });
  });
});

describe("the state of a key", () => {
  test("unknown if it was never issued", async () => {
    const { bearer } = await withKey();
    expect(await refusalOf(() => bearer(stranger()))).toMatchObject({ code: "unknown_key" });
  });

  test("unknown if only its id matches another key", async () => {
    const { bearer, store, record } = await withKey();
    const other = stranger();
    const id = hashKey(other).slice(0, 20);
    await store.keys.set(id, {
      ...record,
      id: `key_${id}`,
      hash: id.padEnd(64, "0"),
      revokedAt: record.createdAt,
    });
    expect(await refusalOf(() => bearer(other))).toMatchObject({ code: "unknown_key" });
  });

  test("expired, to the millisecond", async () => {
    const { bearer, clock } = await withKey();
    clock.now += 90 * day - 1;
    expect(await bearer()).toMatchObject({ kind: "key" });
    clock.now += 1;
    expect(await refusalOf(() => bearer())).toMatchObject({ code: "expired_key" });
  });

  test("revoked in this process: refused by the very next call", async () => {
    const { bearer, keys, record } = await withKey();
    await bearer();
    await keys.revoke(record.id);
    expect(await refusalOf(() => bearer())).toMatchObject({ code: "revoked_key" });
  });

  test("revoked on another node: refused after 500 ms at the latest", async () => {
    const redis = redisOptions((await sharedRedis()).url);
    const { bearer, record, clock } = await withKey({ driver: "redis", redis });
    const { store: other } = await openTestStore({ driver: "redis", redis });
    await bearer();
    const id = record.id.slice(4);
    await other.keys.change(id, (found) => ({ ...found, revokedAt: record.createdAt }));
    clock.now += 499;
    expect(await bearer()).toMatchObject({ kind: "key" });
    clock.now += 1;
    expect(await refusalOf(() => bearer())).toMatchObject({ code: "revoked_key" });
  });

  test("its account: disabled, enabled, deleted, on the free plan", async () => {
    const { bearer, accounts, store } = await withKey();
    await bearer();
    await accounts.disable("acme");
    expect(await refusalOf(() => bearer())).toMatchObject({ code: "account_disabled" });
    await accounts.enable("acme");
    expect(await bearer()).toMatchObject({ kind: "key" });
    await store.accounts.set("acme", { ...(await accounts.get("acme")), plan: "free" });
    expect(await bearer()).toEqual({ kind: "anonymous", ip });
    await store.accounts.remove("acme");
    expect(await refusalOf(() => bearer())).toMatchObject({ code: "unknown_key" });
  });

  test("a key of an account that was changed to the free plan opens no private endpoint", async () => {
    const { accounts, keys, auth, store } = await createServices({ anonymous: false });
    await accounts.create({ name: "acme", plan: "pro" });
    const { key } = await keys.issue({ account: "acme" });
    await store.accounts.set("acme", { ...(await accounts.get("acme")), plan: "free" });
    const credentials = { authorization: `Bearer ${key}`, authorizationCount: 1, xApiKey: false, ip };
    expect(await refusalOf(() => auth.authenticate(credentials))).toEqual({
      code: "forbidden",
      message: "The account acme is on the free plan, which has no keys.",
    });
  });

  test("rotated with grace: both, then one", async () => {
    const { bearer, keys, record, key, clock } = await withKey();
    const fresh = await keys.rotate(record.id, { grace: "1h" });
    expect(await bearer(key)).toMatchObject({ keyId: record.id });
    expect(await bearer(fresh.key)).toMatchObject({ keyId: fresh.record.id });
    clock.now += 3_600_000;
    expect(await refusalOf(() => bearer(key))).toMatchObject({ code: "expired_key" });
    expect(await bearer(fresh.key)).toMatchObject({ keyId: fresh.record.id });
  });
});

describe("while the store is down", () => {
  test("cached keys of a folder keep working, and an unknown key is unavailable rather than unknown", async () => {
    const { bearer, clock } = await withKey({ driver: "file", path: makeFolder() });
    await bearer();
    const repair = breakReads();
    clock.now += 24 * 3_600_000;
    expect(await bearer()).toMatchObject({ kind: "key" });
    expect(await refusalOf(() => bearer(stranger()))).toMatchObject({ code: "storage_unavailable" });
    repair();
    expect(await refusalOf(() => bearer(stranger()))).toMatchObject({ code: "unknown_key" });
  });
});

describe("an address that is refused repeatedly", () => {
  test("gets 30 refusals a minute and then 429", async () => {
    const { call, bearer, clock } = await withKey();
    for (let n = 0; n < 30; n++) {
      expect((await refusalOf(() => (n % 2 ? call("Bearer junk") : bearer(stranger())))).code).toMatch(
        /_key$/,
      );
    }
    for (const header of ["Bearer junk", `Bearer ${stranger()}`]) {
      expect(await refusalOf(() => call(header))).toMatchObject({ code: "quota_exceeded" });
      expect(await refusalOf(() => call(header, { ip: "203.0.113.1" }))).not.toMatchObject({
        code: "quota_exceeded",
      });
    }
    clock.now += 60_000;
    expect(await refusalOf(() => call("Bearer junk"))).toMatchObject({ code: "malformed_key" });
  });

  test("waits no longer than a minute if the clock is set back", async () => {
    let steady = 0;
    const { call, clock } = await withKey({ runtime: testRuntime({ monotonic: () => steady }) });
    for (let n = 0; n < 30; n++) await refusalOf(() => call("Bearer junk"));
    clock.now -= day;
    steady += 59_000;
    clock.now += 59_000;
    expect(await refusalOf(() => call("Bearer junk"))).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("in 1 seconds"),
    });
    steady += 1_000;
    clock.now += 1_000;
    expect(await refusalOf(() => call("Bearer junk"))).toMatchObject({ code: "malformed_key" });
  });

  test.each<[string, (all: Awaited<ReturnType<typeof withKey>>) => unknown]>([
    ["conflicting_credentials", ({ call, key }) => call(`Bearer ${key}`, { xApiKey: true })],
    ["conflicting_credentials", ({ call, key }) => call(`Bearer ${key}`, { authorizationCount: 2 })],
    ["account_disabled", ({ bearer }) => bearer()],
  ])("%s counts as well", async (code, refuse) => {
    const services = await withKey();
    if (code === "account_disabled") await services.accounts.disable("acme");
    for (let n = 0; n < 30; n++) expect(await refusalOf(() => refuse(services))).toMatchObject({ code });
    expect(await refusalOf(() => refuse(services))).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("in 60 seconds"),
    });
    expect(await refusalOf(() => services.call("Bearer junk"))).toMatchObject({ code: "quota_exceeded" });
    services.clock.now += 60_000;
    expect(await refusalOf(() => refuse(services))).toMatchObject({ code });
  });

  test("does not lock out its neighbors: cached keys and callers without a key", async () => {
    const { call, bearer } = await withKey();
    for (let n = 0; n < 40; n++) await refusalOf(() => call("Bearer junk"));
    expect(await bearer()).toMatchObject({ kind: "key" });
    expect(call()).toMatchObject({ kind: "anonymous" });
  });

  test("of IPv6 shares its refusals with its /56 and /48, four and sixteen times as many", async () => {
    const { call } = await withKey();
    const codesOf = async (from: string, count: number): Promise<Set<string>> => {
      const codes = [];
      for (let n = 0; n < count; n++)
        codes.push((await refusalOf(() => call("Bearer junk", { ip: from }))).code);
      return new Set(codes);
    };
    for (let n = 0; n < 16; n++)
      expect(await codesOf(`2001:db8:1:${((n >> 2) * 256 + (n & 3)).toString(16)}::1`, 30)).toEqual(
        new Set(["malformed_key"]),
      );
    expect(await codesOf("2001:db8:1:4::1", 1)).toEqual(new Set(["quota_exceeded"]));
    expect(await codesOf("2001:db8:1:ff00::1", 1)).toEqual(new Set(["quota_exceeded"]));
    expect(await codesOf("2001:db8:2:1::1", 1)).toEqual(new Set(["malformed_key"]));
  });

  test("does not lock out a key that this node has not cached", async () => {
    const redis = redisOptions((await sharedRedis()).url);
    const { key } = await withKey({ driver: "redis", redis });
    const other = await createServices({ driver: "redis", redis });
    /** Asks again while a busy machine does not let Redis answer in time, which is neither a refusal nor an answer. */
    const at = async (secret: string) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await other.auth.authenticate({
            authorization: `Bearer ${secret}`,
            authorizationCount: 1,
            xApiKey: false,
            ip,
          });
        } catch (error) {
          if (attempt === 100 || (error as ToolError).code !== "storage_unavailable") throw error;
          await sleep(50);
        }
      }
    };
    for (let n = 0; n < 40; n++) await refusalOf(() => at(stranger()));
    expect(await refusalOf(() => at(stranger()))).toMatchObject({ code: "quota_exceeded" });
    expect(await at(key)).toMatchObject({ kind: "key", account: "acme" });
  });

  test("cannot make the store read more than a hundred times a second, nor twice for one made-up key", async () => {
    const services = await withKey();
    let reads = 0;
    const { lookup } = services.store.keys;
    services.store.keys.lookup = (id) => {
      const found = lookup(id);
      if (found instanceof Promise) reads++;
      return found;
    };
    const invented = stranger();
    for (let n = 0; n < 20; n++) await refusalOf(() => services.bearer(invented));
    expect(reads).toBe(1);
    for (let n = 0; n < 10; n++) await refusalOf(() => services.bearer(stranger()));
    expect(reads).toBe(11);
    const flood = async () => {
      const codes = new Set<string>();
      for (let n = 0; n < 1_000; n++) codes.add((await refusalOf(() => services.bearer(stranger()))).code);
      expect(codes).toEqual(new Set(["quota_exceeded"]));
    };
    await flood();
    expect(reads).toBe(111);
    // A wrong checksum needs no look-up.
    services.clock.now += 1_000;
    for (let n = 0; n < 1_000; n++) await refusalOf(() => services.call("Bearer svc_live_junk"));
    expect(reads).toBe(111);
    await flood();
    expect(reads).toBe(211);
  });

  test("is one of many whose look-ups together are a thousand a second", async () => {
    const services = await withKey();
    const addresses = Array.from({ length: 20 }, (_, n) => `10.0.${n}.1`);
    for (const from of addresses)
      for (let n = 0; n < 30; n++) await refusalOf(() => services.call("Bearer junk", { ip: from }));
    let reads = 0;
    const { lookup } = services.store.keys;
    services.store.keys.lookup = (id) => {
      reads += 1;
      return lookup(id);
    };
    for (let n = 0; n < 100; n++)
      for (const from of addresses) await refusalOf(() => services.bearer(stranger(), from));
    expect(reads).toBe(1_000);
  });
});

test("made-up keys from many addresses at once are looked up a few hundred at a time, and real keys stay cached", async () => {
  const { bearer, key } = await withKey({ driver: "file" });
  await bearer();
  const inventions = Array.from({ length: 1_000 }, (_, n) =>
    refusalOf(() => bearer(stranger(), `10.${n >> 8}.${n & 255}.1`)),
  );
  const codes = (await Promise.all(inventions)).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set(["unknown_key", "overloaded"]));
  expect(codes.filter((code) => code === "unknown_key")).toHaveLength(256);
  expect(bearer(key)).toMatchObject({ kind: "key" });
});

describe("the uses of a key", () => {
  async function withUses() {
    const uses: string[] = [];
    const services = await withKey();
    const { store, clock } = services;
    let reads = 0;
    const get = store.keys.lookup;
    const counting = {
      ...store,
      keys: {
        ...store.keys,
        lookup(id: string) {
          const found = get(id);
          if (found instanceof Promise) reads += 1;
          return found;
        },
      },
    };
    const auth = createAuth({
      store: counting,
      anonymous: true,
      runtime: testRuntime({ now: () => clock.now }),
      onUse: (id) => void uses.push(id),
    });
    const call = (secret: string, from = ip) =>
      auth.authenticate({
        authorization: `Bearer ${secret}`,
        authorizationCount: 1,
        xApiKey: false,
        ip: from,
      });
    return { ...services, uses, call, reads: () => reads };
  }

  test("are reported once for each read of its record, and cause no read", async () => {
    const { call, key, record, uses, clock, reads } = await withUses();
    for (let n = 0; n < 1000; n++) await call(key);
    expect(uses).toEqual([record.id]);
    expect(reads()).toBe(0);
    clock.now += 500;
    for (let n = 0; n < 1000; n++) await call(key);
    expect(uses).toEqual([record.id, record.id]);
    expect(reads()).toBe(1);
  });

  test("are not reported for a refused key, nor when an open connection is checked again", async () => {
    const { call, key, record, uses, keys, clock } = await withUses();
    await call(key, letIn);
    expect(uses).toEqual([]);
    await call(key);
    expect(uses).toEqual([record.id]);
    await keys.revoke(key);
    clock.now += 500;
    expect(await refusalOf(() => call(key))).toMatchObject({ code: "revoked_key" });
    expect(uses).toEqual([record.id]);
  });
});
