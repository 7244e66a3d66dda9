import { applyEdits, type Edits, type Json } from "../edits.ts";

/** The description that changes are planted in. */
export const base: Json = {
  openapi: "3.0.3",
  info: { title: "Pets", version: "1.0.0" },
  servers: [{ url: "https://pets.example" }],
  tags: [{ name: "pets" }],
  security: [{ key: [] }],
  paths: {
    "/pets/{id}": {
      get: {
        operationId: "getPet",
        tags: ["pets"],
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer", format: "int64" } },
          { name: "q", in: "query", schema: { type: "string", minLength: 2, maxLength: 10 } },
          { name: "n", in: "query", schema: { type: "number", minimum: 1, maximum: 10 } },
          { name: "sort", in: "query", schema: { type: "string", enum: ["name", "age"], default: "name" } },
          {
            name: "ids",
            in: "query",
            schema: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 5 },
          },
          { name: "X-Trace", in: "header", required: false, schema: { type: "string" } },
        ],
        responses: {
          200: {
            description: "A pet",
            headers: {
              "X-Rate": { required: true, schema: { type: "integer" } },
              "X-Next": { schema: { type: "string" } },
            },
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Pet" } },
              "application/xml": { schema: { $ref: "#/components/schemas/Pet" } },
            },
          },
          404: { description: "None" },
        },
      },
      put: {
        operationId: "putPet",
        security: [{ key: [] }, { oauth: ["read"] }],
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        requestBody: {
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/NewPet" } },
            "text/plain": { schema: { type: "string", maxLength: 100 } },
          },
        },
        responses: { 204: { description: "Done" } },
      },
    },
    "/old": { get: { deprecated: true, responses: { 200: { description: "Old" } } } },
    "/later": {
      get: { deprecated: true, "x-sunset": "2030-01-01", responses: { 200: { description: "Later" } } },
    },
  },
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      oauth: {
        type: "oauth2",
        flows: {
          clientCredentials: {
            tokenUrl: "https://auth.example/token",
            scopes: { read: "Read", write: "Write" },
          },
        },
      },
    },
    schemas: {
      Pet: {
        type: "object",
        required: ["id", "name"],
        properties: {
          id: { type: "integer" },
          name: { type: "string", minLength: 1, maxLength: 20 },
          kind: { type: "string", enum: ["cat", "dog"] },
          age: { type: "integer", minimum: 0, maximum: 30 },
          tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 9 },
          code: { type: "string", pattern: "^[a-z]+$" },
          secret: { type: "string", writeOnly: true },
          owner: { oneOf: [{ $ref: "#/components/schemas/Person" }, { $ref: "#/components/schemas/Shop" }] },
          note: { type: "string", nullable: true },
        },
      },
      NewPet: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 1, maxLength: 20 },
          kind: { type: "string", enum: ["cat", "dog"] },
          age: { type: "integer", minimum: 0, maximum: 30 },
          weight: { type: "number", default: 1 },
          tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 9 },
          code: { type: "string", pattern: "^[a-z]+$" },
          made: { type: "string", readOnly: true },
          owner: {
            oneOf: [{ $ref: "#/components/schemas/Person" }, { $ref: "#/components/schemas/Shop" }],
            discriminator: {
              propertyName: "type",
              mapping: { person: "#/components/schemas/Person", shop: "#/components/schemas/Shop" },
            },
          },
          note: { type: "string", nullable: true },
          level: { type: "string", "x-extensible-enum": ["low", "high"] },
        },
      },
      Person: { type: "object", properties: { type: { type: "string" }, first: { type: "string" } } },
      Shop: { type: "object", properties: { type: { type: "string" }, address: { type: "string" } } },
      Unused: { type: "string" },
    },
  },
};

/** Returns the text of the description with edits. */
export const edited = (edits: Edits): string => JSON.stringify(applyEdits(base, edits), null, 1);

const pet = "/paths/~1pets~1{id}";
const get = `${pet}/get`;
const put = `${pet}/put`;
const json = `${put}/requestBody/content`;
const ok = `${get}/responses/200`;
const made = "/components/schemas/NewPet/properties";
const read = "/components/schemas/Pet/properties";

/** A check that oasdiff documents, a change that it is for, and the rule that finds it here. */
export type Planted = [check: string, now: Edits, rule: string, old?: Edits];

