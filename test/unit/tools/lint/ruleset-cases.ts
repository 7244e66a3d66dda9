/* eslint-disable unicorn/no-thenable -- a member of the rules of Spectral */
import { applyEdits, type Edits, type Json } from "../edits.ts";

/** A ruleset, a document, and what is at fault: `rule path`, sorted. */
export interface RulesetCase {
  title: string;
  ruleset: object;
  document: object;
  faults: string[];
}

type Row = [name: string, options: object | undefined, value: unknown, faults: string[]];

/** Functions with values at `$.v`, and the paths that are at fault. undefined is a value that is missing. */
const functionRows: Row[] = [
  ["truthy", undefined, "a", []],
  ["truthy", undefined, "", ["/v"]],
  ["truthy", undefined, 0, ["/v"]],
  ["truthy", undefined, null, ["/v"]],
  ["truthy", undefined, undefined, ["/v"]],
  ["falsy", undefined, false, []],
  ["falsy", undefined, undefined, []],
  ["falsy", undefined, "a", ["/v"]],
  ["falsy", undefined, [], ["/v"]],
  ["defined", undefined, null, []],
  ["defined", undefined, undefined, ["/v"]],
  ["undefined", undefined, undefined, []],
  ["undefined", undefined, 1, ["/v"]],
  ["undefined", undefined, false, ["/v"]],
  ["pattern", { match: "^[a-z]+$" }, "abc", []],
  ["pattern", { match: "^[a-z]+$" }, "aBc", ["/v"]],
  ["pattern", { match: "/^[a-z]+$/i" }, "aBc", []],
  ["pattern", { notMatch: "\\d" }, "a1", ["/v"]],
  ["pattern", { match: "a", notMatch: "b" }, "ab", ["/v"]],
  ["pattern", { match: "a" }, 7, []],
  ["pattern", { match: "a" }, undefined, []],
  ["casing", { type: "flat" }, "verysimple", []],
  ["casing", { type: "flat" }, "verySimple", ["/v"]],
  ["casing", { type: "camel" }, "verySimple", []],
  ["casing", { type: "camel" }, "VerySimple", ["/v"]],
  ["casing", { type: "camel" }, "very_simple", ["/v"]],
  ["casing", { type: "camel" }, "veryXML", ["/v"]],
  ["casing", { type: "pascal" }, "VerySimple", []],
  ["casing", { type: "pascal" }, "verySimple", ["/v"]],
  ["casing", { type: "kebab" }, "very-simple", []],
  ["casing", { type: "kebab" }, "very--simple", ["/v"]],
  ["casing", { type: "cobol" }, "VERY-SIMPLE", []],
  ["casing", { type: "cobol" }, "VERY_SIMPLE", ["/v"]],
  ["casing", { type: "snake" }, "very_simple", []],
  ["casing", { type: "snake" }, "very-simple", ["/v"]],
  ["casing", { type: "macro" }, "VERY_SIMPLE", []],
  ["casing", { type: "macro" }, "Very_Simple", ["/v"]],
  ["casing", { type: "camel", disallowDigits: true }, "very1", ["/v"]],
  ["casing", { type: "camel" }, "very1", []],
  ["casing", { type: "pascal", separator: { char: "-" } }, "X-Rate-Limit", []],
  ["casing", { type: "pascal", separator: { char: "-" } }, "X-rate", ["/v"]],
  ["casing", { type: "kebab", separator: { char: "/", allowLeading: true } }, "/a-b/c", []],
  ["casing", { type: "kebab", separator: { char: "/" } }, "/a-b", ["/v"]],
  ["length", { min: 2 }, "a", ["/v"]],
  ["length", { max: 2 }, "abc", ["/v"]],
  ["length", { min: 1, max: 2 }, [1, 2], []],
  ["length", { max: 1 }, { a: 1, b: 2 }, ["/v"]],
  ["length", { max: 5 }, 6, ["/v"]],
  ["length", { min: 1 }, undefined, []],
  ["enumeration", { values: ["a", "b"] }, "a", []],
  ["enumeration", { values: ["a", "b"] }, "c", ["/v"]],
  ["enumeration", { values: [1, null] }, 2, ["/v"]],
  ["enumeration", { values: ["a"] }, ["c"], []],
  ["alphabetical", undefined, ["a", "b"], []],
  ["alphabetical", undefined, ["b", "a"], ["/v/0"]],
  ["alphabetical", undefined, { a: 1, b: 2 }, []],
  ["alphabetical", { keyedBy: "name" }, [{ name: "b" }, { name: "a" }], ["/v"]],
  ["alphabetical", { keyedBy: "name" }, [{ name: "a" }, { name: "b" }], []],
  ["schema", { schema: { type: "string" } }, "a", []],
  ["schema", { schema: { type: "string" } }, 1, ["/v"]],
  ["schema", { schema: { type: "object", required: ["a"] } }, {}, ["/v"]],
  ["schema", { schema: { type: "array", items: { type: "integer" } } }, [1, "b"], ["/v/1"]],
  ["schema", { schema: { type: "array", minItems: 1 } }, undefined, ["/v"]],
  ["schema", { schema: { type: "string", format: "ipv4" } }, "a", ["/v"]],
  ["or", { properties: ["a", "b"] }, { b: 1 }, []],
  ["or", { properties: ["a", "b"] }, { c: 1 }, ["/v"]],
  ["xor", { properties: ["a", "b"] }, { a: 1 }, []],
  ["xor", { properties: ["a", "b"] }, { a: 1, b: 1 }, ["/v"]],
  ["xor", { properties: ["a", "b"] }, {}, ["/v"]],
  ["typedEnum", undefined, { type: "integer", enum: [1, 2] }, []],
  ["typedEnum", undefined, { type: "integer", enum: [1, "a"] }, ["/v/enum/1"]],
  ["typedEnum", undefined, { type: "string", enum: ["a", 2, true] }, ["/v/enum/1", "/v/enum/2"]],
];

