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

/** What the HTTP surfaces stand on. `app.ts` makes it. */
export interface HttpDeps {
  options: HttpOptions;
  catalog: Catalog;
  runner: Runner;
  authenticate(credentials: Credentials): Principal | Promise<Principal>;
  presume(credentials: Credentials): Promise<Principal | undefined>;
  /** Counts refused credentials: keys, and others such as `metrics.token`. */
  refusals: Refusals;
  clientIp: ClientIp;
  /** Undefined where inboxes are switched off. */
  inbox?: Pick<InboxAccess, "open" | "maxBytes">;
  /** Whether the store answers, or others can do without it for a while; rejects where nothing goes. */
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
  /** Of the executable. */
  version: string;
  /** `server.host`, as it was given. */
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
  /** `tools.inlineBytes`: larger bodies leave this thread and need a buffer of their own. */
  inlineBytes: number;
  /** `auth.anonymous`: what the documents say of keys; `authenticate` decides. */
  anonymous: boolean;
  metricsEnabled: boolean;
  /** "" for none. */
  metricsToken: string;
}
