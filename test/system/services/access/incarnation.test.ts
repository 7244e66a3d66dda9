import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { letIn } from "../../../../src/services/access/refusals.ts";
import { quotaBucket } from "../../../../src/services/access/buckets.ts";
import { createKey, hashKey, recordIdOf } from "../../../../src/services/access/key-format.ts";
import { sessionPrefix } from "../../../../src/services/access/sessions/session-format.ts";
import { belongingTo } from "../../../../src/services/access/incarnation.ts";
import { createLoginCode, hashLoginCode } from "../../../../src/services/access/sessions/login-codes.ts";
import { toInstant } from "../../../../src/catalog/duration.ts";
import type { Principal } from "../../../../src/catalog/principal.ts";
import { removeOrphans } from "../../../../src/services/webhooks/sweep.ts";
import { openProcesses, type Process } from "../processes.ts";
import { refusalOf } from "../../../unit/services/setup.ts";
import { drivers } from "../../storage/drivers.ts";
import { account, endpoint, inbox, key, login, session } from "../../../support/records.ts";

const random = (size: number): Uint8Array => randomBytes(size);

const authenticate = async ({ auth }: Process, token: string): Promise<Principal> =>
  auth.authenticate({
    authorization: `Bearer ${token}`,
    authorizationCount: 1,
    xApiKey: false,
    ip: letIn,
  });

/** Asks again while Redis does not answer in time, as on a busy machine. */
async function codeWith(process: Process, token: string): Promise<string> {
  for (;;) {
    const code = await authenticate(process, token).then(
      () => "ok",
      (error: { code: string }) => error.code,
    );
    if (code !== "storage_unavailable") return code;
  }
}

/** Writes an account and everything that can belong to it, as releases without incarnations do. */
async function writeOld({ store }: Process) {
  const createdAt = toInstant(Date.now() - 60_000);
  const expiresAt = toInstant(Date.now() + 600_000);
  const token = createKey(random, sessionPrefix);
  const secret = createKey(random);
  const code = createLoginCode(random);
  const [keyHash, sessionHash, loginHash] = [hashKey(secret), hashKey(token), hashLoginCode(code) ?? ""];
  const ids = {
    key: recordIdOf(keyHash),
    session: recordIdOf(sessionHash),
    login: recordIdOf(loginHash),
    endpoint: "e".repeat(24),
    inbox: "b".repeat(32),
  };
  async function write(): Promise<void> {
    await store.keys.set(ids.key, key(ids.key, { hash: keyHash, createdAt }));
    await store.endpoints.set(ids.endpoint, endpoint(ids.endpoint, { url: "http://127.0.0.1:9/" }));
    await store.inboxes.set(ids.inbox, inbox(ids.inbox));
    const dates = { createdAt, expiresAt };
    await store.sessions.set(ids.session, session(ids.session, { hash: sessionHash, ...dates }));
    await store.logins.set(ids.login, login(ids.login, { hash: loginHash, ...dates }));
  }
  await store.accounts.set("acme", account("acme", { createdAt }));
  await write();
  return { ids, secret, token, code, write };
}

