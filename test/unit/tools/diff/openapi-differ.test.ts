import { expect, test } from "vitest";
import { rules } from "../../../../src/lib/openapi-diff/rules.ts";
import tool from "../../../../src/tools/diff/openapi-differ.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";

const now = "2026-01-01T00:00:00Z";

interface Row {
  impact: string;
  rule: string;
  message: string;
  operation: string;
  in: string;
  pointer: string;
  line: number;
  column: number;
}

const diff = async (data: string, other: string, more: Record<string, unknown> = {}): Promise<Row[]> =>
  JSON.parse(await runTool(tool, { data, other, format: "json", now, ...more })) as Row[];

const found = async (data: string, other: string): Promise<string[]> =>
  (await diff(data, other)).map((one) => `${one.impact} ${one.rule} ${one.in} ${one.line}:${one.column}`);

const head = 'openapi: 3.0.3\ninfo: {title: a, version: "1"}\n';
/** A description with one operation, whose request and response have the same schema. */
const both = (schema: string, components = "{}", version = "3.0.3"): string =>
  `openapi: ${version}
paths:
  /a:
    post:
      requestBody: {content: {application/json: {schema: ${schema}}}}
      responses: {"200": {description: a, content: {application/json: {schema: ${schema}}}}}
components: {schemas: ${components}}
`;

test.each([
  ["paths: {/a: {get: {}}}", "paths: {}", ["breaking path-removed old 3:13"]],
  ["paths: {/a: {get: {}}}", "paths: {/a: {get: {}, put: {}}}", ["safe operation-added new 3:28"]],
  // Names of parameters in a path do not count.
  [
    "paths: {'/a/{b}': {get: {parameters: [{name: b, in: path, required: true, schema: {type: string}}]}}}",
    "paths: {'/a/{c}': {get: {parameters: [{name: c, in: path, required: true, schema: {type: string}}]}}}",
    [],
  ],
  // Those of the path item count for its operations.
  [
    "paths: {/a: {get: {parameters: [{name: q, in: query, schema: {}}]}}}",
    "paths: {/a: {parameters: [{name: q, in: query, schema: {}}], get: {}}}",
    [],
  ],
  // Headers have no case.
  [
    "paths: {/a: {get: {parameters: [{name: X-A, in: header, schema: {}}]}}}",
    "paths: {/a: {get: {parameters: [{name: x-a, in: header, schema: {}}]}}}",
    [],
  ],
  [
    "paths: {/a: {get: {parameters: [{name: q, in: query, style: form, schema: {type: array}}]}}}",
    "paths: {/a: {get: {parameters: [{name: q, in: query, style: pipeDelimited, schema: {type: array}}]}}}",
    ["breaking parameter-style-changed new 3:33"],
  ],
  [
    "paths: {/a: {post: {requestBody: {content: {image/png: {}}}}}}",
    "paths: {/a: {post: {requestBody: {content: {image/*: {}}}}}}",
    ["safe request-media-type-added new 3:54"],
  ],
  [
    "paths: {}\nservers: [{url: /v1}]",
    "paths: {}\nservers: [{url: /v2}]",
    ["dangerous server-removed old 4:17", "safe server-added new 4:17"],
  ],
  [
    "paths: {/a: {get: {}}}",
    "paths: {/a: {get: {}}}\nsecurity: [{k: []}]\ncomponents: {securitySchemes: {k: {type: http, scheme: basic}}}",
    ["breaking security-added new 4:11", "safe security-scheme-added new 5:35"],
  ],
  [
    "paths: {/a: {get: {security: [{k: []}, {}]}}}",
    "paths: {/a: {get: {security: [{k: []}]}}}",
    ["breaking security-added new 3:30"],
  ],
  [
    "paths: {/a: {get: {security: [{k: []}]}}}",
    "paths: {/a: {get: {security: []}}}",
    ["safe security-removed new 3:30"],
  ],
])("%s to %s", async (from, to, expected) => {
  expect(await found(head + from, head + to)).toEqual(expected);
});

