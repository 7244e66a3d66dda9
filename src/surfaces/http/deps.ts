import type { Catalog } from "../../catalog/catalog.ts";
import type { LoopShare } from "../../catalog/loop-share.ts";
import type { Principal } from "../../catalog/principal.ts";
import type { Runner } from "../../catalog/run.ts";
import type { Credentials, Refusals } from "../../services/access/auth.ts";
import type { InboxAccess } from "../../services/inbox/access.ts";
import type { ClientIp } from "../../services/access/client-ip.ts";
import type { Log } from "../../services/telemetry/log.ts";
import type { Metrics } from "../../services/telemetry/metrics.ts";
import type { Readiness } from "../../services/storage/server-store.ts";
import type { Watchdog } from "../../services/telemetry/watchdog.ts";
import type { Timeouts } from "./timeouts.ts";

/** Dependencies of the HTTP surfaces, made by `app.ts`. */
export interface HttpDeps {
  options: HttpOptions;
  catalog: Catalog;
  runner: Runner;
  authenticate(credentials: Credentials): Principal | Promise<Principal>;
  presume(credentials: Credentials): Promise<Principal | undefined>;
  /** Counts refused credentials: keys, and others such as `metrics.token`. */
  refusals: Refusals;
  clientIp: ClientIp;
  /** Undefined if inboxes are disabled. */
  inbox?: Pick<InboxAccess, "open" | "maxBytes">;
  /** Checks whether requests can be served, with the store or without it for a while; rejects if they cannot. */
  check(): Promise<Readiness>;
  log: Log;
  metrics: Metrics;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Shares the event loop among work that takes milliseconds. */
  loop: LoopShare;
  watchdog: Pick<Watchdog, "enter">;
  timeouts?: Partial<Timeouts>;
}

export interface HttpOptions {
  /** Version of the executable. */
  version: string;
  /** `server.host` as configured. */
  host: string;
  allowedHosts: readonly string[];
  basePath: string;
  bodyLimit: number;
  maxConcurrency: number;
  corsOrigins: readonly string[];
  /** `limits.freePerMinute`. */
  freePerMinute: number;
  /** The header that `clientIp` reads. */
  proxyHeader: string;
  /** `tools.inlineBytes`: larger bodies go to a worker and need a buffer of their own. */
  inlineBytes: number;
  /** `auth.anonymous`, for the documents; `authenticate` enforces it. */
  anonymous: boolean;
  metricsEnabled: boolean;
  /** "" if no token is required. */
  metricsToken: string;
}
