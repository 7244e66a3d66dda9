import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createGuard } from "../../../../src/services/webhooks/guard.ts";
import type { Lookup } from "../../../../src/services/webhooks/resolve.ts";
import { createSender, type Sender, type Sent } from "../../../../src/services/webhooks/send.ts";
import {
  answers,
  type Behaviour,
  breaksOff,
  closes,
  endless,
  floodsInterim,
  hangsAfterHeaders,
  inTurn,
  late,
  neverAnswers,
  onlyInterim,
  openPort,
  openReceiver,
  type Receiver,
  resets,
  trickles,
  writes,
} from "./receivers.ts";
import { testRuntime } from "../../../support/runtime.ts";

const date = Date.parse("2026-11-21T12:00:00Z");
const loopback: Lookup = async () => [{ address: "127.0.0.1", family: 4 }];

interface SenderWishes {
  lookup?: Lookup;
  /** Short only where the time runs out: a busy machine takes long for an answer that arrives. */
  timeoutMs?: number;
  allowCidrs?: string[];
}

function openSender({
  lookup = loopback,
  timeoutMs = 10_000,
  allowCidrs = ["127.0.0.0/8"],
}: SenderWishes = {}): Sender {
  const sender = createSender({
    guard: createGuard({ runtime: testRuntime(), allowCidrs, lookup }),
    timeoutMs,
    runtime: testRuntime({ now: () => date, monotonic: () => performance.now() }),
    version: "1.2.3",
  });
  onTestFinished(() => sender.close());
  return sender;
}

async function receive(behave: Behaviour): Promise<Receiver> {
  const receiver = await openReceiver(behave);
  onTestFinished(() => receiver.close());
  return receiver;
}

const post = (sender: Sender, url: string): Promise<Sent> =>
  sender.send({
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"a":"ż"}',
  });

async function sendTo(behave: Behaviour, wishes?: SenderWishes): Promise<{ sent: Sent; receiver: Receiver }> {
  const receiver = await receive(behave);
  return { sent: await post(openSender(wishes), `${receiver.url}/hook?a=b`), receiver };
}

describe("what is sent", () => {
  test.each(["POST", "PUT"] as const)(
    "%s: the bytes unchanged, the headers and nothing else",
    async (method) => {
      const receiver = await receive(answers(204));
      const headers = { "content-type": "application/json", "x-event-id": "evt_1" };
      const sent = await openSender().send({
        url: `${receiver.url}/a/b?c=d`,
        method,
        headers,
        body: '{"a":"ż"}',
      });
      expect(sent).toEqual({ durationMs: expect.any(Number), status: 204 });
      const [request] = receiver.requests;
      expect(request).toMatchObject({ method, path: "/a/b?c=d", body: '{"a":"ż"}' });
      expect(request?.headers).toEqual({
        ...headers,
        host: `127.0.0.1:${receiver.port}`,
        "user-agent": "penknife/1.2.3",
        "content-length": "10",
        connection: "keep-alive",
      });
    },
  );

  test("the Host header has the name, and the connection goes to the vetted address", async () => {
    const receiver = await receive(answers(200));
    const { status } = await post(openSender(), `http://hooks.example:${receiver.port}/`);
    expect(status).toBe(200);
    expect(receiver.requests[0]?.headers.host).toBe(`hooks.example:${receiver.port}`);
  });
});

