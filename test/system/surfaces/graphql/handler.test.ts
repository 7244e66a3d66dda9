import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Answer as RunAnswer, Call } from "../../../../src/catalog/execute.ts";
import { defineTool } from "../../../../src/catalog/tool.ts";
import { sleep } from "../harness.ts";
import { type Answer, type GraphqlHarness, openGraphql, preflight } from "./open.ts";

const large = defineTool({
  slug: "large-result",
  title: "Large result",
  summary: "As many letters as asked for.",
  input: z.object({ size: z.int() }),
  examples: [{ input: { size: 1 }, result: "x" }],
  run: ({ size }) => "x".repeat(size),
});
const broken = defineTool({
  slug: "broken-tool",
  title: "Broken tool",
  summary: "Has a bug.",
  input: z.object({ data: z.string() }),
  examples: [{ input: { data: "" }, result: "" }],
  run({ data }): string {
    if (data === "") return "";
    throw new TypeError(`a fault of the tool's with ${data}`);
  },
});
const slow = defineTool({ ...large, slug: "slow-tool", isolate: "thread" });

const calls: { call: Call; signal: AbortSignal | undefined }[] = [];
let app: GraphqlHarness;
beforeAll(async () => {
  app = await openGraphql({
    tools: [large, broken, slow],
    isolate: (call, signal) =>
      new Promise<RunAnswer>((_, reject) => {
        calls.push({ call, signal });
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  });
});
afterAll(() => app.close());

const bearer = async (plan: "pro" | "team" = "pro"): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await app.key(plan)}`,
});
const viewer = "{ viewer { kind quota { remaining } } }";
const run = (...aliases: string[]): string =>
  `{ run { ${aliases.map((name) => `${name}: jsonMinifier(input: { data: "[1 ]" }) { result }`).join(" ")} } }`;
const remaining = (response: Response): number => Number(response.headers.get("x-ratelimit-remaining"));
const codeOf = ({ errors }: Answer): string | undefined => errors?.[0]?.extensions.code;

const response = "application/graphql-response+json";

describe("statuses", () => {
  const missing = '{ tool(slug: "none") { slug } viewer { kind } }';
  test.each<[string, unknown, string | undefined, number, object]>([
    ["a result", viewer, undefined, 200, { data: { viewer: { kind: "ANONYMOUS" } } }],
    ["a result", viewer, response, 200, { data: { viewer: { kind: "ANONYMOUS" } } }],
    ["a result", viewer, "application/graphql+json", 200, { data: { viewer: { kind: "ANONYMOUS" } } }],
    // Never 294, which drafts propose: how clients handle it is unknown.
    ["a part of a result", missing, undefined, 200, { data: { tool: null, viewer: { kind: "ANONYMOUS" } } }],
    ["a part of a result", missing, response, 200, { errors: [{ extensions: { code: "unknown_tool" } }] }],
    ["no syntax", "{", undefined, 200, { errors: [{ extensions: { code: "invalid_input" } }] }],
    ["no syntax", "{", response, 400, { errors: [{ locations: [{ line: 1, column: 2 }] }] }],
    ["no field", "{ nothing }", undefined, 200, { errors: [{ extensions: { code: "invalid_input" } }] }],
    ["no field", "{ nothing }", "application/graphql+json", 400, { errors: [{}] }],
    ["no string", 1, undefined, 400, { errors: [{ extensions: { code: "invalid_input" } }] }],
    ["no document", undefined, undefined, 400, { errors: [{ extensions: { code: "invalid_input" } }] }],
    ["no operation", "fragment F on Query { __typename }", undefined, 200, { errors: [{}] }],
    [
      "an unknown media type",
      viewer,
      "application/xml",
      406,
      { errors: [{ extensions: { code: "not_acceptable" } }] },
    ],
    [
      "a subscription",
      "subscription { usage { used } }",
      undefined,
      406,
      { errors: [{ message: expect.stringContaining("text/event-stream") }] },
    ],
  ])("%s of %j as %s: %i", async (_, query, accept, status, answer) => {
    const sent = await app.send(query, { ...(await bearer()), ...(accept !== undefined && { accept }) });
    const got = (await sent.json()) as Answer;
    if (JSON.stringify(answer).includes("ANONYMOUS")) {
      expect(got.data?.["viewer"]).toMatchObject({ kind: "KEY" });
    } else expect(got).toMatchObject(answer);
    expect(sent.status).toBe(status);
    const known = accept !== undefined && accept.includes("graphql") ? accept : "application/json";
    expect(sent.headers.get("content-type")).toBe(`${known}; charset=utf-8`);
    expect(sent.headers.get("cache-control")).toBe("no-store");
    expect(sent.headers.get("vary")).toBe("Accept, Accept-Encoding");
    if (codeOf(got) === "invalid_input") expect(got).not.toHaveProperty("data");
    expect(remaining(sent)).toBe(999);
  });

  test.each<[string, RequestInit, number, string]>([
    ["PUT", { method: "PUT", body: "{}" }, 405, "method_not_allowed"],
    ["a batch", { body: `[{"query":"{ viewer { kind } }"}]` }, 400, "invalid_input"],
    ["no JSON", { body: "{" }, 400, "bad_json"],
    [
      "a form",
      { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "query={viewer{kind}}" },
      415,
      "unsupported_media_type",
    ],
    ["too much", { body: `{"query":"${"x".repeat(1_048_577)}"}` }, 413, "body_too_large"],
    ["an unknown key", { headers: { authorization: "Bearer svc_live_nonsense" } }, 401, "malformed_key"],
  ])(
    "%s has the status and the headers that it has over REST, with GraphQL errors",
    async (_, init, status, code) => {
      for (const accept of ["*/*", response]) {
        const sent = await fetch(`${app.url}/graphql`, {
          method: "POST",
          body: "{}",
          ...init,
          headers: {
            "content-type": "application/json",
            ...(status !== 401 && (await bearer())),
            accept,
            ...init.headers,
          },
        });
        expect(sent.status).toBe(status);
        expect(sent.headers.get("content-type")).toContain(
          accept === response ? response : "application/json",
        );
        const { errors } = (await sent.json()) as Answer;
        const id = sent.headers.get("x-request-id");
        expect(errors).toMatchObject([
          { extensions: { code, status, type: `/problems/${code}`, requestId: id } },
        ]);
        if (status === 405) expect(sent.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
        if (status === 401) expect(sent.headers.get("www-authenticate")).toContain("Bearer");
        // A malformed request is counted, a missing credential alone is not.
        if (status === 401) expect(sent.headers.has("ratelimit")).toBe(false);
        else expect(remaining(sent)).toBe(999);
      }
    },
  );

  test("a trailing slash changes nothing, including refusals", async () => {
    for (const [body, expected] of [
      [JSON.stringify({ query: "{ viewer { kind } }" }), { data: { viewer: { kind: "ANONYMOUS" } } }],
      ["{", { errors: [{ extensions: { code: "bad_json" } }] }],
    ] as const) {
      const sent = await app.post("/graphql/", body);
      expect(sent.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(await sent.json()).toMatchObject(expected);
    }
  });

  test("a key in the URL is refused with GraphQL errors, too, and 413 names the limit and its option", async () => {
    const sent = await app.get("/graphql?query={viewer{kind}}&api_key=x");
    expect([sent.status, codeOf((await sent.json()) as Answer)]).toEqual([400, "key_in_query"]);
    const { errors } = (await (await app.send("x".repeat(1_048_577))).json()) as Answer;
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining("graphql.maxBytes"),
      extensions: { limit: 1_048_576 },
    });
  });
});

test("an overloaded server answers with GraphQL errors, too", async () => {
  const own = await openGraphql({
    tools: [slow],
    http: { maxConcurrency: 1 },
    isolate: () => new Promise(() => {}),
  });
  const leaving = new AbortController();
  const waiting = fetch(`${own.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ run { slowTool(input: { size: 1 }) { result } } }" }),
    signal: leaving.signal,
  }).catch(() => {});
  await expect.poll(() => own.http.inFlight()).toBe(1);
  const sent = await own.send(viewer, { accept: response });
  expect([sent.status, sent.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(sent.headers.get("content-type")).toContain(response);
  expect(codeOf((await sent.json()) as Answer)).toBe("overloaded");
  leaving.abort();
  await waiting;
  await own.close();
});

