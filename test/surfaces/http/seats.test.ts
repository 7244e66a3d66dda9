import { expect, test } from "vitest";
import { createSeats } from "../../../src/surfaces/http/seats.ts";

const full = expect.objectContaining({ code: "overloaded", details: { retryAfter: 5 } });

const catching = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

test("so many of one owner, so many together, and whoever leaves makes room once", () => {
  const seats = createSeats({ all: 3, own: 2, what: "streams" });
  const first = seats.take("a");
  seats.take("a");
  expect(catching(() => seats.take("a"))).toEqual(full);
  expect(catching(() => seats.take("a"))).toMatchObject({
    message: "Too many streams of yours are open. End one, then try again.",
  });
  seats.take("b");
  expect(catching(() => seats.take("c"))).toMatchObject({
    message: "Too many streams are open. End one, then try again.",
  });
  first.leave();
  first.leave();
  expect(seats.taken()).toBe(2);
  seats.take("a");
  expect(catching(() => seats.take("a"))).toEqual(full);
});

test("a seat moves to another owner, where that one has room", () => {
  const seats = createSeats({ all: 9, own: 1, what: "connections" });
  const seat = seats.take("ip:192.0.2.1");
  seat.move("acme");
  seat.move("acme");
  expect(catching(() => seats.take("acme"))).toEqual(full);
  const other = seats.take("ip:192.0.2.1");
  expect(catching(() => other.move("acme"))).toEqual(full);
  // It stayed where it was.
  expect(catching(() => seats.take("ip:192.0.2.1"))).toEqual(full);
  seat.leave();
  seat.move("ip:192.0.2.9");
  other.move("acme");
  expect(seats.taken()).toBe(1);
});
