import { expect, test } from "vitest";
import tool from "../../../../../src/tools/generate/test-data-generator.ts";
import validator from "../../../../../src/tools/lint/json-schema-validator.ts";
import { cases } from "../../../../support/cases.ts";
import { atHand, readCorpus } from "../../../../unit/corpora/corpus.ts";
import { runTool } from "../../../../unit/tools/run-tool.ts";
import { openAjv } from "./ajv.ts";

const faker = new URL("node_modules/json-schema-faker/dist/index.js", import.meta.url).href;

/** The schemas of JSON Schema's own suite that stand alone, and that ajv compiles. */
function readSchemas(): [schema: string, draft: string][] {
  const found = new Map<string, string>();
  for (const { input } of readCorpus("json-schema-test-suite")) {
    const given = input as { schema?: unknown; schemas?: unknown; draft?: string };
    const draft = given.draft?.replace("draft", "");
    const text = typeof given.schema === "string" ? given.schema : JSON.stringify(given.schema);
    if (given.schemas !== undefined || !text?.startsWith("{")) continue;
    if (draft !== "7" && draft !== "2020-12" && draft !== "2019-09") continue;
    if (
      /"(?:https?|urn|tag):|\.json"|"\$(?:vocabulary|dynamicRef|recursiveRef)"/.test(
        text.replaceAll(/"\$schema":"[^"]*"/g, ""),
      )
    )
      continue;
    found.set(text, draft);
  }
  return [...found];
}

/**
 * Where ajv's answer is not that of the specification: it takes `unevaluatedProperties` and `unevaluatedItems` of some nestings otherwise, some of
 * its formats are looser or stricter, it does not read the encodings of contents, and it divides binary fractions.
 */
const isKnown = (schema: string): boolean => /"unevaluated|"format"|"content|"multipleOf":\d*\./.test(schema);

test.runIf(atHand)("ajv accepts the documents, and refuses those that break a rule", async () => {
  let valid = 0;
  let invalid = 0;
  for (const [data, draft] of cases(readSchemas(), 150)) {
    if (isKnown(data)) continue;
    let isValid: (document: unknown) => boolean;
    try {
      isValid = openAjv(draft, JSON.parse(data) as object);
    } catch {
      continue;
    }
    const input = { data, draft, count: 2, seed: "a", now: "2026-01-02T03:04:05Z", schemaFormat: "json" };
    const documents = await runTool(tool, input).catch(() => "[]");
    for (const document of JSON.parse(documents) as unknown[]) {
      expect(isValid(document), `${JSON.stringify(document)} of ${data}`).toBe(true);
      valid++;
    }
    const broken = await runTool(tool, { ...input, invalid: "one" }).catch(() => "[]");
    for (const { document } of JSON.parse(broken) as { document: unknown }[]) {
      expect(isValid(document), `${JSON.stringify(document)} breaks ${data}`).toBe(false);
      invalid++;
    }
  }
  expect(valid).toBeGreaterThan(100);
  expect(invalid).toBeGreaterThan(50);
});

test.runIf(atHand)(
  "what json-schema-faker makes of a schema is valid for ajv only if it is for us",
  async () => {
    const { generate } = (await import(faker)) as {
      generate(schema: object, options?: object): Promise<unknown>;
    };
    let compared = 0;
    for (const [schema, draft] of cases(readSchemas(), 150)) {
      if (isKnown(schema)) continue;
      let document: unknown;
      let isValid: (document: unknown) => boolean;
      try {
        isValid = openAjv(draft, JSON.parse(schema) as object);
        document = await generate(JSON.parse(schema) as object, { seed: 1 });
      } catch {
        continue;
      }
      if (document === undefined) continue;
      const report = await runTool(validator, { data: JSON.stringify(document), schema, draft });
      expect(
        (JSON.parse(report) as { valid: boolean }).valid,
        `${JSON.stringify(document)} of ${schema}`,
      ).toBe(isValid(document));
      compared++;
    }
    expect(compared).toBeGreaterThan(50);
  },
);
