import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listChanged } from "../../../src/checks/git/changes.ts";
import { openRepository } from "../../../src/checks/git/open-repository.ts";
import { createFiles } from "../../../src/surfaces/cli/files.ts";
import { gitEnv, makeRepository, type TestRepository } from "../cli/repository.ts";

async function changedIn(
  cwd: string,
  concerns: (path: string) => boolean = () => true,
): Promise<{ paths: string[]; links: string[]; submodules: string[] }> {
  const repository = await openRepository(cwd, { files: createFiles(cwd), env: gitEnv });
  if (repository === undefined) throw new Error("There is no repository");
  const { paths, links, submodules } = await listChanged(repository, cwd, { kind: "changed" }, concerns);
  return { paths: paths.toSorted(), links, submodules };
}

/** Returns the status that Git itself reports, after it has read all files. */
function statusOf({ git }: TestRepository): string[] {
  git("status");
  return git("diff", "--name-only", "-z", "HEAD")
    .split("\0")
    .filter((name) => name !== "");
}

const lines = "one\ntwo\nthree\n";
/** Contents by the names of their files; each is committed with LF, whatever Git makes of it. */
const contents = {
  same: { committed: lines, present: lines },
  crlf: { committed: lines, present: lines.replaceAll("\n", "\r\n") },
  mixed: { committed: lines, present: lines.replace("\n", "\r\n") },
  "other-crlf": { committed: lines, present: "one\r\ntwo\r\n" },
  "lone-cr": { committed: "one\rtwo\n", present: "one\rtwo\r\n" },
  "end-cr": { committed: "one\ntwo\r", present: "one\r\ntwo\r" },
  nul: { committed: "one\0\ntwo\n", present: "one\0\r\ntwo\r\n" },
  "few-controls": { committed: `${"x".repeat(300)}\u0001\n`, present: `${"x".repeat(300)}\u0001\r\n` },
  "many-controls": { committed: "x\u0001\u0002\n", present: "x\u0001\u0002\r\n" },
  "end-of-cpm": { committed: "one\n\u001a", present: "one\r\n\u001a" },
  "crlf-committed": { committed: "one\r\n", present: "one\n" },
  "crlf-kept": { committed: "one\r\ntwo\r\n", present: "one\r\ntwo\r\n" },
  empty: { committed: "", present: "\r\n" },
};
const large = `${"y".repeat(99)}\n`.repeat(6000);

describe("line ends", () => {
  test.each([
    ["", "false"],
    ["", "true"],
    ["", "input"],
    ["* text", "false"],
    ["* text=auto", "false"],
    ["* text=auto eol=crlf", "false"],
    ["* -text", "true"],
    ["* eol=lf", "false"],
    ["* eol=crlf", "true"],
    ["* crlf", "false"],
    ["* -crlf", "true"],
    ["* crlf=input", "false"],
    ["* text=other", "true"],
    ["*.x text", "false"],
  ])(
    "with attributes %j and core.autocrlf=%s make the difference that they make for Git",
    async (attributes, autocrlf) => {
      const repository = makeRepository();
      const { cwd, git, write } = repository;
      const all: Readonly<Record<string, { committed: string; present: string }>> = {
        ...contents,
        large: { committed: large, present: large.replaceAll("\n", "\r\n") },
      };
      // The blobs are written as they are: `git add` would convert them.
      const entries = Object.entries(all).map(([name, { committed }]) => {
        write({ blob: committed });
        return `100644 ${git("hash-object", "-w", "--no-filters", "blob").trim()}\t${name}\n`;
      });
      rmSync(join(cwd, "blob"));
      execFileSync("git", ["update-index", "--index-info"], { cwd, env: gitEnv, input: entries.join("") });
      git("commit", "-q", "-m", "Contents");
      git("config", "core.autocrlf", autocrlf);
      write({ ".git/info/attributes": `${attributes}\n` });
      for (const [name, { present }] of Object.entries(all)) write({ [name]: present });
      const expected = statusOf(repository);
      const { paths } = await changedIn(cwd);
      // A file that is the blob byte for byte is unchanged, though Git would store it with other line ends.
      const isSame = (name: string) => all[name]?.committed === all[name]?.present;
      expect(paths).toEqual(expected.filter((name) => !isSame(name)).toSorted());
    },
  );

  test.each(["filter=lfs", "filter=", "ident", "working-tree-encoding=UTF-16"])(
    "with the attribute %s count as a change, but no difference does not",
    async (attribute) => {
      const { cwd, write } = makeRepository({ "a.txt": lines, "b.txt": lines });
      write({ ".gitattributes": `*.txt text ${attribute}\n`, "a.txt": lines.replaceAll("\n", "\r\n") });
      expect((await changedIn(cwd)).paths).toEqual([".gitattributes", "a.txt"]);
    },
  );
});

