import { randomFillSync } from "node:crypto";
import { fstatSync } from "node:fs";
import { availableParallelism, hostname, userInfo } from "node:os";
import { relative } from "node:path";
import { isSea } from "node:sea";
import { quote } from "./lib/shell-words.ts";
import { createProgram } from "./program.ts";
import type { Runtime } from "./runtime.ts";
import { runCli } from "./surfaces/cli/cli.ts";
import { createFiles } from "./surfaces/cli/files.ts";
import { MachineError } from "./surfaces/cli/machine-error.ts";
import { readKnown, readOrStream, readStreamUpTo } from "./surfaces/cli/read-bytes.ts";
import type { Host, Input } from "./surfaces/cli/host.ts";
import { createOutput } from "./surfaces/cli/output.ts";
import { reportError } from "./surfaces/cli/report-error.ts";

// The process: nothing else in this program touches `process`.

/** Whole lines at a time; the promise asks the log for patience while the reader does not keep up. */
function writeLog(lines: string): Promise<void> | undefined {
  const stream = stdout.stream();
  // The reader is gone: there is nothing to wait for.
  if (stream.destroyed || stream.write(lines)) return undefined;
  return new Promise((resolve) => {
    stream.once("drain", resolve).once("close", resolve);
  });
}

const folder = currentFolder();
const stdout = createOutput(1, () => process.stdout);
const stderr = createOutput(2, () => process.stderr);

/** Opened only by commands that read it. */
const stdin: Input = {
  get isTTY() {
    return process.stdin.isTTY === true;
  },
  async readAll(max) {
    refuseFolder();
    return readKnown(0, max) ?? readStreamUpTo(process.stdin, max);
  },
  async readOrStream(max) {
    refuseFolder();
    return readOrStream(
      () => readKnown(0, max),
      () => process.stdin,
      max,
    );
  },
  chunks: () => process.stdin,
};

/** Node would read a folder as an empty document. */
function refuseFolder(): void {
  if (fstatSync(0).isDirectory())
    throw Object.assign(new Error("Standard input is a folder"), { code: "EISDIR" });
}

/** Returns the current folder, or undefined if it was removed. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Returns the words that start this program in a shell. */
function nameOfSelf(): string {
  const { argv, argv0, execPath } = process;
  if (isSea()) return quote(argv0 === "" ? execPath : argv0);
  return `${quote(argv0)} ${quote(relative(folder ?? "/", argv[1] ?? ""))}`;
}

/** In a container the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}

/** Reports a bug with its stack. */
async function report(fault: unknown): Promise<void> {
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  try {
    await stderr.write(`penknife: ${text}\n`);
  } catch {
    // Nobody reads it.
  }
}

const runtime: Runtime = {
  now: () => Date.now(),
  // Like performance.now(), without the module behind it, which the first answer would wait for.
  monotonic: () => process.uptime() * 1000,
  random: (size) => randomFillSync(new Uint8Array(size)),
  report: (fault) => void report(fault),
};

let failed = false;
let onFault: (error: unknown) => void = () => undefined;

const host: Host = {
  env: process.env,
  stdin,
  stdout,
  stderr,
  files: createFiles(folder ?? "/"),
  program: createProgram({
    writeLog,
    logIsTTY: () => stdout.isTTY,
    resident: () => process.memoryUsage.rss(),
  }),
  self: nameOfSelf(),
  pid: process.pid,
  // Behind an init such as tini the first program of a container is the child of process 1.
  entryPoint: process.pid === 1 || process.ppid === 1,
  ...(process.getuid && { uid: process.getuid() }),
  userName,
  hostName: hostname,
  node: process.versions.node,
  platform: `${process.platform}-${process.arch}`,
  processors: availableParallelism(),
  runtime,
  cpu() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  onSignal(name, handler) {
    process.on(name, handler);
    return () => process.off(name, handler);
  },
  raise: (name) => void process.kill(process.pid, name),
  onFault(handler) {
    onFault = handler;
  },
};

/** Ends the process after an uncaught error: its state is unknown. A supervisor starts it again. */
async function fail(error: unknown): Promise<void> {
  // Reporting the error may fail in the same way.
  if (failed) process.exit(3);
  failed = true;
  try {
    onFault(error);
  } finally {
    await reportError(error, host);
    process.exit(3);
  }
}

/**
 * Exits after all output is flushed, when the event loop is empty. `process.exit` would wait for V8's compiler threads,
 * which may in turn wait for a garbage collection of this thread: after a large document commands hung for ever
 * (nodejs/node#54918). If something is still open, the idle wait before `process.exit` lets those threads finish.
 */
async function exit(status: number): Promise<void> {
  for (const output of [stdout, stderr]) await output.flush().catch(() => undefined);
  process.exitCode = status;
  setTimeout(() => process.exit(status), 500).unref();
}

if (process.pid === 1) {
  // The kernel drops signals to process 1 that it has no handler for: in a container, commands could not be stopped.
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(3);
    });
  }
}
// If nothing is left to wait for before a command has ended, that is a bug, which must not look like success.
process.exitCode = 3;
process.on("uncaughtException", (error) => void fail(error));
process.on("unhandledRejection", (error) => void fail(error));
if (folder === undefined) {
  const message =
    "The folder that this command was started in was removed. Change to another one (cd /) and run it again.";
  void reportError(new MachineError(message), host).then(exit);
} else {
  void runCli(process.argv.slice(2), host).then(exit);
}
