import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitEnv } from "../cli/repository.ts";
import { type Output, penknife } from "./harness.ts";
import { makeFolder, makeMain, openRepository, type Repository } from "./repository.ts";

/** A repository whose branch `main` has these files, on a branch of its own. */
function makeRepository(files: Record<string, string>): Repository {
  const repository = makeMain(files);
  repository.git("checkout", "-q", "-b", "change");
  return repository;
}

const list = `checks:
  - { tool: json-validator, files: "**/*.json" }
  - { tool: json-schema-validator, files: "**/*.json", with: { schemaFile: schemas/own.json } }
  - { tool: yaml-validator, files: "**/*.yaml" }
`;
const base = {
  "penknife.checks.yaml": list,
  "schemas/own.json": '{"type":"object"}',
  "known.ndjson": "",
  "a.json": "{}",
  "b.yaml": "a: 1\n# penknife-ignore yaml-validator/duplicate-key as it has always been\na: 2\nb: 1\n",
};
const line = "--checks-from main --baseline known.ndjson";
const placesOf = ({ stdout }: Output): string[] =>
  stdout
    .split("\n")
    .flatMap((text) => /^([^:]+):.* \((?:\S+\/)?(\S+)\)$/.exec(text)?.slice(1, 3).join(" ") ?? []);

describe("a change cannot pass itself", () => {
  test("without a change there is nothing to report", async () => {
    const { check } = makeRepository(base);
    expect(await check(line)).toMatchObject({ status: 0, stdout: "" });
  });

  test.each<[name: string, files: Record<string, string>, findings: string[]]>([
    [
      "takes a check out of the list",
      { "penknife.checks.yaml": 'checks: [{ tool: yaml-validator, files: "**/*.yaml" }]\n', "c.json": "{" },
      ["c.json truncated", "c.json syntax"],
    ],
    [
      "brings a list that is nearer",
      {
        "sub/penknife.checks.yaml": 'checks: [{ tool: yaml-validator, files: "**/*.yaml" }]\n',
        "c.json": "{",
      },
      ["c.json truncated", "c.json syntax"],
    ],
    [
      "excludes a file",
      { "penknife.checks.yaml": `exclude: c.json\n${list}`, "c.json": "{" },
      ["c.json truncated", "c.json syntax"],
    ],
    ["weakens a schema", { "schemas/own.json": "{}", "c.json": "[]" }, ["c.json type"]],
    [
      "adds an ignore comment",
      { "c.yaml": "a: 1\n# penknife-ignore yaml-validator/duplicate-key mine is better\na: 2\n" },
      ["c.yaml duplicate-key", "c.yaml added-ignore"],
    ],
    [
      "moves an ignore comment",
      {
        "b.yaml": "a: 1\nb: 1\n# penknife-ignore yaml-validator/duplicate-key as it has always been\nb: 2\n",
      },
      ["b.yaml duplicate-key", "b.yaml added-ignore"],
    ],
    [
      "says it twice",
      {
        "b.yaml": `${base["b.yaml"]}# penknife-ignore yaml-validator/duplicate-key as it has always been\na: 2\n`,
      },
      ["b.yaml duplicate-key", "b.yaml added-ignore"],
    ],
    [
      "adds a comment for a check that has no finding",
      { "b.yaml": `${base["b.yaml"]}c: 3 # penknife-ignore secret-scanner/key later\n` },
      ["b.yaml added-ignore"],
    ],
  ])("that %s", async (_, files, findings) => {
    const { cwd, commit, check } = makeRepository(base);
    mkdirSync(join(cwd, "sub"));
    commit(files);
    const folder = "sub/penknife.checks.yaml" in files ? join(cwd, "sub") : cwd;
    const prefix = folder === cwd ? "" : "../";
    const ran = await check(`--checks-from main --baseline ${prefix}known.ndjson`, folder);
    expect(placesOf(ran)).toEqual(findings.map((one) => `${prefix}${one}`));
    expect(ran.status).toBe(1);
    expect((await check(`--baseline ${prefix}known.ndjson`, folder)).status).toBe(0);
  });

  test("that weakens a policy", async () => {
    const { check, commit } = makeRepository({
      "penknife.checks.yaml":
        'checks: [{ tool: policy-checker, files: "k8s/*", with: { policyFile: policies/own.yaml } }]\n',
      "policies/own.yaml": "rules:\n  - id: replicas\n    expression: document.replicas > 1\n",
    });
    commit({
      "policies/own.yaml": "rules:\n  - id: replicas\n    expression: 'true'\n",
      "k8s/a.yaml": "replicas: 1\n",
      "k8s/b.json": '{"replicas":2}',
    });
    expect(placesOf(await check("--checks-from main"))).toEqual(["k8s/a.yaml replicas"]);
    expect((await check("--max-warnings 0")).status).toBe(0);
  });

  test("that weakens a .editorconfig, or adds one", async () => {
    const { check, commit } = makeRepository({
      "penknife.checks.yaml": 'checks: [{ tool: editorconfig-checker, files: "**/*.txt" }]\n',
      ".editorconfig": "[*]\ntrim_trailing_whitespace = true\n",
    });
    commit({
      ".editorconfig": "[*]\ntrim_trailing_whitespace = false\n",
      "sub/.editorconfig": "root = true\n",
      "a.txt": "a \n",
      "sub/a.txt": "a \n",
    });
    expect(placesOf(await check("--checks-from main"))).toEqual([
      "a.txt trailing-whitespace",
      "sub/a.txt trailing-whitespace",
    ]);
    expect((await check("--max-warnings 0")).status).toBe(0);
  });

  test("that adds its finding to the baseline", async () => {
    const { check, commit, write } = makeRepository(base);
    write({ "c.json": "{" });
    await check("--baseline known.ndjson --write-baseline");
    commit({});
    expect(await check("--baseline known.ndjson")).toMatchObject({ status: 0 });
    expect(placesOf(await check(line))).toEqual(["c.json truncated", "c.json syntax"]);
  });

  test("when one tool is named", async () => {
    const { check, commit } = makeRepository(base);
    commit({ "c.yaml": "a: 1\na: 2 # penknife-ignore yaml-validator/duplicate-key mine\n" });
    const ran = await check(`yaml-validator b.yaml c.yaml ${line}`);
    expect(placesOf(ran)).toEqual(["c.yaml duplicate-key", "c.yaml added-ignore"]);
    expect((await check("yaml-validator b.yaml c.yaml")).status).toBe(0);
    expect(await check("yaml-validator b.yaml --checks-from nowhere")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("nowhere is no commit of this repository"),
    });
  });

  test("that is staged alone", async () => {
    const { check, git, write } = makeRepository(base);
    write({
      "penknife.checks.yaml": "checks: []\n",
      "c.json": "{",
      "d.yaml": "a: 1 # penknife-ignore yaml-validator/x no\n",
    });
    git("add", "-A");
    const ran = await check("--staged --checks-from HEAD");
    expect(placesOf(ran)).toEqual(["c.json truncated", "c.json syntax", "d.yaml added-ignore"]);
  });

  test("whatever it puts in the place of the list", async () => {
    const { cwd, check } = makeRepository({ ...base, "c.json": "{" });
    const path = join(cwd, "penknife.checks.yaml");
    for (const put of [
      () => undefined,
      () => symlinkSync("/etc/passwd", path),
      () => execFileSync("mkfifo", [path]),
      () => mkdirSync(path),
    ]) {
      rmSync(path, { recursive: true, force: true });
      put();
      expect(placesOf(await check(line))).toEqual(["c.json truncated", "c.json syntax"]);
    }
  });
});

