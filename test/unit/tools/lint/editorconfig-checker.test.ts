import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import { execute } from "../../../../src/catalog/execute.ts";
import tool from "../../../../src/tools/lint/editorconfig-checker.ts";
import { context, runTool } from "../run-tool.ts";
import { mistakes } from "./editorconfig-checker-mistakes.ts";

const check = async (data: string, editorconfig: string, name = "a.txt"): Promise<Report> =>
  JSON.parse(await runTool(tool, { data, editorconfig, name })) as Report;

/** Rules with their lines. */
const found = async (data: string, settings: string, name?: string): Promise<string[]> =>
  (await check(data, `root = true\n[*]\n${settings}\n`, name)).errors.map(
    ({ rule, line }) => `${rule} ${line}`,
  );

/** The document as the check of files fixes it; undefined if it leaves it. */
async function fix(data: string | Uint8Array, settings: string, name = "a.txt"): Promise<string | undefined> {
  const { body } = await execute(
    tool,
    {
      body: {
        kind: "raw",
        bytes: Buffer.from(data),
        text: false,
        options: { editorconfig: `[*]\n${settings}\n`, name },
      },
      form: "fix",
      check: true,
    },
    context,
  );
  return body.length === 0 ? undefined : Buffer.from(body).toString();
}

test.each(mistakes)("%s", async (_, settings, text, expected) => {
  const all = await found(text, settings);
  if (expected === undefined) expect(all).toEqual([]);
  else expect(all).toContain(expected);
});

test("at least a hundred mistakes are found, and those that are not are these", () => {
  expect(mistakes.filter(([, , , expected]) => expected !== undefined).length).toBeGreaterThanOrEqual(100);
  expect(mistakes.filter(([, , , expected]) => expected === undefined).map(([what]) => what)).toEqual([
    "several line ends at the end",
    "an em space",
    "a tab inside a line",
    "two levels at once",
    "a level too few",
    "columns of a tab",
    "a natural language",
  ]);
});

/** Rules whose findings a fix removes, and those that it leaves; the others depend on the text. */
const [fixedRules, leftRules] = [
  ["end-of-line", "trailing-whitespace", "final-newline"],
  ["line-length", "indent-size"],
];

const planted = mistakes.flatMap(([what, settings, text, expected]): [string, string, string, string][] =>
  expected === undefined ? [] : [[what, settings, text, expected]],
);

test.each(planted)("%s: what can be fixed is fixed, and once", async (_, settings, text, expected) => {
  const fixed = await fix(text, settings);
  const left = await found(fixed ?? text, settings);
  expect(left.filter((one) => fixedRules.includes(one.split(" ")[0] ?? ""))).toEqual([]);
  const isLeft = leftRules.includes(expected.split(" ")[0] ?? "");
  expect(left).toEqual(isLeft ? expect.arrayContaining([expected]) : expect.any(Array));
  expect(fixed === undefined ? undefined : await fix(fixed, settings)).toBeUndefined();
});

test("a finding has its place and says which setting it breaks", async () => {
  const data = "é\n\tb \nlast";
  const { errors } = await check(
    data,
    "[*]\nindent_style = space\nend_of_line = crlf\ninsert_final_newline = true\ntrim_trailing_whitespace = true\nmax_line_length = 3\n",
  );
  expect(errors.map(({ message, line, column, offset }) => [message, line, column, offset])).toEqual([
    ["The line ends with LF, as do 1 other lines with wrong ends; end_of_line is crlf.", 1, 2, 2],
    ["The line is indented with a tab; indent_style is space.", 2, 1, 3],
    ["The line ends with spaces or tabs; trim_trailing_whitespace is true.", 2, 3, 5],
    ["The line has 4 characters; max_line_length is 3.", 3, 4, 10],
    ["The file lacks a line end at its end; insert_final_newline is true.", 3, 5, 11],
  ]);
});

test("sections apply by the name of the file", async () => {
  const config = "[*.c]\ntrim_trailing_whitespace = true\n[src/**.h]\ntrim_trailing_whitespace = true\n";
  const valid = async (name: string) => (await check("a \n", config, name)).valid;
  expect(await valid("x/a.c")).toBe(false);
  expect(await valid("./src/x/a.h")).toBe(false);
  expect(await valid("/src/a.h")).toBe(false);
  expect(await valid("a.h")).toBe(true);
});

test("alignment behind tabs and comments of several lines are no mistakes, and neither are blank lines", async () => {
  expect(
    await found(
      "\ta(b,\n\t  c);\n/*\n * a\n */\n\n\t/*\n\t * b\n\t */\n",
      "indent_style = tab\ntab_width = 4",
    ),
  ).toEqual([]);
  expect(
    await found("/*\n * a\n */\n  /*\n   * b\n   */\n   \n", "indent_style = space\nindent_size = 2"),
  ).toEqual([]);
});

test("comments of editorconfig-checker exclude lines, blocks and files", async () => {
  const trim = "trim_trailing_whitespace = true\nmax_line_length = 60";
  expect(await found("a // editorconfig-checker-disable-line \n", trim)).toEqual([]);
  expect(await found("// editorconfig-checker-disable-next-line\na \n", trim)).toEqual([]);
  expect(
    await found("// editorconfig-checker-disable\na \nb \n// editorconfig-checker-enable\nc\n", trim),
  ).toEqual([]);
  expect(
    await found(
      `// editorconfig-checker-disable-file\na \n${"a".repeat(99)}`,
      `${trim}\ninsert_final_newline = true`,
    ),
  ).toEqual([]);
  expect(await fix("a \n// editorconfig-checker-disable-next-line\nb \nc \n", trim)).toBe(
    "a\n// editorconfig-checker-disable-next-line\nb \nc\n",
  );
  expect(await fix("// editorconfig-checker-disable-file\na \n", trim)).toBeUndefined();
});

