import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { toFrame } from "./raw-socket.ts";
import {
  createSource,
  expectUnharmed,
  openSocketServer,
  result,
  type SocketServer,
  subscribe,
} from "./socket-server.ts";

let app: SocketServer;
afterEach(() => app.close());

describe("a client that is slow", () => {
  test("to read is disconnected, and others miss nothing", async () => {
    const source = createSource();
    app = await openSocketServer({
      times: { slow: 1000, look: 50 },
      operations: { events: source.operation },
    });
    const [slow, fast] = [await app.ready(), await app.ready()];
    for (const raw of [slow, fast]) raw.send(subscribe("events"));
    await expect.poll(source.listeners).toBe(2);
    slow.socket.pause();
    const text = "x".repeat(16_384);
    const seen: unknown[] = [];
    const before = process.memoryUsage().rss;
    for (let value = 0; value < 1000; value++) {
      source.push({ value, text });
      const { payload } = await fast.message();
      seen.push((payload as { data: { value: number } }).data.value);
    }
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, value) => value));
    await expect.poll(source.listeners).toBe(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    await expect.poll(() => app.logged()[0]).toMatchObject({ outcome: "overloaded", status: 101 });
    source.push({ value: "last" });
    expect(await fast.message()).toMatchObject({ payload: { data: { value: "last" } } });
    slow.socket.destroy();
  });

  test("but reads is not", async () => {
    const text = "x".repeat(8_000_000);
    app = await openSocketServer({
      times: { slow: 1000, look: 50 },
      timeouts: { ping: 300 },
      operations: { large: () => result({ text }) },
    });
    const raw = await app.ready();
    raw.socket.pause();
    raw.send(subscribe("large"));
    for (let count = 0; count < 25; count++) {
      await sleep(100);
      raw.socket.resume();
      await sleep(5);
      raw.socket.pause();
    }
    raw.socket.resume();
    const { payload } = await raw.message();
    expect((payload as { data: { text: string } }).data.text).toHaveLength(8_000_000);
    // In the pause there was a ping, which precedes the end of the message.
    expect(raw.frames.length).toBeGreaterThan(100);
  });

  test("to answer a ping is disconnected", async () => {
    app = await openSocketServer({ times: { pong: 300, look: 50 }, timeouts: { ping: 200 } });
    const raw = await app.ready();
    const before = performance.now();
    await raw.ended();
    expect(performance.now() - before).toBeGreaterThan(400);
    expect(performance.now() - before).toBeLessThan(60_000);
    await expect.poll(() => app.logged()[0]).toMatchObject({ outcome: "cancelled" });
  });

  test("and answers it is not", async () => {
    app = await openSocketServer({ times: { pong: 100, look: 20 }, timeouts: { ping: 100 } });
    const raw = await app.ready();
    // Six times as long as a client may be silent.
    for (let pings = 0; pings < 6; await sleep(10)) {
      const count = raw.frames.filter(({ opcode }) => opcode === 9).length;
      if (count > pings) raw.write(toFrame("", { opcode: 10 }));
      pings = count;
    }
    raw.send(subscribe("{ a }"));
    expect(await raw.message()).toMatchObject({ type: "next" });
  });

  test("to send a large message is disconnected, whatever pings it sends in between", async () => {
    app = await openSocketServer({ times: { look: 50 }, timeouts: { body: 500 } });
    const raw = await app.ready();
    raw.write(toFrame("a".repeat(100_000), { fin: false }));
    const before = performance.now();
    const pinging = setInterval(() => raw.write(toFrame("b".repeat(100), { opcode: 9 })), 20);
    await raw.ended();
    clearInterval(pinging);
    expect(performance.now() - before).toBeLessThan(60_000);
    await expect.poll(() => app.logged()[0]).toMatchObject({ outcome: "request_timeout" });
  });

  test.each([
    ["pings", toFrame("p".repeat(125), { opcode: 9 })],
    ["pings of the protocol", toFrame('{"type":"ping"}')],
    ["subscriptions", toFrame(subscribe("{ a }", "i".repeat(128)))],
  ])("to read the answers to its %s is no longer read from, and is disconnected", async (_, frame) => {
    app = await openSocketServer({
      times: { slow: 700, look: 50 },
      operations: { large: () => result({ text: "x".repeat(1_500_000) }) },
    });
    const raw = await app.ready({ authorization: `Bearer ${await app.key("team")}` });
    raw.socket.pause();
    // Takes much of the room in the kernel, which small answers would fill slowly.
    raw.send(subscribe("large", "0"));
    const flood = Buffer.concat(Array.from({ length: 20_000 }, () => frame));
    const before = process.memoryUsage().rss;
    let over = false;
    raw.socket.on("close", () => (over = true));
    for (let count = 0; count < 200 && !over; count++) {
      raw.write(flood);
      if (raw.socket.writableLength > 10_000_000) await sleep(50);
    }
    await expect.poll(() => app.logged().length).toBeGreaterThan(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
    raw.socket.destroy();
    await expectUnharmed(app);
  });
});
