import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import { createConnections } from "../../../../src/surfaces/graphql/handlers.ts";
import type {
  FormattedResult,
  OperationCaller,
  Operations,
  Outcome,
} from "../../../../src/surfaces/graphql/operations.ts";
import { createStreams } from "../../../../src/surfaces/graphql/stream.ts";
import type { Exchange } from "../../../../src/surfaces/http/exchange.ts";
import { type Harness, type HarnessOptions, openHarness, openRaw, sleep } from "../harness.ts";

let app: Harness;
afterEach(() => app.close());

/** A source of values that the test pushes; says whether it still has a reader. */
function createSource() {
  const waiting: FormattedResult[] = [];
  const sleepers = new Set<() => void>();
  const wake = (): void => {
    for (const one of sleepers) one();
    sleepers.clear();
  };
  let freed = 0;
  let ended: unknown;
  async function* results(signal: AbortSignal): AsyncGenerator<FormattedResult, void> {
    signal.addEventListener("abort", () => wake());
    try {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (ended === true) return;
        else if (ended !== undefined) throw ended;
        else await new Promise<void>((resolve) => void sleepers.add(resolve));
      }
    } finally {
      freed += 1;
    }
  }
  return {
    results,
    freed: () => freed,
    push(...values: FormattedResult[]) {
      waiting.push(...values);
      wake();
    },
    waiting: () => waiting.length,
    end(how: unknown = true) {
      ended = how;
      wake();
    },
  };
}

type Begin = (caller: OperationCaller) => Outcome | Promise<Outcome>;

async function begin(act: Begin, options: HarnessOptions & { connections?: number } = {}) {
  app = await openHarness(options);
  const callers: OperationCaller[] = [];
  const operations: Operations = {
    async begin(_, caller) {
      callers.push(caller);
      return act(caller);
    },
  };
  const connections = createConnections(options.connections ?? 1024);
  const streams = createStreams(app.http, app.deps, operations, connections);
  const handler = async (exchange: Exchange): Promise<void> => {
    const ticket = await app.http.admit(exchange);
    await streams.run(exchange, ticket, { query: "{ a }" }, "http://a");
  };
  app.http.route({ path: "/graphql", methods: { GET: handler, POST: handler } });
  const key = await app.key("team");
  const authorization = `Bearer ${key}`;
  const open = async (method = "POST", headers: Record<string, string> = { authorization }) => {
    const leaving = new AbortController();
    const response = await app.get("/graphql", { method, headers, signal: leaving.signal });
    let text = "";
    let over = false;
    const reading = (async () => {
      try {
        for await (const chunk of response.body as AsyncIterable<Uint8Array>)
          text += Buffer.from(chunk).toString();
      } catch {
        // Whether the stream was cut off or left.
      }
      over = true;
    })();
    return {
      response,
      text: () => text,
      isOver: () => over,
      reading,
      async leave() {
        leaving.abort();
        await reading;
      },
    };
  };
  return { key, authorization, connections, callers, open };
}

const request = (authorization: string): string =>
  `GET /graphql HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`;

const value = (n: number): FormattedResult => ({ data: { n } });

test("a query is one next and a complete", async () => {
  const { open, callers } = await begin(() => ({ kind: "result", result: { data: { a: "1\n2\u2028" } } }));
  const reader = await open();
  await reader.reading;
  expect(reader.response.status).toBe(200);
  expect(reader.response.headers.get("content-type")).toBe("text/event-stream");
  expect(reader.response.headers.get("cache-control")).toBe("no-store");
  expect(reader.response.headers.get("x-accel-buffering")).toBe("no");
  expect(reader.response.headers.get("x-ratelimit-limit")).toBe("10000");
  expect(reader.text()).toBe('event: next\ndata: {"data":{"a":"1\\n2\u2028"}}\n\nevent: complete\ndata:\n\n');
  expect(callers[0]).toMatchObject({ mutation: true, subscription: true, baseUrl: "http://a" });
  await (
    await open("GET")
  ).reading;
  expect(callers[1]).toMatchObject({ mutation: false, subscription: true });
});

