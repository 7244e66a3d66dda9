import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Answer as RunAnswer } from "../../../../src/catalog/execute.ts";
import { defineTool } from "../../../../src/catalog/tool.ts";
import type { Admin } from "../../../../src/operations/admin.ts";
import { unknownCaller } from "../../../../src/services/audit/caller.ts";
import type { OutputOf } from "../../../../src/operations/index.ts";
import { addGraphql } from "../../../../src/surfaces/graphql/graphql.ts";
import { createRandom, createTestOperator, createTestOutbox } from "../../../unit/services/setup.ts";
import { type Harness, openHarness, sleep } from "../harness.ts";
import { usual } from "./open.ts";
import { openRawSocket } from "./raw-socket.ts";
import { installation } from "../../../unit/surfaces/graphql/installation.ts";
import { testRuntime } from "../../../support/runtime.ts";

const at = "2026-11-21T12:00:00.000Z";
const slow = defineTool({
  slug: "slow-tool",
  title: "Slow tool",
  summary: "Waits.",
  input: z.object({ name: z.string() }),
  examples: [],
  isolate: "thread",
  run: () => "",
});

/** The operations that have started, and how to end the first. */
let begun: string[];
let finish: PromiseWithResolvers<void>;
let app: Harness;
let authorization: string;

async function work(what: string): Promise<void> {
  begun.push(what);
  await finish.promise;
}

const admin = {
  async perform(operation: string, args: { name?: string }) {
    await work(`${operation} ${args.name ?? ""}`);
    const view = { name: args.name ?? "a", plan: "pro", limit: 1000, disabled: false, createdAt: at };
    return operation === "accounts.list" ? { items: [view, { ...view, name: "b" }] } : view;
  },
} as unknown as Admin;

beforeAll(async () => {
  app = await openHarness({
    tools: [slow],
    isolate: async (call, signal) => {
      // As the pool does it.
      const ended = new Promise<RunAnswer>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
      });
      await Promise.race([work(call.slug), ended]);
      throw new Error("the test is over");
    },
  });
  addGraphql(app.http, {
    ...app.deps,
    graphql: usual,
    admin: async () => admin,
    live: () => Promise.reject(new Error("not asked for")),
    installation,
  });
  authorization = `Bearer ${await signIn()}`;
  // The first request creates the schema, which takes a while.
  await post("{ viewer { kind } }", "application/json").answer;
});
afterAll(() => app.close());

async function signIn(): Promise<string> {
  const { store } = app;
  const { call } = createTestOperator({
    store,
    outbox: createTestOutbox(store, Date.now),
    runtime: testRuntime({ now: Date.now, random: createRandom() }),
  });
  const { code } = (await call("login", {}, unknownCaller)) as OutputOf<"login">;
  const { token } = (await call("sessions.begin", { code }, unknownCaller)) as OutputOf<"sessions.begin">;
  return token;
}

beforeEach(() => {
  begun = [];
  finish = Promise.withResolvers();
});

/** Each starts an operation; the returned function disconnects its client once it has enough. */
const ways: Record<string, (query: string) => Promise<() => void>> = {
  POST: async (query) => post(query, "application/json").leave,
  "an event stream": async (query) => post(query, "text/event-stream").leave,
  async "a WebSocket that says complete"(query) {
    const socket = await openRawSocket(app.port, { path: "/graphql", headers: { authorization } });
    socket.send({ type: "connection_init" });
    await socket.message();
    socket.send({ type: "subscribe", id: "1", payload: { query } });
    return () => socket.send({ type: "complete", id: "1" });
  },
  async "a WebSocket that is lost"(query) {
    const socket = await openRawSocket(app.port, { path: "/graphql", headers: { authorization } });
    socket.send({ type: "connection_init" });
    await socket.message();
    socket.send({ type: "subscribe", id: "1", payload: { query } });
    return () => socket.socket.destroy();
  },
};

function post(query: string, accept: string): { leave(): void; answer: Promise<unknown> } {
  const leaving = new AbortController();
  const answer = fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept, authorization },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  }).catch(() => {});
  return { leave: () => leaving.abort(), answer };
}

/** The operations that have started once the caller has disconnected and the first has ended. */
async function leaveAfterFirst(way: string, query: string): Promise<string[]> {
  const leave = await (ways[way] as (typeof ways)[string])(query);
  await expect.poll(() => begun.length).toBeGreaterThan(0);
  leave();
  await sleep(50);
  finish.resolve();
  await sleep(50);
  return begun;
}

describe.each(Object.keys(ways))("a client that disconnects over %s", (way) => {
  test("has the started mutation finished, and none of the later ones started", async () => {
    const names = ["a", "b", "c", "d"];
    const fields = names.map((name) => `${name}: disableAccount(name: "${name}") { name }`);
    expect(await leaveAfterFirst(way, `mutation { ${fields.join(" ")} }`)).toEqual(["accounts.disable a"]);
  });

  test("causes no further reads of a list", async () => {
    const query = "{ accounts { name quota { used } } }";
    expect(await leaveAfterFirst(way, query)).toEqual(["accounts.list "]);
  });

  test("has only the tools run that were in workers", async () => {
    const fields = Array.from(
      { length: 12 },
      (_, index) => `r${index}: slowTool(input: {name: "a"}) { result }`,
    );
    const found = await leaveAfterFirst(way, `{ run { ${fields.join(" ")} } }`);
    expect(found).toEqual(Array.from({ length: 4 }, () => "slow-tool"));
  });
});

test("causes no fault report", async () => {
  expect(app.logged().filter(({ level }) => level === "error")).toEqual([]);
  const metrics = await (await app.get("/metrics")).text();
  for (const [operation, count] of [
    ["mutation", 4],
    ["query", 8],
  ])
    expect(metrics).toContain(
      `penknife_graphql_operations_total{operation="${operation}",outcome="cancelled"} ${count}`,
    );
});

test("a client that stays receives all of it", async () => {
  finish.resolve();
  const query = 'mutation { a: disableAccount(name: "a") { name } b: disableAccount(name: "b") { name } }';
  const answer = await app.post("/graphql", JSON.stringify({ query }), { authorization });
  expect(await answer.json()).toEqual({ data: { a: { name: "a" }, b: { name: "b" } } });
  expect(begun).toEqual(["accounts.disable a", "accounts.disable b"]);
});
