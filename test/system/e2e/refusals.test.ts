import { afterAll, beforeAll, expect, it } from "vitest";
import { call, callTool, emptyFolder, type Reply, serve, type Server } from "./harness.ts";

const folder = emptyFolder();
let server: Server;

beforeAll(async () => {
  server = await serve(folder.path, {
    PENKNIFE_LOG_LEVEL: "warn",
    PENKNIFE_LOG_FORMAT: "json",
    // An operator may allow documents of a megabyte on the event loop; the watchdog is for such cases.
    PENKNIFE_TOOLS_INLINE_BYTES: "1048576",
    PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1",
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** The address that a request is counted for: each test has one of its own. */
const from = (address: string): Record<string, string> => ({ "X-Forwarded-For": address });

const ask = (query: string, address: string): Promise<Reply> =>
  call(`${server.url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...from(address) },
    body: JSON.stringify({ query }),
  });

const errorOf = ({ text }: Reply): { message: string; code: string } => {
  const { errors } = JSON.parse(text) as { errors: [{ message: string; extensions: { code: string } }] };
  return { message: errors[0].message, code: errors[0].extensions.code };
};

/** Uses up the hundred requests of an anonymous caller. */
async function spend(headers: Record<string, string>): Promise<void> {
  const input = { data: "[1, 2]" };
  const replies = await Promise.all(
    Array.from({ length: 101 }, () => callTool(server, "json-minifier", input, undefined, { headers })),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
}

it("reports a call that holds the event loop, in the log and in the metrics", async () => {
  const members = Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":1`);
  const body = `{${members.join(",")}}`;
  // On a busy machine other work of the server may be reported first.
  const stalls = (): { during: string; requestId: string }[] =>
    server
      .stdout()
      .split("\n")
      .filter((line) => line.includes('"event loop stalled"'))
      .map((line) => JSON.parse(line) as { during: string; requestId: string })
      .filter(({ during }) => during === "json-to-query");
  await expect
    .poll(async () => {
      const headers = { "Content-Type": "text/plain", "X-Request-Id": "the-one", ...from("192.0.2.1") };
      const reply = await call(`${server.url}/api/tools/json-to-query`, { method: "POST", headers, body });
      expect(reply.status).toBe(200);
      return stalls().length;
    })
    .toBeGreaterThan(0);
  expect(stalls()[0]).toMatchObject({ requestId: "the-one" });
  const { text } = await call(`${server.url}/metrics`);
  expect(text).toMatch(/^penknife_event_loop_stall_seconds_count\{during="json-to-query"\} [1-9]/m);
});

it("does not parse documents of a caller whose quota is spent", async () => {
  expect(errorOf(await ask("{ this is no document", "192.0.2.2")).code).not.toBe("quota_exceeded");
  await spend(from("192.0.2.2"));
  for (const query of ["{ this is no document", `{ viewer { kind } } # ${"x".repeat(100_000)}`]) {
    const reply = await ask(query, "192.0.2.2");
    expect(reply.status).toBe(429);
    expect(reply.text).toContain("quota_exceeded");
  }
});

it("refuses an operation on the WebSocket of a caller whose quota is spent, and closes it after a large one", async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/graphql`, "graphql-transport-ws");
  const messages: { type: string; id?: string; payload?: [{ extensions: { code: string } }] }[] = [];
  const closed = new Promise<CloseEvent>((resolve) =>
    socket.addEventListener("close", resolve, { once: true }),
  );
  socket.addEventListener("open", () => socket.send('{"type":"connection_init"}'));
  socket.addEventListener("message", ({ data }) => messages.push(JSON.parse(String(data)) as never));
  await expect.poll(() => messages.length).toBe(1);
  await spend({});
  const subscribe = (id: string, query: string): void =>
    socket.send(JSON.stringify({ type: "subscribe", id, payload: { query } }));
  subscribe("small", "{ viewer { kind } }");
  await expect.poll(() => messages.length).toBe(2);
  expect(messages[1]).toMatchObject({
    type: "error",
    id: "small",
    payload: [{ extensions: { code: "quota_exceeded" } }],
  });
  subscribe("large", `{ viewer { kind } } # ${"x".repeat(5000)}`);
  const { code, reason } = await closed;
  expect([code, reason]).toEqual([4403, expect.stringContaining("quota_exceeded")]);
});

it("answers at most four types of __type in one operation", async () => {
  const types = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `t${index}: __type(name: "Query") { name }`).join(" ")} }`;
  const four = JSON.parse((await ask(types(4), "192.0.2.3")).text) as { data: object; errors?: unknown };
  expect([Object.keys(four.data).length, four.errors]).toEqual([4, undefined]);
  expect(errorOf(await ask(types(5), "192.0.2.3")).message).toContain("__type more than 4 times");
});
