import * as fc from "fast-check";
import { matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/regex/glob-tester.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const match = async (
  pattern: string,
  paths: string[],
  options: Record<string, unknown> = {},
): Promise<string[]> => {
  const result = await runTool(tool, { data: paths.join("\n"), pattern, ...options });
  return result === "" ? [] : result.split("\n");
};

describe("glob", () => {
  const paths = ["a", "b", "a/b", "a/b/c", "a.ts", "a/b.ts", ".x", "a/.x", ".x/b", "é", "👋", "a-1", "a-2"];
  test.each([
    ["*", ["a", "b", "a.ts", "é", "👋", "a-1", "a-2"]],
    ["?", ["a", "b", "é", "👋"]],
    ["**", ["a", "b", "a/b", "a/b/c", "a.ts", "a/b.ts", "é", "👋", "a-1", "a-2"]],
    ["**/*.ts", ["a.ts", "a/b.ts"]],
    ["a/**", ["a/b", "a/b/c", "a/b.ts"]],
    ["a/**/c", ["a/b/c"]],
    ["**/b/**", ["a/b/c"]],
    [".*", [".x"]],
    ["[!a]", ["b", "é", "👋"]],
    ["[a-b]", ["a", "b"]],
    ["[[:alpha:]]", ["a", "b"]],
    ["{a,b}", ["a", "b"]],
    ["a-{1..9}", ["a-1", "a-2"]],
    ["a{,/b{,/c}}", ["a", "a/b", "a/b/c"]],
    ["@(a|b)", ["a", "b"]],
    ["+(a|-|1)", ["a", "a-1"]],
    ["!(a)", ["b", "a.ts", "é", "👋", "a-1", "a-2"]],
    ["!(a|b|*.ts)", ["é", "👋", "a-1", "a-2"]],
    ["a!(.ts|)", ["a-1", "a-2"]],
    ["a/!(b)", ["a/b.ts"]],
    ["!(**/*.ts)", ["a", "b", "a/b", "a/b/c", "é", "👋", "a-1", "a-2"]],
    ["!(a/**)", ["a", "b", "a.ts", "é", "👋", "a-1", "a-2"]],
    ["!(!(a))", ["a"]],
    ["{a/**,b}", ["b", "a/b", "a/b/c", "a/b.ts"]],
    ["@(**/b|é)", ["b", "a/b", "é"]],
    ["\\a", ["a"]],
    ["A", []],
  ])("%s", async (pattern, wanted) => {
    expect(await match(pattern, paths)).toEqual(wanted);
  });

  test("lets wildcards match names that begin with a dot if `dot` is set", async () => {
    expect(await match("**/b", paths, { dot: true })).toEqual(["b", "a/b", ".x/b"]);
  });

  test("does not match hidden names with !(…), unless `dot` is set", async () => {
    expect(await match("!(a*)", paths)).not.toContain(".x");
    expect(await match("!(b/c)", paths)).not.toContain("a/.x");
    expect(await match("!(a*)", paths, { dot: true })).toContain(".x");
    expect(await match("!(b/c)", paths, { dot: true })).toContain("a/.x");
  });

  test("treats braces and brackets that do not close as literals", async () => {
    expect(await match("{a,[b", ["{a,[b"])).toEqual(["{a,[b"]);
    expect(await match("{a}", ["a", "{a}"])).toEqual(["{a}"]);
  });

  test("agrees with Node", async () => {
    const part = fc.constantFrom(
      "a",
      "b",
      ".",
      "/",
      "*",
      "**",
      "?",
      "[ab]",
      "[!a]",
      "{a,.b}",
      "{**/a,b/**}",
      "{*,b}",
      "**/",
      "/**",
      "{1..2}",
    );
    const glob = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    const path = fc.array(fc.constantFrom("a", "b", ".x", "ab", "1"), { minLength: 1, maxLength: 4 });
    const odd = /\/\/|^\/|(?:^|\/)\.{1,2}(?:\/|$)/;
    await fc.assert(
      fc.asyncProperty(
        glob.filter((pattern) => !odd.test(pattern)),
        path.map((names) => names.join("/")),
        async (pattern, one) => {
          expect(await match(pattern, [one])).toEqual(matchesGlob(one, pattern) ? [one] : []);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("agrees with Node on names that a group excludes", async () => {
    const name = fc.constantFrom("!(a)", "!(a|b)", "!(*.x)", "!(a*|b.x)", "*", "a", "**");
    const glob = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
    const path = fc.array(fc.constantFrom("a", "b", ".x", "ab", "b.x", "c"), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        glob,
        path.map((names) => names.join("/")),
        async (pattern, one) => {
          expect(await match(pattern, [one])).toEqual(matchesGlob(one, pattern) ? [one] : []);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    "!(a",
    "@(a",
    "[b-a]",
    "[[:nonsense:]]",
    "[[:constructor:]]",
    "a\\",
    "{1..99999}",
    `${"{a,".repeat(40)}b${"}".repeat(40)}`,
  ])("refuses %s", async (pattern) => {
    expect(await refusalOf(match(pattern, ["a"]))).toMatchObject({
      code: "invalid_input",
      pointer: "/pattern",
    });
  });

  test("matches patterns that make other engines backtrack for ever in linear time", async () => {
    const cost = startCost();
    await match(`${"*a".repeat(200)}b`, ["a".repeat(5000)]);
    await match(`${"**/".repeat(200)}b`, [`${"a/".repeat(1000)}c`]);
    await match(`${"!(a)".repeat(100)}b`, ["a".repeat(2000)]);
    await match("!(!(!(!(*a*b))))", ["ab".repeat(2000)]);
    await match("+(+(+(+(a))))b", ["a".repeat(2000)]);
    await match("{".repeat(5000), ["a"]);
    await match(`${"{a".repeat(30)}${"}".repeat(30)}`, ["a"]);
    await match(`@(${"a|".repeat(5000)}b)`, ["b"]);
    expect(cost()).toBeLessThan(400);
  });
});

describe("gitignore", () => {
  test.each([
    ["*.log", ["a.log", "x/a.log"], ["a.log", "x/a.log"]],
    ["/a", ["a", "x/a"], ["a"]],
    ["a/", ["a", "a/", "a/b", "x/a/b"], ["a/", "a/b", "x/a/b"]],
    ["a/b", ["a/b", "x/a/b", "a/b/c"], ["a/b", "a/b/c"]],
    ["**/b", ["b", "a/b"], ["b", "a/b"]],
    ["a/**", ["a", "a/b"], ["a/b"]],
    ["*\n!*.md", ["a", "a.md", "x/a.md"], ["a", "x/a.md"]],
    ["x/*\n!x/a", ["x/a", "x/b"], ["x/b"]],
    ["# a\n\\#b\n\n", ["# a", "#b"], ["#b"]],
    ["\\!a", ["!a"], ["!a"]],
    ["a  \nb\\ ", ["a", "b ", "b"], ["a", "b "]],
    ["[Aa]\r\n*.{x,y}", ["A", "b.x", "b.{x,y}"], ["A", "b.{x,y}"]],
    [".*", [".git", "a/.b"], [".git", "a/.b"]],
    // As `git check-ignore` reports it: é is two bytes.
    ["?", ["a", "é"], ["a"]],
    ["??\n[!a]", ["ab", "é", "b"], ["ab", "é", "b"]],
    ["é*\nü", ["é", "éa", "ü", "u"], ["é", "éa", "ü"]],
  ])("%j", async (pattern, paths, wanted) => {
    expect(await match(pattern, paths, { dialect: "gitignore" })).toEqual(wanted);
  });

  test("reports the place of an error in characters", async () => {
    expect(await refusalOf(match("éé\n\\", ["a"], { dialect: "gitignore" }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("character 4") as string,
    });
  });
});

describe("codeowners", () => {
  test.each([
    ["* @all", ["a", "x/y"], ["a", "x/y"]],
    ["*.js @js # note", ["a.js", "x/b.js", "c"], ["a.js", "x/b.js"]],
    ["docs/* @d", ["docs/a", "docs/x/a"], ["docs/a"]],
    ["/docs/ @d", ["docs/x/a", "x/docs/a"], ["docs/x/a"]],
    ["apps/ @d", ["apps/a", "x/apps/y/z"], ["apps/a", "x/apps/y/z"]],
    ["/apps @d", ["apps/a", "x/apps/b"], ["apps/a"]],
    ["**/logs @d", ["logs/a", "x/logs/y"], ["logs/a", "x/logs/y"]],
    ["* @a\n/apps/gh", ["x", "apps/gh/y"], ["x"]],
    ["a\\ b @d", ["a b", "a"], ["a b"]],
    ["*.md", ["a.md", "b"], ["a.md"]],
  ])("%j", async (pattern, paths, wanted) => {
    expect(await match(pattern, paths, { dialect: "codeowners" })).toEqual(wanted);
  });

  test.each(["!a @x", "[ab] @x"])("refuses %s like GitHub", async (pattern) => {
    const refusal = await refusalOf(match(`* @a\n${pattern}`, ["a"], { dialect: "codeowners" }));
    expect(refusal).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("character 6") as string,
    });
  });
});

test.each([
  [
    "gitignore",
    "# no\n\n*.log\r\n!keep.log\nbuild/ ",
    "a.log\nkeep.log\nbuild/x/y\nb",
    "3:*.log\ta.log\n5:build/\tbuild/x/y",
  ],
  ["codeowners", "* @a @b\n  /src/ @c # why\n", "src/x\ny", "2:/src/ @c # why\tsrc/x\n1:* @a @b\ty"],
  ["glob", "*.ts", "a.ts\nb.js", "1:*.ts\ta.ts"],
  ["gitignore", "é?.txt", "é1.txt", "1:é?.txt\té1.txt"],
])("names the line of a %s that decides", async (dialect, pattern, data, result) => {
  expect(await runTool(tool, { data, pattern, dialect, output: "rules" })).toBe(result);
});
