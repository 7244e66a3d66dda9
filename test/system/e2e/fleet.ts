import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  call,
  callTool,
  emptyFolder,
  penknife,
  type Reply,
  type Send,
  serve,
  type Server,
} from "./harness.ts";
import type { AccountRecord } from "../../../src/storage/records.ts";
import type { RedisServer } from "../storage/redis-server.ts";
import type { Plan } from "../../../src/catalog/principal.ts";
import { type Operate, operateOn } from "./redis-operator.ts";

/** Several servers on one Redis. */
export interface Fleet {
  servers: Server[];
  /** The options that every command on this store needs. */
  env: Record<string, string>;
  /** Runs a subcommand of `penknife admin` on Redis; returns its standard output. */
  admin(...words: string[]): Promise<string>;
  /** Performs operations of the operator without a process for each; repeats all of them while Redis does not answer in time. */
  operate<T>(work: (operate: Operate) => Promise<T>, attempts?: number): Promise<T>;
  /** Issues a key of a new account. */
  issueKey(account: string, options?: { plan?: Plan; limit?: number }): Promise<string>;
  /** Sends a small request to one of the servers, over a kept connection. */
  ask(at: number, key?: string, send?: Send): Promise<Reply>;
  /** Returns a sample of `GET /metrics`; 0 if there is none. */
  metric(at: number, name: string): Promise<number>;
  get(at: number, path: string): Promise<Reply>;
  /** Ends a server, calls `onEnd` when it has ended, and starts another one in its place after `back`. */
  replace(at: number, signal: NodeJS.Signals, back?: Promise<unknown>, onEnd?: () => void): Promise<void>;
  /** The number of servers that have ended by themselves. */
  ends(): number;
  close(): Promise<void>;
}

export async function startFleet(
  url: string,
  count: number,
  env: Record<string, string> = {},
  urlOf: (at: number) => string = () => url,
): Promise<Fleet> {
  const folder = emptyFolder();
  const common = {
    PENKNIFE_STORAGE_DRIVER: "redis",
    PENKNIFE_STORAGE_URL: url,
    PENKNIFE_SERVER_MAX_CONCURRENCY: "4096",
    ...env,
  };
  const allowed = env["PENKNIFE_WEBHOOKS_ALLOW_CIDRS"]?.split(",") ?? [];
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const ending = new Set<Server>();
  let ends = 0;
  const start = async (at: number, more: Record<string, string> = {}): Promise<Server> => {
    const variables = { ...common, PENKNIFE_STORAGE_URL: urlOf(at), ...more };
    // On a busy machine Redis may not answer in time; a server that starts exits then, and whoever runs it starts it again.
    const server = await serve(folder.path, variables).catch((error: unknown) => {
      if (!String(error).includes("Try again later")) throw error;
      return serve(folder.path, variables);
    });
    server.child.once("exit", () => {
      if (!ending.has(server)) ends++;
    });
    return server;
  };
  const servers = await Promise.all(Array.from({ length: count }, (_, at) => start(at)));
  const at = (index: number): Server => servers[index] as Server;

  async function admin(...words: string[]): Promise<string> {
    const { status, stdout, stderr } = await penknife(folder.path, ["admin", ...words], { env: common });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  async function retry<T>(work: (attempt: number) => Promise<T>, attempts = 20): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(attempt);
      } catch (error) {
        if (attempt >= attempts || !/does not answer in time/.test(textOf(error))) throw error;
      }
    }
  }

  // The first attempt may have created the account before its answer was late.
  const created = (attempt: number) => (error: unknown) => {
    if (attempt === 1 || !/exists already/.test(String(error))) throw error;
  };

  const operate: Fleet["operate"] = (work, attempts) =>
    retry(() => operateOn(urlOf(0), work, allowed), attempts);

  const get = (index: number, path: string): Promise<Reply> => call(at(index).url + path);

  return {
    servers,
    env: common,
    admin,
    operate,
    issueKey: (account, { plan = "pro", limit } = {}) =>
      retry((attempt) =>
        operateOn(urlOf(0), async (perform) => {
          await perform("accounts.create", { name: account, plan, limit }).catch(created(attempt));
          return (await perform<{ key: string }>("keys.issue", { account })).key;
        }),
      ),
    ask: (index, key, send) =>
      callTool(at(index), "json-minifier", { data: "[1, 2]" }, key, { agent, ...send }),
    get,
    async metric(index, name) {
      const { text } = await get(index, "/metrics");
      const samples = text
        .split("\n")
        .filter((line) => line.startsWith(name) && /^[ {]/.test(line.slice(name.length)));
      return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
    },
    async replace(index, signal, back, onEnd = () => {}) {
      const { port, stop } = at(index);
      ending.add(at(index));
      await stop(signal);
      onEnd();
      await back;
      servers[index] = await start(index, { PENKNIFE_SERVER_PORT: String(port) });
    },
    ends: () => ends,
    async close() {
      for (const server of servers) ending.add(server);
      await Promise.all(servers.map((server) => server.stop()));
      agent.destroy();
      folder.remove();
    },
  };
}

/** The name of the counter of an account in Redis. */
export async function counterOf({ command }: Pick<RedisServer, "command">, account: string): Promise<string> {
  const record = JSON.parse(String(await command("GET", `penknife:accounts:${account}`))) as AccountRecord;
  return `penknife:count:account:${account}:${record.incarnation}`;
}

/** The message of an error, and the reason that only an operator sees. */
export function textOf(error: unknown): string {
  const { message, reason, cause } = error as Error & { reason?: string; cause?: { reason?: string } };
  return [message, reason, cause?.reason].join("\n");
}

/** Polls `check` and returns the milliseconds until it is true. @throws Error after `limit`. */
export async function within(limit: number, check: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await check())) {
    if (performance.now() - began > limit) throw new Error(`not within ${limit} ms`);
    await sleep(25);
  }
  return performance.now() - began;
}

export const remaining = ({ headers }: Reply): number => Number(headers["x-ratelimit-remaining"]);

export const codeOf = ({ status, text }: Reply): string =>
  status === 200 ? "ok" : (JSON.parse(text) as { code: string }).code;

/** Counts each answer. */
export function tally(codes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
