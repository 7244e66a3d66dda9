import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { type RawSocket, toFrame } from "./raw-socket.ts";
import {
  createSource,
  expectUnharmed,
  openSocketServer,
  type SocketServer,
  subscribe,
} from "./socket-server.ts";

let app: SocketServer;
afterEach(() => app.close());

const init = '{"type":"connection_init"}';

describe("the protocol", () => {
  test.each([["graphql-ws"], ["soap, graphql-transport-ws2"]])(
    "%s is not supported: 4406",
    async (protocol) => {
      app = await openSocketServer();
      const raw = await app.socket({ protocol });
      expect(raw.head).not.toContain("Sec-WebSocket-Protocol");
      expect(await raw.closed()).toMatchObject({ code: 4406 });
    },
  );

  test("and neither is a missing one: 4406", async () => {
    app = await openSocketServer();
    const raw = await app.socket({ without: ["Sec-WebSocket-Protocol"] });
    expect(await raw.closed()).toMatchObject({ code: 4406 });
  });

  test("of several the supported one is chosen", async () => {
    app = await openSocketServer();
    const raw = await app.socket({ protocol: "graphql-ws, graphql-transport-ws" });
    expect(raw.head).toContain("Sec-WebSocket-Protocol: graphql-transport-ws\r\n");
  });

  test("is never initialized: 4408", async () => {
    app = await openSocketServer({ times: { init: 200 } });
    const raw = await app.socket();
    const before = performance.now();
    expect(await raw.closed()).toMatchObject({ code: 4408 });
    expect(performance.now() - before).toBeLessThan(60_000);
    raw.socket.destroy();
    await expect.poll(() => app.logged()[0]).toMatchObject({ outcome: "request_timeout" });
  });

  test.each([
    ["a subscription before connection_init", [subscribe("{ a }")], 4401],
    ["connection_init twice", [init, init], 4429],
    ["an id twice", [init, subscribe("never"), subscribe("{ a }")], 4409],
    ["an id that each result would repeat", [init, subscribe("never", "i".repeat(129))], 4400],
    ["no JSON", [init, "{"], 4400],
    ["nothing", [init, ""], 4400],
    ["JSON that is no object", [init, "[]"], 4400],
    ["null", [init, "null"], 4400],
    ["no type", [init, "{}"], 4400],
    ["an unknown type", [init, '{"type":"start"}'], 4400],
    ["the type of a prototype", [init, '{"type":"__proto__"}'], 4400],
    ["what only servers send", [init, '{"type":"next","id":"1","payload":{}}'], 4400],
    ["an acknowledgement", [init, '{"type":"connection_ack"}'], 4400],
    ["a subscription without an id", [init, '{"type":"subscribe","payload":{"query":"{a}"}}'], 4400],
    ["an id that is empty", [init, subscribe("{ a }", "")], 4400],
    ["a subscription without a query", [init, '{"type":"subscribe","id":"1","payload":{}}'], 4400],
    [
      "variables that are a list",
      [init, '{"type":"subscribe","id":"1","payload":{"query":"{a}","variables":[]}}'],
      4400,
    ],
    [
      "an envelope that is nested too deep",
      [init, `{"type":"ping","payload":${'{"a":'.repeat(100_000)}`],
      4400,
    ],
  ])("%s closes the connection", async (_, messages, code) => {
    app = await openSocketServer({ operations: { never: () => new Promise(() => {}) } });
    const raw = await app.socket();
    for (const message of messages) raw.send(message);
    const closed = await raw.closed();
    expect(closed.code).toBe(code);
    expect(Buffer.byteLength(closed.reason)).toBeLessThanOrEqual(123);
    await expectUnharmed(app);
    // A client's mistake is not a fault of the server.
    expect(app.logged().filter(({ level }) => level === "error")).toEqual([]);
  });

  test("names on Object.prototype are ids like any other", async () => {
    app = await openSocketServer();
    const raw = await app.ready();
    for (const id of ["__proto__", "constructor", "toString"]) {
      raw.send(subscribe("{ a }", id));
      expect(await raw.message()).toMatchObject({ type: "next", id });
      expect(await raw.message()).toEqual({ type: "complete", id });
    }
  });

  test("complete may name an unknown operation", async () => {
    app = await openSocketServer();
    const raw = await app.ready();
    raw.send('{"type":"complete","id":"x"}');
    raw.send('{"type":"pong"}');
    raw.send(`{"type":"ping","payload":${'{"a":'.repeat(50_000)}1${"}".repeat(50_001)}`);
    expect(await raw.message()).toEqual({ type: "pong" });
  });
});

