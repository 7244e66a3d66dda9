import { strict as assert } from "node:assert";
import createClient from "openapi-fetch";
import type { components, paths } from "#schema";

// A third party's program, written with nothing but the document's types. It is compiled and run with a server's address and a valid key,
// and exits at the first error.
const [baseUrl = "", key = ""] = process.argv.slice(2);

/** With one possible form the answer has its type; with several it is their union. */
type Json = "application/json" | "application/problem+json";

const client = createClient<paths, Json>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const stranger = createClient<paths, Json>({ baseUrl, headers: { Authorization: "Bearer svc_live_x" } });

async function goodCalls(): Promise<void> {
  const { data, error, response } = await client.POST("/api/tools/json-formatter", {
    body: { data: '{"id":12345678901234567890}', indent: 1 },
  });
  assert.equal(error, undefined);
  assert.equal(data?.result, '{\n "id": 12345678901234567890\n}');
  assert.match(response.headers.get("tool-version") ?? "", /^\d+\.\d+\.\d+$/);
  assert.match(response.headers.get("ratelimit") ?? "", /^"hour";r=\d+;t=\d+$/);

  const hash = await client.POST("/api/tools/hash-generator", { body: { data: "abc", algorithm: "sha256" } });
  assert.match(hash.data?.result ?? "", /^ba7816bf8f01cfea/);

  // Neither a document nor options: no body.
  const uuid = await client.POST("/api/tools/uuid-generator");
  assert.match(uuid.data?.result ?? "", /^[\da-f-]{36}$/);

  // A second document as text and as a value.
  for (const schema of ['{"type":"string"}', { type: "string" }]) {
    const report = await client.POST("/api/tools/json-schema-validator", { body: { data: "7", schema } });
    assert.match(report.data?.result ?? "", /"valid": false/);
  }
}

async function rawCalls(): Promise<void> {
  const options = { count: 2, indent: 1, "Content-Type": "text/plain" };
  const text = await client.POST("/api/tools/json-formatter", {
    params: { query: { indent: options.indent } },
    headers: { "Content-Type": "text/plain", Accept: "text/plain" },
    body: "[1]",
    bodySerializer: (document) => document,
    parseAs: "text",
  });
  assert.equal(text.data, "[\n 1\n]");

  const bytes = Uint8Array.of(0, 255, 254);
  const encoded = await client.POST("/api/tools/base64-encoder", {
    headers: { "Content-Type": "application/octet-stream" },
    body: "",
    bodySerializer: () => bytes,
  });
  assert.equal(encoded.data?.result, "AP/+");

  const identifiers = await client.POST("/api/tools/uuid-generator", {
    params: { query: { count: options.count } },
  });
  assert.equal(identifiers.data?.result.split("\n").length, 2);
}

async function problems(): Promise<void> {
  const { data, error } = await client.POST("/api/tools/json-formatter", { body: { data: '{"a":}' } });
  assert.equal(data, undefined);
  assert(error !== undefined && "code" in error);
  // The code distinguishes the problems: from here on the status has one value, in its type too.
  assert(error.code === "invalid_document");
  const status: 422 = error.status;
  assert.equal(status, 422);
  assert.deepEqual([error.errors?.[0]?.line, error.errors?.[0]?.column], [1, 6]);
  assert.equal(error.type, "/problems/invalid_document");

  const refused = await client.POST("/api/tools/json-formatter", { body: { data: "1", indent: 99 } });
  assert(refused.error !== undefined && "code" in refused.error);
  assert(refused.error.status === 400);
  const code: "bad_json" | "invalid_input" | "unknown_field" | "conflicting_credentials" | "key_in_query" =
    refused.error.code;
  assert.equal(code, "invalid_input");
  assert.equal(refused.error.errors?.[0]?.pointer, "/indent");

  const unknown = await stranger.POST("/api/tools/hash-generator", { body: { data: "abc" } });
  assert.equal(unknown.error?.code, "malformed_key");
  assert.equal(unknown.error.status, 401);
}

async function checks(): Promise<void> {
  const query = { check: true };
  const fine = await client.POST("/api/tools/json-validator", { params: { query }, body: { data: "[]" } });
  assert.match(fine.data?.result ?? "", /"valid": true/);

  const found = await client.POST("/api/tools/json-validator", { params: { query }, body: { data: "[" } });
  assert.equal(found.response.status, 422);
  // 422 is a check's report or a problem.
  assert(found.error !== undefined && "result" in found.error);
  assert.match(found.error.result, /"valid": false/);
}

async function documents(): Promise<void> {
  const list = await client.GET("/api/tools");
  const tools: components["schemas"]["Tool"][] = list.data?.items ?? [];
  assert(tools.some(({ slug, checkable }) => slug === "json-validator" && checkable));

  const one = await client.GET("/api/tools/json-formatter");
  assert.deepEqual(one.data?.examples[0], { input: { data: '{"a":1}' }, result: '{\n  "a": 1\n}' });

  // An HTML page unless another form is accepted.
  const page = await client.GET("/problems/{code}", {
    params: { path: { code: "quota_exceeded" } },
    headers: { Accept: "application/json" },
  });
  assert.equal(page.data?.status, 429);
  const health = await client.GET("/healthz");
  assert.equal(health.data?.status, "ok");
}

/** Calls that the server would refuse do not compile; this is never run. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error There is no such tool.
  await client.POST("/api/tools/json-formater", { body: { data: "" } });
  // @ts-expect-error The document is missing.
  await client.POST("/api/tools/json-formatter", { body: {} });
  // @ts-expect-error A number is expected.
  await client.POST("/api/tools/json-formatter", { body: { data: "", indent: "2" } });
  // @ts-expect-error There is no such algorithm.
  await client.POST("/api/tools/hash-generator", { body: { data: "", algorithm: "sha0" } });
  // @ts-expect-error It neither checks nor formats.
  await client.POST("/api/tools/hash-generator", { params: { query: { check: true } }, body: { data: "" } });
}

for (const part of [goodCalls, rawCalls, problems, checks, documents]) await part();
process.stdout.write("fine\n");
