import { afterAll, beforeAll, expect, test } from "vitest";
import { openSurface, type Surface } from "../open-surface.ts";

let app: Surface;
beforeAll(async () => {
  app = await openSurface();
});
afterAll(() => app.close());

const path = "/api/tools/json-formatter";
const body = '{"data":"1"}';

test("every counted answer contains the window, in both spellings", async () => {
  const authorization = `Bearer ${await app.key("pro")}`;
  const before = Math.floor(Date.now() / 1000);
  const first = await app.post(path, body, { authorization });
  const after = Math.ceil(Date.now() / 1000);
  expect(first.headers.get("ratelimit-policy")).toBe('"hour";q=1000;w=3600');
  expect(first.headers.get("ratelimit")).toMatch(/^"hour";r=999;t=3[56]\d\d$/);
  expect(first.headers.get("x-ratelimit-limit")).toBe("1000");
  expect(first.headers.get("x-ratelimit-remaining")).toBe("999");
  const reset = Number(first.headers.get("x-ratelimit-reset"));
  expect(reset).toBeGreaterThanOrEqual(before + 3600);
  expect(reset).toBeLessThanOrEqual(after + 3600);
  const second = await app.post("/api/tools/none", "", { authorization });
  expect(second.headers.get("ratelimit")).toMatch(/^"hour";r=998;/);
});

test("documents, probes, pages, OPTIONS and 401s are free", async () => {
  const authorization = `Bearer ${await app.key("pro")}`;
  for (const free of [
    "/api/tools",
    "/api/tools/json-formatter",
    "/healthz",
    "/readyz",
    "/problems/internal",
    "/metrics",
  ]) {
    const response = await app.get(free, { headers: { authorization } });
    expect(response.status).toBe(200);
    expect(response.headers.has("ratelimit")).toBe(false);
  }
  expect((await app.get(path, { method: "OPTIONS", headers: { authorization } })).status).toBe(204);
  const counted = await app.post(path, body, { authorization });
  expect(counted.headers.get("x-ratelimit-remaining")).toBe("999");
});

test("exactly a hundred of a hundred and fifty anonymous calls at once, then 429", async () => {
  const own = await openSurface();
  try {
    const answers = await Promise.all(Array.from({ length: 150 }, () => own.post(path, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(50);
    for (const response of refused) {
      const after = Number(response.headers.get("retry-after"));
      expect(after).toBeGreaterThanOrEqual(1);
      expect(after).toBeLessThanOrEqual(3600);
      expect(response.headers.get("ratelimit")).toMatch(/^"hour";r=0;t=\d+$/);
      // RateLimit's t must not be later than Retry-After (draft-10 §5).
      expect(Number(/t=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1])).toBe(after);
      expect(response.headers.get("x-ratelimit-remaining")).toBe("0");
      expect(await response.json()).toMatchObject({
        code: "quota_exceeded",
        status: 429,
        limit: 100,
        retryAfter: after,
      });
    }
  } finally {
    await own.close();
  }
});

test("a used-up quota is answered before a large body is sent", async () => {
  const own = await openSurface();
  try {
    await Promise.all(Array.from({ length: 100 }, () => own.post(path, body)));
    const raw = own.raw(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 900000\r\n\r\n`,
    );
    expect(await raw.until("quota_exceeded")).toMatch(/^HTTP\/1\.1 429 /);
    raw.socket.destroy();
    // A small one is read and discarded, and the connection stays.
    const small = own.raw(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n`);
    expect(await small.until("quota_exceeded")).not.toContain("Connection: close");
    small.write("[1]GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await small.until('{"status":"ok"}')).toContain("HTTP/1.1 200");
    small.socket.destroy();
  } finally {
    await own.close();
  }
});

test("wrong keys have a limit of their own, apart from the hourly window", async () => {
  const own = await openSurface();
  try {
    const statuses: number[] = [];
    for (let call = 0; call < 32; call++) {
      const response = await own.post(path, body, { authorization: "Bearer nothing" });
      statuses.push(response.status);
      expect(response.headers.has("ratelimit")).toBe(false);
      if (response.status === 429)
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      await response.arrayBuffer();
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.slice(30)).toEqual([429, 429]);
    expect((await own.post(path, body)).headers.get("x-ratelimit-remaining")).toBe("99");
  } finally {
    await own.close();
  }
});

test("a key in the query is counted in a call of a tool, and not in a request for its description", async () => {
  const own = await openSurface();
  try {
    const remaining = async (method: string): Promise<string | null> => {
      const response = await own.get(`${path}?api_key=1`, { method });
      expect(response.status).toBe(400);
      return response.headers.get("x-ratelimit-remaining");
    };
    expect(await remaining("POST")).toBe("99");
    expect(await remaining("GET")).toBeNull();
    expect(await remaining("OPTIONS")).toBeNull();
    expect(await remaining("POST")).toBe("98");
    await Promise.all(Array.from({ length: 98 }, () => own.post(path, body)));
    expect((await own.post(`${path}?api_key=1`, body)).status).toBe(429);
  } finally {
    await own.close();
  }
});

test("a private endpoint demands a key without reporting a wrong one", async () => {
  const own = await openSurface({ anonymous: false });
  try {
    const response = await own.post(path, body);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="penknife"');
    expect(await response.json()).toMatchObject({ code: "missing_key" });
  } finally {
    await own.close();
  }
});

test("behind a trusted proxy the client is counted, not the proxy", async () => {
  const own = await openSurface({ trustedProxies: ["127.0.0.0/8"] });
  try {
    const remaining = async (client: string): Promise<string | null> =>
      (await own.post(path, body, { "x-forwarded-for": client })).headers.get("x-ratelimit-remaining");
    expect(await remaining("203.0.113.1")).toBe("99");
    expect(await remaining("203.0.113.2")).toBe("99");
    expect(await remaining("6.6.6.6, 203.0.113.2")).toBe("98");
    expect(await remaining("2001:db8::1")).toBe("99");
    expect(await remaining("2001:db8::2")).toBe("98");
  } finally {
    await own.close();
  }
});
