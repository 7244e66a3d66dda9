import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sections } from "../../../src/options.ts";
import { fill, free, mountRefusal } from "./disk.ts";
import { adminIn, ask, codeIn, listen, loginCode, signInDocument } from "./graphql-client.ts";
import { emptyFolder, executable, issueKey, penknife, serve, type Server } from "./harness.ts";
import { metricOf, openSocket } from "./operate.ts";
import { createServersOnDisks } from "./servers-on-disks.ts";

const { disks, start } = createServersOnDisks();

/** Each result is about 150 KB, so the results for a slow reader accumulate quickly. */
const large = `subscription { events(types: [ACCOUNT_UPDATED]) { ${Array.from(
  { length: 29 },
  (_, at) => `${"x".repeat(5000)}${at}: data`,
).join(" ")} } }`;

describe("subscribers of one server", () => {
  const folder = emptyFolder();
  let server: Server;

  beforeAll(async () => {
    server = await serve(folder.path);
  });

  afterAll(async () => {
    await server.stop("SIGKILL");
    folder.remove();
  });

  const connections = () => metricOf(server, "penknife_graphql_connections");

  it("that do not read are dropped, and delay no others", async () => {
    const key = await issueKey(folder.path, "acme", "team");
    const slow = await subscribeRaw(server, key, large);
    const quick = await listen(server, key, "subscription { events(types: [ACCOUNT_UPDATED]) { data } }");
    const socket = await openSocket(folder.path);
    for (let limit = 20_000; quick.heard.length === 0; limit++)
      await socket.call("accounts.set", { name: "acme", limit });
    expect(await connections()).toBe(2);
    slow.pause();
    quick.heard.length = 0;
    // More than the buffers of the system hold.
    const events = 110;
    for (let event = 0; event < events; event++) {
      await socket.call("accounts.set", { name: "acme", limit: 30_000 + event });
    }
    // All other subscribers receive everything while the slow one delays only itself.
    await expect.poll(() => quick.heard.length).toBe(events);
    await expect.poll(connections, { interval: 200 }).toBe(1);
    expect(codeIn(await ask(server, "{ viewer { kind } }", { token: key }))).toBe("ok");
    slow.destroy();
    socket.close();
    await quick.close();
  });

  it("that leave in mid-stream are released", async () => {
    const key = await issueKey(folder.path, "leaving", "team");
    await expect.poll(connections).toBe(0);
    for (let round = 0; round < 2; round++) {
      const raw = await Promise.all(
        Array.from({ length: 20 }, () => subscribeRaw(server, key, "subscription { events { id } }")),
      );
      await expect.poll(connections).toBe(20);
      for (const socket of raw) socket.resetAndDestroy();
      await expect.poll(connections).toBe(0);
      await sleep(10);
    }
  });
});

/** The first request waits until the schema is built. */
const patient = { timeout: 60_000 };

/** A raw WebSocket client that can stop reading. */
async function subscribeRaw({ port }: Server, key: string, query: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(
    [
      "GET /graphql HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Protocol: graphql-transport-ws",
      "\r\n",
    ].join("\r\n"),
  );
  let text = "";
  socket.on("data", (chunk: Buffer) => (text = (text + chunk.toString("latin1")).slice(0, 10_000)));
  await expect.poll(() => text, patient).toContain("101 Switching Protocols");
  socket.write(frame({ type: "connection_init", payload: { authorization: `Bearer ${key}` } }));
  await expect.poll(() => text, patient).toContain("connection_ack");
  socket.write(frame({ id: "1", type: "subscribe", payload: { query } }));
  return socket;
}

/** RFC 6455 §5.2: one text frame, masked with zeros, which leave it as it is. */
function frame(message: object): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

const refusal = mountRefusal();

describe.skipIf(refusal !== undefined)(`a full disk${refusal === undefined ? "" : ` (${refusal})`}`, () => {
  it("keeps a code valid until there is room again", async () => {
    const disk = disks.small(1024 * 1024);
    const server = await start(disk.cwd);
    const admin = adminIn(disk.cwd);
    await issueKey(disk.cwd, "acme", "team");
    const code = await loginCode(admin, "acme");
    const key = await issueKey(disk.cwd, "other");
    fill(disk);
    const refused = await ask(server, signInDocument, { variables: { code } });
    expect([refused.status, codeIn(refused), refused.data?.signIn]).toEqual([
      200,
      "storage_unavailable",
      null,
    ]);
    expect(JSON.stringify(refused)).not.toMatch(/ENOSPC|penknife-data/);
    expect(codeIn(await ask(server, "{ viewer { kind } }", { token: key }))).toBe("ok");
    expect((await admin("login", "--account", "acme")).status).toBe(3);

    free(disk);
    await expect
      .poll(async () => codeIn(await ask(server, signInDocument, { variables: { code } })), { interval: 200 })
      .toBe("ok");
    expect(codeIn(await ask(server, signInDocument, { variables: { code } }))).toBe("unknown_key");
  });
});

