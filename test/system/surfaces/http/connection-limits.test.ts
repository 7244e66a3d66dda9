import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { connectionOf } from "../../../../src/surfaces/http/connection.ts";
import {
  type ClosedReason,
  type ConnectionLimitsOptions,
  createConnectionLimits,
  reserve,
} from "../../../../src/surfaces/http/connection-limits.ts";
import { openHarness } from "../harness.ts";
import { testRuntime } from "../../../support/runtime.ts";

// Every address of 127.0.0.0/8 is local, so that one test can act as many clients.

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) server.close();
});

interface Client {
  socket: Socket;
  /** The server's side. */
  peer: Socket;
  isOpen(): boolean;
}

async function open(options: Partial<ConnectionLimitsOptions>) {
  const clock = { time: 0 };
  const closed: [ClosedReason, string][] = [];
  const server = createServer();
  servers.push(server);
  createConnectionLimits({
    max: 100,
    perAddress: 100,
    isProxy: () => false,
    runtime: testRuntime({ monotonic: () => clock.time }),
    onClosed: (...news) => void closed.push(news),
    ...options,
  }).watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  /** Opens another client, which sends `text` or nothing. */
  async function client(localAddress: string, text = ""): Promise<Client> {
    clock.time += 1;
    const accepted = once(server, "connection") as Promise<[Socket]>;
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    clients.push(socket);
    socket.on("error", () => {});
    const [peer] = await accepted;
    if (text !== "") {
      socket.write(text);
      await expect.poll(() => peer.bytesRead, { timeout: 60_000 }).toBe(text.length);
    }
    await new Promise((resolve) => setImmediate(resolve));
    return { socket, peer, isOpen: () => !peer.destroyed };
  }
  return { clock, closed, client };
}

const areOpen = (all: readonly Client[]): boolean[] => all.map((one) => one.isOpen());

test("an address over its limit loses its longest idle connection", async () => {
  const { client, closed } = await open({ perAddress: 3 });
  const other = await client("127.0.0.9");
  const own = [await client("127.0.0.2"), await client("127.0.0.2"), await client("127.0.0.2")];
  connectionOf((own[0] as Client).peer).idleSince = 1000;
  own.push(await client("127.0.0.2"));
  expect(areOpen(own)).toEqual([true, false, true, true]);
  expect(other.isOpen()).toBe(true);
  expect(closed).toEqual([["idle", "127.0.0.2"]]);
});

test("neither a connection with a request in progress nor a WebSocket is closed; a new one is refused", async () => {
  const { client, closed } = await open({ perAddress: 2 });
  const own = [await client("127.0.0.2"), await client("127.0.0.2")];
  connectionOf((own[0] as Client).peer).owed = 1;
  connectionOf((own[1] as Client).peer).isUpgraded = true;
  const more: Client[] = [];
  for (let index = 0; index < reserve.each; index++) {
    const one = await client("127.0.0.2");
    expect(connectionOf(one.peer).isReserved).toBe(true);
    connectionOf(one.peer).owed = 1;
    more.push(one);
  }
  more.push(await client("127.0.0.2"));
  expect(areOpen([...own, ...more])).toEqual([true, true, true, true, true, true, false]);
  expect(closed).toEqual([["refused", "127.0.0.2"]]);
});

test("a full server closes an idle connection of the address with the most connections, not the oldest of all", async () => {
  const { client } = await open({ max: 6 });
  const old = await client("127.0.0.9");
  const crowd = [];
  for (let index = 0; index < 5; index++) crowd.push(await client("127.0.0.2"));
  const newcomer = await client("127.0.0.3");
  expect(areOpen([old, ...crowd, newcomer])).toEqual([true, false, true, true, true, true, true]);
});

test("proxies have no limit of their own, and lose idle connections last", async () => {
  const { client } = await open({ max: 6, perAddress: 2, isProxy: (address) => address === "127.0.0.9" });
  const proxy = [];
  for (let index = 0; index < 5; index++) proxy.push(await client("127.0.0.9"));
  const single = await client("127.0.0.2");
  const newcomer = await client("127.0.0.3");
  expect(areOpen([...proxy, single, newcomer])).toEqual([true, true, true, true, true, false, true]);
});

test("the start of a request protects a connection for two seconds", async () => {
  const { client, clock } = await open({ max: 2 });
  const slow = [await client("127.0.0.2", "GET / HT"), await client("127.0.0.3", "GET / HT")];
  const reserved = await client("127.0.0.4");
  expect(areOpen(slow)).toEqual([true, true]);
  expect(connectionOf(reserved.peer).isReserved).toBe(true);
  clock.time += 3000;
  const newcomer = await client("127.0.0.5");
  expect(areOpen([...slow, newcomer])).toEqual([false, true, true]);
  expect(connectionOf(newcomer.peer).isReserved).toBe(false);
});

test("while no connection is idle, a new one may only request a probe", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const app = await openHarness({
    connectionLimits: { max: 2 },
    check: () => held,
  });
  try {
    const busy = [app.raw(), app.raw()];
    for (const one of busy) one.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => app.http.inFlight(), { timeout: 60_000 }).toBe(2);
    const get = (path: string): Promise<string> =>
      app.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`).all();
    const probe = await get("/healthz");
    expect(probe).toMatch(/^HTTP\/1\.1 200 /);
    expect(probe).toContain("Connection: close");
    const tools = await get("/api/tools");
    expect(tools).toMatch(/^HTTP\/1\.1 503 /);
    expect(tools).toContain('"code":"overloaded"');
    release();
    for (const one of busy) {
      await one.until('{"status":"ready"}');
      one.socket.destroy();
    }
    await expect
      .poll(() => get("/api/tools").then((text) => text.slice(0, 12)), { timeout: 60_000 })
      .toBe("HTTP/1.1 200");
  } finally {
    release();
    await app.close();
  }
}, 120_000);
