import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Folders of one test. */
export interface Place {
  /** The folder of somebody else, in which the commands run: all that they may read and write. */
  folder: string;
  /** A folder of the victim, beside it. */
  outside: string;
  /** The folder of the victim's settings, which is its home. */
  home: string;
  /** A program that must not run; it writes `marker` if it does. */
  evil: string;
  marker: string;
  /** Runs Git in the folder, or in another. */
  git(words: readonly string[], options?: { cwd?: string; input?: string | Uint8Array }): string;
  write(files: Readonly<Record<string, string | Uint8Array>>, folder?: string): void;
}

/** A folder that was prepared, and what the commands must do there. */
export interface Prepared {
  /** The folder of the commands, if it is not the folder itself. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Other folders that may be read and written: the data of Git that belong to a linked work tree. */
  shared?: readonly string[];
  /** Other folders that may be read alone. */
  read?: readonly string[];
  /** Matches the error if the repository is refused; otherwise its two faulty files are found. */
  refused?: RegExp;
  /** Commands whose error it is alone. */
  refusedBy?: RegExp;
}

export const formatted = '{\n  "a": 1\n}\n';
export const unformatted = '{"a":1}\n';

export function makePlace(): Place {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "penknife-hostile-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [folder, outside, home] = ["folder", "outside", "home"].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [folder, outside, home]) mkdirSync(one);
  const marker = join(top, "marker");
  const evil = join(outside, "evil");
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat 2>/dev/null\n`);
  chmodSync(evil, 0o755);
  writeFileSync(join(outside, "confidential.json"), '{"confidential":1}');
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
  };
  return {
    folder,
    outside,
    home,
    evil,
    marker,
    git: (words, { cwd = folder, input } = {}) =>
      execFileSync("git", words, {
        cwd,
        env,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "pipe"],
        ...(input !== undefined && { input }),
      }),
    write(files, into = folder) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(into, name)), { recursive: true });
        writeFileSync(join(into, name), content);
      }
    },
  };
}

/** The files of the first commit, in all repositories. */
export const committed = {
  "penknife.checks.yaml": `checks: [{ tool: json-formatter, files: "**/*.json" }]\n`,
  "good.json": formatted,
  "sub/good.json": formatted,
  "staged.json": formatted,
  "bad.json": formatted,
};

/** Creates a repository with a branch `base`, a staged fault and one that is not. */
export function makeRepository(
  { git, write }: Place,
  { cwd, format }: { cwd?: string; format?: string } = {},
): void {
  const at = cwd === undefined ? {} : { cwd };
  git(["init", "-q", "-b", "main", ...(format === undefined ? [] : [`--object-format=${format}`])], at);
  write(committed, cwd);
  git(["add", "-A"], at);
  git(["-c", "maintenance.auto=false", "commit", "-q", "-m", "Begin"], at);
  git(["branch", "base"], at);
  makeFaults({ git, write }, cwd);
}

/** Breaks two files, so that the index of one is racy: Git would read it. */
export function makeFaults({ git, write }: Pick<Place, "git" | "write">, cwd?: string): void {
  write({ "staged.json": unformatted }, cwd);
  git(["add", "staged.json"], cwd === undefined ? {} : { cwd });
  write({ "bad.json": unformatted }, cwd);
}

/** Gives a file the time that Git would take for that of no change. */
export const setTime = (path: string): void => utimesSync(path, 1, 1);
