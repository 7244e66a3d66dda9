import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../config/free-port.ts";
import { readCompose, readText, withoutInterpolation } from "../config/operating/files.ts";
import { serve, type Server } from "./harness.ts";
import { type Proxy, startProxy } from "./proxy.ts";

/** The services of config/compose.nodes.yaml, as processes of this machine. */
export interface Nodes {
  proxy: Proxy;
  servers: Server[];
  redis: { pid: number; password: string; cli(...args: string[]): string };
  /** The environment of the admin subcommand. */
  env: Record<string, string>;
  /** Stops a node and restarts it on its port. */
  restart(at: number, signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

const { services } = readCompose("config/compose.nodes.yaml");
/** Debian changed from one name to the other. */
const program = spawnSync("redis-server", ["--version"]).error === undefined ? "redis" : "valkey";
const proxyAddress = services["proxy"]?.networks?.["front"]?.ipv4_address;

/**
 * Runs the compose file without a container engine: secrets from the commands in its header, Redis by its command, nodes
 * with their environment, the proxy with its configuration. Only paths and addresses are changed.
 */
export async function startNodes(folder: string): Promise<Nodes> {
  const started: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of started.toReversed()) await end();
  };
  try {
    return { ...(await start(folder, started)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds a function to `started` that stops each part. */
async function start(folder: string, started: (() => Promise<unknown>)[]): Promise<Omit<Nodes, "stop">> {
  const redisPort = await freePort();
  const password = makeSecrets(folder, redisPort);
  const here = (text: string): string => text.replaceAll("/run/secrets/", `${folder}/secrets/`);
  const redis = startRedis(folder, redisPort, here);
  started.push(redis.stop);
  await redis.healthy;

  const ofNode = services["penknife-1"]?.environment ?? {};
  const env = Object.fromEntries(
    Object.entries(ofNode).map(([name, value]) => [name, value === proxyAddress ? "127.0.0.1" : here(value)]),
  );
  const startNode = (port: number): Promise<Server> => {
    const home = join(folder, `node-${port}`);
    mkdirSync(home, { recursive: true });
    return serve(home, { ...env, PENKNIFE_SERVER_PORT: String(port) });
  };
  const servers: Server[] = [];
  started.push(() => Promise.all(servers.map((one) => one.stop())));
  for (let node = 0; node < 3; node++) servers.push(await startNode(await freePort()));
  const proxy = await startProxy(
    folder,
    servers.map(({ port }) => port),
  );
  started.push(proxy.stop);

  return {
    proxy,
    servers,
    env,
    redis: {
      pid: redis.pid,
      password,
      cli: (...args) =>
        execFileSync(`${program}-cli`, ["-p", String(redisPort), ...args], {
          encoding: "utf8",
          env: { PATH: process.env["PATH"], REDISCLI_AUTH: password },
        }).trim(),
    },
    async restart(at, signal) {
      const server = servers[at] as Server;
      await server.stop(signal);
      servers[at] = await startNode(server.port);
    },
  };
}

/** Runs the three commands in the header of the file. Returns the password. */
function makeSecrets(folder: string, redisPort: number): string {
  const commands = readText("config/compose.nodes.yaml")
    .split("\n")
    .filter((line) => /^# {3}\S/.test(line))
    .map((line) => line.slice(4));
  if (commands.length !== 3)
    throw new Error("the header of the compose file contains other commands than those for secrets");
  const script = commands.join("\n").replace("@redis:6379/", `@127.0.0.1:${redisPort}/`);
  execFileSync("sh", ["-euc", `umask 022\n${script}`], { cwd: folder, stdio: "pipe" });
  return readFileSync(join(folder, "secrets/redis-password"), "utf8").trim();
}

function startRedis(
  folder: string,
  port: number,
  here: (text: string) => string,
): { pid: number; healthy: Promise<void>; stop(): Promise<unknown> } {
  const { command = [], healthcheck } = services["redis"] ?? {};
  const data = join(folder, "redis");
  mkdirSync(data);
  const moved = command.map((word) =>
    here(withoutInterpolation(word))
      .replace("redis-server", `${program}-server`)
      .replace("dir /data", `dir ${data}\nport ${port}\nbind 127.0.0.1`),
  );
  const child = spawn(moved[0] as string, moved.slice(1), {
    cwd: data,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "close");
  const check = here(withoutInterpolation(healthcheck?.test[1] ?? "")).replace(
    "redis-cli",
    `${program}-cli -p ${port}`,
  );

  async function wait(): Promise<void> {
    for (let attempt = 0; spawnSync("sh", ["-c", check]).status !== 0; attempt++) {
      if (child.exitCode !== null || attempt > 1200) throw new Error(`Redis did not start: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  return {
    pid: child.pid as number,
    healthy: wait(),
    stop: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}
