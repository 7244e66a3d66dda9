import { expect, test } from "vitest";
import { createConnectionLimiter } from "../../../../src/surfaces/http/connection-limiter.ts";

const full = expect.objectContaining({ code: "overloaded", details: { retryAfter: 5 } });

const catching = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

test("limits one owner and all together, and a released slot is free once", () => {
  const limiter = createConnectionLimiter({ all: 3, own: 2, what: "streams" });
  const first = limiter.acquire("a");
  limiter.acquire("a");
  expect(catching(() => limiter.acquire("a"))).toEqual(full);
  expect(catching(() => limiter.acquire("a"))).toMatchObject({
    message: "Too many streams of yours are open. Close one, then try again.",
  });
  limiter.acquire("b");
  expect(catching(() => limiter.acquire("c"))).toMatchObject({
    message: "Too many streams are open. Close one, then try again.",
  });
  first.release();
  first.release();
  expect(limiter.open()).toBe(2);
  limiter.acquire("a");
  expect(catching(() => limiter.acquire("a"))).toEqual(full);
});

test("a slot moves to another owner that has room", () => {
  const limiter = createConnectionLimiter({ all: 9, own: 1, what: "connections" });
  const slot = limiter.acquire("ip:192.0.2.1");
  slot.move("acme");
  slot.move("acme");
  expect(catching(() => limiter.acquire("acme"))).toEqual(full);
  const other = limiter.acquire("ip:192.0.2.1");
  expect(catching(() => other.move("acme"))).toEqual(full);
  // It stayed with its owner.
  expect(catching(() => limiter.acquire("ip:192.0.2.1"))).toEqual(full);
  slot.release();
  slot.move("ip:192.0.2.9");
  other.move("acme");
  expect(limiter.open()).toBe(1);
});
