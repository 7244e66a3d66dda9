import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConfigSources, loadConfig, variableOf } from "../../../src/config.ts";
import { spanOf } from "../../../src/lib/webhook/schedule.ts";
import { createClientIp } from "../../../src/services/access/client-ip.ts";

interface Given {
  env?: Record<string, string>;
  /** By path. */
  files?: Record<string, string>;
  file?: string;
  flags?: ConfigSources["flags"];
}

const slugs = ["json-formatter", "json-minifier"];
const loadGiven = ({ env = {}, files = {}, file, flags = [] }: Given) =>
  loadConfig({
    env,
    readText: (path) => files[path],
    readFound: async (path) => (files[path] === undefined ? undefined : { text: files[path] }),
    flags,
    slugs: async () => slugs,
    ...(file !== undefined && { file }),
  });

const port = (value: string | undefined) => [{ option: "server.port", flag: "--port", value }];

test("default < file < environment < flag, and each value knows its origin", async () => {
  const files = { "./penknife.yaml": "server:\n  port: 1\n  host: a\n  basePath: /x\nauth:\n" };
  const env = { PENKNIFE_SERVER_PORT: "2", PENKNIFE_SERVER_HOST: "b" };
  const { config, origins, file } = await loadGiven({ files, env, flags: port("3") });
  expect(file).toBe("./penknife.yaml");
  expect(config.server).toMatchObject({ port: 3, host: "b", basePath: "/x", bodyLimit: 10_485_760 });
  expect(["port", "host", "basePath", "bodyLimit"].map((name) => origins.get(`server.${name}`))).toEqual([
    "flag --port",
    "environment PENKNIFE_SERVER_HOST",
    "file ./penknife.yaml",
    "default",
  ]);
});

test("a missing flag changes nothing", async () => {
  const { config, origins } = await loadGiven({ flags: port(undefined) });
  expect(config.server.port).toBe(8787);
  expect(origins.get("server.port")).toBe("default");
});

test("the first file of the search is read, and only that one", async () => {
  const files = {
    "/c.yaml": "server: { port: 1 }",
    "/e.yaml": "server: { port: 2 }",
    "./penknife.yaml": "server: { port: 3 }",
    "/etc/penknife/penknife.yaml": "server: { port: 4, host: h }",
  };
  const portOf = async (given: Given) => (await loadGiven({ files, ...given })).config.server.port;
  expect(await portOf({ file: "/c.yaml", env: { PENKNIFE_CONFIG: "/e.yaml" } })).toBe(1);
  expect(await portOf({ env: { PENKNIFE_CONFIG: "/e.yaml" } })).toBe(2);
  expect(await portOf({})).toBe(3);
  expect(await portOf({ files: { "/etc/penknife/penknife.yaml": "server: { port: 4 }" } })).toBe(4);
  await expect(portOf({ file: "/none.yaml" })).rejects.toThrow("/none.yaml does not exist");
  await expect(portOf({ env: { PENKNIFE_CONFIG: "/none.yaml" } })).rejects.toThrow(
    "/none.yaml does not exist",
  );
});

test("variables are named after their options", async () => {
  expect(variableOf("server", "bodyLimit")).toBe("PENKNIFE_SERVER_BODY_LIMIT");
  const env = {
    PENKNIFE_SERVER_TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8,192.0.2.7,unix,::/0,",
    PENKNIFE_AUTH_ANONYMOUS: "false",
    PENKNIFE_LOG_LEVEL: "warn",
  };
  const { config } = await loadGiven({ env });
  expect(config.server.trustedProxies).toEqual(["10.0.0.0/8", "fd00::/8", "192.0.2.7", "unix", "::/0"]);
  expect(config.auth.anonymous).toBe(false);
  expect(config.log.level).toBe("warn");
});

test("_FILE reads the value from a file, without the line end that editors add", async () => {
  const env = { PENKNIFE_METRICS_TOKEN_FILE: "/run/secrets/token" };
  const { config, origins } = await loadGiven({ env, files: { "/run/secrets/token": "s3cret\n" } });
  expect(config.metrics.token).toBe("s3cret");
  expect(origins.get("metrics.token")).toBe("environment PENKNIFE_METRICS_TOKEN_FILE");
  await expect(loadGiven({ env })).rejects.toThrow("/run/secrets/token, which does not exist");
  await expect(loadGiven({ env: { ...env, PENKNIFE_METRICS_TOKEN: "x" } })).rejects.toThrow("both set");
});

