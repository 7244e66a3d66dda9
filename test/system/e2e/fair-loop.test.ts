import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { call, callTool, emptyFolder, type Reply, type Server, serve } from "./harness.ts";

// The requests of one caller must not delay the answers to others. Each test counts answers, not seconds.

const folders: ReturnType<typeof emptyFolder>[] = [];
const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) folder.remove();
});

async function start(env: Record<string, string> = {}): Promise<Server> {
  const folder = emptyFolder();
  folders.push(folder);
  const server = await serve(folder.path, env);
  servers.push(server);
  return server;
}

/** A raw client that counts the answers it receives. */
function open(server: Server, localAddress = "127.0.0.1"): Socket & { answers(): number; text(): string } {
  let text = "";
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.on("error", () => {});
  return Object.assign(socket, { answers: () => text.split("HTTP/1.1 ").length - 1, text: () => text });
}

/** Calls /healthz repeatedly until `isOver`; returns the number of answers. */
async function probeUntil(server: Server, isOver: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let probes = 0;
  while (!isOver()) {
    const { status } = await call(`${server.url}/healthz`, { agent, localAddress: "127.0.0.9" });
    expect(status).toBe(200);
    probes += 1;
  }
  agent.destroy();
  return probes;
}

const residentMib = ({ child }: Server): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;

const metric = async (server: Server, name: string): Promise<number> => {
  const { text } = await call(`${server.url}/metrics`, { localAddress: "127.0.0.8" });
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1] ?? 0,
  );
};

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`;

it("answers others between the pipelined requests of one connection, and keeps their order", async () => {
  const server = await start();
  const before = residentMib(server);
  const count = 800;
  const client = open(server);
  client.write(
    Array.from({ length: count }, (_, index) =>
      get("/metrics").replace("Host", `X-Request-Id: n${index}\r\nHost`),
    ).join(""),
  );
  const probes = await probeUntil(server, () => client.answers() === count);
  expect(probes).toBeGreaterThan(5);
  const ids = [...client.text().matchAll(/X-Request-Id: n(\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: count }, (_, index) => index));
  expect(residentMib(server) - before).toBeLessThan(150);
}, 120_000);

it("starts at most sixteen requests of a connection that does not read its answers", async () => {
  const server = await start({ PENKNIFE_SERVER_MAX_CONCURRENCY: "4" });
  // Calls that run in a worker do not block the event loop: these wait for a regular expression.
  const endless = JSON.stringify({ data: `${"a".repeat(40)}!`, pattern: "^(a|a)*$", engine: "js" });
  const client = open(server);
  const one = `POST /api/tools/regex-tester HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${endless.length}\r\n\r\n${endless}`;
  client.write(one.repeat(60));
  let most = 0;
  await probeUntil(server, () => client.answers() >= 1);
  for (let look = 0; look < 5; look++)
    most = Math.max(most, await metric(server, "penknife_http_requests_in_flight"));
  // One of them is the request for the metrics.
  expect(most).toBeLessThanOrEqual(17);
}, 120_000);

it("closes connections that pipeline thousands of requests, and serves the others", async () => {
  const server = await start();
  const before = residentMib(server);
  const clients = Array.from({ length: 10 }, () => open(server));
  let closed = 0;
  for (const client of clients) {
    client.on("close", () => closed++);
    client.write(get("/api/tools").repeat(2500));
  }
  await probeUntil(server, () => closed >= 5);
  expect(residentMib(server) - before).toBeLessThan(300);
  expect(await metric(server, 'penknife_connections_closed_total{reason="flood"}')).toBeGreaterThan(0);
  expect((await callTool(server, "json-minifier", { data: "[1, 2]" })).status).toBe(200);
}, 120_000);

it("limits the unmetered requests of an address, except probes and other addresses", async () => {
  const server = await start({ PENKNIFE_LIMITS_FREE_PER_MINUTE: "60" });
  const paths = ["/api/tools", "/metrics", "/nothing", "/problems/internal"];
  const at = (path: string, localAddress: string): Promise<Reply> =>
    call(server.url + path, { localAddress });
  const replies: Reply[] = [];
  for (let index = 0; index < 70; index++) replies.push(await at(paths[index % 4] as string, "127.0.0.2"));
  expect(replies.slice(0, 60).filter(({ status }) => status === 429)).toEqual([]);
  for (const { status, headers, text } of replies.slice(60)) {
    expect([status, headers.connection]).toEqual([429, "close"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(JSON.parse(text)).toMatchObject({ code: "quota_exceeded", limit: 60 });
  }
  expect((await at("/healthz", "127.0.0.2")).status).toBe(200);
  expect((await at("/readyz", "127.0.0.2")).status).toBe(200);
  expect((await at("/api/tools", "127.0.0.3")).status).toBe(200);
  const counted = await callTool(server, "json-minifier", { data: "[]" }, undefined, {
    localAddress: "127.0.0.2",
  });
  expect(counted.status).toBe(200);
});

const graphql = (server: Server, body: string): Promise<Reply> =>
  call(`${server.url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });

