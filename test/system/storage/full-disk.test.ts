import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { createAdmin } from "../../../src/operations/admin.ts";
import { createKeys } from "../../../src/services/access/keys.ts";
import { createDisks, damageIn, fill, free, mountRefusal } from "../e2e/disk.ts";
import { amount } from "../../support/cases.ts";
import { createServices } from "../../unit/services/setup.ts";
import { testRuntime } from "../../support/runtime.ts";

const disks = createDisks();
afterEach(() => disks.close());

const refusal = mountRefusal();
if (refusal !== undefined)
  process.stderr.write(
    `the tests of a full disk are skipped: no file system can be mounted here (${refusal})\n`,
  );

interface Issued {
  id: string;
  key: string;
}

test.runIf(refusal === undefined)(
  "whatever space is left on a disk, an operation either happens as reported or not at all",
  async () => {
    const disk = disks.small(1024 * 1024);
    const services = await createServices({ driver: "file", path: disk.data });
    const { store } = services;
    const keys = createKeys({
      store,
      runtime: testRuntime({ now: () => services.clock.now, random: randomBytes }),
      maxKeyDays: 0,
    });
    const admin = createAdmin({ ...services, keys, runtime: testRuntime({ now: () => services.clock.now }) });
    const call = (operation: string, args: object) => admin.perform(operation, args) as Promise<Issued>;
    const codeOf = async (key: string): Promise<string> => (await keys.check(key)).code ?? "ok";
    const liveKeys = async (): Promise<string[]> => (await keys.live("ci")).map(({ id }) => id).toSorted();
    const outcomes = new Map<string, number>();

    /** The key that was shown, and whether the operation is done; for some operations this cannot be reported. */
    async function attempt(operation: string, args: object): Promise<{ key?: string; done: boolean }> {
      let outcome = "done";
      let key: string | undefined;
      try {
        ({ key } = await call(operation, args));
      } catch (error) {
        const { reason } = (error as { cause: { reason: string } }).cause;
        expect(reason).toContain("no space left");
        outcome = reason.includes("was carried out") ? "done, unconfirmed" : "refused";
        if (outcome === "done, unconfirmed" && operation !== "keys.revoke")
          expect(reason).toMatch(/The new key key_\w{20} was not shown to anybody/);
      }
      outcomes.set(`${operation} ${outcome}`, (outcomes.get(`${operation} ${outcome}`) ?? 0) + 1);
      return { ...(key !== undefined && { key }), done: outcome !== "refused" };
    }

    await call("accounts.create", { name: "ci", plan: "team" });
    // Less than the reserve, and more.
    const rounds = amount(60);
    for (let round = 0; round < rounds; round++) {
      const old = await call("keys.issue", { account: "ci" });
      const leaked = await call("keys.issue", { account: "ci" });
      const before = (await liveKeys()).length;
      for (const [operation, args, about] of [
        ["keys.issue", { account: "ci" }, undefined],
        ["keys.rotate", { id: old.id }, old],
        ["keys.revoke", { id: leaked.id }, leaked],
      ] as const) {
        const count = (await liveKeys()).length;
        fill(disk, round % 24);
        const { key, done } = await attempt(operation, args);
        const change = { "keys.issue": 1, "keys.rotate": 0, "keys.revoke": -1 }[operation];
        expect(await liveKeys()).toHaveLength(count + (done ? change : 0));
        if (key !== undefined) expect(await codeOf(key)).toBe("ok");
        if (about !== undefined) expect(await codeOf(about.key)).toBe(done ? "revoked_key" : "ok");
        free(disk);
        expect(damageIn(disk)).toEqual([]);
      }
      expect(before).toBe(2);
      // Their records stay for some rounds, so that the database grows.
      for (const { id } of await keys.live("ci")) await keys.revoke(id);
      if (round % 8 === 7) for (const id of await store.keys.ids()) await store.keys.remove(id);
    }
    // The reserved space is enough, however often.
    expect([outcomes.get("keys.revoke done"), outcomes.get("keys.revoke refused")]).toEqual([
      rounds,
      undefined,
    ]);
    for (const operation of ["keys.issue", "keys.rotate"])
      for (const outcome of ["done", "refused"])
        expect(outcomes.get(`${operation} ${outcome}`), `${operation} ${outcome}`).toBeGreaterThan(0);
    expect(await (await store.audit()).verify()).toMatchObject({ faultCount: 0, notices: [] });
  },
);
