import { afterEach, describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import { openRawSocket } from "../graphql/raw-socket.ts";
import { openSocketServer, type SocketServer } from "../graphql/socket-server.ts";
import { openHarness, openRaw, type Harness } from "../harness.ts";

let app: Harness | SocketServer;
afterEach(() => app.close());

const problemOf = (head: string): Record<string, unknown> =>
  JSON.parse(head.slice(head.indexOf("\r\n\r\n") + 4)) as Record<string, unknown>;

describe("a handshake", () => {
  test("becomes a WebSocket, with one line in the log at its end", async () => {
    app = await openSocketServer();
    const raw = await openRawSocket(app.port, { headers: { "X-Request-Id": "mine-1" } });
    expect(raw.head).toMatch(/^HTTP\/1\.1 101 /);
    expect(raw.head).toContain("Sec-WebSocket-Protocol: graphql-transport-ws\r\n");
    expect(raw.head).not.toContain("Sec-WebSocket-Extensions");
    raw.send({ type: "connection_init" });
    await raw.message();
    expect(app.logged()).toEqual([]);
    raw.socket.destroy();
    await expect.poll(() => app.logged().length).toBe(1);
    expect(app.logged()[0]).toMatchObject({
      requestId: "mine-1",
      method: "GET",
      path: "/graphql",
      status: 101,
      outcome: "cancelled",
      ip: "127.0.0.1",
    });
    expect(app.logged()[0]?.["bytesIn"]).toBeGreaterThan(20);
    expect(app.logged()[0]?.["bytesOut"]).toBeGreaterThan(20);
    const metrics = await (await app.get("/metrics")).text();
    expect(metrics).toMatch(/requests_total\{.*route="\/graphql \(WebSocket\)".*status="101".*\} 1\n/);
  });

  test("is accepted below the base path, and nowhere else", async () => {
    app = await openSocketServer({ http: { basePath: "/kit" }, listener: { basePath: "/kit" } });
    // A slash at the end changes nothing, as for any other request.
    for (const path of ["/kit/graphql", "/kit/graphql/"])
      expect((await openRawSocket(app.port, { path })).head).toMatch(/^HTTP\/1\.1 101 /);
    for (const path of ["/graphql", "/kit/graphql//", "/kit", "/kit/graphql/x", "//kit/graphql"]) {
      const raw = openRaw(
        app.port,
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      );
      expect(await raw.all(), path).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  test.each([
    ["another version", { "Sec-WebSocket-Version": "8" }, 400, /Version: 13/],
    ["an invalid key", { "Sec-WebSocket-Key": "short" }, 400, /16 bytes/],
    ["a protocol twice", { "Sec-WebSocket-Protocol": "a, a" }, 400, /different names/],
    ["invalid protocols", { "Sec-WebSocket-Protocol": "a,,b" }, 400, /different names/],
    ["two hosts", { host: "b" }, 400, /one Host/],
    ["a page of another origin", { Origin: "https://evil.example" }, 403, /corsOrigins/],
    ["a page without an origin", { Origin: "null" }, 403, /corsOrigins/],
    ["a page of another port", { Origin: "http://127.0.0.1:1" }, 403, /corsOrigins/],
  ])("%s is refused with a problem document", async (_, headers, status, sentence) => {
    app = await openSocketServer();
    const { head } = await openRawSocket(app.port, { headers: headers as Record<string, string> });
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain("Content-Type: application/problem+json");
    expect(head).toContain("Connection: close");
    const problem = problemOf(head);
    expect(problem).toMatchObject({ status, instance: "/graphql" });
    expect(problem["detail"]).toMatch(sentence);
    await expect.poll(() => app.logged().length).toBe(1);
    expect(app.logged()[0]).toMatchObject({
      status,
      requestId: problem["requestId"],
      outcome: problem["code"],
    });
  });

  test("a key in the URL is refused, and is not logged", async () => {
    app = await openSocketServer();
    const path = "/graphql?token=svc_live_abcdefghijklmnopqrstuvwxyz";
    const { head } = await openRawSocket(app.port, { path });
    expect(problemOf(head)).toMatchObject({ status: 400, code: "key_in_query" });
    await expect.poll(() => app.logText()).toContain("key_in_query");
    expect(app.logText()).not.toContain("abcdefgh");
  });

  test.each([
    ["its own origin", (port: number) => `http://127.0.0.1:${port}`, []],
    ["its own origin behind TLS", (port: number) => `https://127.0.0.1:${port}`, []],
    ["a listed origin", () => "https://CI.example.com", ["https://ci.example.com/"]],
    ["every origin", () => "null", ["*"]],
  ])("of %s is accepted", async (_, origin, corsOrigins) => {
    app = await openSocketServer({ http: { corsOrigins } });
    const { head } = await openRawSocket(app.port, { headers: { Origin: origin(app.port) } });
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
  });

  test("counts the client that a trusted proxy reports", async () => {
    app = await openSocketServer({ trustedProxies: ["127.0.0.1"] });
    const raw = await openRawSocket(app.port, { headers: { "X-Forwarded-For": "203.0.113.9" } });
    raw.socket.destroy();
    await expect.poll(() => app.logged()[0]?.["ip"]).toBe("203.0.113.9");
  });

  test("the handler may refuse it", async () => {
    app = await openHarness();
    app.http.upgrade("/live", async () => {
      throw new ToolError("overloaded", "Too many.", { retryAfter: 7 });
    });
    const { head } = await openRawSocket(app.port, { path: "/live" });
    expect(head).toMatch(/^HTTP\/1\.1 503 /);
    expect(head).toContain("Retry-After: 7\r\n");
  });

  test("an internal fault reveals no details", async () => {
    app = await openHarness();
    app.http.upgrade("/live", () => {
      throw new Error("the inside");
    });
    const { head } = await openRawSocket(app.port, { path: "/live" });
    expect(head).toMatch(/^HTTP\/1\.1 500 /);
    expect(head).not.toContain("the inside");
    expect(app.logText()).toContain("the inside");
  });

  test("a client that has disconnected meanwhile leaves nothing behind", async () => {
    app = await openSocketServer();
    for (let round = 0; round < 20; round++) {
      const raw = openRaw(
        app.port,
        `GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      );
      raw.socket.once("connect", () => raw.socket.resetAndDestroy());
      await raw.all();
    }
    await expect.poll(() => app.http.inFlight()).toBe(0);
    expect((await app.get("/healthz")).status).toBe(200);
  });
});

describe("requests that are not a handshake stay requests", () => {
  test.each([
    ["another protocol", "GET /healthz", "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n", 200],
    ["another path", "GET /healthz", "Upgrade: websocket\r\n", 200],
    ["another method", "POST /graphql", "Upgrade: websocket\r\nContent-Length: 0\r\n", 404],
    ["a body", "GET /graphql", "Upgrade: websocket\r\nContent-Length: 2\r\n", 404],
  ])("%s", async (_, line, headers, status) => {
    app = await openSocketServer();
    const raw = openRaw(
      app.port,
      `${line} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\n${headers}\r\n${line.startsWith("GET /graphql") ? "{}" : ""}`,
    );
    expect(await raw.all()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test("and so does one behind a call without an answer yet: the answers would be out of order", async () => {
    app = await openSocketServer();
    const raw = openRaw(
      app.port,
      `POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"data":"[1]"}GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    const all = await raw.all();
    expect(all).toMatch(/^HTTP\/1\.1 200 /);
    expect(all).toContain("HTTP/1.1 404 ");
    expect(all).not.toContain("HTTP/1.1 101");
  });
});
