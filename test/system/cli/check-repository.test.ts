import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Given, penknife, shareWorkers } from "./host.ts";
import { gitEnv, makeRepository, makeTree } from "./repository.ts";

const checks = `checks:
  - tool: json-validator
    files: "**/*.json"
  - tool: yaml-validator
    files: ["**/*.yaml", "!vendor/"]
`;

const program = shareWorkers();

/** Runs `penknife check` in a folder, with Git on the PATH. */
const check = (cwd: string, words: readonly string[] = [], given: Given = {}) =>
  penknife(["check", ...words], { cwd, env: gitEnv, program, ...given });

describe("penknife check without a tool", () => {
  test("runs the checks of penknife.checks.yaml on the files of the repository, dotfiles included", async () => {
    const { cwd } = makeRepository({
      "penknife.checks.yaml": checks,
      ".gitignore": "/dist\n",
      "a.json": "{",
      ".github/b.yaml": "a: [",
      "dist/c.json": "{",
      "vendor/d.yaml": "a: [",
      "notes.txt": "{",
    });
    const ran = await check(cwd);
    expect(ran.stdout.split("\n")).toEqual([
      expect.stringMatching(/^\.github\/b\.yaml:1:\d+: /),
      expect.stringMatching(/^a\.json:1:2: .+ \(json-validator\/truncated\)$/),
      "",
    ]);
    expect(ran).toMatchObject({
      status: 1,
      stderr: "3 files checked, 2 findings in 2 files; left out: 1 ignored folder\n",
    });
  });

  test("finds the file from a folder below, checks all of the repository, and names files from there", async () => {
    const { cwd } = makeRepository({ "penknife.checks.yaml": checks, "a.json": "{", "sub/deep/b.json": "{" });
    const ran = await check(join(cwd, "sub"));
    expect(ran.stdout.match(/^[^:]+/gm)).toEqual(["../a.json", "deep/b.json"]);
  });

  test("prefers the nearest file, and goes no higher than the repository", async () => {
    const { cwd, git, write } = makeTree({ "penknife.checks.yaml": checks, "a.json": "{" });
    write({ "inner/b.json": "{", "inner/part/penknife.checks.yaml": checks, "inner/part/c.json": "{" });
    git("init", "-q", "inner");
    expect((await check(join(cwd, "inner/part"))).stdout.match(/^[^:]+/gm)).toEqual(["c.json"]);
    expect(await check(join(cwd, "inner"))).toMatchObject({
      status: 2,
      stdout: "",
      stderr:
        "penknife: There is no penknife.checks.yaml in this repository. penknife check init writes one; to check files with one tool: penknife check TOOL FILES\n",
    });
    // Outside a repository a folder above is not asked: it may belong to somebody else.
    mkdirSync(join(cwd, "other"));
    expect((await check(join(cwd, "other"))).stderr).toContain("no penknife.checks.yaml in this folder.");
  });

  test("runs several tools on one file in the order of the list, whatever the order of the files", async () => {
    const { cwd } = makeRepository({
      "penknife.checks.yaml": `checks:
  - { tool: json-formatter, files: "*.json" }
  - { tool: json-validator, files: "*.json" }
`,
      "a.json": '{"a":1,"a":2}\n',
      "b.json": "[1]\n",
    });
    const ran = await check(cwd, ["--json"]);
    const { items } = JSON.parse(ran.stdout) as { items: { file: string; tool: string; valid: boolean }[] };
    expect(items.map(({ file, tool, valid }) => [file, tool, valid])).toEqual([
      ["a.json", "json-formatter", false],
      ["a.json", "json-validator", false],
      ["b.json", "json-formatter", false],
      ["b.json", "json-validator", true],
    ]);
    expect((await check(cwd)).stderr).toBe("2 files checked, 3 findings in 2 files\n");
  });

  test("applies the options and the severity of an entry", async () => {
    const { cwd, write } = makeRepository({
      "penknife.checks.yaml": `checks:
  - { tool: json-formatter, files: "*.json", with: { indent: 4 }, severity: warning }
`,
      "a.json": '{\n    "a": 1\n}\n',
    });
    expect(await check(cwd)).toMatchObject({ status: 0, stderr: "1 file checked, no findings\n" });
    write({ "a.json": '{\n  "a": 1\n}\n' });
    expect(await check(cwd)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^a\.json:2:\d: warning: json-formatter would change .+\n$/),
    });
  });

  test("runs the checks of one tool with --only, and names the tools it has for another", async () => {
    const { cwd } = makeRepository({ "penknife.checks.yaml": checks, "a.json": "{", "b.yaml": "a: [" });
    expect((await check(cwd, ["--only", "json-validator"])).stdout).toMatch(/^a\.json:.+\n$/);
    expect(await check(cwd, ["--only", "json-validatr"])).toMatchObject({
      status: 2,
      stderr: "penknife: Unknown check json-validatr. Did you mean json-validator?\n",
    });
  });

  test("--list prints each file with its tools and checks nothing", async () => {
    const { cwd } = makeRepository({
      "penknife.checks.yaml": `${checks}  - { tool: json-formatter, files: "*.json" }\n`,
      "a.json": "{",
      "b.yaml": "a: [",
    });
    expect(await check(cwd, ["--list"])).toEqual(
      expect.objectContaining({
        status: 0,
        stdout:
          "a.json: json-validator, json-formatter\nb.yaml: yaml-validator\npenknife.checks.yaml: yaml-validator\n",
      }),
    );
    const listed = await check(cwd, ["--list", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      items: [{ file: "a.json", tools: ["json-validator", "json-formatter"] }, {}, {}],
    });
  });

  test("warns of a pattern without a file, and fails if the file is required", async () => {
    const { cwd, write } = makeRepository({ "penknife.checks.yaml": checks, "a.json": "{}" });
    write({ "penknife.checks.yaml": checks.replace("**/*.yaml", "*.yml") });
    expect(await check(cwd)).toMatchObject({
      status: 0,
      stderr:
        "penknife: warning: penknife.checks.yaml:5:12: No file matches *.yml, !vendor/, so yaml-validator checks nothing.\n1 file checked, no findings\n",
    });
    write({ "penknife.checks.yaml": `${checks.replace("**/*.yaml", "*.yml")}    required: true\n` });
    expect(await check(cwd)).toMatchObject({
      status: 2,
      stderr:
        "penknife: penknife.checks.yaml:5:12: No file matches *.yml, !vendor/, so yaml-validator checks nothing.\n1 file checked, no findings; 1 not read\n",
    });
    // A part of the files says nothing about the patterns.
    expect((await check(cwd, ["a.json"])).stderr).toBe("1 file checked, no findings\n");
  });

  test("a tool that the file names first still checks files by itself", async () => {
    const { cwd } = makeRepository({ "penknife.checks.yaml": checks, "a.json": "{}", "json-validator": "{" });
    expect((await check(cwd, ["json-validator", "a.json"])).stderr).toBe("1 file checked, no findings\n");
    expect((await check(cwd, ["json-validatr", "a.json"])).stderr).toContain(
      "Unknown tool json-validatr. Did you mean json-validator?",
    );
    expect((await check(cwd, ["a.json", "json-validator"])).stderr).toContain(
      "a.json is a file; the tool comes first: penknife check json-validator a.json",
    );
  });
});

