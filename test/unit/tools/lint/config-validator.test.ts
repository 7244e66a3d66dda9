import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import { configKinds, formatOfFile, kindOfFile } from "../../../../src/lib/config-files/kinds.ts";
import { toSchema, typesOf } from "../../../../src/lib/config-files/to-schema.ts";
import type { Shape } from "../../../../src/lib/config-files/shape.ts";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { openSchema } from "../../../../src/lib/json-schema/validate.ts";
import { toToml } from "../../../../src/lib/toml/to-toml.ts";
import tool from "../../../../src/tools/lint/config-validator.ts";
import { checkTool, runTool } from "../run-tool.ts";
import { bases, mistakes } from "./config-validator-mistakes.ts";

const validate = async (data: string, name: string, more: object = {}): Promise<Report> =>
  JSON.parse(await runTool(tool, { data, name, ...more })) as Report;

/** Writes a document in the format of the file. */
const write = (document: unknown, name: string): string =>
  name.endsWith(".toml") ? toToml(fromJson(JSON.stringify(document))) : JSON.stringify(document);

/** Returns a copy of a document with the value at a path replaced, or removed if it is undefined. */
function alter(base: object, path: string, value: unknown): object {
  const copy = structuredClone(base) as Record<string, unknown>;
  const keys = path.split(/\.(?!json$)/);
  const last = keys.pop() as string;
  let at = copy;
  for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

test("there is a valid file of each kind", () => {
  expect(Object.keys(bases)).toEqual(configKinds.map(({ name }) => name));
});

test.each(Object.entries(bases))("the %s that mistakes are planted in is valid", async (name, document) => {
  expect((await validate(write(document, name), name)).errors).toEqual([]);
});

test.each(mistakes)("%s: %s", async (name, path, value, rule) => {
  const { errors } = await validate(write(alter(bases[name] as object, path, value), name), name);
  if (rule === undefined) expect(errors).toEqual([]);
  else {
    expect(errors.map((one) => one.rule)).toContain(rule);
    expect(errors).toHaveLength(1);
  }
});

test("more than a hundred mistakes are found, and those that are not are these", () => {
  expect(mistakes.filter(([, , , rule]) => rule !== undefined).length).toBeGreaterThanOrEqual(140);
  // What depends on another field, on what a text means, or on settings of other programs is not validated.
  expect(mistakes.flatMap(([kind, path, , rule]) => (rule === undefined ? [`${kind} ${path}`] : []))).toEqual(
    [
      "composer.json authors",
      ".pre-commit-config.yaml repos.0.rev",
      ".readthedocs.yaml build.os",
      "pyproject.toml project.version",
      "pyproject.toml tool",
      "codecov.yml coverage.range",
      "devcontainer.json image",
    ],
  );
});

test("an unknown field is a warning with the nearest known one, or an error", async () => {
  const data = '{\n  "name": "a",\n  "dependecies": {}\n}\n';
  const finding = {
    message: '"dependecies" is not known here. Did you mean "dependencies"?',
    rule: "unknown-key",
    pointer: "/dependecies",
    line: 3,
  };
  expect(await validate(data, "package.json")).toMatchObject({
    valid: true,
    errors: [{ ...finding, severity: "warning" }],
  });
  expect(await validate(data, "package.json", { strict: true })).toMatchObject({
    valid: false,
    errors: [{ ...finding, severity: "error" }],
  });
});

test("in YAML the place of an unknown field is its name, and that of a wrong value the value", async () => {
  const data =
    "version: 2\nupdates:\n  - package-ecosystem: npm\n    directory: /\n    scedule:\n      interval: weekly\n    labels: deps\n";
  const { errors } = await validate(data, ".github/dependabot.yml");
  expect(errors.map(({ rule, line, column }) => [rule, line, column])).toEqual([
    ["unknown-key", 5, 5],
    ["type", 7, 13],
  ]);
});

test("a value that is none of a choice has the nearest, or the choices", async () => {
  const message = async (data: object, name: string) =>
    (await validate(JSON.stringify(data), name)).errors[0]?.message;
  expect(await message({ type: "modul" }, "package.json")).toBe(
    '"modul" is none of the possible values. Did you mean "module"?',
  );
  expect(await message({ type: "esnext" }, "package.json")).toBe(
    'Must be one of "module", "commonjs"; got "esnext".',
  );
  expect(await message({ compilerOptions: { target: "python" } }, "tsconfig.json")).toMatch(
    /^Must be one of "ES3", .* and \d+ more; got "python"\.$/,
  );
});

test.each([
  ["package.json", "package.json", "{}", "json"],
  ["a/b/package.json", "package.json", "{}", "json"],
  [String.raw`a\package.json`, "package.json", "{}", "json"],
  ["tsconfig.build.json", "tsconfig.json", "{}", "jsonc"],
  ["jsconfig.json", "tsconfig.json", "{}", "jsonc"],
  [".eslintrc", ".eslintrc.json", "// a\n{}", "jsonc"],
  [".eslintrc", ".eslintrc.json", "root: true\n", "yaml"],
  [".eslintrc.yml", ".eslintrc.json", "root: true\n", "yaml"],
  [".prettierrc", ".prettierrc", "semi: false\n", "yaml"],
  [".prettierrc.toml", ".prettierrc", "semi = false\n", "toml"],
  [".prettierrc.json5", ".prettierrc", "{semi: false}", "json5"],
  [".babelrc", "babel.config.json", "{}", "json5"],
  [".markdownlint.jsonc", ".markdownlint.json", "{}", "jsonc"],
  [".github/renovate.json5", "renovate.json", "{}", "json5"],
  [".codecov.yaml", "codecov.yml", "", "yaml"],
  ["Kustomization", "kustomization.yaml", "", "yaml"],
  [".devcontainer/devcontainer.json", "devcontainer.json", "{}", "jsonc"],
])("%s is a %s", (path, name, text, format) => {
  const kind = kindOfFile(path);
  expect(kind?.name).toBe(name);
  expect(kind && formatOfFile(kind, path, text)).toBe(format);
});

test.each([
  "",
  "a.json",
  "package.json.bak",
  "mypackage.json",
  ".gitlab-ci.yml",
  "tsconfig.json/a",
  "__proto__",
  "constructor",
])("%j is no file that is known, which the report says with those that are", async (name) => {
  const { valid, errors } = await validate("{}", name);
  expect(valid).toBe(false);
  expect(errors).toMatchObject([{ rule: "unknown-file" }]);
  expect(errors[0]?.message).toContain("package.json, tsconfig.json,");
});

test("a check of files takes the name from the file", () => {
  expect(tool.fileOptions?.("a/tsconfig.json")).toEqual({ name: "a/tsconfig.json" });
});

test("comments and trailing commas are accepted where the program accepts them", async () => {
  const data = '{\n  // comment\n  "compilerOptions": { "strict": true },\n}\n';
  expect((await validate(data, "tsconfig.json")).errors).toEqual([]);
  expect((await validate(data, "package.json")).errors).toMatchObject([{ rule: "syntax", line: 2 }]);
});

test.each([
  ["[]", "package.json"],
  ['"a"', "tsconfig.json"],
  ["", "dependabot.yml"],
  ["- a\n", "mkdocs.yml"],
])("%j is none of %s", async (data, name) => {
  expect((await validate(data, name)).errors).toMatchObject([{ rule: "type", pointer: "" }]);
});

test("names of prototypes are ordinary names", async () => {
  const data =
    '{"name":"a","__proto__":{"type":"x"},"constructor":1,"scripts":{"__proto__":"a","toString":"b"}}';
  expect((await validate(data, "package.json")).errors).toEqual([]);
  expect((await validate('{"tasks":{},"__proto__":1}', "turbo.json")).errors).toMatchObject([
    { rule: "unknown-key" },
  ]);
});

test("no depth and no number of findings ends more than the call", async () => {
  const nested = `{"exports":${'{"a":'.repeat(400)}"./a"${"}".repeat(400)}}`;
  expect((await validate(nested, "package.json")).errors).toEqual([]);
  expect((await validate(`{"exports":${"[".repeat(100_000)}`, "package.json")).errors).toMatchObject([
    { rule: "syntax" },
  ]);
  const many = JSON.stringify({
    tasks: {},
    ...Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 1])),
  });
  expect((await validate(many, "turbo.json")).errors).toHaveLength(100);
});