describe.each(drivers)("over the %s driver, records of releases without incarnations", (driver) => {
  test("keep working, together with what belongs to their account from now on", async () => {
    const [one, other] = await openProcesses(driver);
    const { ids, secret, token, code } = await writeOld(one);
    expect(await authenticate(other, secret)).toMatchObject({ kind: "key", account: "acme", plan: "pro" });
    expect(await authenticate(other, token)).toMatchObject({ kind: "session", account: "acme" });
    expect(quotaBucket(await authenticate(other, secret))).toBe("account:acme");
    expect(await one.inboxes.look(`in_${ids.inbox}`)).toMatchObject({ account: "acme" });
    const begun = await other.call<{ token: string }>("sessions.begin", { code });
    expect(await codeWith(one, begun.token)).toBe("ok");
    const rotated = await one.call("keys.rotate", { id: `key_${ids.key}`, grace: "1h" });
    const issued = await other.call("keys.issue", { account: "acme" });
    for (const each of [secret, rotated.key, issued.key]) expect(await codeWith(other, each)).toBe("ok");
    await one.call("accounts.set", { name: "acme", plan: "team" });
    const listed = await one.call<{ items: object[] }>("keys.list", { account: "acme" });
    expect(listed.items).toHaveLength(3);
    // Nothing rewrites them, so that older releases read them as before.
    const records = [await one.store.accounts.get("acme"), await one.store.keys.get(ids.key)];
    for (const record of records) expect(record).not.toHaveProperty("incarnation");
    const { items } = await one.call<{ items: object[] }>("keys.revokeAll", { account: "acme" });
    expect(items).toHaveLength(3);
    for (const each of [secret, rotated.key, issued.key])
      await expect.poll(() => codeWith(other, each)).toBe("revoked_key");
  });

  test("do not work for the next account of that name, however they got there", async () => {
    const [one, other] = await openProcesses(driver);
    const { ids, secret, token, code, write } = await writeOld(one);
    await one.call("accounts.delete", { name: "acme", revokeKeys: true });
    await one.call("accounts.create", { name: "acme", plan: "pro" });
    // By a node of an older release that was slow.
    await one.store.keys.remove(ids.key);
    await write();
    const fresh = await one.call("keys.issue", { account: "acme" });
    const now = await one.store.accounts.get("acme");
    expect(now?.incarnation).toMatch(/^[0-9a-f]{16}$/);
    for (const each of [one, other]) {
      await expect.poll(() => codeWith(each, fresh.key)).toBe("ok");
      // On Redis the mark of the revoked key is still there.
      expect(["unknown_key", "revoked_key"]).toContain(await codeWith(each, secret));
      expect(await codeWith(each, token)).toBe("unknown_key");
      expect(await each.inboxes.look(`in_${ids.inbox}`)).toBeUndefined();
      expect(await each.call("keys.check", { key: secret })).toMatchObject({ valid: false });
    }
    expect((await refusalOf(() => one.call("sessions.begin", { code }))).code).toBe("unknown_key");
    const { deliveries } = await one.publisher.publish("account.updated", "acme", {
      change: "changed",
      account: { name: "acme", plan: "pro", limit: 1000, disabled: false },
    });
    expect(deliveries).toEqual([]);
    const owner = now && belongingTo(now);
    const caller = { actor: "session:ses_1", from: "", ...(owner && { owner }) };
    const keys = await one.call<{ items: { id: string }[] }>("keys.list", { account: "acme" }, caller);
    expect(keys.items.map(({ id }) => id)).toEqual([fresh.id]);
    const hooks = await one.call<{ items: object[] }>("webhooks.list", { account: "acme" }, caller);
    expect(hooks.items).toEqual([]);
    expect(await one.inboxes.list("acme", owner)).toEqual([]);
    for (const [operation, id] of [
      ["keys.show", `key_${ids.key}`],
      ["webhooks.show", `we_${ids.endpoint}`],
      ["sessions.show", `ses_${ids.session}`],
    ] as const)
      expect((await refusalOf(() => one.call(operation, { id }, caller))).code).toBe("not_found");
    expect((await refusalOf(() => one.inboxes.get("acme", `in_${ids.inbox}`, owner))).code).toBe("not_found");
    await removeOrphans({
      store: one.store,
      endpoints: { remove: (id: string) => one.call("webhooks.remove", { id }) } as never,
    });
    expect(await one.store.endpoints.get(ids.endpoint)).toBeUndefined();
  });
});

describe.each(drivers)("over the %s driver, an account that has the name of another one", (driver) => {
  /** Deletes the account and creates another one of its name; returns the owners before and after. */
  async function renew({ call, store }: Process) {
    const read = async () => {
      const found = await store.accounts.get("acme");
      return found === undefined ? expect.unreachable() : belongingTo(found);
    };
    await call("accounts.create", { name: "acme", plan: "pro" });
    const former = await read();
    const { key: formerKey } = await call("keys.issue", { account: "acme" });
    const change = async () => {
      await call("accounts.delete", { name: "acme", revokeKeys: true });
      await call("accounts.create", { name: "acme", plan: "pro" });
      return read();
    };
    return { former, formerKey, change };
  }

  test("has a quota of its own", async () => {
    const [one] = await openProcesses(driver);
    const { former, change } = await renew(one);
    const now = await change();
    const { counters } = one.store;
    await counters.consume(quotaBucket({ kind: "key", ...former }), 1000);
    expect(await counters.peek(quotaBucket({ kind: "key", ...now }))).toBeUndefined();
    expect(await one.call<{ items: object[] }>("usage", { account: "acme" })).toMatchObject({
      items: [{ used: 0 }],
    });
  });

  test("is changed by no session of the former owner that is still under way", async () => {
    const [one, other] = await openProcesses(driver);
    const { former, change } = await renew(one);
    await change();
    const { key: fresh } = await one.call("keys.issue", { account: "acme" });
    const caller = { actor: "session:ses_1", from: "", owner: former };
    const acts: (() => Promise<unknown>)[] = [
      () => other.call("keys.issue", { account: "acme" }, caller),
      () => other.call("keys.revokeAll", { account: "acme" }, caller),
      () => other.call("webhooks.add", { account: "acme", url: "http://127.0.0.1:9/" }, caller),
      () => other.inboxes.create("acme", {}, former),
    ];
    for (const act of acts)
      expect(await refusalOf(act)).toMatchObject({
        code: "unknown_key",
        message: "The account of this credential no longer exists.",
      });
    expect(await codeWith(one, fresh)).toBe("ok");
  });

  test("is accepted at once by a node that has the former one cached", async () => {
    const [one, other] = await openProcesses(driver);
    const { formerKey, change } = await renew(one);
    expect(await codeWith(other, formerKey)).toBe("ok");
    await change();
    const { key: fresh } = await one.call("keys.issue", { account: "acme" });
    expect(await codeWith(other, fresh)).toBe("ok");
  });
});
