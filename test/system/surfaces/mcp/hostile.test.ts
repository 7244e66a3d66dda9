import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Answer as RunAnswer } from "../../../../src/catalog/execute.ts";
import { type Answer, type McpHarness, meta, openMcp } from "./open.ts";

let app: McpHarness;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await openMcp();
  headers = { authorization: `Bearer ${await app.key("team")}` };
});
afterAll(() => app.close());

const post = (body: string | Uint8Array<ArrayBuffer>): Promise<Response> => app.post("/mcp", body, headers);
const read = async (response: Response): Promise<Answer> => (await response.json()) as Answer;
/** A run in the way of revision 2025-11-25. */
const toRun = (input: string, id: string | number = 1): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"run_tool","arguments":{"slug":"json-minifier","input":${input}}}}`;
/** Returns whether the server still answers others. */
const isWell = async (): Promise<boolean> => (await app.send("server/discover")).status === 200;

test.each([
  ["nothing", "", -32_700],
  ["half an object", '{"jsonrpc":"2.0"', -32_700],
  ["no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), -32_700],
  ["a number", "1", -32_600],
  ["null", "null", -32_600],
  ["a text", '"initialize"', -32_600],
  ["an empty batch", "[]", -32_600],
  ["a batch", `[${toRun("{}")},${toRun("{}")}]`, -32_600],
  ["no version", '{"id":1,"method":"ping"}', -32_600],
  ["version 1.0", '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
  ["a version that is a number", '{"jsonrpc":2.0,"id":1,"method":"ping"}', -32_600],
  ["no method", '{"jsonrpc":"2.0","id":1}', -32_600],
  ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":1}', -32_600],
  ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32_600],
  ["params that are null", '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', -32_600],
  ["two methods", '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', -32_600],
  ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
  ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
  ["an id of 1 MB", `{"jsonrpc":"2.0","id":"${"i".repeat(1_000_000)}","method":"ping"}`, -32_600],
  ["an id of many digits", `{"jsonrpc":"2.0","id":1${"0".repeat(1000)},"method":"ping"}`, -32_600],
  [
    "too many values",
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${"{},".repeat(150_000)}{}]}}`,
    -32_600,
  ],
  [
    "brackets to the limit",
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${"[".repeat(1_000_000)}`,
    -32_600,
  ],
] as [string, string | Uint8Array<ArrayBuffer>, number][])("%s", async (_, body, code) => {
  const response = await post(body);
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(text.length).toBeLessThan(1000);
  expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { code } });
  expect(await isWell()).toBe(true);
});

test("a fault of the JSON has its place", async () => {
  expect((await read(await post('{"jsonrpc":"2.0",\n"id":1,}'))).error).toMatchObject({
    code: -32_700,
    data: { errors: [{ line: 2, column: 7 }] },
  });
});

test.each(["12345678901234567890", "-1.50", "1e400", '"\\u00e9\\ud800\\""', '""', "0"])(
  "the id %s comes back as it is",
  async (id) => {
    const text = await (await post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).text();
    const same = id.startsWith('"') ? JSON.stringify(JSON.parse(id)) : id;
    expect(text).toBe(`{"jsonrpc":"2.0","id":${same},"result":{}}`);
  },
);

test.each([
  ["params", '"params":{"name":"run_tool"},"params":{"name":"find_tools"}', -32_600],
  ["arguments", '"params":{"name":"run_tool","arguments":{},"arguments":{"slug":"uuid-generator"}}', -32_602],
  [
    "input",
    '"params":{"name":"run_tool","arguments":{"slug":"json-minifier","input":{"data":"[1]"},"input":{"data":"[2]"}}}',
    -32_602,
  ],
])("%s given twice are refused, because a proxy may read the other one", async (_, members, code) => {
  const answer = await read(await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call",${members}}`));
  expect(answer.error?.code).toBe(code);
});

test("deep values are data like any other", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const { result } = await read(await post(toRun(JSON.stringify({ data: deep }))));
  const text = JSON.stringify(result);
  expect(text).toContain("invalid_document: The document is nested more than 10000 levels deep.");
  expect(text.length).toBeLessThan(2000);
  const asValue = await read(await post(toRun(`{"data":"1","x":${deep.slice(20_000, -20_000)}}`)));
  expect(asValue.result?.["isError"]).toBe(true);
});

test("members of every object are names only", async () => {
  const { result } = await read(await post(toRun('{"__proto__":{"data":"[1]"},"constructor":1}')));
  expect(JSON.stringify(result)).toMatch(/unknown_field: Unknown field \\"(?:__proto__|constructor)\\"/);
  expect(await isWell()).toBe(true);
});

