import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { toFilePatch } from "../../../../src/lib/diff/file-patch.ts";
import { encodeFileName } from "../../../../src/lib/file-name.ts";

const names: readonly [what: string, name: string][] = [
  ["plain", "a.json"],
  ["in a folder", "sub/deep/a.json"],
  ["with spaces", "my folder/my file.json"],
  ["with a tab", "a\tb.json"],
  ["with a newline", "a\nb.json"],
  ["with quotes", `it's "a".json`],
  ["with a backslash", String.raw`a\n.json`],
  ["with letters beyond ASCII", "größe 👋.json"],
  ["that is not UTF-8", "caf\udce9.json"],
  ["like the header of a patch", "--- a b"],
  ["that ends with a space", "a "],
];

const changes: readonly [what: string, before: string, after: string][] = [
  ["a line in the middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"],
  ["two hunks", lines(30, {}), lines(30, { 2: "two", 25: "" })],
  ["the first and the last line", "a\nb\nc\n", "A\nb\nC\n"],
  ["a new final newline", "a\nb", "a\nb\n"],
  ["no more final newline", "a\nb\n", "a\nb"],
  ["no final newline in either", "a\nb", "b\nb"],
  ["only CRLF", "a\r\nb\r\n", "a\r\nc\r\n"],
  ["CRLF that becomes LF", "a\r\nb\r\n", "a\nb\n"],
  ["LF that becomes CRLF", "a\nb", "a\r\nb"],
  ["lines like those of a patch", "--- a\n+++ b\n@@ -1 +1 @@\n\\ No\n", "--- a\n+++ c\n@@ -1 +1 @@\n\\ No\n"],
  ["a CR inside of a line", "a\rb\nc\n", "a\rb\nd\n"],
  ["blank lines", "\n\n\n", "\n"],
  ["from nothing", "", "a\n"],
  ["a byte order mark", "\ufeffa\n", "a\n"],
];

function lines(count: number, changed: Record<number, string>): string {
  return Array.from({ length: count }, (_, index) => `${changed[index] ?? `line ${index}`}\n`).join("");
}

/** Applies a patch with a program, in a folder with these files. */
function apply(
  command: readonly [string, ...string[]],
  files: Map<string, string>,
  patch: string,
): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-patch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => encodeFileName(join(folder, name));
  for (const [name, text] of files) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  const [program, ...words] = command;
  const ran = spawnSync(program, words, {
    cwd: folder,
    input: patch,
    encoding: "utf8",
    // Without a repository: the folder of temporary files may be in one.
    env: { PATH: process.env.PATH, GIT_DIR: "/nonexistent", LC_ALL: "C" },
  });
  expect(ran.stderr).toBe("");
  expect(ran.status).toBe(0);
  return new Map([...files.keys()].map((name) => [name, readFileSync(at(name), "utf8")]));
}

describe.each([
  ["patch -p1", ["patch", "-p1", "--silent", "--fuzz=0", "--no-backup-if-mismatch"]],
  ["git apply", ["git", "apply", "--whitespace=nowarn"]],
] as const)("%s", (_, command) => {
  test.each(names)("takes a patch of a file with a name %s: %j", async (_what, name) => {
    const patch = await toFilePatch(name, "a\nb\n", "a\nc\n");
    expect(apply(command, new Map([[name, "a\nb\n"]]), patch)).toEqual(new Map([[name, "a\nc\n"]]));
  });

  test("takes one patch of many files, each with another change", async () => {
    const before = new Map(changes.map(([, text], index) => [`file ${index}`, text]));
    const after = new Map(changes.map(([, , text], index) => [`file ${index}`, text]));
    const patches = await Promise.all(
      [...before].map(async ([name, text]) => toFilePatch(name, text, after.get(name) ?? "")),
    );
    expect(apply(command, before, patches.join(""))).toEqual(after);
  });
});

test("a file that becomes empty stays a file for git apply", async () => {
  const patch = await toFilePatch("a", "\n\n", "");
  expect(apply(["git", "apply"], new Map([["a", "\n\n"]]), patch)).toEqual(new Map([["a", ""]]));
});

test("there is no patch without a change", async () => {
  expect(await toFilePatch("a", "a\r\n", "a\r\n")).toBe("");
});

test("the last line without a newline is marked", async () => {
  expect(await toFilePatch("my file", "a", "a\n")).toBe(
    "--- a/my file\t\n+++ b/my file\t\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
  );
});
