import type { RedisClient } from "./client.ts";
import type { StoreNotice } from "../storage.ts";
import type { Guard } from "./guard.ts";
import type { Marker } from "./marker.ts";
import type { Runtime } from "../../runtime.ts";

export interface RelistingOptions {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  marker: Marker;
  /** Address of the server, for messages. */
  name: string;
  runtime: Runtime;
  onNotice: StoreNotice;
}

const waitMs = 5000;
const adoptEveryMs = 3_600_000;
/** Usage that servers of older releases may have written since the last time. */
const adoptedMs = 90_000_000;

/**
 * Returns a function that makes the lists of records if the mark of the store says that they are not complete. One process makes them;
 * others that ask wait for it. Concurrent calls are one. Calls later than the start take over what servers of older releases still write.
 */
export function createRelisting(options: RelistingOptions): () => Promise<void> {
  const { marker, guard, runtime } = options;
  let running: Promise<void> | undefined;
  let isStarting = true;
  let adoptAt = -Infinity;

  async function relist(): Promise<void> {
    if ((await marker.unlisted()) !== undefined) {
      const { listRecords } = await import("./list-records.ts");
      await listRecords(options);
    } else if (!isStarting && runtime.monotonic() >= adoptAt) {
      adoptAt = runtime.monotonic() + adoptEveryMs;
      const { createUsageAdoption } = await import("./adopt-usage.ts");
      await createUsageAdoption({ ...options, step: (work) => guard.run("read", waitMs, work) })(adoptedMs);
    }
    isStarting = false;
  }

  return () => (running ??= relist().finally(() => (running = undefined)));
}
