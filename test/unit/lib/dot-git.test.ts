import { describe, expect, test } from "vitest";
import { isDotGit, isInDotGit } from "../../../src/lib/dot-git.ts";

/** The code points that HFS+ ignores, as `next_hfs_char` of Git has them. */
const ignored = [
  0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x206a, 0x206b, 0x206c, 0x206d,
  0x206e, 0x206f, 0xfeff,
];

describe("isDotGit", () => {
  test.each([
    ".git",
    ".GIT",
    ".Git",
    "git~1",
    "GIT~1",
    "git~2",
    ".git.",
    ".git ",
    ".git . .",
    ".git::$INDEX_ALLOCATION",
    ".git:stream",
    "git~1:stream",
    ".git\\config",
    "sub\\.git",
    ".git\udcff",
    ".g\u200cit .",
  ])("takes %j for .git", (name) => expect(isDotGit(name)).toBe(true));

  test.each(ignored)("ignores U+%x anywhere, as HFS+ does", (code) => {
    const character = String.fromCodePoint(code);
    for (let at = 0; at <= 4; at++)
      expect(isDotGit(`${".git".slice(0, at)}${character}${".git".slice(at)}`)).toBe(true);
  });

  test.each([
    "git",
    ".gitignore",
    ".github",
    ".git-blame-ignore-revs",
    ".git~1",
    "git~",
    "git~x",
    "a.git",
    ".git😀",
    ".gi",
    "..git",
    ". git",
    ".git_",
    "",
  ])("takes %j for another name", (name) => expect(isDotGit(name)).toBe(false));
});

test("isInDotGit looks at each name of a path", () => {
  expect([".git/config", "a/.GIT/hooks/x", "a/.git"].map(isInDotGit)).toEqual([true, true, true]);
  expect(["a/b", ".github/.gitkeep", "git/x"].map(isInDotGit)).toEqual([false, false, false]);
});
