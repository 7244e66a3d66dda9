import { commonKinds, type Grammar, limits, schemaFields, type Spec } from "./grammar.ts";

const scheme = "=http|https|ws|wss";
const format = "=csv|ssv|tsv|pipes";
const described: Record<string, Spec> = { description: "string" };
/** Fields of a type that is not an object: an item of an array, a header. */
const plainType: Record<string, Spec> = {
  type: "=array|boolean|integer|number|string!",
  format: "string",
  items: "Items",
  collectionFormat: format,
  default: "any",
  ...limits,
};

/** Swagger 2.0. */
export const version2: Grammar = {
  ...commonKinds,
  Document: {
    fields: {
      swagger: "=2.0!",
      info: "Info!",
      host: "string",
      basePath: "string",
      schemes: `[${scheme}]`,
      consumes: "[string]",
      produces: "[string]",
      paths: "Paths!",
      definitions: "{Schema}",
      parameters: "{Parameter}",
      responses: "{Response}",
      securityDefinitions: "{SecurityScheme}",
      security: "[SecurityRequirement]",
      tags: "[Tag]",
      externalDocs: "ExternalDocumentation",
    },
  },
  PathItem: {
    fields: {
      $ref: "string",
      ...Object.fromEntries(
        ["get", "put", "post", "delete", "options", "head", "patch"].map((method) => [method, "Operation"]),
      ),
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
      consumes: "[string]",
      produces: "[string]",
      parameters: "[Parameter]",
      responses: "Responses!",
      schemes: `[${scheme}]`,
      deprecated: "boolean",
      security: "[SecurityRequirement]",
    },
  },
  Parameter: {
    ref: true,
    fields: {
      name: "string!",
      in: "=body|formData|header|path|query!",
      ...described,
      required: "boolean",
      schema: "Schema",
      type: "=array|boolean|file|integer|number|string",
      format: "string",
      allowEmptyValue: "boolean",
      items: "Items",
      collectionFormat: "=csv|ssv|tsv|pipes|multi",
      default: "any",
      ...limits,
    },
  },
  Items: { fields: plainType },
  Responses: { fields: { default: "Response" }, patterns: [{ name: /^[1-5]\d\d$/, spec: "Response" }] },
  Response: {
    ref: true,
    fields: { description: "string!", schema: "Schema", headers: "{Header}", examples: "{any}" },
  },
  Header: {
    fields: {
      ...described,
      ...plainType,
    },
  },
  Schema: {
    ref: true,
    fields: {
      ...schemaFields,
      type: "=array|boolean|file|integer|number|object|string",
      discriminator: "string",
    },
  },
  SecurityScheme: {
    fields: {
      type: "=apiKey|basic|oauth2!",
      ...described,
      name: "string",
      in: "=header|query",
      flow: "=accessCode|application|implicit|password",
      authorizationUrl: "string",
      tokenUrl: "string",
      scopes: "{string}",
    },
  },
};