test("errors of a document are sent in the stream, other refusals by status", async () => {
  const refusal = (code: string, status: number, headers: string[] = []): Outcome => ({
    kind: "refused",
    errors: [{ message: "No.", extensions: { code } }],
    status,
    headers,
  });
  const outcomes = [
    refusal("invalid_input", 400),
    // A subscription that the caller may not have.
    refusal("missing_key", 200),
    refusal("quota_exceeded", 429, ["Retry-After", "7"]),
    refusal("method_not_allowed", 405, ["Allow", "POST"]),
  ];
  const { open } = await begin(() => outcomes.shift() as Outcome);
  const wrong = await open();
  await wrong.reading;
  expect(wrong.response.status).toBe(200);
  expect(wrong.text()).toBe(
    'event: next\ndata: {"errors":[{"message":"No.","extensions":{"code":"invalid_input"}}]}\n\nevent: complete\ndata:\n\n',
  );
  const mine = await open();
  await mine.reading;
  expect(mine.text()).toContain('"code":"missing_key"');
  expect(mine.text()).toMatch(/^event: next\n.*\n\nevent: complete\ndata:\n\n$/);
  const spent = await open();
  await spent.reading;
  expect(spent.response.status).toBe(429);
  expect(spent.response.headers.get("retry-after")).toBe("7");
  expect(spent.response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(JSON.parse(spent.text())).toEqual({
    errors: [{ message: "No.", extensions: { code: "quota_exceeded" } }],
  });
  const method = await open("GET");
  await method.reading;
  expect(method.response.status).toBe(405);
  expect(method.response.headers.get("allow")).toBe("POST");
  expect(app.logged().map(({ outcome }) => outcome)).toEqual([
    "invalid_input",
    "missing_key",
    "quota_exceeded",
    "method_not_allowed",
  ]);
});

test("a subscription sends each value as it comes, and a complete when it ends by itself", async () => {
  const source = createSource();
  const { open, connections } = await begin(({ signal }) => ({
    kind: "stream",
    results: source.results(signal),
  }));
  const reader = await open();
  // The head is sent at once: a client must know that it is subscribed.
  expect(reader.response.status).toBe(200);
  expect(reader.text()).toBe("");
  expect(connections.open()).toBe(1);
  source.push(value(1));
  await expect.poll(reader.text).toBe('event: next\ndata: {"data":{"n":1}}\n\n');
  source.push(...Array.from({ length: 5000 }, (_, n) => value(n + 2)));
  source.end();
  await reader.reading;
  const seen = [...reader.text().matchAll(/^data: \{"data":\{"n":(\d+)\}\}$/gm)].map(([, n]) => Number(n));
  expect(seen).toEqual(Array.from({ length: 5001 }, (_, n) => n + 1));
  expect(reader.text().endsWith("event: complete\ndata:\n\n")).toBe(true);
  expect(source.freed()).toBe(1);
  expect(connections.open()).toBe(0);
  await expect.poll(() => app.http.inFlight()).toBe(0);
});

test("a disconnect frees the subscription, listening or being created", async () => {
  const source = createSource();
  let made = (): void => {};
  const making = new Promise<void>((resolve) => (made = resolve));
  const { open, callers, connections, authorization } = await begin(async ({ signal }) => {
    if (callers.length > 1) await making;
    return { kind: "stream", results: source.results(signal) };
  });
  const reader = await open();
  await reader.leave();
  await expect.poll(source.freed).toBe(1);
  expect(callers[0]?.signal.aborted).toBe(true);
  const raw = openRaw(app.port, request(authorization));
  await expect.poll(() => callers.length).toBe(2);
  raw.socket.destroy();
  await expect.poll(() => callers[1]?.signal.aborted).toBe(true);
  made();
  await expect.poll(() => app.http.inFlight()).toBe(0);
  expect(connections.open()).toBe(0);
});

test("ends after the revocation of its key, without a complete", async () => {
  const source = createSource();
  const { open, key } = await begin(({ signal }) => ({ kind: "stream", results: source.results(signal) }));
  const mine = await Promise.all([open(), open()]);
  const other = await open("POST", { authorization: `Bearer ${await app.key("team")}` });
  source.push(value(1), value(1), value(1));
  const start = performance.now();
  await app.keys.revoke(key);
  await Promise.all(mine.map(({ reading }) => reading));
  expect(performance.now() - start).toBeLessThan(60_000);
  for (const { text } of mine) expect(text()).not.toContain("complete");
  expect(other.isOver()).toBe(false);
  expect(source.freed()).toBe(2);
  await other.leave();
});

test("streams of one key share a check, and its refusal is not counted", async () => {
  const source = createSource();
  const { open, key, authorization } = await begin(({ signal }) => ({
    kind: "stream",
    results: source.results(signal),
  }));
  const readers = await Promise.all(Array.from({ length: 40 }, () => open()));
  await app.keys.revoke(key);
  await Promise.all(readers.map(({ reading }) => reading));
  // After thirty refusals a minute, this address would have to wait.
  const again = await open("POST", { authorization });
  expect(again.response.status).toBe(401);
});

test("invalid credentials from its address neither end a stream nor keep one that is to end", async () => {
  const source = createSource();
  const { open, key } = await begin(({ signal }) => ({ kind: "stream", results: source.results(signal) }));
  const mine = await open();
  const other = await open("POST", { authorization: `Bearer ${await app.key("team")}` });
  for (let i = 0; i < 30; i += 1) await open("POST", { authorization: "Bearer junk" });
  expect((await open("POST", { authorization: "Bearer junk" })).response.status).toBe(429);
  const { lookup, remembered } = app.store.keys;
  Object.assign(app.store.keys, { lookup: async (id: string) => lookup(id), remembered: () => undefined });
  await sleep(900);
  Object.assign(app.store.keys, { lookup, remembered });
  expect([mine.isOver(), other.isOver()]).toEqual([false, false]);
  await app.keys.revoke(key);
  await mine.reading;
  expect(other.isOver()).toBe(false);
  await other.leave();
});

test("an internal fault ends the stream without details", async () => {
  const source = createSource();
  const { open } = await begin(({ signal }) => ({ kind: "stream", results: source.results(signal) }));
  const reader = await open();
  source.push(value(1));
  await expect.poll(reader.text).not.toBe("");
  source.end(new Error("the inside"));
  await reader.reading;
  expect(reader.text()).toBe('event: next\ndata: {"data":{"n":1}}\n\n');
  await expect.poll(() => app.logged().some(({ outcome }) => outcome === "internal")).toBe(true);
  expect(source.freed()).toBe(1);
});

test("64 connections of an account, and so many together", async () => {
  const source = createSource();
  const { open, connections, callers } = await begin(
    ({ signal }) => ({ kind: "stream", results: source.results(signal) }),
    { connections: 66 },
  );
  const readers = await Promise.all(Array.from({ length: 64 }, () => open()));
  const refused = await open();
  expect(refused.response.status).toBe(503);
  expect(refused.response.headers.get("retry-after")).toBe("5");
  // A subscription that found no room is freed like any other.
  expect(callers[64]?.signal.aborted).toBe(true);
  const another = { authorization: `Bearer ${await app.key("team")}` };
  const others = [await open("POST", another), await open("POST", another)];
  expect(others.map(({ response }) => response.status)).toEqual([200, 200]);
  expect((await open("POST", another)).response.status).toBe(503);
  await readers[0]?.leave();
  await expect.poll(() => connections.open()).toBe(65);
  const again = await open();
  expect(again.response.status).toBe(200);
  await Promise.all([...readers, ...others, again].map((one) => one.leave()));
});

test("a reader that stops reading is cut off, holds back its source, and affects no other", async () => {
  const deaf = createSource();
  const lively = createSource();
  const sources = [deaf, lively];
  const { open, authorization } = await begin(
    ({ signal }) => ({
      kind: "stream",
      results: (sources.shift() as typeof deaf).results(signal),
    }),
    { timeouts: { write: 600, sweep: 50 } },
  );
  const socket = connect(app.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(request(authorization));
  await expect.poll(() => sources.length).toBe(1);
  socket.pause();
  const reader = await open();
  const large = { data: { text: "x".repeat(1_000_000) } };
  deaf.push(...Array.from({ length: 40 }, () => large));
  lively.push(value(1));
  await expect.poll(reader.text).toContain('{"n":1}');
  await expect.poll(deaf.freed).toBe(1);
  // At most what the kernel buffers took.
  expect(deaf.waiting()).toBeGreaterThan(20);
  lively.push(value(2));
  await expect.poll(reader.text).toContain('{"n":2}');
  await reader.leave();
  socket.destroy();
});

test("sends keep-alives while it is idle", async () => {
  const source = createSource();
  const { open } = await begin(({ signal }) => ({ kind: "stream", results: source.results(signal) }), {
    timeouts: { ping: 300 },
  });
  const reader = await open();
  await expect.poll(reader.text).toMatch(/^: ping\n\n: ping\n\n/);
  source.push(value(1));
  await expect.poll(reader.text).toContain('event: next\ndata: {"data":{"n":1}}\n\n');
  await reader.leave();
});

test("a server that shuts down does not wait for streams, and does not call them complete", async () => {
  const source = createSource();
  const { open } = await begin(({ signal }) => ({ kind: "stream", results: source.results(signal) }));
  const readers = await Promise.all([open(), open()]);
  const start = performance.now();
  await app.listener.close(600_000);
  expect(performance.now() - start).toBeLessThan(60_000);
  await Promise.all(readers.map(({ reading }) => reading));
  for (const { text } of readers) expect(text()).toBe("");
  expect(source.freed()).toBe(2);
});

test("HEAD of a stream ends at once", async () => {
  const source = createSource();
  const { open, connections } = await begin(({ signal }) => ({
    kind: "stream",
    results: source.results(signal),
  }));
  const reader = await open("HEAD");
  expect(reader.response.status).toBe(200);
  expect(reader.response.headers.get("content-type")).toBe("text/event-stream");
  expect(connections.open()).toBe(0);
  expect(app.http.inFlight()).toBe(0);
});

test("an error that the operation itself has thrown is answered as everywhere", async () => {
  const { open } = await begin(() => {
    throw new ToolError("storage_unavailable", "The store does not answer.");
  });
  const reader = await open();
  expect(reader.response.status).toBe(503);
  await reader.reading;
});
