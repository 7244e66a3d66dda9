import { expect, test } from "vitest";
import unescaper from "../../../../src/tools/encoding/string-unescaper.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  ["shell", `a\\ b'c'"d\\$\\e"$'\\x41\\n'`, {}, "a bcd$\\eA\n"],
  ["shell", "'it'\\''s' \n", {}, "it's"],
  ["shell", "", {}, ""],
  ["shell", String.raw`$'\U0001F44B\u00e9'`, {}, "👋é"],
  ["shell", "a\\\nb", {}, "ab"],
  ["json", "\\/\\u00e9", {}, "/é"],
  ["js", "\\0\\01\\012\\x41\\u{1F44B}\\\nx\\q", {}, "\0\u0001\nA👋xq"],
  ["js", "`a\"'`", { quotes: true }, "a\"'"],
  ["java", "\\uuu0041\\377\\s", {}, "Aÿ "],
  ["python", "\\N".replace("N", "n"), {}, "\n"],
  ["python", "\\U0001f44b\\a", {}, "👋\u0007"],
  ["regex", "\\x61\\u0062\\.\\n\\-", {}, "ab.\n-"],
  ["csv", '"a""b"', {}, 'a"b'],
  ["xml", "&#x41;&#66;&amp;lt;", {}, "AB&lt;"],
  ["go", "\\xc3\\xa9\\303\\251\\u00e9\\U0001F44B\\x41\\101\\a", {}, "ééé👋AA\x07"],
  ["csharp", "\\x41\\x1F\\x00e9\\0\\e\\ud83d\\udc4b\\'", {}, "A\x1fé\0\x1b👋'"],
  ["php", "\\xC3\\xa9\\303\\251\\u{1F44B}\\$\\q\\u00e9\\x4g\\101\\x", {}, "éé👋$\\q\\u00e9\x04gA\\x"],
  ["yaml", "\\x41\\u00e9\\U0001f44b\\/\\_\\N\\L\\ \\\tx", {}, "Aé👋/\xa0\x85\u2028 \tx"],
  ["yaml", '"a\\"b"', { quotes: true }, 'a"b'],
  // Like bash: escapes above ASCII are bytes.
  ["shell", "$'\\xc3\\xa9\\303\\251\\u00e9\\x41'", {}, "éééA"],
  ["shell", "a~b:'~'", {}, "a~b:~"],
])("%s: %j with %j", async (language, data, options, result) => {
  expect(await runTool(unescaper, { data, language, ...options })).toBe(result);
});

test.each([
  ["shell", "a b", {}, 1],
  ["shell", "$HOME", {}, 0],
  ["shell", '"`id`"', {}, 1],
  ["shell", "'open", {}, 0],
  ["shell", 'a"open', {}, 1],
  ["shell", "a\\", {}, 1],
  ["json", 'a"b', {}, 1],
  ["json", "a\nb", {}, 1],
  ["json", "\\q", {}, 0],
  ["json", "\\u12", {}, 0],
  ["json", "\\ud800", {}, 0],
  ["json", '"open', { quotes: true }, 5],
  ["json", "a", { quotes: true }, 0],
  ["js", "\\u{110000}", {}, 0],
  ["js", "é\\", {}, 2],
  ["python", "\\N{BULLET}", {}, 0],
  ["go", "\\q", {}, 0],
  ["go", "\\'", {}, 0],
  ["go", "a\\xe9", {}, 1],
  ["go", "a\nb", {}, 1],
  ["go", "\\ud800", {}, 0],
  ["csharp", "\\xg", {}, 0],
  ["csharp", "a\u2028", {}, 1],
  ["csharp", "\\u{e9}", {}, 0],
  ["php", "a\\377", {}, 1],
  ["php", "\\u{110000}", {}, 0],
  ["yaml", "a\nb", {}, 1],
  ["yaml", "\\'", {}, 0],
  ["sql", "a'b", {}, 1],
  ["sql", "'", { quotes: true }, 1],
  ["regex", "a.b", {}, 1],
  ["regex", "\\d", {}, 0],
  ["regex", "\\", {}, 0],
  ["csv", "a,b", {}, 1],
  ["csv", '"a"b"', {}, 2],
  ["xml", "a & b", {}, 2],
  ["shell", "a$'\\xe9'", {}, 3],
  ["shell", "$'a\\0b'", {}, 3],
  ["shell", " ~/x", {}, 1],
  ["shell", "--dir=~/x", {}, 6],
  ["xml", "&nbsp;", {}, 0],
  ["xml", "&#0;", {}, 0],
  ["xml", "&#x110000;", {}, 0],
])("%s refuses %j with %j at byte %i", async (language, data, options, offset) => {
  const refusal = await refusalOf(runTool(unescaper, { data, language, ...options }));
  expect(refusal).toMatchObject({ code: "invalid_document", offset });
});

test("handles spaces before a word, and words of many parts, in linear time", async () => {
  const data = `${" ".repeat(200_000)}${"''a".repeat(20_000)}`;
  const cost = startCost();
  expect(await runTool(unescaper, { data, language: "shell" })).toBe("a".repeat(20_000));
  expect(cost()).toBeLessThan(200);
});
