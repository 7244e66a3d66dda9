import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGraphiql } from "../../../../src/surfaces/graphql/graphiql.ts";
import { call } from "../../e2e/harness.ts";
import { type Harness, openHarness } from "../harness.ts";

// The page and its files over the real shell; test/system/e2e/browser covers the behaviour in a browser.
const sources = { js: "let one = 1;\n".repeat(30_000), css: "body { margin: 0 }\n".repeat(500) };
const built: Record<string, Uint8Array> = {
  "graphiql/app.js.br": brotliCompressSync(sources.js),
  "graphiql/app.css.br": brotliCompressSync(sources.css),
};
let harness: Harness;

beforeAll(async () => {
  harness = await openHarness({ http: { basePath: "/tools" } });
  const { http } = harness;
  const add = (
    path: string,
    introspection: boolean,
    read: (name: string) => Uint8Array | undefined,
  ): void => {
    const { page, file } = createGraphiql({ reply: http.reply, introspection, read });
    http.route({ path, methods: { GET: page } });
    http.route({ path: `${path}/graphiql/:file`, methods: { GET: file } });
  };
  add("/graphql", true, (name) => built[name]);
  add("/closed", false, (name) => built[name]);
  add("/unbuilt", true, () => undefined);
});
afterAll(() => harness.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  call(`${harness.url}/${path}`.replace(/(?<!:)\/\//g, "/"), { headers, method });
const files = async (): Promise<string[]> =>
  [...(await get("graphql")).text.matchAll(/(?:src|href)="(graphql\/graphiql\/[^"]+)"/g)].map(
    ([, path = ""]) => path,
  );

describe("the page", () => {
  it("loads nothing from other sites, and allows a browser to load nothing from them", async () => {
    const { status, headers, text } = await get("graphql");
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(String(headers["content-security-policy"]).split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src data:",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
      vary: "Accept",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers).not.toHaveProperty("cross-origin-opener-policy");
    const trusted = await get("graphql", { "sec-fetch-site": "none" });
    expect(trusted.headers["cross-origin-opener-policy"]).toBe("same-origin");
    // No inline script or style, which the policy would block; only relative URLs.
    expect(text).not.toMatch(/<style|<script(?! defer src=")| on\w+=| style=|\/\//);
    expect(text).toContain('data-introspection="on"');
  });

  it("finds its files under a URL with a trailing slash too", async () => {
    const { status, text } = await get("graphql/");
    expect(status).toBe(200);
    const paths = [...text.matchAll(/(?:src|href)="([^"]*graphql[^"]+)"/g)].map(
      ([, path = ""]) => new URL(path, `${harness.url}/graphql/`).href,
    );
    expect(paths).toEqual([
      ...(await files()).map((path) => `${harness.url}/${path}`),
      `${harness.url}/graphql/schema.graphql`,
    ]);
  });

  it("is free of charge", async () => {
    const { headers } = await get("graphql");
    expect(Object.keys(headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
  });

  it("answers HEAD", async () => {
    const { status, headers, text } = await get("graphql", {}, "HEAD");
    expect([status, headers["content-type"], text]).toEqual([200, "text/html; charset=utf-8", ""]);
  });

  it("does not fetch a schema that the caller may not read", async () => {
    expect((await get("closed")).text).toContain('data-introspection="off"');
  });

  it("says what to do in a source tree where it is not built", async () => {
    const { status, text, headers } = await get("unbuilt");
    expect([status, text]).toEqual([404, expect.stringContaining("make build")]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });
});

describe("its files", () => {
  it("have the hash of their contents in their names, and are cached for a year", async () => {
    const paths = await files();
    expect(paths.map((path) => path.replace(/[\w-]{22}/, "<hash>"))).toEqual([
      "graphql/graphiql/<hash>.css",
      "graphql/graphiql/<hash>.js",
    ]);
    for (const path of paths) {
      const { status, headers } = await get(path, { "Accept-Encoding": "br" });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        vary: "Accept-Encoding",
        "content-encoding": "br",
      });
    }
  });

  it.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip, deflate", "gzip", gunzipSync],
    ["identity", undefined, (bytes: Buffer) => bytes],
  ])("are the same with Accept-Encoding %s, more than once", async (accepted, coding, decode) => {
    const [style = "", script = ""] = await files();
    for (const [path, text, type] of [
      [style, sources.css, "text/css; charset=utf-8"],
      [script, sources.js, "text/javascript; charset=utf-8"],
      [script, sources.js, "text/javascript; charset=utf-8"],
    ] as const) {
      const { headers, body } = await get(path, { "Accept-Encoding": accepted });
      expect([headers["content-type"], headers["content-encoding"]]).toEqual([type, coding]);
      expect(decode(body).toString()).toBe(text);
    }
  });

  it("are inflated once for simultaneous requests, and again after a failure", async () => {
    let inflations = 0;
    let fails = true;
    const { page, file } = createGraphiql({
      reply: harness.http.reply,
      introspection: true,
      read: (name) => built[name],
      async inflate(bytes) {
        inflations++;
        if (fails) throw new Error("no memory");
        return brotliDecompressSync(bytes);
      },
    });
    harness.http.route({ path: "/counted", methods: { GET: page } });
    harness.http.route({ path: "/counted/:file", methods: { GET: file } });
    const [, script = ""] = await files();
    const path = script.replace("graphql/graphiql", "counted");
    expect((await get(path)).status).toBe(500);
    expect(inflations).toBe(1);
    fails = false;
    const codings = ["gzip", "identity", "deflate"];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => get(path, { "Accept-Encoding": codings[index % 3] ?? "" })),
    );
    for (const { headers, body } of answers)
      expect((headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString()).toBe(sources.js);
    await get(path, { "Accept-Encoding": "br" });
    expect(inflations).toBe(2);
  });

  it.each(["AAAAAAAAAAAAAAAAAAAAAA.js", "app.js.br", "..%2f..%2fmain.ts", "%00"])(
    "are these two and not %s",
    async (name) => {
      const { status, text } = await get(`graphql/graphiql/${name}`);
      expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ code: "not_found" })]);
    },
  );

  it("are missing if nothing is built", async () => {
    expect((await get("unbuilt/graphiql/app.js")).status).toBe(404);
  });
});
