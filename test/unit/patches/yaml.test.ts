import * as fc from "fast-check";
import * as yaml from "yaml";
import { expect, test } from "vitest";

// config/patches/yaml@2.9.1.patch changes the build for Node; the one for browsers stays as it is published.
const browser = new URL("../../../node_modules/yaml/browser/index.js", import.meta.url);
const published = (await import(browser.href)) as typeof yaml;

/** Pieces of YAML: each string of them is lexed, and few are documents. */
const pieces = fc
  .array(
    fc.constantFrom(
      ..."\n\n\n  -?:,#[]{}&*!|>'\"%@`\\\t\r~",
      "a",
      "key: ",
      "- ",
      "\n  ",
      "\n    ",
      " # why\n",
      "---\n",
      "...\n",
      "%YAML 1.2\n",
      "!!str ",
      "&x ",
      "*x",
      "|-\n",
      ">2+\n",
      "\ufeff",
      "é😀",
    ),
    { maxLength: 40 },
  )
  .map((all) => all.join(""));

test("the tokens of any text are those of the published library", () => {
  fc.assert(
    fc.property(pieces, (text) => {
      expect([...new yaml.Lexer().lex(text)]).toEqual([...new published.Lexer().lex(text)]);
      expect([...new yaml.Parser().parse(text)]).toEqual([...new published.Parser().parse(text)]);
    }),
    { numRuns: 3000 },
  );
});

test("so are those of a text that arrives in parts, and the line starts", () => {
  const read = ({ Parser }: typeof yaml, parts: readonly string[]) => {
    const lines: number[] = [];
    const parser = new Parser((offset) => void lines.push(offset));
    const tokens = parts.map((part) => [...parser.parse(part, true)]);
    return { tokens, last: [...parser.parse("", false)], lines };
  };
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 4 }), (parts) => {
      expect(read(yaml, parts)).toEqual(read(published, parts));
    }),
    { numRuns: 500 },
  );
});

test("each lexeme of a text can be parsed by itself", () => {
  const read = ({ Lexer, Parser }: typeof yaml, text: string) => {
    const parser = new Parser();
    const tokens = [...new Lexer().lex(text)].map((lexeme) => [...parser.next(lexeme)]);
    return [...tokens, [...parser.end()]];
  };
  fc.assert(
    fc.property(pieces, (text) => {
      expect(read(yaml, text)).toEqual(read(published, text));
    }),
    { numRuns: 500 },
  );
});

test("a document of a stream is composed before the rest is read", () => {
  const documents = new yaml.Composer().compose(new yaml.Parser().parse(`a: 1\n---\n${"[".repeat(100)}`));
  expect(documents.next().value?.toString()).toBe("a: 1\n");
});