/** Checks of oasdiff (checker/localizations_src/en/messages.yaml), each planted once. */
export const planted: Planted[] = [
  ["api-path-removed-without-deprecation", { [pet]: undefined }, "path-removed"],
  ["api-path-removed-with-deprecation", { "/paths/~1old": undefined }, "deprecated-path-removed"],
  ["api-path-removed-before-sunset", { "/paths/~1later": undefined }, "path-removed-before-sunset"],
  ["api-removed-without-deprecation", { [put]: undefined }, "operation-removed"],
  [
    "api-removed-with-deprecation",
    { [put]: undefined },
    "deprecated-operation-removed",
    { [`${put}/deprecated`]: true },
  ],
  [
    "api-removed-before-sunset",
    { [put]: undefined },
    "operation-removed-before-sunset",
    { [`${put}/deprecated`]: true, [`${put}/x-sunset`]: "2031-12-31" },
  ],
  ["endpoint-added", { [`${pet}/delete`]: { responses: {} } }, "operation-added"],
  ["endpoint-deprecated", { [`${get}/deprecated`]: true }, "operation-deprecated"],
  ["endpoint-reactivated", { "/paths/~1old/get/deprecated": false }, "operation-reactivated"],
  ["sunset-deleted", { "/paths/~1later/get/x-sunset": undefined }, "sunset-removed"],
  ["api-sunset-date-changed-too-small", { "/paths/~1later/get/x-sunset": "2029-01-01" }, "sunset-earlier"],
  [
    "api-deprecated-sunset-parse",
    { [`${get}/deprecated`]: true, [`${get}/x-sunset`]: "soon" },
    "sunset-invalid",
  ],
  ["api-operation-id-removed", { [`${get}/operationId`]: "readPet" }, "operation-id-changed"],
  ["api-operation-id-added", { "/paths/~1old/get/operationId": "old" }, "operation-id-added"],
  ["api-tag-removed", { [`${get}/tags`]: [] }, "tag-removed"],
  ["api-tag-added", { [`${get}/tags/-`]: "more" }, "tag-added"],
  ["api-schema-removed", { "/components/schemas/Unused": undefined }, "component-removed"],
  ["api-security-removed", { [`${put}/security`]: [{ key: [] }] }, "security-alternative-removed"],
  ["api-security-added", { [`${put}/security/-`]: { basic: [] } }, "security-alternative-added"],
  ["api-security-scope-added", { [`${put}/security/1/oauth`]: ["read", "write"] }, "security-scope-added"],
  ["api-security-scope-removed", { [`${put}/security/1/oauth`]: [] }, "security-scope-removed"],
  ["api-global-security-removed", { "/security": [{ oauth: [] }] }, "security-alternative-removed"],
  ["api-global-security-added", { "/security/-": { oauth: [] } }, "security-alternative-added"],
  [
    "api-security-component-type-changed",
    { "/components/securitySchemes/key": { type: "http", scheme: "bearer" } },
    "security-scheme-changed",
  ],
  [
    "api-security-component-removed",
    { "/components/securitySchemes/oauth": undefined },
    "security-scheme-removed",
  ],
  [
    "api-security-component-added",
    { "/components/securitySchemes/basic": { type: "http", scheme: "basic" } },
    "security-scheme-added",
  ],
  [
    "api-security-component-oauth-token-url-changed",
    { "/components/securitySchemes/oauth/flows/clientCredentials/tokenUrl": "https://auth.example/new" },
    "security-scheme-url-changed",
  ],
  [
    "api-security-component-oauth-scope-removed",
    { "/components/securitySchemes/oauth/flows/clientCredentials/scopes/write": undefined },
    "security-scheme-scope-removed",
  ],
  [
    "api-security-component-oauth-scope-added",
    { "/components/securitySchemes/oauth/flows/clientCredentials/scopes/all": "All" },
    "security-scheme-scope-added",
  ],
  [
    "new-required-request-parameter",
    { [`${get}/parameters/-`]: { name: "k", in: "query", required: true, schema: {} } },
    "required-parameter-added",
  ],
  [
    "new-optional-request-parameter",
    { [`${get}/parameters/-`]: { name: "k", in: "query", schema: {} } },
    "optional-parameter-added",
  ],
  [
    "new-required-request-default-parameter-to-existing-path",
    { [`${pet}/parameters`]: [{ name: "X-All", in: "header", required: true, schema: { type: "string" } }] },
    "required-parameter-added",
  ],
  ["request-parameter-removed", { [`${get}/parameters/5`]: undefined }, "parameter-removed"],
  [
    "request-parameter-removed-with-deprecation",
    { [`${get}/parameters/5`]: undefined },
    "deprecated-parameter-removed",
    { [`${get}/parameters/5/deprecated`]: true },
  ],
  [
    "request-parameter-removed-before-sunset",
    { [`${get}/parameters/5`]: undefined },
    "parameter-removed-before-sunset",
    { [`${get}/parameters/5/deprecated`]: true, [`${get}/parameters/5/x-sunset`]: "2040-01-01" },
  ],
  [
    "request-parameter-became-required",
    { [`${get}/parameters/5/required`]: true },
    "parameter-became-required",
  ],
  [
    "request-parameter-became-optional",
    { [`${get}/parameters/5/required`]: false },
    "parameter-became-optional",
    { [`${get}/parameters/5/required`]: true },
  ],
  ["request-parameter-deprecated", { [`${get}/parameters/1/deprecated`]: true }, "parameter-deprecated"],
  [
    "request-parameter-reactivated",
    {
      [`${get}/parameters/1`]: {
        name: "q",
        in: "query",
        schema: { type: "string", minLength: 2, maxLength: 10 },
      },
    },
    "parameter-reactivated",
    { [`${get}/parameters/1/deprecated`]: true },
  ],
  [
    "request-parameter-type-changed",
    { [`${get}/parameters/0/schema`]: { type: "boolean" } },
    "request-type-narrowed",
  ],
  [
    "request-parameter-type-generalized",
    { [`${get}/parameters/2/schema`]: { type: "string" } },
    "request-type-widened",
  ],
  ["request-parameter-became-enum", { [`${get}/parameters/5/schema/enum`]: ["a"] }, "request-enum-narrowed"],
  [
    "request-parameter-enum-value-removed",
    { [`${get}/parameters/3/schema/enum`]: ["name"] },
    "request-enum-narrowed",
  ],
  [
    "request-parameter-enum-value-added",
    { [`${get}/parameters/3/schema/enum/-`]: "size" },
    "request-enum-widened",
  ],
  [
    "request-parameter-default-value-changed",
    { [`${get}/parameters/3/schema/default`]: "age" },
    "request-default-changed",
  ],
  [
    "request-parameter-default-value-removed",
    { [`${get}/parameters/3/schema/default`]: undefined },
    "request-default-changed",
  ],
  [
    "request-parameter-max-length-decreased",
    { [`${get}/parameters/1/schema/maxLength`]: 9 },
    "request-max-length-narrowed",
  ],
  [
    "request-parameter-max-length-increased",
    { [`${get}/parameters/1/schema/maxLength`]: 11 },
    "request-max-length-widened",
  ],
  [
    "request-parameter-max-length-set",
    { [`${get}/parameters/5/schema/maxLength`]: 9 },
    "request-max-length-narrowed",
  ],
  [
    "request-parameter-min-length-increased",
    { [`${get}/parameters/1/schema/minLength`]: 3 },
    "request-min-length-narrowed",
  ],
  [
    "request-parameter-max-decreased",
    { [`${get}/parameters/2/schema/maximum`]: 9 },
    "request-maximum-narrowed",
  ],
  [
    "request-parameter-min-increased",
    { [`${get}/parameters/2/schema/minimum`]: 1.5 },
    "request-minimum-narrowed",
  ],
  [
    "request-parameter-exclusive-min-set",
    { [`${get}/parameters/2/schema/exclusiveMinimum`]: true },
    "request-minimum-narrowed",
  ],
  [
    "request-parameter-max-items-decreased",
    { [`${get}/parameters/4/schema/maxItems`]: 4 },
    "request-max-items-narrowed",
  ],
  [
    "request-parameter-min-items-increased",
    { [`${get}/parameters/4/schema/minItems`]: 2 },
    "request-min-items-narrowed",
  ],
  [
    "request-parameter-pattern-added",
    { [`${get}/parameters/5/schema/pattern`]: "^a" },
    "request-pattern-narrowed",
  ],
  [
    "request-body-added-required",
    { "/paths/~1old/get/requestBody": { required: true, content: {} } },
    "required-request-body-added",
  ],
  [
    "request-body-added-optional",
    { "/paths/~1old/get/requestBody": { content: {} } },
    "optional-request-body-added",
  ],
  ["request-body-removed", { [`${put}/requestBody`]: undefined }, "request-body-removed"],
  ["request-body-became-required", { [`${put}/requestBody/required`]: true }, "request-body-became-required"],
  [
    "request-body-became-optional",
    { [`${put}/requestBody/required`]: false },
    "request-body-became-optional",
    { [`${put}/requestBody/required`]: true },
  ],
  ["request-body-media-type-removed", { [`${json}/text~1plain`]: undefined }, "request-media-type-removed"],
  ["request-body-media-type-added", { [`${json}/text~1csv`]: {} }, "request-media-type-added"],
  [
    "request-body-max-length-decreased",
    { [`${json}/text~1plain/schema/maxLength`]: 99 },
    "request-max-length-narrowed",
  ],
  ["request-body-became-enum", { [`${json}/text~1plain/schema/enum`]: ["a"] }, "request-enum-narrowed"],
  ["request-body-type-changed", { [`${json}/text~1plain/schema/type`]: "integer" }, "request-type-narrowed"],
  ["request-body-became-nullable", { [`${json}/text~1plain/schema/nullable`]: true }, "request-null-widened"],
  [
    "new-required-request-property",
    { [`${made}/more`]: {}, "/components/schemas/NewPet/required/-": "more" },
    "required-request-property-added",
  ],
  ["new-optional-request-property", { [`${made}/more`]: {} }, "optional-request-property-added"],
  ["request-property-removed", { [`${made}/weight`]: undefined }, "request-property-removed"],
  [
    "request-property-became-required",
    { "/components/schemas/NewPet/required/-": "age" },
    "request-property-became-required",
  ],
  [
    "request-property-became-optional",
    { "/components/schemas/NewPet/required": [] },
    "request-property-became-optional",
  ],
  ["request-property-became-not-nullable", { [`${made}/note/nullable`]: undefined }, "request-null-narrowed"],
  ["request-property-became-enum", { [`${made}/name/enum`]: ["a"] }, "request-enum-narrowed"],
  ["request-property-enum-value-removed", { [`${made}/kind/enum`]: ["cat"] }, "request-enum-narrowed"],
  ["request-property-max-set", { [`${made}/weight/maximum`]: 100 }, "request-maximum-narrowed"],
  ["request-property-min-decreased", { [`${made}/age/minimum`]: -1 }, "request-minimum-widened"],
  [
    "request-property-max-length-decreased",
    { [`${made}/name/maxLength`]: 19 },
    "request-max-length-narrowed",
  ],
  ["request-property-min-items-increased", { [`${made}/tags/minItems`]: 2 }, "request-min-items-narrowed"],
  ["request-property-pattern-changed", { [`${made}/code/pattern`]: "^[a-y]+$" }, "request-pattern-changed"],
  ["request-property-pattern-removed", { [`${made}/code/pattern`]: undefined }, "request-pattern-widened"],
  ["request-property-type-changed", { [`${made}/weight/type`]: "integer" }, "request-type-narrowed"],
  ["request-property-type-generalized", { [`${made}/age/type`]: "number" }, "request-type-widened"],
  ["request-property-default-value-changed", { [`${made}/weight/default`]: 2 }, "request-default-changed"],
  [
    "request-property-one-of-removed",
    { [`${made}/owner/oneOf/1`]: undefined },
    "request-alternatives-narrowed",
    { [`${made}/owner/oneOf/-`]: { type: "integer" } },
  ],
  [
    "request-property-one-of-added",
    { [`${made}/owner/oneOf/-`]: { type: "string" } },
    "request-alternatives-widened",
  ],
  [
    "request-property-discriminator-removed",
    { [`${made}/owner/discriminator`]: undefined },
    "discriminator-removed",
  ],
  [
    "request-property-discriminator-property-name-changed",
    { [`${made}/owner/discriminator/propertyName`]: "kind" },
    "request-discriminator-changed",
  ],
  [
    "request-property-discriminator-mapping-deleted",
    { [`${made}/owner/discriminator/mapping/shop`]: undefined },
    "request-discriminator-narrowed",
  ],
  [
    "request-optional-property-became-read-only",
    { [`${made}/age/readOnly`]: true },
    "request-property-became-read-only",
  ],
  [
    "request-property-x-extensible-enum-value-removed",
    { [`${made}/level/x-extensible-enum`]: ["low"] },
    "request-extensible-enum-narrowed",
  ],
  ["request-property-deprecated", { [`${made}/age/deprecated`]: true }, "property-deprecated"],
  ["response-success-status-removed", { [ok]: undefined }, "success-response-removed"],
  ["response-non-success-status-removed", { [`${get}/responses/404`]: undefined }, "error-response-removed"],
  [
    "response-success-status-added",
    { [`${get}/responses/206`]: { description: "Part" } },
    "success-response-added",
  ],
  [
    "response-media-type-removed",
    { [`${ok}/content/application~1xml`]: undefined },
    "response-media-type-removed",
  ],
  ["response-media-type-added", { [`${ok}/content/text~1csv`]: {} }, "response-media-type-added"],
  [
    "required-response-header-removed",
    { [`${ok}/headers/X-Rate`]: undefined },
    "required-response-header-removed",
  ],
  [
    "optional-response-header-removed",
    { [`${ok}/headers/X-Next`]: undefined },
    "optional-response-header-removed",
  ],
  [
    "response-header-became-optional",
    { [`${ok}/headers/X-Rate/required`]: false },
    "response-header-became-optional",
  ],
  [
    "response-header-type-changed",
    { [`${ok}/headers/X-Rate/schema/type`]: "string" },
    "response-type-widened",
  ],
  [
    "response-required-property-removed",
    { [`${read}/name`]: undefined, "/components/schemas/Pet/required": ["id"] },
    "required-response-property-removed",
  ],
  [
    "response-optional-property-removed",
    { [`${read}/age`]: undefined },
    "optional-response-property-removed",
  ],
  [
    "response-property-became-optional",
    { "/components/schemas/Pet/required": ["id"] },
    "response-property-became-optional",
  ],
  [
    "response-property-became-required",
    { "/components/schemas/Pet/required/-": "age" },
    "response-property-became-required",
  ],
  ["response-property-became-nullable", { [`${read}/age/nullable`]: true }, "response-null-widened"],
  ["response-property-enum-value-added", { [`${read}/kind/enum/-`]: "cow" }, "response-enum-widened"],
  ["response-property-enum-value-removed", { [`${read}/kind/enum`]: ["cat"] }, "response-enum-narrowed"],
  [
    "response-property-max-length-increased",
    { [`${read}/name/maxLength`]: 21 },
    "response-max-length-widened",
  ],
  [
    "response-property-max-length-unset",
    { [`${read}/name/maxLength`]: undefined },
    "response-max-length-widened",
  ],
  [
    "response-property-min-length-decreased",
    { [`${read}/name/minLength`]: 0 },
    "response-min-length-widened",
  ],
  ["response-property-min-items-decreased", { [`${read}/tags/minItems`]: 0 }, "response-min-items-widened"],
  ["response-property-max-increased", { [`${read}/age/maximum`]: 31 }, "response-maximum-widened"],
  ["response-property-min-decreased", { [`${read}/age/minimum`]: -1 }, "response-minimum-widened"],
  ["response-property-type-changed", { [`${read}/age/type`]: "string" }, "response-type-widened"],
  ["response-property-pattern-removed", { [`${read}/code/pattern`]: undefined }, "response-pattern-widened"],
  [
    "response-property-one-of-added",
    { [`${read}/owner/oneOf/-`]: { type: "string" } },
    "response-alternatives-widened",
  ],
  [
    "response-optional-property-became-write-only",
    { [`${read}/age/writeOnly`]: true },
    "response-property-became-write-only",
  ],
  [
    "response-required-property-added",
    { [`${read}/more`]: {}, "/components/schemas/Pet/required/-": "more" },
    "response-property-added",
  ],
  [
    "response-body-type-changed",
    { [`${ok}/content/application~1json/schema`]: { type: "string" } },
    "response-type-widened",
  ],
];

/** Checks of oasdiff that find nothing here, each with the reason. */
export const notFound: Record<string, Edits> = {
  // Levels of stability are a convention of oasdiff, not of OpenAPI.
  "api-stability-decreased": { [`${get}/x-stability-level`]: "alpha" },
  "request-property-stability-decreased": { [`${made}/age/x-stability-level`]: "alpha" },
  "api-invalid-stability-level": { [`${get}/x-stability-level`]: "none" },
  // Whether a version fits its changes is a rule of the project.
  "api-version-decreased": { "/info/version": "0.9.0" },
  // A default of a response says nothing about what is sent.
  "response-property-default-value-added": { [`${read}/name/default`]: "Rex" },
  // What is written only in responses cannot be broken by requests.
  "request-read-only-property-max-length-decreased": { [`${made}/made/maxLength`]: 1 },
  "response-write-only-property-enum-value-added": { [`${read}/secret/enum`]: ["a"] },
};
