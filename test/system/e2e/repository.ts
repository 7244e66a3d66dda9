import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { gitEnv } from "../cli/repository.ts";
import { type Output, penknife } from "./harness.ts";

export interface Repository {
  cwd: string;
  git(...words: string[]): string;
  write(files: Record<string, string>): void;
  commit(files: Record<string, string>): void;
  check(line: string, folder?: string): Promise<Output>;
}

export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "penknife-e2e-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function openRepository(cwd: string): Repository {
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd, env: gitEnv, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const write = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(cwd, dirname(name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
  };
  return {
    cwd,
    git,
    write,
    commit(files) {
      write(files);
      git("add", "-A");
      git("-c", "maintenance.auto=false", "commit", "-q", "--allow-empty", "-m", "Change");
    },
    check: (line, folder = cwd) => penknife(folder, ["check", ...line.split(" ")], { env: gitEnv }),
  };
}

/** A repository whose branch `main` has these files. */
export function makeMain(files: Record<string, string>): Repository {
  const repository = openRepository(makeFolder());
  repository.git("init", "-q", "-b", "main");
  repository.commit(files);
  return repository;
}

/** The places of the findings that people read: `a.json:2:3 rule`. */
export const findingsOf = ({ stdout }: Output): string[] =>
  stdout
    .split("\n")
    .flatMap(
      (text) =>
        /^(\S+?:\d+(?::\d+)?|[^\s:]+): .* \((?:\S+\/)?(\S+)\)$/.exec(text)?.slice(1, 3).join(" ") ?? [],
    );