describe("named files", () => {
  const files = {
    "penknife.checks.yaml": checks,
    ".gitignore": "dist\n",
    "a.json": "{",
    "dist/b.json": "{",
    "sub/c.json": "{",
    "x.txt": "",
  };
  const namesOf = (stdout: string) => stdout.match(/^[^:]+/gm) ?? [];

  test.each<[string[], string[], string]>([
    [["a.json"], ["a.json"], "1 file checked, 1 finding in 1 file\n"],
    // A name is checked even if Git ignores it; a folder and a pattern select among the files of the repository.
    [["dist/b.json"], ["dist/b.json"], "1 file checked, 1 finding in 1 file\n"],
    [["sub"], ["sub/c.json"], "1 file checked, 1 finding in 1 file; left out: 1 ignored folder\n"],
    [["."], ["a.json", "sub/c.json"], "3 files checked, 2 findings in 2 files; left out: 1 ignored folder\n"],
    [
      ["**/*.json"],
      ["a.json", "sub/c.json"],
      "2 files checked, 2 findings in 2 files; left out: 1 ignored folder\n",
    ],
    [
      ["sub/", "a.json"],
      ["a.json", "sub/c.json"],
      "2 files checked, 2 findings in 2 files; left out: 1 ignored folder\n",
    ],
    [
      ["x.txt", "a.json"],
      ["a.json"],
      "1 file checked, 1 finding in 1 file; left out: 1 file without a check\n",
    ],
  ])("%s", async (words, found, summary) => {
    const { cwd } = makeRepository(files);
    const ran = await check(cwd, words);
    expect(namesOf(ran.stdout)).toEqual(found);
    expect(ran.stderr).toBe(summary);
  });

  test("that do not exist or lie elsewhere are reported, and the status is 2", async () => {
    const { cwd, write } = makeRepository(files);
    const other = makeTree({ "o.json": "{" });
    symlinkSync(join(other.cwd, "o.json"), join(cwd, "link.json"));
    write({ "a.json": "{}" });
    expect(await check(cwd, ["a.json", "no.json", "no*.json", "link.json", "-"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: `penknife: no.json cannot be read: there is no such file
penknife: link.json is outside of ${cwd}, whose files are checked.
penknife: Standard input has no name to choose its checks by; name a tool: penknife check TOOL -
penknife: No file matches no*.json
1 file checked, no findings; 4 not read; left out: 1 ignored folder
`,
    });
  });
});

describe("ignored files", () => {
  const files = {
    ".gitignore": "*.log\n/out\nnode_modules\n",
    "a.json": "1",
    "x.log": "{",
    "out/deep/b.json": "{",
    "node_modules/c.json": "{",
  };
  const list = `checks: [{ tool: json-validator, files: "**/*.{json,log}", includeIgnored: true }]\n`;

  test.each([true, false])(
    "are checked by an entry that includes them (in a repository: %s)",
    async (git) => {
      const { cwd } = (git ? makeRepository : makeTree)({ ...files, "penknife.checks.yaml": list });
      const ran = await check(cwd);
      expect(ran.stdout.match(/^[^:]+/gm)).toEqual(["out/deep/b.json", "x.log"]);
      expect(ran.stderr).toBe("3 files checked, 2 findings in 2 files; left out: 1 ignored folder\n");
    },
  );

  test.each([true, false])("are counted otherwise, unless the line includes them (%s)", async (git) => {
    const { cwd } = (git ? makeRepository : makeTree)({
      ...files,
      "penknife.checks.yaml": list.replace(", includeIgnored: true", ""),
    });
    expect((await check(cwd)).stderr).toBe(
      "1 file checked, no findings; left out: 1 ignored file, 2 ignored folders\n",
    );
    expect((await check(cwd, ["--include-ignored"])).stderr).toBe(
      "3 files checked, 2 findings in 2 files; left out: 1 ignored folder\n",
    );
  });

  test.each([true, false])("that a pattern of a tool matches are left out (%s)", async (git) => {
    const { cwd } = (git ? makeRepository : makeTree)(files);
    const summaryOf = async (...words: string[]) => (await check(cwd, ["json-validator", ...words])).stderr;
    expect(await summaryOf("**/*.{json,log}")).toBe(
      "1 file checked, no findings; left out: 2 ignored files, 1 file in node_modules\n",
    );
    expect(await summaryOf("**/*.{json,log}", "--include-ignored")).toBe(
      "3 files checked, 2 findings in 2 files; left out: 1 file in node_modules\n",
    );
    // A name, and a pattern in an ignored folder, say that it is wanted.
    expect(await summaryOf("x.log")).toBe("1 file checked, 1 finding in 1 file\n");
    expect(await summaryOf("out/**/*.json")).toBe("1 file checked, 1 finding in 1 file\n");
    expect(await summaryOf("node_modules/*.json")).toBe("1 file checked, 1 finding in 1 file\n");
  });

  test("follow .gitignore as Git does, where there is no Git", async () => {
    const { cwd, git } = makeTree({
      ".gitignore": "*.json\n!keep.json\nsub/*\n!sub/b.json\nskip/\n",
      "sub/.gitignore": "!c.json\nkeep.json\n",
      "deep/.gitignore": "/d.json\n!e.json\n",
      "penknife.checks.yaml": `checks: [{ tool: json-validator, files: "**/*.json" }]\n`,
      ...Object.fromEntries(
        ["", "sub/", "deep/", "deep/x/", "skip/", "deep/skip/"].flatMap((folder) =>
          ["a", "b", "c", "d", "e", "keep"].map((name) => [`${folder}${name}.json`, "1"]),
        ),
      ),
    });
    const own = (await check(cwd, ["--list"])).stdout;
    git("init", "-q");
    expect(own).toBe((await check(cwd, ["--list"])).stdout);
    const names = own.split("\n").flatMap((line) => /^(.+): json-validator$/.exec(line)?.[1] ?? []);
    expect(names).toContain("deep/e.json");
    const tool = await check(cwd, ["json-validator", "**/*.json"]);
    rmSync(join(cwd, ".git"), { recursive: true });
    expect((await check(cwd, ["json-validator", "**/*.json"])).stderr).toBe(tool.stderr);
    expect(tool.stderr).toMatch(new RegExp(`^${names.length} files checked`));
  });
});

test("a malformed .gitignore is reported with its place, where there is no Git", async () => {
  const { cwd } = makeTree({ "a.json": "1", ".gitignore": "*.log\n[z-a]\n" });
  expect(await check(cwd, ["json-validator", "*.json"])).toMatchObject({
    status: 2,
    stderr: "penknife: .gitignore:2:2: The range ends before it begins.\n",
  });
});

describe("a tool with the changes of a repository", () => {
  test("checks what is staged, changed or new since a revision, and what the words select among it", async () => {
    const { cwd, git, write } = makeRepository({ "a.json": "1", "sub/b.json": "1", "c.json": "{" });
    write({ "a.json": "{", "sub/b.json": "{", "sub/new.json": "{" });
    git("add", "a.json");
    write({ "a.json": "1" });
    const tool = async (folder: string, ...words: string[]) =>
      (await check(join(cwd, folder), ["json-validator", ...words])).stdout.match(/^[^:]+/gm);
    expect(await tool(".", "--staged")).toEqual(["a.json"]);
    expect(await tool("sub", "--staged")).toEqual(["../a.json"]);
    expect(await tool(".", "--changed")).toEqual(["sub/b.json", "sub/new.json"]);
    expect(await tool("sub", "--since", "main", "n*.json")).toEqual(["new.json"]);
    write({ list: "c.json\nsub/new.json\n" });
    expect(await tool(".", "--files-from", "list")).toEqual(["c.json", "sub/new.json"]);
    expect(await check(cwd, ["json-validator"])).toMatchObject({
      status: 2,
      stderr: "penknife: FILES is missing. Run penknife check json-validator --help for usage.\n",
    });
  });
});

describe("--checks FILE", () => {
  test("has patterns relative to its folder in the repository, otherwise to the root", async () => {
    const { cwd } = makeRepository({
      "ci/lint.yaml": checks,
      "ci/a.json": "{",
      "b.json": "{",
      "sub/c.json": "1",
    });
    const namesOf = async (folder: string, file: string) =>
      (await check(join(cwd, folder), ["--checks", file])).stdout.match(/^[^:]+/gm);
    expect(await namesOf(".", "ci/lint.yaml")).toEqual(["ci/a.json"]);
    const elsewhere = makeTree({ "shared.yaml": checks });
    expect(await namesOf("sub", join(elsewhere.cwd, "shared.yaml"))).toEqual(["../b.json", "../ci/a.json"]);
    expect(await check(cwd, ["--checks", "none.yaml"])).toMatchObject({
      status: 2,
      stderr: "penknife: none.yaml cannot be read: there is no such file\n",
    });
    expect((await check(cwd, ["--checks", "ci"])).stderr).toBe("penknife: ci is not a regular file.\n");
  });

  test("is required for a list that is a link out of the repository", async () => {
    const secret = makeTree({ "passwd.yaml": "root: x\n" });
    const { cwd } = makeRepository({ "a.json": "1" });
    symlinkSync(join(secret.cwd, "passwd.yaml"), join(cwd, "penknife.checks.yaml"));
    expect(await check(cwd)).toMatchObject({
      status: 2,
      stdout: "",
      stderr: `penknife: penknife.checks.yaml is a link out of ${cwd}. To read it nevertheless: --checks penknife.checks.yaml\n`,
    });
    expect((await check(cwd, ["--checks", "penknife.checks.yaml"])).stderr).toContain('Unknown key "root"');
  });

  test("reads second documents in its repository only, after links", async () => {
    const secret = makeTree({ "secret.json": '{"type":"string"}' });
    const { cwd, write } = makeRepository({ "a.json": "1", "part/s.json": '{"type":"string"}' });
    symlinkSync(join(secret.cwd, "secret.json"), join(cwd, "link.json"));
    const withSchema = async (name: string) => {
      write({
        "part/penknife.checks.yaml": `checks:\n  - { tool: json-schema-validator, files: "*", with: { schemaFile: ${name} } }\n`,
        "part/x.json": "1",
      });
      return check(join(cwd, "part"), ["x.json"]);
    };
    expect(await withSchema("s.json")).toMatchObject({
      status: 1,
      stderr: "1 file checked, 1 finding in 1 file\n",
    });
    write({ "s.json": '{"type":"string"}' });
    expect((await withSchema("../s.json")).status).toBe(1);
    for (const name of ["../link.json", join(secret.cwd, "secret.json"), "../../../../../../etc/passwd"])
      expect(await withSchema(name)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: `penknife: penknife.checks.yaml:2:68: ${name} is outside of ${cwd}; its files alone are read.\n`,
      });
  });

  test("reports a fault in a second document once, at its option", async () => {
    const { cwd } = makeRepository({
      "penknife.checks.yaml": `checks:\n  - { tool: json-schema-validator, files: "*.json", with: { schemaFile: s/a.json } }\n`,
      "s/a.json": '{"type":1}',
      "a.json": "1",
      "b.json": "1",
    });
    const ran = await check(cwd);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^penknife: penknife\.checks\.yaml:2:\d+: schemaFile \(s\/a\.json\): .+\n$/);
  });
});