test("comments and known findings of the commit count, wherever their lines have gone", async () => {
  const { check, commit, git, write } = makeRepository(base);
  git("checkout", "-q", "main");
  write({ "old.json": "[" });
  await check("--baseline known.ndjson --write-baseline");
  commit({});
  git("checkout", "-q", "-B", "change");
  commit({ "b.yaml": `x: 1\n\n${base["b.yaml"].replaceAll("# penknife", "  # penknife")}` });
  expect(await check(line)).toMatchObject({ status: 0, stdout: "" });
  const json = JSON.parse((await check(`${line} --json`)).stdout) as {
    items: { suppressed?: { by: string }[] }[];
  };
  const by = json.items.flatMap(({ suppressed = [] }) => suppressed.map((one) => one.by));
  expect(new Set(by)).toEqual(new Set(["baseline", "comment"]));
});

test("the finding of a comment has a sentence and a place", async () => {
  const { check, commit } = makeRepository(base);
  commit({ "c.yaml": "a: 1\na: 2 # penknife-ignore yaml-validator/duplicate-key mine\n" });
  const { stdout } = await check(line);
  expect(stdout).toContain(
    "c.yaml:2:6: main does not have this comment for this line, so it ignores nothing: somebody has to review it. (penknife/added-ignore)\n",
  );
});

test.each(["main", "change~1", "v1", "HEAD^1", "hash"])("the commit may be %s", async (revision) => {
  const { check, commit, git } = makeRepository(base);
  git("tag", "-a", "v1", "-m", "One");
  commit({ "penknife.checks.yaml": "nothing: here\n", "c.json": "{" });
  const name = revision === "hash" ? git("rev-parse", "main").trim() : revision;
  expect((await check(`--checks-from ${name}`)).status).toBe(1);
});

