import { describe, expect, test } from "vitest";
import { findingsOf, makeMain } from "./repository.ts";

const list = `checks:
  - { tool: yaml-validator, files: "**/*.yaml" }
  - { tool: yaml-formatter, files: "**/*.yaml" }
  - { tool: kubernetes-validator, files: "**/*.yaml" }
  - { tool: json-validator, files: "**/*.json" }
  - { tool: json-formatter, files: "**/*.json" }
  - { tool: xml-validator, files: "**/*.xml" }
  - { tool: secret-scanner, files: "**/*" }
`;

describe("a template is one finding, wherever it is", () => {
  test.each([
    [
      "Go",
      "deploy.yaml",
      'apiVersion: v1\nkind: {{ .Values.kind }}\nmetadata:\n  {{- with .Values.x }}\n  name: {{ . }}\n  {{- end }}\n  a: "{{ default "b" .c }}"\n',
      "2:7",
      "a Go template",
    ],
    ["Jinja", "a.yaml", "a: 1\n{% if b %}\nb: {{ b }}\n{% endif %}\n", "2:1", "a Jinja template"],
    ["ERB", "a.yaml", "<% if x %>\na: 1\n b: [\n<% end %>\n", "1:1", "an ERB template"],
    ["Mustache", "a.json", '{\n  {{#a}}\n  "b": {{b}},\n  {{/a}}\n}\n', "2:3", "a Mustache template"],
    ["any other", "a.json", '{ "a": {{ a }} }\n', "1:8", "a template"],
    ["a value in quotes", "a.yaml", 'a: "{{ f "x" }}"\n', "1:5", "a template"],
    ["markup", "a.xml", "<a>\n<% if b %>\n<b>\n</a>\n", "2:1", "an ERB template"],
  ])("%s", async (_, name, text, place, language) => {
    const { check } = makeMain({ "penknife.checks.yaml": list, [name]: text });
    const { status, stdout } = await check(name);
    expect(stdout.trimEnd().split("\n").length, stdout).toBe(1);
    expect(stdout).toContain(
      `${name}:${place}: This is ${language}, to be filled in before it is checked: exclude it, or check what it renders to. As it is`,
    );
    expect(stdout).toMatch(/\/template\)\n$/);
    expect(status).toBe(1);
  });

  test("secrets in it are still found, and a list can switch the rule off", async () => {
    const text = `a: {{ .b }}\ntoken: ghp_${"a1B2".repeat(9)}\n c: [\n`;
    const { check, write } = makeMain({ "penknife.checks.yaml": list, "t.yaml": text });
    expect(findingsOf(await check("t.yaml"))).toEqual(["t.yaml:1:4 template", "t.yaml:2:8 github-token"]);
    write({
      "penknife.checks.yaml": 'checks: [{ tool: yaml-validator, files: "*", rules: { template: off } }]\n',
    });
    expect(await check("t.yaml")).toMatchObject({ status: 0, stdout: "" });
  });

  test.each([
    ["expressions of GitHub", "a.yaml", "run: echo ${{ github.ref }}\nb: 1\nb: 2\n"],
    ["a placeholder in a value", "a.yaml", "cmd: go build {{.Name}}\nb: 1\nb: 2\n"],
    ["a string", "a.yaml", "a: \"{{ x }}\"\nb: '{% y %}'\nb: 2\n"],
    ["a comment", "a.yaml", "a: 1 # {{ .x }}\n# {% if %}\na: 2\n"],
    ["a block scalar", "a.yaml", "a: |\n  {{ .x }}\n  {% if y %}\nb: 1\nb: 2\n"],
    ["a string of JSON", "a.json", '{"a": "{{ x }}", "a": 2}\n'],
  ])("%s makes no template", async (_, name, text) => {
    const { check } = makeMain({ "penknife.checks.yaml": list, [name]: text });
    const { stdout } = await check(`--only ${name.endsWith("json") ? "json" : "yaml"}-validator ${name}`);
    expect(stdout).toMatch(/\(duplicate-key\)\n$/);
  });
});

describe("JSON Lines in a file called .json", () => {
  test("are one finding that says so", async () => {
    const { check } = makeMain({ "penknife.checks.yaml": list, "log.json": '{"a":1}\n\n{"a":2}\n[3]\n' });
    const { status, stdout } = await check("log.json");
    expect(stdout).toMatch(
      /^log\.json:1:1: Each line of this file is a JSON document: check it with ndjson-validator, and exclude it here\. As it is in line 3: .* \(json-validator\/json-lines\)\n$/,
    );
    expect(status).toBe(1);
  });

  test("and documents that are broken are not", async () => {
    const { check } = makeMain({
      "penknife.checks.yaml": list,
      "a.json": '{"a":1}\n{"a":2\n',
      "b.json": "1\n2\n",
    });
    const { stdout } = await check("--only json-validator");
    expect(stdout).not.toContain("json-lines");
    expect(stdout).toContain("a.json:2:1: ");
    expect(stdout).toContain("b.json:2:1: ");
  });
});
