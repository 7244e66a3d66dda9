import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { tools } from "../../../../src/tools/index.ts";

/** A phrase that a person types, and the tools that fit, the best first. */
interface LabelledPhrase {
  phrase: string;
  tools: string[];
}

/** A document that a person pastes, as text or as base64 of bytes, and the tools to offer, the best first. */
interface LabelledInput {
  name: string;
  input?: string;
  base64?: string;
  tools: string[];
}

const read = <T>(file: string): T[] =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as T[];

const phrases = read<LabelledPhrase>("phrases.json");
const inputs = read<LabelledInput>("inputs.json");
const catalog = createCatalog(tools);

/** Tools that take options only. */
const withoutInput = [
  "nanoid-generator",
  "password-generator",
  "token-generator",
  "ulid-generator",
  "uuid-generator",
];

/** Tools added after the labels, which measure search and detection and are therefore not edited. */
const newerThanLabels = [
  "config-validator",
  "csv-query",
  "graphql-differ",
  "graphql-formatter",
  "html-query",
  "input-detector",
  "json-editor",
  "json-flattener",
  "json-merger",
  "json-schema-generator",
  "json-to-types",
  "json-unflattener",
  "list-comparer",
  "openapi-differ",
  "patch-applier",
  "test-data-generator",
  "text-statistics",
  "policy-checker",
  "dockerfile-linter",
  "compose-validator",
  "three-way-merger",
  "kubernetes-validator",
  "github-actions-linter",
  "license-checker",
  "editorconfig-checker",
  "toml-editor",
  "toml-formatter",
  "xml-query",
  "yaml-editor",
  "yaml-merger",
];

describe.each([
  ["phrases", phrases.map(({ phrase, tools: slugs }) => ({ name: phrase.toLowerCase(), slugs })), []],
  ["inputs", inputs.map(({ name, tools: slugs }) => ({ name, slugs })), withoutInput],
])("labelled %s", (_, labelled, unlabelled) => {
  test("there are at least 300, each with a name of its own", () => {
    expect(labelled.length).toBeGreaterThanOrEqual(300);
    expect(new Set(labelled.map(({ name }) => name)).size).toBe(labelled.length);
  });

  test("each names one to three tools of the catalogue, once each", () => {
    const wrong = labelled.filter(
      ({ slugs }) =>
        slugs.length < 1 ||
        slugs.length > 3 ||
        new Set(slugs).size < slugs.length ||
        slugs.some((slug) => !catalog.has(slug)),
    );
    expect(wrong).toEqual([]);
  });

  test("every tool is named", () => {
    const named = new Set([...labelled.flatMap(({ slugs }) => slugs), ...unlabelled, ...newerThanLabels]);
    expect(catalog.slugs.filter((slug) => !named.has(slug))).toEqual([]);
  });
});

test("no two inputs are the same, and each is either text or bytes", () => {
  const contents = inputs.map(({ input, base64 }) => (input === undefined ? `bytes ${base64}` : input));
  expect(new Set(contents).size).toBe(inputs.length);
  expect(inputs.filter(({ input, base64 }) => (input === undefined) === (base64 === undefined))).toEqual([]);
  const recoded = inputs.flatMap(({ base64 }) => base64 ?? []);
  expect(recoded.map((text) => Buffer.from(text, "base64").toString("base64"))).toEqual(recoded);
});
