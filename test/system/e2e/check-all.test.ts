import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findingsOf, makeFolder, makeMain, type Repository } from "./repository.ts";

/** A file of each kind that its name tells, with what is wrong in it. */
const kinds: Record<string, [text: string, tool: string]> = {
  "map.geojson": ["{,}", "json-validator"],
  "app.webmanifest": ["{,}", "json-validator"],
  "book.ipynb": ["{,}", "json-validator"],
  "user.avsc": ["{,}", "json-validator"],
  "page.har": ["{,}", "json-validator"],
  "main.tfstate": ["{,}", "json-validator"],
  ".babelrc": ["{,}", "json-validator"],
  "composer.lock": ["{,}", "json-validator"],
  "a.ndjson": ["{,}\n", "ndjson-validator"],
  ".prettierrc": ["a: [\n", "yaml-validator"],
  ".clang-format": ["a: [\n", "yaml-validator"],
  "CITATION.cff": ["a: [\n", "yaml-validator"],
  "Cargo.lock": ["a = \n", "toml-validator"],
  "poetry.lock": ["a = \n", "toml-validator"],
  Pipfile: ["a = \n", "toml-validator"],
  "a.csproj": ["<a>", "xml-validator"],
  "a.resx": ["<a>", "xml-validator"],
  "a.props": ["<a>", "xml-validator"],
  "a.plist": ["<a>", "xml-validator"],
  "a.xaml": ["<a>", "xml-validator"],
  "a.tsv": ["a\tb\n1\n", "csv-validator"],
  "a.graphql": ["type Query { a: Missing }\n", "graphql-validator"],
  "a.properties": ["a=1\na=2\n", "data-converter"],
  "a.ini": ["[a\n", "data-converter"],
  ".env": ["a\n", "env-validator"],
};

const commented = [
  "tsconfig.json",
  "packages/a/tsconfig.build.json",
  "appsettings.json",
  "appsettings.Development.json",
  ".vscode/settings.json",
  ".devcontainer/devcontainer.json",
  "turbo.json",
];

const toolsOf = async ({ check }: Repository): Promise<Map<string, string[]>> => {
  const { stdout } = await check("--all --list --json");
  const { items } = JSON.parse(stdout) as { items: { file: string; tools: string[] }[] };
  return new Map(items.map(({ file, tools }) => [file, tools]));
};

