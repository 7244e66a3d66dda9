import { commonKinds, extend, type Grammar, type Kind, schemaFields, type Spec } from "./grammar.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const described: Record<string, Spec> = { description: "string" };
const examples: Record<string, Spec> = { example: "any", examples: "{Example}" };
const styles = "=matrix|label|form|simple|spaceDelimited|pipeDelimited|deepObject";

const parameter: Record<string, Spec> = {
  ...described,
  required: "boolean",
  deprecated: "boolean",
  allowEmptyValue: "boolean",
  style: styles,
  explode: "boolean",
  allowReserved: "boolean",
  schema: "Schema",
  content: "{MediaType}",
  ...examples,
};

const flow = (...urls: string[]): Kind => ({
  fields: {
    refreshUrl: "string",
    scopes: "{string}!",
    ...Object.fromEntries(urls.map((url) => [url, "string!"])),
  },
});

/** OpenAPI 3.0. */
export const version30: Grammar = {
  ...commonKinds,
  Document: {
    fields: {
      openapi: "string!",
      info: "Info!",
      servers: "[Server]",
      components: "Components",
      security: "[SecurityRequirement]",
      tags: "[Tag]",
      externalDocs: "ExternalDocumentation",
      paths: "Paths!",
    },
  },
  Server: { fields: { url: "string!", ...described, variables: "{ServerVariable}" } },
  ServerVariable: { fields: { default: "string!", enum: "[string]", ...described } },
  Components: {
    fields: {
      schemas: "{Schema}",
      responses: "{Response}",
      parameters: "{Parameter}",
      examples: "{Example}",
      requestBodies: "{RequestBody}",
      headers: "{Header}",
      securitySchemes: "{SecurityScheme}",
      links: "{Link}",
      callbacks: "{Callback}",
    },
  },
  PathItem: {
    fields: {
      $ref: "string",
      summary: "string",
      ...described,
      ...Object.fromEntries(methods.map((method) => [method, "Operation"])),
      servers: "[Server]",
      parameters: "[Parameter]",
    },
  },
  Operation: {
    fields: {
      tags: "[string]",
      summary: "string",
      ...described,
      externalDocs: "ExternalDocumentation",
      operationId: "string",
      parameters: "[Parameter]",
      requestBody: "RequestBody",
      callbacks: "{Callback}",
      deprecated: "boolean",
      security: "[SecurityRequirement]",
      servers: "[Server]",
      responses: "Responses!",
    },
  },
  Parameter: { ref: true, fields: { name: "string!", in: "=cookie|header|path|query!", ...parameter } },
  Header: { ref: true, fields: parameter },
  RequestBody: { ref: true, fields: { content: "{MediaType}!", ...described, required: "boolean" } },
  MediaType: { fields: { schema: "Schema", ...examples, encoding: "{Encoding}" } },
  Encoding: {
    fields: {
      contentType: "string",
      headers: "{Header}",
      style: styles,
      explode: "boolean",
      allowReserved: "boolean",
    },
  },
  Responses: {
    fields: { default: "Response" },
    patterns: [{ name: /^[1-5](?:\d\d|XX)$/, spec: "Response" }],
  },
  Response: {
    ref: true,
    fields: { description: "string!", headers: "{Header}", content: "{MediaType}", links: "{Link}" },
  },
  Callback: { ref: true, fields: {}, patterns: [{ name: /^(?!x-|\$ref$)/, spec: "PathItem" }] },
  Example: {
    ref: true,
    fields: { summary: "string", ...described, value: "any", externalValue: "string" },
  },
  Link: {
    ref: true,
    fields: {
      operationRef: "string",
      operationId: "string",
      parameters: "{any}",
      requestBody: "any",
      ...described,
      server: "Server",
    },
  },
  Schema: {
    ref: true,
    fields: {
      ...schemaFields,
      oneOf: "[Schema]",
      anyOf: "[Schema]",
      not: "Schema",
      nullable: "boolean",
      discriminator: "Discriminator",
      writeOnly: "boolean",
      deprecated: "boolean",
    },
  },
  Discriminator: { fields: { propertyName: "string!", mapping: "{string}" }, closed: true },
  SecurityScheme: {
    ref: true,
    fields: {
      type: "=apiKey|http|oauth2|openIdConnect!",
      ...described,
      name: "string",
      in: "=cookie|header|query",
      scheme: "string",
      bearerFormat: "string",
      flows: "OAuthFlows",
      openIdConnectUrl: "string",
    },
  },
  OAuthFlows: {
    fields: {
      implicit: "ImplicitFlow",
      password: "TokenFlow",
      clientCredentials: "TokenFlow",
      authorizationCode: "CodeFlow",
    },
  },
  ImplicitFlow: flow("authorizationUrl"),
  TokenFlow: flow("tokenUrl"),
  CodeFlow: flow("authorizationUrl", "tokenUrl"),
};

/** OpenAPI 3.1, whose schemas are JSON Schema 2020-12. */
export const version31: Grammar = {
  ...version30,
  Document: extend(version30, "Document", {
    paths: "Paths",
    webhooks: "{PathItem}",
    jsonSchemaDialect: "string",
  }),
  Info: extend(version30, "Info", { summary: "string" }),
  License: extend(version30, "License", { identifier: "string" }),
  Components: extend(version30, "Components", { pathItems: "{PathItem}" }),
  Operation: extend(version30, "Operation", { responses: "Responses" }),
  Schema: { fields: {} },
  SecurityScheme: extend(version30, "SecurityScheme", {
    type: "=apiKey|http|mutualTLS|oauth2|openIdConnect!",
  }),
};
