import * as functions from "@stoplight/spectral-functions";
import spectralCore from "@stoplight/spectral-core";
import * as formats from "@stoplight/spectral-formats";
import * as parsers from "@stoplight/spectral-parsers";
import { oas } from "@stoplight/spectral-rulesets";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import type { Report } from "../../../../../src/catalog/report.ts";
import { parsePointer, toPointer } from "../../../../../src/lib/json/pointer.ts";
import tool from "../../../../../src/tools/lint/openapi-validator.ts";
import { oasRuleset } from "../../../../../src/lib/ruleset/oas-rules.ts";
import { oasCases, type RulesetCase, rulesetCases } from "../../../../unit/tools/lint/ruleset-cases.ts";
import { atHand, corpora } from "../../../../unit/corpora/corpus.ts";
import { runTool } from "../../../../unit/tools/run-tool.ts";

const { Document, Spectral } = spectralCore;

/** Replaces the names of functions, formats and rulesets by what the library has for them. */
function toLibrary(value: unknown, key = ""): unknown {
  if (key === "function") return (functions as Record<string, unknown>)[value as string];
  if (key === "formats") return (value as string[]).map((name) => (formats as Record<string, unknown>)[name]);
  if (key === "functionOptions") return value;
  if (value === "spectral:oas") return oas;
  if (Array.isArray(value)) return value.map((one) => toLibrary(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toLibrary(one, name)]));
}

/** The pointer to a place behind references, which the library names by the way to it. */
function behind(document: object, path: (string | number)[]): string {
  let [at, pointer]: [unknown, string] = [document, ""];
  const memberOf = (value: unknown, name: string | number): unknown =>
    typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  for (const name of path) {
    for (;;) {
      const target = memberOf(at, "$ref");
      if (typeof target !== "string" || memberOf(at, name) !== undefined) break;
      pointer = target.slice(1);
      at = (parsePointer(pointer) ?? []).reduce<unknown>(memberOf, document);
    }
    at = memberOf(at, name);
    pointer += toPointer([name]);
  }
  return pointer;
}

async function askSpectral({ ruleset, document }: RulesetCase): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset(toLibrary(ruleset) as never);
  const results = await spectral.run(new Document(JSON.stringify(document), parsers.Json as never));
  const known = results.filter(({ code }) => code !== "unrecognized-format");
  return [...new Set(known.map(({ code, path }) => `${code} ${behind(document, path)}`))].toSorted();
}

async function askUs({ ruleset, document }: RulesetCase): Promise<string[]> {
  const input = { data: JSON.stringify(document), ruleset: JSON.stringify(ruleset) };
  const { errors } = JSON.parse(await runTool(tool, input)) as Report;
  return [...new Set(errors.map(({ rule, pointer }) => `${rule} ${pointer}`))].toSorted();
}

/** Cases with another answer there, each with the reason. */
const different = (title: string): string | undefined =>
  /^\d+\. typedEnum /.test(title)
    ? "the library exports this function with its rules alone; typed-enum is compared"
    : undefined;

test.each([...rulesetCases, ...oasCases].filter(({ title }) => different(title) === undefined))(
  "Spectral agrees about $title",
  async (one) => {
    expect(await askUs(one)).toEqual(await askSpectral(one));
  },
);

test("spectral:oas has the rules of the library, as many of them by default", () => {
  const there = Object.entries((oas as { rules: Record<string, { recommended?: boolean }> }).rules);
  const here = Object.entries(
    (JSON.parse(oasRuleset()) as typeof oas & { rules: Record<string, { recommended?: boolean }> }).rules,
  );
  const names = (rules: typeof there): string[] =>
    rules.map(([name, { recommended = true }]) => `${name} ${recommended}`).toSorted();
  expect(names(here)).toEqual(names(there));
  expect(there).toHaveLength(57);
});

/** Findings about descriptions of public APIs that only one of the two has, each with the reason. */
const onlyOne: readonly [RegExp, string][] = [
  [/^only here: oas3-valid-media-example \/webhooks\//, "the paths of that rule leave out webhooks"],
  [
    /^only here: oas3-valid-media-example .*\/invalidFields\/1$/,
    "it reports the first fault of an example, the same as ours",
  ],
  [
    /^only there: oas3-schema .*\/pattern$/,
    "(?i) is no ECMAScript; here a pattern is compiled where an example needs it",
  ],
  [
    /^only there: oas3-schema .*\/\$ref$/,
    "| is no character of a URI; the reference leads to a schema nevertheless",
  ],
  [/^only here: oas3-schema .*\/nullable$/, "a warning: nullable without type has no effect"],
  [
    /^only there: oas3-valid-media-example .*\/fetch\w*\/value$/,
    "nullable without type: a schema without a type allows null (OpenAPI 3.0.3, Schema Object)",
  ],
];

describe.skipIf(!atHand)("descriptions of public APIs", () => {
  const lines = atHand ? readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n") : [];
  const files = lines
    .filter((line) => line.startsWith('{"id":"openapi/'))
    .map((line) => JSON.parse(line) as { id: string; text: string });

  test("there are thirty-eight", () => {
    expect(files).toHaveLength(38);
  });

  test.each(files.map(({ id, text }) => [id, text] as const))("Spectral agrees about %s", async (_, text) => {
    const document = parseYaml(text) as object;
    const one = { title: "", ruleset: { extends: ["spectral:oas"] }, document, faults: [] };
    const [here, there] = [new Set(await askUs(one)), new Set(await askSpectral(one))];
    const single = [
      ...[...here].filter((found) => !there.has(found)).map((found) => `only here: ${found}`),
      ...[...there].filter((found) => !here.has(found)).map((found) => `only there: ${found}`),
    ];
    expect(single.filter((found) => !onlyOne.some(([pattern]) => pattern.test(found)))).toEqual([]);
  });
});

/** Rules of Redocly that have the meaning of one of spectral:oas. */
const redocly: Record<string, string> = {
  "operation-operationId": "operation-operationId",
  "operation-operationId-unique": "operation-operationId-unique",
  "operation-operationId-valid-in-url": "operation-operationId-url-safe",
  "operation-singular-tag": "operation-singular-tag",
  "operation-tag-defined": "operation-tag-defined",
  "oas3-operation-security-defined": "security-defined",
  "oas3-parameter-description": "parameter-description",
  "oas3-server-not-example.com": "no-server-example.com",
  "oas3-server-trailing-slash": "no-server-trailing-slash",
  "oas3-unused-component": "no-unused-components",
  "info-contact": "info-contact",
  "info-license": "info-license",
  "path-keys-no-trailing-slash": "no-path-trailing-slash",
  "path-not-include-query": "path-not-include-query",
  "path-declarations-must-exist": "path-declaration-must-exist",
  "path-params": "path-parameters-defined",
  "tag-description": "tag-description",
  "openapi-tags-alphabetical": "tags-alphabetical",
  "oas3-schema": "struct",
};

test.each(oasCases.filter(({ title }) => title in redocly))(
  "Redocly finds $title too",
  async ({ title, document }) => {
    const config = await createConfig({ rules: { [redocly[title] as string]: "error" } });
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: "/a.json",
      config,
    });
    expect(problems.map(({ ruleId }) => ruleId)).toContain(redocly[title]);
  },
);
