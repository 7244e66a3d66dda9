import { describe, expect, test } from "vitest";
import { belongingTo } from "../../../src/services/access/incarnation.ts";
import { createServices, day, refusalOf, start } from "../services/setup.ts";

async function withAdmin() {
  const services = await createServices();
  const call = (operation: string, args?: unknown) =>
    services.admin.perform(operation, args) as Promise<Record<string, unknown>>;
  await call("accounts.create", { name: "acme", plan: "team", limit: 20_000 });
  return { ...services, call };
}

describe("operations", () => {
  test("accounts: from creation to deletion", async () => {
    const { call } = await withAdmin();
    const shown = {
      name: "acme",
      plan: "team",
      limit: 20_000,
      disabled: false,
      createdAt: new Date(start).toISOString(),
    };
    expect(await call("accounts.show", { name: "acme" })).toEqual(shown);
    expect(await call("accounts.disable", { name: "acme" })).toEqual({ ...shown, disabled: true });
    expect(await call("accounts.enable", { name: "acme" })).toEqual(shown);
    expect(await call("accounts.set", { name: "acme", plan: "pro" })).toEqual({
      ...shown,
      plan: "pro",
      limit: 1_000,
    });
    expect(await call("accounts.list")).toEqual({ items: [{ ...shown, plan: "pro", limit: 1_000 }] });
    await call("accounts.delete", { name: "acme" });
    expect(await call("accounts.list")).toEqual({ items: [] });
  });

  test("keys: the key is in one answer only, and its hash in none", async () => {
    const { call, keys } = await withAdmin();
    const issued = await call("keys.issue", { account: "acme", name: "ci", expires: "90d" });
    expect(Object.keys(issued)).toEqual(["id", "key", "account", "expiresAt"]);
    expect(issued.expiresAt).toBe(new Date(start + 90 * day).toISOString());
    const { hash } = await keys.get(String(issued.id));
    const answers = [
      await call("keys.list"),
      await call("keys.list", { account: "acme" }),
      await call("keys.show", { id: issued.id }),
      await call("keys.check", { key: issued.key }),
      await call("keys.revoke", { id: issued.id, reason: "leaked" }),
      await call("usage"),
    ];
    const texts = JSON.stringify(answers);
    expect(texts).toContain(String(issued.id));
    expect(texts).not.toContain(String(issued.key));
    expect(texts).not.toContain(hash.slice(20));
    expect(answers[0]).toMatchObject({ items: [{ state: "live", name: "ci", account: "acme" }] });
    expect(answers[3]).toMatchObject({ valid: true, key: { id: issued.id } });
    expect(answers[4]).toMatchObject({ state: "revoked", revokeReason: "leaked" });
    expect(await call("keys.check", { key: issued.key })).toMatchObject({
      valid: false,
      code: "revoked_key",
    });
  });

  test("keys: one without an expiry, rotated, and all of them revoked", async () => {
    const { call } = await withAdmin();
    const issued = await call("keys.issue", { account: "acme" });
    expect(issued.expiresAt).toBeNull();
    const rotated = await call("keys.rotate", { id: issued.id, grace: "24h" });
    expect(rotated.key).toMatch(/^svc_live_/);
    expect(await call("keys.revokeAll", { account: "acme" })).toMatchObject({
      items: [{ state: "revoked" }, { state: "revoked" }],
    });
    expect(await refusalOf(() => call("keys.revokeAll", { account: "nobody" }))).toMatchObject({
      code: "not_found",
    });
    expect(await refusalOf(() => call("keys.list", { account: "nobody" }))).toMatchObject({
      code: "not_found",
    });
  });

  test("usage: this window, and a reset", async () => {
    const { call, limits, accounts } = await withAdmin();
    const caller = belongingTo(await accounts.get("acme"));
    const unused = {
      account: "acme",
      plan: "team",
      used: 0,
      limit: 20_000,
      remaining: 20_000,
      resetAt: null,
    };
    expect(await call("usage")).toEqual({ items: [unused] });
    await limits.consume({ kind: "key", ...caller }, 5);
    const used = {
      ...unused,
      used: 5,
      remaining: 19_995,
      resetAt: new Date(start + 3_600_000).toISOString(),
    };
    expect(await call("usage", { account: "acme" })).toEqual({ items: [used] });
    expect(await call("limits.reset", { account: "acme" })).toEqual(unused);
  });
});

test.each<[string, unknown, string]>([
  ["no.such", {}, "invalid_input"],
  ["__proto__", {}, "invalid_input"],
  ["toString", {}, "invalid_input"],
  ["accounts.create", { name: "x", plan: "gold" }, "invalid_input"],
  ["accounts.create", { name: 7, plan: "pro" }, "invalid_input"],
  ["accounts.create", { name: "x", plan: "team", limit: "many" }, "invalid_input"],
  ["accounts.create", { name: "x", plan: "pro", extra: 1 }, "invalid_input"],
  ["accounts.show", null, "invalid_input"],
  ["accounts.show", [], "invalid_input"],
  ["keys.issue", { account: "x".repeat(5_000) }, "invalid_input"],
  ["keys.issue", { account: "acme", name: "x".repeat(5_000) }, "invalid_input"],
  ["keys.issue", { account: "acme", expires: "yesterday" }, "invalid_input"],
  ["keys.show", { id: "key_00000000000000000000" }, "not_found"],
  ["limits.reset", { account: "nobody" }, "not_found"],
  ["usage", { account: "nobody" }, "not_found"],
])("%s %j is refused with %s", async (operation, args, code) => {
  const { call, store } = await withAdmin();
  expect((await refusalOf(() => call(operation, args))).code).toBe(code);
  expect(await store.accounts.ids()).toEqual(["acme"]);
  expect(await store.keys.ids()).toEqual([]);
});

test("operations run one after another: no key can be issued for an account that is being downgraded", async () => {
  const { call, keys, accounts } = await withAdmin();
  const results = await Promise.allSettled([
    call("keys.issue", { account: "acme" }),
    call("accounts.set", { name: "acme", plan: "free", revokeKeys: true }),
    call("keys.issue", { account: "acme" }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect((await accounts.get("acme")).plan).toBe("free");
  expect(await keys.live("acme")).toEqual([]);
});