describe("links of the commit", () => {
  test("lead to its own files, and not to those of the work tree", async () => {
    const repository = openRepository(makeFolder());
    const { cwd, git, write, commit, check } = repository;
    git("init", "-q", "-b", "main");
    write({
      "config/list.yaml": list.replace("schemas/own", "linked/own"),
      "config/schemas/own.json": '{"type":"object"}',
    });
    symlinkSync("config/list.yaml", join(cwd, "penknife.checks.yaml"));
    symlinkSync("config/schemas", join(cwd, "linked"));
    commit({ "a.json": "[]" });
    write({ "config/schemas/own.json": "{}" });
    unlinkSync(join(cwd, "linked"));
    expect(placesOf(await check("--checks-from main a.json"))).toEqual(["a.json type"]);
  });

  test.each(["/etc/passwd", "../../etc/passwd", "../x"])("lead nowhere outside: %s", async (target) => {
    const { cwd, git, commit, check } = openRepository(makeFolder());
    git("init", "-q", "-b", "main");
    mkdirSync(join(cwd, "s"));
    symlinkSync(target, join(cwd, "schemas"));
    commit({ "penknife.checks.yaml": list, "a.json": "[]" });
    const { status, stderr } = await check("--checks-from main");
    expect(status).toBe(2);
    expect(stderr).toMatch(/schemas\/own\.json cannot be read from main: it is outside of \//);
  });

  test("end where they form a loop", async () => {
    const { cwd, git, commit, check } = openRepository(makeFolder());
    git("init", "-q", "-b", "main");
    symlinkSync("other", join(cwd, "schemas"));
    symlinkSync("schemas", join(cwd, "other"));
    commit({ "penknife.checks.yaml": list, "a.json": "[]" });
    expect((await check("--checks-from main")).stderr).toContain(
      "cannot be read from main: there is no such file",
    );
  });
});

describe("a commit that is not there", () => {
  test.each([
    [
      "--checks-from nowhere",
      "nowhere is no commit of this repository. A clone of a CI job may lack it: git fetch origin nowhere",
    ],
    ["--checks-from=--output=x", "--output=x is no commit of this repository"],
    ["--checks-from=", " is no commit of this repository"],
    ["--checks-from main:a.json", "main:a.json is no commit of this repository"],
    ["--checks-from main --baseline none", "none cannot be read from main: there is no such file"],
    ["--checks-from main --checks other.yaml", "other.yaml cannot be read from main: there is no such file"],
    ["--checks-from main --checks ../list.yaml", "../list.yaml cannot be read from main: it is outside of "],
    [
      "--checks-from main --baseline known.ndjson --write-baseline",
      "--write-baseline writes to the work tree",
    ],
    ["--checks-from main --watch", "Leave out --checks-from or --watch"],
  ])("%s is an error", async (words, message) => {
    const { check, write } = makeRepository(base);
    write({ "other.yaml": list, none: "" });
    const { status, stdout, stderr } = await check(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("is an error where the commit has no list, or there is no repository", async () => {
    const { check, commit } = makeRepository({ "a.json": "{}" });
    commit({ "penknife.checks.yaml": list });
    expect(await check("--checks-from main")).toMatchObject({
      status: 2,
      stderr: "penknife: main has no penknife.checks.yaml in this repository.\n",
    });
    const none = await penknife(makeFolder(), ["check", "--checks-from", "main"]);
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining("is in no Git repository") });
  });

  test("is one to fetch in a shallow clone, alone if need be", async () => {
    const { cwd, commit } = makeRepository(base);
    const first = execFileSync("git", ["rev-parse", "main"], { cwd, encoding: "utf8" }).trim();
    commit({ "penknife.checks.yaml": "nothing: here\n", "c.json": "{" });
    const clone = openRepository(join(makeFolder(), "clone"));
    execFileSync("git", ["clone", "-q", "--depth=1", "--branch=change", `file://${cwd}`, clone.cwd], {
      env: gitEnv,
    });
    const shallow = await clone.check(`--checks-from ${first}`);
    expect(shallow.status).toBe(2);
    expect(shallow.stderr).toContain(`${first} is no commit of this clone, which is shallow.`);
    expect(shallow.stderr).toContain("git fetch --depth=1 origin COMMIT");
    clone.git("fetch", "-q", "--depth=1", "origin", first);
    expect((await clone.check(`--checks-from ${first}`)).status).toBe(1);
  });

  test("is not downloaded piece by piece into a partial clone", async () => {
    const { cwd, git, commit } = makeRepository(base);
    git("config", "uploadpack.allowFilter", "true");
    commit({ "penknife.checks.yaml": "nothing: here\n" });
    const clone = openRepository(join(makeFolder(), "clone"));
    execFileSync(
      "git",
      ["clone", "-q", "--filter=blob:none", "--branch=change", `file://${cwd}`, clone.cwd],
      {
        env: gitEnv,
      },
    );
    const { status, stderr } = await clone.check("--checks-from HEAD~1");
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^penknife: This clone lacks a file of HEAD~1, .+ git fetch --refetch origin HEAD~1\n$/,
    );
  });
});
