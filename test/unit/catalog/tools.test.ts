import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { execute, type AnswerForm } from "../../../src/catalog/execute.ts";
import { fieldsOf, inputSchemaOf } from "../../../src/catalog/fields.ts";
import type { CheckKind } from "../../../src/catalog/tool.ts";
import { tools } from "../../../src/tools/index.ts";
import { isChosen } from "../../support/cases.ts";
import { context } from "../tools/run-tool.ts";

const folder = new URL("../../../src/tools/", import.meta.url);
const catalog = createCatalog(tools);
const all = await catalog.all();
const categories = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
// A file in a category is a tool; files beside index.ts are what several tools share.
const files = categories.flatMap((category) =>
  readdirSync(new URL(`${category}/`, folder)).map((file) => `${category}/${file}`),
);

test("the list is the folder: every file is a tool, every tool is a file, every category a folder", () => {
  expect(all.map(({ category, slug }) => `${category}/${slug}.ts`).toSorted()).toEqual(files.toSorted());
  expect(Object.keys(tools).toSorted()).toEqual(categories.toSorted());
});

const grammar =
  /^[a-z\d]+(?:-[a-z\d]+)*-(?:detector|formatter|minifier|validator|linter|encoder|decoder|generator|parser|tester|sorter|converter|verifier|checker|matcher|query|patcher|canonicalizer|redactor|differ|comparer|replacer|filter|normalizer|renderer|stripper|escaper|unescaper|scanner|calculator|statistics|applier|merger|flattener|unflattener|editor)$|^[a-z\d]+(?:-[a-z\d]+)*-to-[a-z\d]+$/;

/** The question in a name that check mode answers; a tool whose result is a value, a search or another document has none. */
const checkModes: readonly [RegExp, CheckKind][] = [
  [/-(?:validator|linter|verifier|checker|scanner)$/, "report"],
  [/-(?:formatter|minifier|canonicalizer|normalizer|sorter|stripper)$/, "change"],
  // Whether a certificate matches its key, whether one env file has the variables of another.
  [/^(?:certificate-key-matcher|env-comparer)$/, "report"],
  [/^(?:(?:json|text|graphql|openapi)-differ|list-comparer|three-way-merger)$/, "difference"],
  // Decoders that accept more than their specification.
  [/^(?:base64|hex)-decoder$/, "strict"],
  // Parsers of such files differ.
  [/^env-to-json$/, "warnings"],
  // Whether it reads the document, for formats without a validator.
  [/^data-converter$/, "warnings"],
  // A text with nothing to mask is unchanged; json-redactor serializes its document in its own layout.
  [/^text-redactor$/, "change"],
  // Whether the values of a file are those that the edits set.
  [/^(?:json|yaml|toml)-editor$/, "change"],
];

