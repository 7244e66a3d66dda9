import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Given, makeFolder, penknife } from "./host.ts";
import { gitEnv, makeRepository, makeTree, type TestRepository } from "./repository.ts";

const checks = `checks: [{ tool: json-validator, files: "**/*.json" }]\n`;

const check = (cwd: string, words: readonly string[] = [], given: Given = {}) =>
  penknife(["check", ...words], { cwd, env: gitEnv, ...given });

const namesOf = (stdout: string): string[] => stdout.match(/^[^:]+/gm) ?? [];

const makeChecked = (files: Record<string, string | Uint8Array> = {}, commit = true): TestRepository =>
  makeRepository({ "penknife.checks.yaml": checks, ...files }, commit);

describe("--staged", () => {
  test("checks the index and not the work tree", async () => {
    const { cwd, git, write } = makeChecked({ "a.json": "1", "b.json": "1", "c.json": "{" });
    write({ "a.json": "{", "b.json": "2" });
    git("add", "-A");
    write({ "a.json": "3", "b.json": "{" });
    const ran = await check(cwd, ["--staged"]);
    expect(namesOf(ran.stdout)).toEqual(["a.json"]);
    expect(ran.stderr).toBe("2 files checked, 1 finding in 1 file\n");
    expect((await check(cwd, ["--staged", "b*"])).stderr).toBe("1 file checked, no findings\n");
  });

  test("checks all files before the first commit, and none if nothing is staged", async () => {
    const { cwd, git } = makeChecked({ "a.json": "{" }, false);
    expect((await check(cwd, ["--staged"])).stderr).toBe("0 files checked\n");
    git("add", "a.json");
    expect(namesOf((await check(cwd, ["--staged"])).stdout)).toEqual(["a.json"]);
  });

  test("knows deleted and renamed files, links, submodules and pointers of Git LFS", async () => {
    const { cwd, git, write } = makeChecked({ "gone.json": "{", "old.json": "{" });
    git("rm", "-q", "gone.json");
    git("mv", "old.json", "new.json");
    write({ "big.json": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n" });
    symlinkSync("new.json", join(cwd, "link.json"));
    const inner = makeRepository({ "x.json": "{" });
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.cwd, "lib");
    git("add", "-A");
    const ran = await check(cwd, ["--staged"]);
    expect(namesOf(ran.stdout)).toEqual(["new.json"]);
    expect(ran.stderr).toBe(
      "1 file checked, 1 finding in 1 file; left out: Git LFS pointer big.json, 1 link, submodule lib\n",
    );
  });

  test("in a hook, checks the index of the commit", async () => {
    const { cwd, git, write } = makeChecked({ "a.json": "1", "b.json": "1" });
    write({ "a.json": "{", "b.json": "{" });
    git("add", "a.json");
    // The index that `git commit b.json` gives to its hook.
    const index = join(cwd, ".git/next-index.lock");
    execFileSync("git", ["read-tree", "HEAD"], { cwd, env: { ...gitEnv, GIT_INDEX_FILE: index } });
    execFileSync("git", ["add", "b.json"], { cwd, env: { ...gitEnv, GIT_INDEX_FILE: index } });
    const ran = await check(cwd, ["--staged"], {
      env: { ...gitEnv, GIT_INDEX_FILE: index, GIT_DIR: ".git" },
    });
    expect(namesOf(ran.stdout)).toEqual(["b.json"]);
  });
});

describe("--changed", () => {
  test("checks what differs from HEAD, staged or not, and untracked files", async () => {
    const { cwd, git, write } = makeChecked({
      "a.json": "{",
      "b.json": "1",
      "c.json": "1",
      ".gitignore": "i.json\n",
    });
    write({ "b.json": "{", "c.json": "{", "new.json": "{", "i.json": "{" });
    git("add", "c.json");
    expect(namesOf((await check(cwd, ["--changed"])).stdout)).toEqual(["b.json", "c.json", "new.json"]);
  });

  test("does not take a new time of a file for a change", async () => {
    const { cwd } = makeChecked({ "a.json": "{", "b.json": "{" });
    utimesSync(join(cwd, "a.json"), 1, 1);
    expect((await check(cwd, ["--changed"])).stderr).toBe("0 files checked\n");
  });

  test("checks everything before the first commit", async () => {
    const { cwd, git } = makeChecked({ "a.json": "{", "b.json": "{" }, false);
    git("add", "a.json");
    expect(namesOf((await check(cwd, ["--changed"])).stdout)).toEqual(["a.json", "b.json"]);
  });

  test("names paths from the folder of the checks", async () => {
    const { cwd, write } = makeRepository({
      "part/penknife.checks.yaml": checks,
      "part/a.json": "1",
      "b.json": "1",
    });
    write({ "part/a.json": "{", "b.json": "{", "part/x/new.json": "{" });
    expect(namesOf((await check(join(cwd, "part"), ["--changed"])).stdout)).toEqual(["a.json", "x/new.json"]);
  });
});

describe("--since", () => {
  test("checks what changed since the merge base", async () => {
    const { cwd, git, write } = makeChecked({ "a.json": "{", "b.json": "1" });
    git("checkout", "-q", "-b", "topic");
    write({ "mine.json": "{" });
    git("add", "-A");
    git("commit", "-q", "-m", "Mine");
    git("checkout", "-q", "main");
    write({ "theirs.json": "{" });
    git("add", "-A");
    git("commit", "-q", "-m", "Theirs");
    git("checkout", "-q", "topic");
    write({ "b.json": "{", "new.json": "{" });
    expect(namesOf((await check(cwd, ["--since", "main"])).stdout)).toEqual([
      "b.json",
      "mine.json",
      "new.json",
    ]);
  });

  test.each([
    [
      "nope",
      "nope is no revision of this repository. A clone of a CI job may lack it: git fetch origin nope",
    ],
    ["--output=stolen", "--output=stolen is no revision of this repository."],
    [
      "alone",
      "alone and HEAD have no single commit in common that this clone has. In a shallow clone, fetch more of the history: git fetch --unshallow",
    ],
  ])("%s is a wrong call", async (revision, message) => {
    const { cwd, git } = makeChecked({ "a.json": "{" });
    git("checkout", "-q", "--orphan", "alone");
    git("commit", "-q", "-m", "Alone");
    git("checkout", "-q", "main");
    const ran = await check(cwd, [`--since=${revision}`]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain(`penknife: ${message}`);
    expect(existsSync(join(cwd, "stolen"))).toBe(false);
  });

  test("and the like contradict one another, and need a repository", async () => {
    const { cwd } = makeTree({ "penknife.checks.yaml": checks });
    expect((await check(cwd, ["--staged", "--since", "main"])).stderr).toBe(
      "penknife: Give --staged or --since, not both.\n",
    );
    expect(await check(cwd, ["--staged"])).toMatchObject({
      status: 2,
      stderr: `penknife: ${cwd} is in no Git repository, so it has no changes.\n`,
    });
  });
});

/** Names that break programs: line breaks, quotes, options, pathspecs, bytes that are not UTF-8. */
const hostileNames = [
  Buffer.from("a\nb.json"),
  Buffer.from("'\"`$(x).json"),
  Buffer.from("--staged.json"),
  Buffer.from(":(top)c.json"),
  Buffer.from("H 100644 0000000000000000000000000000000000000000 0\tz.json"),
  Buffer.from("caf\u00e9 \u{1f600}.json"),
  Buffer.concat([Buffer.from("caf"), Buffer.from([0xe9]), Buffer.from(".json")]),
];

describe("hostile names", () => {
  const shown = [
    "'\"`$(x).json",
    "--staged.json",
    ":(top)c.json",
    "H 100644 0000000000000000000000000000000000000000 0\tz.json",
    "a\nb.json",
    "café 😀.json",
    "caf\udce9.json",
  ].toSorted();
  const listed = async (cwd: string, words: readonly string[], given: Given = {}) => {
    const ran = await check(cwd, [...words, "--json"], given);
    const { items } = JSON.parse(ran.stdout) as { items: { file: string; valid: boolean }[] };
    expect(items.filter(({ valid }) => valid)).toEqual([]);
    return items.map(({ file }) => file);
  };
  const write = ({ cwd }: TestRepository) => {
    for (const name of hostileNames) writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), name]), "{");
  };

  test("are listed and read, untracked, tracked, staged, changed and without Git", async () => {
    const tree = makeChecked();
    write(tree);
    expect(await listed(tree.cwd, [])).toEqual(shown);
    expect(await listed(tree.cwd, ["--changed"])).toEqual(shown);
    tree.git("add", "-A");
    expect(await listed(tree.cwd, [])).toEqual(shown);
    expect(await listed(tree.cwd, ["--staged"])).toEqual(shown);
    rmSync(join(tree.cwd, ".git"), { recursive: true });
    expect(await listed(tree.cwd, [])).toEqual(shown);
  });

  test("are shown so that a shell reads them, and no two alike; a URI has their bytes", async () => {
    const tree = makeChecked();
    write(tree);
    const shownNames = (await check(tree.cwd)).stdout.match(/^.+?(?=:1:2: )/gm);
    expect(shownNames).toContain(String.raw`$'caf\xe9.json'`);
    expect(shownNames).toContain(String.raw`$'a\nb.json'`);
    expect(shownNames).toContain("café 😀.json");
    const sarif = (await check(tree.cwd, ["--format", "sarif"])).stdout;
    expect(sarif).toContain('"uri": "caf%E9.json"');
    expect(sarif).toContain('"uri": "caf%C3%A9%20%F0%9F%98%80.json"');
    expect((await check(tree.cwd, ["--list"])).stdout).toContain(String.raw`$'caf\xe9.json': json-validator`);
  });

  test("are read from a list, separated by NUL", async () => {
    const tree = makeChecked();
    write(tree);
    const stdin = Buffer.concat(hostileNames.flatMap((name) => [name, Buffer.from([0])]));
    expect(await listed(tree.cwd, ["--files-from", "-"], { stdin })).toEqual(shown);
    expect(
      await listed(tree.cwd, ["--files-from", "-", "--null"], { stdin: hostileNames[0] as Buffer }),
    ).toEqual(["a\nb.json"]);
    const lines = Buffer.concat([hostileNames[6] as Buffer, Buffer.from("\r\n"), hostileNames[1] as Buffer]);
    writeFileSync(join(tree.cwd, "list"), lines);
    expect(await listed(tree.cwd, ["--files-from", "list"])).toEqual(["'\"`$(x).json", "caf\udce9.json"]);
  });
});