describe("GET", () => {
  const get = (query: string, init?: RequestInit): Promise<Response> =>
    app.get(`/graphql?${new URLSearchParams({ query })}`, { headers: preflight, ...init });

  test("answers queries, HEAD without the answer", async () => {
    const sent = await get("query ($s: ID!) { tool(slug: $s) { slug } }");
    expect(codeOf((await sent.json()) as Answer)).toBe("invalid_input");
    const params = new URLSearchParams({
      query: "query A ($s: ID!) { tool(slug: $s) { slug } } query B { viewer { kind } }",
      operationName: "A",
      variables: '{"s":"json-minifier"}',
    });
    expect(await (await app.get(`/graphql?${params}`, { headers: preflight })).json()).toEqual({
      data: { tool: { slug: "json-minifier" } },
    });
    const head = await get(viewer, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("runs no mutations", async () => {
    const before = app.runs.length;
    const sent = await get('mutation { runTool(slug: "json-minifier", input: {data: "1"}) { result } }');
    expect(sent.status).toBe(405);
    expect(sent.headers.get("allow")).toBe("POST");
    expect(codeOf((await sent.json()) as Answer)).toBe("method_not_allowed");
    expect(app.runs).toHaveLength(before);
  });

  test("is GraphiQL for browsers, which is free, and JSON again if it is disabled", async () => {
    const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    const page = await app.get("/graphql", { headers: { accept } });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.has("ratelimit")).toBe(false);
    const own = await openGraphql({ graphql: { graphiql: false } });
    const plain = await own.get(`/graphql?${new URLSearchParams({ query: viewer })}`, {
      headers: { accept, ...preflight },
    });
    expect(plain.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect((await own.get("/graphql", { headers: { accept: "text/html", ...preflight } })).status).toBe(406);
    await own.close();
  });
});

describe("counting", () => {
  test.each<[string, number]>([
    [viewer, 1],
    ["{", 1],
    [run("a"), 1],
    [run("a", "b", "c"), 3],
    ["{ nothing { a b c } }", 1],
    [`{ ...F ...F } fragment F on Query ${run("a", "b")}`, 2],
  ])("%s is %i requests", async (query, count) => {
    const sent = await app.send(query, await bearer());
    expect(remaining(sent)).toBe(1000 - count);
  });

  test("skipped fields are not counted; the viewer shows the remaining quota", async () => {
    const query = `query ($no: Boolean!) { run { a: jsonMinifier(input: { data: "1" }) @skip(if: $no) { result }
      b: jsonMinifier(input: { data: "2" }) { result } c: jsonMinifier(input: { data: "3" }) { result } }
      viewer { quota { remaining } } }`;
    const authorization = await bearer();
    const less = await app.send(query, authorization, { no: true });
    expect(remaining(less)).toBe(998);
    expect(await less.json()).toEqual({
      data: { run: { b: { result: "2" }, c: { result: "3" } }, viewer: { quota: { remaining: 998 } } },
    });
    expect(remaining(await app.send(query, authorization, { no: false }))).toBe(995);
  });

  test("a document whose runs do not all fit is refused whole, and takes one request", async () => {
    const own = await openGraphql();
    for (let index = 0; index < 97; index++) await own.post("/api/tools/json-minifier", '{"data":"1"}');
    const before = own.runs.length;
    const refused = await own.send(run("a", "b", "c", "d"), { accept: response });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(remaining(refused)).toBe(2);
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: "quota_exceeded", limit: 100, retryAfter: expect.any(Number) } }],
    });
    expect(own.runs).toHaveLength(before);
    expect((await own.send(run("a", "b"))).status).toBe(200);
    const spent = await own.send(viewer);
    expect([spent.status, remaining(spent)]).toEqual([429, 0]);
    await own.close();
  });

  test("a sign-in is served after the quota of its address is used up; anything more is refused", async () => {
    const own = await openGraphql();
    for (let index = 0; index < 100; index++) await own.post("/api/tools/json-minifier", '{"data":"1"}');
    const signIn = 'signIn(code: "x") { token }';
    const sent = await own.send(`mutation { ${signIn} }`);
    expect([sent.status, remaining(sent)]).toEqual([200, 0]);
    expect(await sent.json()).toMatchObject({ data: { signIn: null }, errors: [{ path: ["signIn"] }] });
    for (const [query, headers] of [
      [`mutation { ${signIn} signOut { id } }`, {}],
      [`mutation { ${signIn} runTool(slug: "json-minifier", input: {data: "1"}) { result } }`, {}],
      [viewer, {}],
      [`mutation { ${signIn} }`, { "content-type": "text/plain" }],
    ] as const)
      expect((await own.send(query, headers)).status).toBe(429);
    await own.close();
  });

  test("mutations that run tools are counted and observed like any run", async () => {
    const before = app.runs.length;
    const sent = await app.send(
      'mutation { a: runTool(slug: "json-minifier", input: {data: "1 "}) { result } b: runTool(slug: "json-minifier", input: {data: "2"}) { result } }',
      await bearer(),
    );
    expect(await sent.json()).toEqual({ data: { a: { result: "1" }, b: { result: "2" } } });
    expect(remaining(sent)).toBe(998);
    expect(app.runs.slice(before)).toMatchObject([
      { slug: "json-minifier", outcome: "ok" },
      { outcome: "ok" },
    ]);
  });
});