const chosen = all.filter(({ slug }) => isChosen(slug));
describe.each(chosen.map((tool) => [tool.slug, tool] as const))("%s", (slug, tool) => {
  const source = readFileSync(new URL(`${tool.category}/${slug}.ts`, folder), "utf8");
  const fields = fieldsOf(tool.input);

  test("names and describes itself", () => {
    expect(slug).toMatch(grammar);
    expect(tool.title).toMatch(/^[A-Z][\w ]+$/);
    expect(tool.title.toLowerCase().replaceAll(" ", "-")).toBe(slug);
    expect(tool.summary).toMatch(/^[A-Z][^.!?]*(?:\([^)]*\))?\.$/);
    expect(tool.summary.length).toBeLessThanOrEqual(110);
    expect(tool.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test("has flat fields, each described, the document first", () => {
    for (const field of fields) {
      expect(field.name).toMatch(/^[a-z][A-Za-z\d]*$/);
      expect(field.description, field.name).toMatch(/^[A-Za-z\d].{5,}[^.]$/);
      // A field that a caller may leave out says what happens then: by a default, or in words.
      if (!field.required && field.default === undefined)
        expect(inputSchemaOf(tool.input)).not.toHaveProperty(["required", field.name]);
    }
    const data = fields.findIndex(({ name }) => name === "data");
    expect(data).toBeLessThanOrEqual(0);
    if (data === 0) expect(fields[0]).toMatchObject({ type: "string", required: true, list: false });
  });

  test("says what it does when a boolean that defaults to true is off", () => {
    const on = fields.filter(
      ({ type, list, default: value }) => type === "boolean" && !list && value === true,
    );
    const { whenOff = {} } = tool;
    expect(Object.keys(whenOff).toSorted()).toEqual(on.map(({ name }) => name).toSorted());
    for (const { name, description } of on) {
      expect(whenOff[name], name).toMatch(/^(?!Not|Whether)[A-Z].{5,}[^.]$/);
      expect(whenOff[name], name).not.toBe(description);
    }
  });

  test("bounds each number, list and text that is not a document", () => {
    const { properties } = inputSchemaOf(tool.input) as {
      properties: Record<string, Record<string, unknown>>;
    };
    for (const { name, type, list, values } of fields) {
      const schema = properties[name] ?? {};
      if (list) expect(schema, name).toHaveProperty("maxItems");
      else if (type === "integer" || type === "number") {
        expect(schema, name).toHaveProperty("minimum");
        expect(schema["maximum"], name).toBeLessThan(2 ** 31);
      } else if (
        type === "string" &&
        values === undefined &&
        name !== "data" &&
        schema["format"] === undefined
      ) {
        expect(schema, name).toHaveProperty("maxLength");
      }
    }
  });

  test("is one file of 20 to 80 lines, with one definition, exported by default", () => {
    // The names by which a tool is found, and the arrangement of its page, are no part of what it does.
    const lines = source
      .replace(/^ {2}(?:accepts|aliases):\s+".*",\n/gm, "")
      .replace(/^ {2}page: \{(?: .* |\n[\s\S]*?\n {2})\},\n/m, "")
      .trimEnd()
      .split("\n").length;
    expect(lines).toBeGreaterThanOrEqual(20);
    expect(lines).toBeLessThanOrEqual(80);
    expect(source.match(/^export /gm)).toEqual(["export "]);
    expect(source).toContain("export default defineTool({");
  });

  test("has a page that names fields and values of the tool alone", () => {
    const {
      tile = "",
      options = [],
      second,
      labels = {},
      start = {},
      layout,
      title,
      regex,
      zones = [],
    } = tool.page ?? {};
    if (title !== undefined) expect(title).toMatch(/^[.A-Z](?=.{1,23}$)(?!.* $)[^;:]+$/);
    expect(title).not.toBe(tool.title);
    expect(tile.length).toBeGreaterThan(0);
    expect([...tile].length).toBeLessThanOrEqual(36);
    expect(tool.page?.view).toMatch(/^[a-z]+(?:[:+][a-z]+)*$/);
    const named = [...options, ...zones, ...Object.keys(start), ...(second === undefined ? [] : [second])];
    if (regex !== undefined) named.push(regex.field, regex.engine);
    const byName = new Map(fields.map((field) => [field.name, field]));
    for (const name of named) expect(byName.has(name) && name !== "data", name).toBe(true);
    expect(new Set(options).size).toBe(options.length);
    expect(options).not.toContain(second);
    if (layout === "compare") expect(second).toBeDefined();
    expect(layout === "generate").toBe(!byName.has("data"));
    for (const label of Object.keys(labels)) {
      const [, name = "", value] = /^(\w+)(?:=(.+))?$/.exec(label) ?? [];
      expect(byName.has(name), label).toBe(true);
      if (value !== undefined) expect(byName.get(name)?.values, label).toContain(value);
    }
    for (const [name, value] of Object.entries(start)) {
      expect(value, name).not.toEqual(byName.get(name)?.default);
      expect(tool.input.shape[name]?.safeParse(value).success, name).toBe(true);
    }
  });

  test("has at least two examples, one of them an edge case with a title", () => {
    expect(tool.examples.length).toBeGreaterThanOrEqual(2);
    expect(tool.examples.slice(1).every(({ title }) => title !== undefined)).toBe(true);
  });

  const examples = tool.examples.flatMap((example) =>
    (["json", "text", "bytes"] as AnswerForm[]).map((form) => [form, example] as const),
  );
  test.each(examples)("as %s, example %#", async (form, { input, result }) => {
    const asJson = { kind: "json" as const, bytes: new TextEncoder().encode(JSON.stringify(input)) };
    const { data = "", ...options } = input as { data?: string };
    const asRaw = {
      kind: "raw" as const,
      bytes: new TextEncoder().encode(data),
      text: true,
      options: Object.entries(options).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
      ),
    };
    for (const body of [asJson, asRaw, { kind: "input" as const, input }]) {
      const answer = await execute(tool, { body, form, check: false }, context);
      const text = Buffer.from(answer.body).toString();
      expect(form === "json" ? (JSON.parse(text) as { result: string }).result : text).toBe(result);
    }
  });

  test("has a check mode if it validates or formats a document, and only then", () => {
    const mode = checkModes.find(([pattern]) => pattern.test(slug))?.[1];
    expect(tool.check).toBe(mode);
  });

  test("refuses an unknown field, and a body that is not an object", async () => {
    for (const [input, code] of [
      ['{"nonsense":1}', "unknown_field"],
      ['{"__proto__":1}', "unknown_field"],
      ["[]", "invalid_input"],
      ['{"data":7,"version":[]}', tool.slug === "uuid-generator" ? "unknown_field" : undefined],
    ] as const) {
      const body = { kind: "json" as const, bytes: new TextEncoder().encode(input) };
      const refusal = execute(tool, { body, form: "json", check: false }, context);
      await expect(refusal).rejects.toMatchObject(code === undefined ? { name: "ToolError" } : { code });
    }
  });
});