test("other environment variables are not options", async () => {
  const env = {
    PENKNIFE_DEBUG: "1",
    PENKNIFE_PORT: "tcp://10.0.0.1:8787",
    PENKNIFE_PORT_8787_TCP: "tcp://10.0.0.1:8787",
    PENKNIFE_SERVICE_HOST: "10.0.0.1",
    PENKNIFE_SERVICE_PORT: "8787",
  };
  expect((await loadGiven({ env })).config).toEqual((await loadGiven({})).config);
});

const file = (text: string): Given => ({ file: "/p.yaml", files: { "/p.yaml": text } });

test.each<[string, Given, RegExp]>([
  ["an unknown section", file("sever:\n  port: 1"), /^\/p\.yaml: the section sever .*did you mean server\?/],
  ["an unknown option", file("server:\n  prot: 1"), /the option server\.prot .*did you mean port\?/],
  [
    "an unknown variable",
    { env: { PENKNIFE_SERVER_PROT: "1" } },
    /PENKNIFE_SERVER_PROT .*PENKNIFE_SERVER_PORT\?/,
  ],
  ["a name that is near to nothing", file("server:\n  zzzzzz: 1"), /known are host, port,/],
  [
    "a wrong type in the file",
    file('server:\n  port: "80"'),
    /^server\.port \(file \/p\.yaml\) must be an integer, got a string\.$/,
  ],
  [
    "a wrong type in the environment",
    { env: { PENKNIFE_SERVER_PORT: "many" } },
    /^PENKNIFE_SERVER_PORT must be an integer, got "many"\.$/,
  ],
  ["a wrong flag", { flags: port("80x") }, /^--port must be an integer, got "80x"\.$/],
  [
    "a value out of range",
    { flags: port("65536") },
    /^server\.port \(flag --port\) must be 0 to 65535, got 65536\.$/,
  ],
  [
    "a value that is no choice",
    { env: { PENKNIFE_LOG_LEVEL: "loud" } },
    /^log\.level \(environment PENKNIFE_LOG_LEVEL\) must be one of debug, .*; got "loud"\.$/,
  ],
  [
    "a base path with a slash at its end",
    file("server:\n  basePath: /x/"),
    /^server\.basePath .*without a slash/,
  ],
  [
    "an origin that no browser sends",
    { env: { PENKNIFE_SERVER_CORS_ORIGINS: "*,https://a.example/" } },
    /^server\.corsOrigins .* without a slash or a path, got "https:\/\/a\.example\/"\.$/,
  ],
  [
    "a proxy that is a name",
    { env: { PENKNIFE_SERVER_TRUSTED_PROXIES: "10.0.0.1,proxy.example" } },
    /^server\.trustedProxies \(environment PENKNIFE_SERVER_TRUSTED_PROXIES\) must be an address or a network.*, got "proxy\.example"\.$/,
  ],
  [
    "a proxy that is no text",
    file("server:\n  trustedProxies: [10]"),
    /^server\.trustedProxies \(file \/p\.yaml\) must be a string, got a number\.$/,
  ],
  [
    "a tool that is switched off by a wrong name",
    file("tools:\n  disabled: [json-minifier, json-formater]"),
    /^tools\.disabled \(file \/p\.yaml\): "json-formater" is no tool; did you mean json-formatter\?/,
  ],
  [
    "a tool that is near to none",
    { env: { PENKNIFE_TOOLS_DISABLED: "qqqqqqqqqq" } },
    /^tools\.disabled \(environment PENKNIFE_TOOLS_DISABLED\): "qqqqqqqqqq" is no tool; penknife tools lists them all/,
  ],
  ["half of a pair", file("server:\n  tlsCert: a.pem"), /tlsCert and server\.tlsKey belong together/],
  ["no YAML", file("server:\n  port: 1\n bad"), /^\/p\.yaml is not YAML: .*line \d+, column \d+$/],
  [
    "a key that is there twice",
    file("server:\n  port: 1\n  port: 2"),
    /^\/p\.yaml is not YAML: .*unique.*line 3/,
  ],
  ["an alias, which could be a bomb", file("server: &s\n  port: 1\nauth: *s"), /^\/p\.yaml is not YAML/],
  ["a list in the place of sections", file("- server"), /^\/p\.yaml: expected names with values/],
  ["a value in the place of a section", file("server: 80"), /^\/p\.yaml: server: expected names with values/],
])("%s is refused with a message", async (_, given, message) => {
  await expect(loadGiven(given)).rejects.toMatchObject({
    name: "ToolError",
    code: "invalid_input",
    message: expect.stringMatching(message) as string,
  });
});

