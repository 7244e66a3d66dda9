import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runCli } from "../../../src/surfaces/cli/cli.ts";
import { createTestHost, type Given, makeFolder, penknife, shareWorkers } from "./host.ts";
import { gitEnv, makeRepository, makeTree } from "./repository.ts";

const checks = `checks:
  - tool: json-validator
    files: "**/*.json"
`;
const shared = shareWorkers();

/** Starts `penknife check --watch` in this process, and waits for its first report. */
async function startWatch(cwd: string, words: readonly string[] = [], given: Given = {}) {
  const { host, seen, send, raised } = createTestHost({ cwd, env: gitEnv, program: shared, ...given });
  const ended = runCli(["check", "--watch", ...words], host);
  onTestFinished(async () => {
    send("SIGINT");
    await ended;
  });
  let from = { stdout: 0, stderr: 0 };
  /** Waits for the next report, and returns it. */
  async function report(): Promise<{ stdout: string; stderr: string }> {
    const rest = () => {
      const { stdout, stderr } = seen();
      return { stdout: stdout.slice(from.stdout), stderr: stderr.slice(from.stderr) };
    };
    await vi.waitFor(() => expect(rest().stderr).toMatch(/ checked.*\n|^penknife: /), {
      timeout: 60_000,
      interval: 10,
    });
    const { stdout, stderr } = seen();
    const found = rest();
    from = { stdout: stdout.length, stderr: stderr.length };
    return found;
  }
  return { first: await report(), report, seen, send, raised, ended, write: toWriter(cwd) };
}

const toWriter =
  (cwd: string) =>
  (name: string, content: string): void => {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), content);
  };

