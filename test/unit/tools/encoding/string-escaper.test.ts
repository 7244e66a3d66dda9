import * as fc from "fast-check";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { escapers, languages } from "../../../../src/lib/escape/languages.ts";
import escaper from "../../../../src/tools/encoding/string-escaper.ts";
import unescaper from "../../../../src/tools/encoding/string-unescaper.ts";
import { anyCharacter } from "../../../support/any-character.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const unwritable: Partial<Record<string, RegExp>> = {
  xml: /[^\t\n\r -~\p{L}]/u,
  go: /\p{Surrogate}/u,
  php: /\p{Surrogate}/u,
  yaml: /\p{Surrogate}/u,
};

const nasty = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...`'"\`\\$/{}()<&;,- \n\r\t\0n\u2028é👋x0`), maxLength: 20 }),
);

test.each([
  ["shell", "", {}, "''"],
  ["shell", "a/b.c-d_e=f@1:2,3%+", {}, "a/b.c-d_e=f@1:2,3%+"],
  ["shell", "a", { quotes: true }, "'a'"],
  ["shell", "~", {}, "'~'"],
  ["shell", "a\nb", {}, "'a\nb'"],
  ["shell", "'", {}, "''\\'''"],
  ["json", '\u0000\u001f\u007f"\\/é', {}, '\\u0000\\u001f\u007f\\"\\\\/é'],
  ["json", "👋", { ascii: true, quotes: true }, '"\\ud83d\\udc4b"'],
  ["js", "'`\"${x} $y\u2028", {}, "\\'\\`\\\"\\x24{x} $y\\u2028"],
  ["js", "it's", { quotes: true }, '"it\'s"'],
  ["js", "</script>", {}, "<\\/script>"],
  ["java", "\n\0\u001b", {}, "\\n\\000\\033"],
  ["python", "\0'👋", { ascii: true }, "\\x00\\'\\U0001f44b"],
  ["sql", "a'b\\", { quotes: true }, "'a''b\\'"],
  ["regex", "a.b-c/d\n#", {}, "a\\.b\\x2dc\\/d\\n\\x23"],
  ["csv", "plain", {}, "plain"],
  ["csv", " a", {}, '" a"'],
  ["csv", 'a"b', {}, '"a""b"'],
  ["csv", "1;2", {}, '"1;2"'],
  ["xml", "<a b='\"'>&\r", {}, "&lt;a b=&apos;&quot;&apos;&gt;&amp;&#13;"],
  ["go", "a\"\x07\x1b\x85\ufeff'$", {}, "a\\\"\\a\\x1b\\u0085\\ufeff'$"],
  ["go", "é👋\n", { ascii: true, quotes: true }, '"\\u00e9\\U0001f44b\\n"'],
  ["csharp", "\x001'\x1b\u2028", {}, "\\01\\'\\u001b\\u2028"],
  ["csharp", "C:\\é👋", { ascii: true, quotes: true }, '"C:\\\\\\u00e9\\U0001f44b"'],
  ["php", "$a {$b} \x1b\x01é'", {}, "\\$a {\\$b} \\e\\x01é'"],
  ["php", "é👋", { ascii: true, quotes: true }, '"\\u{e9}\\u{1f44b}"'],
  ["yaml", 'a: "b"\t#\n\x85\xa0\ufeff', {}, 'a: \\"b\\"\\t#\\n\\N\xa0\\ufeff'],
  ["yaml", "é👋\x7f", { ascii: true, quotes: true }, '"\\xe9\\U0001f44b\\x7f"'],
  ["xml", "é👋", { ascii: true }, "&#233;&#128075;"],
  // In an attribute, plain ones would be read as spaces.
  ["xml", "a\tb\nc", {}, "a&#9;b&#10;c"],
])("%s: %j with %j", async (language, data, options, result) => {
  expect(await runTool(escaper, { data, language, ...options })).toBe(result);
});

test.each([
  ["shell", "a\0b", {}, "invalid_document", 1],
  ["sql", "a\0b", {}, "invalid_document", 1],
  ["xml", "é\u0001", {}, "invalid_document", 2],
  ["go", "é\ud800", {}, "invalid_document", 2],
  ["php", "\ud800", {}, "invalid_document", 0],
  ["yaml", "\ud800", {}, "invalid_document", 0],
  ["xml", "a", { quotes: true }, "invalid_input", undefined],
  ["shell", "a", { ascii: true }, "invalid_input", undefined],
])("%s cannot write %j with %j", async (language, data, options, code, offset) => {
  const refusal = await refusalOf(runTool(escaper, { data, language, ...options }));
  expect(refusal).toMatchObject({ code, ...(offset !== undefined && { offset }) });
});

describe.each(languages)("%s", (language) => {
  test("unescape ∘ escape = identity, with quotes and without, in ASCII and beyond", async () => {
    await fc.assert(
      fc.asyncProperty(nasty, fc.boolean(), fc.boolean(), async (data, quotes, ascii) => {
        const options = {
          ...(language !== "regex" && language !== "xml" && { quotes }),
          ...(escapers[language].ascii && { ascii }),
        };
        let escaped: string;
        try {
          escaped = await runTool(escaper, { data, language, ...options });
        } catch {
          // Only text that the language cannot express is refused.
          expect(data).toMatch(unwritable[language] ?? /\0/);
          return;
        }
        if ("ascii" in options && ascii) expect(escaped).toMatch(/^[\n\t -~]*$/);
        const unquoted = "quotes" in options ? { quotes } : {};
        expect(await runTool(unescaper, { data: escaped, language, ...unquoted })).toBe(data);
      }),
      { numRuns: 150 },
    );
  });
});

test("JavaScript reads all three kinds of string, JSON.parse its own, RegExp with any flags", async () => {
  await fc.assert(
    fc.asyncProperty(nasty, async (data) => {
      const js = await runTool(escaper, { data, language: "js" });
      const line = /[\r\n]/.test(js) ? ["`"] : ["'", '"', "`"];
      for (const quote of line) expect(runInNewContext(quote + js + quote)).toBe(data);
      const json = await runTool(escaper, { data, language: "json", quotes: true });
      expect(JSON.parse(json)).toBe(data);
      const regex = await runTool(escaper, { data, language: "regex" });
      for (const flags of ["", "u", "v"]) expect(new RegExp(`^(?:${regex})$`, flags).test(data)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("a YAML parser reads the scalars", async () => {
  await fc.assert(
    fc.asyncProperty(nasty, fc.boolean(), async (data, ascii) => {
      fc.pre(data.isWellFormed());
      const written = await runTool(escaper, { data, language: "yaml", quotes: true, ascii });
      expect(parseYaml(written)).toBe(data);
    }),
    { numRuns: 150 },
  );
});
