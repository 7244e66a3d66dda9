import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { executable } from "../harness.ts";

export interface Traced {
  status: number | null;
  stdout: string;
  stderr: string;
  /** The programs that were started, absolute. */
  programs: string[];
  /** Absolute paths that were opened to be read: as named, and with links resolved. */
  reads: string[];
  /** Absolute paths that were opened to be written, created, renamed or removed. */
  writes: string[];
  /** Absolute paths whose times were changed. */
  touched: string[];
  /** Addresses that were connected to. */
  connections: string[];
}

export interface Run {
  cwd: string;
  env: Readonly<Record<string, string>>;
  args: readonly string[];
  /** Its standard input, which ends when it has answered each line. */
  input?: string;
}

/** Whether strace works here; in some containers nobody may trace. */
export const traceable = spawnSync("strace", ["-f", "true"]).status === 0;

const changing =
  "creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmodat,chown,lchown,fchownat,truncate";
const traced = `execve,execveat,open,openat,openat2,connect,utimensat,${changing}`;

/** Runs the executable, and records what it and the programs that it starts do to files. */
export async function trace({ cwd, env, args, input = "" }: Run): Promise<Traced> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-trace-"));
  try {
    const options = ["-ff", "-qq", "-y", "-s", "4096", "--seccomp-bpf", "-e", `trace=${traced}`];
    const child = spawn("strace", [...options, "-o", join(folder, "t"), "--", executable, ...args], {
      cwd,
      env,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const lines = input.split("\n").length;
    child.stdout.on("data", (chunk: Buffer) => {
      stdout.push(chunk);
      if (Buffer.concat(stdout).toString().split("\n").length === lines) child.stdin.end();
    });
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on("error", () => undefined);
    if (input === "") child.stdin.end();
    else child.stdin.write(input);
    const [status] = (await once(child, "close")) as [number | null];
    const calls = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), "latin1").split("\n"),
    );
    return {
      status,
      stdout: Buffer.concat(stdout).toString(),
      stderr: Buffer.concat(stderr).toString(),
      ...summarize(calls, cwd),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A path in the arguments: relative to the folder of a descriptor, or to the current one. */
const namedPath = /(?:(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>, )?"((?:[^"\\]|\\.)*)"/g;

function summarize(lines: readonly string[], cwd: string) {
  const found = {
    programs: new Set<string>(),
    reads: new Set<string>(),
    writes: new Set<string>(),
    touched: new Set<string>(),
  };
  const connections = new Set<string>();
  // A folder that is open is named by its descriptor, which may have been of several folders.
  const folders = lines.flatMap((line) => {
    const [, number = "", path = ""] = /O_DIRECTORY.* = (\d+)<(\/(?:[^>\\]|\\.)*)>$/.exec(line) ?? [];
    return path === "" ? [] : [{ prefix: `/proc/self/fd/${number}/`, path }];
  });
  const toReal = (path: string): string[] => {
    const matching = folders.filter(({ prefix }) => path.startsWith(prefix));
    return matching.length === 0
      ? [path]
      : matching.map(({ prefix, path: folder }) => join(folder, path.slice(prefix.length)));
  };
  for (const line of lines) {
    const [, name = "", given = ""] = /^(\w+)\((.*)$/.exec(line) ?? [];
    if (name === "connect") {
      if (!given.includes("AF_UNIX") && !given.includes("AF_UNSPEC")) connections.add(given);
      continue;
    }
    const isOpen = /^open(?:at2?)?$/.test(name);
    const paths = [...given.matchAll(namedPath)]
      .map(([, folder = cwd, path = ""]) => toReal(resolve(folder, path)))
      .flat();
    // The arguments of a program are no paths.
    const kind = name.startsWith("exec")
      ? found.programs
      : isOpen && !/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(given)
        ? found.reads
        : name === "utimensat"
          ? found.touched
          : found.writes;
    for (const path of kind === found.programs ? paths.slice(0, 1) : paths) kind.add(path);
    const [, real] = /= \d+<(\/(?:[^>\\]|\\.)*)>$/.exec(given) ?? [];
    if (isOpen && real !== undefined) kind.add(real);
  }
  return {
    programs: [...found.programs],
    reads: [...found.reads],
    writes: [...found.writes],
    touched: [...found.touched],
    connections: [...connections],
  };
}
