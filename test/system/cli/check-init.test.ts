import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeCertificate } from "./certificate.ts";
import { penknife, shareWorkers } from "./host.ts";
import { gitEnv, makeRepository, makeTree } from "./repository.ts";

const program = shareWorkers();
const check = (cwd: string, ...words: string[]) =>
  penknife(["check", ...words], { cwd, env: gitEnv, program });

const token = `ghp_${"a1B2".repeat(9)}`;

const held = {
  "package.json": "{}\n",
  "tsconfig.json": "{ /* strict */ }\n",
  "a.jsonc": "// c\n[]\n",
  "b.json5": "{a:1}\n",
  "c.ndjson": "1\n2\n",
  ".github/workflows/ci.yml":
    "on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n",
  "charts/x/Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n",
  "charts/x/templates/t.yaml": "{{ if }}\n",
  "d.toml": "a = 1\n",
  "e.csv": "a,b\n1,2\n",
  "f.svg": "<svg/>\n",
  "api/open[1].yaml": 'openapi: "3.1.0"\ninfo: { title: x, version: "1" }\npaths: {}\n',
  "logo.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
  raw: Buffer.from([0xff, 0xfe]),
  // It ends with what begins a character in UTF-8.
  "latin-1.txt.bak": Buffer.from("caf\xe9", "latin1"),
  ".env": "A=1\n",
  // Too large to be read as a whole: the start ends within a character.
  "built/program": Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]), Buffer.alloc(1_100_000, 0x61)]),
  "built/report": `a${"é".repeat(550_000)}\n`,
  ".gitignore": ".env\n/secret\n/built\n",
  "secret/key.txt": `${token}\n`,
};

describe("penknife check init", () => {
  test("proposes the linters of Dockerfiles and Compose files by their names", async () => {
    const { cwd } = makeRepository({
      Dockerfile: "FROM a:1\n",
      "Dockerfile.dockerignore": "node_modules\n",
      "dev/Dockerfile.dev": "FROM a:1\n",
      "dev/web.dockerfile": "FROM a:1\n",
      "compose.yaml": "services: {a: {image: b:1}}\n",
      "docker-compose.test.yml": "services: {a: {image: b:1}}\n",
    });
    const { stderr } = await check(cwd, "init");
    expect(stderr).toContain("  dockerfile-linter: 3 files\n");
    expect(stderr).toContain("  compose-validator: 2 files\n");
    expect(readFileSync(join(cwd, "penknife.checks.yaml"), "utf8")).toContain(
      '"**/Dockerfile.!(dockerignore)"',
    );
    expect(await check(cwd)).toMatchObject({ status: 0 });
  });

  test("writes the checks that fit the files, which then run", async () => {
    const { cwd, write } = makeRepository(held);
    const { cert } = makeCertificate();
    write({ "tls/cert.pem": readFileSync(cert) });
    const ran = await check(cwd, "init");
    expect(ran).toMatchObject({ status: 0, stdout: "" });
    expect(ran.stderr).toBe(`Wrote penknife.checks.yaml, which checks
  json-validator: 4 files
  ndjson-validator: 1 file
  yaml-validator: 3 files
  toml-validator: 1 file
  xml-validator: 1 file
  csv-validator: 1 file
  github-actions-linter: 1 file
  openapi-validator: 1 file
  certificate-expiry-checker: 1 file
  config-validator: 3 files
  secret-scanner: 14 files
They find 1 finding in 1 file: run penknife check to see them, or write a baseline, so that only new ones fail: penknife check --write-baseline --baseline penknife.baseline.ndjson
`);
    const checked = await check(cwd);
    expect(checked.stdout.split("\n").map((line) => line.replace(/:\d+:\d+: .+ \(/, " ("))).toEqual([
      // The certificate of the test is valid for a day.
      "tls/cert.pem (certificate-expiry-checker/expires-soon)",
      "",
    ]);
    expect(checked.status).toBe(1);
    for (const words of [["whitespace-normalizer"], ["yaml-formatter", "--bracket-spacing"]])
      expect((await check(cwd, ...words, "--diff", "penknife.checks.yaml")).stdout).toBe("");
  });

  test("names nothing that Git ignores: a list is for every clone", async () => {
    const { cwd } = makeRepository(held);
    const { stdout } = await check(cwd, "init", "--dry-run");
    for (const name of ["secret/", ".env", "built/"]) expect(stdout).not.toContain(`"${name}`);
    expect(stdout).not.toMatch(/^ *includeIgnored/m);
  });

  test("overwrites nothing without --force, not even through a link", async () => {
    const { cwd, write } = makeRepository({ "penknife.checks.yaml": "mine\n", "a.json": "1" });
    expect(await check(cwd, "init")).toMatchObject({
      status: 2,
      stderr:
        "penknife: penknife.checks.yaml exists; nothing was written. To overwrite it: penknife check init --force\n",
    });
    expect(readFileSync(join(cwd, "penknife.checks.yaml"), "utf8")).toBe("mine\n");
    expect((await check(cwd, "init", "--force")).status).toBe(0);
    expect(readFileSync(join(cwd, "penknife.checks.yaml"), "utf8")).toContain("tool: json-validator");
    const other = makeRepository({ "a.json": "1" });
    const target = join(makeTree().cwd, "elsewhere");
    symlinkSync(target, join(other.cwd, "penknife.checks.yaml"));
    expect((await check(other.cwd, "init")).status).toBe(2);
    expect(existsSync(target)).toBe(false);
    write({ "sub/b.json": "1" });
    expect((await check(join(cwd, "sub"), "init")).stderr).toContain("../penknife.checks.yaml exists");
  });

  test("prints the same with --dry-run, and writes nothing; secrets are looked for in any repository", async () => {
    const { cwd } = makeRepository({});
    const ran = await check(cwd, "init", "--dry-run");
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout.match(/^ {2}- tool: .+$/gm)).toEqual(["  - tool: secret-scanner"]);
    expect(existsSync(join(cwd, "penknife.checks.yaml"))).toBe(false);
  });
});

