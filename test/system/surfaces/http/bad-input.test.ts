import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHarness } from "../harness.ts";
import { openSurface, type Surface } from "../open-surface.ts";
import { cases, formatter, json, valid } from "./bad-input-cases.ts";

let app: Surface;
let key: string;

beforeAll(async () => {
  app = await openSurface({ server: { bodyLimit: 4096 } });
  key = await app.key("team");
});
afterAll(() => app.close());

describe("bad input", () => {
  test.each(cases)("$name: $status $code", async (one) => {
    const path = one.path ?? formatter;
    const response = await fetch(app.url + path, {
      method: one.method ?? "POST",
      headers: { authorization: `Bearer ${key}`, ...(one.headers ?? json) },
      body: one.body ?? valid,
    });
    const problem = (await response.json()) as Record<string, unknown>;
    expect(response.status).toBe(one.status);
    expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(problem).toMatchObject({
      type: `/problems/${one.code}`,
      status: one.status,
      code: one.code,
      instance: path.split("?")[0],
      requestId: response.headers.get("x-request-id"),
      ...one.shows,
    });
    expect(problem.title).toBeTypeOf("string");
    expect(problem.detail).toBeTypeOf("string");
    for (const [name, value] of Object.entries(one.sends ?? {}))
      expect(response.headers.get(name)).toMatch(value);
    expect(response.headers.has("ratelimit")).toBe(one.counted ?? true);
    expect(response.headers.has("x-ratelimit-remaining")).toBe(one.counted ?? true);
    expect(JSON.stringify(problem)).not.toContain(key);
    // And no later request is affected.
    expect((await app.post(formatter, valid, { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  test("every type is the URL of a page", async () => {
    for (const code of new Set(cases.map((one) => one.code))) {
      const page = await app.get(`/problems/${code}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(code);
    }
  });

  test.each([
    ["text/html", /^default-src 'none'; /],
    ["text/plain", /^null$/],
    ["application/json", /^null$/],
  ])("a page as %s has the policy %s", async (accept, policy) => {
    const page = await app.get("/problems/internal", { headers: { accept } });
    expect(page.headers.get("content-type")).toContain(accept);
    expect(String(page.headers.get("content-security-policy"))).toMatch(policy);
  });

  test("where there are no pages, the page of a problem may load nothing but its style", async () => {
    const here = await openHarness();
    const page = await here.get("/problems/internal", { headers: { accept: "text/html" } });
    await here.close();
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
  });

  test("an option beside a JSON body is quoted with at most 64 characters", async () => {
    const name = `${"n".repeat(64)}secret`;
    const response = await app.post(`${formatter}?${name}=1`, valid, { authorization: `Bearer ${key}` });
    const { detail } = (await response.json()) as { detail: string };
    expect(detail).toContain(`"${"n".repeat(64)}"`);
    expect(detail).not.toContain("secret");
  });

  test("two Authorization headers", async () => {
    const raw = app.raw(
      `POST ${formatter} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 14\r\nConnection: close\r\n\r\n${valid}`,
    );
    const answer = await raw.all();
    expect(answer).toContain("HTTP/1.1 400");
    expect(answer).toContain('"code":"conflicting_credentials"');
  });

  test("a spoofed X-Forwarded-For does not make a new caller", async () => {
    const remaining = async (hop: string): Promise<number> => {
      const response = await app.post(formatter, valid, { "x-forwarded-for": hop });
      return Number(response.headers.get("x-ratelimit-remaining"));
    };
    const before = await remaining("203.0.113.1");
    expect(await remaining("203.0.113.2")).toBe(before - 1);
  });

  test("an expired and a revoked key are reported as such", async () => {
    await app.admin("accounts.create", { name: "former", plan: "pro" });
    const issued = (await app.admin("keys.issue", { account: "former" })) as { id: string; key: string };
    await app.admin("keys.revoke", { id: issued.id });
    const response = await app.post(formatter, valid, { authorization: `Bearer ${issued.key}` });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "revoked_key" });
  });
});
