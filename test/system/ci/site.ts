import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { program } from "../cli/spawn.ts";

const { NODE_COMPILE_CACHE } = process.env;
const root = new URL("../../../", import.meta.url).pathname;
export const readText = (path: string): string => readFileSync(join(root, path), "utf8");

export interface Ran {
  status: number;
  /** Both streams. */
  output: string;
}

/** A machine of a CI system: a folder, and a server on loopback from which jobs download penknife. */
export interface Site {
  folder: string;
  /** Returns the number of downloads of penknife. */
  downloads(): number;
  /** Puts the address of the server and the hash of penknife in place of those of the documents. */
  adapt(text: string): string;
  /** Creates a repository with the checks of docs/ci.md and these files, all committed. */
  repository(name: string, files: Readonly<Record<string, string>>): string;
  run(
    cwd: string,
    command: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<Ran>;
}

export async function openSite(checks: string): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-ci-"));
  // Small, because it is downloaded often; it runs the program that is tested.
  const executable = `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`;
  const sha256 = createHash("sha256").update(executable).digest("hex");
  place(join(folder, "bin/penknife"), executable);
  chmodSync(join(folder, "bin/penknife"), 0o755);
  let downloads = 0;
  const server = createServer((_, response) => {
    downloads++;
    response.end(executable);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/penknife`;
  afterAll(async () => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const variables = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
    GIT_CONFIG_NOSYSTEM: "1",
    // Compiling the runner of GitLab takes longer than its work.
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
  };
  place(
    join(folder, "gitconfig"),
    "[user]\n\tname = test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n",
  );
  return {
    folder,
    downloads: () => downloads,
    adapt: (text) =>
      text
        .replaceAll("https://files.example.com/penknife-0.1.0-linux-x64", url)
        .replaceAll("0".repeat(64), sha256),
    repository(name, files) {
      const path = join(folder, name);
      for (const [file, text] of Object.entries({ "penknife.checks.yaml": checks, ...files }))
        place(join(path, file), text);
      const git = (...args: string[]) => execFileSync("git", args, { cwd: path, env: variables });
      git("init", "--quiet");
      git("add", "--all");
      git("commit", "--quiet", "--message", "first");
      return path;
    },
    run: (cwd, command, args, env = {}) =>
      new Promise((resolve, reject) => {
        const options = { cwd, env: { ...variables, ...env }, encoding: "utf8", timeout: 100_000 } as const;
        execFile(command, args, options, (error, stdout, stderr) => {
          if (error !== null && typeof error.code !== "number") reject(error);
          else resolve({ status: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr });
        });
      }),
  };
}

export function place(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export interface Block {
  section: string;
  language: string;
  text: string;
}

/** Returns the fenced blocks of a page, each with the heading above it. */
export function blocksOf(page: string): Block[] {
  let section = "";
  const found = page.matchAll(/^## (.*)$|^```(\w*)\n([^]*?)^```$/gm);
  return [...found].flatMap(([, heading, language = "", text = ""]) => {
    if (heading !== undefined) section = heading;
    return heading === undefined ? [{ section, language, text }] : [];
  });
}
