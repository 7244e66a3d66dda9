import { describe, expect, test } from "vitest";
import { limitOf } from "../../../../src/services/access/plans.ts";
import { createServices, refusalOf } from "../setup.ts";

describe("create", () => {
  test.each(["", "Acme", "-acme", "a_b", "a.b", "../x", "a/b", "é", "x".repeat(64), "a\n"])(
    "refuses the name %j",
    async (name) => {
      const { accounts, store } = await createServices();
      expect(await refusalOf(() => accounts.create({ name, plan: "pro" }))).toMatchObject({
        code: "invalid_input",
        pointer: "/name",
      });
      expect(await store.accounts.ids()).toEqual([]);
    },
  );

  test.each([
    ["pro", 1_000, undefined],
    ["free", 100, undefined],
    ["team", 10_000, undefined],
    ["team", 10_000, 10_000],
    ["team", 25_000, 25_000],
  ] as const)("a %s account has %i requests an hour (limit %s)", async (plan, hourly, limit) => {
    const { accounts } = await createServices();
    const account = await accounts.create({ name: "acme", plan, ...(limit !== undefined && { limit }) });
    expect(limitOf(await accounts.get("acme"))).toBe(hourly);
    expect(account).toMatchObject({
      v: 1,
      name: "acme",
      plan,
      disabled: false,
      createdAt: "2026-11-21T12:00:00.000Z",
    });
  });

  test.each([
    ["team", 9_999],
    ["team", 10_000.5],
    ["team", Number.NaN],
    ["pro", 20_000],
    ["free", 100],
  ] as const)("refuses a %s account with the limit %d", async (plan, limit) => {
    const { accounts } = await createServices();
    const refusal = await refusalOf(() => accounts.create({ name: "acme", plan, limit }));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/limit" });
    expect(refusal.message).toMatch(plan === "team" ? /at least 10000/ : /for team accounts/);
  });

  test("refuses a name that is taken, and leaves that account alone", async () => {
    const { accounts } = await createServices();
    await accounts.create({ name: "acme", plan: "pro" });
    expect(await refusalOf(() => accounts.create({ name: "acme", plan: "team" }))).toMatchObject({
      code: "invalid_input",
    });
    expect((await accounts.get("acme")).plan).toBe("pro");
  });
});

test("an unknown account is not found, with the nearest name; an invalid name is not repeated", async () => {
  const { accounts } = await createServices();
  await accounts.create({ name: "acme", plan: "pro" });
  for (const work of [
    () => accounts.get("acne"),
    () => accounts.set("acne", { plan: "team" }),
    () => accounts.disable("acne"),
    () => accounts.enable("acne"),
    () => accounts.remove("acne"),
  ]) {
    expect(await refusalOf(work)).toEqual({
      code: "not_found",
      message: "There is no account acne. Did you mean acme?",
    });
  }
  expect((await refusalOf(() => accounts.get("svc_live_SECRET"))).message).not.toContain("SECRET");
});

describe("set", () => {
  test("changes plan and limit; another plan drops the custom limit", async () => {
    const { accounts } = await createServices();
    await accounts.create({ name: "acme", plan: "pro" });
    expect(await accounts.set("acme", { plan: "team", limit: 50_000 })).toMatchObject({
      plan: "team",
      limit: 50_000,
    });
    expect(await accounts.set("acme", { limit: 60_000 })).toMatchObject({ plan: "team", limit: 60_000 });
    expect(await accounts.set("acme", { plan: "team" })).toMatchObject({ limit: 60_000 });
    expect(await accounts.set("acme", { plan: "pro" })).not.toHaveProperty("limit");
    expect(await accounts.set("acme", { plan: "team" })).not.toHaveProperty("limit");
  });

  test("refuses a limit that does not fit, and changes nothing", async () => {
    const { accounts } = await createServices();
    await accounts.create({ name: "acme", plan: "pro" });
    expect(await refusalOf(() => accounts.set("acme", { limit: 20_000 }))).toMatchObject({
      pointer: "/limit",
    });
    expect(await refusalOf(() => accounts.set("acme", { plan: "team", limit: 1 }))).toMatchObject({
      pointer: "/limit",
    });
    expect(await refusalOf(() => accounts.set("acme", {}))).toMatchObject({ code: "invalid_input" });
  });

  test("to free with live keys is refused unless they may be revoked", async () => {
    const { accounts, keys } = await createServices();
    await accounts.create({ name: "acme", plan: "pro" });
    const { record } = await keys.issue({ account: "acme" });
    const refusal = await refusalOf(() => accounts.set("acme", { plan: "free" }));
    expect(refusal.message).toBe(
      "The account acme has 1 live key, and the free plan has no keys. Add --revoke-keys (revokeKeys: true) to revoke them.",
    );
    expect((await accounts.get("acme")).plan).toBe("pro");
    expect((await keys.check(record.id)).valid).toBe(true);
    await accounts.set("acme", { plan: "free", revokeKeys: true });
    expect(await keys.get(record.id)).toMatchObject({ revokeReason: "account downgraded to free" });
    expect((await accounts.get("acme")).plan).toBe("free");
  });
});

test("remove with live keys is refused unless they may be revoked; ended keys do not prevent it", async () => {
  const { accounts, keys } = await createServices();
  await accounts.create({ name: "acme", plan: "pro" });
  const first = await keys.issue({ account: "acme" });
  await keys.revoke(first.record.id);
  const second = await keys.issue({ account: "acme" });
  expect(await refusalOf(() => accounts.remove("acme"))).toMatchObject({
    code: "invalid_input",
    pointer: "/revokeKeys",
  });
  await accounts.remove("acme", { revokeKeys: true });
  expect(await refusalOf(() => accounts.get("acme"))).toMatchObject({ code: "not_found" });
  expect(await keys.check(second.key)).toMatchObject({ valid: false, code: "revoked_key" });
  await accounts.create({ name: "acme", plan: "pro" });
  expect(await keys.check(second.key)).toMatchObject({ valid: false, code: "revoked_key" });
});

test("disable and enable keep everything else", async () => {
  const { accounts } = await createServices();
  const before = await accounts.create({ name: "acme", plan: "team", limit: 30_000 });
  expect(await accounts.disable("acme")).toEqual({ ...before, disabled: true });
  expect(await accounts.enable("acme")).toEqual(before);
  expect(await accounts.list()).toEqual({ records: [before], damaged: [] });
});
