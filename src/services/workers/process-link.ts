import { spawn } from "node:child_process";
import { writeFileSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { constants, setPriority } from "node:os";
import { fromRequest, toMessage, toParts } from "../../catalog/frames.ts";
import { type RemoteRequest, toError } from "../../catalog/remote.ts";
import { createFrameReader } from "./frame-reader.ts";
import { besidesHeapMb, type WorkerEnd } from "./limits.ts";
import type { OpenLink } from "./link.ts";

/** The command that starts a worker process. */
export interface ProcessCommand {
  command: string;
  args: readonly string[];
  /** The complete environment of the process. */
  env: Readonly<Record<string, string>>;
}

export interface ProcessLinkOptions extends ProcessCommand {
  memoryMb: number;
}

const mebibyte = 1_048_576;
/** Characters of a process's standard error that are kept for the log. */
const keptStderr = 2048;

/** The signals with which V8 and the C library abort a process. */
const aborts = new Set<string | null>(["SIGABRT", "SIGTRAP", "SIGILL", "SIGSEGV", "SIGBUS", "SIGFPE"]);

/** Opens workers that are processes: whatever a call does, it can end no more than its own process. */
export const toProcessLinks =
  ({ command, args, env, memoryMb }: ProcessLinkOptions): OpenLink =>
  ({ onMessage, onAbove, onFailed, onGone }) => {
    const child = spawn(command, args, {
      argv0: "penknife-worker",
      cwd: "/",
      env,
      // Requests, answers, standard error, and a pipe whose end shows the worker that this process is gone.
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    // Timers of the calls keep this process alive while there is something to wait for; an idle worker must not.
    child.unref();
    // There are no pipes if this process has no file descriptor left; an `error` event follows.
    const pipes = ((child.stdio as typeof child.stdio | undefined) ?? []) as unknown as Socket[];
    const [stdin, stdout, stderr] = pipes;
    for (const pipe of pipes) {
      pipe.unref();
      // A process that has ended no longer reads; its end is reported below.
      pipe.on("error", () => undefined);
    }
    let gone = false;
    let lastWords = "";
    stderr?.setEncoding("latin1").on("data", (text: string) => {
      if (lastWords.length < keptStderr) lastWords += text.slice(0, keptStderr - lastWords.length);
    });
    const maxBytes = (memoryMb + besidesHeapMb) * mebibyte;
    const read = createFrameReader(
      (frame) => {
        const message = toMessage(frame);
        if (message.kind === "end") fail("crash", toError(message));
        else onMessage(message);
      },
      // No result is larger than the memory of the process.
      maxBytes,
    );
    // The end of a pipe is reported only if the pipe is read.
    pipes[3]?.resume();
    stdout?.on("data", (chunk: Uint8Array) => {
      try {
        read(chunk);
      } catch (error) {
        fail("crash", error as Error);
        child.kill("SIGKILL");
      }
    });

    child.on("error", (error) => {
      // Without a process id it never started, and no `exit` event follows.
      if (child.pid !== undefined) return;
      fail("crash", error);
      leave();
    });
    // Later than "exit", so that its standard error has been read.
    child.on("close", (status: number | null, signal: NodeJS.Signals | null) => {
      const how = signal === null ? `status ${status}` : signal;
      fail(toEnd(signal), new Error(`A worker process ended with ${how}${quote(lastWords)}`));
      leave();
    });
    const fail = (reason: WorkerEnd, error: Error): void => {
      if (!gone) onFailed(reason, error);
    };
    function leave(): void {
      if (gone) return;
      gone = true;
      for (const pipe of pipes) pipe.destroy();
      onGone();
    }

    if (child.pid !== undefined) lower(child.pid);
    const post = (request: RemoteRequest): void => {
      const parts = toParts(fromRequest(request));
      if (parts.length > 1) stdin?.cork();
      for (const part of parts) stdin?.write(part);
      if (parts.length > 1) stdin?.uncork();
    };
    return {
      send: (call) => post({ kind: "call", call }),
      tidy: () => post({ kind: "tidy" }),
      takesAhead: true,
      look() {
        if (residentBytes(child.pid) > maxBytes) onAbove();
      },
      kill() {
        // Keep this process alive until the worker has ended and its pipes are closed, for callers that wait for that.
        child.ref();
        for (const pipe of pipes) pipe.ref();
        child.kill("SIGKILL");
      },
    };
  };

const toEnd = (signal: NodeJS.Signals | null): WorkerEnd =>
  aborts.has(signal) ? "abort" : signal === null ? "crash" : "killed";

/** Returns the line that V8 writes when it gives up; its other lines may contain parts of the caller's document. */
function quote(lastWords: string): string {
  const [line] = /^(?:#\s+)?(?:FATAL ERROR|Fatal (?!error in)).*$/m.exec(lastWords) ?? [];
  return line === undefined ? "" : `: ${line.replace(/^#\s+/, "").slice(0, 200)}`;
}

/**
 * Lowers the priority of the worker: under contention for processors the server goes first, and for lack of memory the
 * kernel kills the worker first. Core dumps are off: they would contain callers' documents.
 */
function lower(pid: number): void {
  const attempts = [
    () => setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL),
    () => writeFileSync(`/proc/${pid}/oom_score_adj`, "800"),
    () => writeFileSync(`/proc/${pid}/coredump_filter`, "0"),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // A sandbox may forbid it, and other systems have no /proc.
    }
  }
}

/** Bytes of a page: Linux reports pages, which are 4 KiB on every supported platform. */
const pageBytes = 4096;

/**
 * Returns the private memory of a process. V8 bounds its own heap, but neither buffers nor WebAssembly memory. Without
 * /proc, the heap is the only bound.
 */
function residentBytes(pid: number | undefined): number {
  try {
    // Fields: size, resident, shared; the shared part is the executable.
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ").map(Number);
    return (resident - shared) * pageBytes;
  } catch {
    return 0;
  }
}
