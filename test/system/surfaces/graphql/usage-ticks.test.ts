import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import type { UsageView } from "../../../../src/operations/usage/view.ts";
import { createUsageTicks } from "../../../../src/surfaces/graphql/usage-ticks.ts";
import { testRuntime } from "../../../support/runtime.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const view = (account: string, changes: Partial<UsageView> = {}): UsageView => ({
  account,
  plan: "pro",
  used: 0,
  limit: 1000,
  remaining: 1000,
  resetAt: null,
  ...changes,
});

function open() {
  const state = {
    windows: new Map([
      ["a", view("a")],
      ["b", view("b")],
    ]),
    looks: 0,
    takesMs: 0,
    error: undefined as unknown,
  };
  const ticks = createUsageTicks({
    async look(account) {
      state.looks += 1;
      if (state.takesMs > 0) await new Promise((resolve) => setTimeout(resolve, state.takesMs));
      if (state.error !== undefined) throw state.error;
      return {
        items: [...state.windows.values()].filter((one) => account === undefined || one.account === account),
      };
    },
    runtime: testRuntime({ monotonic: () => Date.now() }),
  });
  const watch = (account?: string) => {
    const heard: UsageView[] = [];
    const errors: unknown[] = [];
    const end = ticks.watch(account, { push: (one) => heard.push(one), fail: (error) => errors.push(error) });
    return { heard, errors, end };
  };
  return { state, watch, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test("sends the current usage, then changes, at most twice a second", async () => {
  const { state, watch, pass } = open();
  const { heard } = watch("a");
  await pass(0);
  expect(heard).toEqual([view("a")]);
  await pass(5000);
  expect(heard).toHaveLength(1);
  for (let used = 1; used <= 30; used++) {
    state.windows.set("a", view("a", { used }));
    await pass(100);
  }
  expect(heard.length).toBeGreaterThanOrEqual(7);
  expect(heard.length).toBeLessThanOrEqual(8);
  await pass(1000);
  expect(heard.at(-1)).toMatchObject({ used: 30 });
});

test("polls twice a second for all subscribers of an account, until the last one leaves", async () => {
  const { state, watch, pass } = open();
  const watchers = Array.from({ length: 100 }, () => watch("a"));
  await pass(0);
  state.looks = 0;
  await pass(10_000);
  expect(state.looks).toBe(20);
  state.windows.set("a", view("a", { used: 7 }));
  await pass(1000);
  for (const { heard } of watchers) expect(heard.map(({ used }) => used)).toEqual([0, 7]);
  for (const { end } of watchers) end();
  await pass(1000);
  state.looks = 0;
  await pass(10_000);
  expect(state.looks).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  const again = watch("a");
  await pass(2000);
  expect(again.heard).toEqual([view("a", { used: 7 })]);
});

test("the operator receives each changed account", async () => {
  const { state, watch, pass } = open();
  const { heard } = watch();
  await pass(0);
  expect(heard.map(({ account }) => account)).toEqual(["a", "b"]);
  state.windows.set("b", view("b", { used: 1 }));
  await pass(1000);
  expect(heard.slice(2)).toEqual([view("b", { used: 1 })]);
});

test("a window whose end differs by a millisecond is the same; a new one is not", async () => {
  const { state, watch, pass } = open();
  const at = Date.parse("2026-11-21T12:00:00.000Z");
  const say = (ms: number) =>
    state.windows.set("a", view("a", { used: 1, resetAt: new Date(at + ms).toISOString() }));
  say(0);
  const { heard } = watch("a");
  for (const ms of [1, 2, 3_600_000]) {
    await pass(1000);
    say(ms);
  }
  await pass(1000);
  expect(heard).toHaveLength(2);
});

test("a store that does not answer for a while loses nothing; a deleted account ends it", async () => {
  const { state, watch, pass } = open();
  const { heard, errors, end } = watch("a");
  await pass(0);
  state.error = new ToolError("storage_unavailable", "Redis does not answer.");
  state.windows.set("a", view("a", { used: 1 }));
  await pass(3000);
  expect([heard.length, errors.length]).toEqual([1, 0]);
  state.error = undefined;
  await pass(1000);
  expect(heard).toHaveLength(2);
  state.error = new ToolError("not_found", "There is no account a.");
  await pass(500);
  expect(errors).toMatchObject([{ code: "not_found" }]);
  end();
});

test("a store with slow reads is not read continuously", async () => {
  const { state, watch, pass } = open();
  state.takesMs = 500;
  watch();
  await pass(60_000);
  expect(state.looks).toBeLessThan(15);
});
