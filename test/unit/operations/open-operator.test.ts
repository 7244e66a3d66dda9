import { defaults } from "../../support/defaults.ts";
import { expect, test, vi } from "vitest";
import { openOperator } from "../../../src/operations/open-operator.ts";
import { createRandom, start } from "../services/setup.ts";
import { openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

/** An operator whose first `failures` attempts to open live events fail. */
async function open({ failures = 0 } = {}) {
  const opened = await openTestStore({ runtime: testRuntime({ now: () => start }) });
  const attempts = { count: 0 };
  const unexpected = (error: unknown) => expect.unreachable(String(error));
  const store = Object.defineProperty({ ...opened.store }, "channel", {
    get() {
      attempts.count += 1;
      if (attempts.count <= failures) throw new Error("EMFILE");
      return undefined;
    },
  });
  const operator = openOperator({
    store,
    config: {
      auth: defaults.auth,
      graphql: defaults.graphql,
      storage: defaults.storage,
      webhooks: { ...defaults.webhooks, enabled: false, allowCidrs: [] },
    },
    sending: "nowhere",
    runtime: testRuntime({ now: () => start, random: createRandom(), report: unexpected }),
    release: () => "1.2.3",
    onLost: unexpected,
  });
  return { operator, attempts };
}

test("creates each part once, on first use", async () => {
  const { operator, attempts } = await open();
  expect(attempts.count).toBe(0);
  for (const part of [operator.live, operator.outbox, operator.admin] as (() => Promise<unknown>)[]) {
    const [one, other] = await Promise.all([part(), part()]);
    expect(one).toBe(other);
  }
  expect(attempts.count).toBe(1);
  await operator.close();
});

test("opens live events, and what depends on them, again after an attempt that failed", async () => {
  const { operator, attempts } = await open({ failures: 2 });
  await expect(operator.live()).rejects.toThrow("EMFILE");
  await expect(operator.admin()).rejects.toThrow("EMFILE");
  const admin = await operator.admin();
  expect(await operator.admin()).toBe(admin);
  expect(attempts.count).toBe(3);
  await operator.close();
});

test("ends live events when it is closed", async () => {
  const { operator } = await open();
  const live = await operator.live();
  live.listen("event", undefined, () => {});
  expect(live.hasSubscribers("event")).toBe(true);
  await operator.close();
  expect(live.hasSubscribers("event")).toBe(false);
});

test("closes without opening live events that were never used or that cannot be opened", async () => {
  const { operator, attempts } = await open({ failures: Infinity });
  await operator.close();
  expect(attempts.count).toBe(0);
  await expect(operator.live()).rejects.toThrow("EMFILE");
  await operator.close();
  expect(attempts.count).toBe(1);
});

test.each(["id", "key"] as const)("reads the record of a key once to revoke it by its %s", async (by) => {
  const { operator } = await open();
  const admin = await operator.admin();
  await admin.call("accounts.create", { name: "ci", plan: "pro" });
  const issued = (await admin.call("keys.issue", { account: "ci" })) as { id: string; key: string };
  const read = vi.spyOn(operator.store.keys, "get");
  const scan = vi.spyOn(operator.store.keys, "all");
  const revoked = await admin.call("keys.revoke", { id: issued[by], reason: "leaked" });
  expect(revoked).toMatchObject({ id: issued.id, state: "revoked" });
  expect(read.mock.calls).toEqual([[issued.id.slice("key_".length)]]);
  expect(scan).not.toHaveBeenCalled();
  const { items } = (await admin.call("audit.list", {})) as { items: object[] };
  expect(items.at(-1)).toMatchObject({ act: "keys.revoke", target: issued.id, result: "done" });
});
