import { createServer, type RequestListener } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Server } from "node:net";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { toForwarded } from "../../../src/surfaces/cli/inbox/forward.ts";
import { penknife } from "./host.ts";
import { event, events, inbox, key, messageId, openScript, problem } from "./scripted-server.ts";

interface Arrived {
  method: string;
  url: string;
  rawHeaders: string[];
  body: Buffer;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The target of the messages. */
async function openTarget(answer: RequestListener): Promise<{ url: string; arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", rawHeaders } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    arrived.push({ method, url, rawHeaders, body: Buffer.concat(chunks) });
    answer(request, response);
  });
  return { url: await listen(server), arrived };
}

const revoked = problem(401, "revoked_key", "The key was revoked.");
const fine: RequestListener = (_, response) => void response.writeHead(202).end("thanks");

async function forward(text: string, target: string, ...more: string[]) {
  const { url } = await openScript(events(text), revoked);
  const env = { PENKNIFE_URL: url, PENKNIFE_KEY: key };
  return penknife(["inbox", "forward", inbox, target, "--all", ...more], { env });
}

describe("the forwarded request", () => {
  test("has the received method, query, exact body, and headers in their order and case", async () => {
    const { url, arrived } = await openTarget(fine);
    const binary = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const text = '\ufeff{"a": "Zażółć 👋",\r\n"b":1.0}\n';
    const headers = [
      ["Host", "hooks.example.com"],
      ["X-Hub-Signature-256", "sha256=00"],
      ["content-type", "application/json; charset=utf-8"],
      ["Content-Length", "999"],
      ["Connection", "keep-alive, X-Hop"],
      ["X-Hop", "1"],
      ["Keep-Alive", "timeout=5"],
      ["Transfer-Encoding", "chunked"],
      ["Upgrade", "h2c"],
      ["TE", "trailers"],
      ["Trailer", "X-Sum"],
      ["Proxy-Authorization", "Basic eDp5"],
      ["Expect", "100-continue"],
      ["Content-Encoding", "gzip"],
      ["X-Twice", "1"],
      ["x-twice", "2"],
      ["Cookie", "a=b"],
      ["X-Latin", "caf\u00e9"],
    ];
    const ran = await forward(
      event(1, { headers, body: text, query: "?a=1&b=%20" }) +
        event(2, { method: "PUT", headers, body: undefined, bodyBase64: binary.toString("base64") }) +
        event(3, { body: "" }),
      `${url}/hook?own=1`,
    );
    expect(arrived.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      "POST /hook?own=1&a=1&b=%20",
      "PUT /hook?own=1",
      "POST /hook?own=1",
    ]);
    expect(arrived.map(({ body }) => body)).toEqual([Buffer.from(text), binary, Buffer.alloc(0)]);
    expect(arrived[0]?.rawHeaders).toEqual(
      [
        ["Host", new URL(url).host],
        ["X-Hub-Signature-256", "sha256=00"],
        ["content-type", "application/json; charset=utf-8"],
        ["Content-Encoding", "gzip"],
        ["X-Twice", "1"],
        ["x-twice", "2"],
        ["Cookie", "a=b"],
        ["X-Latin", "caf\u00e9"],
        ["Content-Length", String(Buffer.byteLength(text))],
        ["Connection", "close"],
      ].flat(),
    );
    expect(ran.stdout).toMatch(
      new RegExp(
        [1, 2, 3]
          .map((id) => `${messageId(id)} ${id === 2 ? "PUT" : "POST"} order\\.paid → 202 \\d+ ms\n`)
          .join(""),
      ),
    );
    // The key is not forwarded.
    expect(JSON.stringify(arrived)).not.toContain(key);
  });

  test("is sent one at a time, in order, however slow the target is", async () => {
    let busy = 0;
    const { url, arrived } = await openTarget((_, response) => {
      expect(++busy).toBe(1);
      setTimeout(() => {
        busy--;
        response.end();
      }, 50);
    });
    await forward([1, 2, 3, 4].map((id) => event(id, { body: String(id) })).join(""), url);
    expect(arrived.map(({ body }) => body.toString())).toEqual(["1", "2", "3", "4"]);
  });

  test("has no connection-specific headers and one Content-Length", () => {
    const name = fc.oneof(
      fc.constantFrom("Connection", "HOST", "content-length", "Transfer-Encoding", "x-a", "X-B"),
      fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,8}$/),
    );
    const value = fc.oneof(
      fc.constantFrom("close, x-a", "X-B,keep-alive"),
      fc.stringMatching(/^[!-~]{0,8}$/),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), fc.nat(), (headers, length) => {
        const flat = toForwarded(headers, "target:1", length);
        const names = flat.filter((_, at) => at % 2 === 0).map((one) => one.toLowerCase());
        for (const once of ["host", "content-length", "connection"])
          expect(names.filter((one) => one === once)).toHaveLength(1);
        for (const never of ["transfer-encoding", "upgrade", "te", "keep-alive"])
          expect(names).not.toContain(never);
        const options = headers
          .filter(([one]) => one.toLowerCase() === "connection")
          .flatMap(([, text]) => text.toLowerCase().split(/ *, */));
        for (const option of options) if (/^x-[ab]$/.test(option)) expect(names).not.toContain(option);
      }),
    );
  });
});

describe("the printed line", () => {
  test("reports each refusal and failure, and forwarding continues", async () => {
    const { url } = await openTarget((request, response) => {
      if (request.url === "/?1") response.writeHead(500).end();
      else if (request.url === "/?2") request.socket.destroy();
      else if (request.url === "/?3") response.writeHead(302, { location: "http://192.0.2.1/" }).end();
      else response.end();
    });
    const text = [1, 2, 3, 4]
      .map((id) => event(id, { query: `?${id}`, type: id === 4 ? null : "a" }))
      .join("");
    const ran = await forward(text, url);
    const lines = ran.stdout.split("\n");
    expect(lines[0]).toMatch(/ → 500 \d+ ms$/);
    expect(lines[1]).toMatch(/ → failed: .*(?:socket hang up|ECONNRESET).* \d+ ms$/);
    expect(lines[2]).toMatch(/ → 302 \d+ ms$/);
    expect(lines[3]).toMatch(/ POST - → 200 \d+ ms$/);
    expect(ran).toMatchObject({ status: 3, stderr: "penknife: The key was revoked.\n" });
  });

  test("reports an unreachable target, also with --json", async () => {
    const ran = await forward(event(1) + event(2), "http://127.0.0.1:1/", "--json");
    const lines = ran.stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      [1, 2].map((id) => ({
        id: messageId(id),
        error: expect.stringContaining("ECONNREFUSED"),
        durationMs: expect.any(Number),
      })),
    );
    const { url } = await openTarget(fine);
    const well = await forward(event(1), url, "--json");
    expect(JSON.parse(well.stdout)).toEqual({
      id: messageId(1),
      status: 202,
      durationMs: expect.any(Number),
    });
  });

  test("reports a response that is not HTTP as a failure", async () => {
    const server = createSocketServer(
      (socket) => void socket.on("error", () => undefined).end("\0\0\r\n\r\n"),
    );
    const ran = await forward(event(1), await listen(server));
    expect(ran.stdout).toMatch(/ → failed: .* \d+ ms\n$/);
  });

  test("is not delayed by an endless response", async () => {
    const { url, arrived } = await openTarget((_, response) => void response.write("x"));
    await forward(event(1) + event(2), url);
    expect(arrived).toHaveLength(2);
  });
});