test("a key is echoed nowhere, whatever it is mistaken for", async () => {
  const key = (headers["authorization"] ?? "").slice("Bearer ".length);
  for (const [method, params] of [
    [key, {}],
    ["tools/call", { name: key }],
    ["tools/call", { name: "run_tool", arguments: { slug: key } }],
    ["tools/call", { name: "run_tool", arguments: { slug: "json-minifier", input: { [key]: 1 } } }],
    ["tools/call", { name: "run_tool", arguments: { [key]: 1 } }],
  ] as [string, object][]) {
    const text = await (await app.send(method, params, { headers })).text();
    expect(text).not.toContain(key.slice(10));
  }
  const query = await app.send("tools/list", {}, { query: `?key=${key}` });
  expect(query.status).toBe(400);
  expect(await query.text()).toContain("key_in_query");
  expect(app.logText()).not.toContain(key.slice(10));
});

test("large headers are compared, and shown shortened", async () => {
  const name = "n".repeat(8000);
  const response = await app.send(
    "tools/call",
    { name: "run_tool", arguments: {} },
    { headers: { ...headers, "mcp-name": name } },
  );
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(text).toContain('"code":-32020');
  expect(text.length).toBeLessThan(600);
  const over = app.raw(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Name: ${"n".repeat(40_000)}\r\nContent-Length: 2\r\n\r\n{}`,
  );
  expect(await over.until("HTTP/1.1 ")).toMatch(/^HTTP\/1\.1 4\d\d /);
  over.socket.destroy();
});

test("two hundred calls at a time get two hundred answers, each its own", async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, id) => read(await post(toRun(`{"data":"[ ${id} ]"}`, id)))),
  );
  for (const [id, answer] of answers.entries()) {
    expect(answer.id).toBe(id);
    expect(answer.result?.["content"]).toMatchObject([{ text: `[${id}]` }]);
  }
});

describe("a client that leaves", () => {
  let started: { signal: AbortSignal | undefined }[];
  let held: McpHarness;
  beforeAll(async () => {
    started = [];
    held = await openMcp({
      // A call that only ends when it is stopped.
      isolate: (_, signal) =>
        new Promise<RunAnswer>((_resolve, reject) => {
          started.push({ signal });
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    });
  });
  afterAll(() => held.close());

  const large = JSON.stringify({ data: `[${"1,".repeat(40_000)}1]` });
  const open = (body: string, accept: string) =>
    held.raw(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );

  test("stops its run", async () => {
    const before = started.length;
    const client = open(toRun(large), "application/json, text/event-stream");
    await vi.waitFor(() => expect(started.length).toBe(before + 1), 20_000);
    client.socket.destroy();
    await vi.waitFor(() => expect(held.runs.at(-1)).toMatchObject({ outcome: "cancelled" }), 20_000);
    expect(started.at(-1)?.signal?.aborted).toBe(true);
    expect((await held.deps.metrics.render()).body).toContain(
      'penknife_mcp_operations_total{operation="run_tool",outcome="cancelled"} 1',
    );
  });

  test("stops its pipeline after the event stream has begun", async () => {
    const steps = '[{"tool":"json-minifier"},{"tool":"json-sorter"}]';
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_pipeline","arguments":{"data":"[1]","steps":${steps}},"_meta":{"progressToken":7}}}`;
    const before = started.length;
    const client = open(body, "text/event-stream");
    await client.until('"progressToken":7,"progress":1,"total":2');
    await vi.waitFor(() => expect(started.length).toBe(before + 1), 20_000);
    client.socket.destroy();
    await vi.waitFor(() => expect(started.at(-1)?.signal?.aborted).toBe(true), 20_000);
    await vi.waitFor(() => expect(held.http.inFlight()).toBe(0), 20_000);
  });

  test("in the middle of its message has run nothing, and the message counts", async () => {
    const counted = async (): Promise<number> => {
      const { body } = await held.deps.metrics.render();
      const found = /^penknife_limit_decisions_total\{plan="free",decision="allowed"\} (\d+)$/m.exec(body);
      return Number(found?.[1]);
    };
    const before = { runs: held.runs.length, counted: await counted() };
    const body = toRun(large);
    const client = held.raw(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 1000)}`,
    );
    await vi.waitFor(() => expect(held.http.inFlight()).toBe(1), 20_000);
    client.socket.destroy();
    await vi.waitFor(() => expect(held.http.inFlight()).toBe(0), 20_000);
    expect(held.runs.length).toBe(before.runs);
    await vi.waitFor(async () => expect(await counted()).toBe(before.counted + 1), 20_000);
  });

  test("says so in revision 2025-11-25 over any connection, which needs no answer", async () => {
    const cancel = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1, _meta: meta },
    };
    expect((await held.post("/mcp", JSON.stringify(cancel))).status).toBe(202);
  });
});