test.each([
  // A component is reported once, however many places use it.
  [
    "{$ref: '#/components/schemas/A'}",
    "{A: {type: object, properties: {b: {type: string}}}}",
    "{A: {type: object, properties: {b: {type: integer}}}}",
    ["breaking request-type-narrowed", "breaking response-type-widened"],
  ],
  // It may refer to itself.
  [
    "{$ref: '#/components/schemas/A'}",
    "{A: {type: object, properties: {a: {$ref: '#/components/schemas/A'}, n: {type: integer}}}}",
    "{A: {type: object, properties: {a: {$ref: '#/components/schemas/A'}, n: {type: integer, maximum: 3}}}}",
    ["breaking request-maximum-narrowed", "safe response-maximum-narrowed"],
  ],
  [
    "{$ref: '#/components/schemas/A'}",
    "{A: {$ref: '#/components/schemas/A'}}",
    "{A: {$ref: '#/components/schemas/A'}}",
    [],
  ],
  ["{$ref: 'b.yaml#/A'}", "{}", "{}", []],
  ["{type: object, properties: {__proto__: {type: string}, constructor: {type: string}}}", "{}", "{}", []],
])("%s", async (schema, from, to, expected) => {
  const rows = await diff(both(schema, from), both(schema, to));
  expect(rows.map(({ impact, rule }) => `${impact} ${rule}`)).toEqual(expected);
});

test.each([
  ["{type: string, nullable: true}", "{type: [string, 'null']}"],
  ["{type: integer, minimum: 1, exclusiveMinimum: true}", "{type: integer, exclusiveMinimum: 1}"],
  ["{type: string, enum: [a]}", "{type: string, const: a}"],
  [
    "{allOf: [{type: object, properties: {a: {type: string}}}]}",
    "{type: object, properties: {a: {type: string}}}",
  ],
])("%s in 3.0 is %s in 3.1", async (old, next) => {
  expect(await diff(both(old), both(next, "{}", "3.1.0"))).toEqual([]);
});

test("a description of 2.0 is compared with its conversion to 3.0", async () => {
  const old = `swagger: "2.0"
consumes: [application/json]
produces: [application/json]
paths:
  /a:
    post:
      parameters:
        - {name: body, in: body, required: true, schema: {$ref: '#/definitions/A'}}
        - {name: ids, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: n, in: query, type: integer, maximum: 5}
      responses: {200: {description: a, schema: {$ref: '#/definitions/A'}}}
definitions: {A: {type: object, properties: {a: {type: string}}}}
`;
  const next = `openapi: 3.0.3
paths:
  /a:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}
      parameters:
        - {name: ids, in: query, schema: {type: array, items: {type: string}}}
        - {name: n, in: query, schema: {type: integer, maximum: 5}}
      responses: {200: {description: a, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
components: {schemas: {A: {type: object, properties: {a: {type: string}}}}}
`;
  expect(await diff(old, next)).toEqual([]);
  expect(await found(old, next.replace("maximum: 5", "maximum: 4"))).toEqual([
    "breaking request-maximum-narrowed new 8:65",
  ]);
});

test("what a webhook or a callback sends is a response for its receiver", async () => {
  const hook = (schema: string): string => `openapi: 3.1.0
webhooks: {made: {post: {requestBody: {content: {application/json: {schema: ${schema}}}}}}}
paths: {/a: {post: {callbacks: {done: {'{$request.body#/url}': {post: {requestBody: {content: {application/json: {schema: ${schema}}}}}}}}}}}
`;
  const rows = await diff(hook("{type: string}"), hook("{type: [string, integer]}"));
  expect(rows.map(({ impact, rule, operation }) => `${impact} ${rule} ${operation}`)).toEqual([
    "breaking response-type-widened POST /a",
    "breaking response-type-widened webhook made",
  ]);
});

