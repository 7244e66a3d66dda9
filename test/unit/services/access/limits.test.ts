import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Principal } from "../../../../src/catalog/principal.ts";
import { belongingTo } from "../../../../src/services/access/incarnation.ts";
import { quotaExceeded } from "../../../../src/services/access/limits.ts";
import { createServices, start } from "../setup.ts";
import { makeFolder } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";

const hour = 3_600_000;
const acme: Principal = { kind: "key", account: "acme", plan: "pro", keyId: "key_a" };
const from = (ip: string): Principal => ({ kind: "anonymous", ip });

test("exactly 1,000 of 1,500 concurrent requests are allowed", async () => {
  const { accounts, limits } = await createServices();
  await accounts.create({ name: "acme", plan: "pro" });
  const all = await Promise.all(Array.from({ length: 1_500 }, () => limits.consume(acme)));
  expect(all.filter(({ allowed }) => allowed)).toHaveLength(1_000);
  const refused = all.find(({ allowed }) => !allowed);
  expect(refused?.quota).toEqual({ limit: 1_000, used: 1_000, remaining: 0, resetAt: start + hour });
});

test("keys of one account share its quota, and accounts do not", async () => {
  const { accounts, limits } = await createServices();
  await accounts.create({ name: "acme", plan: "pro" });
  await accounts.create({ name: "other", plan: "pro" });
  await limits.consume(acme);
  expect((await limits.consume({ ...acme, keyId: "key_b" })).quota?.used).toBe(2);
  expect((await limits.consume({ ...acme, account: "other" })).quota?.used).toBe(1);
});

test("an anonymous address has 100; neighbours in a /64 share it, others do not", async () => {
  const { limits } = await createServices();
  for (let n = 1; n <= 100; n++) {
    const ip = n % 2 ? "2001:db8:1:2::1" : "2001:db8:1:2:ffff::2";
    expect(await limits.consume(from(ip))).toMatchObject({
      allowed: true,
      quota: { limit: 100, used: n, remaining: 100 - n },
    });
  }
  expect((await limits.consume(from("2001:db8:1:2::3"))).allowed).toBe(false);
  expect((await limits.consume(from("2001:db8:1:3::1"))).allowed).toBe(true);
  expect((await limits.consume(from("198.51.100.1"))).allowed).toBe(true);
});

test("an account with the name of an address does not share its window", async () => {
  const { accounts, limits } = await createServices();
  await accounts.create({ name: "c6336401", plan: "pro" });
  await limits.consume(from("198.51.100.1"));
  expect((await limits.consume({ ...acme, account: "c6336401" })).quota?.used).toBe(1);
});

test("the operator at the command line is not counted", async () => {
  const { limits } = await createServices();
  expect(await limits.consume({ kind: "local" })).toEqual({ allowed: true });
});

describe("the window", () => {
  test("starts with the first request and ends an hour later", async () => {
    const { accounts, limits, clock } = await createServices();
    await accounts.create({ name: "acme", plan: "pro" });
    expect(await limits.peek(await accounts.get("acme"))).toEqual({
      limit: 1_000,
      used: 0,
      remaining: 1_000,
      resetAt: start,
    });
    await limits.consume(acme, 1_000);
    clock.now += hour - 1;
    expect((await limits.consume(acme)).allowed).toBe(false);
    clock.now += 1;
    expect(await limits.consume(acme)).toMatchObject({
      allowed: true,
      quota: { used: 1, resetAt: clock.now + hour },
    });
  });

  test("can be reset by the operator", async () => {
    const { accounts, limits } = await createServices();
    const account = await accounts.create({ name: "acme", plan: "pro" });
    const caller = { ...acme, ...belongingTo(account) };
    await limits.consume(caller, 1_000);
    await limits.reset(account);
    expect(await limits.consume(caller)).toMatchObject({ allowed: true, quota: { used: 1 } });
  });
});

describe("a limit that changes", () => {
  test("in this process applies to the next call, up and down", async () => {
    const { accounts, limits } = await createServices();
    await accounts.create({ name: "acme", plan: "pro" });
    await limits.consume(acme, 1_000);
    expect((await limits.consume(acme)).allowed).toBe(false);
    await accounts.set("acme", { plan: "team" });
    expect(await limits.consume(acme)).toMatchObject({
      allowed: true,
      quota: { limit: 10_000, used: 1_001 },
    });
    await accounts.set("acme", { plan: "pro" });
    expect(await limits.consume(acme)).toMatchObject({
      allowed: false,
      quota: { limit: 1_000, remaining: 0 },
    });
  });
});

describe("a call that costs more than one", () => {
  test("is refused whole if it does not fit, and then costs nothing", async () => {
    const { accounts, limits } = await createServices();
    await accounts.create({ name: "acme", plan: "pro" });
    await limits.consume(acme, 950);
    expect(await limits.consume(acme, 51)).toMatchObject({
      allowed: false,
      quota: { used: 950, remaining: 50 },
    });
    expect(await limits.consume(acme, 50)).toMatchObject({ allowed: true, quota: { used: 1_000 } });
    expect((await limits.consume(from("198.51.100.1"), 101)).allowed).toBe(false);
    expect((await limits.consume(from("198.51.100.1"), 100)).allowed).toBe(true);
  });
});

test("a flood of refused calls writes nothing", async () => {
  const folder = makeFolder();
  const { limits } = await createServices({
    driver: "file",
    path: folder,
    runtime: testRuntime({ now: Date.now }),
  });
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  for (let n = 0; n < 100; n++) await limits.consume(from("198.51.100.1"));
  await turn();
  const before = readFileSync(join(folder, "counters.log"), "utf8");
  expect(before).toContain("ip:c6336401\t100\t");
  for (let n = 0; n < 1_000; n++) {
    await limits.consume(from("198.51.100.1"));
    if (n % 100 === 0) await turn();
  }
  await turn();
  expect(readFileSync(join(folder, "counters.log"), "utf8")).toBe(before);
});

test("the refusal says when to retry, in whole seconds, at least one", () => {
  const quota = { limit: 100, used: 100, remaining: 0, resetAt: 10_000 };
  expect(quotaExceeded(quota, 8_500)).toMatchObject({
    code: "quota_exceeded",
    details: { limit: 100, retryAfter: 2 },
  });
  expect(quotaExceeded(quota, 9_999).details.retryAfter).toBe(1);
  expect(quotaExceeded(quota, 11_000).details.retryAfter).toBe(1);
});
