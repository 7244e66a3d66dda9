import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

const storeFixture = new URL("./store.fixture.ts", import.meta.url).pathname;

export interface Child {
  pid: number;
  /** Its output so far. */
  lines: string[];
  /** Resolves with the first line that matches, past or future; rejects if the process ends without one. */
  said(pattern: RegExp): Promise<string>;
  write(text: string): void;
  /** kill -9; resolves when the process has ended and all of its output has arrived. */
  kill(): Promise<void>;
  ended: Promise<number | null>;
}

/** Runs a fixture, by default that of the store, on a folder, optionally under another command (`prlimit …`). */
export function startChild(
  mode: string,
  folder: string,
  options: { under?: string[]; uid?: number; fixture?: string } = {},
): Child {
  const { fixture = storeFixture } = options;
  const [command = "", ...args] = [...(options.under ?? []), process.execPath, fixture, mode, folder];
  const child: ChildProcess = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let stderr = "";
  child.stderr?.on("data", (data: Buffer) => (stderr += data.toString()));
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    lines.push(line);
    for (const wake of waiting) wake();
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  let over = false;
  void ended.then(() => {
    over = true;
    for (const wake of waiting) wake();
    return undefined;
  });
  onTestFinished(() => void child.kill("SIGKILL"));

  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const wake = () => {
          const found = lines.find((line) => pattern.test(line));
          if (found === undefined && !over) return;
          waiting.delete(wake);
          if (found === undefined)
            reject(new Error(`never said ${String(pattern)}: ${lines.join("\n")}\n${stderr}`));
          else resolve(found);
        };
        waiting.add(wake);
        wake();
      }),
    write: (text) => void child.stdin?.write(text),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
