import { toShared } from "../../../../src/surfaces/http/shared.ts";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { createClient, type Client } from "graphql-ws";
import { afterEach, describe, expect, test } from "vitest";
import { sleep } from "../harness.ts";
import { freshMs } from "../../../../src/storage/record-cache.ts";
import { defaultTimes } from "../../../../src/surfaces/graphql/socket.ts";
import { type RawSocket, toFrame } from "./raw-socket.ts";
import { createSource, openSocketServer, result, type SocketServer } from "./socket-server.ts";

let app: SocketServer;
let client: Client | undefined;
afterEach(async () => {
  await client?.dispose();
  client = undefined;
  await app.close();
});

const subscribe = (query: string, id = "1", more: object = {}): object => ({
  type: "subscribe",
  id,
  payload: { query, ...more },
});

/** An operation that ends only when it is cancelled. */
const forever = {
  operation: async ({ signal }: { signal: AbortSignal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return result(null);
  },
};

test("a slash at the end of the path makes no difference, as over HTTP", async () => {
  app = await openSocketServer();
  const { head } = await app.socket({ path: "/graphql/" });
  expect(head).toMatch(/^HTTP\/1\.1 101 /);
});

describe("the stock client", () => {
  const open = (params: Record<string, unknown> = {}): Client =>
    (client = createClient({
      url: `${app.url.replace("http", "ws")}/graphql`,
      connectionParams: params,
      retryAttempts: 0,
      lazy: true,
    }));

  const collect = async (query: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const one of (client as Client).iterate({ query })) found.push(one);
    return found;
  };

  test("receives answers to queries, and every value of a subscription in order", async () => {
    const source = createSource();
    app = await openSocketServer({ operations: { events: source.operation } });
    open();
    expect(await collect("{ viewer }")).toEqual([{ data: { echo: "{ viewer }" } }]);
    const collecting = collect("events");
    await expect.poll(source.listeners).toBe(1);
    for (let value = 0; value < 100; value++) source.push({ value });
    await sleep(50);
    source.end();
    expect(await collecting).toEqual(Array.from({ length: 100 }, (_, value) => ({ data: { value } })));
    expect(source.listeners()).toBe(0);
  });

  test("unsubscribes, which removes its listener", async () => {
    const source = createSource();
    app = await openSocketServer({ operations: { events: source.operation } });
    open();
    const values = (client as Client).iterate({ query: "events" });
    const first = values.next();
    await expect.poll(source.listeners).toBe(1);
    source.push({ value: 1 });
    expect((await first).value).toEqual({ data: { value: 1 } });
    await values.return?.();
    await expect.poll(source.listeners).toBe(0);
    expect(app.callers[0]?.signal.aborted).toBe(true);
  });

  test("receives the code of a refusal and continues", async () => {
    app = await openSocketServer({
      operations: {
        bad: () => ({
          kind: "refused",
          status: 400,
          headers: [],
          errors: [{ message: "No such field.", extensions: { code: "invalid_input" } }],
        }),
      },
    });
    open();
    await expect(collect("bad")).rejects.toMatchObject([
      { message: "No such field.", extensions: { code: "invalid_input" } },
    ]);
    expect(await collect("{ more }")).toEqual([{ data: { echo: "{ more }" } }]);
  });

  test("is accepted with a key", async () => {
    app = await openSocketServer({ anonymous: false });
    open({ Authorization: `Bearer ${await app.key("team", "acme")}` });
    await collect("{ viewer }");
    expect(app.callers[0]?.ticket).toMatchObject({
      principal: { kind: "key", account: "acme", plan: "team" },
      quota: { used: 1, limit: 10_000 },
    });
  });

  test("receives a result of several megabytes", async () => {
    const text = "ü".repeat(2_000_000);
    app = await openSocketServer({ operations: { large: () => result({ text }) } });
    open();
    expect(await collect("large")).toEqual([{ data: { text } }]);
  });
});

