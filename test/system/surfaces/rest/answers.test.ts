import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { request } from "node:http";
import { tools } from "../../../../src/tools/index.ts";
import { openHarness } from "../harness.ts";
import { openSurface, type Surface } from "../open-surface.ts";

let app: Surface;
let key: string;
beforeAll(async () => {
  app = await openSurface();
  key = await app.key("team");
});
afterAll(() => app.close());

const auth = (): Record<string, string> => ({ authorization: `Bearer ${key}` });

describe("the form of the answer", () => {
  test.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["application/json", "application/json"],
    ["text/plain", "text/plain; charset=utf-8"],
    ["text/*", "text/plain; charset=utf-8"],
    ["application/octet-stream", "application/octet-stream"],
    ["text/plain;q=0.5, application/json;q=0.9", "application/json"],
    ["text/plain;q=0.9, application/json;q=0.5", "text/plain; charset=utf-8"],
    ["application/json;q=0, */*", "text/plain; charset=utf-8"],
    ["text/html, text/plain;q=0.8, image/*", "text/plain; charset=utf-8"],
    ["TEXT/PLAIN", "text/plain; charset=utf-8"],
    ['image/*;a="text/plain;q=1, text/plain", application/json', "application/json"],
    ['application/json;a=";q=0,"', "application/json"],
  ])("Accept: %s", async (accept, type) => {
    const answer = await send("/api/tools/json-minifier", "[1, 2]", {
      ...auth(),
      "content-type": "text/plain",
      ...(accept !== undefined && { accept }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe(type);
    expect(answer.body.toString()).toBe(type === "application/json" ? '{"result":"[1,2]"}' : "[1,2]");
    expect(answer.headers.vary).toContain("Accept");
  });

  test("bytes are received and returned unchanged", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const encoded = await app.post("/api/tools/base64-encoder", bytes, {
      ...auth(),
      "content-type": "application/octet-stream",
      accept: "text/plain",
    });
    const text = await encoded.text();
    expect(text).toBe(Buffer.from(bytes).toString("base64"));
    const decoded = await app.post("/api/tools/base64-decoder", text, {
      ...auth(),
      "content-type": "text/plain",
      accept: "application/octet-stream",
    });
    expect(new Uint8Array(await decoded.arrayBuffer())).toEqual(bytes);
  });

  test("options come from the query in raw calls", async () => {
    const response = await app.post("/api/tools/json-formatter?indent=1&sortKeys=true", '{"b":1,"a":2}', {
      ...auth(),
      "content-type": "text/plain; charset=UTF-8",
      accept: "text/plain",
    });
    expect(await response.text()).toBe('{\n "a": 2,\n "b": 1\n}');
  });

  test.each([
    ["a quoted charset", 'text/plain; charset="utf-8"', 200],
    ["a charset with quoted pairs", String.raw`text/plain; charset="utf\-8"`, 200],
    ["a separator in a quoted parameter", 'text/plain; a="; charset=latin1"; charset=utf-8', 200],
    ["another charset after a quoted parameter", 'text/plain; a=";"; charset=latin1', 415],
    ["a no-break space before the type", "\u00a0text/plain", 415],
  ])("Content-Type with %s", async (_, type, status) => {
    const answer = await send("/api/tools/json-minifier", "[1]", { ...auth(), "content-type": type });
    expect(answer.status).toBe(status);
  });

  test("a tool without a document needs no body and no type", async () => {
    const answer = await send("/api/tools/uuid-generator", "", auth());
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      result: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

describe("check", () => {
  test.each([
    ["json-validator", "[1]", true],
    ["json-validator", "[1", false],
    ["json-formatter", "[\n  1\n]\n", true],
    ["json-formatter", "[1]", false],
  ])("%s on %j", async (slug, document, valid) => {
    const headers = { ...auth(), "content-type": "text/plain" };
    const json = await app.post(`/api/tools/${slug}?check=true`, document, headers);
    expect(json.status).toBe(valid ? 200 : 422);
    expect(json.headers.get("content-type")).toBe("application/json");
    const { result } = (await json.json()) as { result: string };
    expect(JSON.parse(result)).toMatchObject({ valid });
    const plain = await app.post(`/api/tools/${slug}?check`, document, { ...headers, accept: "text/plain" });
    expect(plain.status).toBe(valid ? 200 : 422);
    expect(await plain.text()).toBe(result);
  });

  test("without it a validator is always 200", async () => {
    const response = await app.post("/api/tools/json-validator?check=false", "[1", {
      ...auth(),
      "content-type": "text/plain",
    });
    expect(response.status).toBe(200);
  });
});

describe("documents", () => {
  test("the list", async () => {
    const response = await app.get("/api/tools");
    const { items } = (await response.json()) as { items: { slug: string }[] };
    expect(items.map(({ slug }) => slug)).toEqual(
      Object.values(tools).flatMap((group) => Object.keys(group)),
    );
    expect(Object.keys(items[0] ?? {})).toEqual(
      "slug title summary category accepts aliases version deterministic checkable".split(" "),
    );
  });

  test("the list of a search", async () => {
    const find = async (query: string): Promise<string[]> => {
      const { items } = (await (await app.get(`/api/tools?search=${query}`)).json()) as {
        items: { slug: string }[];
      };
      return items.map(({ slug }) => slug);
    };
    expect((await find("md5sum"))[0]).toBe("hash-generator");
    expect((await find("json+to%20yaml"))[0]).toBe("json-to-yaml");
    expect(await find("zzzzzz")).toEqual([]);
    const nearest = async (query: string): Promise<unknown> =>
      (await app.get(`/api/tools?search=${query}`)).json();
    expect(await nearest("md5sum")).toMatchObject({ onlyNearest: false });
    expect(await nearest("zzzzzz")).toEqual({ items: [], onlyNearest: true });
    expect(await nearest("gzip")).toMatchObject({
      items: [{ slug: "base64-encoder" }, {}, {}],
      onlyNearest: true,
    });
    expect(await (await app.get("/api/tools")).json()).not.toHaveProperty("onlyNearest");
    const long = await app.get(`/api/tools?search=${"x".repeat(201)}`);
    expect([long.status, await long.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_input" }),
    ]);
  });

  test("a tool adds its schema and examples", async () => {
    const document = (await (await app.get("/api/tools/json-formatter")).json()) as Record<string, unknown>;
    expect(document.input).toMatchObject({ type: "object", required: ["data"] });
    expect(document.examples).toBeInstanceOf(Array);
  });

  test.each(["/api/tools", "/api/tools/json-formatter"])("%s has a strong ETag", async (path) => {
    const first = await app.get(path);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const method of ["GET", "HEAD"]) {
      for (const known of [tag, `"other", W/${tag}`, "*"]) {
        const again = await app.get(path, { method, headers: { "if-none-match": known } });
        expect(again.status).toBe(304);
        expect(again.headers.get("etag")).toBe(tag);
        expect(await again.text()).toBe("");
      }
      expect((await app.get(path, { method, headers: { "if-none-match": '"other"' } })).status).toBe(200);
    }
  });

  test("HEAD is GET without the body", async () => {
    for (const path of ["/api/tools", "/api/tools/json-formatter", "/healthz", "/problems/bad_json"]) {
      const get = await app.get(path, { headers: { "accept-encoding": "identity" } });
      const head = await app.get(path, { method: "HEAD", headers: { "accept-encoding": "identity" } });
      expect(head.status).toBe(200);
      expect(head.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength));
      expect(await head.text()).toBe("");
    }
  });

  test.each([
    ["text/html,application/xhtml+xml", "text/html; charset=utf-8"],
    ["text/plain", "text/plain; charset=utf-8"],
    ["application/json", "application/json"],
    ["image/png", "text/html; charset=utf-8"],
  ])("a problem page for Accept: %s", async (accept, type) => {
    const page = await app.get("/problems/quota_exceeded", { headers: { accept } });
    expect(page.headers.get("content-type")).toBe(type);
    expect(await page.text()).toContain("Retry-After");
  });
});

describe("compression", () => {
  const large = JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ index, name: "a name" })));

  test.each([
    ["gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br", "br"],
    ["br;q=0.1, gzip", "gzip"],
    ["*", "br"],
    ["br;q=0, gzip;q=0, *", undefined],
    ["identity", undefined],
    ["identity, gzip;q=0.5", undefined],
    ["", undefined],
  ])("Accept-Encoding: %s", async (accept, coding) => {
    const answer = await send("/api/tools/json-minifier", large, {
      ...auth(),
      "content-type": "text/plain",
      accept: "text/plain",
      "accept-encoding": accept,
    });
    expect(answer.headers["content-encoding"]).toBe(coding);
    expect(answer.headers.vary).toContain("Accept-Encoding");
    expect(answer.headers["content-length"]).toBe(String(answer.body.length));
    const plain =
      coding === "br"
        ? brotliDecompressSync(answer.body)
        : coding === "gzip"
          ? gunzipSync(answer.body)
          : answer.body;
    expect(plain.toString()).toBe(large);
  });

  test("a small answer is not compressed", async () => {
    const answer = await send("/api/tools/json-minifier", "[1]", {
      ...auth(),
      "content-type": "text/plain",
      "accept-encoding": "gzip",
    });
    expect(answer.headers["content-encoding"]).toBeUndefined();
  });

  test("the ETag of a compressed document differs, and matches too", async () => {
    const own = await openSurface();
    const plain = await send("/api/tools", undefined, { "accept-encoding": "identity" }, own);
    const packed = await send("/api/tools", undefined, { "accept-encoding": "gzip" }, own);
    if (plain.body.length < 2048) throw new Error("The list is too short for this test");
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    const again = await own.get("/api/tools", { headers: { "if-none-match": packed.headers.etag ?? "" } });
    expect(again.status).toBe(304);
    await own.close();
  });
});

test("a large body is processed by a worker and returned whole", async () => {
  const document = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index));
  const here = await openHarness();
  for (const target of [app, here]) {
    const authorization = `Bearer ${await target.key("team")}`;
    const body = JSON.stringify({ data: document });
    const response = await target.post("/api/tools/json-formatter", body, { authorization });
    const { result } = (await response.json()) as { result: string };
    expect(result).toBe(JSON.stringify(JSON.parse(document), null, 2));
  }
  await here.close();
  expect(here.runs.at(-1)).toMatchObject({ isolated: true, outcome: "ok" });
});

/** Without the headers that fetch adds and the decoding that it does. */
function send(
  path: string,
  body: string | undefined,
  headers: Record<string, string>,
  target: Surface = app,
): Promise<{ status: number; headers: Record<string, string | undefined>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const call = request(
      target.url + path,
      { method: body === undefined ? "GET" : "POST", headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers as never,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}
