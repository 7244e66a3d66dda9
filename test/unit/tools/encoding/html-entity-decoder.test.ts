import * as fc from "fast-check";
import { expect, test } from "vitest";
import decoder from "../../../../src/tools/encoding/html-entity-decoder.ts";
import encoder from "../../../../src/tools/encoding/html-entity-encoder.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { anyCharacter } from "../../../support/any-character.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { runTool } from "../run-tool.ts";

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
