import { describe, expect, test } from "vitest";
import { createProcess, openProcesses, outcomesOf, type Process } from "../processes.ts";
import { refusalOf } from "../../../unit/services/setup.ts";
import { drivers } from "../../storage/drivers.ts";

/** Whether a process that has nothing cached accepts a key. */
async function accepts({ store }: Process, key: string): Promise<boolean> {
  const { auth } = createProcess({ ...store, keys: { ...store.keys, lookup: store.keys.get } });
  const credentials = { authorization: `Bearer ${key}`, authorizationCount: 1, xApiKey: false, ip: "" };
  return Promise.resolve(auth.authenticate(credentials)).then(
    () => true,
    () => false,
  );
}

const rounds = 8;

describe.each(drivers)("over the %s driver", (driver) => {
  test("a key that is revoked while it is rotated with a grace stays revoked", async () => {
    const [one, other, command] = await openProcesses(driver);
    await one.call("accounts.create", { name: "acme", plan: "pro" });
    for (let round = 0; round < rounds; round++) {
      const { id, key } = await one.call("keys.issue", { account: "acme" });
      const [, revoked] = await outcomesOf(
        one.call("keys.rotate", { id, grace: "1h" }),
        (round % 2 ? other : command).call("keys.revoke", { id }),
      );
      expect(revoked).toBe("ok");
      expect((await one.store.keys.get(id.slice(4)))?.revokedAt).toBeDefined();
      expect(await accepts(one, key)).toBe(false);
    }
  });

  test("revoking all keys while they are rotated leaves none that works", async () => {
    const processes = await openProcesses(driver);
    const [one, other, command] = processes;
    await one.call("accounts.create", { name: "acme", plan: "team" });
    for (let round = 0; round < rounds; round++) {
      const keys = await Promise.all(
        Array.from({ length: 4 }, () => one.call("keys.issue", { account: "acme" })),
      );
      const rotating = keys.map(({ id }, at) =>
        (at % 2 ? one : other).call("keys.rotate", { id, grace: "1h" }),
      );
      const [revoked] = await outcomesOf(command.call("keys.revokeAll", { account: "acme" }), ...rotating);
      expect(revoked).toBe("ok");
      const { items } = await one.call<{ items: { state: string }[] }>("keys.list", { account: "acme" });
      expect(items.filter(({ state }) => state === "live")).toEqual([]);
    }
  });

  test("of two rotations of one key one succeeds, and one new key exists", async () => {
    const [one, other] = await openProcesses(driver);
    await one.call("accounts.create", { name: "acme", plan: "pro" });
    for (let round = 0; round < rounds; round++) {
      const { id } = await one.call("keys.issue", { account: "acme" });
      const outcomes = await outcomesOf(one.call("keys.rotate", { id }), other.call("keys.rotate", { id }));
      expect(outcomes.toSorted()).toEqual(["invalid_input", "ok"]);
    }
    const { items } = await one.call<{ items: { state: string }[] }>("keys.list", { account: "acme" });
    expect(items.filter(({ state }) => state === "live")).toHaveLength(rounds);
  });

  test("nothing that is made while an account is deleted belongs to the next one of its name", async () => {
    const [one, other, command] = await openProcesses(driver);
    for (let round = 0; round < rounds; round++) {
      await one.call("accounts.create", { name: "acme", plan: "pro" });
      const { incarnation: before = "" } = (await one.store.accounts.get("acme")) ?? {};
      const owner = { account: "acme", incarnation: before };
      const caller = { actor: "session:ses_1", from: "", owner };
      const { code } = await one.call<{ code: string }>("login", { account: "acme" });
      const renew = async (): Promise<void> => {
        await command.call("accounts.delete", { name: "acme", revokeKeys: true });
        await command.call("accounts.create", { name: "acme", plan: "pro" });
      };
      await Promise.allSettled([
        renew(),
        other.call("keys.issue", { account: "acme" }, caller),
        other.inboxes.create("acme", {}, owner),
        one.call("webhooks.add", { account: "acme", url: "http://127.0.0.1:9/" }, caller),
        other.call("sessions.begin", { code }),
      ]);
      const now = await one.store.accounts.get("acme");
      expect(now?.incarnation).not.toBe(before);
      for (const kind of ["keys", "endpoints", "inboxes", "sessions", "logins"] as const) {
        const records: { incarnation?: string }[] = (await one.store[kind].all()).records;
        expect(records.filter(({ incarnation }) => incarnation === now?.incarnation)).toEqual([]);
      }
      await one.call("accounts.delete", { name: "acme", revokeKeys: true });
    }
  });

  test("an endpoint that is paused while its secret is rotated is paused and has a new secret", async () => {
    const [one, other] = await openProcesses(driver);
    await one.call("accounts.create", { name: "acme", plan: "pro" });
    for (let round = 0; round < rounds; round++) {
      const { id } = await one.call("webhooks.add", { account: "acme", url: "http://127.0.0.1:9/" });
      const before = await one.store.endpoints.get(id.slice(3));
      const changes = [one.call("webhooks.pause", { id }), other.call("webhooks.rotate", { id })];
      expect(await outcomesOf(...changes)).toEqual(["ok", "ok"]);
      const after = await one.store.endpoints.get(id.slice(3));
      expect(after).toMatchObject({ state: "paused", previousSecret: before?.secret });
      await one.call("webhooks.remove", { id });
    }
  });

  test("a name is given once, and a change of plan beside a disable is not lost", async () => {
    const [one, other, command] = await openProcesses(driver);
    for (let round = 0; round < rounds; round++) {
      const name = `acme${round}`;
      const outcomes = await outcomesOf(
        one.call("accounts.create", { name, plan: "pro" }),
        other.call("accounts.create", { name, plan: "team" }),
        command.call("accounts.create", { name, plan: "pro" }),
      );
      expect(outcomes.toSorted()).toEqual(["invalid_input", "invalid_input", "ok"]);
      const changes = [
        one.call("accounts.set", { name, plan: "team", limit: 30_000 }),
        other.call("accounts.disable", { name }),
      ];
      expect(await outcomesOf(...changes)).toEqual(["ok", "ok"]);
      expect(await one.store.accounts.get(name)).toMatchObject({ limit: 30_000, disabled: true });
    }
  });

  test("no key is issued in an account while it is downgraded", async () => {
    const [one, other, command] = await openProcesses(driver);
    for (let round = 0; round < rounds; round++) {
      const name = `acme${round}`;
      await one.call("accounts.create", { name, plan: "pro" });
      await outcomesOf(
        command.call("accounts.set", { name, plan: "free", revokeKeys: true }),
        one.call("keys.issue", { account: name }),
        other.call("keys.issue", { account: name }),
      );
      const { items } = await one.call<{ items: { state: string }[] }>("keys.list", { account: name });
      expect(items.filter(({ state }) => state === "live")).toEqual([]);
    }
  });

  test("an account has at most twenty endpoints, however many are added at once", async () => {
    const processes = await openProcesses(driver);
    await processes[0].call("accounts.create", { name: "acme", plan: "pro" });
    const add = (at: number) =>
      (processes[at % 3] as Process).call("webhooks.add", { account: "acme", url: "http://127.0.0.1:9/" });
    const outcomes = await outcomesOf(...Array.from({ length: 24 }, (_, at) => add(at)));
    expect(outcomes.filter((code) => code === "ok")).toHaveLength(20);
    const refusal = await refusalOf(() => add(0));
    expect(refusal.message).toContain("the maximum is 20");
  });
});
