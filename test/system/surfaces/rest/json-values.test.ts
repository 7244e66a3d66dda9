import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { jsonFieldsOf } from "../../../../src/catalog/fields.ts";
import { tools } from "../../../../src/tools/index.ts";
import { openHarness } from "../harness.ts";
import { openSurface, type Surface } from "../open-surface.ts";

let app: Surface;
let key: string;
beforeAll(async () => {
  app = await openSurface({ deadlineMs: 60_000 });
  key = await app.key("team");
});
afterAll(() => app.close());

const post = (slug: string, body: string, query = ""): Promise<Response> =>
  app.post(`/api/tools/${slug}${query}`, body, { authorization: `Bearer ${key}` });

type Input = Record<string, unknown>;

const emptyApi = '{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{}}';

/** Calls for fields without an example in JSON: a JWK to verify with, a description of an API, a ruleset. */
const more: { slug: string; input: Input }[] = [
  {
    slug: "jwt-verifier",
    input: {
      data: "eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCIsImtpZCI6IjIwMjYtMDEifQ.eyJzdWIiOiJjaSIsImlkIjo5MDA3MTk5MjU0NzQwOTkzLCJpYXQiOjE3NjczMjMwNDUsImV4cCI6MTc2NzMyNjY0NX0.8TwX_q1N3Z-dhHe5mJ_58OU0UX215UMiA8NrUZKm-rVMk9Y1pKLdeB3opGTwEoHL04p14UVA-SqkqEOVMi_H_A",
      key: '{"keys":[{"kty":"oct","kid":"2026-01","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}]}',
      algorithms: ["HS512"],
      claims: '{"sub":"ci"}',
      now: "2026-01-02T03:05:00Z",
    },
  },
  { slug: "openapi-differ", input: { data: emptyApi, other: emptyApi, now: "2026-01-02T03:05:00Z" } },
  { slug: "openapi-validator", input: { data: emptyApi, ruleset: '{"extends":"spectral:oas"}' } },
];

describe("every JSON field gives the same result for text and for a value", async () => {
  const all = await createCatalog(tools).all();
  const marked = all.flatMap(({ slug, input, examples }) =>
    Array.from(jsonFieldsOf(input).keys(), (field) => ({ slug, field, examples })),
  );
  const calls = marked.flatMap(({ slug, field, examples }) =>
    [...examples.map(({ input }) => ({ slug, input })), ...more]
      .filter((call) => call.slug === slug && isValue(call.input[field]))
      .map(({ input }) => ({ slug, field, input })),
  );

  test("and none of them is missing", () => {
    const names = (list: { slug: string; field: string }[]): Set<string> =>
      new Set(list.map(({ slug, field }) => `${slug} ${field}`));
    expect(names(calls)).toEqual(names(marked));
    expect(names(marked).size).toBeGreaterThanOrEqual(8);
  });

  test.each(calls.map((call) => [call.slug, call.field, call] as const))(
    "%s %s, call %#",
    async (slug, field, { input }) => {
      const asText = await post(slug, JSON.stringify(input));
      const asValue = await post(slug, withValue(input, field));
      expect([asText.status, asValue.status]).toEqual([200, 200]);
      expect(await asValue.json()).toEqual(await asText.json());
    },
  );
});

function isValue(text: unknown): boolean {
  return typeof text === "string" && /^[[{]/.test(text);
}

/** The body with the text of one field inserted as a value. */
function withValue(input: Input, field: string): string {
  const members = Object.entries(input).map(
    ([name, value]) => `${JSON.stringify(name)}: ${name === field ? String(value) : JSON.stringify(value)}`,
  );
  return `{${members.join(",\n  ")}}`;
}

describe("on a worker", () => {
  test("a large body of a tool that is not isolated: same result, same places", async () => {
    const padding = "x".repeat(70_000);
    const call = (headers: string): string =>
      `{"data":${JSON.stringify(padding)},"provider":"github","secret":"s",\n"headers":${headers}}`;
    const fine = '{"X-Hub-Signature-256":"sha256=00"}';
    const [asValue, asText] = await Promise.all([
      post("webhook-signature-verifier", call(fine)),
      post("webhook-signature-verifier", call(JSON.stringify(fine))),
    ]);
    expect(asValue.status).toBe(200);
    expect(await asValue.json()).toEqual(await asText.json());
    const refused = await post("webhook-signature-verifier", call('{"a":["x", null]}'));
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      code: "invalid_document",
      errors: [{ field: "headers", pointer: "/headers/a/1", line: 2, column: 22 }],
    });
    const here = await openHarness();
    const authorization = `Bearer ${await here.key("team")}`;
    await here.post("/api/tools/webhook-signature-verifier", call(fine), { authorization });
    expect(here.runs.map(({ isolated }) => isolated)).toEqual([true]);
    await here.close();
  });

  test("a value of more than 64 KiB, with numbers as they are written", async () => {
    const items = Array.from({ length: 5000 }, (_, index) => `1234567890123456789.${index}0`);
    const response = await post(
      "json-differ",
      `{"data":"[]","format":"merge","other":{"items":[${items.join(", ")}]}}`,
    );
    expect(response.status).toBe(200);
    const { result } = (await response.json()) as { result: string };
    expect(result.match(/[\d.]+/g)).toEqual(items);
  });

  test("a huge number of values is refused before it is parsed", async () => {
    const response = await post("json-differ", `{"data":"[]","other":[${"{},".repeat(150_000)}{}]}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_input", limit: 100_000 });
  });
});

test("the place of an error is one of the body, in a problem document as elsewhere", async () => {
  const body = '{\n  "data": "{}",\n  "patch": [\n    {"op": "remove", "path": "/a"}\n  ]\n}';
  const response = await post("json-patcher", body);
  expect(response.status).toBe(422);
  const problem = (await response.json()) as { detail: string; errors: unknown[] };
  expect(problem.detail).toMatch(/^patch: .* \(line 4, column 30\)$/);
  expect(problem.errors).toEqual([
    {
      message: expect.stringMatching(/^Operation 0 \(remove\) fails: /) as string,
      field: "patch",
      pointer: "/patch/0/path",
      line: 4,
      column: 30,
      offset: body.indexOf('"/a"'),
    },
  ]);
});

test("a secret that is not an object is not echoed", async () => {
  const response = await post("jwt-generator", '{"data":"{}","algorithm":"HS256","key":["hunter2"]}');
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain("hunter2");
});

test("check mode takes values too", async () => {
  const call = '{"data":"12345678901234567891","schema":{"maximum":12345678901234567890}}';
  expect((await post("json-schema-validator", call, "?check=true")).status).toBe(422);
  const fine = call.replace("891", "889");
  expect((await post("json-schema-validator", fine, "?check=true")).status).toBe(200);
});

test("a raw call passes the text as a parameter", async () => {
  const query = `?${new URLSearchParams({ patch: '[{"op":"add","path":"/n","value":1.0}]', indent: "0" })}`;
  const response = await app.post(`/api/tools/json-patcher${query}`, "{}", {
    authorization: `Bearer ${key}`,
    "content-type": "text/plain",
    accept: "text/plain",
  });
  expect([response.status, await response.text()]).toEqual([200, '{"n":1.0}']);
});

test("the description of a tool has its input schema", async () => {
  const description = (await (await app.get("/api/tools/jwt-verifier")).json()) as {
    input: { properties: Record<string, unknown> };
  };
  expect(description.input.properties["key"]).toEqual({
    description: expect.stringContaining("as text or, where it is a JSON object") as string,
    anyOf: [
      { type: "string", maxLength: 262_144 },
      { type: "object", additionalProperties: true },
    ],
  });
});
