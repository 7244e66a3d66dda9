import type { Live, LiveDeps } from "./live.ts";

/** What happens now in a server, loaded by the first who tells of it or listens. */
export interface LiveAccess {
  open(): Promise<Live>;
  close(): Promise<void>;
}

export function createLiveAccess(deps: LiveDeps): LiveAccess {
  let live: Promise<Live> | undefined;
  return {
    open: () => (live ??= import("./live.ts").then(({ createLive }) => createLive(deps))),
    close: async () => (await live)?.close(),
  };
}