describe("what differs from HEAD", () => {
  test("is found by content alone: size, times and flags of the index are not believed", async () => {
    const { cwd, git, write } = makeRepository({ "a.txt": "one", "b.txt": "one", "c.txt": "one" });
    for (const name of ["a.txt", "b.txt"]) utimesSync(join(cwd, name), 1, 1);
    git("status");
    write({ "a.txt": "two" });
    utimesSync(join(cwd, "a.txt"), 1, 1);
    git("update-index", "--assume-unchanged", "a.txt", "b.txt");
    expect((await changedIn(cwd)).paths).toEqual(["a.txt"]);
  });

  test("is its mode, too, unless the repository ignores that", async () => {
    const { cwd, git } = makeRepository({ "a.txt": "one" });
    chmodSync(join(cwd, "a.txt"), 0o755);
    expect((await changedIn(cwd)).paths).toEqual(["a.txt"]);
    git("config", "core.fileMode", "false");
    expect((await changedIn(cwd)).paths).toEqual([]);
  });

  test("is a link with another target, a file in place of a link, and a link in place of a file", async () => {
    const { cwd, git, write } = makeRepository({ "a.txt": "one", "b.txt": "one" });
    for (const name of ["same", "other", "file"]) symlinkSync("a.txt", join(cwd, name));
    git("add", "-A");
    git("commit", "-q", "-m", "Links");
    for (const name of ["other", "file", "b.txt"]) rmSync(join(cwd, name));
    symlinkSync("b.txt", join(cwd, "other"));
    symlinkSync("a.txt", join(cwd, "b.txt"));
    write({ file: "one" });
    expect(await changedIn(cwd)).toEqual({ paths: ["file"], links: ["b.txt", "other"], submodules: [] });
  });

  test("is both sides of a conflict, what is to be added, and nothing of what was deleted", async () => {
    const { cwd, git, write } = makeRepository({
      "a.txt": "base",
      "gone.txt": "x",
      "out.txt": "x",
      "kept.txt": "x",
    });
    git("checkout", "-q", "-b", "topic");
    write({ "a.txt": "theirs" });
    git("commit", "-qam", "Theirs");
    git("checkout", "-q", "main");
    write({ "a.txt": "ours" });
    git("commit", "-qam", "Ours");
    try {
      git("merge", "-q", "topic");
    } catch {
      // The conflict.
    }
    rmSync(join(cwd, "gone.txt"));
    git("rm", "-q", "--cached", "out.txt", "kept.txt");
    rmSync(join(cwd, "out.txt"));
    write({ "empty.txt": "", "new.txt": "x" });
    git("add", "-N", "empty.txt", "new.txt");
    expect((await changedIn(cwd)).paths).toEqual(["a.txt", "empty.txt", "kept.txt", "new.txt"]);
  });

  test("is nothing behind a folder that became a link", async () => {
    const { cwd, write } = makeRepository({ "sub/a.txt": "one", "b.txt": "one" });
    rmSync(join(cwd, "sub"), { recursive: true });
    mkdirSync(join(cwd, "elsewhere"));
    write({ "elsewhere/a.txt": "two" });
    symlinkSync("elsewhere", join(cwd, "sub"));
    expect((await changedIn(cwd)).paths).toEqual(["elsewhere/a.txt", "sub"]);
  });

  test("does not include a file for which that does not matter", async () => {
    const { cwd, write } = makeRepository({ "a.txt": "one", "b.bin": "one" });
    write({ "a.txt": "two", "b.bin": "two" });
    const repository = await openRepository(cwd, { files: createFiles(cwd), env: gitEnv });
    const concerns = (path: string) => path.endsWith(".txt");
    const changed = await listChanged(
      repository as NonNullable<typeof repository>,
      cwd,
      { kind: "changed" },
      concerns,
    );
    expect(changed.paths).toEqual(["a.txt"]);
  });
});

test("a file that is larger than one read is compared as a whole", async () => {
  // CR at the end of one read and LF at the start of the next.
  const half = "z".repeat(256 * 1024 - 1);
  const { cwd, git, write } = makeRepository({ "a.txt": `${half}\n${half}\n`, "b.txt": `${half}\n` });
  git("config", "core.autocrlf", "true");
  write({ "a.txt": `${half}\r\n${half}\r\n` });
  expect((await changedIn(cwd)).paths).toEqual([]);
  writeFileSync(join(cwd, "b.txt"), `${half}\r`);
  expect((await changedIn(cwd)).paths).toEqual(["b.txt"]);
});