describe("faults", () => {
  test("a bug is masked, logged once with the request id, and does not affect sibling fields", async () => {
    const sent = await app.send(
      '{ run { brokenTool(input: { data: "a secret" }) { result } jsonMinifier(input: { data: "1 " }) { result } } }',
      await bearer(),
    );
    const text = await sent.text();
    expect(JSON.parse(text)).toMatchObject({
      data: { run: { brokenTool: null, jsonMinifier: { result: "1" } } },
      errors: [{ path: ["run", "brokenTool"], extensions: { code: "internal", status: 500 } }],
    });
    expect(text).not.toContain("a fault of the tool's");
    const lines = app.logged().filter(({ requestId }) => requestId === sent.headers.get("x-request-id"));
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
    expect(app.logText()).toContain("a fault of the tool's");
  });

  test("faults of administrative operations are masked too", async () => {
    const sent = await app.send("{ keys { id } viewer { kind } }", await bearer());
    expect(await sent.text()).not.toContain("the test's");
    expect(app.logText()).toContain("a fault of the test's");
  });

  test("the log has the kind of the operation and the code of a refusal, and nothing of the document", async () => {
    const sent = await app.send('{ tool(slug: "of-the-caller-1") { slug } }', await bearer());
    const refused = await app.send("{ ofTheCaller2 }", await bearer());
    await Promise.all([sent.text(), refused.text()]);
    await sleep(20);
    const lineOf = (one: Response) =>
      app.logged().find(({ requestId }) => requestId === one.headers.get("x-request-id"));
    expect(lineOf(sent)).toMatchObject({ path: "/graphql", operation: "query", outcome: "unknown_tool" });
    expect(lineOf(refused)).toMatchObject({ path: "/graphql", outcome: "invalid_input" });
    expect(app.logText()).not.toMatch(/of-the-caller-1|ofTheCaller2/);
  });
});

