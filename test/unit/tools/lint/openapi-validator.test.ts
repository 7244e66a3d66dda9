import { describe, expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tool from "../../../../src/tools/lint/openapi-validator.ts";
import { runTool } from "../run-tool.ts";

const validate = async (document: unknown, version = "auto", examples = "warning"): Promise<Report> =>
  JSON.parse(
    await runTool(tool, {
      data: typeof document === "string" ? document : JSON.stringify(document),
      version,
      examples,
    }),
  ) as Report;
const found = async (document: unknown): Promise<string[]> =>
  (await validate(document)).errors.map(({ rule, pointer }) => `${rule} ${pointer}`);

const info = { title: "Pets", version: "1" };
const responses = { 200: { description: "ok" } };
const v30 = (rest: object): object => ({ openapi: "3.0.3", info, paths: {}, ...rest });
const v31 = (rest: object): object => ({ openapi: "3.1.0", info, ...rest });
const v32 = (rest: object): object => ({ openapi: "3.2.0", info, paths: {}, ...rest });
const v20 = (rest: object): object => ({ swagger: "2.0", info, paths: {}, ...rest });
const id = { name: "id", in: "path", required: true, schema: { type: "string" } };

test.each([
  [v30({})],
  [v31({ components: {} })],
  [v20({ "x-own": 1 })],
  [v30({ paths: { "/a/{id}": { parameters: [id], get: { responses, operationId: "a" } } } })],
  [
    v30({
      paths: { "/a/{id}": { get: { responses, parameters: [{ $ref: "#/components/parameters/id" }] } } },
      components: { parameters: { id } },
    }),
  ],
  [
    v31({
      webhooks: { new: { post: { requestBody: { content: { "application/json": { schema: true } } } } } },
    }),
  ],
  [
    v31({
      components: {
        schemas: {
          Node: {
            type: ["object", "null"],
            properties: { next: { $ref: "#/components/schemas/Node" } },
            examples: [{ next: { next: null } }],
          },
        },
      },
    }),
  ],
  [
    v30({
      components: {
        schemas: {
          A: { type: "string", nullable: true, enum: ["x"], default: null, exclusiveMinimum: true },
        },
      },
    }),
  ],
  [
    v20({
      definitions: { A: { type: "integer", default: 1 } },
      securityDefinitions: { k: { type: "apiKey", name: "k", in: "header" } },
      security: [{ k: [] }],
    }),
  ],
  [
    "openapi: '3.1.0'\ninfo: {title: a, version: '1'}\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: ok}\n",
  ],
])("valid: %j", async (document) => {
  expect((await validate(document)).errors).toEqual([]);
});

test.each([
  [v30({ pathz: {} }), ["unknown-field /pathz"]],
  [{ openapi: "3.0.0", info: { title: 1 } }, ["type /info/title", "required /info", "required "]],
  [v31({}), ["required "]],
  [{ openapi: "4.0.0" }, ["version /openapi"]],
  [[], ["version "]],
  [v30({ paths: { a: {} } }), ["unknown-field /paths/a"]],
  [
    v30({ paths: { "/a": { get: { responses: { 2000: { description: "" } } } } } }),
    ["unknown-field /paths/~1a/get/responses/2000"],
  ],
  [v30({ paths: { "/a/{id}": { get: { responses } } } }), ["path-parameter /paths/~1a~1{id}/get"]],
  [v30({ paths: { "/a": { get: { responses, parameters: [id] } } } }), ["path-parameter /paths/~1a/get"]],
  [
    v30({ paths: { "/{id}": { get: { responses, parameters: [{ ...id, required: false }] } } } }),
    ["path-parameter /paths/~1{id}/get/parameters/0"],
  ],
  [
    v30({ paths: { "/a": { get: { responses, operationId: "x" }, put: { responses, operationId: "x" } } } }),
    ["operation-id-unique /paths/~1a/put/operationId"],
  ],
  [v30({ paths: { "/{a}": {}, "/{b}": {} } }), ["path-unique /paths/~1{b}"]],
  [
    v30({ paths: { "/a": { get: { responses: { 200: { $ref: "#/components/responses/no" } } } } } }),
    ["unresolved-ref /paths/~1a/get/responses/200/$ref"],
  ],
  [
    v30({
      components: {
        responses: { a: { $ref: "#/components/responses/b" }, b: { $ref: "#/components/responses/a" } },
      },
    }),
    ["ref-loop /components/responses/a/$ref", "ref-loop /components/responses/b/$ref"],
  ],
  [
    v30({
      components: { responses: { a: { $ref: "#/components/parameters/b" } }, parameters: { b: { ...id } } },
    }),
    ["ref-kind /components/responses/a/$ref"],
  ],
  [
    v30({ components: { schemas: { a: { type: "integer", example: "x" } } } }),
    ["example-schema /components/schemas/a/example"],
  ],
  [v30({ components: { schemas: { a: { type: "null" } } } }), ["enum /components/schemas/a/type"]],
  [v31({ components: { schemas: { a: { type: "strin" } } } }), ["schema /components/schemas/a/type"]],
  [
    v31({ components: { schemas: { a: { properties: { b: { $ref: "#/components/schemas/no" } } } } } }),
    ["unresolved-ref /components/schemas/a/properties/b/$ref"],
  ],
  [v30({ security: [{ none: [] }] }), ["security-defined /security/0/none"]],
  [v30({ servers: [{ url: "https://{host}/" }] }), ["server-variable /servers/0/url"]],
  [
    v30({ components: { parameters: { p: { name: "p", in: "query" } } } }),
    ["required /components/parameters/p"],
  ],
  [
    v20({
      paths: {
        "/a": {
          post: {
            responses,
            parameters: [
              { name: "a", in: "body", schema: {} },
              { name: "b", in: "body", schema: {} },
            ],
          },
        },
      },
    }),
    ["body-parameter /paths/~1a/post/parameters/1"],
  ],
  [v20({ parameters: { a: { name: "a", in: "query" } } }), ["required /parameters/a"]],
])("%j: %j", async (document, findings) => {
  expect(await found(document)).toEqual(findings);
});

test("a reference to another document is a warning: nothing is fetched", async () => {
  const report = await validate(v30({ components: { schemas: { a: { $ref: "other.yaml#/A" } } } }));
  expect(report.valid).toBe(true);
  expect(report.errors).toMatchObject([{ rule: "external-ref", severity: "warning" }]);
});

const pets = (mapping: object): object => ({
  Cat: { type: "object" },
  Pet: { oneOf: [{ $ref: "#/components/schemas/Cat" }], discriminator: { propertyName: "kind", mapping } },
});

test("a target of a discriminator is a schema: its name, or a reference to it", async () => {
  const mapping = {
    a: "Cat",
    b: "#/components/schemas/Cat",
    c: "Dog",
    d: "#/components/schemas/Dog",
    e: "#/components/responses/R",
    f: "dog.yaml",
    g: "https://example.com/schemas/dog",
  };
  const components = { schemas: pets(mapping), responses: { R: { description: "r" } } };
  const at = "/components/schemas/Pet/discriminator/mapping";
  const wanted = [
    { rule: "discriminator-mapping", severity: "error", pointer: `${at}/c` },
    { rule: "discriminator-mapping", severity: "error", pointer: `${at}/d` },
    { rule: "discriminator-mapping", severity: "error", pointer: `${at}/e` },
    { rule: "external-ref", severity: "warning", pointer: `${at}/f` },
    { rule: "external-ref", severity: "warning", pointer: `${at}/g` },
  ];
  for (const document of [v30({ components }), v31({ components }), v32({ components })])
    expect((await validate(document)).errors).toMatchObject(wanted);
});

test("discriminators within schemas of JSON Schema are checked, and examples of them are not", async () => {
  const schemas = {
    Cat: { type: "object" },
    A: {
      properties: { discriminator: { items: pets({ a: "Dog" }) } },
      examples: [pets({ a: "Dog" })],
    },
    B: { discriminator: { propertyName: "kind", defaultMapping: "Dog" } },
  };
  expect(await found(v32({ components: { schemas } }))).toEqual([
    "discriminator-mapping /components/schemas/A/properties/discriminator/items/Pet/discriminator/mapping/a",
    "discriminator-mapping /components/schemas/B/discriminator/defaultMapping",
  ]);
});

test("nullable without a type in the same schema is a warning in 3.0", async () => {
  const schemas = {
    a: { nullable: true, allOf: [{ type: "object" }] },
    b: { nullable: true, type: "string" },
    c: { nullable: false },
  };
  const report = await validate(v30({ components: { schemas } }));
  expect(report).toMatchObject({
    valid: true,
    errors: [{ rule: "nullable-type", severity: "warning", pointer: "/components/schemas/a/nullable" }],
  });
});

test("an example that does not fit its schema is a warning, or an error by option; a default is an error", async () => {
  const of = (schema: object): object => v30({ components: { schemas: { a: schema } } });
  const example = of({ type: "integer", example: "x" });
  expect(await validate(example)).toMatchObject({ valid: true, errors: [{ severity: "warning" }] });
  expect(await validate(example, "auto", "error")).toMatchObject({
    valid: false,
    errors: [{ rule: "example-schema", severity: "error" }],
  });
  expect(await validate(of({ type: "integer", default: "x" }))).toMatchObject({ valid: false });
});

test("warnings leave room for errors", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [`a${at}`, { nullable: true, example: 1, not: {} }]),
  );
  const schemas = { ...many, z: { type: "integer", default: "x" } };
  const report = await validate(v30({ components: { schemas } }));
  expect(report.valid).toBe(false);
  expect(report.errors).toHaveLength(100);
  expect(report.errors.at(-1)).toMatchObject({ rule: "example-schema", severity: "error" });
});

