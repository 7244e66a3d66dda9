import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import { hashKey } from "../../../../src/services/access/key-format.ts";
import { createKeys } from "../../../../src/services/access/keys.ts";
import { createRandom, createServices, day, refusalOf, start } from "../setup.ts";
import type { ServicesOptions } from "../setup.ts";
import { makeFolder } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";

async function withAccount(options: ServicesOptions = {}) {
  const services = await createServices(options);
  await services.accounts.create({ name: "acme", plan: "pro" });
  return services;
}

const at = (ms: number) => new Date(ms).toISOString();

describe("issue", () => {
  test("returns the key once; the record holds its hash and its first characters", async () => {
    const { keys, accounts } = await withAccount();
    const { key, record } = await keys.issue({ account: "acme", name: "ci", expires: "90d" });
    expect(record).toEqual({
      v: 1,
      id: `key_${hashKey(key).slice(0, 20)}`,
      hash: hashKey(key),
      account: "acme",
      incarnation: (await accounts.get("acme")).incarnation,
      name: "ci",
      start: key.slice(0, 13),
      createdAt: at(start),
      expiresAt: at(start + 90 * day),
    });
    expect(await keys.get(record.id)).toEqual(record);
    expect(await keys.get(key)).toEqual(record);
  });

  test("refuses a key in a label, which is stored and shown unchanged", async () => {
    const { keys } = await withAccount();
    const { key, record } = await keys.issue({ account: "acme" });
    expect((await refusalOf(() => keys.issue({ account: "acme", name: `was ${key}` }))).code).toBe(
      "invalid_input",
    );
    expect((await refusalOf(() => keys.revoke(record.id, { reason: key }))).code).toBe("invalid_input");
    expect((await keys.check(key)).valid).toBe(true);
  });

  test.each([
    ["30min", 1_800_000],
    ["24h", day],
    ["2w", 14 * day],
    ["2026-11-21T12:00:01Z", 1_000],
    ["2026-11-22T14:00:00+02:00", day],
  ])("the expiry %s", async (expires, after) => {
    const { keys } = await withAccount();
    expect((await keys.issue({ account: "acme", expires })).record.expiresAt).toBe(at(start + after));
  });

  test.each([
    "",
    "0d",
    "-1d",
    "90",
    "d",
    "1.5h",
    "90 d",
    "soon",
    "2027-01-01",
    "2026-02-30T00:00:00Z",
    "999999d",
    "1y",
  ])("refuses the expiry %j", async (expires) => {
    const { keys, store } = await withAccount();
    expect(await refusalOf(() => keys.issue({ account: "acme", expires }))).toMatchObject({
      code: "invalid_input",
      pointer: "/expires",
    });
    expect(await store.keys.ids()).toEqual([]);
  });

  test("refuses an expiry in the past or beyond auth.maxKeyDays, which is also the default then", async () => {
    const { keys } = await withAccount({ maxKeyDays: 30 });
    const past = await refusalOf(() => keys.issue({ account: "acme", expires: "2026-11-21T12:00:00Z" }));
    expect(past).toMatchObject({
      code: "invalid_input",
      message: "expires must be in the future, got 2026-11-21T12:00:00.000Z.",
    });
    const beyond = await refusalOf(() => keys.issue({ account: "acme", expires: "31d" }));
    expect(beyond.message).toBe("A key lives for at most 30 days here (auth.maxKeyDays).");
    expect((await keys.issue({ account: "acme", expires: "30d" })).record.expiresAt).toBe(
      at(start + 30 * day),
    );
    expect((await keys.issue({ account: "acme" })).record.expiresAt).toBe(at(start + 30 * day));
  });

  test("refuses an account on the free plan and an unknown one", async () => {
    const { keys, accounts, store } = await withAccount();
    await accounts.create({ name: "small", plan: "free" });
    expect(await refusalOf(() => keys.issue({ account: "small" }))).toMatchObject({
      code: "invalid_input",
      pointer: "/account",
    });
    expect(await refusalOf(() => keys.issue({ account: "acmee" }))).toMatchObject({ code: "not_found" });
    expect(await store.keys.ids()).toEqual([]);
  });
});

