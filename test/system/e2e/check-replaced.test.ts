import { describe, expect, test } from "vitest";
import { findingsOf, makeMain } from "./repository.ts";

const list = `checks:
  - { tool: yaml-validator, files: "*.yaml", with: { lint: [truthy] } }
  - { tool: env-validator, files: "*.env" }
  - { tool: secret-scanner, files: "**/*" }
`;
const token = `ghp_${"a1B2".repeat(9)}`;
const check = async (files: Record<string, string>) =>
  makeMain({ "penknife.checks.yaml": list, ...files }).check("--max-warnings 0");

describe("comments of a program that a tool replaces", () => {
  test.each([
    ["its own line", "a: no # yamllint disable-line rule:truthy\nb: no\n", ["2:4 truthy"]],
    ["the next line", "# yamllint disable-line rule:truthy\na: no\nb: no\n", ["3:4 truthy"]],
    [
      "several rules",
      "a: no\na: no # yamllint disable-line rule:truthy rule:key-duplicates\n",
      ["1:4 truthy"],
    ],
    ["all rules", "a: 1\na: no # yamllint disable-line\nb: no\n", ["3:4 truthy"]],
    [
      "a range",
      "# yamllint disable rule:truthy\na: no\n# yamllint enable rule:truthy\nb: no\n",
      ["4:4 truthy"],
    ],
    [
      "a range, of which a part is enabled",
      "# yamllint disable rule:truthy rule:key-duplicates\na: no\n# yamllint enable rule:truthy\na: no\n",
      ["4:4 truthy"],
    ],
    ["the rest of the file", "a: no\n# yamllint disable\nb: no\nb: no\n", ["1:4 truthy"]],
    ["the file", "# yamllint disable-file\na: [\n", []],
    ["the file, not in the first line", "a: 1\n# yamllint disable-file\nb: no\n", ["3:4 truthy"]],
    ["another rule", "a: no # yamllint disable-line rule:line-length\n", ["1:4 truthy"]],
    ["a rule that yamllint does not have", "# yamllint disable\na: [\n", ["2:4 invalid_document"]],
    ["a word that is none of its", "a: no # yamllint disable-lines rule:truthy\n", ["1:4 truthy"]],
    [
      "an alias in a comment of ours",
      "a: no # penknife-ignore yaml-validator/yamllint/truthy as it was\n",
      [],
    ],
  ])("yamllint: %s", async (_, text, places) => {
    const found = findingsOf(await check({ "a.yaml": text }));
    if (places[0]?.endsWith("invalid_document") === true) expect(found.length).toBe(1);
    else expect(found).toEqual(places.map((place) => `a.yaml:${place}`));
  });

  test.each([
    [`t = ${token} # gitleaks:allow\n`, 0],
    [`t = ${token} # pragma: allowlist secret\n`, 0],
    [`# pragma: allowlist nextline secret\nt = ${token}\n`, 0],
    [`// pragma: allowlist secret\nt = ${token}\n`, 1],
    [`t = ${token} # gitleaks:allows\n`.replace("allows", "deny"), 1],
  ])("secrets: %j", async (text, status) => {
    expect((await check({ "a.txt": text })).status).toBe(status);
  });

  test("dotenv-linter: ranges of rules", async () => {
    const text =
      "# dotenv-linter:off DuplicatedKey, ValueWithoutQuotes\nA=1\nA=2\nB=x y\n# dotenv-linter:on DuplicatedKey\nB=2\nC=x y\n";
    expect(findingsOf(await check({ "a.env": text }))).toEqual(["a.env:6:1 duplicate-key"]);
  });

  test("are counted, and are not reported where they ignore nothing", async () => {
    const { status, stdout, stderr } = await check({
      "a.yaml": "a: no # yamllint disable-line rule:truthy\nb: 1 # yamllint disable-line\n",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toContain("1 ignored by comments");
  });
});

describe("with --checks-from, a comment of another program that the commit lacks ignores nothing", () => {
  const base = {
    "penknife.checks.yaml": list,
    "a.yaml": "# yamllint disable rule:truthy\na: no\n# yamllint enable\nb: 1\n",
  };

  test("and is reported where it would ignore a finding", async () => {
    const repository = makeMain(base);
    repository.commit({
      "a.yaml": `${base["a.yaml"]}c: no # yamllint disable-line rule:truthy\nd: 1 # yamllint disable-line\n`,
      "b.txt": `${token} # gitleaks:allow\n`,
    });
    expect(findingsOf(await repository.check("--checks-from HEAD~1"))).toEqual([
      "a.yaml:5:4 truthy",
      "a.yaml:5:7 added-ignore",
      "b.txt:1:1 github-token",
      "b.txt:1:44 added-ignore",
    ]);
  });

  test("and neither does a range in which a line changes", async () => {
    const repository = makeMain(base);
    repository.commit({ "a.yaml": base["a.yaml"].replace("a: no", "a: no\ne: off") });
    expect(findingsOf(await repository.check("--checks-from HEAD~1"))).toEqual([
      "a.yaml:2:4 truthy",
      "a.yaml:3:4 truthy",
      "a.yaml:1:1 added-ignore",
    ]);
  });

  test("but one that moves with its lines does", async () => {
    const repository = makeMain(base);
    repository.commit({ "a.yaml": `x: 1\nz: 1\n${base["a.yaml"]}` });
    expect((await repository.check("--checks-from HEAD~1")).status).toBe(0);
  });
});