describe("frames", () => {
  const at = 1_048_576;
  test.each<[string, (raw: RawSocket) => void, number]>([
    ["without a mask", (raw) => raw.write(toFrame(init, { masked: false })), 1002],
    ["that claim to be compressed", (raw) => raw.write(toFrame(init, { reserved: 0x40 })), 1002],
    ["with an invalid opcode", (raw) => raw.write(toFrame(init, { opcode: 3 })), 1002],
    ["that continue nothing", (raw) => raw.write(toFrame(init, { opcode: 0 })), 1002],
    ["of control in fragments", (raw) => raw.write(toFrame("", { opcode: 9, fin: false })), 1002],
    ["of control that are too long", (raw) => raw.write(toFrame("a".repeat(126), { opcode: 9 })), 1002],
    ["that are no UTF-8", (raw) => raw.write(toFrame(Buffer.from([0xff, 0xfe]))), 1007],
    ["that are too large", (raw) => raw.write(toFrame("a".repeat(at + 1))), 1009],
    [
      "that are too large together",
      (raw) => {
        raw.write(toFrame("a".repeat(at / 2), { fin: false }));
        raw.write(toFrame("a".repeat(at / 2 + 1), { opcode: 0 }));
      },
      1009,
    ],
    [
      "that say they are 2⁶² bytes long",
      (raw) => raw.write(Buffer.from("81ff4000000000000000", "hex")),
      1009,
    ],
    [
      "in ten thousand fragments",
      (raw) => {
        raw.write(toFrame("a", { fin: false }));
        raw.write(
          Buffer.concat(Array.from({ length: 10_000 }, () => toFrame("a", { opcode: 0, fin: false }))),
        );
      },
      1008,
    ],
    ["that are binary", (raw) => raw.write(toFrame(init, { opcode: 2 })), 4400],
  ])("%s close the connection", async (_, write, code) => {
    app = await openSocketServer({ times: { close: 200 } });
    const raw = await app.socket();
    write(raw);
    expect(await raw.closed()).toMatchObject({ code });
    await raw.ended();
    await expect.poll(() => app.logged()[0]?.["outcome"]).toMatch(/^(?:invalid_input|body_too_large)$/);
    await expectUnharmed(app);
  });

  test("a message in fragments, with a ping between them, is one", async () => {
    app = await openSocketServer();
    const raw = await app.socket();
    raw.write(toFrame(init.slice(0, 5), { fin: false }));
    raw.write(toFrame("here", { opcode: 9 }));
    raw.write(toFrame(init.slice(5), { opcode: 0 }));
    const pong = await raw.next();
    expect([pong.opcode, pong.payload.toString()]).toEqual([10, "here"]);
    expect(await raw.message()).toEqual({ type: "connection_ack" });
  });

  test("data in the packet of the handshake is read", async () => {
    app = await openSocketServer();
    const raw = await app.socket({ behind: toFrame(init) });
    expect(await raw.message()).toEqual({ type: "connection_ack" });
  });

  test("compression is not negotiated", async () => {
    app = await openSocketServer();
    const raw = await app.socket({ headers: { "Sec-WebSocket-Extensions": "permessage-deflate" } });
    expect(raw.head).not.toMatch(/extensions/i);
  });
});

