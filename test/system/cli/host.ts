import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomFillSync } from "node:crypto";
import { afterAll, onTestFinished } from "vitest";
import { createProgram } from "../../../src/program.ts";
import { createPool } from "../../../src/services/workers/pool.ts";
import { runCli } from "../../../src/surfaces/cli/cli.ts";
import { createFiles } from "../../../src/surfaces/cli/files.ts";
import type { Host, Output, Program, SignalName } from "../../../src/surfaces/cli/host.ts";
import { workerCommand } from "../../support/worker-command.ts";
import { workerSource } from "../../support/worker-source.ts";
import { end, start } from "./spawn.ts";
import { testRuntime } from "../../support/runtime.ts";

export interface Given {
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  /** The streams that are terminals; none unless given. */
  tty?: { stdin?: boolean; stdout?: boolean; stderr?: boolean };
  /** Width of both terminals; 100 unless given. */
  columns?: number;
  cwd?: string;
  now?: () => number;
  program?: Partial<Program>;
  host?: Partial<Host>;
}

export interface Ran {
  status: number;
  stdout: string;
  bytes: Buffer;
  stderr: string;
}

/** Creates a folder with these files for one test. */
export function makeFolder(files: Record<string, string | Uint8Array> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "penknife-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

const program: Program = {
  ...createProgram({ writeLog: () => undefined, logIsTTY: () => false, resident: () => 0 }),
  createPool: async ({ workers, ...options }) =>
    createPool({
      source: workerSource(),
      process: workerCommand(options.memoryMb),
      size: workers,
      maxWaitMs: 2 ** 31 - 1,
      ...options,
    }),
  createApp: () => Promise.reject(new Error("This test has no server")),
  build: async () => ({ version: "1.2.3", commit: "abc1234" }),
  licenses: async () => "MIT\n",
};

/**
 * Returns a part of `Given.program` with one pool for all commands of a file, with the options of the first: most
 * tests are not about starting and stopping workers.
 */
export function shareWorkers(): Partial<Program> {
  let pool: ReturnType<Program["createPool"]> | undefined;
  afterAll(async () => (await pool)?.close());
  return {
    createPool: async (options) => ({
      ...(await (pool ??= program.createPool(options))),
      close: async () => {},
    }),
  };
}

/** A host for one command line that records what the command does. */
export function createTestHost(given: Given = {}): {
  host: Host;
  seen: () => Omit<Ran, "status">;
  send(signal: SignalName): void;
  /** Signals that the command sent to its own process. */
  raised: SignalName[];
  listening(signal: SignalName): boolean;
} {
  const handlers = new Map<SignalName, () => void>();
  const raised: SignalName[] = [];
  const [stdout, stderr] = (["stdout", "stderr"] as const).map((name) => {
    const chunks: Uint8Array[] = [];
    const output: Output = {
      isTTY: given.tty?.[name] === true,
      columns: given.columns ?? 100,
      write: async (chunk) => void chunks.push(Buffer.from(chunk)),
    };
    return { output, all: () => Buffer.concat(chunks) };
  }) as [Collected, Collected];
  const host: Host = {
    env: given.env ?? {},
    stdin: {
      isTTY: given.tty?.stdin === true,
      readAll: async () => Buffer.from(given.stdin ?? ""),
      readOrStream: async (max) =>
        Buffer.byteLength(given.stdin ?? "") > max
          ? toChunks(given.stdin ?? "")
          : Buffer.from(given.stdin ?? ""),
      chunks: () => toChunks(given.stdin ?? ""),
    },
    stdout: stdout.output,
    stderr: stderr.output,
    files: createFiles(given.cwd ?? tmpdir()),
    program: { ...program, ...given.program },
    self: "penknife",
    pid: 4242,
    userName: () => "ops",
    hostName: () => "build-7",
    entryPoint: false,
    node: "26.10.0",
    platform: "linux-x64",
    processors: 2,
    runtime: testRuntime({
      now: given.now ?? Date.now,
      monotonic: () => performance.now(),
      random: (size) => randomFillSync(new Uint8Array(size)),
    }),
    cpu: () => 0,
    onSignal(name, handler) {
      handlers.set(name, handler);
      return () => void handlers.delete(name);
    },
    raise: (name) => void raised.push(name),
    onFault: () => undefined,
    ...given.host,
  };
  return {
    host,
    seen: () => ({
      stdout: stdout.all().toString(),
      bytes: stdout.all(),
      stderr: stderr.all().toString(),
    }),
    raised,
    send: (signal) => handlers.get(signal)?.(),
    listening: (signal) => handlers.has(signal),
  };
}

/** Chunks that end in the middle of lines and characters. */
async function* toChunks(text: string | Uint8Array): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

interface Collected {
  output: Output;
  all(): Buffer;
}

/**
 * Runs a command line: in a process of the executable that TEST_EXECUTABLE names, unless the test replaces a part of the
 * program or of its host; without an executable, in this process.
 */
export async function penknife(argv: readonly string[], given: Given = {}): Promise<Ran> {
  if (process.env.TEST_EXECUTABLE !== undefined && isPlain(given) && !asksForBuild(argv))
    return await runProcess(argv, given);
  const { host, seen } = createTestHost(given);
  const status = await runCli(argv, host);
  return { status, ...seen() };
}

/** Whether the command prints what the build put into the executable, for which tests have values of their own. */
const asksForBuild = ([command]: readonly string[]): boolean =>
  ["--version", "-v", "version", "licenses", "inbox"].includes(command ?? "");

/** Whether a process can be given all of it. */
const isPlain = (given: Given): boolean =>
  Object.keys(given).every((name) => ["stdin", "env", "cwd"].includes(name));

async function runProcess(argv: readonly string[], { stdin = "", env, cwd = tmpdir() }: Given): Promise<Ran> {
  const { status, stdout, stderr } = await end(start(argv, { cwd, ...(env && { env }) }), stdin);
  return { status: status ?? -1, stdout: stdout.toString(), bytes: stdout, stderr };
}
