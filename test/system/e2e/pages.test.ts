import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, emptyFolder, type Reply, serve, type Server } from "./harness.ts";
import { sendRaw, toRequest } from "./raw.ts";

// The pages of the executable; test/system/e2e/browser/pages.test.ts looks at them in a browser.
const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const folders = [emptyFolder(), emptyFolder()];
let server: Server;
let without: Server;

beforeAll(async () => {
  const [first = "", second = ""] = folders.map(({ path }) => path);
  [server, without] = await Promise.all([serve(first), serve(second, { PENKNIFE_WEB_ENABLED: "false" })]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), without?.stop()]);
  for (const folder of folders) folder.remove();
});

const get = ({ url }: Server, path: string, headers: Record<string, string> = { Accept: accept }) =>
  call(url + path, { headers });

/** An answer without what differs from request to request. */
function toComparable({ status, headers, text }: Reply): unknown {
  const { date: _date, "x-request-id": id, "content-length": _length, ...others } = headers;
  return { status, text: text.replaceAll(String(id), "<id>"), others };
}

describe("the pages of the executable", () => {
  it("load files that are in it, compressed and for ever", async () => {
    const { text } = await get(server, "/");
    const files = [...text.matchAll(/(?:src|href)="\.\/(web\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(files.map((path) => path.replace(/-[\w-]{16}\./, "-<hash>."))).toEqual([
      "web/icon-<hash>.svg",
      "web/app-<hash>.css",
      "web/early-<hash>.js",
      "web/app-<hash>.js",
      "web/copy-button-<hash>.js",
      "web/header-<hash>.js",
      "web/preact-<hash>.js",
      "web/clipboard-<hash>.js",
      "web/icon-<hash>.js",
      "web/text-<hash>.js",
      "web/own-page-<hash>.js",
      "web/return-link-<hash>.js",
      "web/menu-keys-<hash>.js",
    ]);
    for (const path of files) {
      for (const coding of ["br", "gzip"]) {
        const { status, headers } = await get(server, `/${path}`, { "Accept-Encoding": coding });
        expect([status, headers["content-encoding"]]).toEqual([200, coding]);
        expect(headers["cache-control"]).toContain("immutable");
      }
    }
  });

  it("are pages for browsers and text for curl", async () => {
    for (const [path, status] of [
      ["/", 200],
      ["/nope", 404],
      ["/problems/internal", 200],
    ] as const) {
      const page = await get(server, path);
      expect([page.status, page.headers["content-type"]]).toEqual([status, "text/html; charset=utf-8"]);
      expect(page.headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
    }
    const text = await get(server, "/", { Accept: "*/*", "User-Agent": "curl/8.5.0" });
    expect([text.status, text.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  });
});

describe("an address that is too long", () => {
  const other = "x".repeat(40_000);
  const link = toRequest(`GET /tools/env-comparer?other=${other}`, { "User-Agent": "b", Accept: accept });

  /** Sends the request in packets, as a network may deliver it. */
  async function sendPackets(port: number, packets: readonly string[]): Promise<string> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    const closed = once(socket, "close");
    for (const packet of packets) {
      socket.write(packet);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await closed;
    return answer;
  }

  it.each([
    ["one packet", [link]],
    ["three packets", [link.slice(0, 14_600), link.slice(14_600, 30_000), link.slice(30_000)]],
    ["a packet that ends in the headers", [link.slice(0, 10_000), link.slice(10_000, -60), link.slice(-60)]],
  ])("is a page for a browser that followed a link, in %s", async (_, packets) => {
    const answer = await sendPackets(server.port, packets);
    expect(answer).toMatch(/^HTTP\/1\.1 414 .*\r\nContent-Type: text\/html; charset=utf-8\r\n/);
    expect(answer).toContain("require-trusted-types-for 'script'");
    expect(answer).toContain("<h1>The address is too long</h1>");
    expect(answer).toContain('href="/problems/uri_too_long"');
    expect(answer).not.toContain("xxx");
  });

  it.each([
    ["a program", "server", { Accept: "application/json" }],
    ["curl", "server", { Accept: "*/*" }],
    ["a browser, without web.enabled", "without", { Accept: accept }],
  ] as const)("is a problem document for %s", async (_, which, headers) => {
    const { port } = which === "server" ? server : without;
    const [answer] = await sendRaw(port, toRequest(`GET /tools/x?other=${other}`, headers));
    expect(answer?.status).toBe(414);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ code: "uri_too_long", status: 414 });
  });

  it("is not blamed for headers that are too long, nor waited for without end", async () => {
    const [answer] = await sendRaw(server.port, toRequest("GET /", { Accept: accept, "X-Long": other }));
    expect([answer?.status, JSON.parse(answer?.body ?? "")]).toMatchObject([400, { code: "invalid_input" }]);
    const [half] = await sendRaw(server.port, `GET /${other}`);
    expect(half?.status).toBe(400);
  });
});

describe("without web.enabled", () => {
  it.each(["/", "/nope", "/web/build", "/web/app.js"])("nothing is at %s, for browsers too", async (path) => {
    const { status, headers, text } = await get(without, path);
    expect([status, headers["content-type"]]).toEqual([404, "application/problem+json; charset=utf-8"]);
    expect(JSON.parse(text)).toMatchObject({ code: "not_found", instance: path });
  });

  it("problems have the plain page that they had", async () => {
    const { status, headers, text } = await get(without, "/problems/internal");
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    expect(text).not.toContain("<script");
  });

  it.each(["/", "/nope", "/problems/nope", "/api/tools/nope", "/problems/internal"])(
    "a program gets the same at %s as with pages",
    async (path) => {
      const headers = { Accept: "application/json" };
      const [one, other] = await Promise.all([get(server, path, headers), get(without, path, headers)]);
      expect(toComparable(one)).toEqual(toComparable(other));
    },
  );
});