describe("rotate", () => {
  test("with grace both keys work, then one", async () => {
    const { keys, clock } = await withAccount();
    const old = await keys.issue({ account: "acme", name: "ci" });
    const fresh = await keys.rotate(old.record.id, { grace: "24h" });
    expect(fresh.key).not.toBe(old.key);
    expect(fresh.record).toMatchObject({ account: "acme", name: "ci", rotatedFrom: old.record.id });
    clock.now += day - 1;
    expect([(await keys.check(old.key)).valid, (await keys.check(fresh.key)).valid]).toEqual([true, true]);
    clock.now += 1;
    expect(await keys.check(old.key)).toMatchObject({ valid: false, code: "expired_key" });
    expect((await keys.check(fresh.key)).valid).toBe(true);
  });

  test("without grace the old key stops at once", async () => {
    const { keys } = await withAccount();
    const old = await keys.issue({ account: "acme" });
    const fresh = await keys.rotate(old.key);
    expect(await keys.check(old.key)).toMatchObject({ valid: false, code: "revoked_key" });
    expect(await keys.get(old.record.id)).toMatchObject({
      rotatedTo: fresh.record.id,
      revokeReason: "rotated",
    });
  });

  test("the new key keeps the lifetime of the old one; grace does not extend the old one", async () => {
    const { keys, clock } = await withAccount();
    const old = await keys.issue({ account: "acme", expires: "10d" });
    clock.now += 9 * day;
    const fresh = await keys.rotate(old.record.id, { grace: "5d" });
    expect(fresh.record.expiresAt).toBe(at(clock.now + 10 * day));
    expect((await keys.get(old.record.id)).expiresAt).toBe(at(start + 10 * day));
  });

  test("a maximum that was lowered since applies to the new key", async () => {
    const { keys, store, clock } = await withAccount();
    const old = await keys.issue({ account: "acme", expires: "90d" });
    const random = createRandom();
    const strict = createKeys({
      store,
      runtime: testRuntime({ now: () => clock.now, random: (count) => random(count + 1).slice(1) }),
      maxKeyDays: 30,
    });
    expect((await strict.rotate(old.record.id)).record.expiresAt).toBe(at(start + 30 * day));
  });

  test("that fails half-way leaves no key that was never shown", async () => {
    const services = await withAccount();
    const { store } = services;
    let writes = Infinity;
    async function write<T>(work: () => Promise<T>): Promise<T> {
      if (writes-- <= 0) throw new ToolError("storage_unavailable", "The disk is full.");
      return work();
    }
    const failing = {
      ...store.keys,
      add: (...args: Parameters<typeof store.keys.add>) => write(() => store.keys.add(...args)),
      change: (...args: Parameters<typeof store.keys.change>) => write(() => store.keys.change(...args)),
    };
    const keys = createKeys({
      store: { ...store, keys: failing },
      runtime: testRuntime({ now: () => start, random: createRandom() }),
      maxKeyDays: 0,
    });
    const { key, record } = await keys.issue({ account: "acme" });
    for (const room of [0, 1]) {
      writes = room;
      expect((await refusalOf(() => keys.rotate(record.id))).code).toBe("storage_unavailable");
      expect((await keys.list()).records).toEqual([record]);
      expect(await keys.check(key)).toMatchObject({ valid: true });
    }
    writes = 2;
    const fresh = await keys.rotate(record.id);
    expect(await keys.check(fresh.key)).toMatchObject({ valid: true });
    expect(await keys.check(key)).toMatchObject({ code: "revoked_key" });
  });

  test("refuses a key that has ended or was rotated before, and an invalid grace", async () => {
    const { keys, clock } = await withAccount();
    const first = await keys.issue({ account: "acme", expires: "1d" });
    expect(await refusalOf(() => keys.rotate(first.record.id, { grace: "soon" }))).toMatchObject({
      pointer: "/grace",
    });
    const second = await keys.rotate(first.record.id, { grace: "1h" });
    expect((await refusalOf(() => keys.rotate(first.record.id))).message).toContain(
      `Rotate ${second.record.id} instead`,
    );
    clock.now += 2 * day;
    expect((await refusalOf(() => keys.rotate(second.record.id))).message).toContain("is expired");
    const third = await keys.issue({ account: "acme" });
    await keys.revoke(third.record.id);
    expect((await refusalOf(() => keys.rotate(third.record.id))).message).toContain("is revoked");
  });
});

describe("revoke", () => {
  test("is permanent and keeps the first reason", async () => {
    const { keys, clock } = await withAccount();
    const { key, record } = await keys.issue({ account: "acme" });
    await keys.revoke(record.id, { reason: "leaked" });
    clock.now += 1_000;
    expect(await keys.revoke(key, { reason: "again" })).toMatchObject({
      revokedAt: at(start),
      revokeReason: "leaked",
    });
    expect(await keys.check(key)).toMatchObject({ valid: false, code: "revoked_key" });
  });

  test("all keys of an account, and of no other", async () => {
    const { keys, accounts } = await withAccount();
    await accounts.create({ name: "other", plan: "team" });
    const mine = [await keys.issue({ account: "acme" }), await keys.issue({ account: "acme" })];
    const other = await keys.issue({ account: "other" });
    const { records } = await keys.revokeAll("acme", { reason: "bad day" });
    expect(records.map(({ id }) => id).toSorted()).toEqual(mine.map(({ record }) => record.id).toSorted());
    expect((await keys.check(other.key)).valid).toBe(true);
    expect(await keys.revokeAll("acme")).toEqual({ records: [], damaged: [] });
  });
});

test("an unknown key is not found, and text that may be a mistyped key is not repeated", async () => {
  const { keys } = await withAccount();
  const { key } = await keys.issue({ account: "acme" });
  const slip = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
  for (const id of ["key_00000000000000000000", slip, "", "../keys"]) {
    const { code, message } = await refusalOf(() => keys.get(id));
    expect(code).toBe("not_found");
    expect(message).not.toContain(key.slice(9, 20));
  }
  expect(await keys.check(slip)).toEqual({ valid: false, code: "malformed_key" });
  expect(await keys.check("key_00000000000000000000")).toEqual({ valid: false, code: "unknown_key" });
});

test("a key is never written to disk", async () => {
  const folder = makeFolder();
  const { keys, store } = await withAccount({ driver: "file", path: folder });
  const secrets: string[] = [];
  for (let n = 0; n < 5; n++) {
    const { key, record } = await keys.issue({ account: "acme", name: "ci" });
    secrets.push(key, (await keys.rotate(record.id, { grace: "1h" })).key);
  }
  await store.counters.consume("account:acme", 1);
  await store.close();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, "latin1"));
  expect(texts.join("")).toContain("svc_live_");
  for (const secret of secrets) {
    for (const text of texts) expect(text).not.toContain(secret.slice(0, 20));
    expect(files.join("")).not.toContain(secret.slice(9));
  }
});