/** CPU time of the server, in milliseconds. */
function cpuMs({ child }: Server): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

it("refuses sixty thousand unknown members at about the cost of reading them", async () => {
  const server = await start();
  const members = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`member${index}`, 1]));
  const typed = "query ($v: JsonFormatterInput!) { run { jsonFormatter(input: $v) { result } } }";
  const free = 'query ($v: JSON) { viewer { kind } tool(slug: "json-minifier") { slug } }';
  const price = async (query: string): Promise<number> => {
    const body = JSON.stringify({ query, variables: { v: members } });
    const before = cpuMs(server);
    for (let index = 0; index < 5; index++)
      expect((await graphql(server, body)).text).toContain("invalid_input");
    return cpuMs(server) - before;
  };
  await price(free);
  const reading = await price(free);
  expect(await price(typed)).toBeLessThan(reading * 4 + 100);
}, 120_000);

it("answers others between the operations that one WebSocket sent at once", async () => {
  const server = await start();
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/graphql`, "graphql-transport-ws");
  const codes: string[] = [];
  socket.addEventListener("open", () => socket.send('{"type":"connection_init"}'));
  socket.addEventListener("message", ({ data }) => {
    const { type, payload } = JSON.parse(String(data)) as {
      type: string;
      payload?: { extensions: { code: string } }[];
    };
    if (type === "error") codes.push(payload?.[0]?.extensions.code ?? "");
    if (type !== "connection_ack") return;
    // Each document is different and valid, so all of it is validated.
    const runs = (id: number): string =>
      Array.from(
        { length: 28 },
        (_, index) => `a${index}: jsonFormatter(input: {data: "${id}"}) { result nothing }`,
      ).join(" ");
    for (let id = 0; id < 200; id++)
      socket.send(
        JSON.stringify({ type: "subscribe", id: `${id}`, payload: { query: `{ run { ${runs(id)} } }` } }),
      );
  });
  let closed = false;
  socket.addEventListener("close", () => (closed = true));
  const probes = await probeUntil(server, () => codes.length === 200 || closed);
  expect(codes.filter((code) => code === "quota_exceeded").length).toBeGreaterThanOrEqual(100);
  expect(codes.filter((code) => code === "invalid_input")).toHaveLength(100);
  expect(probes).toBeGreaterThan(20);
  socket.close();
}, 120_000);

it("makes room by closing idle connections of the address with the most", async () => {
  const server = await start({ PENKNIFE_SERVER_CONNECTIONS_PER_ADDRESS: "1024" });
  const other = open(server, "127.0.0.9");
  other.write(get("/healthz"));
  await expect.poll(() => other.answers(), { timeout: 60_000 }).toBe(1);
  const silent: Socket[] = [];
  let closed = 0;
  // The default total is 3,072 connections.
  for (const address of ["127.0.0.2", "127.0.0.3", "127.0.0.4"]) {
    for (let index = 0; index < 1100; index++) {
      const socket = open(server, address);
      socket.on("close", () => closed++);
      silent.push(socket);
      if (index % 100 === 99) await call(`${server.url}/healthz`);
    }
  }
  // 76 connections of each address exceed the limit per address.
  await expect.poll(() => closed, { timeout: 60_000 }).toBeGreaterThanOrEqual(228);
  for (let index = 0; index < 20; index++) {
    const reply = await call(`${server.url}/api/tools`, { localAddress: `127.0.1.${index + 1}` });
    expect(reply.status).toBe(200);
  }
  // The connection of another address stays, although it was idle for longest.
  other.write(get("/healthz"));
  await expect.poll(() => other.answers(), { timeout: 60_000 }).toBe(2);
  expect(await metric(server, 'penknife_connections_closed_total{reason="idle"}')).toBeGreaterThan(228);
}, 180_000);
