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

/**
 * Returns a function that makes the lists of records if the mark of the store says that they are not complete. One process makes them;
 * others that ask wait for it. Concurrent calls are one.
 */
export function createRelisting(options: RelistingOptions): () => Promise<void> {
  let running: Promise<void> | undefined;

  async function relist(): Promise<void> {
    if ((await options.marker.unlisted()) === undefined) return;
    const { listRecords } = await import("./list-records.ts");
    await listRecords(options);
  }

  return () => (running ??= relist().finally(() => (running = undefined)));
}
