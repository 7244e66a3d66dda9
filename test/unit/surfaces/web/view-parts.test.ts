import { assert, json, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex, unseen } from "../../../../src/surfaces/web/page/editor/unseen.ts";
import { toSpans } from "../../../../src/surfaces/web/page/views/ansi-spans.ts";
import { findPath, type Path, spellings } from "../../../../src/surfaces/web/page/views/code/path.ts";
import { readContrast } from "../../../../src/surfaces/web/page/views/contrast.ts";
import { readCsv } from "../../../../src/surfaces/web/page/views/csv.ts";
import { hintOf, toAge, toLongAge, toSize } from "../../../../src/surfaces/web/page/views/hint.ts";
import { coloursOf } from "../../../../src/surfaces/web/page/home/paste-colours.ts";
import { findImage } from "../../../../src/surfaces/web/page/views/image-type.ts";
import {
  memberOf,
  readJson,
  textOf,
  toIndented,
  toLine,
} from "../../../../src/surfaces/web/page/views/json.ts";
import { matchesOf } from "../../../../src/surfaces/web/page/views/matches.ts";
import { explainPattern } from "../../../../src/surfaces/web/page/views/pattern-words.ts";
import { findParts } from "../../../../src/surfaces/web/page/views/token.ts";
import { chooseByShape } from "../../../../src/surfaces/web/page/views/shape.ts";

