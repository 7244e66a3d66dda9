import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installPackages } from "../support/install-packages.ts";
import type { Post } from "./request.ts";
import { openServer, type Server } from "./server.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const peers = fileURLToPath(new URL("peers/", import.meta.url));
const account = "bench";

/** The measured program: the executable if it is built, otherwise the sources. */
export function penknifeCommand(sources = false): readonly string[] {
  const executable = join(root, "dist", "penknife");
  return !sources && existsSync(executable) ? [executable] : [process.execPath, join(root, "src", "main.ts")];
}

/** Starts penknife on a file store of its own, with a team account whose limit is never reached. */
export async function openPenknife(
  folder: string,
  command: readonly string[] = penknifeCommand(),
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const data = join(folder, "data");
  const [program = "", ...args] = command;
  const admin = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(program, [...args, "admin", ...words], {
      cwd: folder,
      env: { ...process.env, PENKNIFE_STORAGE_PATH: data, ...env },
    });
    return stdout.trim();
  };
  await admin("accounts", "create", account, "--plan", "team", "--limit", "1000000000");
  const key = await admin("keys", "issue", "--account", account);
  return openServer({
    name: "penknife",
    key,
    folder,
    env,
    command: (port) => [...command, "serve", "--host", "127.0.0.1", "--port", String(port), "--data", data],
  });
}

/** Starts a peer by the name of its file. */
export function openPeer(
  name: string,
  folder: string,
  key: string,
  nodeOptions: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  first?: Post,
): Promise<Server> {
  return openServer({
    name,
    key,
    folder,
    env,
    first,
    command: () => [process.execPath, ...nodeOptions, join(peers, `${name}.ts`)],
  });
}

/** A key for a run without penknife. */
export function createKey(): string {
  return `svc_live_${randomBytes(19).toString("hex")}`;
}

/** Installs the packages of peers/package-lock.json, and again when it changes. */
export async function installPeers(): Promise<void> {
  await installPackages(peers);
}
