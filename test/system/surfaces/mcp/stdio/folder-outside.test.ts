import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Folder, openFolder } from "../../../../../src/surfaces/mcp/stdio/folder.ts";
import { makeRoot } from "./agent.ts";

const open = (root: string): Promise<Folder> =>
  openFolder({ root, uniqueName: () => randomBytes(8).toString("hex") });

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

const token = "[remote]\nurl = https://token@example.com/\n";

describe("what lies outside of the root", () => {
  test("gets one answer, whether it is there or not", async () => {
    const outside = makeRoot({ "there.txt": "x", "folder/x.txt": "x" });
    const root = makeRoot({ "a.txt": "one", "sub/b.txt": "two" });
    const links = {
      file: "there.txt",
      missing: "missing.txt",
      folder: "folder",
      "missing-folder": "missing/folder",
      "through-a-file": "there.txt/x",
    };
    for (const [name, target] of Object.entries(links)) {
      symlinkSync(join(outside, target), join(root, name));
      // Out and back in again: the answer would say whether the way is there.
      symlinkSync(
        `${outside}/${target}/${"../../../../unit/surfaces/mcp/".repeat(9)}${root}/a.txt`,
        join(root, `${name}-back`),
      );
    }
    symlinkSync("file", join(root, "chain"));
    symlinkSync("missing", join(root, "chain-missing"));
    const folder = await open(root);
    const names = [
      ...Object.keys(links).flatMap((name) => [name, `${name}-back`, `${name}/x.txt`]),
      "chain",
      "chain-missing",
    ];
    for (const name of names) {
      const answer = `file: ${JSON.stringify(name)} is outside of the folder that this server was started for.`;
      expect([
        name,
        await refusalOf(folder.read(name, 10, "file")),
        await refusalOf(folder.write(name, "x", true, "file")),
      ]).toEqual([name, answer, answer]);
    }
    for (const name of ["folder/x", "missing-folder/x", "file/x", "missing/x"])
      expect(await refusalOf(folder.write(name, "x", false, "file"))).toContain("is outside of the folder");
    // A new file does not take the place of a link, wherever that leads.
    for (const name of ["file", "missing"])
      expect(await refusalOf(folder.write(name, "x", false, "file"))).toContain("it exists already");
    expect(readdirSync(outside).toSorted()).toEqual(["folder", "there.txt"]);
    expect(readFileSync(join(outside, "there.txt"), "utf8")).toBe("x");
  });

  test("is entered by no link that comes back by the root's own name, which may", async () => {
    const root = makeRoot({ "a.txt": "one", "sub/b.txt": "two" });
    symlinkSync(join(root, "a.txt"), join(root, "sub/up"));
    const folder = await open(root);
    expect(Buffer.from(await folder.read("sub/up", 10, "file")).toString()).toBe("one");
  });
});

describe(".git", () => {
  const aliases = [
    ".git",
    ".GIT",
    "git~1",
    ".git.",
    ".git ",
    ".git::$INDEX_ALLOCATION",
    ".g\u200cit",
    ".git\ufeff",
    "\u202e.git",
    "sub/.git",
  ];

  test.each(aliases)("is neither read nor written as %j, whether it is there or not", async (alias) => {
    const root = makeRoot({ "a.txt": "one", ".git/config": token, "sub/.git/config": token });
    mkdirSync(join(root, alias), { recursive: true });
    const folder = await open(root);
    const before = readdirSync(root, { recursive: true }).toSorted();
    for (const name of [alias, `${alias}/config`, `${alias}/missing`, `${alias}/hooks/pre-commit`]) {
      const answer = `file: ${JSON.stringify(name)} is inside .git, where nothing is read or written.`;
      expect(await refusalOf(folder.read(name, 1000, "file"))).toBe(answer);
      for (const overwrite of [false, true])
        expect(await refusalOf(folder.write(name, "x", overwrite, "file"))).toBe(answer);
    }
    expect(readdirSync(root, { recursive: true }).toSorted()).toEqual(before);
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe(token);
  });

  test("is not read behind a link either", async () => {
    const root = makeRoot({ ".git/config": token });
    symlinkSync(".git", join(root, "data"));
    symlinkSync(".git/config", join(root, "settings"));
    const folder = await open(root);
    for (const name of ["data/config", "data/missing", "settings"])
      expect(await refusalOf(folder.read(name, 1000, "file"))).toContain("is inside .git");
  });
});
