import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import { detect } from "../../../../src/lib/detect/detect.ts";
import tool from "../../../../src/tools/lint/compose-validator.ts";
import { runTool } from "../run-tool.ts";
import { mistakes } from "./compose-validator-mistakes.ts";

interface Options {
  env?: string;
  strict?: boolean;
}

const validate = async (data: string, options: Options = {}): Promise<Report> =>
  JSON.parse(await runTool(tool, { data, ...options })) as Report;

/** Rules with their lines. */
const found = async (data: string, options?: Options): Promise<string[]> =>
  (await validate(data, options)).errors.map(({ rule, line }) => `${rule} ${line}`);

test.each(mistakes)("%s: %s", async (_, _what, text, rule) => {
  const rules = await found(text);
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
});

test("at least a hundred of the planted mistakes are found", () => {
  expect(mistakes.filter(([, , , rule]) => rule !== undefined).length).toBeGreaterThanOrEqual(100);
});

test("a finding has the place of what is wrong: the key of an unknown one, the value of a wrong one", async () => {
  const data = "services:\n  é:\n    image: a:1\n";
  expect((await validate(data)).errors[0]).toMatchObject({ rule: "name", line: 2, column: 3, offset: 12 });
  const other = "services:\n  web:\n    image: a:1\n    # é\n    imagee: b\n    user: 1000\n";
  expect((await validate(other)).errors).toEqual([
    {
      message: '"imagee" is no key of a service. Did you mean image?',
      severity: "error",
      rule: "unknown-key",
      line: 5,
      column: 5,
      offset: Buffer.byteLength(other.slice(0, other.indexOf("imagee"))),
      pointer: "/services/web/imagee",
    },
    {
      message: "user must be string, not integer. Put it in quotes.",
      severity: "error",
      rule: "type",
      line: 6,
      column: 11,
      offset: Buffer.byteLength(other.slice(0, other.indexOf("1000"))),
      pointer: "/services/web/user",
    },
  ]);
});

const sound: [string, string][] = [
  [
    "short and long forms",
    "services:\n  a:\n    image: b:1\n    ports: [80, '81:81', '127.0.0.1:82:82/udp', '[::1]:83:83', '90-92:90-92', '8000-8100:84', {target: 85, published: '85', host_ip: 127.0.0.1}]\n    volumes: [/c, './d:/d', 'ee:/e:ro', 'C:\\f:/f', 'C:/g:/g:ro', {type: tmpfs, target: /h}, {type: volume, source: ee, target: /i}]\n    networks: {n: {aliases: [o]}, default: }\n    depends_on: {b: {condition: service_healthy}}\n    env_file: [.env, {path: p, required: false}]\n    configs: [q, {source: q, target: /q, mode: 0440}]\n    ulimits: {nproc: 1, nofile: {soft: 1, hard: 2}}\n  b:\n    build: .\nvolumes:\n  ee:\nnetworks:\n  n:\nconfigs:\n  q: {content: r}\n",
  ],
  [
    "anchors, merge keys and extensions",
    "x-base: &base\n  restart: always\n  logging: &log {driver: json-file, options: {max-size: 10m, max-file: 3}}\nservices:\n  a:\n    <<: *base\n    image: b:1\n    x-note: c\n  d: {<<: *base, image: b:1, logging: *log}\n",
  ],
  [
    "profiles with the same port",
    "services:\n  a: {image: b:1, ports: ['80:80'], profiles: [one]}\n  c: {image: b:1, ports: ['80:80'], profiles: [two]}\n",
  ],
  [
    "one port with two protocols and two addresses",
    "services:\n  a: {image: b:1, ports: ['53:53/tcp', '53:53/udp', '127.0.0.1:80:80', '127.0.0.2:80:80']}\n",
  ],
  [
    "extends",
    "services:\n  a: {image: b:1}\n  c: {extends: {service: a}}\n  d: {extends: {file: e.yaml, service: f}}\n  g: {extends: a}\n",
  ],
  [
    "variables in all places",
    "services:\n  a:\n    image: b:${V:-1}\n    ports: ['${P}:80', '${Q:-90}:90']\n    privileged: ${R:-false}\n    mem_limit: ${S}\n    healthcheck: {interval: '${T:-30s}', test: ['CMD', 'echo', '$$HOME']}\n    environment: {A: '${U:+x}', B: '${W:?}', C: '${X:-${Y:-z}}'}\n",
  ],
  [
    "tags of overrides",
    "services:\n  a:\n    image: b:1\n    ports: !reset null\n    environment: !override {A: b}\n",
  ],
  [
    "include",
    "include: [other.yaml, {path: [a.yaml], project_directory: b}]\nservices:\n  a: {image: b:1, depends_on: [c], networks: [d], volumes: ['e:/e']}\n",
  ],
  [
    "a provider",
    "services:\n  a: {provider: {type: cloud, options: {size: 1}}}\n  b: {image: c:1, depends_on: [a]}\n",
  ],
  [
    "null values",
    "services:\n  a:\n    image: b:1\n    command: null\n    environment: {A: }\n    deploy:\n    develop:\nvolumes:\n  c:\n",
  ],
  ["two documents", "services:\n  a: {image: b:1, depends_on: [c]}\n---\nservices:\n  c: {image: b:1}\n"],
  ["JSON", '{"services": {"a": {"image": "b:1"}}}'],
  [
    "a link to another project",
    "services:\n  a: {image: b:1, external_links: ['c:d'], volumes_from: ['container:e'], network_mode: 'container:f'}\n",
  ],
];

