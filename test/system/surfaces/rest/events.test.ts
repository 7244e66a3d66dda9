import { afterEach, expect, test } from "vitest";
import { describeEvents } from "../../../../src/services/events/describe.ts";
import type { OpenapiDocument } from "../../../../src/surfaces/rest/openapi/types.ts";
import { openSurface, type Surface } from "../open-surface.ts";

let app: Surface;
afterEach(() => app.close());

test("GET /api/events lists every type with its schema and an example, free of charge and with an ETag", async () => {
  app = await openSurface();
  const response = await app.get("/api/events");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.has("ratelimit")).toBe(false);
  expect(await response.json()).toEqual({ items: JSON.parse(JSON.stringify(describeEvents())) as unknown });
  const tag = response.headers.get("etag") ?? "";
  expect((await app.get("/api/events", { headers: { "if-none-match": tag } })).status).toBe(304);
  expect((await app.get("/api/events", { method: "HEAD" })).status).toBe(200);
  expect((await app.post("/api/events", "{}")).status).toBe(405);
});

test("the OpenAPI document has each of them as a webhook, with the same schema and example", async () => {
  app = await openSurface();
  const { webhooks } = (await (await app.get("/openapi.json")).json()) as OpenapiDocument;
  expect(Object.keys(webhooks)).toEqual(describeEvents().map(({ type }) => type));
  for (const { type, schema, example } of describeEvents()) {
    const { $schema: _dialect, ...own } = schema;
    const content = webhooks[type]?.post?.requestBody?.content["application/json"];
    expect(content).toEqual({ schema: own, examples: { [type]: { value: example } } });
  }
});
