import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import { chunksOf, createConnection, pause } from "../../../src/surfaces/cli/inbox/connection.ts";
import type { Remote } from "../../../src/surfaces/cli/inbox/remote.ts";
import { send } from "../../../src/surfaces/cli/inbox/send.ts";
import { RemoteError } from "../../../src/surfaces/cli/remote-error.ts";
import { createTestHost } from "./host.ts";
import { testRuntime } from "../../support/runtime.ts";

/** A response that has started, with both of its ends. */
async function openAnswer() {
  const begun = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    response.write("first");
    begun.resolve(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const answer = await send(url, { method: "GET", headers: {}, patienceMs: 5000 });
  return { answer, response: await begun.promise };
}

test("a silent connection ends", async () => {
  const { answer } = await openAnswer();
  const started = performance.now();
  const chunks: string[] = [];
  for await (const chunk of chunksOf(answer, 300)) chunks.push(chunk.toString());
  expect(chunks).toEqual(["first"]);
  expect(performance.now() - started).toBeGreaterThan(250);
  expect(answer.destroyed).toBe(true);
});

test("only time spent waiting counts, and a broken connection ends the stream too", async () => {
  const { answer, response } = await openAnswer();
  const chunks: string[] = [];
  for await (const chunk of chunksOf(answer, 2000)) {
    chunks.push(chunk.toString());
    if (chunks.length === 1) {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      response.write("second");
    } else response.destroy();
  }
  expect(chunks).toEqual(["first", "second"]);
});

test("closes the connection when the consumer stops", async () => {
  const { answer, response } = await openAnswer();
  const closed = new Promise((resolve) => response.on("close", resolve));
  for await (const _ of chunksOf(answer, 5000)) break;
  await closed;
  expect(answer.destroyed).toBe(true);
});

const open = (chance: number) => {
  const { host, seen } = createTestHost({
    host: { runtime: testRuntime({ random: () => Uint8Array.of(chance) }) },
  });
  return { connection: createConnection({ url: "http://x" } as Remote, host), seen };
};

test("doubles each pause, shortens it at random by up to half, and limits it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(255),
      fc.integer({ min: 100, max: 30_000 }),
      fc.nat(40),
      async (chance, first, failures) => {
        const { connection } = open(chance);
        for (let at = 0; at < failures; at++) await connection.lost(new Error("x"));
        const longest = Math.min(first * 2 ** Math.max(failures - 1, 0), 30_000);
        const ms = connection.pauseMs(first);
        expect(ms).toBeGreaterThanOrEqual(longest / 2);
        expect(ms).toBeLessThanOrEqual(longest);
        await connection.reached();
        expect(connection.pauseMs(first)).toBeLessThanOrEqual(first);
      },
    ),
  );
});

test("obeys Retry-After, up to a limit", async () => {
  const { connection } = open(0);
  await connection.lost(new ToolError("overloaded", "Busy.", { retryAfter: 7 }));
  expect(connection.pauseMs(100)).toBe(7000);
  await connection.lost(new RemoteError("Busy", true, 999_999));
  expect(connection.pauseMs(100)).toBe(3_600_000);
});

test("reports an outage once, and its end once", async () => {
  const { connection, seen } = open(0);
  await connection.reached();
  for (let at = 0; at < 3; at++) await connection.lost(new Error("It is away."));
  expect(connection.fault?.message).toBe("It is away.");
  for (let at = 0; at < 3; at++) await connection.reached();
  expect(connection.fault).toBeUndefined();
  expect(seen().stderr).toBe("penknife: It is away; trying again\npenknife: connected to http://x again\n");
});

test("ends a pause when the signal aborts", async () => {
  const end = new AbortController();
  const started = performance.now();
  const paused = pause(600_000, end.signal);
  end.abort();
  await paused;
  await pause(600_000, end.signal);
  expect(performance.now() - started).toBeLessThan(60_000);
});
