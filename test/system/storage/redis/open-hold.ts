import { randomBytes } from "node:crypto";
import { createRedisHold, type RedisHoldOptions } from "../../../../src/storage/redis/hold.ts";
import { createRedisTexts } from "../../../../src/storage/redis/texts.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { type openConnection, openMarker } from "./open-connection.ts";

type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Leases over a connection, and the texts that their holders change. */
export async function openHold(
  { client, guard, prefix }: Connection,
  times: Pick<RedisHoldOptions, "leaseMs" | "patienceMs">,
) {
  const marker = await openMarker({ client, guard, prefix });
  const runtime = testRuntime({ random: (size) => randomBytes(size), monotonic: () => performance.now() });
  return {
    hold: createRedisHold({ client, guard, prefix, runtime, ...times }),
    texts: createRedisTexts({ client, guard, prefix, marker, waitMs: 5000, isUrgent: () => false }),
  };
}
