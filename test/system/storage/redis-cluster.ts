import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../../config/free-port.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** A real cluster of three masters and three replicas on local ports. */
export interface RedisCluster {
  /** The masters first, each of which has the replica three places behind it at the beginning. */
  readonly servers: readonly RedisServer[];
  /** redis+cluster://127.0.0.1:PORT,… */
  readonly url: string;
  /** Runs a command on every server. */
  everywhere(...words: (string | number)[]): Promise<unknown[]>;
  /** Returns the server that has the slot of a name now. */
  masterOf(name: string): Promise<RedisServer>;
  /** Moves the slot of a name to another server, with all names in it, as `redis-cli --cluster reshard` does. */
  moveSlot(name: string, to: RedisServer): Promise<void>;
  /** Waits until every slot is served, by the reports of all servers that run. */
  whole(): Promise<void>;
  /** Waits until every master has a replica that follows it. */
  replicated(): Promise<void>;
  close(): Promise<void>;
}

const masters = 3;
const slots = 16_384;

/**
 * @param options `host` is the address by which the servers know one another, `tls` the arguments with certificates: over TLS the servers have other ports, which
 *   `url` names.
 */
export async function startCluster(
  args: readonly string[] = [],
  { host = "127.0.0.1", tls }: { host?: string; tls?: readonly string[] } = {},
): Promise<RedisCluster> {
  const ports = new Map<RedisServer, number>();
  async function startNext(): Promise<RedisServer> {
    if (tls === undefined) return startOne(args);
    const port = await freePort();
    const secure = ["--tls-port", String(port), "--tls-cluster", "yes", "--tls-replication", "yes"];
    const server = await startOne([...args, ...secure, ...tls]);
    ports.set(server, port);
    return server;
  }
  const servers = await Promise.all(Array.from({ length: 2 * masters }, startNext));
  const portOf = (server: RedisServer): number => ports.get(server) ?? server.port;
  const ids = await Promise.all(
    servers.map(async (server) => String(await server.command("CLUSTER", "MYID"))),
  );
  const idOf = (server: RedisServer): string => ids[servers.indexOf(server)] ?? "";

  const everywhere = (...words: (string | number)[]): Promise<unknown[]> =>
    Promise.all(servers.map((server) => server.command(...words)));

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo().catch(() => false))) await sleep(50);
  }

  async function infoOf(server: RedisServer): Promise<string> {
    return String(await server.command("CLUSTER", "INFO"));
  }

  async function join(): Promise<void> {
    await Promise.all(servers.map((server, n) => server.command("CLUSTER", "SET-CONFIG-EPOCH", n + 1)));
    for (let n = 0; n < masters; n++) {
      const from = Math.ceil((n * slots) / masters);
      const last = Math.ceil(((n + 1) * slots) / masters) - 1;
      await servers[n]?.command("CLUSTER", "ADDSLOTSRANGE", from, last);
    }
    const [first] = servers as [RedisServer];
    for (const server of servers.slice(1))
      await server.command("CLUSTER", "MEET", host, portOf(first), await busPortOf(first));
    await until(async () => {
      const infos = await Promise.all(servers.map(infoOf));
      return infos.every((info) => info.includes("cluster_known_nodes:6"));
    });
    for (const [n, replica] of servers.slice(masters).entries())
      await until(async () => (await replica.command("CLUSTER", "REPLICATE", ids[n] ?? "")) === "OK");
    await whole();
    await replicated();
  }

  async function replicated(): Promise<void> {
    await until(async () => {
      const texts = (await everywhere("INFO", "replication")).map(String);
      const linked = texts.filter((text) => text.includes("master_link_status:up"));
      const leading = texts.filter((text) => /role:master[^]*connected_slaves:1/.test(text));
      return linked.length === masters && leading.length === masters;
    });
  }

  async function whole(): Promise<void> {
    await until(async () => {
      const infos = await Promise.all(servers.map((server) => infoOf(server).catch(() => "")));
      const running = infos.filter((info) => info !== "");
      return running.length >= masters && running.every((info) => info.includes("cluster_state:ok"));
    });
  }

  async function slotOf(name: string): Promise<number> {
    const answers = await Promise.allSettled(
      servers.map((server) => server.command("CLUSTER", "KEYSLOT", name)),
    );
    return Number(answers.find((answer) => answer.status === "fulfilled")?.value);
  }

  async function masterOf(name: string): Promise<RedisServer> {
    const slot = await slotOf(name);
    for (const server of servers) {
      const nodes = String(await server.command("CLUSTER", "NODES").catch(() => ""));
      const mine = nodes.split("\n").find((line) => line.includes("myself,master"));
      const ranges =
        mine
          ?.split(" ")
          .slice(8)
          .filter((text) => !text.startsWith("[")) ?? [];
      const has = ranges.some((range) => {
        const [from = "", to = from] = range.split("-");
        return slot >= Number(from) && slot <= Number(to);
      });
      if (has) return server;
    }
    throw new Error(`no server has the slot ${slot}`);
  }

  async function moveSlot(name: string, to: RedisServer): Promise<void> {
    const from = await masterOf(name);
    const slot = await slotOf(name);
    if (from === to) return;
    await to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", idOf(from));
    await from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", idOf(to));
    for (;;) {
      const names = (await from.command("CLUSTER", "GETKEYSINSLOT", slot, 10)) as string[];
      if (names.length === 0) break;
      await from.command("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", ...names);
    }
    for (const server of [to, from, ...servers.slice(0, masters)])
      await server.command("CLUSTER", "SETSLOT", slot, "NODE", idOf(to)).catch(() => undefined);
  }

  await join();
  return {
    servers,
    url: `${tls ? "rediss" : "redis"}+cluster://${servers
      .map((server) => `${host.includes(":") ? `[${host}]` : host}:${portOf(server)}`)
      .join(",")}`,
    everywhere,
    masterOf,
    moveSlot,
    whole,
    replicated,
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

async function startOne(args: readonly string[]): Promise<RedisServer> {
  // By default the port of the bus is 10,000 higher, which may be no port.
  const bus = await freePort();
  return startRedis([
    "--cluster-enabled",
    "yes",
    "--cluster-port",
    String(bus),
    "--cluster-node-timeout",
    "2000",
    "--cluster-replica-validity-factor",
    "0",
    "--repl-diskless-sync-delay",
    "0",
    ...args,
  ]);
}

async function busPortOf(server: RedisServer): Promise<number> {
  const [, port] = (await server.command("CONFIG", "GET", "cluster-port")) as string[];
  return Number(port);
}
