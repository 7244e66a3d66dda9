import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createBodyReader } from "../../../../src/surfaces/http/body.ts";
import type { Exchange } from "../../../../src/surfaces/http/exchange.ts";
import { defaultTimeouts } from "../../../../src/surfaces/http/timeouts.ts";
import { testRuntime } from "../../../support/runtime.ts";

const large = 100_000;

/** A reader with room for ten large bodies, five of each caller. */
function createReader() {
  const reader = createBodyReader({
    limit: large * 2,
    total: large * 10,
    timeouts: defaultTimeouts,
    runtime: testRuntime({ monotonic: () => 0 }),
  });
  /** A body of which `sent` bytes have arrived. */
  function begin(account: string | undefined, ip: string, sent: number) {
    const req = Object.assign(new PassThrough(), { headers: { "content-length": String(large) } });
    const exchange = {
      req,
      res: {},
      ip,
      principal: account === undefined ? { kind: "anonymous", ip } : { kind: "key", account, ip },
      bytesIn: 0,
      held: 0,
      expectsContinue: false,
    } as unknown as Exchange;
    const body = Promise.resolve(reader.read(exchange, 0)).then(
      (bytes) => bytes.length,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
    const send = (length: number) => {
      req.write(Buffer.alloc(length));
      return new Promise((resolve) => setImmediate(resolve));
    };
    return { body, sent: send(sent), send, end: () => req.end(), over: () => reader.release(exchange) };
  }
  return begin;
}

test("a caller with many unfinished uploads gets half of the memory", async () => {
  const begin = createReader();
  const stalled = Array.from({ length: 5 }, () => begin(undefined, "198.51.100.1", large - 1));
  await Promise.all(stalled.map(({ sent }) => sent));
  expect(await begin(undefined, "198.51.100.1", large - 1).body).toBe(
    "overloaded: Too many of your large bodies are being received.",
  );
  const other = begin(undefined, "198.51.100.2", large - 1);
  await other.sent;
  await other.send(1);
  other.end();
  expect(await other.body).toBe(large);
});

test("the addresses of an IPv6 network share a budget, and the addresses of an account do too", async () => {
  const begin = createReader();
  for (const [account, ip] of [
    [undefined, (n: number) => `2001:db8::${n + 1}`],
    ["acme", (n: number) => `198.51.100.${n}`],
  ] as const) {
    for (let n = 0; n < 5; n++) await begin(account, ip(n), large - 1).sent;
    expect(await begin(account, ip(9), large - 1).body).toMatch(/^overloaded: .*of your/);
  }
});

test("small bodies are received however full it is", async () => {
  const begin = createReader();
  for (const ip of ["198.51.100.1", "198.51.100.2"]) {
    for (let n = 0; n < 5; n++) await begin(undefined, ip, large - 1).sent;
  }
  expect(await begin(undefined, "198.51.100.3", large - 1).body).toBe(
    "overloaded: Too many large bodies are being received.",
  );
  for (const ip of ["198.51.100.1", "198.51.100.3"]) {
    const small = begin(undefined, ip, 65_536);
    await small.sent;
    small.end();
    expect(await small.body).toBe(65_536);
  }
});

test("ended, refused and abandoned requests release their memory", async () => {
  const begin = createReader();
  for (let round = 0; round < 30; round++) {
    const one = begin(undefined, "198.51.100.1", large - 1);
    await one.sent;
    if (round % 3 === 0) {
      one.end();
      expect(await one.body).toBe(large - 1);
    } else if (round % 3 === 1) {
      await one.send(large + 2);
      expect(await one.body).toMatch(/^body_too_large/);
    }
    one.over();
    // Releasing twice changes nothing.
    one.over();
  }
  for (let n = 0; n < 5; n++) await begin(undefined, "198.51.100.1", large - 1).sent;
  expect(await begin(undefined, "198.51.100.1", large - 1).body).toMatch(/^overloaded/);
});
