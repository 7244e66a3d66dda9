import { afterEach, expect, test } from "vitest";
import type { Route } from "../../../../src/surfaces/http/exchange.ts";
import { addGraphql } from "../../../../src/surfaces/graphql/graphql.ts";
import { toOpenapi } from "../../../../src/surfaces/rest/openapi/document.ts";
import type { Response as Answer } from "../../../../src/surfaces/rest/openapi/types.ts";
import jsonSchemaValidator from "../../../../src/tools/lint/json-schema-validator.ts";
import { runTool } from "../../../unit/tools/run-tool.ts";
import { type GraphqlHarness, openGraphql, preflight, usual } from "./open.ts";

let app: GraphqlHarness;
afterEach(() => app.close());

const document = toOpenapi([], {
  version: "1.2.3",
  basePath: "",
  anonymous: true,
  inboxes: false,
  graphql: usual,
  metricsEnabled: false,
  metricsToken: false,
});

test("the OpenAPI document names every route except the files of GraphiQL", async () => {
  app = await openGraphql();
  const routes: Route[] = [];
  const http = { ...app.http, route: (route: Route) => void routes.push(route) };
  addGraphql(http, { ...app.deps, graphql: usual } as unknown as Parameters<typeof addGraphql>[1]);
  const files = "/graphql/graphiql/:file";
  expect(routes.map(({ path }) => path)).toContain(files);
  for (const { path, methods } of routes.filter((route) => route.path !== files)) {
    const { parameters: _, ...described } = document.paths[path] ?? {};
    expect([path, Object.keys(described)]).toEqual([
      path,
      Object.keys(methods).map((method) => method.toLowerCase()),
    ]);
  }
});

test("answers match the document", async () => {
  app = await openGraphql();
  const types = {
    json: "application/json",
    new: "application/graphql-response+json",
    old: "application/graphql+json",
    stream: "text/event-stream",
  };
  const ask = (query: unknown, accept = types.json, headers: Record<string, string> = {}) =>
    app.post("/graphql", JSON.stringify({ query }), { accept, ...headers });
  const get = (accept: string, headers: Record<string, string> = preflight) =>
    app.get(`/graphql?query=${encodeURIComponent("{ viewer { kind } }")}`, {
      headers: { accept, ...headers },
    });
  const answers: [status: number, Response, method: "get" | "post"][] = [
    [200, await ask("{ viewer { kind } }"), "post"],
    [200, await ask("{ viewer { kind } account { name } }", types.old), "post"],
    [200, await ask("{ viewr }"), "post"],
    [200, await ask("{ viewer { kind } }", types.stream), "post"],
    [200, await get(types.new), "get"],
    [403, await get(types.new, {}), "get"],
    [403, await ask("{ viewer { kind } }", types.json, { origin: "https://evil.example" }), "post"],
    [400, await ask("{ viewr }", types.new), "post"],
    [400, await ask(1), "post"],
    [401, await ask("{ viewer { kind } }", types.json, { authorization: "Bearer x" }), "post"],
    [406, await ask("{ viewer { kind } }", "image/png"), "post"],
    [415, await ask("{ viewer { kind } }", types.json, { "content-type": "text/plain" }), "post"],
  ];
  for (const [status, response, method] of answers) {
    expect(response.status).toBe(status);
    const described = document.paths["/graphql"]?.[method]?.responses[status] as Answer;
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
    const content = described.content ?? {};
    expect(Object.keys(content)).toContain(type);
    for (const name of Object.keys(described.headers ?? {}))
      expect([status, name, response.headers.has(name)]).toEqual([status, name, true]);
    if (type === types.stream) continue;
    const schema = content[type]?.schema;
    const data = JSON.stringify(await response.json());
    const full = JSON.stringify({ ...schema, components: { schemas: document.components.schemas } });
    const report = await runTool(jsonSchemaValidator, { data, schema: full, draft: "2020-12" });
    expect([data, JSON.parse(report)]).toEqual([data, { valid: true, errors: [] }]);
  }
  const schema = await app.get("/graphql/schema.graphql");
  expect(schema.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(await schema.text()).toContain("type Query {");
});