describe("penknife check --schema", () => {
  /** Validates a file of checks with our own tool, against our schema. */
  async function validate(text: string) {
    const { cwd, write } = makeTree();
    const { stdout } = await check(cwd, "--schema");
    write({ "schema.json": stdout, "c.yaml": text });
    const ran = await check(
      cwd,
      "json-schema-validator",
      "--schema-file",
      "schema.json",
      "--data-format",
      "yaml",
      "--json",
      "c.yaml",
    );
    return (JSON.parse(ran.stdout) as { items: { valid: boolean; errors: { pointer: string }[] }[] })
      .items[0];
  }

  test("is stable", async () => {
    const { cwd } = makeTree();
    const [one, two] = [await check(cwd, "--schema"), await check(cwd, "--schema")];
    expect(one).toMatchObject({ status: 0, stderr: "" });
    expect(one.stdout).toBe(two.stdout);
    expect(JSON.parse(one.stdout)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { checks: { items: { $ref: "#/$defs/check" } } },
    });
  });

  test("accepts what init proposes, and the list of the documentation", async () => {
    const { cwd } = makeRepository(held);
    const proposed = (await check(cwd, "init", "--dry-run")).stdout;
    expect(await validate(proposed)).toMatchObject({ valid: true, errors: [] });
    const document = readFileSync(new URL("../../../docs/check.md", import.meta.url), "utf8");
    const [, shown = ""] = /```yaml\n(exclude: [\s\S]+?)```/.exec(document) ?? [];
    expect(await validate(shown)).toMatchObject({ valid: true, errors: [] });
    // And the command reads it.
    const repository = makeRepository({
      "penknife.checks.yaml": shown,
      "schemas/config.json": "{}",
      "config/a.json": "1",
    });
    expect((await check(repository.cwd, "--list")).stdout).toContain(
      "config/a.json: json-validator, json-schema-validator, secret-scanner\n",
    );
  });

  test.each([
    ["checks: []", ""],
    ["chekcs: 1", ""],
    ["checks: [{ tool: json-validatr, files: a }]", "/checks/0/tool"],
    ["checks: [{ tool: uuid-generator, files: a }]", "/checks/0/tool"],
    ["checks: [{ tool: json-validator }]", "/checks/0"],
    ["checks: [{ tool: json-validator, files: [] }]", "/checks/0/files"],
    ["checks: [{ tool: json-validator, files: a, severity: fatal }]", "/checks/0/severity"],
    ["checks: [{ tool: json-formatter, files: a, with: { indent: 11 } }]", "/checks/0/with/indent"],
    ["checks: [{ tool: json-formatter, files: a, with: { data: x } }]", "/checks/0/with"],
    ["checks: [{ tool: json-schema-validator, files: a }]", "/checks/0"],
    [
      "checks: [{ tool: json-schema-validator, files: a, with: { schema: 1, schemaFile: x } }]",
      "/checks/0/with",
    ],
  ])("refuses %s, as the command does", async (text, pointer) => {
    const found = await validate(text);
    expect(found?.valid).toBe(false);
    expect(found?.errors.map((error) => error.pointer)).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^${pointer}`))]),
    );
    const { cwd } = makeTree({ "penknife.checks.yaml": text });
    expect(await check(cwd)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("penknife.checks.yaml:1:"),
    });
  });
});
