import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort } from "../../../config/free-port.ts";

/** A real server on a local port, with its data in a folder of its own. */
export interface RedisServer {
  readonly port: number;
  readonly pid: number;
  /** redis://127.0.0.1:PORT/0 */
  readonly url: string;
  readonly folder: string;
  /** Runs a command over a connection of its own. */
  command(...words: (string | number)[]): Promise<unknown>;
  /** Runs many commands over one connection. */
  pipeline(commands: readonly (readonly (string | number)[])[]): Promise<unknown[]>;
  /** SIGSTOP: it keeps its connections, accepts new ones, and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** kill -9 */
  kill(): Promise<void>;
  /** Stops it cleanly, so that it saves what it is configured to save. */
  stop(): Promise<void>;
  /** Starts it again after its end on the same port and folder, with other arguments if given. */
  start(args?: readonly string[]): Promise<void>;
  /** Stops it and removes the folder. */
  close(): Promise<void>;
}

/** Debian replaced one by the other. */
const program = ["redis-server", "valkey-server"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);

/**
 * `args` are those of the command line of redis-server; user and password authenticate our own commands. With `sentinelOf` it is a
 * sentinel that watches the server on that port under the name `main`, and takes it for gone after `downAfterMs`.
 */
export async function startRedis(
  args: readonly string[] = [],
  {
    username,
    password,
    sentinelOf,
    downAfterMs = 500,
  }: { username?: string; password?: string; sentinelOf?: number; downAfterMs?: number } = {},
): Promise<RedisServer> {
  if (program === undefined)
    throw new Error("neither redis-server nor valkey-server is installed; run make test");
  const folder = mkdtempSync(join(tmpdir(), "penknife-redis-"));
  let port = await freePort();
  let child: ChildProcess | undefined;
  let output = "";

  const settings = (): string[] => [
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--dir",
    folder,
    "--save",
    "",
    "--loglevel",
    "notice",
  ];

  /** A sentinel writes what it discovers into its configuration file. */
  function sentinel(): string[] {
    const file = join(folder, "sentinel.conf");
    const lines = [
      `port ${port}`,
      "bind 127.0.0.1",
      `dir ${folder}`,
      `sentinel monitor main 127.0.0.1 ${sentinelOf} 1`,
      `sentinel down-after-milliseconds main ${downAfterMs}`,
      "sentinel failover-timeout main 3000",
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);
    return [file, "--sentinel"];
  }

  function spawnOn(more: readonly string[]): ChildProcess {
    const spawned = spawn(
      program as string,
      [...(sentinelOf === undefined ? settings() : sentinel()), ...more],
      {
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    output = "";
    for (const stream of [spawned.stdout, spawned.stderr])
      stream.on("data", (data: Buffer) => (output += data.toString()));
    running.add(spawned);
    spawned.once("exit", () => running.delete(spawned));
    return spawned;
  }

  async function start(more: readonly string[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const spawned = spawnOn(more);
      child = spawned;
      while (spawned.exitCode === null && spawned.signalCode === null) {
        const answer = await command("PING").catch((error: Error) => error.message);
        if (answer === "PONG") return;
        await sleep(15);
      }
      // Another process took the port in the meantime.
      if (attempt > 3 || !/already in use/.test(output))
        throw new Error(`${program} did not start: ${output.slice(-500)}`);
      port = await freePort();
    }
  }

  async function pipeline(commands: readonly (readonly (string | number)[])[]): Promise<unknown[]> {
    const client = new Redis({
      port,
      host: "127.0.0.1",
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      connectTimeout: 2000,
      enableReadyCheck: false,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    });
    client.on("error", () => {});
    try {
      await client.connect();
      return await Promise.all(commands.map(([name = "", ...rest]) => client.call(String(name), ...rest)));
    } finally {
      client.disconnect();
    }
  }

  async function command(...words: (string | number)[]): Promise<unknown> {
    return (await pipeline([words]))[0];
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGCONT");
    child.kill(signal);
    await gone;
  }

  await start(args);
  return {
    get port() {
      return port;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    get url() {
      return `redis://127.0.0.1:${port}/0`;
    },
    folder,
    command,
    pipeline,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    start: (more = args) => start(more),
    async close() {
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stops every server that this process started. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