describe("authentication", () => {
  const refusedWith = async (payload?: object, headers?: Record<string, string>) => {
    const raw = await app.socket({ ...(headers && { headers }) });
    raw.send({ type: "connection_init", ...(payload && { payload }) });
    const closed = await raw.closed();
    raw.socket.destroy();
    return closed;
  };

  test("is anonymous without a credential, and counted by address", async () => {
    app = await openSocketServer();
    const raw = await app.ready();
    raw.send(subscribe("{ a }"));
    expect(await raw.message()).toEqual({ id: "1", type: "next", payload: { data: { echo: "{ a }" } } });
    expect(await raw.message()).toEqual({ id: "1", type: "complete" });
    expect(app.callers[0]).toMatchObject({
      ip: "127.0.0.1",
      baseUrl: app.url,
      mutation: true,
      subscription: true,
      ticket: { principal: { kind: "anonymous", ip: "127.0.0.1" }, quota: { used: 1 } },
    });
  });

  test.each([["authorization"], ["Authorization"], ["AUTHORIZATION"]])(
    "accepts a key in %s",
    async (name) => {
      app = await openSocketServer();
      const raw = await app.ready({ [name]: `Bearer ${await app.key("pro", "acme")}` });
      raw.send(subscribe("{ a }"));
      await raw.message();
      expect(app.callers[0]?.ticket.principal.account).toBe("acme");
      raw.socket.destroy();
      await expect.poll(() => app.logged()[0]).toMatchObject({ account: "acme", status: 101 });
    },
  );

  test("or in the header of the handshake", async () => {
    app = await openSocketServer();
    const headers = { Authorization: `Bearer ${await app.key("pro", "acme")}` };
    const raw = await app.ready(undefined, { headers });
    raw.send(subscribe("{ a }"));
    await raw.message();
    expect(app.callers[0]?.ticket.principal.account).toBe("acme");
  });

  test("is refused with 4403 and the code", async () => {
    app = await openSocketServer();
    const key = await app.key();
    const header = { Authorization: `Bearer ${key}` };
    const unknown = `${key.slice(0, 10)}${"0".repeat(37)}`;
    expect(await refusedWith({ authorization: `Bearer ${key}` }, header)).toMatchObject({
      code: 4403,
      reason: expect.stringMatching(/^conflicting_credentials: /) as string,
    });
    for (const [payload, headers, code] of [
      [{ authorization: "Bearer svc_live_short" }, undefined, "malformed_key"],
      [{ authorization: unknown }, undefined, "malformed_key"],
      [{ authorization: 7 }, undefined, "malformed_key"],
      [{ authorization: null }, undefined, "malformed_key"],
      [{ authorization: "Basic YTpi" }, undefined, "malformed_key"],
      [{ authorization: "Bearer a", Authorization: "Bearer a" }, undefined, "conflicting_credentials"],
      [undefined, { "X-API-Key": key }, "malformed_key"],
    ] as const) {
      const { code: closed, reason } = await refusedWith(payload, headers);
      expect([closed, reason.split(":")[0]]).toEqual([4403, code]);
      expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
      expect(reason).not.toContain(key.slice(12));
    }
    await expect.poll(() => app.logged().at(-1)).toMatchObject({ outcome: "malformed_key", status: 101 });
    expect(app.logText()).not.toContain(key.slice(12));
  });

  test("an address is blocked after thirty refusals", async () => {
    app = await openSocketServer();
    for (let count = 0; count < 30; count++) await refusedWith({ authorization: "Bearer svc_live_x" });
    expect((await refusedWith({ authorization: "Bearer svc_live_x" })).reason).toMatch(/^quota_exceeded: /);
  });

  test("on a private endpoint an anonymous caller can sign in, and nothing else", async () => {
    app = await openSocketServer({ anonymous: false });
    const raw = await app.ready();
    raw.send(subscribe("{ viewer }"));
    expect(await raw.message()).toMatchObject({
      type: "error",
      id: "1",
      payload: [{ extensions: { code: "missing_key", status: 401 } }],
    });
    expect(app.callers).toHaveLength(0);
    raw.send(subscribe('mutation { signIn(code: "x") { token } }'));
    expect(await raw.message()).toMatchObject({ type: "next" });
  });

  test("a store that does not answer closes with 1013, which makes the client reconnect", async () => {
    app = await openSocketServer();
    const key = await app.key();
    app.store.keys.lookup = async () => {
      const { ToolError } = await import("../../../../src/catalog/errors.ts");
      throw new ToolError("storage_unavailable", "The store cannot be reached.");
    };
    expect(await refusedWith({ authorization: `Bearer ${key}` })).toEqual({
      code: 1013,
      reason: "storage_unavailable: The store cannot be reached.",
    });
  });
});

