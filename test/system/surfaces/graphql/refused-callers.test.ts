import { afterEach, expect, test } from "vitest";
import { readsAsSignIn } from "../../../../src/surfaces/graphql/plan.ts";
import { openGraphql } from "./open.ts";
import { openSocketServer, type SocketServer } from "./socket-server.ts";
import { startCost } from "../../../cost/start-cost.ts";

let app: SocketServer | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const subscribe = (id: string, query: string): object => ({ type: "subscribe", id, payload: { query } });
const large = `{ a } # ${"x".repeat(5000)}`;

test("a small message of a caller whose quota is used up is refused under its id, a large one is not parsed", async () => {
  app = await openSocketServer();
  await Promise.all(
    Array.from({ length: 100 }, () => app?.post("/api/tools/json-formatter", '{"data":"1"}')),
  );
  const raw = await app.ready();
  raw.send(subscribe("1", "{ a }"));
  expect(await raw.message()).toMatchObject({
    type: "error",
    id: "1",
    payload: [{ extensions: { code: "quota_exceeded" } }],
  });
  raw.send(subscribe("2", large));
  expect(await raw.closed()).toMatchObject({ code: 4403, reason: expect.stringContaining("quota_exceeded") });
  expect(app.callers).toHaveLength(0);
});

test("from a blocked address no large message is parsed on a private endpoint, not even the first one", async () => {
  app = await openSocketServer({ anonymous: false });
  for (let call = 0; call < 31; call++)
    await app.post("/api/tools/json-formatter", "{}", { authorization: "Bearer nothing" });
  const raw = await app.socket();
  raw.send({ type: "connection_init", payload: { x: "y".repeat(5000) } });
  expect(await raw.closed()).toMatchObject({ code: 4403 });
  const second = await app.ready();
  second.send(subscribe("1", 'mutation { signIn(code: "x") { token } }'));
  expect(await second.message()).toMatchObject({ payload: [{ extensions: { code: "quota_exceeded" } }] });
  expect(app.callers).toHaveLength(0);
});

test("for a blocked caller only the text of a document decides whether it signs in", () => {
  const signIn = 'mutation { signIn(code: "x") { token } }';
  expect(readsAsSignIn({ query: signIn })).toBe(true);
  expect(readsAsSignIn({ query: `${signIn} query Q { viewer { kind } }`, operationName: "Q" })).toBe(false);
  expect(
    readsAsSignIn({ query: `mutation S { ...F } fragment F on Mutation { signIn(code: "x") { token } }` }),
  ).toBe(true);
  const named = signIn.replace("mutation", "mutation S");
  expect(readsAsSignIn({ query: named, operationName: "S" })).toBe(true);
  expect(readsAsSignIn({ query: named, operationName: "Q" })).toBe(false);
  expect(readsAsSignIn({ query: `${named} query Q { viewer { kind } }` })).toBe(false);
  for (const query of [
    "{ viewer { kind } }",
    "{ signIn }",
    "mutation { signIn(",
    `${signIn} # ${"x".repeat(5000)}`,
    `mutation { signIn(code: "x") { ${"token ".repeat(300)} } }`,
    'mutation { signIn(code: "x") { token } signOut { kind } }',
  ])
    expect(readsAsSignIn({ query }), query.slice(0, 60)).toBe(false);
});

test("an object of thousands of unknown members is refused without being printed", async () => {
  const own = await openGraphql();
  const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 1]));
  const document = (type: string): string =>
    `query ($v: ${type}) { ${type === "ID" ? "tool(slug: $v) { slug }" : "run { jsonFormatter(input: $v) { result } }"} }`;
  async function send(query: string, value: unknown): Promise<{ text: string; cost: number }> {
    const cost = startCost({ process: true });
    const text = await (await own.send(query, {}, { v: value })).text();
    return { text, cost: cost() };
  }

  // The cost of reading the request, with the client that is in this process.
  const free = 'query ($v: JSON) { tool(slug: "json-minifier") { slug } }';
  await send(free, members);
  const { cost: reading } = await send(free, members);
  for (const [type, value] of [
    ["JsonFormatterInput!", members],
    ["JsonFormatterInput!", { ...members, data: "1" }],
    ["ID!", members],
  ] as const) {
    const query = document(type === "ID!" ? "ID" : type).replace("($v: ID)", "($v: ID!)");
    const { text, cost } = await send(query, value);
    expect(text).toContain('"code":"invalid_input"');
    expect(text).not.toContain("m2: 1");
    expect(text.length).toBeLessThan(600);
    // The library alone took a third of a second for one of them, a hundred times as much.
    expect(cost).toBeLessThan(reading * 4 + 10);
  }
  // A value of the type JSON may have any number.
  const any = await own.ask('mutation ($v: JSON!) { runTool(slug: "json-minifier", input: $v) { result } }', {
    v: { data: JSON.stringify(members) },
  });
  expect(any.errors).toBeUndefined();
  await own.close();
});

test("an operation may refer to at most four types", async () => {
  const own = await openGraphql();
  const types = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `t${index}: __type(name: "Query") { fields { name } }`).join(" ")} }`;
  expect((await own.ask(types(4))).errors).toBeUndefined();
  expect((await own.ask(types(5))).errors?.[0]?.message).toContain("__type more than 4 times");
  await own.close();
});
