import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findingsOf, makeFolder, makeMain, type Repository } from "./repository.ts";

const proposal = async ({ check }: Repository): Promise<string> => (await check("init --dry-run")).stdout;

/** The entry of a tool, which may be a comment, without indentation. */
function blockOf(text: string, tool: string): string {
  const plain = text.replaceAll(/^ +(?:# (?=- |  ))?/gm, (margin) => (margin.includes("#") ? "" : margin));
  const entries = plain.split(/^(?= *- (?:tool|exclude):)|^ *#.*\n|^\n/m);
  const entry = entries.find((one) => one?.includes(`tool: ${tool}\n`)) ?? "";
  return entry.replaceAll(/^ +/gm, "");
}

/** Makes the formatters that the list has as comments checks. */
const withFormatters = (text: string): string =>
  text.replaceAll(
    /^( *)# (- tool: (?:json|yaml|toml|xml|graphql)-formatter\n(?: *# {3}.+\n)*)/gm,
    (_, margin: string, block: string) => `${margin}${block.replaceAll(/^ *# /gm, margin)}`,
  );

const files = {
  "package.json": '{\n    "name": "x"\n}\n',
  "tsconfig.json": '{\n    // why\n    "files": []\n}\n',
  "a.yaml": "a:\n    - b\nc: { d: 1 }\n",
  "chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n",
  "chart/templates/a.yaml": "a: {{ .x }}\n",
  "chart/templates/b.yaml": "{{- if .x }}\na: 1\n{{- end }}\n",
  "log.json": '{"a":1}\n{"a":2}\n',
};

describe("check init", () => {
  test("gives formatters the exclusions of validators and the indentation of .editorconfig, which pass the list itself", async () => {
    const repository = makeMain({
      ...files,
      ".editorconfig":
        "root = true\n[*]\nindent_size = 2\n[*.{json,yaml}]\nindent_style = space\nindent_size = 4\n",
    });
    const text = await proposal(repository);
    expect(blockOf(text, "yaml-validator")).toBe(
      '- tool: yaml-validator\nfiles: "**/*.yaml"\nexclude: "chart/templates"\n',
    );
    expect(blockOf(text, "yaml-formatter")).toBe(
      '- tool: yaml-formatter\nfiles: "**/*.yaml"\nexclude: "chart/templates"\nwith: { indent: 4 }\n',
    );
    expect(blockOf(text, "json-formatter")).toBe(
      '- tool: json-formatter\nfiles: "**/*.json"\nexclude: "log.json"\nwith: { indent: 4 }\n',
    );
    expect(blockOf(text, "ndjson-validator")).toBe('- tool: ndjson-validator\nfiles: "log.json"\n');
    await repository.check("init");
    expect(await repository.check("--format human")).toMatchObject({ status: 0, stdout: "" });
    repository.write({ "penknife.checks.yaml": withFormatters(text) });
    const { stdout } = await repository.check("--list");
    expect(stdout).toContain("penknife.checks.yaml: yaml-validator, secret-scanner, yaml-formatter\n");
    expect(stdout).toContain(
      "tsconfig.json: json-validator, config-validator, editorconfig-checker, secret-scanner, json-formatter\n",
    );
    expect(findingsOf(await repository.check("--format human"))).toEqual([]);
  });

  test.each([
    [".prettierrc", "{}"],
    ["web/prettier.config.js", "export default {};\n"],
    ["package.json", '{ "prettier": {} }'],
  ])("proposes no formatter where Prettier formats: %s", async (name, text) => {
    const repository = makeMain({ ...files, [name]: text });
    const list = await proposal(repository);
    expect(list).toContain(`# Prettier formats this repository (${name}), so no formatter is proposed.`);
    expect(list).not.toMatch(/tool: \w+-formatter/);
    repository.write({ "penknife.checks.yaml": list });
    expect((await repository.check("--format human")).status).toBe(0);
  });

  test("takes over what .yamllint turns on, off and ignores", async () => {
    const settings = `extends: default
ignore: |
  vendor/
  *.gen.yaml
rules:
  indentation: { spaces: 2 }
  key-duplicates: disable
  key-ordering: enable
  line-length: disable
`;
    const repository = makeMain({
      ".yamllint.yaml": settings,
      "a.yaml": "a: 1\na: 2\n",
      "vendor/b.yaml": "a: [\n",
      "b/x.gen.yaml": "a: [\n",
    });
    const text = await proposal(repository);
    expect(blockOf(text, "yaml-validator")).toBe(`- exclude:
- "**/vendor"
- "**/*.gen.yaml"
files: "**/*.yaml"
rules: { truthy: warning }
tool: yaml-validator
with: { duplicateKeys: allow, lint: [indent, truthy, key-order] }
`);
    repository.write({ "penknife.checks.yaml": text });
    expect(await repository.check("--format human")).toMatchObject({ status: 0, stdout: "" });
  });

  test("runs the checks once, and names the folder with most of the findings", async () => {
    const vectors = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`test/testvectors/${index}.json`, "[1,\n2,,\n"]),
    );
    const repository = makeMain({ ...vectors, "a.json": "{", "b.yaml": "a: 1\n" });
    const { status, stderr } = await repository.check("init");
    expect(status).toBe(0);
    const [, all, inside] =
      /They find (\d+) findings, (\d+) of them in test\/testvectors\/: exclude it, or write a baseline, so that only new ones fail: penknife check --write-baseline --baseline penknife\.baseline\.ndjson\n$/.exec(
        stderr,
      ) ?? [stderr];
    expect([Number(all) - Number(inside), Number(inside) >= 12]).toEqual([1, true]);
    await repository.check("--write-baseline --baseline penknife.baseline.ndjson");
    expect((await repository.check("--baseline penknife.baseline.ndjson")).status).toBe(0);
    // The baseline is named from then on, and is no document for the checks of JSON Lines.
    await repository.check("init --force");
    const text = readFileSync(join(repository.cwd, "penknife.checks.yaml"), "utf8");
    expect(text).toMatch(/^baseline: "penknife\.baseline\.ndjson"$/m);
    expect(text).not.toContain("ndjson-validator");
    expect((await repository.check("--format human")).status).toBe(0);
  });

  test("says when there is nothing to find", async () => {
    const repository = makeMain({ "a.json": "{}" });
    expect((await repository.check("init")).stderr).toMatch(/\nThey find nothing\. Run penknife check\.\n$/);
  });

  test("reads no settings through links, and makes nothing of broken ones", async () => {
    const outside = makeFolder();
    writeFileSync(join(outside, "x"), "extends: default\n[*]\nindent_size = 8\n");
    const repository = makeMain({ "a.yaml": "a: no\n", "a.json": "{}\n", ".yamllint.yml": "rules: [\n" });
    for (const name of [".yamllint", ".editorconfig", ".prettierrc"])
      symlinkSync(join(outside, "x"), join(repository.cwd, name));
    const text = await proposal(repository);
    expect(text).not.toMatch(/^ {4}with: \{ lint|with: \{ indent/m);
    expect(text).not.toContain(".yamllint");
    expect(text).toContain("# - tool: json-formatter");
  });
});
