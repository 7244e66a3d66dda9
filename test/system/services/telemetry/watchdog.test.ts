import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWatchdog } from "../../../../src/services/telemetry/watchdog.ts";
import { testRuntime } from "../../../support/runtime.ts";

// The test sets the clock, and thereby how long each step took.
let time = 0;
let cpu = 0;
const events: unknown[][] = [];
const stalls: [string, number][] = [];
const watchdog = createWatchdog({
  log: { event: (...event) => void events.push(event) },
  metrics: { stall: (...stall) => void stalls.push(stall) },
  runtime: testRuntime({ monotonic: () => time }),
  cpu: () => cpu,
});

/** Works for this many milliseconds, with no timer in between. */
function work(ms: number): void {
  time += ms;
  cpu += ms;
}

/** Lets the event loop turn, so that its timers read the clock. */
const turn = (): Promise<unknown> => vi.advanceTimersByTimeAsync(100);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setImmediate"] });
  time += 100_000;
  events.length = 0;
  stalls.length = 0;
  watchdog.start();
});

afterEach(() => {
  watchdog.close();
  vi.useRealTimers();
});

const key = { kind: "key", account: "acme", keyId: "key_1", ip: "192.0.2.1" } as const;

test("the call that held the loop longest is named, with its caller", async () => {
  watchdog.enter({ requestId: "a", route: "/api/tools", ip: "192.0.2.2" });
  work(50);
  watchdog.enter({ requestId: "b", principal: key }, "json-query");
  work(400);
  watchdog.enter({ requestId: "c", route: "/healthz", ip: "192.0.2.3" });
  work(1);
  await turn();
  expect(stalls).toEqual([["json-query", 0.351]]);
  expect(events).toEqual([
    [
      "warn",
      "event loop stalled",
      expect.objectContaining({
        during: "json-query",
        stoodMs: 351,
        requestId: "b",
        account: "acme",
        keyId: "key_1",
        ip: "192.0.2.1",
      }),
    ],
  ]);
});

test("a call without a tool is named by its route", async () => {
  watchdog.enter({ requestId: "a", route: "/openapi.json", ip: "192.0.2.2" });
  work(300);
  await turn();
  expect(stalls).toEqual([["/openapi.json", 0.2]]);
  expect(events[0]?.[2]).toMatchObject({ requestId: "a", ip: "192.0.2.2" });
});

test("a stall below 200 ms is not reported, and neither is a suspended machine", async () => {
  watchdog.enter({ requestId: "a" }, "json-query");
  work(290);
  await turn();
  // No call, and no CPU time.
  time += 60_000;
  await turn();
  expect([events, stalls]).toEqual([[], []]);
});

test("many short calls in one turn, and work without a call, are reported without a name", async () => {
  for (let call = 0; call < 20; call++) {
    watchdog.enter({ requestId: `${call}` }, "json-query");
    work(20);
  }
  await turn();
  work(500);
  await turn();
  expect(stalls.map(([during]) => during)).toEqual(["other", "other"]);
});

test("work before the last reading of the clock is not attributed to a call", async () => {
  watchdog.enter({ requestId: "a" }, "json-query");
  work(150);
  time -= 50;
  await turn();
  work(400);
  await turn();
  expect(stalls.map(([during]) => during)).toEqual(["other"]);
});

test("each stall is counted, and logged once in ten seconds for one tool", async () => {
  for (let stall = 0; stall < 5; stall++) {
    watchdog.enter({ requestId: `${stall}` }, "sql-linter");
    work(1000);
    await turn();
  }
  expect(stalls).toHaveLength(5);
  expect(events).toHaveLength(1);
  work(10_000);
  await turn();
  watchdog.enter({ requestId: "later" }, "sql-linter");
  work(1000);
  await turn();
  expect(events.at(-1)?.[2]).toMatchObject({ requestId: "later" });
});
