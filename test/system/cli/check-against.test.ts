import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { penknife as runHere, shareWorkers } from "./host.ts";
import { gitEnv, makeRepository, makeTree, type TestRepository } from "./repository.ts";

const program = shareWorkers();
const penknife = (line: string, cwd: string, env: Record<string, string> = gitEnv) =>
  runHere(line.split(" "), { program, cwd, env });

const head = 'openapi: 3.0.3\ninfo: {title: a, version: "1"}\n';
const list = `checks:
  - { tool: openapi-differ, files: "api/*.yaml" }
  - { tool: graphql-differ, files: "*.graphql" }
  - { tool: json-differ, files: "conf/*", severity: warning }
  - { tool: env-comparer, files: "*.env", with: { keysOnly: true } }
  - { tool: text-differ, files: "terms.txt" }
  - { tool: yaml-validator, files: "**/*.yaml" }
`;
const before = {
  "penknife.checks.yaml": list,
  "api/pets.yaml": `${head}paths:\n  /a:\n    get: {responses: {}}\n  /b:\n    get: {responses: {}}\n`,
  "api/gone.yaml": `${head}paths: {}\n`,
  "api/same.yaml": `${head}paths: {}\n`,
  "schema.graphql": "type Query {\n  a: Int\n  b: Int\n}\n",
  "conf/a.yaml": "port: 80\n",
  "conf/a.json": '{\n  "n": 1\n}\n',
  "prod.env": "A=1\nB=2\n",
  "terms.txt": "one\ntwo\n",
};
const after = {
  "api/pets.yaml": `${head}# Moved down.\npaths:\n  /a:\n    get: {responses: {}}\n`,
  "api/new.yaml": `${head}paths: {}\n`,
  "schema.graphql": "scalar Date\n\ntype Query {\n  a: Int\n}\n",
  "conf/a.yaml": "# web\nport: 81\n",
  "conf/a.json": '{\n  "n": 2\n}\n',
  "prod.env": "A=3\n",
  "terms.txt": "one\n2\n",
};

function change(repository: TestRepository): TestRepository {
  rmSync(join(repository.cwd, "api/gone.yaml"));
  repository.write(after);
  return repository;
}

/** The findings, as `file:line rule severity`. */
const found = (stdout: string): string[] =>
  (
    JSON.parse(stdout) as {
      items: { file: string; tool?: string; errors: { line?: number; rule: string; severity: string }[] }[];
    }
  ).items.flatMap(({ file, errors }) =>
    errors.map(({ line, rule, severity }) => `${file}:${line ?? ""} ${rule} ${severity}`),
  );

test("files are compared with those of a commit, and findings have the lines of the new files", async () => {
  const { cwd } = change(makeRepository(before));
  const { status, stdout } = await penknife("check --against main --json", cwd);
  expect(found(stdout)).toEqual([
    "api/gone.yaml: file-removed error",
    "api/pets.yaml:5 path-removed error",
    "conf/a.json:2 changed warning",
    "conf/a.yaml:2 changed warning",
    "prod.env:2 missing-key error",
    "schema.graphql:3 field-removed error",
    "terms.txt:2 changed error",
  ]);
  expect(status).toBe(1);
});

test("without changes nothing is found", async () => {
  const { cwd } = makeRepository(before);
  expect(await penknife("check --against HEAD", cwd)).toMatchObject({ status: 0 });
});

test("without a commit the checks that need one are left out, and the others run", async () => {
  const { cwd } = change(makeRepository(before));
  const { status, stdout } = await penknife("check --json", cwd);
  expect(status).toBe(0);
  const { items } = JSON.parse(stdout) as { items: { tool: string }[] };
  expect(new Set(items.map(({ tool }) => tool))).toEqual(new Set(["yaml-validator"]));
});

test("a list of nothing but comparisons asks for the commit", async () => {
  const { cwd } = makeRepository({
    "penknife.checks.yaml": 'checks: [{tool: openapi-differ, files: "*.yaml"}]',
  });
  expect(await penknife("check", cwd)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("Name the commit: --against REF") as string,
  });
});

test("a summary in Markdown begins with the files that differ", async () => {
  const { cwd } = change(makeRepository(before));
  const { stdout } = await penknife("check --against main --format markdown", cwd);
  expect(stdout).toMatch(
    /^### ❌ penknife check\n\n`[^\n]*`\n\nCompared with `main`: 8 files that differ\.\n\n\| File \| Tool \| Version \| Errors \| Warnings \|\n/,
  );
  expect(stdout).toContain("| `api/gone.yaml` | openapi-differ | removed | 1 | 0 |");
  expect(stdout).toContain("| `api/new.yaml` | openapi-differ | new | 0 | 0 |");
  expect(stdout).toContain("| `conf/a.yaml` | json-differ | changed | 0 | 1 |");
  expect(stdout).not.toContain("same.yaml");
});

test("SARIF has the findings, and a baseline knows them", async () => {
  const { cwd } = change(makeRepository(before));
  const sarif = JSON.parse((await penknife("check --against main --format sarif", cwd)).stdout) as {
    runs: { results: { ruleId: string }[] }[];
  };
  expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toEqual([
    "openapi-differ/file-removed",
    "openapi-differ/path-removed",
    "json-differ/changed",
    "json-differ/changed",
    "env-comparer/missing-key",
    "graphql-differ/field-removed",
    "text-differ/changed",
  ]);
  await penknife("check --against main --baseline known.ndjson --write-baseline", cwd);
  expect((await penknife("check --against main --baseline known.ndjson", cwd)).status).toBe(0);
});

