import type { Config } from "../../options.ts";
import type { Admin } from "../../services/admin/admin.ts";
import type { InboxAccess } from "../../services/inbox/access.ts";
import type { Live } from "../../services/events/live/live.ts";
import type { HttpDeps } from "../http/deps.ts";

/** Dependencies of the GraphQL surface, beside the shell. */
export interface GraphqlDeps extends Pick<
  HttpDeps,
  | "options"
  | "catalog"
  | "runner"
  | "authenticate"
  | "refusals"
  | "log"
  | "metrics"
  | "now"
  | "monotonic"
  | "loop"
  | "watchdog"
> {
  graphql: Config["graphql"];
  admin(): Promise<Admin>;
  live(): Promise<Live>;
  /** Undefined if inboxes are disabled. */
  inbox?: Pick<InboxAccess, "open">;
}
