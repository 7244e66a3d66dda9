import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, penknife } from "./host.ts";

const folder = (): string => makeFolder({ "a.json": "{}", "b.json": "[1 2]" });
const check = (cwd: string, ...words: string[]) => penknife(["check", "json-validator", ...words], { cwd });
const read = (cwd: string, name: string): string => readFileSync(join(cwd, name), "utf8");

describe("--output", () => {
  test("writes each report to its file, the same bytes as --format prints, whatever the findings", async () => {
    const cwd = folder();
    const plain = await check(cwd, "*.json");
    const ran = await check(cwd, "--output=json=r.json.out", "--output", "junit=r=1.xml", "*.json");
    expect(ran).toEqual(plain);
    expect(read(cwd, "r.json.out")).toBe((await check(cwd, "--json", "*.json")).stdout);
    expect(read(cwd, "r=1.xml")).toBe((await check(cwd, "--format=junit", "*.json")).stdout);
    expect(readdirSync(cwd).toSorted()).toEqual(["a.json", "b.json", "r.json.out", "r=1.xml"]);
  });

  test("is for standard output if the file is -", async () => {
    const cwd = folder();
    const ran = await check(cwd, "--output=sarif=-", "--output=human=lines", "*.json");
    expect(ran.stdout).toBe((await check(cwd, "--format=sarif", "*.json")).stdout);
    expect(read(cwd, "lines")).toMatch(/^b\.json:1:4: .+ \(syntax\)\n$/);
  });

  test("has no colours in a file, although the terminal has them", async () => {
    const cwd = folder();
    const words = ["check", "json-validator", "b.json", "--output=human=lines"];
    const { stdout } = await penknife(words, { cwd, tty: { stdout: true } });
    expect(stdout).toContain("\u001b[");
    expect(read(cwd, "lines")).not.toContain("\u001b");
  });

  test("replaces a file as a whole, keeps its mode, and follows a link", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "old"), "x".repeat(100_000));
    chmodSync(join(cwd, "old"), 0o640);
    symlinkSync("old", join(cwd, "link"));
    const before = statSync(join(cwd, "old"));
    await check(cwd, "--output=rdjson=link", "a.json");
    const after = statSync(join(cwd, "old"));
    expect(JSON.parse(read(cwd, "old"))).toEqual({ source: { name: "penknife" }, diagnostics: [] });
    // Another file: whoever has the old one open reads it to its end.
    expect(after.ino).not.toBe(before.ino);
    expect(after.mode).toBe(before.mode);
    expect(readdirSync(cwd).toSorted()).toEqual(["a.json", "b.json", "link", "old"]);
  });

  test("is written beside the patch of --diff", async () => {
    const cwd = makeFolder({ "a.json": '{"a":1}' });
    const line = ["check", "json-formatter", "--diff", "a.json"];
    const ran = await penknife([...line, "--output=gitlab=r.json"], { cwd });
    expect(ran).toMatchObject({ status: 1, stdout: expect.stringMatching(/^--- /) as string });
    expect(JSON.parse(read(cwd, "r.json"))).toMatchObject([{ check_name: "json-formatter" }]);
    expect(await penknife([...line, "--output=gitlab=-"], { cwd })).toMatchObject({ status: 2, stdout: "" });
  });

  test("writes to the standard streams and to nowhere under their names", async () => {
    const cwd = folder();
    const ran = await check(
      cwd,
      "--output=checkstyle=/dev/stdout",
      "--output=junit=/dev/stderr",
      "--output=sarif=/dev/null",
      "a.json",
    );
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining("<checkstyle") as string });
    expect(ran.stderr).toContain("<testsuites");
    expect(ran.stdout + ran.stderr).not.toContain("sarif");
  });

  test.each([
    [["--output=junit"], "--output needs a format and a file, such as --output junit=report.xml; got junit."],
    [
      ["--output=junit="],
      "--output needs a format and a file, such as --output junit=report.xml; got junit=.",
    ],
    [["--output==x"], "--output needs a format and a file, such as --output junit=report.xml; got =x."],
    [["--output=junti=x"], "Unknown format junti. Did you mean junit?"],
    [["--output=junit=x", "--output=sarif=./x"], "--output names ./x more than once."],
    [["--output=junit=x", "--output=sarif=link"], "--output names link more than once."],
    [["--output=junit=-", "--output=sarif=-"], "--output names standard output (-) more than once."],
    [["--output=junit=-", "--json"], "--output junit=- is standard output; leave it out, or --json."],
    [["--output=json=-", "--format=json"], "--output json=- is standard output; leave it out, or --format."],
    [["--output=junit=no/x.xml"], "no/x.xml cannot be written: there is no such folder"],
    [["--output=junit=a.json/x.xml"], "a.json/x.xml cannot be written: there is no such folder"],
    [["--output=junit=sub"], "sub cannot be written: it is a folder"],
    [["--max-warnings=many"], '--max-warnings must be a number, got "many".'],
    [["--max-warnings=-1"], '--max-warnings must be a number, got "-1".'],
    [["--write-baseline"], "--write-baseline needs the name of the file: --baseline FILE"],
    [["--baseline=none"], "none cannot be read: there is no such file. Make it with --write-baseline."],
    [["--baseline=a.json"], "a.json:1: This is no line of a baseline. Make the file with --write-baseline."],
  ])("%s is an error before anything is checked", async (words, message) => {
    const cwd = folder();
    mkdirSync(join(cwd, "sub"));
    writeFileSync(join(cwd, "x"), "");
    symlinkSync("x", join(cwd, "link"));
    expect(await check(cwd, ...words, "b.json")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: `penknife: ${message}\n`,
    });
    expect(read(cwd, "x")).toBe("");
  });

  test("is not written if the call turns out to be wrong, for a part of a report looks like a clean one", async () => {
    const cwd = folder();
    const words = ["check", "json-formatter", "--indent=x", "--output=junit=r.xml", "*.json"];
    expect(await penknife(words, { cwd })).toMatchObject({ status: 2 });
    expect(readdirSync(cwd)).not.toContain("r.xml");
  });
});

describe("paths in reports are relative to the root of the repository", () => {
  test.each([
    ["GITHUB_WORKSPACE", {}],
    ["CI_PROJECT_DIR", {}],
    ["the folder with .git", { git: true }],
  ])("%s", async (name, { git = false }: { git?: boolean }) => {
    const root = makeFolder();
    const cwd = join(root, "packages/one");
    mkdirSync(cwd, { recursive: true });
    if (git) {
      mkdirSync(join(root, ".git"));
      writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
    }
    writeFileSync(join(cwd, "a.json"), "[");
    const env = git ? {} : { [name]: root };
    const words = ["check", "json-validator", "a.json"];
    for (const format of ["gitlab", "rdjson", "checkstyle", "junit", "markdown", "sarif", "github"]) {
      const { stdout } = await penknife([...words, `--format=${format}`], { cwd, env });
      expect(stdout).toContain("packages/one/a.json");
      expect(stdout).not.toContain("/packages/one/a.json");
    }
    // People read paths that their shell understands.
    expect((await penknife(words, { cwd, env })).stdout).toMatch(/^a\.json:1:2: /);
  });
});