describe("check --all needs no list", () => {
  test("and runs each tool on the files that it fits", async () => {
    const repository = makeMain(
      Object.fromEntries(Object.entries(kinds).map(([name, [text]]) => [name, text])),
    );
    const tools = await toolsOf(repository);
    for (const [name, [, tool]] of Object.entries(kinds)) expect(tools.get(name), name).toContain(tool);
    const { status, stdout } = await repository.check("--all --json");
    const { items } = JSON.parse(stdout) as { items: { file: string; tool: string; valid: boolean }[] };
    const failing = items.filter(({ valid }) => !valid);
    // Files that two tools read, one of them for the fields of a program.
    const others = failing.filter(({ tool }) => tool !== "config-validator");
    expect(others.map(({ file, tool }) => `${file} ${tool}`).toSorted()).toEqual(
      Object.entries(kinds)
        .map(([name, [, tool]]) => `${name} ${tool}`)
        .toSorted(),
    );
    expect(status).toBe(1);
  });

  test("reads comments where the program of a file has them, and nowhere else", async () => {
    const text = '{\n  // why\n  "a": [1,],\n}\n';
    const repository = makeMain({
      ...Object.fromEntries(commented.map((name) => [name, text])),
      "package.json": text,
    });
    const found = findingsOf(await repository.check("--all --only json-validator"));
    expect(found).toEqual(["package.json:2:3 syntax"]);
    // The same with one tool, and with a formatter.
    for (const tool of ["json-validator", "json-formatter --width 80"])
      for (const name of commented)
        expect((await repository.check(`${tool} ${name}`)).stdout, name).not.toContain("syntax");
  });

  test("leaves a file alone that has only the name", async () => {
    const repository = makeMain({
      "gradle.props": "a=1\n",
      "old.plist": "{ a = 1; }\n",
      "Info.plist": "<plist/>\n",
      "log.json": '{"a":1}\n{"a":2}\n',
      "chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n",
      "chart/templates/a.yaml": "a: {{ .x }}\n",
      "chart/templates/b.yaml": "{{- if .x }}\na: 1\n{{- end }}\n",
    });
    expect(findingsOf(await repository.check("--all"))).toEqual([]);
    const tools = await toolsOf(repository);
    expect(tools.get("log.json")).toEqual(["ndjson-validator", "secret-scanner"]);
    expect(tools.get("chart/templates/a.yaml")).toEqual(["secret-scanner"]);
    expect(tools.get("Info.plist")).toEqual(["xml-validator", "secret-scanner"]);
  });

  test("takes what the settings of yamllint say, and operations of GraphQL by the schema beside them", async () => {
    const repository = makeMain({
      ".yamllint": "extends: default\nignore: |\n  old/\nrules:\n  key-ordering: enable\n",
      "a.yaml": "b: no\na: 1\n",
      "old/b.yaml": "a: [\n",
      "schema.graphql": "type Query { a: Int }\n",
      "q/a.graphql": "{ b }\n",
    });
    const { stdout } = await repository.check("--all");
    expect(findingsOf({ stdout, stderr: "", status: 1 })).toEqual([
      "a.yaml:1:4 truthy",
      "a.yaml:2:1 key-order",
      "q/a.graphql:1:3 fields-on-correct-type",
    ]);
    expect(stdout).toContain("a.yaml:1:4: warning: ");
  });

  test("knows the files of programs, of Docker, of GitHub and of EditorConfig", async () => {
    const repository = makeMain({
      ".editorconfig": "root = true\n[*]\nindent_style = space\n",
      "package.json": '{ "name": "x", "scirpts": {} }\n',
      "web/Dockerfile": "FROM alpine\n",
      ".github/workflows/ci.yml": "on: push\njobs: { a: { runs-on: x, steps: [{ run: a, usse: b }] } }\n",
      "package-lock.json":
        '{ "lockfileVersion": 3, "packages": { "node_modules/a": { "version": "1.0.0", "license": "Nope" } } }\n',
      "a.txt": "\tx\n",
    });
    const tools = await toolsOf(repository);
    const pairs: [string, string][] = [
      ["package.json", "config-validator"],
      ["web/Dockerfile", "dockerfile-linter"],
      [".github/workflows/ci.yml", "github-actions-linter"],
      ["package-lock.json", "license-checker"],
      ["a.txt", "editorconfig-checker"],
    ];
    const { stdout } = await repository.check("--all --json");
    const { items } = JSON.parse(stdout) as { items: { file: string; tool: string; errors: object[] }[] };
    for (const [name, tool] of pairs) {
      expect(tools.get(name), name).toContain(tool);
      const verdict = items.find((one) => one.file === name && one.tool === tool);
      expect(verdict?.errors.length, `${name} ${tool}`).toBeGreaterThan(0);
    }
  });

  test("with --only, changes, a baseline and --checks-from, as with a list", async () => {
    const repository = makeMain({ "a.json": "{", "b.yaml": "a: [\n" });
    expect(findingsOf(await repository.check("--all --only json-validator"))).toEqual([
      "a.json:1:2 truncated",
    ]);
    await repository.check("--all --baseline known.ndjson --write-baseline");
    expect((await repository.check("--all --baseline known.ndjson")).status).toBe(0);
    repository.commit({ "c.json": "[" });
    const line = "--all --baseline known.ndjson --since HEAD~1";
    expect(findingsOf(await repository.check(line))).toEqual(["c.json:1:2 truncated"]);
    repository.write({ "d.json": "{" });
    expect(findingsOf(await repository.check("--all --checks-from HEAD --baseline known.ndjson"))).toEqual([
      "c.json:1:2 truncated",
      "d.json:1:2 truncated",
    ]);
    expect((await repository.check("--all --checks x.yaml")).status).toBe(2);
  });

  test("reads nothing outside of the repository, whatever links say", async () => {
    const outside = makeFolder();
    writeFileSync(join(outside, "secret.json"), `{"token": "ghp_${"a1B2".repeat(9)}", `);
    writeFileSync(join(outside, ".yamllint"), "rules: { truthy: enable }\n");
    const repository = makeMain({ "a.yaml": "a: no\n" });
    symlinkSync(join(outside, "secret.json"), join(repository.cwd, "a.json"));
    symlinkSync(join(outside, ".yamllint"), join(repository.cwd, ".yamllint"));
    mkdirSync(join(repository.cwd, "sub"));
    symlinkSync(outside, join(repository.cwd, "sub/link"));
    const { stdout, status } = await repository.check("--all");
    expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
  });
});