describe("size", () => {
  test("results are limited in total; the field beyond the limit says what to do", async () => {
    const query =
      "query ($n: Int!) { run { a: largeResult(input: { size: $n }) { result } b: largeResult(input: { size: $n }) { result } } }";
    const { data, errors } = await app.ask(
      query.replaceAll("Int!", "Long!"),
      { n: 9_000_000 },
      await bearer(),
    );
    expect((data as { run: { a: { result: string } } }).run.a.result).toHaveLength(9_000_000);
    expect(errors).toMatchObject([
      {
        path: ["run", "b"],
        message: expect.stringContaining("POST /api/tools/<slug>"),
        extensions: { code: "memory_exceeded", limit: 16_777_216 },
      },
    ]);
  });

  test("a list whose length is a variable has that length", async () => {
    const query = "query ($n: Int!) { tools(first: $n) { nodes { slug examples { title result } } } }";
    const { data, errors } = await app.ask(query, { n: 50 });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ tools: { nodes: expect.any(Array) as unknown } });
    const refused = await app.ask(query, { n: 200 });
    expect(refused.errors).toMatchObject([{ extensions: { code: "invalid_input", limit: 5000 } }]);
  });

  test("thousands of invalid variables are refused in a short answer", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`x${index}`, "y".repeat(20)]),
    );
    const query = "query ($input: JsonMinifierInput!) { run { jsonMinifier(input: $input) { result } } }";
    for (const input of [many, { data: "1", ["x".repeat(500_000)]: 1 }]) {
      const sent = await app.send(query, await bearer(), { input });
      const text = await sent.text();
      expect(text.length).toBeLessThan(20_000);
      expect(codeOf(JSON.parse(text) as Answer)).toBe("invalid_input");
    }
    const { errors } = await app.ask(query, { input: { dat: "1" } }, await bearer());
    expect(errors?.map(({ message }) => message).join(" ")).toContain('Did you mean "data"?');
  });
});

test("work ends when the caller disconnects", async () => {
  const leaving = new AbortController();
  const sent = fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(await bearer()) },
    body: JSON.stringify({
      query:
        "{ run { a: slowTool(input: { size: 1 }) { result } b: slowTool(input: { size: 2 }) { result } } }",
    }),
    signal: leaving.signal,
  });
  const gone = sent.catch((error: Error) => error.name);
  await expect.poll(() => calls.length).toBeGreaterThan(0);
  leaving.abort();
  expect(await gone).toBe("AbortError");
  await expect.poll(() => calls.every(({ signal }) => signal?.aborted)).toBe(true);
  await expect
    .poll(() => app.logged().some(({ outcome, path }) => outcome === "cancelled" && path === "/graphql"))
    .toBe(true);
  await expect
    .poll(() =>
      app.runs.filter(({ slug }) => slug === "slow-tool").every(({ outcome }) => outcome === "cancelled"),
    )
    .toBe(true);
});

