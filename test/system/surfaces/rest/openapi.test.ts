import { afterEach, describe, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { categories } from "../../../../src/catalog/categories.ts";
import { errorCodes } from "../../../../src/catalog/errors.ts";
import { fieldsOf } from "../../../../src/catalog/fields.ts";
import type { Route } from "../../../../src/surfaces/http/exchange.ts";
import { operationalRoutes } from "../../../../src/surfaces/http/operational.ts";
import { toOpenapi } from "../../../../src/surfaces/rest/openapi/document.ts";
import type {
  OpenapiDocument,
  Operation,
  Response as Answer,
  Schema,
} from "../../../../src/surfaces/rest/openapi/types.ts";
import { addRest } from "../../../../src/surfaces/rest/rest.ts";
import { tools } from "../../../../src/tools/index.ts";
import jsonSchemaValidator from "../../../../src/tools/lint/json-schema-validator.ts";
import openapiValidator from "../../../../src/tools/lint/openapi-validator.ts";
import { runTool } from "../../../unit/tools/run-tool.ts";
import { type Harness, openHarness } from "../harness.ts";

const all = await createCatalog(tools).all();
const options = {
  version: "1.2.3",
  basePath: "",
  anonymous: true,
  inboxes: true,
  metricsEnabled: true,
  metricsToken: false,
};
const whole = toOpenapi(all, options);
const pathOf = (slug: string): string => `/api/tools/${slug}`;
const operationsOf = ({ paths }: OpenapiDocument): Operation[] =>
  Object.values(paths).flatMap(({ get, post, put, patch, delete: remove }) =>
    [get, post, put, patch, remove].filter((one) => one !== undefined),
  );

/** The faults of the value, one per line; the schema may refer to the components. */
async function faultsOf(schema: unknown, value: unknown): Promise<string> {
  const full = { ...(schema as Schema), components: { schemas: whole.components.schemas } };
  const input = { data: JSON.stringify(value), schema: JSON.stringify(full), draft: "2020-12" };
  const { errors } = JSON.parse(await runTool(jsonSchemaValidator, input)) as {
    errors: { pointer: string; message: string }[];
  };
  return errors.map(({ pointer, message }) => `${pointer}: ${message}`).join("\n");
}

describe("the document", () => {
  test("is OpenAPI 3.1 by our own validator, its examples by their schemas", async () => {
    const report = await runTool(openapiValidator, { data: JSON.stringify(whole) });
    expect(JSON.parse(report)).toEqual({ valid: true, errors: [] });
  });

  test("has the examples of each tool, with their titles", () => {
    for (const { slug, examples } of all) {
      const { post } = whole.paths[pathOf(slug)] ?? {};
      const shown = post?.requestBody?.content["application/json"]?.examples ?? {};
      expect(Object.values(shown).map(({ summary }) => summary)).toEqual(examples.map(({ title }) => title));
    }
    expect(all.flatMap(({ examples }) => examples).filter(({ title }) => title !== undefined)).not.toEqual(
      [],
    );
  });

  test("has a path for each tool and omits disabled ones", async () => {
    const paths = Object.keys(whole.paths).filter((path) => path.startsWith("/api/tools/"));
    expect(paths).toEqual(all.map(({ slug }) => pathOf(slug)));
    const some = await createCatalog(tools, ["json-formatter", "cron-parser"]).all();
    const text = JSON.stringify(toOpenapi(some, options));
    expect(text).not.toMatch(/json-formatter"|JsonFormatter|CronParser/);
    expect(text).toContain("runJsonMinifier");
    expect(text).toContain("json-sorter");
    const fewer = await createCatalog(tools, ["json-sorter"]).all();
    expect(JSON.stringify(toOpenapi(fewer, options))).not.toContain("json-sorter");
  });

  test("stays well under a megabyte", () => {
    expect(JSON.stringify(whole).length / all.length).toBeLessThan(8000);
    expect(JSON.stringify(whole).length).toBeLessThan(950_000);
  });

  test("gives each operation a unique name", () => {
    const names = operationsOf(whole).map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]\w*$/);
    const [one] = all;
    const near = ["sha-1", "sha1", "sha-one", "shaone", "1-sha"].map((slug) => ({
      ...(one as (typeof all)[0]),
      slug,
    }));
    const others = operationsOf(toOpenapi(near, options)).map(({ operationId }) => operationId);
    expect(new Set(others).size).toBe(others.length);
  });

  test("describes each tag, and categories that the operator added", () => {
    const [one] = all;
    const named = toOpenapi([...all, { ...(one as (typeof all)[0]), slug: "own", category: "own" }], options);
    const described = named.tags.map(({ name }) => name);
    expect(new Set(described).size).toBe(described.length);
    expect(new Set(operationsOf(named).flatMap(({ tags }) => tags))).toEqual(new Set(described));
    for (const { description } of named.tags) expect(description).toMatch(/^[A-Z].+\.$/);
    expect(Object.keys(categories)).toEqual(expect.arrayContaining(Object.keys(tools)));
  });

  test("lists a named pipeline as a tool, but not as a step", () => {
    const [one] = all;
    const steps = ["json-sorter", "json-minifier"].map((tool) => ({ tool, with: {} }));
    const pipeline = { slug: "own", category: "pipelines", examples: [], steps };
    const { paths } = toOpenapi([...all, { ...(one as (typeof all)[0]), ...pipeline }], options);
    const { post } = paths[pathOf("own")] ?? {};
    expect(post).toMatchObject({ operationId: "runOwn", tags: ["pipelines"] });
    expect(post?.description).toContain("Counts as 2 requests");
    expect(JSON.stringify(post)).not.toContain('"examples"');
    expect(JSON.stringify(paths["/api/pipelines/run"])).not.toContain('"own"');
  });

  test("has an answer for each status of the closed list, with its codes", () => {
    const found = Object.values(whole.components.responses).flatMap(({ content = {} }) => {
      const schema = content["application/problem+json"]?.schema as { allOf: Schema[] } | undefined;
      const { status, code } = (schema?.allOf[1]?.["properties"] ?? {}) as Record<
        string,
        { const: number; enum: string[] }
      >;
      return (code?.enum ?? []).map((one) => [one, status?.const]);
    });
    const wanted = Object.entries(errorCodes).map(([code, { status }]) => [code, status]);
    // 422 is listed twice: as a problem, and as that or the report of a check.
    expect(new Map(found as [string, number][])).toEqual(new Map(wanted as [string, number][]));
  });

  test("describes GraphQL, its schema and GraphiQL if they are served", async () => {
    const both = toOpenapi(all, { ...options, graphql: { introspection: true, graphiql: true } });
    const report = await runTool(openapiValidator, { data: JSON.stringify(both) });
    expect(JSON.parse(report)).toEqual({ valid: true, errors: [] });
    expect(Object.keys(both.paths)).toEqual(expect.arrayContaining(["/graphql", "/graphql/schema.graphql"]));
    expect(both.tags.map(({ name }) => name)).toContain("graphql");
    // A caller with a session sends its token in place of a key.
    expect(JSON.stringify(both.components.securitySchemes)).toContain("svc_sess_");
    const neither = toOpenapi(all, { ...options, graphql: { introspection: false, graphiql: false } });
    expect(neither.paths).not.toHaveProperty("/graphql/schema.graphql");
    expect(JSON.stringify(neither.paths["/graphql"])).not.toContain("text/html");
    expect(JSON.stringify(both.paths["/graphql"])).toContain("text/html");
    expect(whole.tags.map(({ name }) => name)).not.toContain("graphql");
    expect(whole.paths).not.toHaveProperty("/graphql");
    expect(JSON.stringify(whole)).not.toMatch(/schemas\/Graphql|GraphqlResult|svc_sess_/);
  });

  test("says when a key is required", () => {
    const { paths, components } = whole;
    expect(whole.security).toEqual([{}, { key: [] }]);
    expect(components.securitySchemes["key"]).toMatchObject({ type: "http", scheme: "bearer" });
    expect(paths[pathOf("json-formatter")]?.post?.security).toBeUndefined();
    expect(paths[pathOf("json-formatter")]?.get?.security).toEqual([]);
    const closed = toOpenapi(all, { ...options, anonymous: false, metricsToken: true });
    expect(closed.security).toEqual([{ key: [] }]);
    expect(closed.paths["/metrics"]?.get?.security).toEqual([{ metricsToken: [] }]);
    expect(Object.keys(closed.components.securitySchemes)).toEqual(["key", "metricsToken"]);
    const quiet = toOpenapi(all, { ...options, metricsEnabled: false, metricsToken: true });
    expect(quiet.paths).not.toHaveProperty("/metrics");
    expect(JSON.stringify(quiet)).not.toContain("metricsToken");
  });
});

