import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync } from "node:fs";
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
}

const deadlineMs = 20_000;

export interface Rehearsed {
  /** V8's code caches, by the names of their assets. */
  caches: Record<string, Uint8Array>;
  /** Scripts and built-in modules that were evaluated before the first response. */
  start: { scripts: string[]; builtins: string[] };
}

/** Runs a program made with runtime/rehearse.ts in an empty folder. */
export async function rehearse(program: string, folder: string, plan: Rehearsal): Promise<Rehearsed> {
  const port = await freePort();
  let errors = "";
  const child = spawn(program, plan.args(port), {
    cwd: folder,
    // An empty environment: the builder's may contain options of penknife.
    env: { PENKNIFE_STORAGE_PATH: join(folder, "data"), TZ: "UTC" },
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

async function perform(pid: number, port: number, folder: string, plan: Rehearsal): Promise<Rehearsed> {
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
  const caches = readdirSync(learned)
    .filter((name) => name.endsWith(".cache") && !name.startsWith("."))
    .toSorted()
    .map((name) => [name, readFileSync(join(learned, name))] as const);
  const start = JSON.parse(readFileSync(join(learned, "start.json"), "utf8")) as Rehearsed["start"];
  return { caches: Object.fromEntries(caches), start };
}

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
