import * as fc from "fast-check";
import { expect, test } from "vitest";
import { replaceCharacters } from "../../../src/lib/text/replace-characters.ts";

const write = (char: string): string => `<${char.codePointAt(0)}>`;

test("replacing in pieces equals replacing at once", () => {
  const units = fc.constantFrom("a", "$", "{", "${", "😀", "\ud83d", "\ude00", "一", "&");
  // The first piece ends among these units.
  const texts = fc
    .tuple(fc.integer({ min: 65_530, max: 65_537 }), fc.array(units, { maxLength: 12 }))
    .map(([length, tail]) => "&".repeat(length) + tail.join(""));
  fc.assert(
    fc.property(texts, fc.constantFrom(/[&]|\$(?=\{)/gu, /\p{Surrogate}/gu, /[^ -~]/gu), (text, pattern) => {
      expect(replaceCharacters(text, pattern, write) === text.replaceAll(pattern, write)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
