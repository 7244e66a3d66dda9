import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Publishing, PublishTask } from "./publish-events.ts";

/** One installation: a store, its commands, and a process that enqueues events. */
export interface Site {
  folder: string;
  env: Readonly<Record<string, string>>;
  /** The command line of its server. */
  serve(port: number): readonly string[];
  /** Creates an account with this many endpoints at the receiver. */
  addAccount(name: string, endpoints: number, options?: { paused?: boolean }): Promise<void>;
  /** No server may run on a file store at the same time. */
  publish(account: string, count: number, writers: number): Promise<Publishing>;
}

export interface SiteOptions {
  folder: string;
  command: readonly string[];
  driver: PublishTask["driver"];
  /** For Redis, where each site has a prefix of its own. */
  url: string;
  prefix: string;
  /** For every endpoint. */
  receiver: string;
}

const script = fileURLToPath(new URL("publish-events.ts", import.meta.url));

export async function openSite({
  folder,
  command,
  driver,
  url,
  prefix,
  receiver,
}: SiteOptions): Promise<Site> {
  const path = join(folder, "data");
  const [program = "", ...first] = command;
  const env = {
    PENKNIFE_STORAGE_DRIVER: driver,
    PENKNIFE_STORAGE_PATH: path,
    ...(driver === "redis" && { PENKNIFE_STORAGE_URL: url, PENKNIFE_STORAGE_PREFIX: prefix }),
    PENKNIFE_WEBHOOKS_ALLOW_CIDRS: "127.0.0.0/8",
    PENKNIFE_LOG_LEVEL: "error",
  };

  async function admin<T>(...words: string[]): Promise<T> {
    const { stdout } = await promisify(execFile)(program, [...first, "admin", ...words, "--json"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...env },
    });
    return JSON.parse(stdout) as T;
  }

  await admin("accounts", "create", "nobody", "--plan", "pro");
  return {
    folder,
    env,
    serve: (port) => [...command, "serve", "--host", "127.0.0.1", "--port", String(port)],
    async addAccount(name, count, { paused = false } = {}) {
      await admin("accounts", "create", name, "--plan", "team");
      for (let index = 0; index < count; index++) {
        const { id } = await admin<{ id: string }>("webhooks", "add", receiver, "--account", name);
        if (paused) await admin("webhooks", "pause", id);
      }
    },
    async publish(account, count, writers) {
      const task: PublishTask = { driver, path, url, prefix, account, count, writers };
      const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(task)], {
        timeout: 600_000,
      });
      return JSON.parse(stdout) as Publishing;
    },
  };
}
