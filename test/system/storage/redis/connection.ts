import { onTestFinished } from "vitest";
import { createRedisQueue, type RedisQueueOptions } from "../../../../src/storage/redis/deliveries.ts";
import { openConnection, queueDefaults } from "./open-connection.ts";

/** A connection that is closed when the test ends. */
export async function connect(url: string, prefix: string): ReturnType<typeof openConnection> {
  const connection = await openConnection(url, prefix);
  onTestFinished(() => connection.close());
  return connection;
}

/** A queue on a connection of its own, closed when the test ends. */
export async function openQueue(url: string, prefix: string, options: Partial<RedisQueueOptions> = {}) {
  const connection = await connect(url, prefix);
  const queue = createRedisQueue({ ...connection, ...queueDefaults, ...options });
  onTestFinished(() => queue.close());
  return queue;
}