const functionCases = functionRows.map(([name, options, value, faults], at): RulesetCase => ({
  title: `${at + 1}. ${name} ${JSON.stringify(options ?? {})} of ${JSON.stringify(value) ?? "nothing"}`,
  ruleset: {
    rules: {
      r: { given: "$", then: { field: "v", function: name, ...(options && { functionOptions: options }) } },
    },
  },
  document: { ...(value !== undefined && { v: value }), other: 1 },
  faults: faults.map((path) => `r ${path}`),
}));

const pets = {
  openapi: "3.0.3",
  paths: {
    "/pets": {
      get: { operationId: "a", parameters: [{ $ref: "#/components/parameters/Q" }], "x-own": 1 },
      put: { operationId: "b", responses: { 200: { description: "" } } },
    },
  },
  components: {
    parameters: { Q: { name: "q_q", in: "query" } },
    schemas: { A: { properties: { b: { $ref: "#/components/schemas/B" } } }, B: {}, C: {} },
  },
};

const on = (
  title: string,
  given: unknown,
  then: object,
  faults: string[],
  more: object = {},
): RulesetCase => ({
  title,
  ruleset: { rules: { r: { given, then, ...more } } },
  document: pets,
  faults: faults.map((path) => `r ${path}`),
});
const isX = { function: "pattern", functionOptions: { match: "^x$" } };
const get = "/paths/~1pets/get";

