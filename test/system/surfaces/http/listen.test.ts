import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createConnectionLimits } from "../../../../src/surfaces/http/connection-limits.ts";
import { openListener } from "../../../../src/surfaces/http/listen.ts";
import { openHarness, openRaw, sleep, type Harness } from "../harness.ts";
import { testRuntime } from "../../../support/runtime.ts";

let app: Harness;
afterEach(async () => {
  await app.close();
  vi.restoreAllMocks();
});

const connectionLimits = createConnectionLimits({
  max: 100,
  perAddress: 100,
  isProxy: () => false,
  runtime: testRuntime({ monotonic: () => performance.now() }),
  onClosed() {},
});
const listener = { basePath: "", connectionLimits };

describe("behaviour of listhen that must not occur", () => {
  test("only our own request listener is installed: http-shutdown crashes on a request whose socket is gone", async () => {
    app = await openHarness({ http: { bodyLimit: 2048 }, timeouts: { linger: 200, sweep: 20 } });
    for (let round = 0; round < 5; round++) {
      const raw = openRaw(
        app.port,
        "POST /api/tools/json-formatter HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n",
      );
      raw.write(`1000\r\n${"a".repeat(4096)}\r\n1000\r\n${"a".repeat(4096)}\r\n`);
      expect(await raw.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 413 /);
      raw.socket.destroy();
      expect((await app.get("/healthz")).status).toBe(200);
    }
  });

  test("signal handlers are left to the process", async () => {
    const signals = ["SIGTERM", "SIGINT", "SIGHUP", "exit"] as const;
    const before = signals.map((signal) => process.listenerCount(signal));
    const most = process.getMaxListeners();
    app = await openHarness();
    expect(signals.map((signal) => process.listenerCount(signal))).toEqual(before);
    expect(process.getMaxListeners()).toBe(most);
  });

  test("nothing is printed", async () => {
    const printed = [
      vi.spyOn(process.stdout, "write"),
      vi.spyOn(process.stderr, "write"),
      vi.spyOn(console, "log"),
    ];
    app = await openHarness({ listener: { host: "0.0.0.0" } });
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  test("HOST, PORT and --host are not read", async () => {
    vi.stubEnv("HOST", "0.0.0.0");
    vi.stubEnv("PORT", "1");
    process.argv.push("--host");
    try {
      app = await openHarness();
    } finally {
      process.argv.pop();
      vi.unstubAllEnvs();
    }
    expect(app.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test.each(["under_score", "/tmp/a.sock", "a".repeat(64), "-a", "", "a b", "fe80::1%lo", "999.1.1.1.1"])(
    "the host %j is refused, instead of every interface",
    async (host) => {
      app = await openHarness();
      await expect(openListener(app.http, { ...listener, host, port: 0 })).rejects.toMatchObject({
        code: "invalid_input",
      });
    },
  );

  test("a name is resolved", async () => {
    app = await openHarness({ listener: { host: "localhost" } });
    expect((await app.get("/healthz")).status).toBe(200);
  });

  test("a busy port is an error that names it", async () => {
    app = await openHarness();
    await expect(
      openListener(app.http, { ...listener, host: "127.0.0.1", port: app.port }),
    ).rejects.toMatchObject({
      code: "EADDRINUSE",
      syscall: "listen",
      message: expect.stringContaining(`127.0.0.1:${app.port}`),
    });
  });

  test("a port that browsers refuse is an error, not port 3000", async () => {
    app = await openHarness();
    await expect(openListener(app.http, { ...listener, host: "127.0.0.1", port: 6667 })).rejects.toThrow(
      /6667.*browsers/,
    );
    const probe = createServer();
    await new Promise<void>((resolve, reject) =>
      probe.once("error", reject).listen(3000, "127.0.0.1", resolve),
    );
    probe.close();
  });

  test("an address of another machine is an error that says so", async () => {
    app = await openHarness();
    await expect(openListener(app.http, { ...listener, host: "192.0.2.1", port: 0 })).rejects.toMatchObject({
      code: "EADDRNOTAVAIL",
    });
  });
});

describe("shutdown", () => {
  const slow = (seconds: number) => async (): Promise<{ body: string }> => {
    await sleep(seconds * 1000);
    return { body: '{"result":"done"}' };
  };
  const call = { data: "a", pattern: "a" };

  test("running requests are answered, idle connections closed, new ones refused", async () => {
    app = await openHarness({ isolate: slow(1) });
    const idle = openRaw(app.port, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await idle.until("ok");
    let answered = false;
    const running = app
      .post("/api/tools/regex-tester", JSON.stringify(call))
      .finally(() => (answered = true));
    await expect.poll(() => app.http.inFlight()).toBe(1);
    const start = performance.now();
    const closed = app.listener.close(600_000);
    await idle.all();
    expect(answered).toBe(false);
    await expect(fetch(`${app.url}/healthz`)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
    const response = await running;
    expect(response.status).toBe(200);
    expect(response.headers.get("connection")).toBe("close");
    expect(await response.json()).toEqual({ result: "done" });
    await closed;
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  test("a connection that was just accepted still gets its answer", async () => {
    app = await openHarness();
    const raw = openRaw(app.port);
    await new Promise((resolve) => raw.socket.once("connect", resolve));
    await sleep(30);
    const closed = app.listener.close(60_000);
    raw.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await raw.all()).toMatch(/^HTTP\/1\.1 200 /);
    await closed;
  });

  test("work beyond the grace period is aborted", async () => {
    app = await openHarness({ isolate: slow(3) });
    const running = app
      .post("/api/tools/regex-tester", JSON.stringify(call))
      .catch((error: unknown) => error);
    await expect.poll(() => app.http.inFlight()).toBe(1);
    const start = performance.now();
    await app.listener.close(200);
    expect(performance.now() - start).toBeLessThan(60_000);
    expect(await running).toBeInstanceOf(Error);
  });

  test("under load every request that was sent is answered", async () => {
    app = await openHarness();
    const key = await app.key("team");
    let stopped = false;
    const failures: unknown[] = [];
    const clients = Array.from({ length: 8 }, async () => {
      while (!stopped) {
        try {
          const response = await app.post("/api/tools/json-minifier", '{"data":"[1]"}', {
            authorization: `Bearer ${key}`,
          });
          await response.arrayBuffer();
          if (response.status !== 200) failures.push(response.status);
        } catch (error) {
          // A refused connection is right; a truncated answer is not.
          const { code } = ((error as Error).cause ?? {}) as { code?: string };
          if (code !== "ECONNREFUSED" && code !== "UND_ERR_SOCKET" && code !== "ECONNRESET")
            failures.push(error);
          break;
        }
      }
    });
    await sleep(300);
    await app.listener.close(60_000);
    stopped = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(app.logged().filter(({ message, status }) => message === "request" && status !== 200)).toEqual([]);
  });
});

describe("TLS", () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "penknife-tls-"));
    for (const name of ["one", "two"]) {
      const options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(" ");
      const files = ["-subj", `/CN=${name}`, "-keyout", file(`${name}.key`), "-out", file(`${name}.crt`)];
      execFileSync("openssl", [...options, ...files], { stdio: "ignore" });
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function open(): Promise<void> {
    copyFileSync(file("one.crt"), file("live.crt"));
    copyFileSync(file("one.key"), file("live.key"));
    app = await openHarness({ listener: { tls: { cert: file("live.crt"), key: file("live.key") } } });
  }

  const subject = (agent?: Agent): Promise<{ name: string; status: number | undefined }> =>
    new Promise((resolve, reject) => {
      const call = request(
        `${app.url}/healthz`,
        { rejectUnauthorized: false, ...(agent && { agent }) },
        (answer) => {
          const { subject: of } = (answer.socket as TLSSocket).getPeerCertificate();
          answer.resume().on("end", () => resolve({ name: String(of.CN), status: answer.statusCode }));
        },
      );
      call.on("error", reject);
      call.end();
    });

  test("a new certificate is loaded without dropping a connection", async () => {
    await open();
    expect(app.url).toMatch(/^https:/);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await subject(agent)).toEqual({ name: "one", status: 200 });
    copyFileSync(file("two.crt"), file("live.crt"));
    copyFileSync(file("two.key"), file("live.key"));
    await app.listener.reload();
    expect(await subject(agent)).toEqual({ name: "one", status: 200 });
    expect(await subject()).toEqual({ name: "two", status: 200 });
    agent.destroy();
  });

  test.each([
    [3600, "max-age=3600"],
    [0, undefined],
  ])("server.hstsSeconds %d over its own TLS", async (hstsSeconds, value) => {
    copyFileSync(file("one.crt"), file("live.crt"));
    copyFileSync(file("one.key"), file("live.key"));
    app = await openHarness({
      http: { hstsSeconds },
      listener: { tls: { cert: file("live.crt"), key: file("live.key") } },
    });
    for (const path of ["/healthz", "/nope"]) {
      const sent = request(app.url + path, { rejectUnauthorized: false }).end();
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      expect(answer.resume().headers["strict-transport-security"]).toBe(value);
    }
  });

  test("server.hstsSeconds changes nothing over plain HTTP, whatever a proxy says", async () => {
    app = await openHarness({ http: { hstsSeconds: 3600 } });
    const answer = await app.get("/healthz", { headers: { "x-forwarded-proto": "https" } });
    expect(answer.headers.has("strict-transport-security")).toBe(false);
  });

  test("an invalid one is reported, and the old one stays", async () => {
    await open();
    copyFileSync(file("two.key"), file("live.key"));
    await expect(app.listener.reload()).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("tlsCert"),
    });
    writeFileSync(file("live.key"), "junk");
    await expect(app.listener.reload()).rejects.toThrow(/server\.tlsKey.*PEM/);
    rmSync(file("live.crt"));
    await expect(app.listener.reload()).rejects.toThrow(/server\.tlsCert/);
    expect(await subject()).toEqual({ name: "one", status: 200 });
  });

  test("nothing below TLS 1.2", async () => {
    await open();
    const version = (limit: "TLSv1.1" | "TLSv1.2" | "TLSv1.3"): Promise<string | null> =>
      new Promise((resolve, reject) => {
        const socket = connectTls(
          // Without the lower security level this client could not even offer 1.1.
          {
            port: app.port,
            rejectUnauthorized: false,
            minVersion: "TLSv1.1",
            maxVersion: limit,
            ciphers: "DEFAULT@SECLEVEL=0",
          },
          () => {
            resolve(socket.getProtocol());
            socket.destroy();
          },
        );
        socket.on("error", reject);
      });
    await expect(version("TLSv1.1")).rejects.toMatchObject({ code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
    expect(await version("TLSv1.2")).toBe("TLSv1.2");
    expect(await version("TLSv1.3")).toBe("TLSv1.3");
  });

  test("a handshake that never completes is ended", async () => {
    copyFileSync(file("one.crt"), file("live.crt"));
    copyFileSync(file("one.key"), file("live.key"));
    app = await openHarness({
      listener: { tls: { cert: file("live.crt"), key: file("live.key") } },
      timeouts: { headers: 300, sweep: 50 },
    });
    const start = performance.now();
    await openRaw(app.port).all();
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  test("a certificate that cannot be read prevents the start, and is never replaced by a generated one", async () => {
    app = await openHarness();
    const tls = { cert: file("none.crt"), key: file("none.key") };
    await expect(
      openListener(app.http, { ...listener, host: "127.0.0.1", port: 0, tls }),
    ).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});
