import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../../src/catalog/tool.ts";
import { openHarness, type Harness } from "../harness.ts";

let app: Harness;
afterEach(() => app.close());

const path = "/api/tools/json-formatter";
const body = '{"data":"1"}';

describe("the request id", () => {
  test.each([
    ["a-b_c.9", true],
    ["x".repeat(64), true],
    ["x".repeat(65), false],
    ["a b", false],
    ['a"b', false],
    ["ä", false],
  ])("%j", async (id, accepted) => {
    app = await openHarness();
    const raw = app.raw(
      `GET /nothing HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n`,
    );
    const answer = await raw.all();
    const returned = /X-Request-Id: (.*)\r\n/.exec(answer)?.[1] ?? "";
    expect(returned).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    expect(returned === id).toBe(accepted);
    expect(answer).toContain(`"requestId":"${returned}"`);
  });

  test("two generated ids differ", async () => {
    app = await openHarness();
    const [one, two] = await Promise.all([app.get("/healthz"), app.get("/healthz")]);
    expect(one.headers.get("x-request-id")).not.toBe(two.headers.get("x-request-id"));
  });
});

describe("CORS", () => {
  const origin = "https://ci.example.com";

  test("is off by default", async () => {
    app = await openHarness();
    const response = await app.post(path, body, { origin });
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
    const preflight = await app.get(path, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect(preflight.headers.has("access-control-allow-methods")).toBe(false);
  });

  test("a listed origin may call and read the headers that matter", async () => {
    app = await openHarness({ http: { corsOrigins: [origin] } });
    const preflight = await app.get(path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE");
    expect(preflight.headers.get("access-control-allow-headers")).toBe(
      "Authorization, Content-Type, Accept, If-None-Match, Last-Event-ID, X-Request-Id",
    );
    const response = await app.post(path, body, { origin });
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("vary")).toContain("Origin");
    const exposed = response.headers.get("access-control-expose-headers") ?? "";
    for (const name of [
      "RateLimit",
      "RateLimit-Policy",
      "X-RateLimit-Remaining",
      "Retry-After",
      "X-Request-Id",
    ]) {
      expect(exposed.split(", ")).toContain(name);
    }
    const refusal = await app.post(path, "{", { origin });
    expect(refusal.status).toBe(400);
    expect(refusal.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("another origin gets no CORS headers but Vary", async () => {
    app = await openHarness({ http: { corsOrigins: [origin] } });
    const response = await app.post(path, body, { origin: "https://evil.example" });
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
    expect(response.headers.get("vary")).toContain("Origin");
  });
});

describe("methods", () => {
  test("OPTIONS lists the methods and is free", async () => {
    app = await openHarness();
    const response = await app.get(path, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    expect(response.headers.has("ratelimit")).toBe(false);
    expect((await app.get("/healthz", { method: "OPTIONS" })).headers.get("allow")).toBe(
      "GET, HEAD, OPTIONS",
    );
  });

  test.each(["PUT", "PATCH", "DELETE"])("%s", async (method) => {
    app = await openHarness();
    for (const [where, allow] of [
      [path, "GET, HEAD, POST, OPTIONS"],
      ["/api/tools", "GET, HEAD, OPTIONS"],
      ["/healthz", "GET, HEAD, OPTIONS"],
      ["/problems/internal", "GET, HEAD, OPTIONS"],
    ] as const) {
      const response = await app.get(where, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe(allow);
    }
  });

  test("HEAD of a refusal has no body", async () => {
    app = await openHarness();
    const response = await app.get("/nothing", { method: "HEAD" });
    expect(response.status).toBe(404);
    expect(await response.text()).toBe("");
  });
});

describe("server.basePath", () => {
  test("prefixes all paths, and probes answer without it too", async () => {
    app = await openHarness({ http: { basePath: "/pk" } });
    const base = app.url.replace(/\/pk$/, "");
    expect(app.url).toBe(`${base}/pk`);
    const problem = await fetch(`${base}/pk/api/tools/none`, { method: "POST" });
    expect(await problem.json()).toMatchObject({
      type: "/pk/problems/unknown_tool",
      instance: "/pk/api/tools/none",
    });
    expect((await fetch(`${base}/pk/api/tools`)).status).toBe(200);
    expect((await fetch(`${base}/pk/healthz`)).status).toBe(200);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    const outside = await fetch(`${base}/api/tools`);
    expect(outside.status).toBe(404);
    await outside.arrayBuffer();
    expect((await fetch(`${base}/pkapi/tools`)).status).toBe(404);
  });
});

describe("faults of the server", () => {
  const secret = "/etc/secret and svc_live_abcdefghijklmnop";
  const buggy = defineTool({
    slug: "buggy",
    title: "Buggy",
    summary: "Fails.",
    input: z.object({ data: z.string() }),
    examples: [],
    run: () => {
      throw new TypeError(secret);
    },
  });

  test("a bug is hidden from the caller and logged", async () => {
    app = await openHarness({ tools: [buggy] });
    const response = await app.post("/api/tools/buggy", body);
    expect(response.status).toBe(500);
    const text = await response.text();
    const problem = JSON.parse(text) as { code: string; requestId: string };
    expect(problem.code).toBe("internal");
    expect(text).not.toMatch(/secret|TypeError|\.ts|node:/);
    expect(response.headers.has("ratelimit")).toBe(true);
    const line = app.logged().find(({ level }) => level === "error");
    expect(line).toMatchObject({
      requestId: problem.requestId,
      error: expect.stringContaining("/etc/secret"),
    });
  });

  test("a key in a refusal is removed", async () => {
    app = await openHarness();
    const key = await app.key();
    const text = await (await app.post(path, JSON.stringify({ data: "1", [key]: 1 }))).text();
    expect(text).toContain("unknown_field");
    expect(text).not.toContain(key.slice(0, 20));
    const missing = await (await app.get(`/${key}`)).text();
    expect(missing).not.toContain(key.slice(0, 20));
  });

  test("with a store that is down the server is not ready, and gives no reason", async () => {
    app = await openHarness({ check: () => Promise.reject(new Error("/data: EACCES")) });
    const response = await app.get("/readyz");
    expect(response.status).toBe(503);
    expect(response.headers.has("retry-after")).toBe(true);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: "storage_unavailable" });
    expect(text).not.toMatch(/EACCES|data/);
    expect((await app.get("/healthz")).status).toBe(200);
  });
});

describe("the log", () => {
  test("has one line per request, without secrets and forged lines", async () => {
    app = await openHarness({ logLevel: "info" });
    const key = await app.key("pro", "logged");
    await app.post(path, '{"data":"\\"a private document\\""}', {
      authorization: `Bearer ${key}`,
      "x-request-id": "mine",
    });
    await app.post(`${path}?indent=3`, "x", { authorization: `Bearer ${key}`, "content-type": "text/plain" });
    await app.get(`/nothing?api_key=${key}&q=private`);
    await app.get(`/lost/${key}`);
    await app.get("/a%0A%1B%5B31mforged");
    await app.raw(`GET /a\u001B[31mred HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`).all();
    await app.get("/healthz");
    await app.get("/readyz");
    const lines = app.logged().filter(({ message }) => message === "request");
    expect(lines).toHaveLength(5);
    const { id } = (await app.keys.list()).records[0] ?? {};
    expect(lines[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: "info",
      message: "request",
      requestId: "mine",
      method: "POST",
      path,
      status: 200,
      durationMs: expect.any(Number),
      bytesIn: 33,
      bytesOut: expect.any(Number),
      ip: "127.0.0.1",
      account: "logged",
      keyId: id,
      tool: "json-formatter",
      outcome: "ok",
    });
    expect(lines[1]).toMatchObject({ status: 422, outcome: "invalid_document", path });
    const text = app.logText();
    for (const hidden of [key, key.slice(9, 30), "private", "indent=3", "api_key"])
      expect(text).not.toContain(hidden);
    expect(text).not.toContain("\u001B");
  });

  test("shows probes at debug", async () => {
    app = await openHarness({ logLevel: "debug" });
    await app.get("/healthz");
    await expect
      .poll(() => app.logged())
      .toEqual([expect.objectContaining({ level: "debug", path: "/healthz" })]);
  });
});

describe("/metrics", () => {
  test("labels are templates and closed lists, never input of callers", async () => {
    app = await openHarness();
    const key = await app.key("pro", "measured");
    await app.post(path, body, { authorization: `Bearer ${key}` });
    await app.post("/api/tools/made-up", body);
    await app.post(path, body, { authorization: "Bearer nothing" });
    await app.get("/some/path/of/mine");
    await app.get(path, { method: "PURGE" });
    const response = await app.get("/metrics");
    expect(response.headers.get("content-type")).toContain("version=0.0.4");
    const text = await response.text();
    for (const line of [
      'penknife_http_requests_total{method="POST",route="/api/tools/:slug",status="200"} 1',
      'penknife_http_requests_total{method="POST",route="/api/tools/:slug",status="404"} 1',
      'penknife_http_requests_total{method="GET",route="other",status="404"} 1',
      'penknife_http_requests_total{method="other",route="/api/tools/:slug",status="405"} 1',
      'penknife_http_request_duration_seconds_bucket{route="/api/tools/:slug",le="+Inf"} 4',
      'penknife_tool_runs_total{tool="json-formatter",outcome="ok"} 1',
      'penknife_limit_decisions_total{plan="pro",decision="allowed"} 1',
      'penknife_auth_total{result="ok"} 1',
      'penknife_auth_total{result="malformed_key"} 1',
      'penknife_build_info{version="1.2.3",commit="abc"} 1',
      'penknife_worker_threads{state="limit"} 2',
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    expect(text).toMatch(/^penknife_event_loop_delay_seconds\{quantile="0.99"\} \d/m);
    expect(text).toMatch(/^process_cpu_user_seconds_total /m);
    for (const hidden of [key, "measured", "127.0.0.1", "made-up", "mine", "PURGE"])
      expect(text).not.toContain(hidden);
  });

  test("a configured token is required", async () => {
    app = await openHarness({ http: { metrics: { enabled: true, token: "let me see" } } });
    expect((await app.get("/metrics")).status).toBe(401);
    expect((await app.get("/metrics")).headers.get("www-authenticate")).toContain("Bearer");
    const wrong = await app.get("/metrics", { headers: { authorization: "Bearer let-me" } });
    expect(wrong.status).toBe(401);
  });

  test("the right token is accepted", async () => {
    app = await openHarness({ http: { metrics: { enabled: true, token: "let-me-see" } } });
    expect((await app.get("/metrics", { headers: { authorization: "Bearer let-me-see" } })).status).toBe(200);
  });

  test("is 404 if disabled", async () => {
    app = await openHarness({ http: { metrics: { enabled: false, token: "" } } });
    expect((await app.get("/metrics")).status).toBe(404);
  });
});
