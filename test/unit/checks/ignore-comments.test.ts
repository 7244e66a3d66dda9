import { describe, expect, test } from "vitest";
import { findIgnoreComments } from "../../../src/checks/ignore-comments.ts";

const find = (name: string, text: string) =>
  findIgnoreComments(name, text).map(({ line, column, rule, reason }) => [line, column, rule, reason]);

describe("comments are found as each format writes them", () => {
  const found = [[1, 1, "t/r", "a reason"]];
  test.each([
    ["a.yaml", "# penknife-ignore t/r a reason"],
    ["a.yml", "#penknife-ignore  t/r   a reason  "],
    ["a.toml", "# penknife-ignore t/r a reason"],
    [".env", "# penknife-ignore t/r a reason"],
    [".env.local", "# penknife-ignore t/r a reason"],
    ["x/prod.ENV", "# penknife-ignore t/r a reason"],
    ["a.properties", "! penknife-ignore t/r a reason"],
    ["a.properties", "# penknife-ignore t/r a reason"],
    ["a.ini", "; penknife-ignore t/r a reason"],
    ["a.sql", "-- penknife-ignore t/r a reason"],
    ["a.sql", "/* penknife-ignore t/r a reason */"],
    ["a.json", "// penknife-ignore t/r a reason"],
    ["a.jsonc", "/* penknife-ignore t/r a reason */"],
    ["a.xml", "<!-- penknife-ignore t/r a reason -->"],
    ["a.html", "<!--penknife-ignore t/r a reason-->"],
    ["x/.gitignore", "# penknife-ignore t/r a reason"],
    ["Dockerfile", "# penknife-ignore t/r a reason"],
    ["build/api.dockerfile", "# penknife-ignore t/r a reason"],
    ["CODEOWNERS", "# penknife-ignore t/r a reason"],
    // Files of unknown formats may have any of them.
    ["a.py", "# penknife-ignore t/r a reason"],
    ["a.go", "// penknife-ignore t/r a reason"],
    ["a.lua", "-- penknife-ignore t/r a reason"],
    ["LICENSE", "/* penknife-ignore t/r a reason */"],
  ])("%s: %s", (name, text) => {
    expect(find(name, text)).toEqual(found);
  });

  test.each([
    ["a.yaml", "// penknife-ignore t/r a reason"],
    ["a.json", "# penknife-ignore t/r a reason"],
    ["a.sql", "# penknife-ignore t/r a reason"],
    ["a.csv", "# penknife-ignore t/r a reason"],
    ["a.pem", "# penknife-ignore t/r a reason"],
    ["a.yaml", "# see penknife-ignore t/r a reason"],
    ["a.yaml", "# penknife-ignored t/r a reason"],
    ["a.yaml", "penknife-ignore t/r a reason"],
  ])("%s: %s is none", (name, text) => {
    expect(find(name, text)).toEqual([]);
  });
});

describe("after a value", () => {
  test.each([
    ["a.yaml", "a: 1 # penknife-ignore t/r why", 6],
    ["a.yaml", "é😀: 1 # penknife-ignore t/r why", 7],
    ["a.yaml", "a: it's # penknife-ignore t/r why", 9],
    ["a.yaml", "a: 'x # y' # penknife-ignore t/r why", 12],
    ["a.yaml", "a: 1 # don't # penknife-ignore t/r why", 14],
    ["a.yaml", 'a: "\\" x" # penknife-ignore t/r why', 11],
    ["a.toml", 'a = ["#", "\\\\"] # penknife-ignore t/r why', 17],
    ["a.json", '{"a": 1, // penknife-ignore t/r why', 10],
    ["a.sql", "select 'it''s' -- penknife-ignore t/r why", 16],
    ["a.xml", "<a/> <!-- penknife-ignore t/r why -->", 6],
  ])("%s: %s", (name, text, column) => {
    expect(find(name, text)).toEqual([[1, column, "t/r", "why"]]);
  });

  test.each([
    // Quoted, so it is text.
    ["a.yaml", 'a: "x # penknife-ignore t/r why"'],
    ["a.yaml", "a: ' # penknife-ignore t/r why'"],
    ["a.yaml", "['# penknife-ignore t/r why']"],
    ["a.json", '{"a": "// penknife-ignore t/r why"}'],
    ["a.sql", "select '-- penknife-ignore t/r why'"],
    ["a.go", "x := ` // penknife-ignore t/r why`"],
    // No white space before it, so it belongs to the value.
    ["a.yaml", "a: b# penknife-ignore t/r why"],
    ["a.json", '"a":1// penknife-ignore t/r why'],
    // These formats have whole lines of comments only.
    ["a.properties", "a=1 # penknife-ignore t/r why"],
    ["a.ini", "a=1 ; penknife-ignore t/r why"],
    [".gitignore", "*.log # penknife-ignore t/r why"],
    ["Dockerfile", "RUN x # penknife-ignore t/r why"],
  ])("%s: %s is none", (name, text) => {
    expect(find(name, text)).toEqual([]);
  });
});

test("a comment ends with its line or its mark, and may lack a rule or a reason", () => {
  expect(find("a.xml", "<!-- penknife-ignore t/r --> text")).toEqual([[1, 1, "t/r", ""]]);
  expect(find("a.xml", "<!-- penknife-ignore t/r goes\non -->")).toEqual([[1, 1, "t/r", "goes"]]);
  expect(find("a.yaml", "\n  # penknife-ignore\n")).toEqual([[2, 3, "", ""]]);
});

test("a comment alone on its line is for the next line that is no such comment", () => {
  const lines = ["# penknife-ignore a/b c", "# penknife-ignore d/e f", "x: 1 # penknife-ignore g/h i"];
  expect(findIgnoreComments("a.yaml", lines.join("\r\n")).map((comment) => comment.lines)).toEqual([
    [1, 3],
    [2, 3],
    [3],
  ]);
});

test("takes time in proportion to a line of quotation marks", () => {
  // Every mark looks for the next; with a search to the end of the line for each this takes minutes.
  const line = `${"x 'y ".repeat(200_000)}# penknife-ignore t/r why`;
  expect(find("a.yaml", line)).toHaveLength(1);
});
