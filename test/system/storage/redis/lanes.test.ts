import { expect, onTestFinished, test, vi } from "vitest";
import type { HourCount } from "../../../../src/storage/redis/hour-limiters.ts";
import { type Batch, createLanes } from "../../../../src/storage/redis/lanes.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** Lanes to a counter whose answers the test controls. */
function openLanes() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const sent: Batch[] = [];
  const open: { resolve: (count: HourCount) => void; reject: (error: Error) => void }[] = [];
  let used = 0;
  const lanes = createLanes({
    waitMs: 75,
    runtime: testRuntime({ monotonic: () => performance.now() }),
    send(batch) {
      sent.push(batch);
      const { promise, resolve, reject } = Promise.withResolvers<HourCount>();
      open.push({ resolve, reject });
      return promise;
    },
  });
  const answer = async (): Promise<void> => {
    const batch = sent[sent.length - open.length] as Batch;
    used += batch.points;
    open.shift()?.resolve({ used, msLeft: 1000, beside: [] });
    await vi.advanceTimersByTimeAsync(0);
  };
  const fail = async (): Promise<void> => {
    open.shift()?.reject(new Error("no answer"));
    await vi.advanceTimersByTimeAsync(0);
  };
  const points = () => sent.map((batch) => batch.points);
  return { lanes, sent, points, answer, fail };
}

test("one request is one script, at once", () => {
  const { lanes, sent } = openLanes();
  void lanes.consume("a", 1, 100);
  expect(sent).toEqual([{ id: "a", points: 1, limit: 100, beside: [], whole: false, waitMs: 75 }]);
});

test("requests that arrive while a script is running go together, and each gets its own result", async () => {
  const { lanes, points, answer } = openLanes();
  const all = Promise.all(Array.from({ length: 1000 }, () => lanes.consume("a", 1, 100)));
  expect(points()).toEqual([1]);
  await answer();
  expect(points()).toEqual([1, 999]);
  await answer();
  expect((await all).map(({ used }) => used)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
});

test("ids do not wait for one another", () => {
  const { lanes, sent } = openLanes();
  void lanes.consume("a", 1, 100);
  void lanes.consume("b", 1, 100);
  expect(sent.map(({ id }) => id)).toEqual(["a", "b"]);
});

test("a slow answer delays no request: after 5 ms the next script is sent", async () => {
  const { lanes, sent, points, answer } = openLanes();
  void lanes.consume("a", 1, 100);
  await vi.advanceTimersByTimeAsync(1);
  void lanes.consume("a", 1, 100);
  void lanes.consume("a", 1, 100);
  await vi.advanceTimersByTimeAsync(4);
  expect(points()).toEqual([1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(points()).toEqual([1, 2]);
  expect(sent[1]?.waitMs).toBe(70);
  await answer();
  await answer();
  void lanes.consume("a", 1, 100);
  expect(points()).toEqual([1, 2, 1]);
});

test("points of one request stay together, and different limits apart", async () => {
  const { lanes, sent, answer } = openLanes();
  const all = [
    [1, 100],
    [1, 100],
    [19, 100],
    [1, 100],
    [1, 50],
    [1, 50],
  ].map(([points = 0, limit = 0]) => lanes.consume("a", points, limit));
  await answer();
  expect(sent.map(({ points, limit, whole }) => [points, limit, whole])).toEqual([
    [1, 100, false],
    [1, 100, false],
    [19, 100, true],
    [1, 100, false],
    [2, 50, false],
  ]);
  for (let n = 0; n < 4; n++) await answer();
  expect((await Promise.all(all)).map(({ used }) => used)).toEqual([1, 2, 21, 22, 23, 24]);
});

test("a failure rejects the requests of its script, and the next attempt is a new one", async () => {
  const { lanes, points, answer, fail } = openLanes();
  const first = lanes.consume("a", 1, 100).catch((error: Error) => error.message);
  const second = lanes.consume("a", 1, 100);
  await fail();
  expect(await first).toBe("no answer");
  expect(points()).toEqual([1, 1]);
  await answer();
  expect(await second).toEqual({ used: 1, msLeft: 1000, beside: [] });
  void lanes.consume("a", 1, 100);
  expect(points()).toEqual([1, 1, 1]);
});