test("the requested version must match the document's", async () => {
  expect((await validate(v30({}), "3.1")).errors).toMatchObject([
    {
      rule: "version",
      pointer: "/openapi",
      message: expect.stringContaining("set version to auto") as string,
    },
  ]);
});

test("a property of one direction only is not required of examples", async () => {
  const schema = {
    type: "object",
    required: ["id", "name"],
    properties: { id: { type: "integer", readOnly: true }, name: { type: "string" } },
    example: { name: "x" },
  };
  expect((await validate(v30({ components: { schemas: { a: schema } } }))).errors).toEqual([]);
});

test("findings have places in YAML too, and an unparsable text has one", async () => {
  const report = await validate("openapi: 3.1.0\ninfo:\n  title: a\n  version: 1\npaths: {}\n");
  expect(report.errors).toMatchObject([{ rule: "type", line: 4, column: 12, pointer: "/info/version" }]);
  expect((await validate('{"openapi":')).errors).toMatchObject([{ rule: "syntax" }]);
  expect((await validate("a: [")).valid).toBe(false);
});

test("cyclic aliases, references and examples end", async () => {
  const bomb = `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {}\nx-a: &a [${"1,".repeat(9)}1]\n${Array.from({ length: 9 }, (_, at) => `x-${String.fromCharCode(98 + at)}: &${String.fromCharCode(98 + at)} [${Array.from({ length: 9 }, () => `*${String.fromCharCode(97 + at)}`).join()}]`).join("\n")}\n`;
  expect((await validate(bomb)).valid).toBe(false);
  const loop = v31({ components: { schemas: { a: { $ref: "#/components/schemas/a", default: 1 } } } });
  expect((await validate(loop)).errors.length).toBeGreaterThan(0);
});

