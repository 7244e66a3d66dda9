import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { call } from "../../e2e/harness.ts";
import { type Harness, openHarness } from "../harness.ts";
import { browsers, read, sources } from "./files.ts";

const [browser] = browsers;

describe.each(["", "/penknife", "/a/b"])("below the base path %j", (basePath) => {
  let app: Harness;
  beforeAll(async () => {
    app = await openHarness({ web: { read }, http: { basePath } });
  });
  afterAll(() => app.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    call(new URL(app.url).origin + path, { headers: { Accept: browser, ...headers } });

  const paths = [
    basePath === "" ? "/" : basePath,
    `${basePath}/`,
    `${basePath}/?a=../b`,
    `${basePath}/nope`,
    `${basePath}/no/pe/`,
    `${basePath}//no//pe`,
    `${basePath}/problems/internal`,
    `${basePath}/sign-in`,
    `${basePath}/problems/internal/`,
    ...(basePath === "" ? [] : ["/", "/nope", "/no/pe"]),
  ];

  it.each(paths)("the links of %s lead to the server's own pages and files", async (path) => {
    const { text, headers } = await get(path);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    const found = [...text.matchAll(/(?:href|src|data-root)="([^"#]*)"/g)].map(
      ([, link = ""]) => new URL(link, new URL(app.url).origin + path),
    );
    expect(found.length).toBeGreaterThan(6);
    for (const { pathname } of found) expect(pathname.startsWith(`${basePath}/`)).toBe(true);
    const unique = new Set(found.map(({ pathname }) => pathname));
    expect(unique).toContain(`${basePath}/`);
    for (const pathname of unique) {
      if (pathname === `${basePath}/graphql`) continue;
      expect([pathname, (await get(pathname)).status]).toEqual([pathname, 200]);
    }
  });

  it("the examples call the server", async () => {
    expect((await get(`${basePath}/`, { Accept: "*/*" })).text).toContain(
      `curl ${app.url}/api/tools/json-formatter `.replace(/\/\/api/, "/api"),
    );
  });
});

describe("the files", () => {
  let app: Harness;
  beforeAll(async () => {
    app = await openHarness({ web: { read } });
  });
  afterAll(() => app.close());

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    call(app.url + path, { headers, method });

  const types: Record<string, string> = {
    js: "text/javascript; charset=utf-8",
    css: "text/css; charset=utf-8",
    svg: "image/svg+xml",
  };

  it.each(Object.entries(sources))(
    "%s is served in every coding, and cached for ever",
    async (name, source) => {
      for (const [accepted, coding, decode] of [
        ["gzip, deflate, br", "br", brotliDecompressSync],
        ["gzip", "gzip", gunzipSync],
        ["identity", undefined, (bytes: Buffer) => bytes],
      ] as const) {
        const { status, headers, body } = await get(`/web/${name}`, { "Accept-Encoding": accepted });
        expect([status, headers["content-encoding"]]).toEqual([200, coding]);
        expect(decode(body).toString()).toBe(source);
        expect(headers).toMatchObject({
          "content-type": types[name.split(".")[1] ?? ""],
          "cache-control": "public, max-age=31536000, immutable",
          "cross-origin-resource-policy": "same-origin",
          "x-content-type-options": "nosniff",
          vary: "Accept-Encoding",
        });
        const head = await get(`/web/${name}`, { "Accept-Encoding": accepted }, "HEAD");
        expect([head.status, head.headers["content-length"], head.text]).toEqual([
          200,
          headers["content-length"],
          "",
        ]);
      }
    },
  );

  it("are refused to other sites", async () => {
    for (const [mode, dest] of [
      ["no-cors", "script"],
      ["cors", "script"],
      ["navigate", "document"],
    ]) {
      const { status } = await get("/web/app-AAAAAAAAAAAAAAAA.js", {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": mode ?? "",
        "Sec-Fetch-Dest": dest ?? "",
      });
      expect(status).toBe(403);
    }
  });

  it.each(["app.js", "app-AAAAAAAAAAAAAAAA.js.br", "files.json", "..%2f..%2fmain.ts", "%00"])(
    "are these and not %s",
    async (name) => {
      const { status, text } = await get(`/web/${name}`);
      expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ code: "not_found" })]);
    },
  );
});

describe("the build", () => {
  async function buildOf(commit: string, files = read): Promise<[inPage: string, sent: string]> {
    const app = await openHarness({ web: { read: files, commit } });
    try {
      const page = await call(app.url, { headers: { Accept: browser } });
      const { headers, text } = await call(`${app.url}/web/build`);
      expect(headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
      const { build } = JSON.parse(text) as { build: string };
      return [/data-build="([\w-]{16})"/.exec(page.text)?.[1] ?? "", build];
    } finally {
      await app.close();
    }
  }

  it("is the same in a page and from the server", async () => {
    const [inPage, sent] = await buildOf("abc");
    expect(inPage).toBe(sent);
    expect(await buildOf("abc")).toEqual([inPage, sent]);
  });

  it("changes with the commit and with the files", async () => {
    const builds = [
      await buildOf("abc"),
      await buildOf("abd"),
      await buildOf("abc", (name) =>
        name === "web/files.json"
          ? Buffer.from(
              Buffer.from(read(name) ?? [])
                .toString()
                .replaceAll("BBBB", "bbbb"),
            )
          : read(name.replaceAll("bbbb", "BBBB")),
      ),
    ];
    expect(new Set(builds.map(([inPage]) => inPage)).size).toBe(3);
    for (const [inPage, sent] of builds) expect(inPage).toBe(sent);
  });
});

test("in a source tree without a build, pages have their content and load nothing", async () => {
  const app = await openHarness({ web: { read: () => undefined } });
  try {
    const { status, text } = await call(app.url, { headers: { Accept: browser } });
    expect(status).toBe(200);
    expect(text).toContain("<h1>Paste anything.</h1>");
    expect(text).not.toMatch(/<script|rel="stylesheet"/);
    expect((await call(`${app.url}/web/app-AAAAAAAAAAAAAAAA.js`)).status).toBe(404);
  } finally {
    await app.close();
  }
});
