import { describe, expect, test } from "vitest";
import { findingsOf, makeMain } from "./repository.ts";

const twice = "a: 1\na: 2\nb: no\n";
const list = (rules: string, more = ""): string =>
  `checks:\n  - tool: yaml-validator\n    files: "*.yaml"\n    with: { lint: [truthy] }\n${more}    rules: ${rules}\n`;
const files = (rules: string, more = ""): Record<string, string> => ({
  "list.yml": list(rules, more),
  "a.yaml": twice,
});

describe("a rule of the list is off, a warning or an error", () => {
  test.each([
    ["{ duplicate-key: off }", ["a.yaml:3:4 truthy"], 1],
    ["{ duplicate-key: warning, truthy: off }", ["a.yaml:2:1 duplicate-key"], 0],
    ["{ duplicate-key: off, truthy: off }", [], 0],
    ["{ yaml-validator/duplicate-key: off }", ["a.yaml:3:4 truthy"], 1],
    // The ids of the program that the tool replaces.
    ["{ key-duplicates: off }", ["a.yaml:3:4 truthy"], 1],
    ["{ yamllint/key-duplicates: off, yamllint/truthy: warning }", ["a.yaml:3:4 truthy"], 0],
  ])("%s", async (rules, places, status) => {
    const { check } = makeMain(files(rules));
    const output = await check("--checks list.yml");
    expect(findingsOf(output)).toEqual(places);
    expect(output.status).toBe(status);
  });

  test("which wins over the severity of the entry", async () => {
    const { check } = makeMain(files("{ truthy: error }", "    severity: warning\n"));
    const { status, stdout } = await check("--checks list.yml");
    expect(stdout).toMatch(/^a\.yaml:2:1: warning: .*\na\.yaml:3:4: no is/);
    expect(status).toBe(1);
  });

  test("in every format of reports alike", async () => {
    const { check } = makeMain(files("{ duplicate-key: warning }"));
    const read = async (format: string) => (await check(`--checks list.yml --format ${format}`)).stdout;
    expect(await read("github")).toMatch(/^::warning file=a\.yaml,line=2,.*\n::error file=a\.yaml,line=3,/);
    const severities = (text: string): unknown[] =>
      (JSON.parse(text) as { severity: string }[]).map(({ severity }) => severity);
    expect(severities(await read("gitlab"))).toEqual(["minor", "major"]);
    const rdjson = JSON.parse(await read("rdjson")) as { diagnostics: { severity: string }[] };
    expect(rdjson.diagnostics.map(({ severity }) => severity)).toEqual(["WARNING", "ERROR"]);
    const sarif = JSON.parse(await read("sarif")) as {
      runs: {
        results: { level: string }[];
        tool: { driver: { rules: { id: string; properties: { tags: string[] } }[] } };
      }[];
    };
    expect(sarif.runs[0]?.results.map(({ level }) => level)).toEqual(["warning", "error"]);
    // Code scanning finds a rule by the id that it had.
    expect(sarif.runs[0]?.tool.driver.rules.map(({ properties }) => properties.tags)).toEqual([
      ["yamllint/key-duplicates"],
      ["yamllint/truthy"],
    ]);
    expect((await read("checkstyle")).match(/severity="\w+"/g)).toEqual([
      'severity="warning"',
      'severity="error"',
    ]);
    expect(await read("junit")).toContain(">a.yaml:2:1: warning: ");
    expect((await read("markdown")).match(/^\| (?:error|warning)/gm)).toEqual(["| error", "| warning"]);
    const json = JSON.parse(await read("json")) as {
      items: { errors: { severity: string; aliases: string[] }[] }[];
    };
    expect(json.items[0]?.errors.map(({ severity, aliases }) => [severity, ...aliases])).toEqual([
      ["warning", "yamllint/key-duplicates"],
      ["error", "yamllint/truthy"],
    ]);
  });

  test("and a formatter whose rule is off changes nothing", async () => {
    const { check } = makeMain({
      "list.yml": 'checks: [{ tool: yaml-formatter, files: "*.yaml", rules: { yaml-formatter: off } }]\n',
      "a.yaml": "a:   1\n",
    });
    expect(await check("--checks list.yml --fix")).toMatchObject({ status: 0, stdout: "" });
    expect(await check("--checks list.yml --diff")).toMatchObject({ status: 0, stdout: "" });
  });

  test.each([
    ["1", "list.yml:5:12: rules must be an object such as {syntax: warning}, got a number."],
    ["{ truthy: loud }", "list.yml:5:22: truthy must be off, warning or error."],
    [
      "{ json-validator/syntax: off }",
      "list.yml:5:14: json-validator/syntax is no rule of yaml-validator; the findings of yaml-validator end with the names of its rules.",
    ],
  ])("%s is a mistake, reported with its place", async (rules, message) => {
    const { check } = makeMain(files(rules));
    expect(await check("--checks list.yml")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
  });
});