describe("settings", () => {
  it("disable GraphQL, including sockets", async () => {
    const folder = emptyFolder();
    try {
      const server = await start(folder.path, { PENKNIFE_GRAPHQL_ENABLED: "false" });
      for (const path of ["/graphql", "/graphql/schema.graphql"]) {
        const { status } = await fetch(`${server.url}${path}`, { headers: { accept: "text/html" } });
        expect([path, status]).toEqual([path, 404]);
      }
      const posted = await fetch(`${server.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"query":"{ viewer { kind } }"}',
      });
      expect(posted.status).toBe(404);
      expect(await posted.json()).toMatchObject({ code: "not_found" });
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/graphql`, "graphql-transport-ws");
      const [event] = (await once(socket, "error")) as [Event];
      expect(event.type).toBe("error");
    } finally {
      folder.remove();
    }
  });

  it("hide the schema", async () => {
    const folder = emptyFolder();
    try {
      const server = await start(folder.path, {
        PENKNIFE_GRAPHQL_INTROSPECTION: "false",
        PENKNIFE_GRAPHQL_GRAPHIQL: "false",
      });
      expect((await fetch(`${server.url}/graphql/schema.graphql`)).status).toBe(404);
      expect(codeIn(await ask(server, "{ __schema { queryType { name } } }"))).toBe("invalid_input");
      const mistyped = await ask(server, "{ viewr { kind } }");
      expect(mistyped.errors[0]?.message).not.toContain("viewer");
      const page = await fetch(`${server.url}/graphql`, { headers: { accept: "text/html" } });
      expect([page.headers.get("content-type")?.includes("html"), page.ok]).toEqual([false, false]);
    } finally {
      folder.remove();
    }
  });

  it.each([
    ["PENKNIFE_GRAPHQL_MAX_DEPTH", "1", /graphql\.maxDepth.*2/s],
    ["PENKNIFE_GRAPHQL_MAX_CONNECTIONS", "many", /PENKNIFE_GRAPHQL_MAX_CONNECTIONS must be an integer/],
    ["PENKNIFE_GRAPHQL_ENABLED", "perhaps", /PENKNIFE_GRAPHQL_ENABLED must be true or false, got "perhaps"/],
    ["PENKNIFE_GRAPHQL_MAX_ALIAS", "5", /PENKNIFE_GRAPHQL_MAX_ALIAS.*PENKNIFE_GRAPHQL_MAX_ALIASES/s],
  ])("that are invalid are reported before the server listens: %s=%s", async (name, value, said) => {
    const folder = emptyFolder();
    const { status, stderr } = await penknife(folder.path, ["serve", "--port", "0"], {
      env: { [name]: value },
    });
    folder.remove();
    expect(status).toBe(2);
    expect(stderr).toMatch(said);
  });

  it("are shown, and checked by doctor", async () => {
    const folder = emptyFolder();
    const env = { PENKNIFE_GRAPHQL_MAX_COST: "7000" };
    const { stdout } = await penknife(folder.path, ["config"], { env });
    expect(stdout).toMatch(/^graphql\.maxCost\t7000\tenvironment PENKNIFE_GRAPHQL_MAX_COST$/m);
    expect(stdout.match(/^graphql\./gm)).toHaveLength(Object.keys(sections.graphql).length);
    // Each open connection is a file, and each worker has its pipes.
    const few = ["-c", `ulimit -n 2500; PENKNIFE_TOOLS_WORKERS=2 exec ${executable} doctor`];
    const doctor = spawnSync("sh", few, { cwd: folder.path, encoding: "utf8", timeout: 60_000 });
    folder.remove();
    expect(doctor.stdout).toContain("server.maxConcurrency is 512 and graphql.maxConnections 1024");
    expect(doctor.stdout).toContain("Raise the limit to 3144 ");
  });
});