test("the schemas are valid, and their alternatives differ in type, so that a message says what is wrong", async () => {
  for (const { name, shape } of configKinds) {
    const options = { draft: undefined, formats: true, documents: new Map() };
    await expect(openSchema(toSchema(shape), options), name).resolves.toBeDefined();
    for (const one of shapesOf(shape)) {
      if (one.kind !== "either") continue;
      const scalars = one.shapes
        .filter(({ kind }) => kind !== "object" && kind !== "map")
        .flatMap((each): readonly string[] => typesOf(each) ?? ["any"]);
      expect(new Set(scalars).size, `${name}: ${JSON.stringify(scalars)}`).toBe(scalars.length);
    }
  }
});

/** All shapes within one, each once. */
function shapesOf(root: Shape): Shape[] {
  const found = new Set<Shape>();
  const names = new Set<string>();
  const waiting = [root];
  for (let shape = waiting.pop(); shape !== undefined; shape = waiting.pop()) {
    if (found.has(shape)) continue;
    found.add(shape);
    if (shape.kind === "list" || shape.kind === "map") waiting.push(shape.of);
    if (shape.kind === "either") waiting.push(...shape.shapes);
    if (shape.kind === "object") waiting.push(...shape.fields.values());
    if (shape.kind === "later" && !names.has(shape.name)) {
      names.add(shape.name);
      waiting.push(shape.get());
    }
  }
  return [...found];
}

test("check mode is the report", async () => {
  expect(await checkTool(tool, { data: '{"type":"x"}', name: "package.json" })).toMatchObject({
    valid: false,
  });
});

test("the files of penknife itself have no finding", async () => {
  const root = new URL("../../../../", import.meta.url);
  for (const name of ["package.json", "tsconfig.json"])
    expect((await validate(readFileSync(new URL(name, root), "utf8"), name)).errors).toEqual([]);
});