test.each(sound)("nothing is found in a file with %s", async (_, data) => {
  expect((await validate(data)).errors).toEqual([]);
});

test("variables of the project replace references before values are checked", async () => {
  const data =
    "services:\n  a:\n    image: b:${V:?which release}\n    ports: ['${P}:80']\n    cpus: ${C}\n    hostname: ${H}\n";
  expect(await found(data)).toEqual([]);
  expect(await found(data, { env: "V=1\nP=80\nC=0.5\nH=a\n" })).toEqual([]);
  expect(await found(data, { env: "P=http\nC=two\n" })).toEqual([
    "required-variable 3",
    "port 4",
    "value 5",
    "unset-variable 6",
  ]);
  const { errors } = await validate(data, { env: "P=1\nC=1\nH=a\n" });
  expect(errors[0]?.message).toBe("V is not set, and must be: which release.");
});

test("a fault of env is one of env", async () => {
  await expect(validate("services: {}\n", { env: "A='b\n" })).rejects.toMatchObject({
    code: "invalid_document",
  });
});

test("strict refuses what another file of the project may define", async () => {
  const data = "services:\n  a:\n    networks: [b]\n    depends_on: [c]\n    volumes: ['data:/d']\n";
  const severities = async (strict: boolean): Promise<string[]> =>
    (await validate(data, { strict })).errors.map(({ rule, severity }) => `${rule} ${severity}`);
  const rules = ["no-image", "undefined-network", "undefined-service", "undefined-volume"];
  expect((await severities(false)).toSorted()).toEqual(rules.map((rule) => `${rule} warning`));
  expect((await severities(true)).toSorted()).toEqual(rules.map((rule) => `${rule} error`));
});

test("a template is one finding that says so", async () => {
  const { errors } = await validate(
    "services:\n{% for name in names %}\n  {{ name }}:\n    image: a\n{% endfor %}\n",
  );
  expect(errors.map(({ rule, line }) => `${rule} ${line}`)).toEqual(["template 2"]);
});

test("names of the prototype of objects are names like others", async () => {
  const data =
    "services:\n  constructor: {image: a:1, depends_on: [toString], environment: {__proto__: b}}\n  __proto__: {image: a:1, hasOwnProperty: c}\nvolumes: {valueOf: }\n";
  expect(await found(data)).toEqual(["undefined-service 2", "unknown-key 3"]);
});

test("at most 100 errors are reported, and warnings take no room of them", async () => {
  const data = `version: "3"\nservices:\n${"abcdefghij".replaceAll(/./g, (a) => "0123456789".replaceAll(/./g, (b) => "xyz".replaceAll(/./g, (c) => `  ${a}${b}${c}: {imag: 1}\n`)))}`;
  const { errors } = await validate(data);
  expect(errors).toHaveLength(100);
  expect(new Set(errors.map(({ severity }) => severity))).toEqual(new Set(["error"]));
});

test.each([
  ["services:\n  web:\n    image: a:1\n", true],
  ["# a\nname: b\nx-c: &d {e: f}\n\nservices:\n\n  web: &web\n    # g\n    build: .\n", true],
  ["services:\n  - name: a\n    image: b\n", false],
  ["on: push\njobs:\n  a:\n    services:\n      b:\n        image: c\n", false],
  ["apiVersion: v1\nkind: A\nservices:\n  b:\n    image: c\n", false],
])("detection takes %j for a Compose file: %s", async (text, is) => {
  const { guesses } = await detect(Buffer.from(text));
  expect(guesses[0]?.kind === "compose").toBe(is);
});