describe("with one tool", () => {
  test("the files that are named are compared", async () => {
    const { cwd } = change(makeRepository(before));
    const { status, stdout } = await penknife("check openapi-differ --against main api/*.yaml --json", cwd);
    expect(found(stdout)).toEqual(["api/pets.yaml:5 path-removed error"]);
    expect(status).toBe(1);
    const inFolder = await penknife("check openapi-differ --against main pets.yaml --json", join(cwd, "api"));
    expect(found(inFolder.stdout)).toEqual(["pets.yaml:5 path-removed error"]);
  });

  test("its options count", async () => {
    const { cwd } = change(makeRepository(before));
    const line = "check openapi-differ --against main --ignore path-removed api/pets.yaml";
    expect(await penknife(line, cwd)).toMatchObject({ status: 0 });
  });

  test.each([
    ["check yaml-validator --against main a.yaml", "yaml-validator does not compare versions of a file"],
    ["check json-differ --against main --other {} a.json", "Give --other or --against, not both."],
    ["check json-differ --against nowhere conf/a.json", "nowhere is no commit of this repository"],
    ["check json-differ --against=--upload-pack=x conf/a.json", "is no commit of this repository"],
    ["check --watch --against main", "Leave out --against or --watch"],
  ])("%s is a wrong call", async (line, message) => {
    const { cwd } = makeRepository(before);
    expect(await penknife(line, cwd)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });

  test("there has to be a repository", async () => {
    const { cwd } = makeTree(before);
    expect(await penknife("check json-differ --against main conf/a.json", cwd)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        "in no Git repository, so there is no commit to compare with",
      ) as string,
    });
  });
});

test("an old version that is no document is a warning: the change may mend it", async () => {
  const repository = makeRepository({ ...before, "api/pets.yaml": "openapi: 3.0.3\npaths: [\n" });
  const { cwd } = change(repository);
  const { status, stdout } = await penknife("check --against main --only openapi-differ --json", cwd);
  expect(found(stdout)).toEqual(["api/gone.yaml: file-removed error", "api/pets.yaml: old-version warning"]);
  expect(status).toBe(1);
});

test("a new version that is no document is an error, and so is one that the tool refuses", async () => {
  const { cwd, write } = makeRepository(before);
  write({ "api/pets.yaml": "openapi: 3.0.3\npaths: [\n" });
  const { stdout } = await penknife("check --against main --only openapi-differ --json", cwd);
  expect(found(stdout)).toEqual([expect.stringMatching(/^api\/pets\.yaml:\d+ invalid_document error$/)]);
});

describe("the folder of somebody else", () => {
  test("a link in the place of a file is a file that is gone, and is not followed", async () => {
    const { cwd } = makeRepository(before);
    rmSync(join(cwd, "api/pets.yaml"));
    symlinkSync("/etc/hostname", join(cwd, "api/pets.yaml"));
    const { stdout } = await penknife("check --against main --only openapi-differ --json", cwd);
    expect(found(stdout)).toEqual(["api/pets.yaml: file-removed error"]);
  });

  test("a link in the place of a folder is not followed either", async () => {
    const { cwd } = makeRepository(before);
    rmSync(join(cwd, "api"), { recursive: true });
    symlinkSync("/etc", join(cwd, "api"));
    const { stdout } = await penknife("check --against main --only openapi-differ --json", cwd);
    expect(found(stdout).every((line) => line.endsWith(" file-removed error"))).toBe(true);
    expect(found(stdout)).toHaveLength(3);
  });

  test("a link in the commit is no old version", async () => {
    const repository = makeTree(before);
    rmSync(join(repository.cwd, "api/pets.yaml"));
    symlinkSync("/etc/hostname", join(repository.cwd, "api/pets.yaml"));
    repository.git("init", "-q", "-b", "main");
    repository.git("add", "-A");
    repository.git("-c", "maintenance.auto=false", "commit", "-q", "-m", "Begin");
    rmSync(join(repository.cwd, "api/pets.yaml"));
    repository.write({ "api/pets.yaml": after["api/pets.yaml"] });
    const { status } = await penknife("check --against main --only openapi-differ", repository.cwd);
    expect(status).toBe(0);
  });

  test("no program of the repository runs", async () => {
    const { cwd, git, write } = change(makeRepository(before));
    const mark = join(cwd, "ran");
    write({
      "bin/run.sh": `#!/bin/sh\ntouch ${mark}\ncat "$@"\n`,
      ".gitattributes": "* diff=own filter=own\n",
    });
    chmodSync(join(cwd, "bin/run.sh"), 0o755);
    const run = join(cwd, "bin/run.sh");
    for (const [name, value] of [
      ["diff.external", run],
      ["diff.own.textconv", run],
      ["diff.own.command", run],
      ["filter.own.smudge", run],
      ["filter.own.clean", run],
      ["core.fsmonitor", run],
      ["core.hooksPath", join(cwd, "bin")],
      ["core.pager", run],
    ] as const)
      git("config", name, value);
    const { status } = await penknife("check --against main --only openapi-differ", cwd);
    expect(status).toBe(1);
    expect(() => rmSync(mark)).toThrow(/ENOENT/);
  });
});