describe.each(all.map((tool) => [tool.slug, tool] as const))("%s", (slug, tool) => {
  const { post } = whole.paths[pathOf(slug)] ?? {};
  const bodies = post?.requestBody?.content ?? {};

  test("takes the fields beside the document as parameters, and check if it has a check mode", () => {
    const parameters = (post?.parameters ?? []).map((one) => ("$ref" in one ? one.$ref : one.name));
    expect(parameters).toEqual([
      ...(tool.check === undefined ? [] : ["#/components/parameters/Check"]),
      ...fieldsOf(tool.input)
        .map(({ name }) => name)
        .filter((name) => name !== "data"),
    ]);
    expect("application/octet-stream" in bodies).toBe(tool.runBytes !== undefined);
    expect(post?.requestBody?.required).toBe("data" in tool.input.shape);
  });

  test("has examples that match its schemas", async () => {
    const { schema, examples = {} } = bodies["application/json"] ?? {};
    const inputs = Object.values(examples).map(({ value }) => value);
    expect(inputs).toEqual(tool.examples.map(({ input }) => input));
    for (const input of inputs) expect(await faultsOf(schema, input)).toBe("");
    expect(await faultsOf(schema, { nonsense: 1 })).toContain("nonsense");
    const answer = post?.responses["200"];
    const shown =
      answer !== undefined && "content" in answer ? answer.content?.["application/json"] : undefined;
    expect(Object.keys(shown?.examples ?? {})).toEqual(Object.keys(examples));
    for (const { value } of Object.values(shown?.examples ?? {}))
      expect(await faultsOf(shown?.schema, value)).toBe("");
  });
});