/** Paths of rules, and the members of rules. */
const pathCases: RulesetCase[] = [
  on("a path through a reference", "$.paths[*][*].parameters[*].name", isX, [
    "/components/parameters/Q/name",
  ]),
  on("without references", "$.paths[*][*].parameters[*].name", isX, [], { resolved: false }),
  on("names", "$.paths[*]~", isX, ["/paths/~1pets"]),
  on("the parent", "$..operationId^", { field: "summary", function: "truthy" }, [
    `${get}/summary`,
    "/paths/~1pets/put/summary",
  ]),
  on("names without quotes", "$.paths[*][get,put].operationId", isX, [
    `${get}/operationId`,
    "/paths/~1pets/put/operationId",
  ]),
  on("a filter with ===", "$..parameters[?(@.in === 'query')].name", isX, ["/components/parameters/Q/name"]),
  on("a filter of existence", "$.paths[*][?(@.responses)].operationId", isX, [
    "/paths/~1pets/put/operationId",
  ]),
  on("a filter of names", "$.paths[*][?(@property === 'get')].operationId", isX, [`${get}/operationId`]),
  on("a name with a hyphen", "$.paths[*].get.x-own", { function: "falsy" }, [`${get}/x-own`]),
  on("several paths", ["$.openapi", "$.paths[*].get.operationId"], isX, ["/openapi", `${get}/operationId`]),
  on("@key", "$.components.schemas", { ...isX, field: "@key" }, [
    "/components/schemas/A",
    "/components/schemas/B",
    "/components/schemas/C",
  ]),
  on("a field of a field", "$", { ...isX, field: "components.parameters.Q.name" }, [
    "/components/parameters/Q/name",
  ]),
  on(
    "several functions",
    "$.paths[*].get",
    [
      { ...isX, field: "operationId" },
      { field: "summary", function: "truthy" },
    ],
    [`${get}/operationId`, `${get}/summary`],
  ),
  on("descendants of a part", "$.components..name", isX, ["/components/parameters/Q/name"]),
  on(
    "what is not used",
    "$.components.schemas",
    {
      function: "unreferencedReusableObject",
      functionOptions: { reusableObjectsLocation: "#/components/schemas" },
    },
    ["/components/schemas/A", "/components/schemas/C"],
    { resolved: false },
  ),
  on("another format", "$.openapi", isX, [], { formats: ["oas2"] }),
  on("its format", "$.openapi", isX, ["/openapi"], { formats: ["oas3_0"] }),
  on("off", "$.openapi", isX, [], { severity: "off" }),
  on("not recommended", "$.openapi", isX, [], { recommended: false }),
  {
    title: "an alias of an alias",
    ruleset: {
      aliases: { Paths: ["$.paths[*]"], Operation: ["#Paths[get,put]"] },
      rules: { r: { given: "#Operation.operationId", then: isX } },
    },
    document: pets,
    faults: [`r ${get}/operationId`, "r /paths/~1pets/put/operationId"],
  },
  {
    title: "an alias by format",
    ruleset: {
      aliases: {
        P: {
          targets: [
            { formats: ["oas2"], given: ["$.parameters[*]"] },
            { formats: ["oas3"], given: ["$.components.parameters[*]"] },
          ],
        },
      },
      rules: { r: { given: "#P.name", formats: ["oas3"], then: isX } },
    },
    document: pets,
    faults: ["r /components/parameters/Q/name"],
  },
];

