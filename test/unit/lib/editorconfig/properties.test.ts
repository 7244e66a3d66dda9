import { expect, test } from "vitest";
import { parseEditorConfig } from "../../../../src/lib/editorconfig/parse.ts";
import { propertiesOf } from "../../../../src/lib/editorconfig/properties.ts";

/** The settings of a file by texts of files of settings, each with its folder, the outermost first. */
const settings = (path: string, ...configs: [folder: string, text: string][]): Record<string, string> =>
  Object.fromEntries(
    propertiesOf(
      path,
      configs.map(([folder, text]) => ({ folder, config: parseEditorConfig(text) })),
    ),
  );

test("lines are sections, pairs and comments, with any white space around them", () => {
  const text =
    "\ufeff; c\r\n # c\r\n\t[ *.c ] \r\n[*.c]\n  KEY =  Some Value ; x # y  \nempty=\n=none\nnonsense\n[a;#.c]\nb=1\n";
  expect(settings("x.c", ["", text])).toEqual({ key: "Some Value ; x # y", empty: "" });
  expect(settings("a;#.c", ["", text])).toMatchObject({ b: "1" });
  expect(parseEditorConfig(text).faults.map(({ index }) => text.slice(index, index + 5))).toEqual([
    "=none",
    "nonse",
  ]);
});

test("later sections and nearer files win, up to the root", () => {
  const outer: [string, string] = ["", "[*]\na=1\nb=1\n[*.c]\nb=2\nc=1\n"];
  expect(settings("x.c", outer)).toEqual({ a: "1", b: "2", c: "1" });
  expect(settings("s/x.c", outer, ["s", "[*.c]\nc=3\n"])).toEqual({ a: "1", b: "2", c: "3" });
  expect(settings("s/x.c", outer, ["s", "ROOT = True\n[*.c]\nc=3\n"])).toEqual({ c: "3" });
  expect(settings("s/x.c", outer, ["s", "[*.c]\nroot=true\n"])).toEqual({
    a: "1",
    b: "2",
    c: "1",
    root: "true",
  });
  expect(settings("st/x.c", ["s", "[*]\na=1\n"])).toEqual({});
});

test("a glob with a slash begins in the folder of its file", () => {
  expect(settings("s/t/x.c", ["", "[t/*.c]\na=1\n"], ["s", "[t/*.c]\nb=1\n"])).toEqual({ b: "1" });
});

test("settings of indentation follow from each other, and unset takes one back", () => {
  expect(settings("x", ["", "[*]\nindent_style = TAB\n"])).toEqual({
    indent_style: "tab",
    indent_size: "tab",
  });
  expect(settings("x", ["", "[*]\nindent_size = 2\n"])).toEqual({ indent_size: "2", tab_width: "2" });
  expect(settings("x", ["", "[*]\nindent_size = tab\ntab_width = 4\n"])).toEqual({
    indent_size: "4",
    tab_width: "4",
  });
  expect(settings("x", ["", "[*]\nindent_style=tab\nindent_size=2\ntab_width=8\n"])).toEqual({
    indent_style: "tab",
    indent_size: "2",
    tab_width: "8",
  });
  expect(settings("x", ["", "[*]\nend_of_line = lf\n[x]\nend_of_line = UnSet\n"])).toEqual({});
});

test("names that objects of JavaScript have are keys like others", () => {
  expect(settings("x", ["", "[*]\n__proto__=1\nconstructor=2\n"])).toEqual(
    Object.fromEntries([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]),
  );
});
