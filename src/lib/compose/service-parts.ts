import {
  duration,
  extraHosts,
  flag,
  grants,
  hook,
  integer,
  list,
  listOrMap,
  number,
  object,
  oneOf,
  options,
  or,
  type Schema,
  text,
  textOrList,
  ulimits,
  wholeBytes,
} from "./schema-parts.ts";

export const build: Schema = or(
  object({
    additional_contexts: listOrMap,
    args: listOrMap,
    cache_from: { type: "array", items: text },
    cache_to: { type: "array", items: text },
    context: text,
    dockerfile: text,
    dockerfile_inline: text,
    entitlements: { type: "array", items: text },
    extra_hosts: extraHosts,
    isolation: text,
    labels: listOrMap,
    network: text,
    no_cache: flag,
    no_cache_filter: textOrList,
    platforms: { type: "array", items: text },
    privileged: flag,
    provenance: { type: ["string", "boolean"] },
    pull: flag,
    sbom: { type: ["string", "boolean"] },
    secrets: grants,
    shm_size: wholeBytes,
    ssh: listOrMap,
    tags: { type: "array", items: text },
    target: text,
    ulimits,
  }),
  "string",
);

export const limits: Schema = { type: "array", items: object({ path: text, rate: wholeBytes }) };

export const weights: Schema = { type: "array", items: object({ path: text, weight: integer }) };

export const device: Schema = {
  capabilities: list(),
  count: { type: ["string", "integer"] },
  device_ids: list(),
  driver: text,
  options: listOrMap,
};

const update = object({
  delay: duration,
  failure_action: text,
  max_failure_ratio: number,
  monitor: duration,
  order: oneOf("start-first", "stop-first"),
  parallelism: integer,
});

const resources = object({
  limits: object({ cpus: number, memory: { type: "string", kind: "bytes" }, pids: integer }),
  reservations: object({
    cpus: number,
    devices: { type: "array", items: object(device, "capabilities") },
    generic_resources: {
      type: "array",
      items: object({ discrete_resource_spec: object({ kind: text, value: number }) }),
    },
    memory: { type: "string", kind: "bytes" },
  }),
});

export const deploy: Schema = or(
  object({
    endpoint_mode: text,
    labels: listOrMap,
    mode: text,
    placement: object({
      constraints: { type: "array", items: text },
      max_replicas_per_node: integer,
      preferences: { type: "array", items: object({ spread: text }) },
    }),
    replicas: integer,
    resources,
    restart_policy: object({ condition: text, delay: duration, max_attempts: integer, window: duration }),
    rollback_config: update,
    update_config: update,
  }),
  "null",
);

export const watch: Schema = object(
  {
    action: oneOf("rebuild", "sync", "restart", "sync+restart", "sync+exec"),
    exec: hook,
    ignore: textOrList,
    include: textOrList,
    initial_sync: flag,
    path: text,
    target: text,
  },
  "path",
  "action",
);

export const healthcheck: Schema = object({
  disable: flag,
  interval: duration,
  retries: number,
  start_interval: duration,
  start_period: duration,
  test: { type: ["string", "array"], items: text },
  timeout: duration,
});

export const network: Schema = or(
  object({
    aliases: list(),
    driver_opts: options("number"),
    gw_priority: { type: "number" },
    interface_name: text,
    ipv4_address: text,
    ipv6_address: text,
    link_local_ips: list(),
    mac_address: text,
    priority: { type: "number" },
  }),
  "null",
);

export const port: Schema = or(
  object({
    app_protocol: text,
    host_ip: text,
    mode: text,
    name: text,
    protocol: text,
    published: { type: ["string", "integer"] },
    target: integer,
  }),
  "number",
  "string",
);

export const mount: Schema = or(
  object(
    {
      bind: object({
        create_host_path: flag,
        propagation: text,
        recursive: oneOf("enabled", "disabled", "writable", "readonly"),
        selinux: oneOf("z", "Z"),
      }),
      consistency: text,
      image: object({ subpath: text }),
      read_only: flag,
      source: text,
      target: text,
      tmpfs: object({ mode: number, size: wholeBytes }),
      type: oneOf("bind", "volume", "tmpfs", "cluster", "npipe", "image"),
      volume: object({ labels: listOrMap, nocopy: flag, subpath: text }),
    },
    "type",
  ),
  "string",
);

export const dependency: Schema = object(
  {
    condition: oneOf("service_started", "service_healthy", "service_completed_successfully"),
    required: { type: "boolean" },
    restart: flag,
  },
  "condition",
);
