import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHarness, openRaw, sleep, type Harness } from "../harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await openHarness({ timeouts: { linger: 300 } });
});
afterAll(() => app.close());

const call = (path: string, headers: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

describe("requests that no library would send", () => {
  test("an absolute-form target is the same path", async () => {
    const raw = app.raw(
      "GET http://example.com/healthz HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n",
    );
    expect(await raw.all()).toContain("HTTP/1.1 200");
  });

  test("an authority after two slashes is not a host", async () => {
    const raw = app.raw("GET //evil.example/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await raw.all()).toContain('"instance":"//evil.example/healthz"');
  });

  test("OPTIONS *", async () => {
    const answer = await app.raw("OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").all();
    expect(answer).toContain("HTTP/1.1 204");
    expect(answer).toContain("Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  });

  test.each([
    ["no HTTP", "hello\r\n\r\n", 400],
    ["an unknown method", "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    [
      "two lengths",
      "POST /api/tools HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
    [
      "a length and chunks, which is how requests are smuggled",
      "POST /api/tools HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
    ],
    ["a URL of 20 KB", `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414, "at most 16384 bytes"],
    [
      "headers of 20 KB",
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
      400,
      "at most 16384 bytes",
    ],
    ["no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "needs a Host header"],
  ])("%s", async (_, text, status, detail = "not an HTTP/1.1 request") => {
    const answer = await app.raw(text).all();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain("application/problem+json");
    const problem = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as Record<string, unknown>;
    expect(problem).toMatchObject({
      type: `/problems/${status === 414 ? "uri_too_long" : "invalid_input"}`,
      status,
      code: status === 414 ? "uri_too_long" : "invalid_input",
      detail: expect.stringContaining(detail),
      requestId: /X-Request-Id: (\S+)/.exec(answer)?.[1],
    });
    expect(problem.requestId).toBeTypeOf("string");
    await expect
      .poll(() => app.logged())
      .toContainEqual(
        expect.objectContaining({ requestId: problem.requestId, status, outcome: problem.code }),
      );
    expect(answer).not.toMatch(/HPE_|node:|at .*\.ts/);
    expect((await app.get("/healthz")).status).toBe(200);
  });

  test.each([
    ["in the same packet", 0],
    ["in the next one", 20],
  ])("the calls before a malformed request are answered first: %s", async (_, pause) => {
    const one = call("/api/tools/json-minifier", "Content-Type: text/plain\r\n", "[1]");
    const raw = app.raw(one + one);
    if (pause > 0) await sleep(pause);
    raw.write("hello\r\n\r\n");
    const answer = await raw.all();
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      "200",
      "200",
      "400",
    ]);
  });

  test("a slow call is answered before a malformed request behind it", async () => {
    const own = await openHarness({
      isolate: async () => {
        await sleep(300);
        return { body: '{"result":"late"}' };
      },
    });
    const text = JSON.stringify({ data: "a", pattern: "a" });
    const slow = call("/api/tools/regex-tester", "Content-Type: application/json\r\n", text);
    const raw = own.raw(slow);
    await sleep(50);
    raw.write("hello\r\n\r\n");
    // Each further packet is an error of its own to Node's parser.
    for (let packet = 0; packet < 5; packet++) {
      await sleep(10);
      raw.write(`${call("/api/tools/json-minifier", "", "[1]")}more\r\n\r\n`);
    }
    const answer = await raw.all();
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "400"]);
    expect(answer).toContain('{"result":"late"}');
    expect(own.runs).toHaveLength(1);
    await expect.poll(() => own.http.inFlight()).toBe(0);
    await own.close();
  });

  test("a client that disconnects while the answers before its malformed request are made leaves nothing behind", async () => {
    const before = app.http.inFlight();
    const own = `Content-Type: text/plain\r\nAuthorization: Bearer ${await app.key("team")}\r\n`;
    const one = call("/api/tools/json-minifier", own, "[1]");
    for (let client = 0; client < 20; client++) {
      const raw = app.raw(`${one}${one}${one}hello\r\n\r\n`);
      raw.socket.once("connect", () => setImmediate(() => raw.socket.resetAndDestroy()));
      await raw.all();
    }
    await expect.poll(() => app.http.inFlight()).toBe(before);
    expect((await app.get("/healthz")).status).toBe(200);
  });

  test("HTTP/1.0 needs no host", async () => {
    expect(await app.raw("GET /healthz HTTP/1.0\r\n\r\n").all()).toContain(" 200 OK");
  });

  test("CONNECT is refused, because this is not a proxy", async () => {
    const answer = await app.raw("CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n").all();
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toContain("Allow: GET, HEAD, POST, OPTIONS\r\n");
    expect(answer).toContain("Connection: close");
    const problem = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as Record<string, unknown>;
    expect(problem).toMatchObject({ code: "method_not_allowed", requestId: expect.any(String) });
    expect(problem).not.toHaveProperty("instance");
  });

  test("CONNECT behind other calls waits for their answers", async () => {
    const one = call("/api/tools/json-minifier", "Content-Type: text/plain\r\n", "[1]");
    const answer = await app.raw(`${one}${one}CONNECT x:80 HTTP/1.1\r\n\r\n`).all();
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      "200",
      "200",
      "405",
    ]);
  });

  test("CONNECT by a client that has disconnected leaves nothing behind", async () => {
    const before = app.http.inFlight();
    const own = `Content-Type: text/plain\r\nAuthorization: Bearer ${await app.key("team")}\r\n`;
    const one = call("/api/tools/json-minifier", own, "[1]");
    for (let client = 0; client < 20; client++) {
      const raw = app.raw(`${one}${one}${one}CONNECT x:80 HTTP/1.1\r\n\r\n`);
      raw.socket.once("connect", () => setImmediate(() => raw.socket.resetAndDestroy()));
      await raw.all();
    }
    await expect.poll(() => app.http.inFlight()).toBe(before);
    expect((await app.get("/healthz")).status).toBe(200);
  });

  test("a long path and a long name are truncated in messages", async () => {
    const missing = await (await app.get(`/${"a".repeat(254)}%41${"b".repeat(5000)}`)).text();
    expect(JSON.parse(missing)).toMatchObject({ instance: `/${"a".repeat(254)}` });
    const name = "n".repeat(100_000);
    const response = await app.post("/api/tools/json-formatter", JSON.stringify({ data: "1", [name]: 1 }));
    expect((await response.text()).length).toBeLessThan(2000);
    const twice = await app.post("/api/tools/json-formatter", `{"data":"1","${name}":1,"${name}":2}`);
    const problem = (await twice.json()) as { errors: { pointer: string }[] };
    expect(problem.errors[0]?.pointer.length).toBeLessThanOrEqual(257);
  });

  test("a broken chunk in the middle of a body", async () => {
    const raw = app.raw(
      "POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\nzz\r\n",
    );
    expect(await raw.all()).toMatch(/^HTTP\/1\.1 400 /);
    expect((await app.get("/healthz")).status).toBe(200);
  });

  test("pipelined calls are answered in order", async () => {
    const one = (id: string): string =>
      call("/api/tools/json-minifier", `X-Request-Id: ${id}\r\nContent-Type: text/plain\r\n`, "[1]");
    const raw = app.raw(one("first") + one("second"));
    const answer = await raw.until("second");
    expect(answer.indexOf("first")).toBeLessThan(answer.indexOf("second"));
    raw.socket.destroy();
  });
});

describe("Expect: 100-continue", () => {
  const expecting = (path: string, length: number, extra = ""): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n${extra}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;

  test("the body is requested once the call is admitted", async () => {
    const raw = app.raw(expecting("/api/tools/json-minifier", 3));
    expect(await raw.until("\r\n\r\n")).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    raw.write("[1]");
    expect(await raw.until('{"result":"[1]"}')).toContain("HTTP/1.1 200");
    raw.socket.destroy();
  });

  test.each([
    ["a body over the limit", expecting("/api/tools/json-minifier", 2_000_000), 413],
    ["a wrong key", expecting("/api/tools/json-minifier", 3, "Authorization: Bearer nothing\r\n"), 401],
    ["an unknown tool", expecting("/api/tools/none", 3), 404],
  ])("%s is refused before it is sent", async (_, text, status) => {
    const answer = await app.raw(text).all();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).not.toContain("100 Continue");
    expect(answer).toContain("Connection: close");
  });

  test("an unknown expectation is ignored", async () => {
    const answer = await app
      .raw("GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n")
      .all();
    expect(answer).toContain("HTTP/1.1 200");
  });
});

describe("bodies over the limit", () => {
  const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`;
  const head = "POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n";

  test.each([
    ["declared", `${head}Content-Length: 3000000\r\n\r\n`, "a".repeat(65_536)],
    ["chunked", `${head}Transfer-Encoding: chunked\r\n\r\n`, chunk],
  ])(
    "%s: the client that keeps sending receives the answer, and the next request is 200",
    async (_, start, part) => {
      const raw = openRaw(app.port, start);
      for (let sent = 0; sent < 40; sent++) raw.write(part);
      const answer = await raw.all();
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('"limit":1048576');
      expect(answer).toContain("Connection: close");
      const next = await app.post("/api/tools/json-formatter", '{"data":"1"}');
      expect(next.status).toBe(200);
      expect((await app.get("/healthz")).status).toBe(200);
    },
  );

  test("exactly the limit is accepted", async () => {
    const body = `"${"a".repeat(1_048_574)}"`;
    const response = await app.post("/api/tools/json-minifier", body, {
      "content-type": "text/plain",
      accept: "text/plain",
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(body);
  });
});

test("an aborted upload leaves nothing behind", async () => {
  const before = app.http.inFlight();
  const raw = app.raw(
    "POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nX-Request-Id: aborted\r\nContent-Type: text/plain\r\nContent-Length: 500000\r\n\r\n[1,",
  );
  await expect.poll(() => app.http.inFlight()).toBe(before + 1);
  raw.socket.destroy();
  await expect.poll(() => app.http.inFlight()).toBe(before);
  expect(app.logged().find((line) => line.requestId === "aborted")).toMatchObject({
    status: 499,
    outcome: "cancelled",
  });
});