describe("a hostile repository", () => {
  test("runs none of its programs, not even a filter of the files that it compares", async () => {
    const { cwd, git, write } = makeChecked({
      "a.json": "1",
      "b.json": "1",
      ".gitattributes": "*.json filter=evil diff=evil merge=evil\n",
    });
    const marker = join(makeFolder(), "marker");
    const evil = join(
      makeFolder({ evil: `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat 2>/dev/null\n` }),
      "evil",
    );
    chmodSync(evil, 0o755);
    mkdirSync(join(cwd, "hooks"));
    for (const hook of ["post-index-change", "pre-commit", "fsmonitor-watchman", "reference-transaction"]) {
      writeFileSync(join(cwd, "hooks", hook), `#!/bin/sh\n${evil} ${hook}\n`);
      chmodSync(join(cwd, "hooks", hook), 0o755);
    }
    git("branch", "base");
    write({ "a.json": "{" });
    git("add", "a.json");
    write({ "b.json": "{" });
    utimesSync(join(cwd, "a.json"), 1, 1);
    const blob = git("rev-parse", ":a.json").trim();
    for (const [name, value] of Object.entries({
      "core.fsmonitor": evil,
      "core.hooksPath": "hooks",
      "core.pager": evil,
      "core.sshCommand": evil,
      "core.askPass": evil,
      "core.editor": evil,
      "diff.external": evil,
      "diff.evil.command": evil,
      "diff.evil.textconv": evil,
      "filter.evil.clean": evil,
      "filter.evil.smudge": evil,
      "filter.evil.process": evil,
      "interactive.diffFilter": evil,
      "pager.diff-index": "true",
      "pager.ls-files": "true",
      "alias.ls-files": `!${evil}`,
      "extensions.partialClone": "origin",
      "remote.origin.url": `ext::${evil}`,
      "remote.origin.promisor": "true",
      "remote.origin.uploadpack": evil,
      "protocol.allow": "always",
      "protocol.ext.allow": "always",
      "core.worktree": "/",
    }))
      git("--work-tree=.", "config", name, value);
    write({ git: readFileSync(evil) });
    chmodSync(join(cwd, "git"), 0o755);
    const given = { env: { ...gitEnv, PATH: `:.:${gitEnv.PATH}` } };
    for (const words of [[], ["--staged"], ["--changed"], ["--since", "base"], ["--include-ignored"]]) {
      const ran = await check(cwd, words, given);
      expect(namesOf(ran.stdout)).toContain("a.json");
      expect([words, existsSync(marker) ? readFileSync(marker, "utf8") : ""]).toEqual([words, ""]);
    }
    // A blob that is not there must not be fetched.
    rmSync(join(cwd, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    expect(await check(cwd, ["--staged"])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("a.json cannot be read: its blob is missing"),
    });
    expect(existsSync(marker)).toBe(false);
    // The trap works: Git itself runs the programs.
    execFileSync("git", ["--work-tree=.", "status"], { cwd, env: gitEnv, stdio: "ignore" });
    expect(readFileSync(marker, "utf8")).toContain(evil);
  });
});

test("a Git that fetches missing blobs whatever the environment says starts no program for that", async () => {
  const { cwd, git, write } = makeChecked({ "a.json": "1" });
  write({ "a.json": "{" });
  git("add", "a.json");
  const blob = git("rev-parse", ":a.json").trim();
  const marker = join(makeFolder(), "marker");
  // The name of a transport may be one that is allowed, and Git looks for a program of that name among its aliases.
  for (const [name, value] of Object.entries({
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.url": "none::x",
    "alias.remote-none": `!touch ${marker}`,
    "alias.remote-": `!touch ${marker}`,
    "protocol.allow": "always",
    "protocol.none.allow": "always",
  }))
    git("config", name, value);
  rmSync(join(cwd, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  // Git before 2.45, and before the patches of older branches, does not know the variable.
  const old = makeGit(`unset GIT_NO_LAZY_FETCH; PATH=${gitEnv.PATH} exec git "$@"`);
  expect(await check(cwd, ["--staged"], { env: old })).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("a.json cannot be read: its blob is missing"),
  });
  expect(existsSync(marker)).toBe(false);
});

/** A folder with a program `git` that does this. */
function makeGit(script: string): Record<string, string> {
  const bin = makeFolder({ git: `#!/bin/sh\n${script}\n` });
  chmodSync(join(bin, "git"), 0o755);
  return { ...gitEnv, PATH: `${bin}:${gitEnv.PATH}` };
}

describe("without a Git that works", () => {
  test("reads .gitignore itself, and says so; the index needs Git", async () => {
    const { cwd } = makeChecked({ "a.json": "{", "i.json": "{", ".gitignore": "i.json\n" });
    const env = { ...gitEnv, PATH: makeFolder() };
    const ran = await check(cwd, [], { env });
    expect(namesOf(ran.stdout)).toEqual(["a.json"]);
    expect(ran.stderr).toBe(
      "penknife: warning: git is not installed, so .gitignore alone decides which files are left out.\n" +
        "1 file checked, 1 finding in 1 file; left out: 1 ignored file, 1 ignored folder\n",
    );
    expect(await check(cwd, ["--staged"], { env })).toMatchObject({
      status: 3,
      stderr: `penknife: git is not installed, or not on the PATH, so the files of ${cwd} are not known.\n`,
    });
  });

  test("reports that Git refuses the repository of another user, with what to do", async () => {
    const { cwd } = makeChecked({ "a.json": "{" });
    const env = makeGit(`echo "fatal: detected dubious ownership in repository at '${cwd}'" >&2; exit 128`);
    expect(await check(cwd, [], { env })).toMatchObject({
      status: 2,
      stdout: "",
      stderr: `penknife: git does not read ${cwd}, because it belongs to another user. If you trust it: git config --global --add safe.directory ${cwd}\n`,
    });
  });

  test.each([
    ["echo 'fatal: index file corrupt' >&2; exit 128", "git ended with status 128: index file corrupt"],
    ["kill -9 $$", "git ended with SIGKILL: it gave no reason"],
  ])("reports a failure: %s", async (script, message) => {
    const { cwd } = makeChecked({ "a.json": "{" });
    expect(await check(cwd, [], { env: makeGit(script) })).toMatchObject({
      status: 3,
      stdout: "",
      stderr: `penknife: ${message}\n`,
    });
  });
});

describe("hundreds of files", () => {
  const names = Array.from({ length: 300 }, (_, index) => `d${index % 100}/${index}.json`);
  const faulty = names[221] ?? "";
  const expected = {
    status: 1,
    stdout: expect.stringMatching(/^d21\/221\.json:1:2: .+\n$/),
    stderr: "300 files checked, 1 finding in 1 file\n",
  };
  const countGit = (log: string) => makeGit(`echo x >> ${log}; PATH=${gitEnv.PATH} exec git "$@"`);

  test("are listed by two processes of Git, and all checked", async () => {
    const { cwd } = makeChecked(
      Object.fromEntries(names.map((name) => [name, name === faulty ? "{" : "1"])),
      false,
    );
    const log = join(makeFolder(), "log");
    expect(await check(cwd, [], { env: countGit(log) })).toMatchObject(expected);
    expect(readFileSync(log, "utf8")).toBe("x\n".repeat(2));
  });

  test("are read from the index by two processes of Git", async () => {
    const { cwd, git, write } = makeChecked();
    write({ good: "1", bad: "{" });
    const [good, bad] = ["good", "bad"].map((name) => git("hash-object", "-w", name).trim());
    const lines = names.map((name) => `100644 ${name === faulty ? bad : good}\t${name}\n`);
    execFileSync("git", ["update-index", "--index-info"], { cwd, env: gitEnv, input: lines.join("") });
    const log = join(makeFolder(), "log");
    expect(await check(cwd, ["--staged"], { env: countGit(log) })).toMatchObject(expected);
    expect(readFileSync(log, "utf8")).toBe("x\n".repeat(2));
  });
});
