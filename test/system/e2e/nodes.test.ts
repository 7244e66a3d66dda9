import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { errorCodes } from "../../../src/catalog/errors.ts";
import { penknife as commandLine } from "../cli/host.ts";
import { type Nodes, startNodes } from "./compose.ts";
import { call, emptyFolder, type Reply, type Send } from "./harness.ts";

const folder = emptyFolder();
let nodes: Nodes;

beforeAll(async () => {
  nodes = await startNodes(folder.path);
});

afterAll(async () => {
  await nodes?.stop();
  folder.remove();
});

const path = "/api/tools/json-minifier";
const json = { "Content-Type": "application/json" };
const body = '{"data":"[1, 2]"}';

/** Sends a call through the proxy from an address of this machine. */
const callFrom = (localAddress: string, headers: Send["headers"] = {}): Promise<Reply> =>
  nodes.proxy.call(path, { method: "POST", headers: { ...json, ...headers }, body, localAddress });

const remaining = ({ headers }: Reply): number => Number(headers["x-ratelimit-remaining"]);

/** Returns the nodes that log this address, which happens shortly after the answer. */
const seenBy = (ip: string): boolean[] =>
  nodes.servers.map((server) => server.stdout().includes(`"ip":"${ip}"`));

/** Issues a key of a new account as an administrator does, with the environment of the nodes. */
async function issueKey(account: string): Promise<string> {
  const admin = async (...words: string[]): Promise<string> => {
    const { status, stdout, stderr } = await commandLine(["admin", ...words], { env: nodes.env });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  await admin("accounts", "create", account, "--plan", "team", "--limit", "1000000");
  return admin("keys", "issue", "--account", account);
}

let key: string;

beforeAll(async () => {
  key = await issueKey("acme");
});

describe("Redis as the compose file starts it", () => {
  it("persists, evicts nothing and requires its password", () => {
    const settings = ["appendonly", "appendfsync", "maxmemory", "maxmemory-policy"];
    const values = settings.map((name) => nodes.redis.cli("CONFIG", "GET", name).split("\n")[1]);
    expect(values).toEqual(["yes", "everysec", String(256 * 1024 * 1024), "noeviction"]);
    expect(nodes.redis.password).toMatch(/^[0-9a-f]{64}$/);
    expect(nodes.servers[0]?.stdout()).not.toMatch(/does not write to disk|append-only|maxmemory-policy/);
  });

  it("does not show the password in the process list", () => {
    for (const file of ["cmdline", "environ"]) {
      const shown = readFileSync(`/proc/${nodes.redis.pid}/${file}`, "latin1");
      expect(shown).not.toContain(nodes.redis.password);
    }
  });
});

describe("three nodes behind nginx", () => {
  it("count a caller across all nodes, by its own address", async () => {
    const replies = await Promise.all(Array.from({ length: 130 }, () => callFrom("127.0.0.2")));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
    expect(remaining(await callFrom("127.0.0.3"))).toBe(99);
    await vi.waitFor(() => expect(seenBy("127.0.0.2")).toEqual([true, true, true]), { timeout: 60_000 });
  });

  it("trust only the proxy about the client address", async () => {
    // The caller forges an address through the proxy, which overwrites it.
    const forged = { "X-Forwarded-For": "198.51.100.7, 127.0.0.3", Forwarded: "for=198.51.100.7" };
    expect((await callFrom("127.0.0.2", forged)).status).toBe(429);
    // Directly, from an address that is not a trusted proxy: the header is ignored.
    const [node] = nodes.servers;
    const direct: Send = { method: "POST", headers: { ...json, ...forged }, body, localAddress: "127.0.0.4" };
    expect(remaining(await call(`${node?.url}${path}`, direct))).toBe(99);
    await vi.waitFor(() => expect(seenBy("127.0.0.4")).toEqual([true, false, false]), { timeout: 60_000 });
    expect(seenBy("198.51.100.7")).toEqual([false, false, false]);
  });

  it("answer a large document, which the proxy buffers completely", async () => {
    const data = JSON.stringify({
      data: JSON.stringify(
        Array.from({ length: 100_000 }, (_, at) => at),
        null,
        1,
      ),
    });
    const reply = await nodes.proxy.call(path, {
      method: "POST",
      headers: json,
      body: data,
      localAddress: "127.0.0.5",
    });
    expect(reply.status).toBe(200);
    expect((JSON.parse(reply.text) as { result: string }).result).toMatch(/^\[0,1,2,.*,99999\]$/);
  });

  it.each([
    { mebibytes: 11, by: "a node", detail: "10485760" },
    { mebibytes: 17, by: "the proxy", detail: "16 MiB" },
  ])("refuse a body of $mebibytes MiB in the same form: $by does", async ({ mebibytes, detail }) => {
    const large = Buffer.alloc(mebibytes * 1024 * 1024, 0x20);
    const reply = await nodes.proxy.call(path, {
      method: "POST",
      headers: json,
      body: large,
      localAddress: "127.0.0.6",
    });
    expectProblem(reply, "body_too_large");
    expect((JSON.parse(reply.text) as { detail: string }).detail).toContain(detail);
  });

  it("expose liveness, but neither metrics nor readiness", async () => {
    for (const hidden of ["/metrics", "/readyz"]) expectProblem(await nodes.proxy.call(hidden), "not_found");
    expect((await nodes.proxy.call("/healthz")).status).toBe(200);
    const [node] = nodes.servers;
    expect((await call(`${node?.url}/readyz`)).status).toBe(200);
    expect((await call(`${node?.url}/metrics`)).text).toMatch(/^penknife_store_up 1$/m);
  });

  it("speak TLS and nothing else", async () => {
    const { headers } = await nodes.proxy.call("/healthz");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    expect((await call(`http://127.0.0.1:${nodes.proxy.port}/healthz`)).status).toBe(400);
  });

  it("answer under the name of the site, and only its own pages", async () => {
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await nodes.proxy.call("/api/tools", { headers })).status;
    const site = "penknife.example.com";
    expect(await statusOf({ Host: site })).toBe(200);
    expect(
      await statusOf({
        Host: `${site}:8443`,
        Origin: `https://${site}:8443`,
        "Sec-Fetch-Site": "same-origin",
      }),
    ).toBe(200);
    expect(await statusOf({ Host: site, Origin: `https://${site}:8443` })).toBe(403);
    expect(await statusOf({ Host: "evil.example" })).toBe(421);
    expect(await statusOf({ Host: "evil.example", Authorization: `Bearer ${key}` })).toBe(200);
  });

  it("upgrade WebSockets and nothing else, and pass event streams on as they come", async () => {
    const upgrade = (to: string): string =>
      `GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${to}\r\nSec-WebSocket-Version: 13\r\n` +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n";
    // The accept value for the sample key of RFC 6455 §1.3.
    expect(await ask(upgrade("websocket"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")).toMatch(/^HTTP\/1\.1 101 /);
    expect(await ask(upgrade("h2c"), "\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 /);
    const document = '{"query":"subscription { usage { limit } }"}';
    const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nAccept: text/event-stream`;
    const request = `POST /graphql HTTP/1.1\r\n${head}\r\nContent-Length: ${document.length}\r\n\r\n${document}`;
    const stream = await ask(request, '{"data":{"usage":{"limit":1000000}}}\n\n');
    expect(stream).toContain("Content-Type: text/event-stream");
  });

  it("reload a certificate without dropping a connection", async () => {
    const before = await fingerprint();
    nodes.proxy.renew();
    await vi.waitFor(
      async () => {
        expect((await nodes.proxy.call("/healthz")).status).toBe(200);
        expect(await fingerprint()).not.toBe(before);
      },
      { timeout: 60_000 },
    );
  });

  it("lose no call while nodes in turn stop or are killed, and return", async () => {
    let going = true;
    const outcomes = new Map<string, number>();
    const load = Array.from({ length: 6 }, async () => {
      while (going) {
        const outcome = await callFrom("127.0.0.7", { Authorization: `Bearer ${key}` }).then(
          ({ status }) => String(status),
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await sleep(250);
      }
    });
    const signals = ["SIGTERM", "SIGKILL", "SIGTERM"] as const;
    for (const [at, signal] of signals.entries()) {
      await nodes.restart(at, signal);
      // The proxy retries a failed node after two seconds; until then the next one must stay up.
      await sleep(2500);
    }
    // The node that returned last receives and logs requests again.
    await expect.poll(() => seenBy("127.0.0.7")).toEqual([true, true, true]);
    going = false;
    await Promise.all(load);
    expect([...outcomes.keys()]).toEqual(["200"]);
    expect(outcomes.get("200")).toBeGreaterThan(60);
  });

  it("are reported as overloaded, in penknife's format, when none of them is up", async () => {
    await Promise.all(nodes.servers.map((server) => server.stop()));
    const reply = await callFrom("127.0.0.8");
    expectProblem(reply, "overloaded");
    expect(Number(reply.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  });
});

/** The fingerprint of the certificate that a new connection gets. */
async function fingerprint(): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port: nodes.proxy.port, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

/** Reads an endless response on a new connection until it contains `wanted`. */
async function ask(request: string, wanted: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port: nodes.proxy.port, rejectUnauthorized: false });
  try {
    socket.write(request);
    let said = "";
    for await (const chunk of socket) {
      said += String(chunk);
      if (said.includes(wanted)) break;
    }
    return said;
  } finally {
    socket.destroy();
  }
}

function expectProblem(reply: Reply, code: keyof typeof errorCodes): void {
  const { status, title } = errorCodes[code];
  expect(reply.status).toBe(status);
  expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  expect(JSON.parse(reply.text)).toMatchObject({
    type: `/problems/${code}`,
    title,
    status,
    code,
    detail: expect.any(String) as string,
    requestId: expect.stringMatching(/^[\w-]{8,}$/) as string,
  });
}
