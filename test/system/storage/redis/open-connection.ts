import { randomBytes } from "node:crypto";
import type { QueueOptions } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { connectRedis } from "../../../../src/storage/redis/connect.ts";
import { explainRedis } from "../../../../src/storage/redis/explain.ts";
import { createGuard } from "../../../../src/storage/redis/guard.ts";
import { createMarker, type Marker } from "../../../../src/storage/redis/marker.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** A client and its guard, set up as in the store. `close` ends both. */
export async function openConnection(url: string, prefix: string) {
  const monotonic = (): number => performance.now();
  const { client, name, fault } = await connectRedis({
    url,
    prefix,
    runtime: testRuntime({ monotonic }),
    patienceMs: 10_000,
  });
  const guard = createGuard({
    disconnected: fault,
    explain: (operation, cause) => explainRedis(name, operation, cause),
    probe: () => client.ping(),
    runtime: testRuntime({ monotonic }),
    idle: () => performance.nodeTiming.idleTime,
    onChange: () => {},
  });
  return {
    client,
    guard,
    prefix,
    close() {
      guard.close();
      client.disconnect();
    },
  };
}

/** The marker of the store on a connection, which it may begin. */
export const openMarker = (
  connection: Pick<Parameters<typeof createMarker>[0], "client" | "guard" | "prefix">,
): Promise<Marker> =>
  createMarker({ ...connection, name: "Redis", id: "1", mayBegin: true, onNotice: () => {} });

export const queueDefaults: QueueOptions = {
  runtime: testRuntime({ now: Date.now, random: (size) => randomBytes(size) }),
  perEndpoint: 8,
  circuit: { after: 5, everyMs: 60_000 },
};
