import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../config/free-port.ts";
import { isAnswered, type Post } from "./request.ts";

/** A server under measurement: a separate process whose standard output goes to a file. */
export interface Server {
  name: string;
  origin: string;
  key: string;
  pid: number;
  /** CPU time of all its threads so far, in seconds; NaN without /proc. */
  cpuSeconds(): number;
  /** Its resident memory; NaN without /proc. */
  residentKilobytes(): number;
  logBytes(): number;
  /** Truncates the log, which would otherwise fill the disk. */
  truncateLog(): void;
  close(): Promise<void>;
}

export interface ServerOptions {
  name: string;
  key: string;
  /** The path of the log. */
  folder: string;
  /** The program and its arguments for a port. */
  command(port: number): readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The expected first answer, if it differs from the one that every server gives. */
  first?: Post | undefined;
}

const startDeadlineMs = 20_000;
const stopDeadlineMs = 15_000;

/** Resolves when the server has answered a first request. @throws Error with its standard error if it never does. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { name, key, folder, command, env = {}, first } = options;
  const port = await freePort();
  const log = join(folder, `${name}.log`);
  const errors = join(folder, `${name}.err`);
  const [program = "", ...args] = command(port);
  const stdout = openSync(log, "a");
  const stderr = openSync(errors, "a");
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), BENCH_KEY: key, ...env },
    stdio: ["ignore", stdout, stderr],
  });
  closeSync(stdout);
  closeSync(stderr);
  const origin = `http://127.0.0.1:${port}`;

  const deadline = Date.now() + startDeadlineMs;
  while (!(await isAnswered(origin, key, first))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop(child);
      throw new Error(`${name} does not answer: ${readFileSync(errors, "utf8").slice(-2000)}`);
    }
    await sleep(50);
  }
  const pid = child.pid ?? Number.NaN;
  return {
    name,
    origin,
    key,
    pid,
    cpuSeconds: () => cpuSecondsOf(pid),
    residentKilobytes: () => residentKilobytesOf(pid),
    logBytes: () => statSync(log).size,
    truncateLog: () => truncateSync(log),
    close: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  const timer = setTimeout(() => child.kill("SIGKILL"), stopDeadlineMs);
  child.kill("SIGTERM");
  await promise;
  clearTimeout(timer);
}

/** proc(5): utime and stime are the 14th and 15th field, in ticks of 1/100 s; the 2nd, the name, may hold spaces. */
function cpuSecondsOf(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export function residentKilobytesOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]);
  } catch {
    return Number.NaN;
  }
}
