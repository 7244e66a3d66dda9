import * as fc from "fast-check";
import { expect, test } from "vitest";
import encoder from "../../../../src/tools/encoding/html-entity-encoder.ts";
import { anyCharacter } from "../../../support/any-character.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  ["a & b", {}, "a &amp; b"],
  ["&amp;", {}, "&amp;amp;"],
  ["é", {}, "é"],
  ["é\u00a0\t\n x", { mode: "named" }, "&eacute;&nbsp;\t\n x"],
  ["é'<", { mode: "numeric" }, "&#233;&#39;&#60;"],
  ["👋", { mode: "hex" }, "&#x1F44B;"],
  ["aé", { mode: "numeric", all: true }, "&#97;&#233;"],
  ["a<é", { mode: "minimal", all: true }, "&#97;&lt;&eacute;"],
  // There is no reference for NUL or for U+0080: browsers read their numbers as U+FFFD and €.
  ["\0\u0080", { mode: "numeric", all: true }, "\0\u0080"],
])("%j with %j is %s", async (data, options, result) => {
  expect(await runTool(encoder, { data, ...options })).toBe(result);
});

test.each(["minimal", "named", "numeric", "hex"])(
  "in mode %s no character with a meaning in HTML remains, and encoding twice encodes the ampersands",
  async (mode) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 20 }), async (text) => {
        const encoded = await runTool(encoder, { data: `<${text}"`, mode });
        expect(encoded).not.toMatch(/[<>"']|&(?!#?\w+;)/);
        if (mode !== "minimal") expect(encoded.replaceAll("\u0080", "")).not.toMatch(/[\u00a0-\uffff]/);
        const twice = await runTool(encoder, { data: encoded });
        expect(twice).toBe(encoded.replaceAll("&", "&amp;"));
      }),
      { numRuns: 50 },
    );
  },
);

test("refuses a mode that it does not have", async () => {
  const refusal = await refusalOf(runTool(encoder, { data: "a", mode: "decimal" }));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/mode" });
});
