import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/text/case-converter.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  ["", "camel", "", {}],
  ["hello world", "camel", "helloWorld", {}],
  ["HTTPServer", "pascal", "HttpServer", {}],
  ["userID2Name", "snake", "user_id2_name", {}],
  ["userID2Name", "snake", "user_id_2_name", { numbers: "separate" }],
  ["sha256Hash", "kebab", "sha256-hash", {}],
  ["sha256sum", "pascal", "Sha256sum", {}],
  ["E2E testing", "kebab", "e2e-testing", {}],
  ["HTML5Parser", "snake", "html5_parser", {}],
  ["TypeScript 5.0", "kebab", "type-script-5-0", {}],
  ["IPv4Address", "snake", "ipv4_address", {}],
  ["OAuth2Token", "kebab", "oauth2-token", {}],
  ["JAMstack Conf 2019", "kebab", "jamstack-conf-2019", {}],
  ["IPv4ness", "snake", "i_pv4ness", {}],
  ["lunedì", "title", "Lunedì", {}],
  ["lunedì", "title", "Lunedi", { accents: "strip" }],
  ["it's o'neill's book", "title", "It's O'Neill's Book", {}],
  ["it's o'neill's book", "title", "Its Oneills Book", { punctuation: "remove" }],
  ["I'VE SEEN D’ARTAGNAN", "title", "I've Seen D’Artagnan", {}],
  ["  hello,  world! (it's 5:30)  ", "sentence", "Hello, world! (it's 5:30)", {}],
  ["foo_bar.baz-qux", "title", "Foo Bar Baz Qux", {}],
  ["foo--bar__baz", "kebab", "foo-bar-baz", {}],
  ["fooBar", "constant", "FOO_BAR", {}],
  ["fooBar", "dot", "foo.bar", {}],
  ["fooBar", "path", "foo/bar", {}],
  ["the_lazyDog", "title", "The Lazy Dog", {}],
  ["the_lazyDog", "sentence", "The lazy dog", {}],
  ["Straße", "kebab", "strasse", {}],
  ["Straße", "upper", "STRASSE", {}],
  ["don't stop", "snake", "dont_stop", {}],
  ["1a'Aa", "snake", "1a_aa", {}],
  ["a'Bc", "title", "A' Bc", {}],
  ["1st 22nd 13th 4THings", "kebab", "1st-22nd-13th-4t-hings", {}],
  ["мояПеременная", "snake", "моя_переменная", {}],
  ["йод", "kebab", "йод", {}],
  ["日本語 text", "kebab", "日本語-text", {}],
  ["rocket🚀ship", "kebab", "rocket-🚀-ship", {}],
  ["e\u0301tat", "pascal", "État", { accents: "keep" }],
  ["I", "lower", "ı", { locale: "tr" }],
  ["iki", "pascal", "İki", { locale: "tr" }],
  ["ǆ", "capitalize", "Ǆ", {}],
  ["one-TWO", "capitalize", "One-two", {}],
  ["FooBar", "lower-first", "fooBar", {}],
  ["👋a", "upper-first", "👋a", {}],
  ["fooBar!", "upper-words", "FOO BAR!", {}],
  ["a b\r\n\nc d", "camel", "aB\r\n\ncD", {}],
  ["a b\nc", "camel", "aBC", { lines: false }],
])("%j as %s is %j with %j", async (data, to, result, options) => {
  expect(await runTool(tool, { data, to, ...options })).toBe(result);
});

test.each(["", "x", "not a locale", "en_US"])("refuses the locale %j", async (locale) => {
  expect(await refusalOf(runTool(tool, { data: "a", to: "upper", locale }))).toMatchObject({
    code: "invalid_input",
    pointer: "/locale",
  });
});

describe("properties", () => {
  const text = fc.string({ unit: fc.constantFrom(..."abAB01 _-éÉ'.\n🚀"), maxLength: 20 });

  test("changes nothing in its own output in snake, kebab, dot and path case", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom("snake", "kebab", "dot", "path"), async (data, to) => {
        const once = await runTool(tool, { data, to });
        expect(await runTool(tool, { data: once, to })).toBe(once);
      }),
    );
  });

  test("splits a text into the same words for every case", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (data) => {
        const snake = await runTool(tool, { data, to: "snake" });
        const constant = await runTool(tool, { data, to: "constant" });
        expect(constant.toLowerCase()).toBe(snake);
      }),
    );
  });
});

test("refuses a word of millions of letters without an internal error", async () => {
  const { code, message } = await refusalOf(runTool(tool, { data: "a1".repeat(5_000_000), to: "snake" }));
  expect(code).toBe("invalid_document");
  expect(message).toContain("millions of letters");
});
