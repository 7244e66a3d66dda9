import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type Agent, type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../../config/free-port.ts";
import { openSocketWithin } from "./socket.ts";

/** The built executable, which is what these tests run. */
export const executable = new URL("../../../dist/penknife", import.meta.url).pathname;
if (!existsSync(executable)) throw new Error("dist/penknife does not exist; run make build");

const run = promisify(execFile);

/** Creates an empty folder, which is all that the executable needs. */
export function emptyFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "penknife-e2e-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Output {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs the executable to its end. Does not throw for a status other than 0. */
export async function penknife(
  cwd: string,
  args: readonly string[],
  options: { input?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<Output> {
  const child = spawn(executable, args, { cwd, env: { ...cleanEnv(), ...options.env } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const [status] = (await once(child, "close")) as [number];
  return { status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

export interface Server {
  url: string;
  port: number;
  child: ChildProcess;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** Sends the signal and waits for the end; returns the exit status, null when the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `penknife serve` on a free port, unless `env` says which, with its data in `cwd`, and waits until it answers.
 * @param program The program to start, if it is not the executable.
 */
export async function serve(
  cwd: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
  /** Receives its output from the first byte on. */
  onOutput: (text: string) => void = () => {},
  program: readonly string[] = [executable],
): Promise<Server> {
  const port = Number(env["PENKNIFE_SERVER_PORT"] ?? (await freePort()));
  const [command = executable, ...before] = program;
  const child = spawn(command, [...before, "serve", "--port", String(port), ...args], {
    cwd,
    env: { ...cleanEnv(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => onOutput(chunk.toString()));
  let status: number | null | undefined;
  const closed = once(child, "close").then(([code]) => (status = code as number | null));
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    const up = await call(`${url}/healthz`).then(
      (reply) => reply.status === 200,
      () => false,
    );
    if (up) break;
    if (status !== undefined || attempt > 2400) throw new Error(`penknife did not start: ${stderr}${stdout}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    url,
    port,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    async stop(signal = "SIGTERM") {
      if (status === undefined) child.kill(signal);
      await closed;
      return status ?? null;
    },
  };
}

/**
 * Issues a key of a new account, through the socket of the server in the folder: that is faster than two commands, which
 * do it where no server runs.
 */
export async function issueKey(
  cwd: string,
  account: string,
  plan: "pro" | "team" = "pro",
  more: readonly ["--limit", string] | readonly [] = [],
): Promise<string> {
  const begun = existsSync(join(cwd, "penknife-data"));
  const socket = await openSocketWithin(cwd, begun ? 1000 : 0);
  if (socket !== undefined) {
    const limit = more[1] === undefined ? {} : { limit: Number(more[1]) };
    await socket.call("accounts.create", { name: account, plan, ...limit });
    const { key } = await socket.call<{ key: string }>("keys.issue", { account });
    socket.close();
    return key;
  }
  const created = await penknife(cwd, ["admin", "accounts", "create", account, "--plan", plan, ...more]);
  if (created.status !== 0) throw new Error(created.stderr);
  const issued = await penknife(cwd, ["admin", "keys", "issue", "--account", account]);
  if (issued.status !== 0) throw new Error(issued.stderr);
  return issued.stdout.trim();
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

export interface Send {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
  agent?: Agent;
  /** The local address to call from, so that one machine can act as many callers. */
  localAddress?: string;
}

/** Sends one HTTP request with node:http, which adds nothing. */
export function call(url: string, send: Send = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body, ...rest } = send;
    const outgoing = request(url, { method, headers, ...rest }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const whole = Buffer.concat(chunks);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: whole,
          text: whole.toString(),
        });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Calls a tool with JSON. */
export function callTool(
  server: Server,
  slug: string,
  input: unknown,
  key?: string,
  send: Send = {},
): Promise<Reply> {
  return call(`${server.url}/api/tools/${slug}`, {
    ...send,
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...send.headers,
    },
    body: JSON.stringify(input),
  });
}

/** Runs curl like a script. */
export async function curl(args: readonly string[]): Promise<Buffer> {
  const { stdout } = await run("curl", ["-sS", "--max-time", "30", ...args], {
    encoding: "buffer",
    maxBuffer: 256 * 1024 * 1024,
  });
  return stdout;
}

/** The environment without the developer's own settings. */
function cleanEnv(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: "/nonexistent", TZ: "UTC" };
}
