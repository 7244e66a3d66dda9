import { expect, test } from "vitest";
import { createEditorGlobs } from "../../../../src/lib/editorconfig/glob.ts";

const matches = (glob: string, path: string): boolean => createEditorGlobs([glob])(path).length > 0;

/** A glob, paths that it matches, and paths that it does not; by the specification, and the cases that it requires of readers. */
const cases: [glob: string, yes: string[], no: string[]][] = [
  ["a*e.c", ["ace.c", "ae.c", "abcde.c", "x/ace.c"], ["a/e.c", "ace.cc", "xace.c"]],
  ["Bar/*", ["Bar/foo.txt", "Bar/.editorconfig"], ["Bar/x/foo.txt", "x/Bar/foo.txt"]],
  ["*", ["a", ".editorconfig", "x/y"], []],
  ["som?.c", ["some.c"], ["som.c", "something.c", "som/.c"]],
  ["[ab].a", ["a.a", "b.a"], ["c.a", "ab.a"]],
  ["[!ab].b", ["c.b"], ["a.b", "b.b", "/.b"]],
  ["[d-g].c", ["f.c"], ["h.c", "-.c"]],
  ["[!d-g].d", ["h.d"], ["f.d"]],
  ["[abd-g].e", ["e.e", "a.e"], ["c.e"]],
  ["[-ab].f", ["-.f", "a.f"], ["c.f"]],
  ["[\\]ab].g", ["].g", "a.g"], ["c.g"]],
  ["[ab]].g", ["b].g"], ["b.g"]],
  ["[!\\]ab].g", ["c.g"], ["].g"]],
  ["[ab*c{1..2}].h", ["*.h", "{.h", "1.h", "..h", "}.h"], ["3.h", "12.h"]],
  ["ab[e/]cd.i", ["ab[e/]cd.i"], ["ab/cd.i", "abecd.i"]],
  ["ab[/c", ["ab[/c"], ["ab/c"]],
  ["[^a].j", ["^.j", "a.j"], ["b.j"]],
  ["*.{py,js,html}", ["test.py", "x/test.js", "test.html"], ["test.pyc", "test.{py,js,html}"]],
  ["{single}.b", ["{single}.b"], [".b", "single.b"]],
  ["{}.c", ["{}.c"], [".c"]],
  ["a{b,c,}.d", ["a.d", "ab.d", "ac.d"], ["a,.d"]],
  ["a{,b,,c,}.e", ["a.e", "ab.e", "ac.e"], ["a,.e"]],
  ["{.f", ["{.f"], [".f"]],
  ["{word,{also},this}.g", ["word.g", "{also}.g", "this.g"], ["word,this}.g", "{also,this}.g", "also.g"]],
  ["{{a,b},c}.k", ["a.k", "b.k", "c.k"], ["{a,b}.k", "{{a,b},c}.k"]],
  ["{a,{b,c}}.l", ["a.l", "b.l", "c.l"], ["{b,c}.l"]],
  ["{},b}.h", ["{},b}.h"], ["b.h", ".h"]],
  ["{{,b,c{d}.i", ["{{,b,c{d}.i"], ["{.i", "b.i", "c{d.i", ".i"]],
  ["{a\\,b,cd}.txt", ["a,b.txt", "cd.txt"], ["a.txt", "b.txt"]],
  ["{e,\\},f}.txt", ["e.txt", "}.txt", "f.txt"], ["\\}.txt"]],
  ["{g,\\\\,i}.txt", ["g.txt", "\\.txt", "i.txt"], []],
  [
    "{some,a{*c,b}[ef]}.j",
    ["some.j", "abe.j", "abf.j", "ace.j", "acf.j", "abce.j"],
    ["abg.j", "acg.j", "ae.j", ".j"],
  ],
  ["{3..120}", ["3", "15", "60", "99", "100", "120"], ["1", "2", "5a", "121", "060", "1000", "003"]],
  ["{-5..5}", ["-5", "-1", "0", "5"], ["-6", "6", "-0", "05"]],
  ["{-12..-3}", ["-3", "-9", "-10", "-12"], ["-2", "-13", "3", "0"]],
  ["{0..999999999999}", ["0", "7", "999999999999"], ["1000000000000", "00"]],
  ["{3..1}", ["{3..1}"], ["2", "3"]],
  ["{1..1}", ["{1..1}"], ["1"]],
  ["{aardvark..antelope}", ["{aardvark..antelope}"], ["a", "aardvark", "antelope"]],
  ["a**z.c", ["a/z.c", "amnz.c", "am/nz.c", "a/mnz.c", "amn/z.c", "a/mn/z.c"], ["b/z.c"]],
  ["b/**z.c", ["b/z.c", "b/mnz.c", "b/mn/z.c"], ["bmnz.c", "bm/nz.c", "bmn/z.c", "x/b/z.c"]],
  ["c**/z.c", ["c/z.c", "cmn/z.c", "c/mn/z.c"], ["cmnz.c", "cm/nz.c", "c/mnz.c"]],
  ["d/**/z.c", ["d/z.c", "d/mn/z.c", "d/m/n/z.c"], ["dmnz.c", "d/mnz.c"]],
  ["**/z.c", ["z.c", "a/z.c", "a/b/z.c"], ["az.c"]],
  ["/**/z.c", ["z.c", "a/z.c"], ["az.c"]],
  ["/a.c", ["a.c"], ["x/a.c"]],
  ["sub/*.c", ["sub/a.c"], ["a.c", "x/sub/a.c"]],
  ["sub/", [], ["sub", "sub/a", "a"]],
  ["中文.txt", ["中文.txt", "x/中文.txt"], ["中.txt"]],
  ["?.😀", ["a.😀", "😀.😀"], ["ab.😀"]],
  ["a\\*b", ["a*b"], ["axb"]],
  ["a\\", ["a\\"], ["a"]],
  ["test\\#.c", ["test#.c"], []],
];

test.each(cases)("%s", (glob, yes, no) => {
  expect(yes.filter((path) => !matches(glob, path))).toEqual([]);
  expect(no.filter((path) => matches(glob, path))).toEqual([]);
});

test("a range of numbers is that of counting", () => {
  for (const [low, high] of [
    [0, 9],
    [0, 10],
    [7, 123],
    [-15, 15],
    [98, 1002],
    [-30, -4],
  ] as const) {
    const match = createEditorGlobs([`{${low}..${high}}`]);
    for (let number = low - 20; number <= high + 20; number++)
      expect([number, match(String(number)).length > 0]).toEqual([number, low <= number && number <= high]);
  }
});

test("globs that would backtrack or explode end", () => {
  expect(matches("*a".repeat(60), "a".repeat(200))).toBe(true);
  expect(matches(`${"*a".repeat(60)}b`, "a".repeat(200))).toBe(false);
  expect(matches("{".repeat(2000) + "a" + "}".repeat(2000), "a")).toBe(false);
  expect(matches("{a,".repeat(30) + "b" + "}".repeat(30), "b")).toBe(true);
  expect(matches("{".repeat(200) + "a,b" + "}".repeat(200), "b")).toBe(false);
  expect(matches("[".repeat(2000), "[".repeat(2000))).toBe(true);
  expect(() => createEditorGlobs(Array.from({ length: 300 }, () => "?".repeat(4000)))).toThrow(
    "too long together",
  );
});

test("several globs are matched at once, and their order is kept", () => {
  const match = createEditorGlobs(["*", "*.c", "/a.c", "{a,b}.c", "*.h"]);
  expect(match("a.c")).toEqual([0, 1, 2, 3]);
  expect(match("x/b.c")).toEqual([0, 1, 3]);
});
