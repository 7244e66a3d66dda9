import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../free-port.ts";

/** The tasks of the program while the build records what it evaluates. */
export interface Rehearsal {
  /** The command line of a server that listens on the given port of 127.0.0.1. */
  args: (port: number) => string[];
  /** The path of its first request. */
  path: string;
  /** Command lines that end by themselves, run one after the other. */
  lines?: readonly (readonly string[])[];
  /** Files that the command lines name, with their content. */
  files?: Readonly<Record<string, string>>;
}

const deadlineMs = 20_000;

export interface Rehearsed {
  /** The code that was evaluated before the first response. */
  start: Loaded;
  /** The code that each command line evaluated; the words of the line are joined by spaces. */
  lines: Record<string, Loaded>;
}

/** Scripts, and built-in modules of Node. */
export interface Loaded {
  scripts: string[];
  builtins: string[];
}

/** Runs a program made with runtime/rehearse.ts in an empty folder. */
export async function rehearse(program: string, folder: string, plan: Rehearsal): Promise<Rehearsed> {
  const start = await rehearseServer(program, folder, plan);
  const lines: Rehearsed["lines"] = {};
  for (const [name, content] of Object.entries(plan.files ?? {})) writeFileSync(join(folder, name), content);
  for (const line of plan.lines ?? []) {
    rmSync(recordOf(folder));
    execFileSync(program, line, { cwd: folder, env: environment(folder), stdio: ["ignore", "pipe", "pipe"] });
    lines[line.join(" ")] = readLoaded(folder);
  }
  return { start, lines };
}

/** The builder's own environment may contain options of penknife. */
const environment = (folder: string): Record<string, string> => ({
  PENKNIFE_STORAGE_PATH: join(folder, "data"),
  TZ: "UTC",
});

async function rehearseServer(program: string, folder: string, plan: Rehearsal): Promise<Loaded> {
  const port = await freePort();
  let errors = "";
  const child = spawn(program, plan.args(port), {
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the rehearsal ended with ${String(code)}: ${errors.trim().slice(0, 2000)}`);
  });
  ended.catch(() => {});
  try {
    return await Promise.race([ended, perform(port, folder, plan.path)]);
  } finally {
    child.kill("SIGKILL");
  }
}

async function perform(port: number, folder: string, path: string): Promise<Loaded> {
  const until = Date.now() + deadlineMs;
  while (!existsSync(recordOf(folder))) {
    if (Date.now() > until) throw new Error("the rehearsal was not answered in time");
    // Refused until the server listens.
    await ask(port, path).catch(() => sleep(20));
  }
  return readLoaded(folder);
}

const recordOf = (folder: string): string => join(folder, "learned/loaded.json");

const readLoaded = (folder: string): Loaded => JSON.parse(readFileSync(recordOf(folder), "utf8")) as Loaded;

function ask(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port, path });
    call.on("response", (response) => response.resume().on("end", resolve));
    call.on("error", reject);
    call.end();
  });
}
