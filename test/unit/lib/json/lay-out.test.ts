import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { toJson } from "../../../../src/lib/data/to-json.ts";
import { layOut, type Layout } from "../../../../src/lib/json/lay-out.ts";
import { sortCommented } from "../../../../src/lib/json/sort-commented.ts";
import { createTokens } from "../../../../src/lib/json/tokens.ts";
import { validateJson } from "../../../../src/lib/json/validate.ts";

const lay = (text: string, options: Partial<Layout> = {}): string =>
  layOut(text, { dialect: "jsonc", indent: 2, maxLength: 1e6, ...options });

test.each([
  ["[]", "[]"],
  ["[ // none\n]", "[ // none\n]"],
  ["[1 /* one */, 2]", "[\n  1, /* one */\n  2\n]"],
  ["[1, /* two */ 2]", "[\n  1,\n  /* two */ 2\n]"],
  ["[1 // one\n , 2]", "[\n  1, // one\n  2\n]"],
  ["[1, // one\n  // two\n 2, ]", "[\n  1, // one\n  // two\n  2\n]"],
  ["[1 // one\n // end\n]", "[\n  1 // one\n  // end\n]"],
  ['{/* a */"a" /* b */:// c\n1}', '{\n  /* a */ "a": /* b */ // c\n  1\n}'],
  ["// head\n\n\n1 // tail\n/* foot */", "// head\n1 // tail\n/* foot */"],
  ["[\n /* a\n     * b\n     */ 1]", "[\n  /* a\n   * b\n   */ 1\n]"],
  ["[\n /* a\r\n b */ 1]", "[\n  /* a\n b */ 1\n]"],
  ["\ufeff[1]", "[\n  1\n]"],
])("places comments: %j", (text, result) => {
  expect(lay(text)).toBe(result);
});

test("keeps one blank line between items, none at the ends", () => {
  const text = "[\n\n1,\n\n\n2,\n\n// c\n\n3\n\n]";
  expect(lay(text, { blankLines: true })).toBe("[\n  1,\n\n  2,\n\n  // c\n\n  3\n]");
});

test.each([
  [13, '{\n  "a": [1, 2]\n}'],
  [12, '{\n  "a": [\n    1,\n    2\n  ]\n}'],
  [15, '{\n  "a": [1, 2]\n}'],
  [17, '{ "a": [1, 2] }'],
])("puts on one line what fits into %i columns", (width, result) => {
  expect(lay('{"a":[1,2]}', { width })).toBe(width === 15 ? '{ "a": [1, 2] }' : result);
});

test("counts the comma after a container, and a tab as the columns of its level", () => {
  expect(lay("[[1,2],3,[4,5]]", { width: 8 })).toBe("[\n  [\n    1,\n    2\n  ],\n  3,\n  [4, 5]\n]");
  expect(lay("[[1,2],[{}]]", { width: 9, indent: 4, useTabs: true })).toBe(
    "[\n\t[\n\t\t1,\n\t\t2\n\t],\n\t[{}]\n]",
  );
});

test.each([
  ["{a:1,'b':'\"',}", '{"a":1,"b":"\\""}'],
  ["[+1,-.5,5.,0xfF,-0X10,+0x0,5.e3]", "[1,-0.5,5,255,-16,0,5e3]"],
  ["['\\x41\\\n\\v\\'','\u2028']", '["A\\u000b\'","\u2028"]'],
  ["{\\u0061b:'\\ud800'}", '{"ab":"\\ud800"}'],
])("writes JSON5 as JSON: %j", (text, result) => {
  expect(lay(text, { dialect: "json5", indent: 0, scalars: "plain" })).toBe(result);
});

test.each(["NaN", "-Infinity", `0x${"f".repeat(1001)}`])("refuses %.20s, which JSON lacks", (text) => {
  const write = (): string => lay(`[${text}]`, { dialect: "json5", scalars: "plain" });
  expect(write).toThrow(expect.objectContaining({ rule: "not-in-json", at: { index: 1 } }));
});

/** A document with comments, blank lines and trailing commas wherever the grammar allows them. */
const gap = fc.constantFrom(
  "",
  "",
  "",
  " ",
  "\n",
  "\n\n\n",
  "/* b */",
  " /* b */\n",
  "// l\n",
  "\n // l\n\n",
);
const value = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("1", "1.0", "12345678901234567890", '"a // \\" b"', "true", "null"),
    fc.tuple(fc.array(fc.tuple(gap, tie("value"), gap), { maxLength: 4 }), fc.boolean(), gap).map(
      ([items, comma, end]) =>
        `[${join(
          items.map((item) => item.join("")),
          comma,
        )}${end}]`,
    ),
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(gap, fc.constantFrom("b", "a", "c", "é"), gap, gap, tie("value"), gap), {
          maxLength: 4,
          selector: ([, key]) => key,
        }),
        fc.boolean(),
        gap,
      )
      .map(([members, comma, end]) => {
        const texts = members.map(([a, key, b, c, item, d]) => `${a}"${key}"${b}:${c}${item}${d}`);
        return `{${join(texts, comma)}${end}}`;
      }),
  ),
})).value;
const documents = fc.tuple(gap, value, gap).map((parts) => parts.join(""));
const join = (parts: string[], comma: boolean): string =>
  parts.join(",") + (comma && parts.length > 0 ? "," : "");

const plain = (text: string): string => toJson(fromJson(text, "jsonc"), 0);

function commentsOf(text: string): string[] {
  const comments: string[] = [];
  const tokens = createTokens(text, "jsonc");
  for (tokens.next(); tokens.kind !== "end"; tokens.next())
    if (tokens.kind === "/") comments.push(text.slice(tokens.from, tokens.to));
  return comments;
}

test.each([
  { indent: 2, blankLines: true },
  { indent: 0 },
  { indent: 4, useTabs: true, width: 30 },
  { indent: 1, width: 12, blankLines: true },
])("%j keeps values and comments, in order, and changes nothing the second time", (options) => {
  fc.assert(
    fc.property(documents, (text) => {
      const result = lay(text, options);
      expect(plain(result)).toBe(plain(text));
      expect(commentsOf(result)).toEqual(commentsOf(text));
      expect(lay(result, options)).toBe(result);
    }),
    { numRuns: 300 },
  );
});

test("sorts members with their comments: none is lost, and sorting again changes nothing", () => {
  fc.assert(
    fc.property(documents, fc.constantFrom("keep" as const, "sort" as const), (text, arrays) => {
      const sort = (one: string): string => lay(sortCommented(one, "jsonc", { order: "asc", arrays }));
      const result = sort(text);
      expect(validateJson(Buffer.from(result), { dialect: "jsonc" })).toEqual([]);
      expect(commentsOf(result).toSorted()).toEqual(commentsOf(text).toSorted());
      if (arrays === "keep") expect(sortedText(result)).toBe(sortedText(text));
      expect(sort(result)).toBe(result);
    }),
    { numRuns: 300 },
  );
});

const sortedText = (text: string): string =>
  JSON.stringify(JSON.parse(plain(text)), (_, item: unknown) =>
    item !== null && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