test("an empty file is valid", async () => {
  for (const text of ["", "# nothing\n", "---\n"]) {
    expect((await loadGiven(file(text))).config).toEqual((await loadGiven({})).config);
  }
});

describe("server.trustedProxies", () => {
  test.each([
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0/8",
    "fd00::/129",
    "fe80::1%eth0",
    "010.0.0.1",
    "10.0.0.0/255.0.0.0",
    "10.0.0.0 255.0.0.0",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "",
    " ",
  ])("%j is not a proxy", async (entry) => {
    const text = `server:\n  trustedProxies: [${JSON.stringify(entry)}]`;
    const message = await loadGiven(file(text)).catch((error: unknown) => String(error));
    expect(message).toContain(
      "server.trustedProxies (file /p.yaml) must be an address or a network, such as ",
    );
    expect(message).toContain(`, got ${JSON.stringify(entry)}.`);
  });

  test("refuses everything that the parser of client addresses would refuse", async () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[\da-f.:%]{1,20}$/));
    const prefix = fc.option(fc.oneof(fc.nat(140).map(String), fc.string({ maxLength: 4 })), {
      nil: undefined,
    });
    await fc.assert(
      fc.asyncProperty(address, prefix, async (one, length) => {
        const entry = length === undefined ? one : `${one}/${length}`;
        const given = file(`server:\n  trustedProxies: [${JSON.stringify(entry)}]`);
        const config = await loadGiven(given).then(
          (loaded) => loaded.config,
          () => undefined,
        );
        fc.pre(config !== undefined);
        expect(createClientIp(config.server)(one, "198.51.100.1")).toBe("198.51.100.1");
      }),
    );
  });
});

test("slugs are loaded only if a tool is disabled", async () => {
  const asked: string[] = [];
  const read = (env: Record<string, string>) =>
    loadConfig({
      env,
      readText: () => undefined,
      async slugs() {
        asked.push("slugs");
        return ["json-formatter"];
      },
    });
  await read({});
  expect(asked).toEqual([]);
  expect((await read({ PENKNIFE_TOOLS_DISABLED: "json-formatter" })).config.tools.disabled).toEqual([
    "json-formatter",
  ]);
  expect(asked).toEqual(["slugs"]);
});

describe("the schedule of deliveries", () => {
  const env = (changes: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [`PENKNIFE_WEBHOOKS_${name}`, value]));

  test.each([
    [{ ATTEMPTS: "11" }, /make a schedule of 20\.5 to 30\.8 hours; it must be 24 to 72/],
    [{ ATTEMPTS: "15" }, /make a schedule of 58\.9 to 88\.4 hours/],
    [{ FACTOR: "1" }, /make a schedule of 0\.0 to 0\.0 hours/],
    [{ FIRST_DELAY_SECONDS: "1", ATTEMPTS: "11" }, /webhooks\.attempts, firstDelaySeconds/],
    [{ MAX_DELAY_HOURS: "72" }, /make a schedule of 90\.4 to 135\.6 hours/],
  ])("%j is refused with its duration", async (changes, message) => {
    await expect(loadGiven({ env: env(changes) })).rejects.toThrow(message);
  });

  test.each([
    {},
    { ATTEMPTS: "13" },
    { FACTOR: "2", ATTEMPTS: "17" },
    { FACTOR: "1", FIRST_DELAY_SECONDS: "3600", ATTEMPTS: "50" },
  ])("%j is accepted", async (changes) => {
    expect((await loadGiven({ env: env(changes) })).config.webhooks.concurrency).toBe(64);
  });

  test("the defaults, which are not computed at a start, are within it", () => {
    const span = spanOf({ attempts: 12, firstDelayMs: 5000, factor: 3, maxDelayMs: 12 * 3_600_000 });
    expect(span.shortestMs / 3_600_000).toBeGreaterThan(24);
    expect(span.longestMs / 3_600_000).toBeLessThan(72);
  });
});

test.each([
  ["00".repeat(32), true],
  ["AB".repeat(32), true],
  ["MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", true],
  ["MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY", true],
  ["", true],
  ["0".repeat(63), false],
  ["password", false],
  ["0".repeat(65), false],
])("storage.encryptionKey %j", async (key, taken) => {
  const loading = loadGiven({ env: { PENKNIFE_STORAGE_ENCRYPTION_KEY: key } });
  if (taken) expect((await loading).config.storage.encryptionKey).toBe(key);
  else {
    const error = await loading.catch((thrown: Error) => thrown.message);
    expect(error).toContain("64 hex digits or as base64");
    expect(error).not.toContain(key);
  }
});
