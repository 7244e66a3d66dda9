import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHarness, openRaw, sleep, type Harness } from "../harness.ts";

let app: Harness;
let key: string;
beforeAll(async () => {
  app = await openHarness({ timeouts: { linger: 300 } });
  key = await app.key("team");
});
afterAll(() => app.close());

const path = "/api/tools/json-minifier";
const body = '{"data":"[1]"}';
const post = (headers: string, version = "1.1"): string =>
  `POST ${path} HTTP/${version}\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Malformed heads: the problem details, nothing run, nothing counted, and the connection closed. */
async function refusalOf(text: string | string[]): Promise<unknown> {
  const before = app.runs.length;
  const raw = openRaw(app.port);
  for (const part of [text].flat()) {
    raw.write(part);
    await sleep(5);
  }
  // Without `Connection: close` from us, the server closes it, once.
  const answer = await raw.all();
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  expect(answer).toContain("Content-Type: application/problem+json");
  expect(answer).toContain("Connection: close");
  expect(answer).not.toContain("RateLimit");
  const problem = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as Record<string, unknown>;
  expect(problem).toMatchObject({
    type: "/problems/invalid_input",
    code: "invalid_input",
    requestId: /X-Request-Id: (\S+)/.exec(answer)?.[1],
  });
  await expect
    .poll(() => app.logged())
    .toContainEqual(expect.objectContaining({ requestId: problem.requestId, outcome: "invalid_input" }));
  expect(app.runs).toHaveLength(before);
  expect((await app.post(path, body, { authorization: `Bearer ${key}` })).status).toBe(200);
  return problem.detail;
}

describe("the Host header", () => {
  const many = "exactly one Host header";
  test.each<[string, string, string]>([
    ["two of them", post("Host: a\r\nHost: b\r\n"), many],
    ["the same one twice", post("Host: a\r\nHost: a\r\n"), many],
    ["two in other cases, with others between them", post("HOST: a\r\nX-A: 1\r\nhOsT: b\r\n"), many],
    ["two in HTTP/1.0", post("Host: a\r\nHost: b\r\n", "1.0"), many],
    ["two on a probe", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", many],
    [
      "two before a body of 60 KB",
      `${post("Host: a\r\nHost: b\r\n").replace(/\d+\r\n\r\n.*$/, "60000\r\n\r\n")}`,
      many,
    ],
    ["none", post(""), "needs a Host header"],
    ["a user", post("Host: user@a\r\n"), "a host with an optional port"],
    ["a path", post("Host: a/b\r\n"), "a host with an optional port"],
    ["a space", post("Host: a b\r\n"), "a host with an optional port"],
    ["a list", post("Host: a:80, b\r\n"), "a host with an optional port"],
    ["a port that is no number", post("Host: a:http\r\n"), "a host with an optional port"],
    ["half of an address", post("Host: [::1\r\n"), "a host with an optional port"],
    ["bytes beyond ASCII", post("Host: b\xfccher.example\r\n"), "a host with an optional port"],
    ["half of an escape", post("Host: a%2\r\n"), "a host with an optional port"],
  ])("%s is refused", async (_, text, detail) => {
    expect(await refusalOf(text)).toContain(detail);
  });

  test.each([
    "a",
    "A.example.:8787",
    "127.0.0.1:1",
    "[::1]:80",
    "[fe80::1%25eth0]",
    "my_service",
    "a%20b",
    "a:",
    "",
  ])("%j is accepted", async (host) => {
    const raw = app.raw(post(`Host: ${host}\r\nConnection: close\r\n`));
    expect(await raw.all()).toContain("HTTP/1.1 200");
  });

  test("a second Host header in a packet of its own is refused", async () => {
    expect(
      await refusalOf(["POST / HTTP/1.1\r\nHost: a\r\n", "Ho", "st: b\r\nContent-Length: 0\r\n\r\n"]),
    ).toContain(many);
  });

  test("earlier calls on the connection are answered, later ones are not", async () => {
    const raw = app.raw(post("Host: a\r\n") + post("Host: a\r\nHost: b\r\n"));
    const answer = await raw.all();
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
  });
});

describe("versions and codings", () => {
  test.each(["0.9", "2.0"])("HTTP/%s is refused", async (version) => {
    expect(await refusalOf(post("Host: a\r\n", version))).toContain("not an HTTP/1.1 request");
  });

  const chunked = (coding: string, version = "1.1"): string =>
    `POST ${path} HTTP/${version}\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\ne\r\n${body}\r\n0\r\n\r\n`;
  test.each(["gzip, chunked", "identity, chunked", "x, Chunked"])(
    "a body in %s is not read",
    async (coding) => {
      expect(await refusalOf(chunked(coding))).toContain("only supported Transfer-Encoding is chunked");
    },
  );
  test("chunks in HTTP/1.0 are refused, because they allow request smuggling", async () => {
    expect(await refusalOf(chunked("chunked", "1.0"))).toContain("cannot have Transfer-Encoding");
  });
  test("chunked in any letter case is accepted", async () => {
    const raw = app.raw(chunked("Chunked"));
    expect(await raw.until('{"result":"[1]"}')).toContain("HTTP/1.1 200");
    raw.socket.destroy();
  });
});

describe("many headers", () => {
  const padding = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `X-${index.toString(36)}:\r\n`);
  /** Beside the padding there are Host, Content-Type, Content-Length and the first Authorization. */
  const own = 4;
  const withPadding = (count: number, last: string): string[] => {
    const [first = "", rest = ""] = post(`Host: a\r\nAuthorization: Bearer a\r\n\0`).split("\0");
    return [first, ...padding(count - own - 1), `${last}\r\n${rest}`];
  };

  test.each(["Authorization: Bearer b", "X-API-Key: b"])(
    "the last of a hundred is not lost: %s",
    async (last) => {
      const raw = app.raw(withPadding(100, last).join(""));
      expect(await raw.until("requestId")).toContain('"code":"conflicting_credentials"');
      raw.socket.destroy();
    },
  );

  test.each([101, 102, 130, 200, 990, 2000, 2500])(
    "%i of them are refused, so that they hide no second credential",
    async (count) => {
      for (const last of ["Authorization: Bearer b", "X-API-Key: b", "Host: b"]) {
        expect(await refusalOf(withPadding(count, last).join(""))).toContain("at most 100 headers");
      }
    },
  );

  test("too many are refused when they arrive one per packet", async () => {
    const parts = withPadding(120, "Authorization: Bearer b");
    expect(
      await refusalOf([parts.slice(0, 60).join(""), parts.slice(60, 90).join(""), parts.slice(90).join("")]),
    ).toContain("100 headers");
  });

  test("a hundred are accepted", async () => {
    const [first = "", rest = ""] = post("Host: a\r\n\0").split("\0");
    const raw = app.raw([first, ...padding(97), rest].join(""));
    expect(await raw.until('{"result":"[1]"}')).toContain("HTTP/1.1 200");
    raw.socket.destroy();
  });

  test("trailers count as well", async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await app.raw(`${head}e\r\n${body}\r\n0\r\n${padding(150).join("")}\r\n`).all();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("at most 100 headers");
  });
});
