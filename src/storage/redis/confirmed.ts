import type { Cluster, Redis } from "ioredis";
import { StoreError } from "../errors.ts";
import { type RedisClient, serversOf } from "./client.ts";
import type { Guard } from "./guard.ts";
import { parseInfo } from "./inspect.ts";
import type { Script, ScriptArgument } from "./script.ts";

/** Writes that must outlive a failover: they have reached a replica before they are reported as done, where Redis has one. */
export interface Confirmed {
  /** Runs a script. @throws StoreError `write` if it was run, but no replica confirms it. */
  run(script: Script, names: readonly string[], args: readonly ScriptArgument[]): Promise<unknown>;
  close(): void;
}

const waitMs = 5000;
/** Longest wait for a replica. */
const confirmMs = 1000;

export function createConfirmed(options: {
  client: RedisClient;
  guard: Guard;
  /** Address of the server, for messages. */
  name: string;
}): Confirmed {
  const { client, guard, name: address } = options;
  let writer: RedisClient | undefined;
  let connecting: Promise<void> | undefined;

  /** A connection of its own: WAIT blocks the one that it is sent over, and knows the writes of that one alone. */
  async function connect(): Promise<RedisClient> {
    if (writer === undefined) {
      const own = { lazyConnect: true } as const;
      writer = client.isCluster ? (client as Cluster).duplicate([], own) : (client as Redis).duplicate(own);
      writer.on("error", () => {});
    }
    // Concurrent changes wait for the same connection.
    if (writer.status === "wait" || writer.status === "end")
      connecting = writer.connect().finally(() => (connecting = undefined));
    await connecting;
    return writer;
  }

  /** Waits until a replica has everything that was written over a connection. */
  async function confirm(server: Redis): Promise<boolean> {
    try {
      return (await server.wait(1, confirmMs)) > 0;
    } catch (error) {
      // A user without the right to wait writes as before.
      if ((error as Error).message.startsWith("NOPERM")) return true;
      throw error;
    }
  }

  return {
    async run(script, names, args) {
      const isReplicated =
        client.isCluster || (await guard.run("read", waitMs, () => hasReplicas(client as Redis)));
      if (!isReplicated) return guard.run("write", waitMs, () => script(client, names, args));
      const at = await guard.run("write", waitMs, connect);
      const answer = await guard.run("write", waitMs, () => script(at, names, args));
      // Which server of a cluster has run the script is known to the client alone; one that has not confirms at once what was written before.
      const servers = serversOf(at).filter(({ status }) => status === "ready");
      const isConfirmed = async (server: Redis): Promise<boolean> =>
        (client.isCluster && !(await hasReplicas(server))) || confirm(server);
      const confirmed = await guard.run("write", waitMs, () => Promise.all(servers.map(isConfirmed)));
      if (!confirmed.includes(false)) return answer;
      throw new StoreError(
        "write",
        `Redis (${address}) has made a change that none of its replicas confirms, so a failover could lose it. Look at them (INFO replication), then repeat the change.`,
      );
    },
    close: () => writer?.disconnect(),
  };
}

async function hasReplicas(server: Redis): Promise<boolean> {
  const info = parseInfo(await server.info("replication"));
  return Number(info.get("connected_slaves") ?? 0) > 0;
}