describe("what is returned", () => {
  test.each([200, 201, 202, 204, 299, 400, 404, 410, 429, 500, 503, 599])(
    "%i is its status",
    async (status) => {
      const { sent } = await sendTo(answers(status));
      expect(sent).toEqual({ durationMs: expect.any(Number), status });
    },
  );

  test("the beginning of the body is kept, with control characters escaped", async () => {
    const body = `<h1>No</h1>\r\n\u001b[2J\u202egnp.exe\u0000 ${"ż".repeat(2000)}`;
    const { sent } = await sendTo(answers(500, {}, body));
    expect(sent.excerpt).toMatch(/^<h1>No<\/h1>\\r\\n\\u\{1b\}\[2J\\u\{202e\}gnp\.exe\\u\{0\} ż+$/);
    // 1024 bytes; a character that crosses the limit is left out.
    const kept = Buffer.from(body)
      .subarray(0, 1024)
      .toString()
      .replace(/\ufffd$/, "");
    expect(sent.excerpt?.endsWith("ż")).toBe(true);
    expect(sent.excerpt?.match(/ż/g)?.length).toBe(kept.match(/ż/g)?.length);
  });

  test("a binary body", async () => {
    const { sent } = await sendTo((response) => response.writeHead(500).end(Buffer.from([0xff, 0xfe, 0x41])));
    expect(sent.excerpt).toBe("\ufffd\ufffdA");
  });

  test.each([301, 302, 303, 307, 308])("%i is not followed", async (status) => {
    const elsewhere = await receive(answers(200, {}, "secret of the inside"));
    const { sent } = await sendTo(answers(status, { location: `${elsewhere.url}/` }));
    expect(sent).toEqual({ durationMs: expect.any(Number), status });
    expect(elsewhere.connections).toBe(0);
  });

  test.each<[string, number | undefined]>([
    ["120", 120_000],
    ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
    ["99999999999", 43_200_000],
    ["-5", undefined],
    ["soon", undefined],
  ])("Retry-After: %s", async (text, retryAfterMs) => {
    const { sent } = await sendTo(answers(429, { "retry-after": text }));
    expect(sent).toEqual({
      durationMs: expect.any(Number),
      status: 429,
      ...(retryAfterMs && { retryAfterMs }),
    });
  });

  test("up to 16 KB of an answer are read, and a longer one is still an answer", async () => {
    const written = { bytes: 0 };
    const { sent, receiver } = await sendTo(endless(written));
    expect(sent).toMatchObject({ status: 200, excerpt: "x".repeat(1024) });
    await vi.waitFor(() => expect(receiver.open()).toBe(0), { timeout: 60_000 });
    // The rest is what the kernel buffers on both sides of the connection.
    expect(written.bytes).toBeLessThan(16_000_000);
  });

  test("the rest of a long answer is not mistaken for the next", async () => {
    const receiver = await receive(inTurn(answers(500, {}, "x".repeat(100_000)), answers(201)));
    const sender = openSender();
    expect((await post(sender, receiver.url)).status).toBe(500);
    expect((await post(sender, receiver.url)).status).toBe(201);
  });

  // Several frameworks send one. The answer was complete before the body.
  test.each([
    ["with it", ["HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok"]],
    ["in a write of its own", ["HTTP/1.1 204 No Content\r\n\r\n", "ok"]],
    ["chunked", ["HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"]],
    ["as an answer of its own", ["HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 500 No\r\n\r\n"]],
  ])("a body after a 204 does not make it a failure: %s", async (_, pieces) => {
    const sender = openSender();
    const receiver = await receive(writes(...pieces));
    for (let count = 0; count < 3; count++) {
      expect(await post(sender, receiver.url)).toEqual({
        durationMs: expect.any(Number),
        status: 204,
      });
    }
  });

  test("500, then 200, over the same connection", async () => {
    const receiver = await receive(inTurn(answers(500), answers(200)));
    const sender = openSender();
    expect((await post(sender, receiver.url)).status).toBe(500);
    expect((await post(sender, receiver.url)).status).toBe(200);
    expect(receiver.connections).toBe(1);
  });

  test("an answer without a length ends with its connection", async () => {
    const { sent } = await sendTo((response) => response.socket?.end("HTTP/1.1 200 OK\r\n\r\nthanks"));
    expect(sent).toEqual({ durationMs: expect.any(Number), status: 200, excerpt: "thanks" });
  });
});

describe("time", () => {
  test("a slow answer within the limit is accepted", async () => {
    const { sent } = await sendTo(late(300));
    expect(sent).toMatchObject({ status: 200 });
    expect(sent.durationMs).toBeGreaterThanOrEqual(295);
  });

  test.each<[string, Behaviour, number | undefined]>([
    ["slower than the limit", late(3000), undefined],
    ["that never answers", neverAnswers, undefined],
    ["that hangs after the headers", hangsAfterHeaders, 200],
    ["that trickles its body", trickles, 200],
    ["that only ever says to wait", onlyInterim, undefined],
    ["that leaves a line unfinished", writes("HTTP/1.1 200 OK\r\nX-A: b"), undefined],
  ])("a receiver %s", async (_, behave, status) => {
    const timeoutMs = status === undefined ? 500 : 3000;
    const { sent, receiver } = await sendTo(behave, { timeoutMs });
    expect(sent.error).toEqual({
      code: "timeout",
      message: "The receiver did not answer in time.",
    });
    expect(sent.status).toBe(status);
    expect(sent.durationMs).toBeGreaterThanOrEqual(timeoutMs - 5);
    // The connection is closed and not used again.
    await vi.waitFor(() => expect(receiver.open()).toBe(0), { timeout: 60_000 });
  });

  test("a name server that does not answer", async () => {
    const sent = await post(
      openSender({ lookup: () => new Promise(() => {}), timeoutMs: 500 }),
      "http://hooks.example/",
    );
    expect(sent).toEqual({
      durationMs: expect.any(Number),
      error: expect.objectContaining({ code: "timeout" }),
    });
  });

  test("a name server that answers late leaves less time for the rest", async () => {
    const receiver = await receive(late(350));
    const lookup: Lookup = async () => {
      await new Promise((resolve) => setTimeout(resolve, 350));
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const { error } = await post(
      openSender({ lookup, timeoutMs: 500 }),
      `http://hooks.example:${receiver.port}/`,
    );
    expect(error?.code).toBe("timeout");
  });

  test("a TLS handshake that is never answered", async () => {
    const receiver = await openPort(() => {});
    onTestFinished(() => receiver.close());
    const { error } = await post(openSender({ timeoutMs: 500 }), `https://127.0.0.1:${receiver.port}/`);
    expect(error?.code).toBe("timeout");
  });

  // The default time. A machine that stalls for a tenth of a second just then may try again.
  test.concurrent.for([
    [4900, undefined],
    [5100, "timeout"],
  ] as const)("after %i ms of 5000: %s", { retry: 2 }, async ([ms, code]) => {
    const receiver = await openReceiver(late(ms));
    const sender = createSender({
      guard: createGuard({ runtime: testRuntime(), allowCidrs: ["127.0.0.1"] }),
      timeoutMs: 5000,
      runtime: testRuntime({ now: () => date, monotonic: () => performance.now() }),
      version: "1",
    });
    const sent = await post(sender, receiver.url);
    expect(sent.error?.code).toBe(code);
    expect(sent.status).toBe(code === undefined ? 200 : undefined);
    sender.close();
    await receiver.close();
  });
});

describe("failures", () => {
  test.each<[string, Behaviour, string, number | undefined]>([
    ["resets the connection", resets, "connection_reset", undefined],
    ["closes it without an answer", closes, "connection_reset", undefined],
    ["breaks its answer off", breaksOff, "connection_reset", 200],
    [
      "breaks off in the headers",
      (response) => response.socket?.end("HTTP/1.1 200 OK\r\nA: "),
      "connection_reset",
      undefined,
    ],
    ["speaks something else", writes("SSH-2.0-OpenSSH_9.6\r\n\r\n"), "invalid_response", undefined],
    [
      "sends a length that is no number",
      writes("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"),
      "invalid_response",
      undefined,
    ],
    [
      "sends two lengths",
      writes("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
      "invalid_response",
      undefined,
    ],
    [
      "sends a length and chunks",
      writes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
      "invalid_response",
      undefined,
    ],
    [
      "sends a chunk of no size",
      writes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
      "invalid_response",
      200,
    ],
    [
      "changes the protocol",
      writes("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
      "invalid_response",
      undefined,
    ],
    ["never stops to say that its answer is yet to come", floodsInterim, "invalid_response", undefined],
    [
      "sends huge headers",
      writes(`HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(200_000)}\r\n\r\n`),
      "headers_too_large",
      undefined,
    ],
    [
      "sends many headers",
      writes(`HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(20_000)}\r\n`),
      "headers_too_large",
      undefined,
    ],
  ])("a receiver that %s", async (_, behave, code, status) => {
    const { sent, receiver } = await sendTo(behave, { timeoutMs: 5000 });
    expect(sent).toMatchObject({ error: { code } });
    expect(sent.status).toBe(status);
    // Node's own message contains addresses and ports.
    expect(sent.error?.message).not.toMatch(/127\.0|ECONN|HPE|socket|\d{4}/);
    await vi.waitFor(() => expect(receiver.open()).toBe(0), { timeout: 60_000 });
  });

  test("a closed port", async () => {
    const receiver = await receive(answers(200));
    await receiver.close();
    const { error } = await post(openSender(), receiver.url);
    expect(error).toEqual({
      code: "connection_refused",
      message: expect.not.stringContaining("127"),
    });
  });

  test("one reachable address of several is found", async () => {
    const receiver = await receive(answers(200));
    const lookup: Lookup = async () => [
      { address: "127.0.0.9", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const { status } = await post(
      openSender({ lookup, timeoutMs: 3000 }),
      `http://hooks.example:${receiver.port}/`,
    );
    expect(status).toBe(200);
  });

  test("a name without an address, and an invalid URL", async () => {
    const sender = openSender({
      lookup: () => Promise.reject(new Error("getaddrinfo ENOTFOUND a 10.0.0.1")),
    });
    const unresolved = await post(sender, "http://hooks.example/secret");
    expect(unresolved.error?.code).toBe("name_not_resolved");
    expect(unresolved.error?.message).not.toMatch(/secret|getaddrinfo|10\.0/);
    expect((await post(sender, "ftp://hooks.example/")).error?.code).toBe("invalid_url");
  });
});

describe("addresses that are not public", () => {
  const secret = "secret of the inside";

  test.each([
    (port: number) => `http://127.0.0.1:${port}/`,
    (port: number) => `http://2130706433:${port}/`,
    (port: number) => `http://localhost:${port}/`,
    (port: number) => `http://hooks.example:${port}/`,
    (port: number) => `http://[::ffff:127.0.0.1]:${port}/`,
  ])("%o is not connected to, and the message does not reveal it", async (url) => {
    const receiver = await receive(answers(200, {}, secret));
    const sent = await post(openSender({ allowCidrs: [] }), url(receiver.port));
    expect(sent).toEqual({
      durationMs: expect.any(Number),
      error: { code: "address_blocked", message: expect.stringContaining("not public") },
    });
    expect(receiver.connections).toBe(0);
  });

  test("a name that is public only at the first look-up", async () => {
    const receiver = await receive(answers(200, {}, secret));
    // 127.0.0.5 is "public" here, and its port is closed; the second answer would be the receiver.
    const lookup = vi
      .fn<Lookup>()
      .mockResolvedValueOnce([{ address: "127.0.0.5", family: 4 }])
      .mockResolvedValue([{ address: "127.0.0.1", family: 4 }]);
    const sender = openSender({ allowCidrs: ["127.0.0.5"], lookup });
    const first = await post(sender, `http://rebinding.example:${receiver.port}/`);
    expect(first.error?.code).toBe("connection_refused");
    expect(lookup).toHaveBeenCalledTimes(1);
    const second = await post(sender, `http://rebinding.example:${receiver.port}/`);
    expect(second.error?.code).toBe("address_blocked");
    expect(receiver.connections).toBe(0);
  });

  test("a kept connection is not used for a name that now resolves to another address", async () => {
    const receiver = await receive(answers(200, {}, secret));
    const lookup = vi
      .fn<Lookup>()
      .mockResolvedValueOnce([{ address: "127.0.0.1", family: 4 }])
      .mockResolvedValue([{ address: "10.0.0.1", family: 4 }]);
    const sender = openSender({ lookup });
    expect((await post(sender, `http://rebinding.example:${receiver.port}/`)).status).toBe(200);
    expect((await post(sender, `http://rebinding.example:${receiver.port}/`)).error?.code).toBe(
      "address_blocked",
    );
    expect(receiver.requests).toHaveLength(1);
  });

  test("a public receiver that redirects to a private one", async () => {
    const inside = await receive(answers(200, {}, secret));
    const outside = await receive(answers(307, { location: `http://127.0.0.2:${inside.port}/` }));
    const sent = await post(openSender({ allowCidrs: ["127.0.0.1"] }), outside.url);
    expect(sent).toEqual({ durationMs: expect.any(Number), status: 307 });
    expect(inside.connections).toBe(0);
  });
});

describe("connections", () => {
  test("one that the receiver has closed meanwhile costs no attempt", async () => {
    const sockets: Socket[] = [];
    let requests = 0;
    const receiver = await openPort((socket) => {
      sockets.push(socket);
      socket.on("data", () => {
        // The second request on a connection reaches a closed socket.
        if (++requests === 2) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      });
    });
    onTestFinished(() => receiver.close());
    const sender = openSender({ timeoutMs: 3000 });
    expect((await post(sender, receiver.url)).status).toBe(200);
    expect((await post(sender, receiver.url)).status).toBe(200);
    expect(sockets).toHaveLength(2);
    expect(requests).toBe(3);
  });

  test("a hundred concurrent requests to one receiver are all made, and few connections are kept", async () => {
    const receiver = await receive(late(20));
    const sender = openSender({ timeoutMs: 10_000 });
    const all = await Promise.all(Array.from({ length: 100 }, () => post(sender, receiver.url)));
    expect(all.map(({ status }) => status)).toEqual(Array(100).fill(200));
    await vi.waitFor(() => expect(receiver.open()).toBeLessThanOrEqual(8), { timeout: 60_000 });
    expect(receiver.open()).toBeGreaterThan(0);
  });

  test("at most 256 connections to different hosts are kept", async () => {
    const receiver = await receive(answers(200));
    const sender = openSender({ timeoutMs: 10_000 });
    for (let index = 0; index < 280; index++) {
      const { status } = await post(sender, `http://h${index}.example:${receiver.port}/`);
      expect(status).toBe(200);
    }
    await vi.waitFor(() => expect(receiver.open()).toBe(256), { timeout: 60_000 });
    expect(receiver.connections).toBe(280);
  });

  test("one receiver that hangs does not delay another", async () => {
    const dead = await receive(neverAnswers);
    const good = await receive(answers(200));
    const sender = openSender({ timeoutMs: 600_000 });
    let ended = 0;
    const hanging = Array.from({ length: 40 }, () => post(sender, dead.url).finally(() => ended++));
    expect((await post(sender, good.url)).status).toBe(200);
    expect(ended).toBe(0);
    sender.close();
    await Promise.all(hanging);
  });

  test("closing ends running requests and kept connections, and leaves nothing open", async () => {
    const good = await receive(answers(200));
    const dead = await receive(neverAnswers);
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const lookup: Lookup = (name) => (name === "lost.example" ? new Promise(() => {}) : loopback(name));
    const sender = openSender({ lookup, timeoutMs: 60_000 });
    await post(sender, good.url);
    const running = [post(sender, dead.url), post(sender, "http://lost.example/")];
    await vi.waitFor(() => expect(dead.requests).toHaveLength(1), { timeout: 60_000 });
    expect(good.open()).toBe(1);
    sender.close();
    for (const sent of await Promise.all(running)) expect(sent.error?.code).toBe("closed");
    await vi.waitFor(() => expect([good.open(), dead.open()]).toEqual([0, 0]), { timeout: 60_000 });
    expect((await post(sender, good.url)).error?.code).toBe("closed");
    sender.close();
    // A minute each.
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
