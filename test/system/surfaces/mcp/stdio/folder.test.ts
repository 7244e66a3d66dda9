import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Folder, openFolder } from "../../../../../src/surfaces/mcp/stdio/folder.ts";
import { makeRoot } from "./agent.ts";

const open = (root: string): Promise<Folder> =>
  openFolder({ root, uniqueName: () => randomBytes(8).toString("hex") });
const read = async (folder: Folder, name: string, most = 1000): Promise<string> =>
  Buffer.from(await folder.read(name, most, "file")).toString();
const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

test("reads files below the root, by names and links that stay there", async () => {
  const root = makeRoot({ "a.txt": "one", "sub/b.txt": "two" });
  symlinkSync("sub", join(root, "link"));
  symlinkSync(join(root, "a.txt"), join(root, "absolute"));
  const folder = await open(root);
  expect(await read(folder, "a.txt")).toBe("one");
  expect(await read(folder, "./sub/../sub/b.txt")).toBe("two");
  expect(await read(folder, "link/b.txt")).toBe("two");
  expect(await read(folder, "absolute")).toBe("one");
  expect(await read(folder, join(root, "a.txt"))).toBe("one");
});

test("refuses every way out, and what is no file", async () => {
  const outside = makeRoot({ "secret.txt": "secret" });
  const root = makeRoot({ "a.txt": "one", "sub/b.txt": "two" });
  symlinkSync(outside, join(root, "out"));
  symlinkSync(join(outside, "secret.txt"), join(root, "secret"));
  symlinkSync("loop", join(root, "loop"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  const folder = await open(root);
  for (const name of [
    "../secret.txt",
    join(outside, "secret.txt"),
    "out/secret.txt",
    "secret",
    "/etc/passwd",
    "/proc/self/environ",
    "sub/../../x",
    "out/../a.txt/../..",
  ])
    expect([name, await refusalOf(folder.read(name, 1000, "file"))]).toEqual([
      name,
      expect.stringMatching(/^invalid_input: file: .* is outside of the folder/),
    ]);
  for (const name of ["pipe", "sub", "loop", "missing", "", "a\0b", "a.txt/b", "x".repeat(300)])
    expect([name, await refusalOf(folder.read(name, 1000, "file"))]).toEqual([
      name,
      expect.stringMatching(/^invalid_input: file[: ]/),
    ]);
  expect(await refusalOf(folder.read("a.txt", 2, "file"))).toBe(
    'invalid_input: file: "a.txt" has 3 bytes; this tool takes at most 2.',
  );
});

test("writes whole files, and replaces one only on request", async () => {
  const root = makeRoot({ "a.txt": "one" });
  chmodSync(join(root, "a.txt"), 0o640);
  const folder = await open(root);
  await folder.write("b.txt", "new", false, "out_file");
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("new");
  expect(await refusalOf(folder.write("a.txt", "two", false, "out_file"))).toContain(
    "it exists already; set overwrite to true",
  );
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one");
  await folder.write("a.txt", "two", true, "out_file");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("two");
  expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o640);
  expect(readdirSync(root).toSorted()).toEqual(["a.txt", "b.txt"]);
});

test("writes nothing outside, into .git, over a folder or into one that is not there", async () => {
  const outside = makeRoot({ "victim.txt": "untouched" });
  const root = makeRoot({ ".git/config": "", "sub/.git/HEAD": "", "a.txt": "one" });
  symlinkSync(outside, join(root, "out"));
  symlinkSync(join(outside, "victim.txt"), join(root, "victim"));
  symlinkSync(join(outside, "new.txt"), join(root, "dangling"));
  symlinkSync(".git", join(root, "repository"));
  const folder = await open(root);
  for (const name of [
    "out/new.txt",
    "../new.txt",
    join(outside, "new.txt"),
    "victim",
    "dangling",
    ".git/hooks.txt",
    ".git",
    "sub/.git/x",
    "repository/x",
    ".",
    "sub",
    "missing/x",
    "a.txt/x",
    "",
  ])
    for (const overwrite of [false, true])
      expect([name, await refusalOf(folder.write(name, "x", overwrite, "out_file"))]).toEqual([
        name,
        expect.stringMatching(/^invalid_input: out_file[: ]/),
      ]);
  expect(readdirSync(outside)).toEqual(["victim.txt"]);
  expect(readFileSync(join(outside, "victim.txt"), "utf8")).toBe("untouched");
  expect(readdirSync(join(root, ".git"))).toEqual(["config"]);
  expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a link to a file below the root stays a link when the file is replaced", async () => {
  const root = makeRoot({ "sub/a.txt": "one" });
  symlinkSync("sub/a.txt", join(root, "link"));
  const folder = await open(root);
  await folder.write("link", "two", true, "out_file");
  expect(lstatSync(join(root, "link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(root, "sub/a.txt"), "utf8")).toBe("two");
});

test("a folder that is replaced by a link while it is used leads nowhere", async () => {
  const outside = makeRoot({ "a.txt": "secret" });
  const root = makeRoot({ "sub/a.txt": "mine" });
  symlinkSync(outside, join(root, "trap"));
  const folder = await open(root);
  const [sub, trap, spare] = ["sub", "trap", "spare"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const outcomes = new Set<string>();
  for (let round = 0; round < 200; round++) {
    const work = [
      read(folder, "sub/a.txt").catch(() => "refused"),
      folder.write(`sub/${round}.txt`, "x", false, "out_file").then(
        () => "written",
        () => "refused",
      ),
    ];
    await new Promise((resolve) => void setImmediate(resolve));
    renameSync(sub, spare);
    renameSync(trap, sub);
    await new Promise((resolve) => void setImmediate(resolve));
    renameSync(sub, trap);
    renameSync(spare, sub);
    for (const outcome of await Promise.all(work)) outcomes.add(outcome);
  }
  expect([...outcomes].filter((one) => !["mine", "refused", "written"].includes(one))).toEqual([]);
  expect(readdirSync(outside)).toEqual(["a.txt"]);
});

test("the root itself may be a link", async () => {
  const real = makeRoot({ "a.txt": "one" });
  const root = makeRoot();
  symlinkSync(real, join(root, "link"));
  const folder = await open(join(root, "link"));
  expect(await read(folder, "a.txt")).toBe("one");
  expect(await read(folder, join(root, "link/a.txt"))).toBe("one");
  mkdirSync(join(real, "sub"));
  await folder.write("sub/b.txt", "two", false, "out_file");
  expect(readFileSync(join(real, "sub/b.txt"), "utf8")).toBe("two");
  unlinkSync(join(root, "link"));
  writeFileSync(join(root, "link"), "");
  expect(await read(folder, "sub/b.txt")).toBe("two");
});
