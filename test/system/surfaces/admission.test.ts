import { expect, onTestFinished, test, vi } from "vitest";
import { openHarness } from "./harness.ts";

async function open() {
  const harness = await openHarness();
  onTestFinished(() => harness.close());
  const authorization = `Bearer ${await harness.key("pro", "acme")}`;
  const post = () => harness.post("/api/tools/json-formatter", '{"data":"{}"}', { authorization });
  return { ...harness, post };
}

test("a used-up quota is refused, counted in metrics and usage, and published once a window", async () => {
  const { post, deps, store, operator, faults, get } = await open();
  const events: string[] = [];
  (await operator.live()).listen("event", "acme", ({ type }) => events.push(type));
  const incarnation = (await store.accounts.lookup("acme"))?.incarnation ?? "";
  const principal = { kind: "key", account: "acme", incarnation, plan: "pro" } as const;
  const admit = async (times: number) => {
    for (let n = 0; n < times; n++) await deps.runner.admit(principal);
  };

  await admit(798);
  expect((await post()).status).toBe(200);
  expect(events).toEqual([]);
  await admit(1);
  await vi.waitFor(() => expect(events).toEqual(["limit.warning"]), { timeout: 60_000 });
  await admit(200);
  for (let n = 0; n < 2; n++) expect((await post()).status).toBe(429);
  await vi.waitFor(() => expect(events).toEqual(["limit.warning", "limit.reached"]), { timeout: 60_000 });

  const admin = await operator.admin();
  const { items } = (await admin.call("usage.history", { account: "acme" })) as { items: unknown[] };
  expect(items).toMatchObject([{ account: "acme", requests: 1, ok: 1, limited: 2 }]);
  expect(await (await get("/metrics")).text()).toMatch(
    /penknife_limit_decisions_total\{plan="pro",decision="refused"\} 2\n/,
  );
  expect(faults).toEqual([]);
});

test("the account of a key is read once per request", async () => {
  const { post, store } = await open();
  const lookup = vi.spyOn(store.accounts, "lookup");
  expect((await post()).status).toBe(200);
  expect(lookup.mock.calls).toEqual([["acme"]]);
});
