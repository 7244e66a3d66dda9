/** OpenAPI 3.1.0, as far as the document uses it. Comments name the sections of the specification. */
export interface OpenapiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  security: Security;
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  /** Requests that this server sends to others. */
  webhooks: Record<string, PathItem>;
  components: Components;
}

/** §4.8.7. */
export interface Components {
  schemas: Record<string, Schema>;
  responses: Record<string, Response>;
  parameters: Record<string, Parameter>;
  headers: Record<string, Header>;
  securitySchemes: Record<
    string,
    { type: "http"; scheme: "bearer"; bearerFormat?: string; description: string }
  >;
}

/** JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** §4.8.23. */
export interface Reference {
  $ref: string;
}

/** §4.8.9. */
export interface PathItem {
  parameters?: (Parameter | Reference)[];
  get?: Operation;
  post?: Operation;
  put?: Operation;
  patch?: Operation;
  delete?: Operation;
}

/** §4.8.10; `responses` by status. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  /** Defaults to that of the document. */
  security?: Security;
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response | Reference>;
}

/** §4.8.30: any one of the alternatives, each a set of schemes and their scopes; an empty set is anonymous. */
export type Security = Record<string, string[]>[];

/** §4.8.12. */
export interface Parameter {
  name: string;
  in: "query" | "header" | "path";
  required?: boolean;
  description: string;
  schema: Schema;
}

/** §4.8.17. */
export interface Response {
  description: string;
  headers?: Record<string, Reference>;
  content?: Content;
}

/** §4.8.14, by media type. */
export type Content = Record<string, { schema: Schema | Reference; examples?: Record<string, Example> }>;

/** §4.8.19. */
export interface Example {
  summary?: string;
  value: unknown;
}

/** §4.8.21. */
export interface Header {
  required?: boolean;
  description: string;
  schema: Schema;
}

export const refTo = (kind: keyof Components, name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
});
