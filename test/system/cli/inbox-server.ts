import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { connectAdmin } from "../../../src/operations/client.ts";
import { makeFolder, penknife, type Ran } from "./host.ts";
import { end, type Ended, start } from "./spawn.ts";

export interface InboxServer {
  url: string;
  folder: string;
  /** A key of a pro account. */
  key: string;
  keyId: string;
  /** Runs `penknife inbox …` with that key to its end, in this process. */
  inbox(line: string, input?: string | Uint8Array): Promise<Ran>;
  /** Starts the same as a process without waiting for its end. */
  follow(line: string): Following;
  /** Runs `penknife admin …` on the data folder of the server. */
  admin(line: string): Promise<Ran>;
  /** Creates an inbox and returns its URL. */
  create(line?: string): Promise<{ id: string; url: string; secret: string | null }>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts the server on the same store and port. */
  startAgain(): Promise<void>;
}

export interface Following {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
  /** Waits until standard output or standard error contains this. */
  says(text: string): Promise<void>;
}

/** Starts a server process with an account and a key. */
export async function openInboxServer(env: Record<string, string> = {}): Promise<InboxServer> {
  const folder = join(makeFolder(), "data");
  let running = await serve(folder, "0", env);
  const { url } = running;
  const admin = (line: string) => penknife(["admin", ...line.split(" "), "--data", folder]);
  const { key, id: keyId } = await issueKey(folder);
  const client = { PENKNIFE_URL: url, PENKNIFE_KEY: key };
  const inbox = (line: string, stdin: string | Uint8Array = "") =>
    penknife(["inbox", ...line.split(" ")], { env: client, stdin });

  return {
    url,
    folder,
    key,
    keyId,
    admin,
    inbox,
    follow: (line) => watch(start(["inbox", ...line.split(" ")], { env: client })),
    async create(line = "") {
      const { stdout } = await inbox(`create --json ${line}`.trim());
      return JSON.parse(stdout) as { id: string; url: string; secret: string | null };
    },
    async stop(signal = "SIGTERM") {
      running.child.kill(signal);
      await once(running.child, "exit");
    },
    async startAgain() {
      running = await serve(folder, new URL(url).port, env);
    },
  };
}

/** Creates an account and a key at the admin socket, which is faster than running commands. */
export async function issueKey(folder: string): Promise<{ key: string; id: string }> {
  const caller = { actor: "cli:test", from: "here" };
  const socket = join(folder, "penknife.sock");
  let client = await connectAdmin(socket);
  while (client === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    client = await connectAdmin(socket);
  }
  await client.call("accounts.create", { name: "ci", plan: "team" }, caller);
  const issued = (await client.call("keys.issue", { account: "ci" }, caller)) as { key: string; id: string };
  client.close();
  return issued;
}

async function serve(
  folder: string,
  port: string,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const server = watch(start(["serve", "--port", port, "--data", folder], { env }));
  await server.says("listening on ");
  return { child: server.child, url: /listening on (\S+)/.exec(server.stderr())?.[1] ?? "" };
}

export function watch(child: ChildProcess): Following {
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = end(child, "");
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async says(text) {
      while (!`${stdout}\n${stderr}`.includes(text)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`The command ended before its output contained ${text}: ${stderr}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

export const send = (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
