import { expect, test } from "vitest";
import { createLoopShare } from "../../../src/catalog/loop-share.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A loop whose clock the test controls. */
function open() {
  const clock = { time: 0 };
  return { clock, loop: createLoopShare(() => clock.time, 10) };
}

test("a caller within the budget of a turn does not wait", () => {
  const { clock, loop } = open();
  for (let call = 0; call < 10; call++) {
    expect(loop.take()).toBeUndefined();
    clock.time += 1;
  }
  expect(loop.take()).toBeUndefined();
  clock.time += 1;
  expect(loop.take()).toBeInstanceOf(Promise);
});

test("waiting callers continue in order, as many as fit into each turn, with other events in between", async () => {
  const { clock, loop } = open();
  loop.take();
  clock.time += 11;
  const order: string[] = [];
  const done = Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      await loop.take();
      order.push(`call ${index}`);
      clock.time += 6;
    }),
  );
  while (order.filter((entry) => entry.startsWith("call")).length < 6) {
    await turn();
    order.push("others");
  }
  await done;
  expect(order.filter((entry) => entry !== "others")).toEqual([0, 1, 2, 3, 4, 5].map((n) => `call ${n}`));
  const inARow = order
    .join()
    .split("others")
    .map((part) => part.split("call").length - 1);
  // Two runs of six milliseconds fit into ten: the second begins before the budget is used up.
  expect(Math.max(...inARow)).toBe(2);
});

test("a caller that arrives while others wait runs after them", async () => {
  const { clock, loop } = open();
  loop.take();
  clock.time += 11;
  const order: number[] = [];
  const first = loop.take()?.then(() => order.push(1));
  clock.time = 0;
  const second = loop.take()?.then(() => order.push(2));
  await Promise.all([first, second]);
  expect(order).toEqual([1, 2]);
});

test("`next` always waits, and all of ten thousand callers continue", async () => {
  const { loop } = open();
  let count = 0;
  await Promise.all(Array.from({ length: 10_000 }, () => loop.next().then(() => count++)));
  expect(count).toBe(10_000);
});
