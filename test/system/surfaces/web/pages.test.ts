import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { errorCodes } from "../../../../src/catalog/errors.ts";
import { call } from "../../e2e/harness.ts";
import { type Harness, openHarness } from "../harness.ts";
import { browsers, programs, read } from "./files.ts";

// The pages over the real shell; test/system/e2e/browser/pages.test.ts looks at them in a browser.
let app: Harness;
let without: Harness;
beforeAll(async () => {
  [app, without] = await Promise.all([openHarness({ web: { read } }), openHarness()]);
});
afterAll(() => Promise.all([app.close(), without.close()]));

const [browser] = browsers;
const get = (
  path: string,
  accept: string | undefined = browser,
  headers: Record<string, string> = {},
  { url } = app,
) => call(url + path, { headers: { ...headers, ...(accept !== "" && { Accept: accept }) } });

/** A problem document without what differs between two servers. */
const toComparable = ({ status, headers, text }: Awaited<ReturnType<typeof get>>): unknown => {
  const { requestId: _, ...problem } = JSON.parse(text) as Record<string, unknown>;
  const { date: _date, "x-request-id": _id, "content-length": _length, ...others } = headers;
  return { status, problem, others };
};

/** The pages that show how to call the server: to programs the home page, to people the page of the API. */
const shown = [
  ["/", "*/*"],
  ["/api", browser],
] as const;

describe("GET /tools and GET /api", () => {
  it.each(["/tools", "/api"])(
    "%s is a page for browsers, and for programs what it was before",
    async (path) => {
      const { status, headers } = await get(path);
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      const [now, before] = await Promise.all([get(path, "*/*"), get(path, "*/*", {}, without)]);
      expect(now.status).toBe(404);
      expect(toComparable(now)).toEqual(toComparable(before));
    },
  );

  it("lists every tool with its category's name, and every endpoint with what it does", async () => {
    const { text } = await get("/tools");
    for (const slug of app.catalog.slugs) expect(text).toContain(`href="./tools/${slug}"`);
    expect(text).toContain("Hashes &#38; signatures</h2>");
    const api = (await get("/api")).text;
    for (const slug of app.catalog.slugs) expect(api).toContain(`<code>/api/tools/${slug}</code>`);
    expect(api).toContain("<td>Check that the process runs</td>");
    expect(api).toContain('href="./openapi.json" download="openapi.json"');
  });

  it("suggests a tool for a name that none has, and links it", async () => {
    const { status, text } = await get("/tools/json-formater");
    expect(status).toBe(404);
    expect(text).toContain('<a href="../tools/json-formatter"><code>json-formatter</code></a>');
    expect(text).toContain('<a href="../tools">All tools</a>');
  });

  it("leads a person to no raw JSON", async () => {
    for (const path of ["/", "/tools", "/api", "/tools/nope", "/problems/internal"]) {
      const { text } = await get(path);
      const [header = ""] = /<header class="bar">[\s\S]*?<noscript>/.exec(text) ?? [];
      expect(header).toContain('role="menu"');
      expect(header + text.slice(text.indexOf("<main"))).not.toMatch(
        /href="[^"]*(?:api\/tools|openapi\.json)"(?! download)/,
      );
    }
  });
});

