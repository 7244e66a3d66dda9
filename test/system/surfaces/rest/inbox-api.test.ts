import { afterEach, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../harness.ts";

let app: Harness;
afterEach(() => app.close());

interface View {
  id: string;
  url: string;
  secret?: string | null;
  [field: string]: unknown;
}

const auth = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

async function ask(
  method: string,
  path: string,
  key: string,
  body?: unknown,
): Promise<{
  status: number;
  json: View & { code?: string; errors?: { pointer: string }[]; items: View[] };
}> {
  const response = await app.get(path, {
    method,
    headers: { ...auth(key), ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: (text === "" ? {} : JSON.parse(text)) as never };
}

describe("inboxes", () => {
  test("are created, listed, shown, changed and removed by their account", async () => {
    app = await openHarness({ inbox: {} });
    const key = await app.key();
    const made = await ask("POST", "/api/inboxes", key, { name: "ci", scheme: "github", status: 202 });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.stringMatching(/^in_[0-9a-f]{32}$/),
      url: `${app.url}/inbox/${made.json.id}`,
      account: expect.stringMatching(/^acme-pro-/),
      name: "ci",
      scheme: "github",
      onInvalid: "refuse",
      status: 202,
      body: null,
      delayMs: 0,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      messages: 0,
      duplicates: 0,
      newestAt: null,
      newestId: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...view } = made.json;
    const bare = await ask("POST", "/api/inboxes", key);
    expect(bare.json).toMatchObject({ scheme: "none", status: 200, secret: null });
    const listed = await ask("GET", "/api/inboxes", key);
    expect(listed.json.items.map(({ id }) => id)).toEqual([view.id, bare.json.id]);
    expect(JSON.stringify(listed.json)).not.toContain(secret);
    expect((await ask("GET", `/api/inboxes/${view.id}`, key)).json).toEqual(view);
    const changed = await ask("PATCH", `/api/inboxes/${view.id}`, key, {
      name: null,
      status: 500,
      body: "down",
      delayMs: 20,
      onInvalid: "record",
    });
    expect(changed).toMatchObject({
      status: 200,
      json: { name: null, status: 500, body: "down", delayMs: 20, onInvalid: "record", scheme: "github" },
    });
    expect(changed.json).not.toHaveProperty("secret");
    expect((await ask("DELETE", `/api/inboxes/${view.id}`, key)).status).toBe(204);
    expect((await ask("GET", `/api/inboxes/${view.id}`, key)).status).toBe(404);
    expect((await ask("DELETE", `/api/inboxes/${view.id}`, key)).status).toBe(404);
    expect((await app.post(`/inbox/${view.id}`, "{}")).status).toBe(404);
  });

  test("need a key of an account, and are hidden from other accounts", async () => {
    app = await openHarness({ inbox: {} });
    const [own, other] = [await app.key(), await app.key()];
    const { id } = (await ask("POST", "/api/inboxes", own)).json;
    await app.post(`/inbox/${id}`, "{}");
    const message = (await ask("GET", `/api/inboxes/${id}/messages`, own)).json.items[0] as View;
    const paths: [string, string][] = [
      ["GET", `/api/inboxes/${id}`],
      ["PATCH", `/api/inboxes/${id}`],
      ["DELETE", `/api/inboxes/${id}`],
      ["GET", `/api/inboxes/${id}/messages`],
      ["GET", `/api/inboxes/${id}/messages/${message.id}`],
      ["GET", `/api/inboxes/${id}/messages/${message.id}/body`],
    ];
    for (const [method, path] of paths) {
      expect([method, path, await ask(method, path, other)]).toMatchObject([
        method,
        path,
        { status: 404, json: { code: "not_found" } },
      ]);
    }
    for (const [method, path] of [["GET", "/api/inboxes"], ["POST", "/api/inboxes"], ...paths]) {
      const response = await app.get(path as string, { method: method as string });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: "missing_key" });
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="penknife"');
    }
    expect((await ask("GET", "/api/inboxes", other)).json.items).toEqual([]);
    expect((await ask("GET", `/api/inboxes/${id}`, own)).status).toBe(200);
  });

  test.each<[string, unknown, string, string?]>([
    ["a field that is not known", { sheme: "github" }, "unknown_field", "/sheme"],
    ["a scheme that is not known", { scheme: "gitea" }, "invalid_input", "/scheme"],
    ["a secret that the scheme does not use", { secret: "x" }, "invalid_input", "/secret"],
    ["a secret that is empty", { scheme: "github", secret: "" }, "invalid_input", "/secret"],
    ["a secret that is too long", { scheme: "github", secret: "x".repeat(4097) }, "invalid_input", "/secret"],
    [
      "a secret that is no base64",
      { scheme: "standard-webhooks", secret: "whsec_?" },
      "invalid_input",
      "/secret",
    ],
    ["a token that no header can hold", { scheme: "gitlab", secret: "a\nb" }, "invalid_input", "/secret"],
    ["a status below 200", { status: 102 }, "invalid_input", "/status"],
    ["a status above 599", { status: 600 }, "invalid_input", "/status"],
    ["a status that is no integer", { status: "200" }, "invalid_input", "/status"],
    ["a delay of more than 30 s", { delayMs: 30_001 }, "invalid_input", "/delayMs"],
    ["a delay below zero", { delayMs: -1 }, "invalid_input", "/delayMs"],
    ["a body for a status without one", { status: 204, body: "x" }, "invalid_input", "/body"],
    ["a body that is too long", { body: "x".repeat(16_385) }, "invalid_input", "/body"],
    ["a name in two lines", { name: "a\nb" }, "invalid_input", "/name"],
    ["a name that is too long", { name: "x".repeat(101) }, "invalid_input", "/name"],
    ["a name of half a character", { name: "a\ud800" }, "invalid_input", "/name"],
    ["a body of half a character", { body: "\udc00" }, "invalid_input", "/body"],
    ["a secret of half a character", { scheme: "github", secret: "\ud800a" }, "invalid_input", "/secret"],
    ["a key as a name", { name: "svc_live_0123456789abcdefghijKLMNO" }, "invalid_input", "/name"],
    ["a key in a body", { body: "for svc_sess_0123456789abcdefghijKLMNO" }, "invalid_input", "/body"],
    ["what is no object", [], "invalid_input", ""],
    ["null", null, "invalid_input", ""],
  ])("refuse %s", async (_, body, code, pointer) => {
    app = await openHarness({ inbox: {} });
    const key = await app.key();
    const { status, json } = await ask("POST", "/api/inboxes", key, body);
    expect([status, json.code, json.errors?.[0]?.pointer]).toEqual([400, code, pointer]);
    expect((await ask("GET", "/api/inboxes", key)).json.items).toEqual([]);
  });

  test("refuse a body that is invalid JSON, of another type, or too large", async () => {
    app = await openHarness({ inbox: {} });
    const key = await app.key();
    const post = async (body: string, type = "application/json"): Promise<unknown> => {
      const response = await app.post("/api/inboxes", body, { ...auth(key), "content-type": type });
      return [response.status, ((await response.json()) as View)["code"]];
    };
    expect(await post("{")).toEqual([400, "bad_json"]);
    expect(await post('{"status":200,"status":500}')).toEqual([400, "invalid_input"]);
    expect(await post("{}", "text/plain")).toEqual([415, "unsupported_media_type"]);
    expect(await post(`{"body":"${"x".repeat(70_000)}"}`)).toEqual([413, "body_too_large"]);
  });

  test("refuse a change that contradicts the current settings", async () => {
    app = await openHarness({ inbox: {} });
    const key = await app.key();
    const { id } = (await ask("POST", "/api/inboxes", key, { body: "x" })).json;
    const change = (body: unknown) => ask("PATCH", `/api/inboxes/${id}`, key, body);
    expect((await change({ status: 204 })).json).toMatchObject({ code: "invalid_input" });
    expect((await change({ status: 204, body: null })).status).toBe(200);
    expect((await change({ secret: "x" })).json).toMatchObject({ code: "invalid_input" });
    const signed = await change({ scheme: "stripe" });
    expect(signed.json.secret).toMatch(/^whsec_/);
    expect((await change({ scheme: "slack", secret: "no base64 at all" })).status).toBe(200);
    // The current secret is invalid in the new scheme.
    expect((await change({ scheme: "standard-webhooks" })).json.errors?.[0]?.pointer).toBe("/secret");
    expect((await change({ scheme: "none" })).status).toBe(200);
    expect((await change({ scheme: "github" })).json.secret).toMatch(/^whsec_/);
  });

  test("are at most a hundred per account", async () => {
    app = await openHarness({ inbox: {} });
    const key = await app.key("team");
    const answers = await Promise.all(Array.from({ length: 103 }, () => ask("POST", "/api/inboxes", key)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(({ json }) => [json.code, json["limit"]])).toEqual(
      [1, 2, 3].map(() => ["invalid_input", 100]),
    );
  });

  test("count as calls, including mistakes", async () => {
    app = await openHarness({ inbox: {} });
    const key = await app.key();
    const remaining = async (method: string, path: string): Promise<number> => {
      const { headers } = await app.get(path, { method, headers: auth(key) });
      return Number(headers.get("x-ratelimit-remaining"));
    };
    expect(await remaining("GET", "/api/inboxes")).toBe(999);
    expect(await remaining("DELETE", "/api/inboxes")).toBe(998);
    expect(await remaining("GET", "/api/inboxes/in_nothing")).toBe(997);
    expect(await remaining("PUT", "/api/inboxes/in_nothing/messages")).toBe(996);
  });

  test("show their URL with the host that the caller uses", async () => {
    app = await openHarness({ inbox: {}, http: { basePath: "/knife" } });
    const key = await app.key();
    const headers = { ...auth(key), "x-forwarded-proto": "https" };
    const response = await fetch(`${app.url}/api/inboxes`, { method: "POST", headers });
    const { url, id } = (await response.json()) as View;
    expect(url).toBe(`https://127.0.0.1:${app.port}/knife/inbox/${id}`);
    expect((await fetch(url.replace("https", "http"), { method: "POST" })).status).toBe(200);
  });

  test("are absent if disabled", async () => {
    app = await openHarness();
    const key = await app.key();
    expect((await ask("GET", "/api/inboxes", key)).json.code).toBe("not_found");
    expect((await app.post(`/inbox/in_${"0".repeat(32)}`, "{}")).status).toBe(404);
  });
});