const fine = {
  openapi: "3.0.3",
  info: { title: "Pets", version: "1", description: "Pets", contact: { name: "A" } },
  servers: [{ url: "https://pets.test" }],
  tags: [{ name: "pets" }],
  paths: {
    "/pets": {
      get: {
        operationId: "getPets",
        description: "All",
        tags: ["pets"],
        parameters: [{ name: "q", in: "query", schema: { type: "string" } }],
        responses: {
          200: {
            description: "Pets",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: "object",
        properties: { id: { type: "integer" }, kind: { type: "string", enum: ["a", "b"] } },
      },
    },
  },
};

/** Rules of `spectral:oas`, each with a mistake that its documentation shows or describes. */
const oasRows: [rule: string, edits: Edits, faults: string[]][] = [
  ["info-contact", { "/info/contact": undefined }, ["/info/contact"]],
  ["info-description", { "/info/description": "" }, ["/info/description"]],
  ["info-license", {}, ["/info/license"]],
  ["contact-properties", {}, ["/info/contact/email", "/info/contact/url"]],
  ["license-url", { "/info/license": { name: "MIT" } }, ["/info/license/url"]],
  [
    "duplicated-entry-in-enum",
    { "/components/schemas/Pet/properties/kind/enum/-": "a" },
    ["/components/schemas/Pet/properties/kind/enum"],
  ],
  [
    "typed-enum",
    { "/components/schemas/Pet/properties/kind/enum/-": 3 },
    ["/components/schemas/Pet/properties/kind/enum/2"],
  ],
  [
    "array-items",
    { "/components/schemas/Pet/properties/list": { type: "array" } },
    ["/components/schemas/Pet/properties/list/items"],
  ],
  [
    "no-$ref-siblings",
    { "/components/schemas/Pet/properties/self": { $ref: "#/components/schemas/Pet", example: 1 } },
    ["/components/schemas/Pet/properties/self/example"],
  ],
  ["no-eval-in-markdown", { "/info/title": "some title with eval(" }, ["/info/title"]],
  ["no-script-tags-in-markdown", { "/info/description": "<script>alert(1)</script>" }, ["/info/description"]],
  ["openapi-tags", { "/tags": [] }, ["/tags"]],
  ["openapi-tags-alphabetical", { "/tags": [{ name: "pets" }, { name: "apes" }] }, ["/tags"]],
  ["openapi-tags-uniqueness", { "/tags/-": { name: "pets" } }, ["/tags/1/name"]],
  ["tag-description", {}, ["/tags/0/description"]],
  [
    "operation-description",
    { "/paths/~1pets/get/description": undefined },
    ["/paths/~1pets/get/description"],
  ],
  [
    "operation-operationId",
    { "/paths/~1pets/get/operationId": undefined },
    ["/paths/~1pets/get/operationId"],
  ],
  [
    "operation-operationId-unique",
    { "/paths/~1pets/put": fine.paths["/pets"].get },
    ["/paths/~1pets/put/operationId"],
  ],
  [
    "operation-operationId-valid-in-url",
    { "/paths/~1pets/get/operationId": "get cats" },
    ["/paths/~1pets/get/operationId"],
  ],
  [
    "operation-parameters",
    { "/paths/~1pets/get/parameters/-": { name: "q", in: "query", schema: {} } },
    ["/paths/~1pets/get/parameters/1"],
  ],
  ["operation-singular-tag", { "/paths/~1pets/get/tags/-": "pets2" }, ["/paths/~1pets/get/tags"]],
  [
    "operation-success-response",
    { "/paths/~1pets/get/responses": { 418: { description: "teapot" } } },
    ["/paths/~1pets/get/responses"],
  ],
  ["operation-tags", { "/paths/~1pets/get/tags": [] }, ["/paths/~1pets/get/tags"]],
  ["operation-tag-defined", { "/paths/~1pets/get/tags/-": "none" }, ["/paths/~1pets/get/tags/1"]],
  ["path-declarations-must-exist", { "/paths/~1given~1{}": {} }, ["/paths/~1given~1{}"]],
  ["path-keys-no-trailing-slash", { "/paths/~1cats~1": {} }, ["/paths/~1cats~1"]],
  ["path-not-include-query", { "/paths/~1cats?a=b": {} }, ["/paths/~1cats?a=b"]],
  ["path-params", { "/paths/~1cats~1{id}": { get: fine.paths["/pets"].get } }, ["/paths/~1cats~1{id}/get"]],
  ["oas3-api-servers", { "/servers": [] }, ["/servers"]],
  ["oas3-server-not-example.com", { "/servers/0/url": "https://example.com/api" }, ["/servers/0/url"]],
  ["oas3-server-trailing-slash", { "/servers/0/url": "https://pets.test/api/" }, ["/servers/0/url"]],
  [
    "oas3-server-variables",
    { "/servers/0/variables": { region: { default: "us-west" } } },
    ["/servers/0/variables/region"],
  ],
  ["oas3-parameter-description", {}, ["/paths/~1pets/get/parameters/0/description"]],
  [
    "oas3-operation-security-defined",
    { "/paths/~1pets/get/security": [{ none: [] }] },
    ["/paths/~1pets/get/security/0/none"],
  ],
  ["oas3-unused-component", { "/components/schemas/Unused": {} }, ["/components/schemas/Unused"]],
  [
    "oas3-valid-schema-example",
    { "/components/schemas/Pet/properties/id/example": "a" },
    ["/components/schemas/Pet/properties/id/example"],
  ],
  [
    "oas3-valid-media-example",
    { "/paths/~1pets/get/responses/200/content/application~1json/example": { id: "a" } },
    ["/paths/~1pets/get/responses/200/content/application~1json/example/id"],
  ],
  [
    "oas3-examples-value-or-externalValue",
    { "/components/examples": { a: { value: 1, externalValue: "https://a.test" } } },
    ["/components/examples/a"],
  ],
  ["oas3-schema", { "/info/titel": "a" }, ["/info/titel"]],
  [
    "oas3-callbacks-in-callbacks",
    { "/paths/~1pets/get/callbacks": { a: { "/data": { post: { responses: {}, callbacks: {} } } } } },
    ["/paths/~1pets/get/callbacks/a/~1data/post/callbacks"],
  ],
];

const swagger = {
  swagger: "2.0",
  info: { title: "Pets", version: "1" },
  host: "pets.test",
  schemes: ["https"],
  paths: { "/pets": { post: { parameters: [] as object[], responses: { 200: { description: "" } } } } },
  definitions: {},
};

const oldRows: [rule: string, edits: Edits, faults: string[]][] = [
  ["oas2-api-host", { "/host": undefined }, ["/host"]],
  ["oas2-api-schemes", { "/schemes": [] }, ["/schemes"]],
  ["oas2-host-not-example", { "/host": "example.com" }, ["/host"]],
  ["oas2-host-trailing-slash", { "/host": "pets.test/" }, ["/host"]],
  ["oas2-anyOf", { "/definitions/A": { anyOf: [{}] } }, ["/definitions/A/anyOf"]],
  ["oas2-oneOf", { "/definitions/A": { oneOf: [{}] } }, ["/definitions/A/oneOf"]],
  ["oas2-unused-definition", { "/definitions/A": {} }, ["/definitions/A"]],
  [
    "oas2-discriminator",
    { "/definitions/A": { discriminator: "kind", required: ["kind"], properties: {} } },
    ["/definitions/A/properties"],
  ],
  [
    "oas2-parameter-description",
    { "/paths/~1pets/post/parameters/-": { name: "a", in: "query", type: "string" } },
    ["/paths/~1pets/post/parameters/0/description"],
  ],
  [
    "oas2-operation-formData-consume-check",
    {
      "/paths/~1pets/post/consumes": ["application/json"],
      "/paths/~1pets/post/parameters/-": { name: "a", in: "formData", type: "string" },
    },
    ["/paths/~1pets/post"],
  ],
  [
    "oas2-operation-security-defined",
    { "/paths/~1pets/post/security": [{ none: [] }] },
    ["/paths/~1pets/post/security/0/none"],
  ],
  ["oas2-schema", { "/info/titel": "a" }, ["/info/titel"]],
];

const toCase =
  (document: object) =>
  ([rule, edits, faults]: [string, Edits, string[]]): RulesetCase => {
    return {
      title: rule,
      ruleset: { extends: [["spectral:oas", "off"]], rules: { [rule]: true } },
      document: applyEdits(document as Json, edits) as object,
      faults: faults.map((path) => `${rule} ${path}`),
    };
  };

export const oasCases: RulesetCase[] = [...oasRows.map(toCase(fine)), ...oldRows.map(toCase(swagger))];
export const rulesetCases: RulesetCase[] = [...functionCases, ...pathCases];