test("leaves links, pipes and pointers of Git LFS out, with Git and without", async () => {
  const tree = makeRepository({
    "penknife.checks.yaml": checks.split("  - tool: yaml")[0] as string,
    "a.json": "1",
    "big.json": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    // The same beginning, but no pointer, because it is large.
    "long.json": `version https://git-lfs.github.com/spec/v1\n${" ".repeat(1024)}`,
  });
  const other = makeTree({ "o.json": "{" });
  symlinkSync(join(other.cwd, "o.json"), join(tree.cwd, "out.json"));
  symlinkSync(other.cwd, join(tree.cwd, "folder"));
  symlinkSync("a.json", join(tree.cwd, "in.json"));
  const summary = "2 files checked, 1 finding in 1 file; left out: Git LFS pointer big.json, 2 links\n";
  // Git shows a link to a folder as a file that no pattern selects.
  expect((await check(tree.cwd)).stderr).toBe(summary);
  tree.git("add", "-A");
  expect((await check(tree.cwd)).stderr).toBe(summary.replace("2 links", "3 links"));
  execFileSync("mkfifo", [join(tree.cwd, "pipe.json")]);
  rmSync(join(tree.cwd, ".git"), { recursive: true });
  expect((await check(tree.cwd)).stderr).toBe(summary.replace("2 links", "3 links, 1 pipe or device"));
  // A pipe may never end, so it is not read, even if it is named.
  const named = await check(tree.cwd, ["pipe.json"]);
  expect(named).toMatchObject({ stdout: "", stderr: "0 files checked; left out: 1 pipe or device\n" });
});