describe("GET /", () => {
  it.each(browsers)("is a page for Accept: %s", async (accept) => {
    const { status, headers, text } = await get("/", accept);
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain("<h1>Paste anything.</h1>");
    expect(text).toContain(`${app.catalog.slugs.length} developer tools`);
    for (const slug of app.catalog.slugs) expect(text).toContain(`href="./tools/${slug}"`);
  });

  it.each(["", "*/*", "text/plain", "text/*, */*;q=0.1"])(
    "is a short text with a curl line for Accept: %s",
    async (accept) => {
      const { status, headers, text } = await get("/", accept);
      expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
      expect(text.split("\n").length).toBeLessThan(12);
      expect(text).toContain(`\n  curl ${app.url}/api/tools/json-formatter -H`);
    },
  );

  it("has a curl line that works as it is", async () => {
    const { text } = await get("/", "*/*");
    const [, url = "", header = "", body = ""] =
      /^ {2}curl (\S+) -H 'Content-Type: ([^']+)' -d '([^']+)'$/m.exec(text) ?? [];
    const answer = await fetch(url, { method: "POST", headers: { "content-type": header }, body });
    expect([answer.status, await answer.json()]).toEqual([200, { result: '{\n  "a": 1\n}' }]);
  });

  it.each(programs)("is what it was before there were pages for Accept: %s", async (accept) => {
    const [now, before] = await Promise.all([get("/", accept), get("/", accept, {}, without)]);
    expect(now.status).toBe(404);
    expect(toComparable(now)).toEqual(toComparable(before));
  });

  it.each(["*/*", browser])("differs by Accept, and is not sent again unchanged (%s)", async (accept) => {
    const { headers } = await get("/", accept);
    expect(headers["vary"]).toBe("Accept-Encoding, Accept");
    expect(headers["cache-control"]).toContain("must-revalidate");
    const again = await get("/", accept, { "If-None-Match": String(headers["etag"]) });
    expect([again.status, again.text]).toEqual([304, ""]);
    const other = await get("/", accept === "*/*" ? browser : "*/*", {
      "If-None-Match": String(headers["etag"]),
    });
    expect(other.status).toBe(200);
  });

  it("is compressed", async () => {
    const { headers } = await get("/", browser, { "Accept-Encoding": "gzip" });
    expect(headers["content-encoding"]).toBe("gzip");
  });

  it("shows the address that a proxy passes on", async () => {
    const headers = { Host: "tools.example.com", "X-Forwarded-Proto": "https" };
    const { text } = await get("/", "*/*", headers);
    expect(text).toContain("curl https://tools.example.com/api/tools/json-formatter");
  });

  it.each(["a$(id)", "a`id`", "a'b", 'a"b', "a;id", "<script>"])(
    "shows no Host header that a shell or a browser would act on: %s",
    async (host) => {
      for (const [path, accept] of shown) {
        const { status, text } = await get(path, accept, { Host: host });
        if (status === 200) expect(text).toContain("curl http://localhost/api/tools");
        expect(text).not.toContain(host);
      }
    },
  );

  it("asks for a key where one is required", async () => {
    const closed = await openHarness({ web: { read }, anonymous: false });
    try {
      for (const [path, accept] of shown) {
        const { status, text } = await get(path, accept, {}, closed);
        expect([status, text]).toEqual([200, expect.stringContaining("Authorization: Bearer $PENKNIFE_KEY")]);
      }
    } finally {
      await closed.close();
    }
  });

  it("answers HEAD, and refuses other methods", async () => {
    const head = await call(`${app.url}/`, { method: "HEAD", headers: { Accept: browser } });
    expect([head.status, head.headers["content-type"], head.text]).toEqual([
      200,
      "text/html; charset=utf-8",
      "",
    ]);
    const post = await call(`${app.url}/`, { method: "POST" });
    expect([post.status, post.headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe("what is not there", () => {
  const paths = ["/nope", "/api/tools/json-formater", "/problems/internall", "/web/old.js", "/%ff", "//x/y"];

  it.each(paths)("is a page for a browser: %s", async (path) => {
    for (const accept of browsers) {
      const { status, headers, text } = await get(path, accept);
      expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect(headers).toMatchObject({ vary: "Accept", "cache-control": "no-store" });
      expect(text).toContain(String(headers["x-request-id"]));
    }
  });

  it.each(paths)("is what it was before there were pages for a program: %s", async (path) => {
    for (const accept of ["", "*/*", ...programs]) {
      const [now, before] = await Promise.all([get(path, accept), get(path, accept, {}, without)]);
      expect(now.status).toBe(404);
      // The path of an asset has a message of its own.
      if (!path.startsWith("/web/")) expect(toComparable(now)).toEqual(toComparable(before));
    }
  });

  it("names what is nearest", async () => {
    const { text } = await get("/api/tools/json-formater");
    expect(text).toContain(
      'Did you mean <a href="../../tools/json-formatter"><code>json-formatter</code></a>?',
    );
    expect(text.split("Did you mean")).toHaveLength(2);
    expect((await get("/problems/internall")).text).toContain("Did you mean <code>internal</code>?");
  });

  it("calls a tool in the list of the pages, in the tiles and on its page by the name for people", async () => {
    const { items } = JSON.parse((await get("/web/tools", "*/*")).text) as { items: { slug: string }[] };
    expect(items.find(({ slug }) => slug === "x509-parser")).toMatchObject({ title: "X.509 certificate" });
    expect((await get("/tools")).text).toContain("X.509 certificate");
    expect((await get("/tools/x509-parser")).text).toContain("<h1>X.509 certificate</h1>");
  });

  it("is a problem document for a call of a browser's page, and for other refusals", async () => {
    const post = await call(`${app.url}/nope`, { method: "POST", headers: { Accept: browser } });
    expect([post.status, post.headers["content-type"]]).toEqual([
      404,
      "application/problem+json; charset=utf-8",
    ]);
    const wrong = await get("/api/pipelines/run");
    expect([wrong.status, wrong.headers["content-type"]]).toEqual([
      405,
      "application/problem+json; charset=utf-8",
    ]);
  });

  it("shows nothing of the request but its id, and escapes what it shows", async () => {
    const path = "/api/tools/%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    const { text } = await get(path);
    expect(text).not.toContain("<script>");
    const key = `svc_live_${"a".repeat(38)}`;
    expect((await get(`/api/tools/${key}`)).text).not.toContain(key);
  });

  it("is logged as what it is", async () => {
    const { headers } = await get("/not-there");
    expect(app.logged().find(({ requestId }) => requestId === headers["x-request-id"])).toMatchObject({
      status: 404,
      outcome: "not_found",
    });
  });
});

describe("GET /problems/<code>", () => {
  it.each(Object.entries(errorCodes))("explains %s in a page", async (code, { status, title }) => {
    const { status: sent, headers, text } = await get(`/problems/${code}`);
    expect([sent, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["vary"]).toBe("Accept-Encoding, Accept");
    expect(text).toContain(`<h1>${title.replaceAll("'", "&#39;")}</h1>`);
    expect(text).toContain(`<code>${code}</code>, HTTP status ${status}`);
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it.each([
    ["text/plain", "text/plain; charset=utf-8"],
    ["application/json", "application/json"],
  ])("is what it was before there were pages for Accept: %s", async (accept, type) => {
    const [now, before] = await Promise.all([
      get("/problems/internal", accept),
      get("/problems/internal", accept, {}, without),
    ]);
    expect([now.status, now.headers["content-type"], now.text]).toEqual([200, type, before.text]);
  });
});

describe("every page", () => {
  const paths = ["/", "/nope", "/problems/internal", "/sign-in", "/settings/usage"];

  it.each(paths)("%s allows nothing of other origins, no inline code and no frame", async (path) => {
    const { headers } = await get(path);
    expect(String(headers["content-security-policy"]).split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "connect-src 'self'",
      "worker-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types penknife",
    ]);
    expect(headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
  });

  it.each(paths)("%s is isolated from its opener where browsers support that", async (path) => {
    const trustworthy = await get(path, browser, { "Sec-Fetch-Site": "none" });
    expect(trustworthy.headers["cross-origin-opener-policy"]).toBe("same-origin");
    // Over plain HTTP they send no Sec-Fetch-Site, and would report an error.
    expect((await get(path)).headers["cross-origin-opener-policy"]).toBeUndefined();
  });

  it.each(paths)("%s keeps to its policy, and has relative links only", async (path) => {
    const { text } = await get(path);
    expect(text).not.toMatch(/<style|<script(?!(?: type="module")? src=")| on\w+=| style=/);
    for (const [, link = ""] of text.matchAll(/(?:href|src)="([^"]*)"/g)) expect(link).toMatch(/^(?:#|\.)/);
  });

  it.each(paths)(
    "%s has one heading, landmarks, a skip link and a word for those without scripts",
    async (path) => {
      const { text } = await get(path);
      expect(text).toMatch(/^<!doctype html>\n<html lang="en" /);
      for (const part of ["<h1>", "<header ", '<nav aria-label="', '<main id="main" ', "<title>"])
        expect([part, text.split(part).length - 1]).toEqual([part, 1]);
      expect(text).toContain('<a class="skip" href="#main">');
      const [, noscript = ""] = /<noscript>([\s\S]*)<\/noscript>/.exec(text) ?? [];
      expect(noscript).toMatch(/href="[^"]*openapi\.json"/);
      expect(noscript).toMatch(/href="[^"]*llms\.txt"/);
    },
  );

  it.each(paths)("%s may be the target of a link on another site, and not of its scripts", async (path) => {
    const status = path === "/nope" ? 404 : 200;
    const foreign = { "Sec-Fetch-Site": "cross-site" };
    const visit = { ...foreign, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
    expect((await get(path, browser, visit)).status).toBe(status);
    const framed = { ...visit, "Sec-Fetch-Dest": "iframe" };
    for (const headers of [framed, { ...foreign, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" }])
      expect((await get(path, browser, headers)).status).toBe(403);
  });

  it.each(paths)("%s counts against no quota", async (path) => {
    const { headers } = await get(path);
    expect(Object.keys(headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
  });
});

test("pages and their files count among the free requests of an address", async () => {
  const limited = await openHarness({ web: { read }, http: { freePerMinute: 60 } });
  try {
    const paths = [
      "/",
      "/nope",
      "/problems/internal",
      "/web/build",
      "/web/app-AAAAAAAAAAAAAAAA.js",
      "/web/x",
    ];
    for (let count = 0; count < 60; count++) {
      const { status } = await get(paths[count % paths.length] ?? "", browser, {}, limited);
      expect([200, 404]).toContain(status);
    }
    for (const path of paths) expect((await get(path, browser, {}, limited)).status).toBe(429);
  } finally {
    await limited.close();
  }
});