describe("too much", () => {
  test("of two thousand concurrent subscriptions thirty-two run, and the others are refused", async () => {
    const source = createSource();
    app = await openSocketServer({ operations: { events: source.operation } });
    const raw = await app.ready({ authorization: `Bearer ${await app.key("team")}` });
    const all = Array.from({ length: 2000 }, (_, id) => toFrame(subscribe("events", String(id))));
    raw.write(Buffer.concat(all));
    const codes: Record<string, number> = {};
    for (let count = 32; count < 2000; count++) {
      const { type, payload } = await raw.message();
      expect(type).toBe("error");
      const [{ extensions }] = payload as [{ extensions: { code: string } }];
      codes[extensions.code] = (codes[extensions.code] ?? 0) + 1;
    }
    // Refused operations are counted, too.
    expect(codes).toEqual({ overloaded: 1968 });
    expect(source.listeners()).toBe(32);
    await expectUnharmed(app);
    raw.socket.destroy();
    await expect.poll(source.listeners).toBe(0);
  });

  test("each of them is counted, including refused ones", async () => {
    app = await openSocketServer({
      graphql: { maxSubscriptions: 1 },
      operations: { never: () => new Promise(() => {}) },
    });
    const raw = await app.ready();
    raw.send(subscribe("never", "0"));
    for (let id = 1; id <= 101; id++) raw.send(subscribe("{ a }", String(id)));
    const last = [];
    for (let id = 1; id <= 101; id++) last.push(await raw.message());
    const codes = last.map(
      ({ payload }) => (payload as [{ extensions: { code: string } }])[0].extensions.code,
    );
    expect(codes.filter((code) => code === "overloaded")).toHaveLength(99);
    expect(codes.filter((code) => code === "quota_exceeded")).toHaveLength(2);
  });

  test("connections of one address, before and after they authenticate", async () => {
    app = await openSocketServer();
    const keys = [await app.key("pro"), await app.key("pro")];
    const open: RawSocket[] = [];
    for (let count = 0; count < 64; count++) open.push(await app.ready());
    const refused = await app.socket();
    expect(refused.head).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 5\r\n/);
    // Connections of an account do not count for its address.
    for (const raw of open.splice(0, 2)) raw.socket.destroy();
    await sleep(50);
    for (let count = 0; count < 64; count++)
      open.push(await app.ready({ authorization: `Bearer ${keys[0]}` }));
    const one = await app.socket();
    one.send({ type: "connection_init", payload: { authorization: `Bearer ${keys[0]}` } });
    expect(await one.closed()).toMatchObject({
      code: 1013,
      reason: expect.stringMatching(/^overloaded: /) as string,
    });
    one.socket.destroy();
    await sleep(50);
    open.push(await app.ready({ authorization: `Bearer ${keys[1]}` }));
    for (const raw of open) raw.socket.destroy();
  });

  test("connections in total", async () => {
    app = await openSocketServer({ graphql: { maxConnections: 3 } });
    const open = [await app.ready(), await app.ready(), await app.socket()];
    const { head } = await app.socket();
    expect(head).toMatch(/^HTTP\/1\.1 503 /);
    open[0]?.socket.destroy();
    await expect.poll(async () => (await app.socket()).head).toMatch(/^HTTP\/1\.1 101 /);
  });
});

test("three hundred closed connections release their memory", async () => {
  const source = createSource();
  app = await openSocketServer({ operations: { events: source.operation } });
  for (let round = 0; round < 6; round++) {
    const raws = await Promise.all(Array.from({ length: 50 }, () => app.ready()));
    for (const raw of raws) raw.socket.destroy();
    await expect.poll(() => app.logged().length).toBe((round + 1) * 50);
  }
  expect(app.http.inFlight()).toBe(0);
  await expectUnharmed(app);
});
