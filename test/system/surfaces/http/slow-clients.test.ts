import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { defineTool } from "../../../../src/catalog/tool.ts";
import { z } from "zod";
import { openHarness, openRaw, sleep, type Harness } from "../harness.ts";

let app: Harness;
afterEach(() => app.close());

const elapsed = async (work: Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work;
  return performance.now() - start;
};

const flood = defineTool({
  slug: "flood",
  title: "Flood",
  summary: "More than a socket holds.",
  input: z.object({}),
  examples: [],
  run: () => randomBytes(20_000_000).toString("latin1"),
});

test("headers that never end are a 408, on time", async () => {
  app = await openHarness({ timeouts: { headers: 400, sweep: 50 } });
  const raw = openRaw(app.port, "POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\n");
  const drip = setInterval(() => raw.write("X-A: 1\r\n"), 50);
  const answer = raw.all();
  const time = await elapsed(answer);
  clearInterval(drip);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(await answer).toContain('"code":"request_timeout"');
  expect(time).toBeGreaterThan(300);
  expect(time).toBeLessThan(60_000);
});

test("a silent connection is closed, on time", async () => {
  app = await openHarness({ timeouts: { headers: 400, sweep: 50 } });
  expect(await elapsed(openRaw(app.port).all())).toBeLessThan(60_000);
});

test("a body that arrives too slowly is a 408, on time, and the server keeps working", async () => {
  app = await openHarness({ timeouts: { progress: 400, progressBytes: 1000, sweep: 50 } });
  const raw = openRaw(
    app.port,
    "POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 5000\r\n\r\n",
  );
  const drip = setInterval(() => raw.write("1"), 50);
  const answer = raw.all();
  const time = await elapsed(answer);
  clearInterval(drip);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(await answer).toContain('"code":"request_timeout"');
  expect(await answer).toContain("RateLimit:");
  expect(time).toBeGreaterThan(300);
  expect(time).toBeLessThan(60_000);
  expect((await app.post("/api/tools/json-formatter", '{"data":"1"}')).status).toBe(200);
});

test("a slow body that makes progress is waited for", async () => {
  app = await openHarness({ timeouts: { progress: 300, progressBytes: 100, sweep: 50 } });
  const raw = openRaw(
    app.port,
    "POST /api/tools/json-minifier HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 2000\r\n\r\n",
  );
  for (let part = 0; part < 10; part++) {
    raw.write(part === 9 ? `${" ".repeat(199)}1` : " ".repeat(200));
    await sleep(80);
  }
  expect(await raw.until('{"result":"1"}')).toContain("HTTP/1.1 200");
  raw.socket.destroy();
});

test("a refused client that keeps sending for ever is cut off", async () => {
  app = await openHarness({ http: { bodyLimit: 2048 }, timeouts: { linger: 400, sweep: 50 } });
  const raw = openRaw(
    app.port,
    "POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 90000000\r\n\r\n",
  );
  const drip = setInterval(() => raw.write("1"), 50);
  const time = await elapsed(raw.all());
  clearInterval(drip);
  expect(time).toBeGreaterThan(300);
  expect(time).toBeLessThan(60_000);
  await expect.poll(() => app.http.inFlight()).toBe(0);
});

test("a reader that stops reading is cut off and its answer released", async () => {
  app = await openHarness({ tools: [flood], timeouts: { write: 400, sweep: 50 } });
  const socket = connect(app.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    "POST /api/tools/flood HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\nX-Request-Id: deaf\r\n\r\n",
  );
  // No "data" listener: nothing is read beyond the kernel buffers. A report of the watchdog may carry the same id.
  const isLogged = () =>
    app.logged().some(({ message, requestId }) => message === "request" && requestId === "deaf");
  await expect.poll(isLogged).toBe(true);
  expect(app.http.inFlight()).toBe(0);
  socket.destroy();
});

test("work stops when the caller disconnects", async () => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  app = await openHarness({
    isolate: (_, signal) =>
      new Promise((_resolve, reject) => {
        started.resolve();
        signal?.addEventListener("abort", () => {
          stopped.resolve();
          reject(signal.reason as Error);
        });
      }),
  });
  const raw = openRaw(
    app.port,
    'POST /api/tools/regex-tester HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n{"data":"a","pattern":"a"}',
  );
  await started.promise;
  raw.socket.destroy();
  await stopped.promise;
  await expect.poll(() => app.runs.at(-1)?.outcome).toBe("cancelled");
});

test("when there is no room, calls are shed and probes are not", async () => {
  app = await openHarness({ http: { maxConcurrency: 1 } });
  const raw = openRaw(
    app.port,
    "POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n1",
  );
  await expect.poll(() => app.http.inFlight()).toBe(1);
  const shed = await app.get("/api/tools");
  expect(shed.status).toBe(503);
  expect(shed.headers.get("retry-after")).toBe("1");
  expect(await shed.json()).toMatchObject({ code: "overloaded" });
  expect((await app.get("/healthz")).status).toBe(200);
  raw.socket.destroy();
  await expect.poll(() => app.http.inFlight()).toBe(0);
  expect((await app.get("/api/tools")).status).toBe(200);
});

test("refused uploads that never arrive do not block other clients", async () => {
  app = await openHarness({ http: { maxConcurrency: 2 }, timeouts: { linger: 2000 } });
  const head = `POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nContent-Length: 100000\r\n\r\n`;
  const uploads = Array.from({ length: 5 }, () => openRaw(app.port, head));
  for (const raw of uploads) expect(await raw.until("malformed_key")).toContain("HTTP/1.1 401");
  // Each still gets its time to read the answer.
  expect(app.http.inFlight()).toBe(5);
  const answer = await app.post("/api/tools/json-formatter", '{"data":"1"}');
  expect(answer.status).toBe(200);
  for (const raw of uploads) raw.socket.destroy();
});

test("one caller has at most so many unread bytes", async () => {
  app = await openHarness({ tools: [flood] });
  const answers: Promise<string>[] = [];
  for (let reader = 1; reader <= 8; reader++) {
    const socket = connect(app.port, "127.0.0.1");
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write("POST /api/tools/flood HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\n\r\n");
    // The first piece, and then no more.
    answers.push(
      new Promise((resolve) =>
        socket.once("data", (piece: Buffer) => {
          socket.pause();
          resolve(piece.toString("latin1"));
        }),
      ),
    );
    await expect.poll(() => app.runs.length).toBe(reader);
  }
  const statuses = (await Promise.all(answers)).map((answer) => answer.slice(9, 12));
  // Thirty megabytes each as UTF-8: two of them fit into half of the room.
  expect(statuses).toEqual([...Array<string>(2).fill("200"), ...Array<string>(6).fill("503")]);
  expect(await answers[7]).toContain("Retry-After: 1");
  expect((await app.post("/api/tools/json-formatter", '{"data":"1"}')).status).toBe(200);
});

test("unread answers do not block other clients", async () => {
  app = await openHarness({ tools: [flood], http: { maxConcurrency: 1 } });
  for (let reader = 1; reader <= 2; reader++) {
    // No "data" listener: nothing is read beyond the kernel buffers.
    const socket = connect(app.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("POST /api/tools/flood HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\n\r\n");
    onTestFinished(() => void socket.destroy());
    await expect.poll(() => app.runs.length).toBe(reader);
  }
  expect(app.http.inFlight()).toBe(2);
  const answer = await app.post("/api/tools/json-formatter", '{"data":"1"}');
  expect(answer.status).toBe(200);
});
