import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type GraphqlHarness, openGraphql } from "./open.ts";
import { startCost } from "../../../cost/start-cost.ts";

let app: GraphqlHarness;
let authorization: string;
beforeAll(async () => {
  app = await openGraphql();
  authorization = `Bearer ${await app.key("team")}`;
  await app.ask("{ viewer { kind } }");
});
afterAll(() => app.close());

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(" ");

/** Sends a document; returns the answer, and the cost for server and client beside a reference. */
async function attack(
  query: string,
  variables?: object,
): Promise<{ text: string; answer: Answer; took: number }> {
  const cost = startCost({ process: true });
  const sent = await app.send(query, { authorization }, variables);
  const text = await sent.text();
  return { text, answer: JSON.parse(text) as Answer, took: cost() };
}

// The twelve of graphql-cop (github.com/dolevf/graphql-cop), in its order.
describe("graphql-cop", () => {
  test("alias overloading", async () => {
    const { answer } = await attack(`query cop { ${many(101, (index) => `alias${index}: __typename`)} }`);
    expect(answer).toMatchObject({ errors: [{ message: expect.stringContaining("graphql.maxAliases") }] });
    expect(answer).not.toHaveProperty("data");
  });

  test("batches of requests", async () => {
    const one = { query: "query cop { __typename }", operationName: "cop" };
    const sent = await app.post("/graphql", JSON.stringify(Array.from({ length: 10 }, () => one)), {
      authorization,
    });
    expect(sent.status).toBe(400);
    expect(await sent.json()).toMatchObject({
      errors: [{ message: expect.stringContaining("Batches are not supported") }],
    });
  });

  test("directive overloading", async () => {
    const { answer } = await attack(`query cop { __typename ${"@aa".repeat(10)}${"@aa".repeat(500)} }`);
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors?.[0]?.message).toContain("directives");
  });

  test("circular introspection", async () => {
    const { answer } = await attack(
      "query cop { __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } } }",
    );
    expect(answer.errors?.[0]?.message).toContain("introspection depth");
  });

  test("field duplication", async () => {
    const { answer } = await attack(`query cop { ${"__typename ".repeat(500)} }`);
    expect(answer.errors?.[0]?.message).toContain("repeating fields");
  });

  test("field suggestions are given as long as introspection is enabled", async () => {
    const { answer } = await attack("query cop { __schema { directive } }");
    expect(answer.errors?.[0]?.message).toContain("Did you mean");
    const own = await openGraphql({ graphql: { introspection: false } });
    expect(JSON.stringify(await own.ask("query cop { viewe { kind } }"))).not.toContain("Did you mean");
    await own.close();
  });

  test("GET runs queries and no mutations", async () => {
    const read = await app.get("/graphql?query=query%20cop%20%7B__typename%7D", {
      headers: { authorization },
    });
    expect(await read.json()).toEqual({ data: { __typename: "Query" } });
    const write = await app.get("/graphql?query=mutation%20cop%20%7B__typename%7D", {
      headers: { authorization },
    });
    expect([write.status, ((await write.json()) as Answer).errors?.[0]?.extensions.code]).toEqual([
      405,
      "method_not_allowed",
    ]);
  });

  test("GraphiQL is served to clients that prefer HTML, and can be disabled", async () => {
    const own = await openGraphql({ graphql: { graphiql: false } });
    for (const path of ["/graphql", "/graphiql", "/playground", "/console", "/"]) {
      const sent = await own.get(path, { headers: { accept: "text/html" } });
      expect(sent.headers.get("content-type")).toContain("json");
      expect(sent.status).toBeGreaterThanOrEqual(400);
    }
    await own.close();
  });

  test("introspection is a setting", async () => {
    const query = "query cop { __schema { types { name fields { name } } } }";
    expect((await attack(query)).answer.data).toHaveProperty("__schema");
    const own = await openGraphql({ graphql: { introspection: false } });
    expect(await own.ask(query)).not.toHaveProperty("data");
    await own.close();
  });

  test("a form is refused: other sites can submit one", async () => {
    for (const type of [
      "application/x-www-form-urlencoded",
      "text/plain",
      "multipart/form-data; boundary=x",
    ]) {
      const sent = await app.post("/graphql", "query=query%20cop%20%7B__typename%7D", {
        authorization,
        "content-type": type,
      });
      expect(sent.status).toBe(415);
    }
  });

  test("no details of internal errors", async () => {
    const { text, answer } = await attack("query cop { __schema }");
    expect(answer.errors).toHaveLength(1);
    expect(text).not.toMatch(/stacktrace|node_modules|\bat \S+ \(|exception/);
    const wrong = await app.send({ not: "a string" }, { authorization });
    expect(await wrong.text()).not.toMatch(/node_modules|\bat \S+ \(/);
  });

  test("no trace of the library in answers to unknown paths", async () => {
    const sent = await app.get("/graphql/none", { headers: { authorization } });
    expect([sent.status, sent.headers.get("x-powered-by")]).toEqual([404, null]);
  });
});

describe("bombs are refused quickly", () => {
  const doubling = (levels: number, body: (next: string) => string, last: string): string =>
    `{ ...F0 } ${many(levels, (index) => `fragment F${index} on Query { ${body(`...F${index + 1}`)} }`)} fragment F${levels} on Query { ${last} }`;
  const nested = (levels: number, name: string, inner: string): string =>
    `${`${name}{`.repeat(levels)}${inner}${"}".repeat(levels)}`;
  const twice = (levels: number): string =>
    levels === 0 ? "kind" : `account{${twice(levels - 1)}} account{${twice(levels - 1)}}`;
  const twiceNamed = (levels: number): string =>
    levels === 0 ? "kind" : `a: account{${twiceNamed(levels - 1)}} b: account{${twiceNamed(levels - 1)}}`;

  test.each<[string, string, object?]>([
    ["10,000 aliases", `{ ${many(10_000, (index) => `a${index}: __typename`)} }`],
    ["1,600 aliases, within the tokens", `{ ${many(1600, (index) => `a${index}: __typename`)} }`],
    ["runs by the thousand", `{ run { ${many(800, (index) => `a${index}: uuidGenerator { result }`)} } }`],
    ["2^25 by fragments", doubling(25, (next) => `${next} viewer { kind } ${next}`, "__typename")],
    [
      "2^25 by fragments under names",
      doubling(25, (next) => `viewer { kind } a: run { __typename } ${next} ...{${next}}`, "__typename"),
    ],
    ["fragments in a circle", "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }"],
    [
      "a fragment in itself, often",
      `{ ${"...A ".repeat(40)} } fragment A on Query { ${"...A ".repeat(10)} }`,
    ],
    ["fields twice on each level", `{ viewer { ${twice(8)} } }`],
    ["two names on each level", `{ viewer { ${twiceNamed(8)} } }`],
    ["fields again in fragments without names", `{ ${"... on Query { viewer { kind } } ".repeat(540)} }`],
    ["and below a field", `{ viewer { ${"... { account { quota { limit used } } } ".repeat(400)} } }`],
    ["deep", `{ ${nested(1600, "viewer", "kind")} }`],
    ["deep without names", `{ ${"...{".repeat(1600)}__typename${"}".repeat(1600)} }`],
    ["a deep list", `{ tool(slug: ${"[".repeat(2400)}${"]".repeat(2400)}) { slug } }`],
    ["a deep object", `{ tool(slug: ${"{a:".repeat(1200)}1${"}".repeat(1200)}) { slug } }`],
    ["a deep type", `query ($v: ${"[".repeat(2400)}Int${"]".repeat(2400)}) { __typename }`],
    [
      "introspection in circles",
      `{ __schema { types { ${nested(10, "fields{type", "name").replaceAll("}", "}}")} } } }`,
    ],
    [
      "introspection under 30 names",
      `{ ${many(30, (index) => `a${index}: __schema { types { name fields { name } } }`)} }`,
    ],
    [
      "introspection with names within",
      `{ __schema { types { ${many(30, (index) => `a${index}: fields { name }`)} } } }`,
    ],
    ["directives", `{ __typename ${"@skip(if: false) ".repeat(600)} }`],
    ["directives that there are not", `{ __typename ${"@no ".repeat(2000)} }`],
    ["variables", `query (${many(900, (index) => `$v${index}: Int`)}) { __typename }`],
    ["operations", many(700, (index) => `query Q${index} { __typename }`)],
    ["a name of a megabyte", `{ ${"x".repeat(1_000_000)} }`],
    ["a list of tools in each tool", "{ tools { nodes { slug examples { title result } } } }"],
    [
      "a list that is long by a variable",
      "query ($n: Int!) { tools(first: $n) { nodes { slug title } } }",
      { n: 2_147_483_647 },
    ],
    [
      "a variable of a megabyte",
      "query ($c: ToolCategory) { tools(category: $c) { totalCount } }",
      { c: "x".repeat(1_000_000) },
    ],
    [
      "variables by the ten thousand",
      "query ($c: [ID!]) { tools(search: $c) { totalCount } }",
      { c: Array.from({ length: 90_000 }, () => 1) },
    ],
  ])("%s", async (_, query, variables) => {
    const { text, answer, took } = await attack(query, variables);
    expect(answer.errors?.length).toBeGreaterThan(0);
    expect(answer.errors?.length).toBeLessThanOrEqual(6);
    expect(answer.errors?.[0]?.extensions.code).toBe("invalid_input");
    expect(answer).not.toHaveProperty("data");
    // No answer echoes the document.
    expect(text.length).toBeLessThan(10_000);
    // About ten times as much as it takes.
    expect(took).toBeLessThan(150);
  });

  test("none of them was executed, and the next client is served", async () => {
    expect(app.runs).toEqual([]);
    expect((await attack("{ viewer { kind } }")).answer.data).toEqual({ viewer: { kind: "KEY" } });
  });
});

describe("large valid operations are answered", () => {
  test.each<[string, string]>([
    ["a megabyte of comments", `{ __typename ${"#x\n".repeat(200_000)} }`],
    [
      "a string of a megabyte",
      `{ __typename run { hexEncoder(input: { data: "${"x".repeat(1_000_000)}" }) { version } } }`,
    ],
    ["thirty names", `{ ${many(30, (index) => `a${index}: __typename`)} }`],
    ["the catalogue", "{ __typename tools { nodes { slug title summary category version } } }"],
  ])("%s", async (_, query) => {
    const { answer } = await attack(query);
    expect(answer.errors).toBeUndefined();
    expect(Object.values(answer.data ?? {})[0]).toBe("Query");
  });
});