describe("over HTTP", () => {
  let app: Harness;
  afterEach(() => app.close());

  test("is free, the same for everyone, and contains the version, the base path and the security", async () => {
    app = await openHarness({
      anonymous: false,
      http: { basePath: "/of-ours", metrics: { enabled: true, token: "secret-of-metrics" } },
    });
    const response = await app.get("/openapi.json");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.has("ratelimit")).toBe(false);
    const text = await response.text();
    const document = JSON.parse(text) as OpenapiDocument;
    expect(document.info.version).toBe("1.2.3");
    expect(document.servers[0]?.url).toBe("/of-ours");
    expect(document.security).toEqual([{ key: [] }]);
    expect(text).not.toContain("secret-of-metrics");
  });

  test.each([
    ["a token", "secret-of-metrics", [{ metricsToken: [] }]],
    ["no token", "", []],
  ])("says that the metrics need %s", async (_, metricsToken, security) => {
    app = await openHarness({ http: { metrics: { enabled: true, token: metricsToken } } });
    const document = (await (await app.get("/openapi.json")).json()) as OpenapiDocument;
    expect(document.paths["/metrics"]?.get?.security).toEqual(security);
    expect(Object.hasOwn(document.components.securitySchemes, "metricsToken")).toBe(metricsToken !== "");
  });

  test("has a strong ETag, compressed or not, however often it is asked for, and HEAD", async () => {
    app = await openHarness();
    const tags = new Set<string>();
    const texts = new Set<string>();
    for (const coding of ["identity", "gzip", "br", "br", "gzip"]) {
      const first = await app.get("/openapi.json", { headers: { "accept-encoding": coding } });
      expect(first.headers.get("content-encoding") ?? "identity").toBe(coding);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^"[^"]+"$/);
      tags.add(tag);
      texts.add(await first.text());
      const again = await app.get("/openapi.json", { headers: { "if-none-match": tag } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
    }
    expect(tags.size).toBe(3);
    expect(texts.size).toBe(1);
    const head = await app.get("/openapi.json", { method: "HEAD", headers: { "accept-encoding": "gzip" } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(10_000);
    expect((await app.post("/openapi.json", "{}")).status).toBe(405);
  });

  test("is created by the next call if the first could not load a tool", async () => {
    app = await openHarness();
    const { all: load } = app.catalog;
    app.catalog.all = () => Promise.reject(new Error("The disk is away"));
    expect((await app.get("/openapi.json")).status).toBe(500);
    app.catalog.all = load;
    expect((await app.get("/openapi.json")).status).toBe(200);
  });

  test("names every route of this surface and of the shell", async () => {
    app = await openHarness({ inbox: {} });
    const routes: Route[] = operationalRoutes(app.deps, app.http.reply);
    addRest({ ...app.http, route: (route) => void routes.push(route) }, app.deps);
    const known = new Set(Object.keys(whole.paths));
    // `/api` is a page for people.
    for (const { path, methods } of routes.filter(
      (one) => !one.path.endsWith("/**") && one.path !== "/api",
    )) {
      const templates = path.includes(":slug")
        ? all.map(({ slug }) => pathOf(slug))
        : [path.replaceAll(/:(\w+)/g, "{$1}")];
      for (const template of templates) {
        const { parameters: _, ...described } = whole.paths[template] ?? {};
        expect([template, Object.keys(described)]).toEqual([
          template,
          Object.keys(methods).map((method) => method.toLowerCase()),
        ]);
        known.delete(template);
      }
    }
    expect([...known]).toEqual([]);
  });

  test("describes inboxes, and omits them if they are disabled", async () => {
    app = await openHarness({ inbox: {} });
    const authorization = `Bearer ${await app.key()}`;
    const post = { method: "POST", headers: { authorization } };
    const made = await app.get("/api/inboxes", post);
    const { id } = (await made.clone().json()) as { id: string };
    const sent = await app.get(`/inbox/${id}/below`, { method: "PUT", body: '{"type":"a"}' });
    await app.get(`/inbox/${id}`, { method: "POST", body: new Uint8Array([255]) });
    const get = { headers: { authorization } };
    const listed = await app.get(`/api/inboxes/${id}/messages`, get);
    const { items } = (await listed.clone().json()) as { items: { id: string }[] };
    expect(items).toHaveLength(2);
    const path = "/api/inboxes/{id}";
    const answers: [path: string, method: "get" | "post" | "patch" | "put", response: Response][] = [
      ["/api/inboxes", "post", made],
      ["/api/inboxes", "get", await app.get("/api/inboxes", get)],
      [path, "get", await app.get(`/api/inboxes/${id}`, get)],
      [path, "patch", await app.get(`/api/inboxes/${id}`, { ...post, method: "PATCH" })],
      [`${path}/messages`, "get", listed],
      [
        `${path}/messages/{message}`,
        "get",
        await app.get(`/api/inboxes/${id}/messages/${items[0]?.id}`, get),
      ],
      ["/inbox/{id}", "put", sent],
    ];
    for (const [template, method, response] of answers) {
      const described = whole.paths[template]?.[method]?.responses[response.status] as Answer;
      const schema = described.content?.["application/json"]?.schema;
      expect([template, await faultsOf(schema, await response.json())]).toEqual([template, ""]);
      expect(await faultsOf(schema, {})).not.toBe("");
    }
    const without = JSON.stringify(toOpenapi(all, { ...options, inboxes: false }));
    expect(without).not.toMatch(/\/inbox|"Inbox/);
  });

  test("shows a pipeline that works", async () => {
    app = await openHarness();
    const path = "/api/pipelines/run";
    const { requestBody, responses } = whole.paths[path]?.post ?? ({} as Operation);
    const { schema, examples } = requestBody?.content["application/json"] ?? {};
    const answer = responses["200"] as Answer;
    const input = examples?.["example1"]?.value as { steps: object[] };
    expect(await faultsOf(schema, input)).toBe("");
    expect(await faultsOf(schema, { ...input, steps: [{ tool: "no-such-tool" }] })).toContain(
      "/steps/0/tool",
    );
    const response = await app.post(path, JSON.stringify(input));
    expect(await response.json()).toEqual(
      answer.content?.["application/json"]?.examples?.["example1"]?.value,
    );
  });

  test("shows the server's actual answers", async () => {
    app = await openHarness();
    const schemaOf = (path: string, method: "get" | "post", status: number): unknown => {
      const found = whole.paths[path]?.[method]?.responses[status];
      const answer =
        found !== undefined && "$ref" in found
          ? whole.components.responses[found.$ref.replace("#/components/responses/", "")]
          : found;
      const type = status >= 400 ? "application/problem+json" : "application/json";
      return (answer as { content?: Record<string, { schema: unknown }> }).content?.[type]?.schema;
    };
    const json = { accept: "application/json" };
    const formatter = pathOf("json-formatter");
    const answers: [path: string, method: "get" | "post", response: Response][] = [
      ["/api/tools", "get", await app.get("/api/tools")],
      [formatter, "get", await app.get(formatter)],
      ["/problems/{code}", "get", await app.get("/problems/internal", { headers: json })],
      ["/problems/{code}", "get", await app.get("/problems/internall")],
      ["/healthz", "get", await app.get("/healthz")],
      ["/readyz", "get", await app.get("/readyz")],
      [formatter, "post", await app.post(formatter, '{"data":"1"}')],
      [formatter, "post", await app.post(formatter, "{")],
      [formatter, "post", await app.post(formatter, '{"data":"1","indnet":1}')],
      [formatter, "post", await app.post(formatter, '{"data":"{"}')],
      [formatter, "post", await app.post(formatter, "{}", { authorization: "Bearer x" })],
      [formatter, "post", await app.post(formatter, "{}", { accept: "image/png" })],
      [formatter, "post", await app.post(formatter, "{}", { "content-type": "text/css" })],
      [formatter, "post", await app.post(formatter, " ".repeat(2_000_000))],
    ];
    const statuses = answers.map(([, , { status }]) => status);
    expect(statuses).toEqual([200, 200, 200, 404, 200, 200, 200, 400, 400, 422, 401, 406, 415, 413]);
    for (const [path, method, response] of answers) {
      const schema = schemaOf(path, method, response.status);
      expect(schema).toBeTypeOf("object");
      expect([path, response.status, await faultsOf(schema, await response.json())]).toEqual([
        path,
        response.status,
        "",
      ]);
      expect(await faultsOf(schema, {})).not.toBe("");
    }
    expect(await faultsOf(schemaOf("/readyz", "get", 200), { status: "degraded" })).toBe("");
  });
});
