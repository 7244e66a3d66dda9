import { lazy } from "../../../lib/lazy.ts";
import type { Live, LiveDeps } from "./live.ts";

/** What happens now in a server, loaded by the first who tells of it or listens. */
export interface LiveAccess {
  open(): Promise<Live>;
  close(): Promise<void>;
}

export function createLiveAccess(deps: LiveDeps): LiveAccess {
  const open = lazy(async () => (await import("./live.ts")).createLive(deps));
  return { open, close: async () => (await open.made())?.close() };
}