describe("introspection", () => {
  test("is answered from memory the second time, and equals the served schema", async () => {
    const sdl = await app.get("/graphql/schema.graphql");
    expect(sdl.headers.get("etag")).toMatch(/^"/);
    expect(sdl.headers.has("ratelimit")).toBe(false);
    expect(await sdl.text()).toContain("type Query {");
    const again = await app.get("/graphql/schema.graphql", {
      headers: { "if-none-match": sdl.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
    const query = "{ __schema { types { name } } }";
    const first = await (await app.send(query, await bearer())).text();
    expect(await (await app.send(query, await bearer())).text()).toBe(first);
    expect(first).toContain('"JsonMinifierInput"');
  });

  test("can be disabled, and with it the schema and its suggestions", async () => {
    const own = await openGraphql({ graphql: { introspection: false } });
    expect((await own.get("/graphql/schema.graphql")).status).toBe(404);
    for (const query of [
      "{ __schema { types { name } } }",
      '{ __type(name: "Query") { name } }',
      "{ viewr { kind } }",
    ]) {
      const answer = await own.ask(query);
      expect(codeOf(answer)).toBe("invalid_input");
      expect(JSON.stringify(answer)).not.toMatch(/Did you mean|JsonMinifier/);
    }
    const wrong = await own.ask(
      "query ($i: JsonMinifierInput!) { run { jsonMinifier(input: $i) { result } } }",
      { i: { dat: "" } },
    );
    expect(JSON.stringify(wrong)).not.toContain("Did you mean");
    await own.close();
  });
});

describe("a private endpoint", () => {
  let own: GraphqlHarness;
  beforeAll(async () => {
    own = await openGraphql({ anonymous: false });
  });
  afterAll(() => own.close());

  test("refuses every request without a key", async () => {
    for (const query of [
      viewer,
      "{ __schema { description } }",
      "{",
      'mutation { signIn(code: "x") { token } signOut { id } }',
      `mutation { signIn(code: "${"x".repeat(5000)}") { token } }`,
    ]) {
      const sent = await own.send(query);
      expect([sent.status, codeOf((await sent.json()) as Answer)]).toEqual([401, "missing_key"]);
      expect(sent.headers.get("www-authenticate")).toBe('Bearer realm="penknife"');
      expect(sent.headers.has("ratelimit")).toBe(false);
    }
    const read = `/graphql?${new URLSearchParams({ query: viewer })}`;
    expect((await own.get(read, { headers: preflight })).status).toBe(401);
    expect((await own.get(read)).status).toBe(403);
    expect((await own.send(viewer, { "x-api-key": "x" })).status).toBe(401);
    const { data } = await own.ask(viewer, {}, { authorization: `Bearer ${await own.key()}` });
    expect(data).toMatchObject({ viewer: { kind: "KEY" } });
  });

  test("lets a sign-in reach its code check, and counts it", async () => {
    const sent = await own.send(
      "mutation ($code: String!) { signIn(code: $code) { token } }",
      {},
      { code: "wrong" },
    );
    expect(sent.status).toBe(200);
    expect(remaining(sent)).toBe(99);
    expect(await sent.json()).toMatchObject({ data: { signIn: null }, errors: [{ path: ["signIn"] }] });
  });

  test("blocks an address that keeps trying", async () => {
    const statuses = new Set<number>();
    for (let index = 0; index < 40; index++) statuses.add((await own.send(viewer)).status);
    expect([...statuses]).toEqual([401, 429]);
    const sent = await own.send('mutation { signIn(code: "x") { token } }');
    expect([sent.status, codeOf((await sent.json()) as Answer)]).toEqual([429, "quota_exceeded"]);
  });
});

test("a path before all others applies here as well", async () => {
  const own = await openGraphql({ http: { basePath: "/base" } });
  const sent = await own.post("/graphql", JSON.stringify({ query: "{ nothing }" }));
  expect(await sent.json()).toMatchObject({
    errors: [{ extensions: { type: "/base/problems/invalid_input" } }],
  });
  expect((await fetch(`http://127.0.0.1:${own.port}/graphql`, { method: "POST" })).status).toBe(404);
  await own.close();
});