describe("penknife check --watch", () => {
  test("reports on all files again when one is saved, and checks that one only", async () => {
    const { cwd } = makeRepository({ "penknife.checks.yaml": checks, "a.json": "{", "b.json": "[1" });
    const { first, report, write } = await startWatch(cwd);
    expect(first.stdout.match(/^[^:]+/gm)).toEqual(["a.json", "b.json"]);
    expect(first.stderr).toBe("2 files checked, 2 findings in 2 files\n");
    write("a.json", "{}");
    expect(await report()).toEqual({
      stdout: expect.stringMatching(/^b\.json:1:\d+: [^\n]+\n$/),
      stderr: "2 files checked, 1 finding in 1 file\n",
    });
  });

  test("checks files again whose settings are in a file that is saved", async () => {
    const { cwd } = makeRepository({
      "penknife.checks.yaml": 'checks: [{ tool: editorconfig-checker, files: "**" }]\n',
      ".editorconfig": "[*.txt]\n",
      "a.txt": "a \n",
    });
    const { first, report, write } = await startWatch(cwd);
    expect(first.stdout).toBe("");
    write(".editorconfig", "[*.txt]\ntrim_trailing_whitespace = true\n");
    expect((await report()).stdout).toMatch(/^a\.txt:1:2: .*\(trailing-whitespace\)\n$/);
  });

  test("sees a file that an editor replaces, one that is deleted, and one in a new folder of a new folder", async () => {
    const { cwd } = makeRepository({ "penknife.checks.yaml": checks, "sub/a.json": "{}" });
    const { report, write } = await startWatch(cwd);
    write("sub/.a.json.swp", "{");
    renameSync(join(cwd, "sub/.a.json.swp"), join(cwd, "sub/a.json"));
    expect((await report()).stdout).toMatch(/^sub\/a\.json:1:2: /);
    rmSync(join(cwd, "sub/a.json"));
    expect((await report()).stderr).toContain("0 files checked");
    mkdirSync(join(cwd, "new/deep"), { recursive: true });
    write("new/deep/b.json", "[");
    expect((await report()).stdout).toMatch(/^new\/deep\/b\.json:1:2: /);
    write("new/deep/b.json", "[]");
    expect((await report()).stderr).toBe("1 file checked, no findings\n");
  });

  test("checks hundreds of changes, such as those of git checkout, in few rounds", async () => {
    const names = Array.from({ length: 600 }, (_, at) => `many/${at % 9}/f${at}.json`);
    const { cwd, git } = makeRepository({ "penknife.checks.yaml": checks, "a.json": "{}" });
    git("checkout", "-q", "-b", "other");
    for (const name of names) toWriter(cwd)(name, "[");
    git("add", "-A");
    git("commit", "-q", "-m", "many");
    git("checkout", "-q", "-");
    const { report } = await startWatch(cwd);
    git("checkout", "-q", "other");
    let last = await report();
    let rounds = 1;
    for (; !last.stderr.endsWith("601 files checked, 600 findings in 600 files\n"); rounds++)
      last = await report();
    // However slowly the files appear, none has a round of its own.
    expect(rounds).toBeLessThan(60);
  });

  test("reads the list of checks again, and goes on after a mistake in it", async () => {
    const { cwd } = makeTree({ "penknife.checks.yaml": checks, "a.json": "{", "b.yaml": "a: [" });
    const { first, report, write } = await startWatch(cwd);
    expect(first.stderr).toContain("1 file checked");
    write("penknife.checks.yaml", `${checks}  - tool: yaml-validater\n    files: "*.yaml"\n`);
    expect((await report()).stderr).toMatch(/^penknife: .*yaml-validater/);
    write("penknife.checks.yaml", `${checks}  - tool: yaml-validator\n    files: "*.yaml"\n`);
    const { stdout, stderr } = await report();
    expect(stdout.match(/^[^:]+/gm)).toEqual(["a.json", "b.yaml"]);
    expect(stderr).toContain("3 files checked");
    // The options of a check count as a change of its files.
    write("penknife.checks.yaml", `${checks}    severity: warning\n`);
    expect((await report()).stdout).toMatch(/^a\.json:1:2: warning: /);
  });

  test("prints nothing when nothing differs", async () => {
    const { cwd } = makeRepository({
      "penknife.checks.yaml": checks,
      ".gitignore": "*.log\n",
      "a.json": "{}",
    });
    const { report, write } = await startWatch(cwd);
    write("build.log", "line");
    write("notes.txt", "line");
    write("b.json", "{");
    expect(await report()).toMatchObject({
      stderr: expect.stringMatching(/^2 files checked, 1 finding in 1 file\b/),
    });
  });

  test("reports on a saved file before it lists the repository again", async () => {
    const { cwd } = makeRepository({ "penknife.checks.yaml": checks, "a.json": "{", "b.json": "[1" });
    const programs = makeFolder();
    const gate = join(programs, "closed");
    // Git that waits as long as there is a file.
    writeFileSync(
      join(programs, "git"),
      `#!/bin/sh\nPATH='${gitEnv.PATH}'\nwhile test -e '${gate}'; do sleep 0.01; done\nexec git "$@"\n`,
      { mode: 0o755 },
    );
    const env = { ...gitEnv, PATH: `${programs}:${gitEnv.PATH}` };
    const { report, seen, write } = await startWatch(cwd, [], { env });
    // Only a round notices it.
    write("c.json", "[2");
    expect((await report()).stdout.match(/^[^:]+/gm)).toEqual(["a.json", "b.json", "c.json"]);
    writeFileSync(gate, "");
    write("a.json", "{}");
    expect((await report()).stdout.match(/^[^:]+/gm)).toEqual(["b.json", "c.json"]);
    // The way of editors that keep a copy until the file is written.
    renameSync(join(cwd, "b.json"), join(cwd, "b.json~"));
    write("b.json", "[]");
    rmSync(join(cwd, "b.json~"));
    rmSync(gate);
    expect((await report()).stdout.match(/^[^:]+/gm)).toEqual(["c.json"]);
    const { stdout } = seen();
    write("d.json", "[4");
    expect((await report()).stdout.match(/^[^:]+/gm)).toEqual(["c.json", "d.json"]);
    expect(
      seen()
        .stdout.slice(stdout.length)
        .match(/^[^:]+/gm),
    ).toEqual(["c.json", "d.json"]);
  });

  test("applies a saved schema to the files that it is for", async () => {
    const list = `checks:
  - {tool: json-formatter, files: "*.json"}
  - {tool: json-schema-validator, files: "a.json", with: {schemaFile: schema.json}}
`;
    const schema = (type: string) => `{\n  "type": "${type}"\n}\n`;
    const { cwd } = makeRepository({
      "penknife.checks.yaml": list,
      "a.json": "[]\n",
      "schema.json": schema("array"),
    });
    const { first, report, write } = await startWatch(cwd);
    expect(first.stderr).toBe("2 files checked, no findings\n");
    write("schema.json", schema("object"));
    expect((await report()).stdout).toMatch(/^a\.json:1:1: /);
    write("schema.json", schema("nothing"));
    expect((await report()).stderr).toContain("schemaFile (schema.json)");
    write("schema.json", schema("array"));
    expect((await report()).stderr).toBe("2 files checked, no findings\n");
  });

  test("reports again when the baseline changes", async () => {
    const tree = { "penknife.checks.yaml": checks, "a.json": "{" };
    const { cwd } = makeRepository(tree);
    const given = { cwd, env: gitEnv, program: shared };
    expect((await penknife(["check", "--baseline", "known.ndjson", "--write-baseline"], given)).status).toBe(
      0,
    );
    const known = readFileSync(join(cwd, "known.ndjson"), "utf8");
    const { first, report, write } = await startWatch(cwd, ["--baseline", "known.ndjson"]);
    expect(first.stderr).toContain("1 in the baseline");
    write("known.ndjson", "");
    expect((await report()).stdout).toMatch(/^a\.json:1:2: /);
    write("known.ndjson", known);
    expect((await report()).stderr).toContain("1 in the baseline");
  });

  test("counts a pointer of Git LFS in each report", async () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
    const { cwd } = makeTree({ "penknife.checks.yaml": checks, "a.json": "{", "large.json": pointer });
    const { first, report, write } = await startWatch(cwd);
    expect(first.stderr).toContain("left out: Git LFS pointer large.json");
    write("b.json", "{");
    expect((await report()).stderr).toContain("left out: Git LFS pointer large.json");
  });

  test("clears a terminal before each report, and no pipe", async () => {
    const tree = { "penknife.checks.yaml": checks, "a.json": "{" };
    const piped = await startWatch(makeTree(tree).cwd);
    expect(piped.first.stdout).not.toContain("\u001b");
    const { first, report, write } = await startWatch(makeTree(tree).cwd, [], { tty: { stdout: true } });
    expect(first.stdout.startsWith("\u001b[2J\u001b[3J\u001b[H")).toBe(true);
    write("a.json", "[");
    expect((await report()).stdout.startsWith("\u001b[2J\u001b[3J\u001b[H")).toBe(true);
  });

  test("ends by the signal of Ctrl-C", async () => {
    const { send, raised, ended } = await startWatch(makeTree({ "penknife.checks.yaml": checks }).cwd);
    send("SIGINT");
    expect(await ended).toBe(130);
    expect(raised).toEqual(["SIGINT"]);
  });

  test("does not start with a mistake", async () => {
    const { cwd } = makeTree({ "penknife.checks.yaml": checks });
    const ran = await penknife(["check", "--watch", "--only", "yaml-validator"], { cwd });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    for (const word of [
      "--fix",
      "--diff",
      "--list",
      "--staged",
      "--changed",
      "--since=main",
      "--files-from=main",
      "--write-baseline",
    ]) {
      const refused = await penknife(["check", "--watch", word], { cwd });
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain(`Leave out ${word.replace("=main", "")} or --watch.`);
    }
  });
});
