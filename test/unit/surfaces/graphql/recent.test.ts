import { describe, expect, test } from "vitest";
import { minute } from "../../services/access/sessions/setup.ts";
import { openAccounts } from "./account-surface.ts";

/** Accounts whose sessions began this many minutes ago and were used since. */
async function openLater(minutes: number) {
  const accounts = await openAccounts();
  accounts.clock.now += minutes * minute;
  const send = async (who: "session" | "operator", query: string) => {
    const { data, errors } = await accounts.ask(who, query);
    return errors.length > 0 ? errors.map(({ code }) => code) : data;
  };
  return { ...accounts, send };
}

const acts = [
  'createAccount(input: { name: "new", plan: PRO }) { name }',
  'disableAccount(name: "other") { name }',
  'resetLimits(account: "acme") { name }',
  'generateKey(input: { account: "acme" }) { secret }',
];

describe("acts of the operator need a sign-in within the last ten minutes", () => {
  test.each(acts)("%s", async (act) => {
    const recent = await openLater(10);
    expect(await recent.send("operator", `mutation { ${act} }`)).not.toEqual(["forbidden"]);
    const late = await openLater(11);
    const { errors } = await late.ask("operator", `mutation { ${act} }`);
    expect(errors).toMatchObject([{ code: "forbidden" }]);
    expect(errors[0]?.message).toContain("Sign in again");
    const trail = await (await late.store.audit()).verify();
    expect(trail.faults).toEqual([]);
  });

  test("but not to look, nor to end a session", async () => {
    const late = await openLater(20);
    expect(
      await late.send("operator", "{ accounts { nodes { name } } keys { id } sessions { id } }"),
    ).not.toEqual(expect.arrayContaining(["forbidden"]));
    expect(await late.send("operator", "mutation { signOut { state } }")).toEqual({
      signOut: { state: "REVOKED" },
    });
  });

  test("and acts of an owner do not", async () => {
    const late = await openLater(20);
    expect(await late.send("session", "mutation { generateKey(input: {}) { key { account } } }")).toEqual({
      generateKey: { key: { account: "acme" } },
    });
  });
});

describe("revokeAllKeys", () => {
  const all = 'mutation { revokeAllKeys(reason: "leaked") { account state revokeReason } }';

  test("revokes the keys of the account, and no others", async () => {
    const { send, call } = await openLater(1);
    await call("keys.issue", { account: "acme" });
    const other = await call<{ id: string }>("keys.issue", { account: "other" });
    const key = { account: "acme", state: "REVOKED", revokeReason: "leaked" };
    expect(await send("session", all)).toEqual({ revokeAllKeys: [key, key] });
    expect(await call("keys.show", { id: other.id })).toMatchObject({ state: "live" });
    expect(await send("session", 'mutation { revokeAllKeys(account: "other") { id } }')).toEqual([
      "forbidden",
    ]);
    expect(await call("keys.show", { id: other.id })).toMatchObject({ state: "live" });
  });

  test("needs a session that began within the last ten minutes", async () => {
    const late = await openLater(11);
    expect(await late.send("session", all)).toEqual(["forbidden"]);
    expect((await late.ask("session", "{ keys(state: LIVE) { id } }")).data?.["keys"]).toHaveLength(1);
    expect((await late.ask("key", all)).errors).toMatchObject([{ code: "forbidden" }]);
    expect((await late.ask("anonymous", all)).errors).toMatchObject([{ code: "missing_key" }]);
  });
});
