import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { penknife, shareWorkers } from "./host.ts";
import { gitEnv, makeRepository } from "./repository.ts";
import { testRuntime } from "../../support/runtime.ts";

const program = shareWorkers();
const list = 'checks:\n  - tool: json-formatter\n    files: ["**/*.json"]\n';
const fixed = '{\n  "a": 1\n}\n';

function makeStaged(files: Record<string, string | Uint8Array>) {
  const repository = makeRepository({ "penknife.checks.yaml": list });
  repository.write(files);
  repository.git("add", "-A");
  const fix = (cwd = repository.cwd, env: Record<string, string> = {}) =>
    penknife(["check", "--staged", "--fix"], { cwd, env: { ...gitEnv, ...env }, program });
  const staged = (name: string) => repository.git("show", `:${name}`);
  const read = (name: string) => readFileSync(join(repository.cwd, name), "utf8");
  return { ...repository, fix, staged, read };
}

describe("check --staged --fix", () => {
  test("fixes the file and adds it, with its mode, and leaves others alone", async () => {
    const names = ["a.json", "sub/my file.json", 'sub/a\nb\t"c".json'];
    const files = Object.fromEntries(names.map((name) => [name, '{"a":1}\n']));
    const { cwd, write, git, fix, staged, read } = makeStaged({ ...files, "ok.json": fixed });
    chmodSync(join(cwd, "a.json"), 0o755);
    git("add", "a.json");
    write({ "untracked.json": "[ ]" });
    expect(await fix()).toMatchObject({ status: 0, stderr: "4 files checked, 3 fixed, no findings\n" });
    for (const name of names) expect([staged(name), read(name)]).toEqual([fixed, fixed]);
    expect(git("ls-files", "-s", "a.json")).toMatch(/^100755 /);
    expect(git("diff", "--name-only")).toBe("");
    expect(read("untracked.json")).toBe("[ ]");
    expect((await fix()).stderr).toBe("4 files checked, no findings\n");
  });

  test("works from a folder below the root", async () => {
    const { cwd, fix, staged, read } = makeStaged({ "sub/a.json": '{"a":1}\n' });
    expect(await fix(join(cwd, "sub"))).toMatchObject({
      status: 0,
      stdout: "a.json: fixed (json-formatter)\n",
    });
    expect([staged("sub/a.json"), read("sub/a.json")]).toEqual([fixed, fixed]);
  });

  test("leaves a file that has changes that are not staged", async () => {
    const { write, fix, staged, read } = makeStaged({ "a.json": '{"a":1}\n', "b.json": '{"a":1}\n' });
    write({ "a.json": '{"a":2}\n' });
    const ran = await fix();
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain(
      "a.json: The file was left as it is: it has changes that are not staged; stage or stash them first. (not-fixed)\n",
    );
    expect([staged("a.json"), read("a.json")]).toEqual(['{"a":1}\n', '{"a":2}\n']);
    expect([staged("b.json"), read("b.json")]).toEqual([fixed, fixed]);
  });

  test("passes a file with changes that are not staged if what is staged is right", async () => {
    const { write, fix, staged, read } = makeStaged({ "a.json": fixed });
    write({ "a.json": "[ ]" });
    expect(await fix()).toMatchObject({ status: 0 });
    expect([staged("a.json"), read("a.json")]).toEqual([fixed, "[ ]"]);
  });

  test("leaves a file that is gone, or that Git stores with other line ends", async () => {
    const { cwd, write, git, fix, staged, read } = makeStaged({ "gone.json": "[ ]" });
    rmSync(join(cwd, "gone.json"));
    write({ "crlf.json": '{"a":1}\r\n' });
    git("-c", "core.autocrlf=true", "add", "crlf.json");
    const ran = await fix();
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain("it is not in the work tree. (not-fixed)");
    expect(ran.stdout).toContain(
      "Git stores it with other line ends than it has in the work tree. (not-fixed)",
    );
    expect([staged("crlf.json"), read("crlf.json")]).toEqual(['{"a":1}\n', '{"a":1}\r\n']);
    expect(existsSync(join(cwd, "gone.json"))).toBe(false);
  });

  test("changes nothing while the index is locked", async () => {
    const { cwd, fix, staged, read } = makeStaged({ "a.json": "[ ]" });
    const lock = join(cwd, ".git/index.lock");
    writeFileSync(lock, "");
    const ran = await fix();
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toMatch(
      /^penknife: The index of Git is locked by .+\.git\/index\.lock: .+ Nothing was fixed\.\n$/,
    );
    expect([staged("a.json"), read("a.json")]).toEqual(["[ ]", "[ ]"]);
    expect(readFileSync(lock, "utf8")).toBe("");
  });

  test("takes its changes back if the index is locked or changed meanwhile", async () => {
    for (const [disturb, message, status] of [
      ["lock", /is locked by .+ Nothing was fixed/, 3],
      ["stage", /The index has changed since it was read\. Nothing was fixed/, 2],
    ] as const) {
      const { cwd, git, staged, read } = makeStaged({ "a.json": "[ ]", "b.json": "[ ]" });
      const ran = await penknife(["check", "--staged", "--fix"], {
        cwd,
        env: gitEnv,
        program,
        host: {
          // Called for the name of a temporary file: after the first look at the index, and before its change.
          runtime: testRuntime({
            random: (size) => {
              if (disturb === "lock") writeFileSync(join(cwd, ".git/index.lock"), "");
              else
                git(
                  "update-index",
                  "--cacheinfo",
                  "100644",
                  git("hash-object", "-w", "penknife.checks.yaml").trim(),
                  "b.json",
                );
              return crypto.getRandomValues(new Uint8Array(size));
            },
          }),
        },
      });
      expect(ran.stderr).toMatch(message);
      expect(ran.status).toBe(status);
      expect([staged("a.json"), read("a.json"), read("b.json")]).toEqual(["[ ]", "[ ]", "[ ]"]);
      expect(staged("b.json")).toBe(disturb === "lock" ? "[ ]" : list);
    }
  });

  test("names the files that it could not take back", async () => {
    const { cwd, staged, read } = makeStaged({ "a.json": "[ ]" });
    const random = (size: number) => {
      writeFileSync(join(cwd, ".git/index.lock"), "");
      return crypto.getRandomValues(new Uint8Array(size));
    };
    const running = penknife(["check", "--staged", "--fix"], {
      cwd,
      env: gitEnv,
      program,
      host: { runtime: testRuntime({ random }) },
    });
    await expect.poll(() => read("a.json"), { interval: 5, timeout: 60_000 }).toBe("[]");
    writeFileSync(join(cwd, "a.json"), "[1]");
    const ran = await running;
    expect(ran.status).toBe(3);
    expect(ran.stderr).toMatch(/ Fixed, but not added to the index: a\.json\n$/);
    expect([staged("a.json"), read("a.json")]).toEqual(["[ ]", "[1]"]);
  });

  test("refuses the temporary index of a commit with names", async () => {
    const { cwd, fix, read } = makeStaged({ "a.json": "[ ]" });
    const index = join(cwd, ".git/next-index-4242.lock");
    writeFileSync(index, readFileSync(join(cwd, ".git/index")));
    const ran = await fix(cwd, { GIT_INDEX_FILE: index });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain("Stage the files with git add, and commit without names.");
    expect(read("a.json")).toBe("[ ]");
  });

  test("is part of a commit as a hook, also with the index of git commit -a", async () => {
    const { cwd, git, fix, write } = makeStaged({ "a.json": fixed });
    git("commit", "-qm", "One");
    write({ "a.json": "[ ]" });
    const lock = join(cwd, ".git/index.lock");
    // As git commit -a does: it writes the index into its lock, and the hook gets that.
    git("add", "a.json");
    writeFileSync(lock, readFileSync(join(cwd, ".git/index")));
    expect(await fix(cwd, { GIT_INDEX_FILE: lock })).toMatchObject({ status: 0 });
    rmSync(join(cwd, ".git/index"));
    writeFileSync(join(cwd, ".git/index"), readFileSync(lock));
    rmSync(lock);
    expect(git("show", ":a.json")).toBe("[]");
  });
});

test("check --staged --diff prints a patch for the index", async () => {
  const { cwd, git, write } = makeStaged({ "a.json": '{"a":1}\n' });
  write({ "a.json": "other" });
  const ran = await penknife(["check", "--staged", "--diff"], { cwd, env: gitEnv, program });
  expect(ran.status).toBe(1);
  writeFileSync(join(cwd, "fix.patch"), ran.stdout);
  git("apply", "--cached", "fix.patch");
  expect(git("show", ":a.json")).toBe(fixed);
});
