import * as fc from "fast-check";
import { expect, test } from "vitest";
import decoder from "../../../../src/tools/encoding/html-entity-decoder.ts";
import encoder from "../../../../src/tools/encoding/html-entity-encoder.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { anyCharacter } from "../../../support/any-character.ts";

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

test.each([
  ["&notit; &notin; &not", {}, "¬it; ∉ ¬"],
  ["&AMP;&amp &ampx", {}, "&& &x"],
  ["&#0;&#x110000;&#xD800;&#128;", {}, "\ufffd\ufffd\ufffd€"],
  ["&#x41;&#X41;&#65 &#;&#x;", {}, "AAA &#;&#x;"],
  ["&hearts;&heartsx;", {}, "♥&heartsx;"],
  ["&acE;", {}, "∾̳"],
  ["&__proto__; &constructor;", {}, "&__proto__; &constructor;"],
  ["&copy=1&copy;2&copy", { context: "attribute" }, "&copy=1©2©"],
])("%j with %j is %j", async (data, options, result) => {
  expect(await runTool(decoder, { data, ...options })).toBe(result);
});

test("decode ∘ encode = identity in every mode", async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(..."&<>;#xamp'\"é\u00a0") }),
  );
  const mode = fc.constantFrom("minimal", "named", "numeric", "hex");
  await fc.assert(
    fc.asyncProperty(text, mode, fc.boolean(), async (data, chosen, all) => {
      const encoded = await runTool(encoder, { data, mode: chosen, all });
      expect(await runTool(decoder, { data: encoded })).toBe(data);
      expect(encoded).not.toMatch(/[<>"']/);
    }),
  );
});

test("decodes hundreds of kilobytes of unfinished references in linear time", async () => {
  const cost = startCost();
  for (const data of ["&".repeat(3e5), "&#".repeat(15e4), "&not".repeat(75e3), "&#x".repeat(1e5)])
    await runTool(decoder, { data });
  expect(cost()).toBeLessThan(200);
});

test.skipIf(!atHand)(`decodes all references of html5lib (${casesOf("html-entities")})`, async () => {
  for (const { case: name, input, expect: wanted } of readCorpus("html-entities"))
    expect(await runTool(decoder, input), name).toBe(wanted["result"]);
});
