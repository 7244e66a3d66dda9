import { describe, expect, it } from "vitest";
import { loadConfig, variableOf } from "../../../../src/config.ts";
import { parseRedisUrl } from "../../../../src/storage/redis/url.ts";
import { readCompose, readManifests, readText, readUnit } from "./files.ts";

const url = "redis://:0123456789abcdef@redis:6379/0";
const sources = {
  // The secret's file as the operator wrote it, including the line end.
  readText: (path: string): string | undefined =>
    /^\/run\/secrets\/(?:redis-url|penknife\/url)$/.test(path) ? `${url}\n` : undefined,
  slugs: async () => [],
};

/** The environment that each file gives a node. */
const environments: [string, Record<string, string>][] = [
  ...["config/compose.yaml", "config/compose.nodes.yaml"].flatMap((path) =>
    Object.entries(readCompose(path).services).flatMap(([name, { environment }]) =>
      environment === undefined ? [] : [[`${path} ${name}`, environment] as [string, Record<string, string>]],
    ),
  ),
  ["config/kubernetes.yaml", ofPods()],
  ["config/penknife.service", ofUnit()],
];

function ofPods(): Record<string, string> {
  const spec = readManifests().find(({ kind }) => kind === "Deployment")?.spec as {
    template: { spec: { containers: { env: { name: string; value: string }[] }[] } };
  };
  return Object.fromEntries(
    spec.template.spec.containers.flatMap(({ env }) => env.map(({ name, value }) => [name, value])),
  );
}

function ofUnit(): Record<string, string> {
  const lines = readUnit(readText("config/penknife.service")).filter(({ name }) => name === "Environment");
  return Object.fromEntries(lines.map(({ value }) => value.split("=") as [string, string]));
}

describe.each(environments)("%s", (_, environment) => {
  it("is a configuration that loads", async () => {
    const { config, origins } = await loadConfig({ ...sources, env: environment });
    const ours = Object.keys(environment).filter((name) => name.startsWith("PENKNIFE_"));
    const used = [...origins.values()].filter((origin) => origin.startsWith("environment "));
    expect(used).toHaveLength(ours.length);
    if (environment["PENKNIFE_STORAGE_DRIVER"] === "redis") {
      expect(config.storage).toMatchObject({ driver: "redis", url });
      expect(parseRedisUrl(config.storage.url).name).toBe("redis:6379/0");
      expect(environment["PENKNIFE_STORAGE_URL_FILE"]).toMatch(/^\/run\/secrets\//);
    }
  });

  it("quotes every value that YAML would not read as a string", () => {
    expect(Object.entries(environment).filter(([, value]) => typeof value !== "string")).toEqual([]);
  });

  it("is refused with a misspelt variable", async () => {
    const env = { ...environment, PENKNIFE_SERVER_TRUSTED_PROXY: "10.0.0.0/8" };
    await expect(loadConfig({ ...sources, env })).rejects.toThrow("PENKNIFE_SERVER_TRUSTED_PROXIES");
  });
});

it.each([
  "config/compose.yaml",
  "config/compose.nodes.yaml",
  "config/kubernetes.yaml",
  "config/penknife.service",
  "config/nginx.conf",
  "config/alerts.yaml",
  "config/dashboard.json",
  "docs/operations.md",
])("%s names only variables and options that exist", async (path) => {
  const { origins } = await loadConfig({ ...sources, env: {} });
  const options = [...origins.keys()];
  const variables = options.map((option) => variableOf(...(option.split(".") as [string, string])));
  const text = readText(path);
  const named = [...text.matchAll(/\bPENKNIFE_[A-Z_]+\*?/g)].map(([name]) => name);
  const known = new Set([...variables, ...variables.map((name) => `${name}_FILE`), "PENKNIFE_CONFIG"]);
  const isKnown = (name: string): boolean =>
    name.endsWith("*") ? variables.some((one) => one.startsWith(name.slice(0, -1))) : known.has(name);
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
  const sections = new Set(options.map((option) => option.split(".")[0] as string));
  const dotted = [...text.matchAll(/(?<![\w./-])([a-z]+)\.([a-z]+[A-Z]?\w*)(?![\w/-])(?!\.\w)/g)].filter(
    ([, section = ""]) => sections.has(section),
  );
  // Links to a neighbouring document do not count.
  const asked = dotted.map(([name]) => name).filter((name) => !name.endsWith(".md"));
  expect(asked.filter((name) => !options.includes(name))).toEqual([]);
});
