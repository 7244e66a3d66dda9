import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../free-port.ts";

/** What the program does while its compiled functions are recorded. */
export interface Rehearsal {
  /** The command line of a server that listens on the given port of 127.0.0.1. */
  args: (port: number) => string[];
  requests: readonly { method: string; path: string; body?: string }[];
  /** Whether it starts a worker thread. */
  worker: boolean;
  /**
   * Command lines that end by themselves, run one after the other. A script that the server's start does not evaluate gets
   * the code cache of the first of them that evaluates it.
   */
  lines?: readonly (readonly string[])[];
  /** Files that the command lines name, with their content. */
  files?: Readonly<Record<string, string>>;
}

const deadlineMs = 20_000;

export interface Rehearsed {
  /** V8's code caches, by the names of their scripts. */
  caches: Record<string, Uint8Array>;
  /** What was evaluated before the first response. */
  start: Loaded;
  /** What each command line evaluated; the words of the line are joined by spaces. */
  lines: Record<string, Loaded>;
}

/** Scripts, and built-in modules of Node. */
export interface Loaded {
  scripts: string[];
  builtins: string[];
}

/** Runs a program made with runtime/rehearse.ts in an empty folder. */
export async function rehearse(program: string, folder: string, plan: Rehearsal): Promise<Rehearsed> {
  const learned = join(folder, "learned");
  const { caches, start } = await rehearseServer(program, folder, plan);
  const lines: Rehearsed["lines"] = {};
  for (const [name, content] of Object.entries(plan.files ?? {})) writeFileSync(join(folder, name), content);
  for (const line of (plan.lines ?? []).toReversed()) {
    rmSync(learned, { recursive: true, force: true });
    execFileSync(program, line, { cwd: folder, env: environment(folder), stdio: ["ignore", "pipe", "pipe"] });
    lines[line.join(" ")] = readLoaded(learned);
    for (const [name, cache] of Object.entries(readCaches(learned)))
      if (!start.scripts.includes(name)) caches[name] = cache;
  }
  return { caches, start, lines };
}

/** The builder's own environment may contain options of penknife. */
const environment = (folder: string): Record<string, string> => ({
  PENKNIFE_STORAGE_PATH: join(folder, "data"),
  TZ: "UTC",
});

async function rehearseServer(
  program: string,
  folder: string,
  plan: Rehearsal,
): Promise<Omit<Rehearsed, "lines">> {
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
    return await Promise.race([ended, perform(child.pid ?? 0, port, folder, plan)]);
  } finally {
    child.kill("SIGKILL");
  }
}

async function perform(
  pid: number,
  port: number,
  folder: string,
  plan: Rehearsal,
): Promise<Omit<Rehearsed, "lines">> {
  const until = Date.now() + deadlineMs;
  for (const call of plan.requests) {
    for (;;) {
      try {
        await ask(port, call);
        break;
      } catch (error) {
        if (Date.now() > until) throw new Error("the rehearsal was not answered in time", { cause: error });
        await sleep(20);
      }
    }
  }
  const learned = join(folder, "learned");
  for (const name of plan.worker ? ["worker-main.cache"] : []) await appears(join(learned, name), until);
  // Workers write every 250 ms; what they have answered by now is in what they write next.
  if (plan.worker) await sleep(400);
  process.kill(pid, "SIGUSR2");
  await appears(join(learned, "done"), until);
  return { caches: readCaches(learned), start: readLoaded(learned) };
}

function readCaches(learned: string): Record<string, Uint8Array> {
  const files = readdirSync(learned).filter((file) => file.endsWith(suffix) && !file.startsWith("."));
  return Object.fromEntries(
    files.toSorted().map((file) => [file.slice(0, -suffix.length), readFileSync(join(learned, file))]),
  );
}

const suffix = ".cache";

const readLoaded = (learned: string): Loaded =>
  JSON.parse(readFileSync(join(learned, "start.json"), "utf8")) as Loaded;

async function appears(file: string, until: number): Promise<void> {
  while (!existsSync(file)) {
    if (Date.now() > until) throw new Error(`the rehearsal wrote no ${basename(file)}`);
    await sleep(20);
  }
}

function ask(port: number, { method, path, body }: Rehearsal["requests"][number]): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: "127.0.0.1",
      port,
      method,
      path,
      headers: { "content-type": "application/json" },
    });
    call.on("response", (response) => response.resume().on("end", resolve));
    call.on("error", reject);
    call.end(body);
  });
}