describe("JSON as it is written", () => {
  test("numbers keep their digits, members their order, and equal names stay", () => {
    const value = readJson('{"2":1.0,"1":12345678901234567890,"1":"a\\u00e9\\n","__proto__":[true,null]}');
    expect(value).toEqual({
      kind: "object",
      members: [
        ["2", { kind: "number", text: "1.0" }],
        ["1", { kind: "number", text: "12345678901234567890" }],
        ["1", { kind: "string", text: "aé\n" }],
        [
          "__proto__",
          {
            kind: "array",
            items: [
              { kind: "word", text: "true" },
              { kind: "word", text: "null" },
            ],
          },
        ],
      ],
    });
    expect(textOf(memberOf(value, "1"))).toBe("aé\n");
    expect(memberOf(value, "toString")).toBeUndefined();
  });

  test("any value is written as it was read", () => {
    assert(
      property(json(), (text) => {
        const value = readJson(text);
        if (value === undefined) throw new Error(text);
        expect(JSON.parse(toLine(value))).toEqual(JSON.parse(text));
        expect(JSON.parse(toIndented(value))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("text that is no JSON has no value, and depth has no limit", () => {
    expect(readJson("{a: 1}")).toBeUndefined();
    expect(readJson(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)?.kind).toBe("array");
  });
});

describe("the path of a value", () => {
  const text =
    '{\n  "owner": {\n    "admin": true,\n    "a-b": [1, {"c": 2}],\n    "e": {}\n  },\n  "z": []\n}';
  test.each<[string, Path]>([
    ["true", ["owner", "admin"]],
    ['"admin"', ["owner", "admin"]],
    ["1", ["owner", "a-b", 0]],
    ["2", ["owner", "a-b", 1, "c"]],
    ['"z"', ["z"]],
  ])("of %s", (part, path) => {
    expect(findPath(text, text.indexOf(part) + 1)).toEqual(path);
  });

  test("in JSONPath (RFC 9535), as a pointer (RFC 6901) and in JavaScript", () => {
    const path = ["owner", "it's", 1, "a/b~c"];
    expect(Object.fromEntries(spellings.map(({ name, write }) => [name, write(path)]))).toEqual({
      JSONPath: "$.owner['it\\'s'][1]['a/b~c']",
      "JSON Pointer": "/owner/it's/1/a~1b~0c",
      JavaScript: 'data.owner["it\'s"][1]["a/b~c"]',
    });
  });
});

test("controls of direction and characters without a width are seen; joiners of emoji and scripts are not marked", () => {
  const marked = (text: string): string[] => Array.from(text.matchAll(unseen), ([one]) => toHex(one));
  expect(marked("pay\u202egpj\u2066.exe\u200b\ufeff\u{e0041}\u0000\u00ad")).toEqual([
    "202E",
    "2066",
    "200B",
    "FEFF",
    "E0041",
    "0000",
    "00AD",
  ]);
  expect(marked("👩‍👩‍👧 نمی\u200cخواهم क्\u200dष\tа\n")).toEqual([]);
  expect(marked("pass\u200dword")).toEqual(["200D"]);
});

test("a quoted cell may have delimiters, quotes and line ends", () => {
  expect(readCsv('id;name\r\n1;"a;b ""c"""\r\n2;"x\ny"\r\n3;')).toEqual({
    header: ["id", "name"],
    rows: [
      ["1", 'a;b "c"'],
      ["2", "x\ny"],
      ["3", ""],
    ],
  });
  expect(readCsv("1,2\n3", ",", false)).toEqual({ header: ["1", "2"], rows: [["1", "2"], ["3"]] });
});

test("escape sequences set colours, and others leave no trace", () => {
  expect(
    toSpans("\u001b[1;31merr\u001b[22mor\u001b[0m \u001b[2Kx\u001b]0;title\u0007\u001b[38;5;2mg"),
  ).toEqual([
    { classes: "v-sgr-bold v-sgr-fg-1", content: "err" },
    { classes: "v-sgr-fg-1", content: "or" },
    { classes: "", content: " " },
    { classes: "", content: "x" },
    { classes: "v-sgr-fg-2", content: "g" },
  ]);
});

test("the groups of a match have their names and their places", () => {
  const result = JSON.stringify({
    matches: [
      { match: "2026-01", index: 4, end: 11, groups: ["2026", null, "01"], named: { y: "2026", m: "01" } },
    ],
    count: 1,
  });
  expect(matchesOf(result, "(?P<y>\\d{4})(x)?-(?<m>\\d\\d)")).toEqual([
    {
      text: "2026-01",
      from: 4,
      to: 11,
      groups: [
        { name: "y", text: "2026", from: 4 },
        { name: "2", text: undefined, from: undefined },
        { name: "m", text: "01", from: 9 },
      ],
    },
  ]);
});

test.each([
  ["(\\d+)-(?<m>\\d+)", "11-11", ["11", "11"], { m: "11" }, ["1 0", "m 3"]],
  ["((\\d)-(?:x)(\\d))\\1", "1-x11-x1", ["1-x1", "1", "1"], {}, ["1 0", "2 0", "3 3"]],
  // A parenthesis that opens nothing: names and places of the pattern are left out.
  ["(a) # (b", "a", ["a"], {}, ["1 0"]],
])("the groups of %s are those of the pattern", (pattern, match, groups, named, wanted) => {
  const result = JSON.stringify({
    matches: [{ match, index: 0, end: match.length, groups, named }],
    count: 1,
  });
  const [found] = matchesOf(result, pattern);
  expect(found?.groups.map(({ name, from }) => `${name} ${from}`)).toEqual(wanted);
});

test("the pieces of a pattern are all of it", () => {
  for (const pattern of ["(?P<y>\\d{4})-[^]a]+?|\\k<y>\\x41(?i)(?<!a)$", ")(", "[", "a{,2}\\", "é😀(?"])
    expect(
      explainPattern(pattern)
        .map(({ text }) => text)
        .join(""),
    ).toBe(pattern);
});

test("a pattern in words", () => {
  expect(
    explainPattern("^(?<y>\\d{4})-[ab]+?$").map(({ text, words, depth }) => [depth, text, words]),
  ).toEqual([
    [0, "^", "the beginning of the text, or of a line with the flag m"],
    [0, "(?<y>", "the group “y”"],
    [1, "\\d", "a digit"],
    [1, "{4}", "4 times"],
    [0, ")", "end of the group"],
    [0, "-", "the text -"],
    [0, "[ab]", "one character of ab"],
    [0, "+?", "once or more, as few as possible"],
    [0, "$", "the end of the text, or of a line with the flag m"],
  ]);
});

test.each([
  ["2025-01-01T00:00:00Z", "2026-11-27T03:00:00Z", "1 year and 10 months ago"],
  ["2027-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "in 1 year"],
  ["2026-01-01T04:47:10Z", "2026-01-01T00:00:00Z", "in 4 hours and 47 minutes"],
  ["2026-01-03T00:00:00Z", "2026-01-01T00:00:00Z", "in 2 days"],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:09Z", "9 seconds ago"],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "now"],
])("%s is, at %s, %s", (time, now, words) => {
  expect(toLongAge(Date.parse(time), Date.parse(now))).toBe(words);
});

test("what is pasted has colours that leave no part of it out", () => {
  const kindsOf = (text: string): unknown =>
    coloursOf(text)?.flatMap(({ text: piece, kind }) => (kind === undefined ? [] : [`${kind} ${piece}`]));
  expect(kindsOf("eyJhbGciOiJIUzI1NiJ9.e30.x_-")).toEqual([
    "part-1 eyJhbGciOiJIUzI1NiJ9",
    "part-2 e30",
    "part-3 x_-",
  ]);
  expect(kindsOf('{"a":[1,"b",null]}')).toEqual(['key "a"', "number 1", 'string "b"', "word null"]);
  expect(kindsOf("https://u:p@a.example:1/x/y?q=1#f")).toEqual([
    "part-1 u:p",
    "part-2 a.example",
    "part-3 /x/y",
    "number ?q=1",
    "word #f",
  ]);
  expect(kindsOf("-----BEGIN X-----\nAA\n-----END X-----\n")).toEqual([
    "key -----BEGIN X-----",
    "key -----END X-----",
  ]);
  expect(coloursOf("some words")).toBeUndefined();
  for (const text of ['[1,\n "a"', "<a b='c'>d</a>\n", "ftp://é.example/ü?x"])
    expect(
      coloursOf(text)
        ?.map(({ text: piece }) => piece)
        .join(""),
    ).toBe(text);
});

test("times and sizes in words", () => {
  const now = Date.parse("2026-01-02T03:04:05Z");
  expect(toAge(now - 3 * 86_400_000, now)).toBe("3 days ago");
  expect(toAge(now + 5 * 60_000, now)).toBe("in 5 minutes");
  expect(hintOf("exp", { kind: "number", text: "1767323045" }, now)).toBe("now");
  expect(hintOf("price", { kind: "number", text: "1767323045" }, now)).toBeUndefined();
  expect(hintOf("bodyBytes", { kind: "number", text: "2400" }, now)).toBe("2.4 KB");
  expect([309, 2400, 1_048_576].map(toSize)).toEqual(["309 B", "2.4 KB", "1 MB"]);
});

test("images by their first bytes", () => {
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAoAAAAUCAYAAAC0", "base64");
  expect(findImage(png)).toEqual({
    name: "PNG",
    type: "image/png",
    ending: "png",
    size: [10, 20],
    detail: "8-bit RGBA",
  });
  expect(findImage(Buffer.from("GIF89a\u0001\0\u0002\0\0", "latin1"))?.size).toEqual([1, 2]);
  expect(findImage(Buffer.from("hello"))).toBeUndefined();
  expect(findImage(new Uint8Array())).toBeUndefined();
});

test("the contrast of a code's two colours", () => {
  const draw = (light: string, dark: string): string =>
    `<svg><rect width="9" fill="${light}"/><path d="M0" fill="${dark}"/></svg>`;
  expect(readContrast(draw("#fff", "#000"))).toBeCloseTo(21);
  expect(readContrast(draw("white", "#000"))).toBeUndefined();
  expect(readContrast(draw("white", "#000"), () => "#ffffff")).toBeCloseTo(1);
});

test.each<[string | Uint8Array, string]>([
  [new Uint8Array([0xff]), "bytes"],
  ['<?xml version="1.0"?>\n<svg xmlns="…"/>', "image"],
  ['[{"a":1},{"b":null}]', "table"],
  ['{"a":1,"b":"x"}', "props"],
  ['{"a":[1]}', "code:json"],
  ["[1,2]", "code:json"],
  ["plain", "code"],
])("the shape of %j has the view %s", (result, view) => {
  expect(chooseByShape(result, undefined)).toBe(view);
});

test("a report has the view of reports", () => {
  expect(chooseByShape('{"valid":true,"errors":[]}', { valid: true, errors: [] })).toBe("report");
});

test("the parts of a token in a text", () => {
  expect(findParts(" aa.bbb.c\n")).toEqual([
    { from: 1, to: 3, kind: "part-1" },
    { from: 4, to: 7, kind: "part-2" },
    { from: 8, to: 9, kind: "part-3" },
  ]);
  expect(findParts("no token")).toEqual([]);
});
