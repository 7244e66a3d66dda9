import { describe, expect, test } from "vitest";
import { findingsOf, makeMain, type Repository } from "./repository.ts";

const list = `checks:
  - { tool: yaml-validator, files: "*.yaml", with: { lint: [truthy] } }
  - { tool: yaml-formatter, files: "*.yaml" }
  - { tool: json-validator, files: "*.json" }
`;
const old = "a: no\nb:    1\nc: 1\nd: 1\n";
const makeRepository = (files: Record<string, string> = {}): Repository =>
  makeMain({ "penknife.checks.yaml": list, "a.yaml": old, "b.json": '{\n"a": 1,\n"b": 2\n}\n', ...files });

describe("--lines", () => {
  test.each(["--since main", "--changed"])("with %s reports on changed lines alone", async (option) => {
    const { check, git, write } = makeRepository();
    git("checkout", "-q", "-b", "change");
    write({ "a.yaml": "a: no\nb:    1\nc: yes\nd: 1\n" });
    expect(findingsOf(await check(option))).toEqual([
      "a.yaml:1:4 truthy",
      "a.yaml:3:4 truthy",
      "a.yaml:2:4 yaml-formatter",
    ]);
    const narrowed = await check(`${option} --lines`);
    expect(findingsOf(narrowed)).toEqual(["a.yaml:3:4 truthy"]);
    expect(narrowed.status).toBe(1);
    expect(narrowed.stderr).toContain("1 finding in 1 file; 2 on unchanged lines");
  });

  test("passes a change that touches none of the findings, in every format", async () => {
    const { check, write } = makeRepository();
    write({ "a.yaml": `${old}e: 1\n` });
    expect(await check("--changed --lines")).toMatchObject({ status: 0, stdout: "" });
    const json = JSON.parse((await check("--changed --lines --json")).stdout) as { items: object[] };
    expect(json.items).toMatchObject([{ valid: true, errors: [], unchanged: 1 }, { unchanged: 1 }]);
    const sarif = (await check("--changed --lines --format sarif")).stdout;
    expect(JSON.parse(sarif)).toMatchObject({ runs: [{ results: [] }] });
  });

  test("reports a formatter at the first changed line that it would change", async () => {
    const { check, write } = makeRepository();
    write({ "a.yaml": "a: no\nb:    1\nc: 1\nd:     1\n" });
    const { stdout } = await check("--changed --lines --only yaml-formatter");
    expect(stdout).toBe("a.yaml:4:1: yaml-formatter would change the document here. (yaml-formatter)\n");
  });

  test("takes the lines around removed ones for changed: they may lack what is gone", async () => {
    const { check, write } = makeRepository();
    write({ "b.json": '{\n"a": 1,\n}\n' });
    const { stdout, status } = await check("--changed --lines");
    expect(stdout).toMatch(/^b\.json:[23]:\d+: /);
    expect(status).toBe(1);
  });

  test("follows the index with --staged, and counts all of a new file", async () => {
    const { check, git, write } = makeRepository();
    write({ "a.yaml": "a: no\nb:    1\nc: on\nd: 1\n", "new.yaml": "a: off\n" });
    git("add", "-A");
    write({ "a.yaml": "a: no\nb: off\nc: on\nd: 1\n" });
    expect(findingsOf(await check("--staged --lines"))).toEqual(["a.yaml:3:4 truthy", "new.yaml:1:4 truthy"]);
  });

  test("is the same with one tool, and in a file with CRLF line ends", async () => {
    const { check, git, write } = makeRepository({ ".gitattributes": "* text=auto\n" });
    git("config", "core.autocrlf", "true");
    write({ "a.yaml": "a: no\r\nb:    1\r\nc: 1\r\nd: off\r\n" });
    expect(findingsOf(await check("yaml-validator --lint truthy --changed --lines"))).toEqual([
      "a.yaml:4:4 truthy",
    ]);
  });

  test.each([
    ["--lines", "--lines is about changes; add --since REF, --changed or --staged."],
    [
      "--changed --lines --fix",
      "--lines reports on a part of a file, and --fix is about all of it. Leave out one of them.",
    ],
    [
      "--changed --lines --baseline b.ndjson --write-baseline",
      "--write-baseline writes all findings of the files; leave out --lines.",
    ],
  ])("%s is a wrong call", async (line, message) => {
    const { check } = makeRepository();
    expect(await check(line)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  });
});