test.each([
  ["line ends", "end_of_line = lf", "a\r\nb\rc\n", "a\nb\nc\n"],
  ["the last line end, like the others", "insert_final_newline = true", "a\r\nb", "a\r\nb\r\n"],
  ["the last line end of the settings", "insert_final_newline = true\nend_of_line = crlf", "a", "a\r\n"],
  ["line ends that must not be", "insert_final_newline = false", "a\n\r\n\n", "a"],
  ["spaces at the ends of lines", "trim_trailing_whitespace = true", "a \n\t\nb\t ", "a\n\nb"],
  ["a byte order mark", "charset = utf-8", "\ufeffa\n", "a\n"],
  ["a missing byte order mark", "charset = utf-8-bom", "a\n", "\ufeffa\n"],
  ["tabs alone", "indent_style = space\nindent_size = 2", "a\n\t\tb\tc\n", "a\n    b\tc\n"],
  ["whole levels of spaces", "indent_style = tab\ntab_width = 4", "a\n        b\n", "a\n\t\tb\n"],
])("%s are fixed", async (_, settings, before, after) => {
  expect(await fix(before, settings)).toBe(after);
  expect(await fix(after, settings)).toBeUndefined();
});

test.each([
  ["a mix of tabs and spaces", "indent_style = space\nindent_size = 2", "a\n\t b\n"],
  ["tabs of an unknown width", "indent_style = space", "a\n\tb\n"],
  ["a part of a level", "indent_style = tab\ntab_width = 4", "a\n  b\n"],
  ["spaces, where no width is set", "indent_style = tab", "a\n        b\n"],
  ["a long line", "max_line_length = 3", "abcd\n"],
  ["a level that is no whole one", "indent_style = space\nindent_size = 4", "a\n  b\n"],
])("%s is left as it is", async (_, settings, text) => {
  expect((await found(text, settings)).length).toBe(1);
  expect(await fix(text, settings)).toBeUndefined();
});

test("a .editorconfig itself is checked: what readers ignore in it is an error", async () => {
  const text =
    "indent_style = tab\nroot = yes\n[*]\nindent_style = tabs\nindent_size = two\nend_of_line = unset\nmax_line_length = off\ntab_width = off\nindent_siez = 2\ndotnet_sort = true\nroot = true\nnonsense\n";
  const { errors } = await check(text, "", "x/.editorconfig");
  expect(errors.map(({ severity, line, message }) => `${severity} ${line} ${message}`)).toEqual([
    "error 1 indent_style counts only in a section, such as [*].",
    'error 2 root must be true or false, not "yes".',
    'error 4 indent_style must be space or tab, not "tabs". Did you mean tab?',
    'error 5 indent_size must be a whole number or tab, not "two".',
    'error 8 tab_width must be a whole number, not "off".',
    'warning 9 "indent_siez" is not a key that is known here. Did you mean indent_size?',
    "error 11 root counts only above the first section.",
    "error 12 A line must be a section in brackets, KEY = VALUE, or a comment that begins with # or ;.",
  ]);
});

test("without settings there is a warning, and settings that are none are refused with their place", async () => {
  expect((await check("a \n", " \n")).errors).toMatchObject([{ rule: "no-settings", severity: "warning" }]);
  await expect(check("a\n", "nonsense")).rejects.toMatchObject({ code: "invalid_input" });
});

/** The report of bytes, as a check of files gets it. */
async function ofBytes(bytes: Uint8Array, settings: string): Promise<string[]> {
  const { report } = await execute(
    tool,
    {
      body: { kind: "raw", bytes, text: false, options: { editorconfig: `[*]\n${settings}\n` } },
      form: "report",
      check: true,
    },
    context,
  );
  return report?.errors.map(({ rule, line, offset }) => `${rule} ${line} ${offset}`) ?? [];
}

test("bytes that are no UTF-8 are read by their mark, or one by one; binary files are left alone", async () => {
  const latin1 = Uint8Array.of(0xe9, 0x20, 0x0a);
  expect(await ofBytes(latin1, "charset = latin1")).toEqual([]);
  expect(await ofBytes(latin1, "charset = utf-8\ntrim_trailing_whitespace = true")).toEqual([
    "charset 1 0",
    "trailing-whitespace 1 2",
  ]);
  const utf16 = Buffer.from("\ufeffa \nb", "utf16le");
  expect(await ofBytes(utf16, "charset = utf-16le")).toEqual([]);
  expect(await ofBytes(utf16, "charset = utf-16be\ninsert_final_newline = true")).toEqual([
    "charset 1 0",
    "final-newline 2 4",
  ]);
  expect(await ofBytes(Buffer.from(utf16).swap16(), "charset = utf-16be")).toEqual([]);
  expect(
    await ofBytes(
      Uint8Array.of(1, 2, 0, 0x20, 0x0a, 3),
      "trim_trailing_whitespace = true\ninsert_final_newline = true",
    ),
  ).toEqual([]);
  expect(await ofBytes(new Uint8Array(), "insert_final_newline = true\ncharset = utf-8")).toEqual([]);
  expect(await fix(latin1, "trim_trailing_whitespace = true")).toBeUndefined();
});

test("at most a hundred errors are reported, and warnings take no room of them", async () => {
  const wrong = " a\n".repeat(300) + "\tb \n".repeat(300);
  const { errors } = await check(
    wrong,
    "[*]\nindent_style = space\nindent_size = 2\ntrim_trailing_whitespace = true\n",
  );
  expect(errors.length).toBe(100);
  expect(errors.every(({ severity }) => severity === "error")).toBe(true);
});
