import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type McpHarness, openMcp } from "./open.ts";

let app: McpHarness;
beforeAll(async () => {
  app = await openMcp();
});
afterAll(() => app.close());

/** The requests that were counted for a new account while something was sent with its key. */
async function counted(act: (headers: Record<string, string>) => Promise<unknown>): Promise<number> {
  const authorization = `Bearer ${await app.key("pro")}`;
  const left = async (): Promise<number> => {
    const response = await app.post("/api/tools/uuid-generator", "{}", { authorization });
    return Number(response.headers.get("x-ratelimit-remaining"));
  };
  const before = await left();
  await act({ authorization });
  return before - (await left()) - 1;
}

const run = { name: "run_tool", arguments: { slug: "json-minifier", input: { data: "[1]" } } };

test.each([
  ["server/discover", {}],
  ["tools/list", {}],
  ["tools/call", { name: "find_tools", arguments: { query: "json" } }],
  ["x", {}],
])("%s %j is not counted", async (method, params) => {
  expect(
    await counted(async (headers) => {
      const response = await app.send(method, params, { headers });
      expect(response.headers.has("ratelimit")).toBe(false);
    }),
  ).toBe(0);
});

test.each([
  ["a run", run],
  ["a run of an unknown tool", { name: "run_tool", arguments: { slug: "x", input: {} } }],
  ["a run with a wrong field", { name: "run_tool", arguments: { slug: "json-minifier", input: { x: 1 } } }],
  ["a run without arguments", { name: "run_tool" }],
  ["a run with arguments that are a list", { name: "run_tool", arguments: [] }],
  ["a tool that MCP does not know", { name: "x" }],
  ["a call without a name", {}],
])("%s counts one", async (_, params) => {
  expect(
    await counted(async (headers) => {
      const response = await app.send("tools/call", params, { headers });
      expect(response.headers.get("ratelimit")).toMatch(/^"hour";r=\d+;t=\d+$/);
      await response.text();
    }),
  ).toBe(1);
});

test("a run whose headers disagree with it counts one", async () => {
  expect(
    await counted(async ({ authorization }) => {
      const headers = { authorization: authorization as string, "mcp-name": "find_tools" };
      const response = await app.send("tools/call", run, { headers });
      expect(response.status).toBe(400);
      await response.text();
    }),
  ).toBe(1);
});

test("each step of a pipeline counts one", async () => {
  const steps = ["json-formatter", "json-minifier", "base64-encoder"].map((tool) => ({ tool }));
  expect(
    await counted(async (headers) => {
      const { text } = await app.call("run_pipeline", { data: "[ 1 ]", steps }, { headers });
      expect(text).toBe("WzFd");
    }),
  ).toBe(3);
});

test.each([
  ["no JSON", "{", {}],
  ["a batch", "[]", {}],
  ["another media type", "{}", { "content-type": "text/plain" }],
  ["a body that is too large", " ".repeat(1_048_577), {}],
])("%s may have been a run, and counts as one", async (_, body, extra) => {
  expect(await counted((headers) => app.post("/mcp", body, { ...headers, ...extra }))).toBe(1);
});

describe("a spent quota", () => {
  test("is a result with its code and when it ends", async () => {
    const authorization = `Bearer ${await app.key("pro", "spent")}`;
    const incarnation = (await app.store.accounts.lookup("spent"))?.incarnation ?? "";
    const spender = { kind: "key", account: "spent", incarnation, plan: "pro" } as const;
    await app.deps.runner.admitMore(await app.deps.runner.admit(spender), 999);
    const response = await app.send("tools/call", run, { headers: { authorization } });
    expect(response.status).toBe(200);
    expect(response.headers.get("ratelimit")).toMatch(/^"hour";r=0;t=\d+$/);
    const { result } = (await response.json()) as {
      result: { isError: boolean; content: { text: string }[] };
    };
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(
      /^quota_exceeded: The quota of 1000 requests an hour is used up\. Try again in \d+ seconds\.\nDo not repeat the call before \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\.$/,
    );
    expect(app.logged().findLast(({ path }) => path === "/mcp")).toMatchObject({
      operation: "run_tool",
      outcome: "quota_exceeded",
      status: 200,
    });
    // What costs nothing goes on.
    expect((await app.send("tools/list", {}, { headers: { authorization } })).status).toBe(200);
  });

  test("of a pipeline that does not fit runs no step", async () => {
    const authorization = `Bearer ${await app.key("pro", "nearly")}`;
    const incarnation = (await app.store.accounts.lookup("nearly"))?.incarnation ?? "";
    const spender = { kind: "key", account: "nearly", incarnation, plan: "pro" } as const;
    await app.deps.runner.admitMore(await app.deps.runner.admit(spender), 997);
    const before = app.runs.length;
    const { text, isError } = await app.call(
      "run_pipeline",
      {
        data: "[]",
        steps: [{ tool: "json-minifier" }, { tool: "json-minifier" }, { tool: "json-minifier" }],
      },
      { headers: { authorization } },
    );
    expect(isError).toBe(true);
    expect(text).toMatch(/^quota_exceeded: The call needs 2 more requests, but 1 of the quota/);
    expect(app.runs.length).toBe(before);
  });
});

test("what is not counted has a limit of its own, and so have refused runs", async () => {
  const small = await openMcp({ http: { freePerMinute: 5 } });
  try {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await small.send("tools/list")).status),
    );
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  } finally {
    await small.close();
  }
});

test("a run is observed like any other", async () => {
  const headers = { authorization: `Bearer ${await app.key("team", "observed")}` };
  await app.send("tools/call", run, { headers });
  expect(app.runs.at(-1)).toMatchObject({
    slug: "json-minifier",
    outcome: "ok",
    principal: { kind: "key", account: "observed" },
  });
  expect(app.logged().findLast(({ path }) => path === "/mcp")).toMatchObject({
    account: "observed",
    tool: "json-minifier",
    operation: "run_tool",
    outcome: "ok",
  });
  expect((await app.deps.metrics.render()).body).toMatch(
    /^penknife_mcp_operations_total\{operation="run_tool",outcome="ok"\} [1-9]/m,
  );
});
