import type { Catalog } from "../../catalog/catalog.ts";
import type { LoopShare } from "../../catalog/loop-share.ts";
import type { Principal } from "../../catalog/principal.ts";
import type { Runner } from "../../catalog/run.ts";
import type { Config } from "../../options.ts";
import type { Credentials } from "../../services/access/auth.ts";
import type { InboxAccess } from "../../services/inbox/access.ts";
import type { ClientIp } from "../../services/access/client-ip.ts";
import type { Refusals } from "../../services/access/refusals.ts";
import type { Log } from "../../services/telemetry/log.ts";
import type { Metrics } from "../../services/telemetry/metrics.ts";
import type { Readiness } from "../../storage/server-store.ts";
import type { Watchdog } from "../../services/telemetry/watchdog.ts";
import type { Timeouts } from "./timeouts.ts";
import type { Runtime } from "../../runtime.ts";

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
  runtime: Runtime;
  /** Shares the event loop among work that takes milliseconds. */
  loop: LoopShare;
  watchdog: Pick<Watchdog, "enter">;
  timeouts?: Partial<Timeouts>;
}

/** `server.*` and `limits.*` of the configuration, and what HTTP reads of other sections. */
export type HttpOptions = Config["server"] &
  Config["limits"] &
  Pick<Config["auth"], "anonymous"> &
  Pick<Config["tools"], "inlineBytes"> & {
    /** The version of penknife. */
    version: string;
    /** `web.publicUrl`. */
    publicUrl: string;
    metrics: Config["metrics"];
  };