describe("while it is open", () => {
  test("each operation is counted, and a spent quota is an error of that operation", async () => {
    app = await openSocketServer();
    const raw = await app.ready();
    for (let id = 1; id <= 100; id++) {
      raw.send(subscribe("{ a }", String(id)));
      expect(await raw.message()).toMatchObject({ type: "next" });
      await raw.message();
    }
    raw.send(subscribe("{ a }", "101"));
    const refused = await raw.message();
    expect(refused).toMatchObject({
      id: "101",
      type: "error",
      payload: [
        {
          extensions: {
            code: "quota_exceeded",
            status: 429,
            type: "/problems/quota_exceeded",
            limit: 100,
            retryAfter: expect.any(Number) as number,
          },
        },
      ],
    });
    expect(app.callers).toHaveLength(100);
  });

  test("variables keep their original text", async () => {
    app = await openSocketServer();
    const raw = await app.ready();
    raw.send(
      '{"payload":{"variables":{"a":0},"query":"{ v }"},"id":"1","type":"subscribe","payload":{"variables":{"a":1},"operationName":"v", "variables" : {"a":12345678901234567890.10} ,"query":"{ v }"}}',
    );
    await raw.message();
    expect(app.params[0]).toMatchObject({ query: "{ v }", operationName: "v" });
    expect(app.params[0]?.source).toBe('{"a":12345678901234567890.10}');
  });

  test("a serialized answer is sent unchanged", async () => {
    const text = '{"data":{"a":1}}';
    app = await openSocketServer({
      operations: {
        schema: () => ({ kind: "result", result: { data: null }, kept: { text, ...toShared(text) } }),
      },
    });
    const raw = await app.ready();
    raw.send(subscribe("schema"));
    expect(await raw.message()).toEqual({ id: "1", type: "next", payload: { data: { a: 1 } } });
  });

  test("a query that its client completes is cancelled at once", async () => {
    app = await openSocketServer({ operations: { slow: forever.operation } });
    const raw = await app.ready();
    raw.send(subscribe("slow"));
    await expect.poll(() => app.callers.length).toBe(1);
    raw.send({ type: "complete", id: "1" });
    await expect.poll(() => app.callers[0]?.signal.aborted).toBe(true);
    raw.send(subscribe("{ a }", "2"));
    expect(await raw.message()).toMatchObject({ id: "2", type: "next" });
  });

  test("a disconnected client stops all of its operations", async () => {
    const source = createSource();
    app = await openSocketServer({ operations: { slow: forever.operation, events: source.operation } });
    const raw = await app.ready();
    raw.send(subscribe("slow", "1"));
    raw.send(subscribe("events", "2"));
    await expect.poll(source.listeners).toBe(1);
    raw.socket.destroy();
    await expect.poll(source.listeners).toBe(0);
    expect(app.callers.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  test("an internal fault is masked, logged, and limited to its operation", async () => {
    app = await openSocketServer({
      operations: {
        bug: () => {
          throw new Error("the inside");
        },
        late: () => ({
          kind: "stream",
          results: (async function* () {
            yield { data: 1 };
            throw new Error("the inside of a stream");
          })(),
        }),
      },
    });
    const raw = await app.ready();
    raw.send(subscribe("bug", "1"));
    const masked = { type: "error", payload: [{ extensions: { code: "internal", status: 500 } }] };
    expect(await raw.message()).toMatchObject({ id: "1", ...masked });
    raw.send(subscribe("late", "2"));
    expect(await raw.message()).toMatchObject({ id: "2", type: "next" });
    expect(await raw.message()).toMatchObject({ id: "2", ...masked });
    expect(Buffer.concat(raw.frames.map(({ payload }) => payload)).toString()).not.toContain("the inside");
    expect(app.logText()).toContain("the inside of a stream");
    raw.send(subscribe("{ a }", "3"));
    expect(await raw.message()).toMatchObject({ id: "3", type: "next" });
  });

  test("the protocol's own pings are answered, without their payload", async () => {
    app = await openSocketServer();
    const raw = await app.ready();
    raw.send({ type: "ping", payload: { a: "b" } });
    expect(await raw.message()).toEqual({ type: "pong" });
  });
});

describe("a credential that has become invalid", () => {
  const opened = async (
    count = 1,
  ): Promise<{ raws: RawSocket[]; id: string; source: ReturnType<typeof createSource> }> => {
    const source = createSource();
    app = await openSocketServer({ operations: { events: source.operation } });
    await app.accounts.create({ name: "acme", plan: "pro" });
    const { key, record } = await app.keys.issue({ account: "acme" });
    const raws = await Promise.all(
      Array.from({ length: count }, () => app.ready({ authorization: `Bearer ${key}` })),
    );
    for (const raw of raws) raw.send(subscribe("events"));
    await expect.poll(source.listeners).toBe(count);
    return { raws, id: record.id, source };
  };

  test("closes its connections, with 4403, and no other", async () => {
    const { raws, id, source } = await opened(10);
    const other = await app.ready({ authorization: `Bearer ${await app.key()}` });
    const stranger = await app.ready();
    const revokedAt = performance.now();
    await app.keys.revoke(id);
    const closed = await Promise.all(raws.map((raw) => raw.closed()));
    expect(performance.now() - revokedAt).toBeLessThan(60_000);
    expect(closed.map(({ code }) => code)).toEqual(Array(10).fill(4403));
    expect(closed[0]?.reason).toMatch(/^revoked_key: /);
    expect(source.listeners()).toBe(0);
    for (const raw of [other, stranger]) {
      raw.send(subscribe("{ a }"));
      expect(await raw.message()).toMatchObject({ type: "next" });
    }
    for (const raw of raws) raw.socket.destroy();
    await expect.poll(() => app.logged().length).toBe(10);
    expect(app.logged()[0]).toMatchObject({ outcome: "revoked_key", status: 101, account: "acme" });
  });

  test("closes them even if its address may send no more credentials", async () => {
    const { raws, id } = await opened();
    let reason = "";
    for (let i = 0; i <= 30; i += 1) {
      const raw = await app.socket();
      raw.send({ type: "connection_init", payload: { authorization: "Bearer junk" } });
      ({ reason } = await raw.closed());
      raw.socket.destroy();
    }
    expect(reason).toMatch(/^quota_exceeded: /);
    await app.keys.revoke(id);
    expect(await raws[0]?.closed()).toMatchObject({
      code: 4403,
      reason: expect.stringMatching(/^revoked_key: /) as string,
    });
  });

  test.each([
    ["an account that is disabled", () => app.accounts.disable("acme"), /^account_disabled: /],
    [
      "a plan without keys",
      () => app.accounts.set("acme", { plan: "free", revokeKeys: true }),
      /^(?:revoked_key|forbidden): /,
    ],
  ])("also closes them for %s", async (_, act, reason) => {
    const { raws } = await opened();
    await act();
    expect(await raws[0]?.closed()).toMatchObject({
      code: 4403,
      reason: expect.stringMatching(reason) as string,
    });
  });

  test("closes them within a second on every node: the age of a cached record and the pause between two checks", () => {
    expect(freshMs + defaultTimes.look).toBeLessThan(1000);
  });

  test("is checked once, however many connections use it", async () => {
    const { id } = await opened(20);
    const looks: string[] = [];
    const { lookup } = app.store.keys;
    app.store.keys.lookup = (asked) => {
      looks.push(asked);
      return lookup(asked);
    };
    await sleep(1300);
    expect(looks.length).toBeLessThanOrEqual(4);
    expect(new Set(looks)).toEqual(new Set([id.slice(4)]));
  });

  test("a changed plan changes the quota at once", async () => {
    const { raws } = await opened();
    await app.accounts.set("acme", { plan: "team" });
    await sleep(1000);
    raws[0]?.send(subscribe("{ a }", "2"));
    await raws[0]?.message();
    expect(app.callers.at(-1)?.ticket.quota?.limit).toBe(10_000);
  });
});

test("TLS behaves the same", async () => {
  const folder = mkdtempSync(join(tmpdir(), "penknife-socket-"));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost";
  execFileSync("openssl", [...options.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
  const source = createSource();
  app = await openSocketServer({
    listener: { tls: { cert, key } },
    operations: { events: source.operation },
    times: { look: 50, pong: 60_000 },
    timeouts: { ping: 100 },
  });
  const socket = connectTls({ port: app.port, host: "127.0.0.1", rejectUnauthorized: false });
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  const raw = await app.ready(undefined, { socket });
  raw.send(subscribe("events"));
  await expect.poll(source.listeners).toBe(1);
  expect(app.callers[0]?.baseUrl).toBe(`https://127.0.0.1:${app.port}`);
  const text = "x".repeat(100_000);
  for (let value = 0; value < 20; value++) {
    source.push({ value, text });
    expect(await raw.message()).toMatchObject({ payload: { data: { value } } });
  }
  raw.write(toFrame("", { opcode: 10 }));
  expect(await app.listener.close(100)).toBeUndefined();
  expect(await raw.closed()).toMatchObject({ code: 1001 });
  rmSync(folder, { recursive: true });
});

describe("shutdown", () => {
  test("closes with 1001 after running queries and mutations", async () => {
    const source = createSource();
    let finish = (): void => {};
    app = await openSocketServer({
      operations: {
        events: source.operation,
        slow: async () => {
          await new Promise<void>((resolve) => (finish = resolve));
          return result("done");
        },
      },
    });
    const listening = await app.ready();
    listening.send(subscribe("events"));
    const working = await app.ready();
    working.send(subscribe("slow"));
    await expect.poll(() => app.callers.length).toBe(2);
    const closing = app.listener.close(60_000);
    expect(await listening.closed()).toMatchObject({ code: 1001 });
    expect(source.listeners()).toBe(0);
    working.send(subscribe("{ a }", "2"));
    expect(await working.message()).toMatchObject({
      id: "2",
      type: "error",
      payload: [{ extensions: { code: "overloaded" } }],
    });
    finish();
    expect(await working.message()).toMatchObject({ id: "1", type: "next", payload: { data: "done" } });
    expect(await working.message()).toMatchObject({ id: "1", type: "complete" });
    expect(await working.closed()).toMatchObject({ code: 1001 });
    listening.socket.destroy();
    working.socket.destroy();
    await closing;
  });

  test("does not wait for unresponsive clients", async () => {
    app = await openSocketServer({ operations: { slow: forever.operation } });
    const raw = await app.ready();
    raw.send(subscribe("slow"));
    await expect.poll(() => app.callers.length).toBe(1);
    const before = performance.now();
    await app.listener.close(300);
    expect(performance.now() - before).toBeLessThan(60_000);
    await raw.ended();
    await expect.poll(() => app.callers[0]?.signal.aborted).toBe(true);
  });
});
