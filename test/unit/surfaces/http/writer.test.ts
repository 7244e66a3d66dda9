import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { createLoopShare } from "../../../../src/catalog/loop-share.ts";
import type { Exchange } from "../../../../src/surfaces/http/exchange.ts";
import { defaultTimeouts } from "../../../../src/surfaces/http/timeouts.ts";
import { createWriter } from "../../../../src/surfaces/http/writer.ts";
import { testRuntime } from "../../../support/runtime.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A writer whose clock advances by a millisecond for each 256 KiB that an answer writes. */
function open() {
  const clock = { time: 0 };
  const monotonic = (): number => clock.time;
  const writer = createWriter({
    runtime: testRuntime({ monotonic }),
    timeouts: defaultTimeouts,
    loop: createLoopShare(monotonic, 10),
  });
  function createExchange(socket: object | null = {}) {
    const copy = (bytes: Uint8Array): void => void (clock.time += bytes.length / 262_144);
    const res = Object.assign(new EventEmitter(), {
      socket,
      destroyed: false,
      isEnded: false,
      // The buffers of the socket take all of it before the call returns.
      write(bytes: Uint8Array) {
        copy(bytes);
        process.nextTick(() => res.emit("drain"));
        return false;
      },
      end(bytes: Uint8Array) {
        copy(bytes);
        res.isEnded = true;
      },
    });
    return { res, exchange: { res } as unknown as Exchange };
  }
  return { clock, writer, createExchange };
}

test.each([100_000, 700_000])(
  "writes answers of %i bytes on three hundred connections in many turns of the event loop",
  async (size) => {
    const { clock, writer, createExchange } = open();
    const all = Array.from({ length: 300 }, () => createExchange());
    const body = new Uint8Array(size);
    for (const { exchange } of all)
      if (size > 262_144) void writer.writeSlices(exchange, body, false);
      else writer.finish(exchange, body);
    let longest = clock.time;
    while (!all.every(({ res }) => res.isEnded)) {
      const before = clock.time;
      await turn();
      longest = Math.max(longest, clock.time - before);
    }
    // One turn has ten milliseconds and the write that ends it, on both sides of the test's own look at the clock.
    expect(longest).toBeLessThan(25);
    expect(clock.time).toBeGreaterThan(100);
  },
);

test("writes nothing of an answer before those before it on its connection are written", async () => {
  const { clock, writer, createExchange } = open();
  const [small, large] = [createExchange(null), createExchange(null)];
  writer.finish(small.exchange, new Uint8Array(100_000));
  void writer.writeSlices(large.exchange, new Uint8Array(700_000), false);
  for (let count = 0; count < 5; count++) await turn();
  expect(clock.time).toBe(0);
  for (const { res } of [small, large]) {
    res.socket = {};
    res.emit("socket");
  }
  for (let count = 0; count < 20; count++) await turn();
  expect([small.res.isEnded, large.res.isEnded]).toEqual([true, true]);
});

test("forgets an answer whose client leaves before its turn", async () => {
  const { clock, writer, createExchange } = open();
  const { res, exchange } = createExchange(null);
  void writer.writeSlices(exchange, new Uint8Array(700_000), false);
  await turn();
  res.destroyed = true;
  exchange.onGone?.(exchange);
  for (let count = 0; count < 5; count++) await turn();
  expect([clock.time, res.isEnded]).toEqual([0, false]);
});
