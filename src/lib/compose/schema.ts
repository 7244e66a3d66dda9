import { fromJson } from "../data/from-json.ts";
import type { Value } from "../data/value.ts";
import {
  external,
  flag,
  listOrMap,
  map,
  object,
  options,
  or,
  type Schema,
  text,
  textOrList,
} from "./schema-parts.ts";
import { service } from "./service-schema.ts";

const network = or(
  object({
    attachable: flag,
    driver: text,
    driver_opts: options("number"),
    enable_ipv4: flag,
    enable_ipv6: flag,
    external,
    internal: flag,
    ipam: object({
      config: {
        type: "array",
        items: object({ aux_addresses: options(), gateway: text, ip_range: text, subnet: text }),
      },
      driver: text,
      options: options(),
    }),
    labels: listOrMap,
    name: text,
  }),
  "null",
);

const volume = or(
  object({ driver: text, driver_opts: options("number"), external, labels: listOrMap, name: text }),
  "null",
);

const secret = object({
  driver: text,
  driver_opts: options("number"),
  environment: text,
  external,
  file: text,
  labels: listOrMap,
  name: text,
  template_driver: text,
});

const config = object({
  content: text,
  environment: text,
  external,
  file: text,
  labels: listOrMap,
  name: text,
  template_driver: text,
});

const model = object(
  {
    context_size: { type: "integer" },
    model: text,
    name: text,
    runtime_flags: { type: "array", items: text },
  },
  "model",
);

const include = or(object({ env_file: textOrList, path: textOrList, project_directory: text }), "string");

/** A Compose file as JSON Schema, written after the Compose Specification. Unions are lists of types, so that an error names what is wrong. */
export const composeSchema: Schema = object({
  configs: map(config),
  include: { type: "array", items: include },
  models: map(model),
  name: text,
  networks: map(network),
  secrets: map(secret),
  services: map(service),
  version: text,
  volumes: map(volume),
});

/** The schema as the validator of JSON Schema reads it. */
export const composeSchemaValue = (): Value => fromJson(JSON.stringify(composeSchema));
