import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, penknife as runHere, shareWorkers } from "./host.ts";
import { makeTree } from "./repository.ts";

const program = shareWorkers();
const penknife = (line: string, cwd: string) => runHere(line.split(" "), { program, cwd });
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), "utf8");

const trim = "[*]\ntrim_trailing_whitespace = true\n";
const list = 'checks: [{ tool: editorconfig-checker, files: "**" }]\n';
const files = {
  ".editorconfig": `root = true\n${trim}`,
  "penknife.checks.yaml": list,
  "a.txt": "a \n",
  "tabs/.editorconfig": "[*.go]\nindent_style = tab\n",
  "tabs/a.go": "a {\n  b \n}\n",
  "own/.editorconfig": "root = true\n[x/*.txt]\nend_of_line = crlf\n",
  "own/a.txt": "a \n",
  "own/x/a.txt": "a \n",
};

/** Places and rules of the findings. */
const findings = (stdout: string): string[] =>
  Array.from(stdout.matchAll(/^(\S+:\d+):\d+: .*\((\S+)\)$/gm), ([, place, rule]) => `${place} ${rule}`);

test("each file is checked by the files of settings above it, up to the root", async () => {
  const { cwd } = makeTree(files);
  const { status, stdout } = await penknife("check", cwd);
  expect(status).toBe(1);
  expect(findings(stdout)).toEqual([
    "a.txt:1 trailing-whitespace",
    "own/x/a.txt:1 end-of-line",
    "tabs/a.go:2 indent-style",
    "tabs/a.go:2 trailing-whitespace",
  ]);
});

test("a file that is named is checked the same, from a folder below, too", async () => {
  const { cwd } = makeTree({ ...files, ".git/HEAD": "ref: refs/heads/main\n" });
  const { stdout } = await penknife("check editorconfig-checker a.go", join(cwd, "tabs"));
  expect(findings(stdout)).toEqual(["a.go:2 indent-style", "a.go:2 trailing-whitespace"]);
});

test("settings that are given take the place of those above", async () => {
  const { cwd } = makeTree({ ...files, "other.ini": "[*]\ninsert_final_newline = false\n" });
  const { stdout } = await penknife("check editorconfig-checker --editorconfig-file other.ini a.txt", cwd);
  expect(findings(stdout)).toEqual(["a.txt:1 final-newline"]);
});

test("files are fixed as far as that is safe, and the rest is reported", async () => {
  const { cwd } = makeTree({
    ...files,
    "tabs/.editorconfig": "[*.go]\nindent_style = tab\nmax_line_length = 5\n",
    "tabs/a.go": "abcdef \n b \n",
  });
  const { status, stdout, stderr } = await penknife("check --fix", cwd);
  expect(status).toBe(1);
  expect(findings(stdout)).toEqual(["tabs/a.go:1 line-length", "tabs/a.go:2 indent-style"]);
  expect(stdout).toContain("tabs/a.go: fixed (editorconfig-checker)");
  expect(stderr).toContain("3 fixed");
  expect(read(cwd, "tabs/a.go")).toBe("abcdef\n b\n");
  expect(read(cwd, "a.txt")).toBe("a\n");
  expect(read(cwd, "own/x/a.txt")).toBe("a \r\n");
  expect(findings((await penknife("check --fix", cwd)).stdout)).toEqual([
    "tabs/a.go:1 line-length",
    "tabs/a.go:2 indent-style",
  ]);
});

test("a patch shows what would be fixed, and writes nothing", async () => {
  const { cwd } = makeTree(files);
  const { stdout } = await penknife("check --diff", cwd);
  expect(stdout).toContain("-a \n+a\n");
  expect(read(cwd, "a.txt")).toBe("a \n");
});

test("nothing above the repository is read, and no link is followed", async () => {
  const outer = makeFolder({ ".editorconfig": trim, "secret.ini": trim });
  const cwd = join(outer, "repository");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(cwd, "a.txt"), "a \n");
  expect(findings((await penknife("check editorconfig-checker a.txt", cwd)).stdout)).toEqual([]);
  symlinkSync("../secret.ini", join(cwd, ".editorconfig"));
  expect(findings((await penknife("check editorconfig-checker a.txt", cwd)).stdout)).toEqual([]);
});

test("without a repository the current folder is the top", async () => {
  const { cwd: outer } = makeTree({
    ".editorconfig": trim,
    "x/a.txt": "a \n",
    "x/y/.editorconfig": "[*]\nend_of_line = crlf\n",
    "x/y/b.txt": "b \n",
  });
  expect(findings((await penknife("check editorconfig-checker x/a.txt", outer)).stdout)).toEqual([
    "x/a.txt:1 trailing-whitespace",
  ]);
  expect(
    findings((await penknife("check editorconfig-checker a.txt y/b.txt", join(outer, "x"))).stdout),
  ).toEqual(["y/b.txt:1 end-of-line"]);
});

test("settings at fault check nothing more than what can be read of them", async () => {
  const { cwd } = makeTree({
    ...files,
    ".editorconfig": `nonsense\n${trim}[`,
    "big/.editorconfig": "[*]\na=b\n".repeat(150_000),
    "big/a.txt": "a \n",
  });
  const { stdout } = await penknife("check", cwd);
  expect(findings(stdout)).toContain("a.txt:1 trailing-whitespace");
  expect(findings(stdout)).toContain(".editorconfig:1 config");
});
