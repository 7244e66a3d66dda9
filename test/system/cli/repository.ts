import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "./host.ts";

/** The environment of Git in tests: no configuration of the machine, and fixed names. */
export const gitEnv = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

export interface TestRepository {
  /** The folder of the work tree. */
  cwd: string;
  git(...words: string[]): string;
  write(files: Record<string, string | Uint8Array>): void;
}

/** Creates a folder with these files, which may lie in folders of their own, for one test. */
export function makeTree(files: Record<string, string | Uint8Array> = {}): TestRepository {
  const cwd = makeFolder();
  const write = (more: Record<string, string | Uint8Array>) => {
    for (const [name, content] of Object.entries(more)) {
      mkdirSync(join(cwd, dirname(name)), { recursive: true });
      writeFileSync(join(cwd, name), content);
    }
  };
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd, env: gitEnv, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  write(files);
  return { cwd, git, write };
}

/** Creates a repository of Git with these files, which are committed unless `commit` is false. */
export function makeRepository(
  files: Record<string, string | Uint8Array> = {},
  commit = true,
): TestRepository {
  const tree = makeTree(files);
  tree.git("init", "-q", "-b", "main");
  if (commit) {
    tree.git("add", "-A");
    // Without the process of Git that looks for something to clean up.
    tree.git("-c", "maintenance.auto=false", "commit", "-q", "--allow-empty", "-m", "Begin");
  }
  return tree;
}
