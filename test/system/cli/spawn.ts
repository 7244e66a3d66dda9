import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Starts the command as a process; TEST_EXECUTABLE names an executable to test instead of the source tree. */
export const program: readonly [string, ...string[]] =
  process.env.TEST_EXECUTABLE === undefined
    ? [process.execPath, new URL("../../../src/main.ts", import.meta.url).pathname]
    : [process.env.TEST_EXECUTABLE];

const { PATH = "", NODE_COMPILE_CACHE } = process.env;
const variables = {
  PATH,
  HOME: "/nonexistent",
  ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
};

export function start(argv: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const [command, ...first] = program;
  const child = spawn(command, [...first, ...argv], { ...options, env: { ...variables, ...options.env } });
  try {
    onTestFinished(() => void child.kill("SIGKILL"));
  } catch {
    // A process that a hook or a file of tests starts ends by itself.
  }
  return child;
}

export interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
}

/** Writes `input` and collects the output. */
export async function end(child: ChildProcess, input?: Uint8Array | string): Promise<Ended> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin?.on("error", () => undefined);
  if (input !== undefined) child.stdin?.end(input);
  const [status, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { status, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}

/** Runs a shell line in which `penknife` is the program. */
export function shell(line: string, options: SpawnOptions = {}): Promise<Ended> {
  const quoted = program.map((word) => `'${word}'`).join(" ");
  const child = spawn("bash", ["-c", `set -o pipefail\npenknife() { ${quoted} "$@"; }\n${line}`], {
    ...options,
    env: { ...variables, ...options.env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return end(child);
}
