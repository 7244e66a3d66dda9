import type { Catalog } from "../../catalog/catalog.ts";
import type { Principal } from "../../catalog/principal.ts";
import type { Runner } from "../../catalog/run.ts";
import type { Credentials } from "../../services/auth.ts";
import type { ClientIp } from "../../services/client-ip.ts";
import type { Log } from "../../services/log.ts";
import type { Metrics } from "../../services/metrics.ts";
import type { Timeouts } from "./timeouts.ts";

/** What the HTTP surfaces stand on. `app.ts` makes it. */
export interface HttpDeps {
  options: HttpOptions;
  catalog: Catalog;
  runner: Runner;
  authenticate(credentials: Credentials): Principal | Promise<Principal>;
  clientIp: ClientIp;
  /** Whether the store answers; rejects where it does not. */
  check(): Promise<void>;
  log: Log;
  metrics: Metrics;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  timeouts?: Partial<Timeouts>;
}

export interface HttpOptions {
  basePath: string;
  bodyLimit: number;
  maxConcurrency: number;
  corsOrigins: readonly string[];
  /** The header that `clientIp` reads. */
  proxyHeader: string;
  /** `tools.inlineBytes`: larger bodies leave this thread and need a buffer of their own. */
  inlineBytes: number;
  metricsEnabled: boolean;
  /** "" for none. */
  metricsToken: string;
}