describe("a baseline that the list names", () => {
  const list = 'baseline: known/all.json\nchecks: [{ tool: json-validator, files: "**/*.json" }]\n';
  const files = { "penknife.checks.yaml": list, "a.json": "{", "known/readme.json": "{}" };

  test("is written, read and never checked, wherever the command is called", async () => {
    const repository = makeMain(files);
    expect(await repository.check("--format human")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        "known/all.json cannot be read: there is no such file. Make it with --write-baseline.",
      ),
    });
    expect((await repository.check("--write-baseline")).status).toBe(0);
    expect(readFileSync(join(repository.cwd, "known/all.json"), "utf8")).toMatch(/^\{"file":"a\.json"/);
    const checked = await repository.check("--format human");
    expect(checked).toMatchObject({ status: 0, stdout: "" });
    expect(checked.stderr).toContain("2 files checked, no findings; 1 in the baseline");
    expect((await repository.check("--format human", join(repository.cwd, "known"))).status).toBe(0);
    // One that the line names is used instead.
    expect((await repository.check("--baseline other.json --write-baseline")).status).toBe(0);
  });

  test("comes from the commit of --checks-from", async () => {
    const repository = makeMain(files);
    await repository.check("--write-baseline");
    repository.commit({});
    repository.write({ "b.json": "{" });
    await repository.check("--write-baseline");
    expect((await repository.check("--format human")).status).toBe(0);
    expect(findingsOf(await repository.check("--checks-from HEAD"))).toEqual(["b.json:1:2 truncated"]);
  });

  test.each(["../known.json", "/etc/hostname", "link/known.json"])(
    "stays in the repository: %s",
    async (name) => {
      const repository = makeMain({ ...files, "penknife.checks.yaml": list.replace("known/all.json", name) });
      symlinkSync(makeFolder(), join(repository.cwd, "link"));
      for (const line of ["--format human", "--write-baseline"])
        expect(await repository.check(line)).toMatchObject({
          status: 2,
          stderr: expect.stringMatching(
            /penknife\.checks\.yaml:1:11: .* is outside of .*; a baseline belongs in the repository\./,
          ),
        });
    },
  );
});

describe("second documents with --checks-from", () => {
  const policy = (limit: number) =>
    `rules: [{ id: port, expression: document.port > ${limit}, message: Low. }]\n`;
  const list =
    'checks: [{ tool: policy-checker, files: "*.json", with: { policyFile: policies/ports.yaml } }]\n';

  test("are those of the commit, with a list and with one tool", async () => {
    const repository = makeMain({
      "penknife.checks.yaml": list,
      "policies/ports.yaml": policy(1024),
      "a.json": '{ "port": 80 }\n',
    });
    // The change weakens the policy that checks it.
    repository.commit({ "policies/ports.yaml": policy(0) });
    const tool = "policy-checker --policy-file policies/ports.yaml a.json";
    expect((await repository.check("--format human")).status).toBe(0);
    expect((await repository.check(tool)).status).toBe(0);
    expect(findingsOf(await repository.check("--checks-from HEAD~1"))).toEqual(["a.json:1:1 port"]);
    expect(findingsOf(await repository.check(`${tool} --checks-from HEAD~1`))).toEqual(["a.json:1:1 port"]);
  });

  test("that the change adds are not there, and those outside of the repository are", async () => {
    const repository = makeMain({ "a.json": '{ "port": 80 }\n' });
    repository.commit({ "policy.yaml": policy(0) });
    const tool = "policy-checker a.json --checks-from HEAD~1 --policy-file";
    expect(await repository.check(`${tool} policy.yaml`)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("policy.yaml cannot be read from HEAD~1: there is no such file"),
    });
    const outside = makeFolder();
    writeFileSync(join(outside, "policy.yaml"), policy(1024));
    expect((await repository.check(`${tool} ${join(outside, "policy.yaml")}`)).status).toBe(1);
    // A link from outside leads to the work tree, which the change controls.
    symlinkSync(join(repository.cwd, "policy.yaml"), join(outside, "link.yaml"));
    expect((await repository.check(`${tool} ${join(outside, "link.yaml")}`)).status).toBe(2);
  });
});