describe("3.2", () => {
  const op = { responses };
  const json = (content: object): object => ({ content: { "application/json": content } });

  test("accepts what the version adds", async () => {
    const report = await validate({
      openapi: "3.2.0",
      $self: "https://example.com/api.json",
      info,
      servers: [{ url: "https://example.com", name: "production" }],
      tags: [
        { name: "a", summary: "A", kind: "nav" },
        { name: "b", parent: "a" },
      ],
      paths: {
        "/events": {
          query: {
            parameters: [{ name: "q", in: "querystring", ...json({ schema: { type: "object" } }) }],
            ...op,
          },
          additionalOperations: { LINK: op },
          get: {
            parameters: [{ name: "c", in: "cookie", style: "cookie", schema: { type: "string" } }],
            responses: {
              200: {
                summary: "A stream",
                content: {
                  "text/event-stream": { itemSchema: { type: "object" } },
                  "application/json": { $ref: "#/components/mediaTypes/Event" },
                  "multipart/mixed": { prefixEncoding: [{ contentType: "text/plain" }], itemEncoding: {} },
                },
              },
            },
          },
        },
      },
      components: {
        mediaTypes: {
          Event: {
            schema: { type: "integer" },
            examples: { one: { dataValue: 1, serializedValue: "1" } },
          },
        },
        securitySchemes: {
          device: {
            type: "oauth2",
            deprecated: true,
            oauth2MetadataUrl: "https://example.com/.well-known/oauth",
            flows: {
              deviceAuthorization: { deviceAuthorizationUrl: "https://a", tokenUrl: "https://b", scopes: {} },
            },
          },
        },
      },
      security: [{ device: [] }, { "https://example.com/schemes.json#/other": [] }],
    });
    expect(report).toEqual({ valid: true, errors: [] });
  });

  test.each([
    [{ tags: [{ name: "a", parent: "b" }] }, ["tag-parent /tags/0/parent"]],
    [
      {
        tags: [
          { name: "a", parent: "b" },
          { name: "b", parent: "a" },
          { name: "c", parent: "a" },
        ],
      },
      ["tag-parent /tags/0/parent"],
    ],
    [{ paths: { "/{id}": { query: op } } }, ["path-parameter /paths/~1{id}/query"]],
    [
      { paths: { "/{id}": { additionalOperations: { LINK: op } } } },
      ["path-parameter /paths/~1{id}/additionalOperations/LINK"],
    ],
    [
      { paths: { "/": { additionalOperations: { POST: op } } } },
      ["additional-operation /paths/~1/additionalOperations/POST"],
    ],
    [
      { components: { parameters: { q: { name: "q", in: "querystring", schema: {} } } } },
      ["required /components/parameters/q"],
    ],
    [
      {
        paths: {
          "/": {
            parameters: [
              { name: "q", in: "querystring", ...json({}) },
              { name: "r", in: "querystring", ...json({}) },
              { name: "s", in: "query", schema: {} },
            ],
          },
        },
      },
      ["querystring-parameter /paths/~1/parameters/1", "querystring-parameter /paths/~1/parameters/2"],
    ],
    [
      { components: { mediaTypes: { a: { encoding: {}, itemEncoding: {} } } } },
      ["exclusive-fields /components/mediaTypes/a"],
    ],
    [
      { components: { examples: { a: { value: 1, dataValue: 1 } } } },
      ["exclusive-fields /components/examples/a"],
    ],
    [
      {
        components: {
          mediaTypes: { a: { schema: { type: "integer" }, examples: { one: { dataValue: "x" } } } },
        },
      },
      ["example-schema /components/mediaTypes/a/examples/one/dataValue"],
    ],
    [
      { components: { mediaTypes: { a: { itemSchema: { type: "nope" } } } } },
      ["schema /components/mediaTypes/a/itemSchema/type"],
    ],
    [
      { components: { responses: { a: json({ $ref: "#/components/schemas/b" }) }, schemas: { b: {} } } },
      ["ref-kind /components/responses/a/content/application~1json/$ref"],
    ],
  ])("%j: %j", async (rest, wanted) => {
    expect(await found(v32(rest))).toEqual(wanted);
  });

  test("is not valid as 3.1, and 3.3 is unknown", async () => {
    const later = { paths: { "/": { query: op } } };
    expect(await found(v32(later))).toEqual([]);
    expect(await found(v31(later))).toEqual(["unknown-field /paths/~1/query"]);
    const [error] = (await validate({ openapi: "3.3.0", info, paths: {} })).errors;
    expect(error?.message).toContain("2.0, 3.0.x, 3.1.x and 3.2.x");
  });
});