test("a report has places in data, whichever of the two it is", async () => {
  const [old, next] = [
    `${head}paths:\n  /a: {get: {}}\n  /b: {get: {}}\n`,
    `${head}paths:\n  /b: {get: {}}\n`,
  ];
  const places = async (input: Record<string, unknown>): Promise<unknown> =>
    (await checkTool(tool, { ...input, now })).errors.map(({ rule, line, pointer }) => ({
      rule,
      line,
      pointer,
    }));
  expect(await places({ data: old, other: next })).toEqual([
    { rule: "path-removed", line: 4, pointer: "/paths/~1a" },
  ]);
  expect(await places({ data: next, other: old, old: "other" })).toEqual([
    { rule: "path-removed", line: 4, pointer: "/paths" },
  ]);
});

test.each([
  ["breaking", false, ["error", "warning"]],
  ["any", false, ["error", "error", "error"]],
  ["never", true, ["warning", "warning"]],
])("a check that fails on %s", async (failOn, valid, severities) => {
  const other = `${head}paths: {/a: {get: {parameters: []}}, /c: {get: {}}}`;
  const data = `${head}paths: {/a: {get: {parameters: [{name: q, in: query, schema: {}}]}}, /b: {get: {}}}`;
  const report = await checkTool(tool, { data, other, failOn, now });
  expect(report.valid).toBe(valid);
  expect(report.errors.map(({ severity }) => severity).toSorted()).toEqual(severities);
});

test("a check reports a hundred changes and the number of the others", async () => {
  const paths = Array.from({ length: 150 }, (_, at) => `  /a${at}: {get: {}}\n`).join("");
  const { errors } = await checkTool(tool, {
    data: `${head}paths:\n${paths}`,
    other: `${head}paths: {}\n`,
    now,
  });
  expect(errors).toHaveLength(101);
  expect(errors).toContainEqual(
    expect.objectContaining({ rule: "more-changes", message: "There are 50 more changes." }),
  );
});

test.each([
  [["/a"], []],
  [["/*"], []],
  [["get /a"], []],
  [["POST /a"], ["path-removed"]],
  [["path-removed"], []],
  [["api-path-removed-without-deprecation"], []],
])("ignoring %s leaves %s", async (ignore, expected) => {
  const rows = await diff(`${head}paths: {/a: {get: {}}}`, `${head}paths: {}`, { ignore });
  expect(rows.map(({ rule }) => rule)).toEqual(expected);
});

test("each rule has an id in kebab case, and no id of oasdiff names one of ours with another meaning", () => {
  for (const [id, { aliases }] of rules) {
    expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    for (const alias of aliases) expect(alias).toMatch(/^[a-z]+(?:-[a-z]+)+$/);
  }
});

const fine = `${head}paths: {}`;
test.each([
  ["{", fine, { code: "invalid_document", line: 1, column: 2 }],
  [fine, "[1", { code: "invalid_document", field: "other" }],
  ["a: 1", fine, { code: "invalid_document", line: 1 }],
  [fine, "openapi: 4.0.0", { code: "invalid_document", field: "other", line: 1, column: 10 }],
])("%s and %s are refused", async (data, other, refusal) => {
  expect(await refusalOf(diff(data, other))).toMatchObject(refusal);
});

test("a word to ignore that is no rule and no path is refused with the nearest", async () => {
  expect(await refusalOf(diff(fine, fine, { ignore: ["path-remove"] }))).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("Did you mean path-removed?") as string,
  });
});

test("Markdown has a heading for each impact", async () => {
  const input = {
    data: `${head}paths: {/a_b: {get: {}}}`,
    other: `${head}paths: {/c: {get: {}}}`,
    format: "markdown",
    now,
  };
  expect(await runTool(tool, input)).toBe(
    '## Breaking\n\n- The path "/a\\_b" was removed.\n\n## Safe\n\n- GET /c: the operation was added.',
  );
  expect(await runTool(tool, { ...input, other: input.data })).toBe("No changes.");
});
