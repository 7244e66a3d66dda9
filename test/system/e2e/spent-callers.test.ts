import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call, callTool, emptyFolder, issueKey, type Reply, type Server, serve } from "./harness.ts";

const folder = emptyFolder();
let server: Server;

beforeAll(async () => {
  server = await serve(folder.path, {
    PENKNIFE_LOG_FORMAT: "json",
    PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1",
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function spendQuota(): Promise<void> {
  for (let request = 0; request < 100; request++)
    expect((await callTool(server, "json-minifier", { data: "1" })).status).toBe(200);
}

/** Calls as this address: each test spends the quota of its own. */
const graphql = (query: string, address: string): Promise<Reply> =>
  call(`${server.url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": address },
    body: JSON.stringify({ query }),
  });

/** A valid document of nine hundred fields, all of which are validated. No two are equal, so none comes from a cache. */
const largeDocument = (id: number): string =>
  `{ ${Array.from({ length: 900 }, (_, index) => `a${id}_${index}: viewer { kind }`).join(" ")} }`;

/** CPU time of the server, in milliseconds. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${server.child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Opens a WebSocket and sends all `messages` when the server has accepted it; returns what came back. */
async function sendAll(messages: readonly string[]): Promise<{ answers: string[]; code: number }> {
  const answers: string[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/graphql`, "graphql-transport-ws");
  socket.addEventListener("open", () => socket.send('{"type":"connection_init"}'));
  socket.addEventListener("message", ({ data }) => {
    const { type } = JSON.parse(String(data)) as { type: string };
    if (type !== "connection_ack") answers.push(String(data));
    else for (const message of messages) socket.send(message);
  });
  const { code } = await new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
  return { answers, code };
}

it("does not validate documents of a caller whose quota is used up", async () => {
  const caller = "192.0.2.1";
  const headers = { "X-Forwarded-For": caller };
  // Forty documents within the quota, for comparison with three times as many after it.
  const start = cpuMs();
  for (let id = 0; id < 40; id++) expect((await graphql(largeDocument(id), caller)).status).toBe(200);
  const within = cpuMs() - start;
  await Promise.all(
    Array.from({ length: 60 }, () =>
      callTool(server, "json-minifier", { data: "1" }, undefined, { headers }),
    ),
  );
  const spent = cpuMs();
  for (let id = 0; id < 120; id++) {
    const { status, text } = await graphql(largeDocument(id + 1000), caller);
    expect([status, text.includes("quota_exceeded")]).toEqual([429, true]);
  }
  expect(cpuMs() - spent).toBeLessThan(within + 200);
});

it("closes the WebSocket of a caller whose quota is used up after one refusal", async () => {
  await spendQuota();
  const messages = Array.from({ length: 200 }, (_, id) =>
    JSON.stringify({ type: "subscribe", id: `${id}`, payload: { query: largeDocument(id) } }),
  );
  const { answers, code } = await sendAll(messages);
  expect(code).toBe(4403);
  expect(answers.map((answer) => answer.includes("quota_exceeded"))).toEqual([true]);
  expect((await call(`${server.url}/healthz`)).status).toBe(200);
});

it("refuses a document that asks for more than four types", async () => {
  const types = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `t${index}: __type(name: "Query") { fields { name } }`).join(" ")} }`;
  expect((await graphql(types(4), "192.0.2.2")).text).not.toContain("errors");
  expect((await graphql(types(5), "192.0.2.2")).text).toContain("__type more than 4 times");
});

it("logs and counts the call during which the event loop stalled", async () => {
  // No call of the catalogue takes 200 ms, so the process is stopped again and again until one of them is interrupted.
  const data = `[${'{"a":[1,2,3]},'.repeat(4000)}0]`;
  let isOver = false;
  const key = await issueKey(folder.path, "acme", "team", ["--limit", "1000000"]);
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver) expect((await callTool(server, "json-formatter", { data }, key)).status).toBe(200);
  });
  const logged = (): Record<string, unknown> | undefined =>
    server
      .stdout()
      .concat(server.stderr())
      .split("\n")
      .filter((line) => line.includes("event loop stalled"))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      // Another test may have stalled it on a busy machine.
      .find(({ account }) => account === "acme");
  for (let round = 0; round < 200 && logged() === undefined; round++) {
    server.child.kill("SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 600));
    server.child.kill("SIGCONT");
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  isOver = true;
  await Promise.all(callers);
  expect(logged()).toMatchObject({
    level: "warn",
    during: expect.stringMatching(/json-formatter|\/api\/tools\//),
    account: "acme",
    stoodMs: expect.any(Number),
  });
  const { text } = await call(`${server.url}/metrics`, { localAddress: "127.0.0.8" });
  expect(text).toMatch(/^penknife_event_loop_stall_seconds_count\{during="[^"]+"\} [1-9]/m);
});
