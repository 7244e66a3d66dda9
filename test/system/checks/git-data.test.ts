import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepository } from "../../../src/checks/git/open-repository.ts";
import { createFiles } from "../../../src/surfaces/cli/files.ts";
import { makeFolder } from "../cli/host.ts";
import { gitEnv, makeRepository } from "../cli/repository.ts";

const open = (cwd: string) => openRepository(cwd, { files: createFiles(cwd), env: gitEnv });
const refusalOf = (cwd: string): Promise<string> =>
  open(cwd).then(
    () => "opened",
    (error: Error) => error.message,
  );

describe("the data of a repository", () => {
  test("may contain links and be elsewhere, as long as they stay in it or lead back", async () => {
    const { cwd, git } = makeRepository({ "a.txt": "one" });
    renameSync(join(cwd, ".git/refs"), join(cwd, ".git/references"));
    symlinkSync("references", join(cwd, ".git/refs"));
    expect((await open(cwd))?.gitDir).toBe(join(cwd, ".git"));
    const elsewhere = join(makeFolder(), "data");
    renameSync(join(cwd, ".git"), elsewhere);
    writeFileSync(join(cwd, ".git"), `gitdir: ${elsewhere}\n`);
    expect(await refusalOf(cwd)).toMatch(/which does not lead back/);
    // The repair that the message names.
    execFileSync("git", ["-C", elsewhere, "config", "core.worktree", cwd], { env: gitEnv });
    expect((await open(cwd))?.gitDir).toBe(elsewhere);
    expect(git("status", "--porcelain")).toBe("");
  });

  test("have no pipe and no link out, behind links either", async () => {
    for (const [plant, message] of [
      [(to: string) => execFileSync("mkfifo", [to]), "is no regular file"],
      [(to: string) => symlinkSync("/etc/passwd", to), "is a link out of the repository"],
    ] as const) {
      const { cwd } = makeRepository({ "a.txt": "one" });
      mkdirSync(join(cwd, "packs"));
      rmSync(join(cwd, ".git/objects/pack"), { recursive: true });
      symlinkSync("../../packs", join(cwd, ".git/objects/pack"));
      symlinkSync("../objects", join(cwd, ".git/objects/round"));
      expect(await refusalOf(cwd)).toBe("opened");
      plant(join(cwd, "packs/x.pack"));
      expect(await refusalOf(cwd)).toContain(`x.pack ${message}`);
    }
  });

  test("include configurations of the repository alone, each once", async () => {
    const { cwd, write } = makeRepository({ "a.txt": "one" });
    const includes = '[include]\npath = one\n[includeIf "gitdir:/nowhere"]\npath = "two"\n';
    write({
      ".git/one": includes.repeat(50),
      ".git/two": includes,
      ".git/config": `[core]\nbare=false\n${includes}`,
    });
    expect(await refusalOf(cwd)).toBe("opened");
    for (const path of ["/etc/passwd", "~/x", "../../x", "%(prefix)/x", '"a\\tb"']) {
      write({ ".git/two": `[include]\npath = ${path}\n` });
      expect(await refusalOf(cwd)).toMatch(/^The configuration of .+ includes .+, which is outside of it/);
    }
    write({ ".git/two": "[core\n" });
    expect(await refusalOf(cwd)).toMatch(/\.git\/two: bad config line 1$/);
  });
});
