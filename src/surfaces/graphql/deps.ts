import type { Admin } from "../../services/admin/admin.ts";
import type { InboxAccess } from "../../services/inbox/access.ts";
import type { Live } from "../../services/events/live/live.ts";
import type { HttpDeps } from "../http/deps.ts";

/** What the GraphQL surface stands on, beside the shell. */
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
  graphql: GraphqlOptions;
  admin(): Promise<Admin>;
  live(): Promise<Live>;
  /** Undefined where inboxes are switched off. */
  inbox?: Pick<InboxAccess, "open">;
}

/** `graphql.*` of the configuration. */
export interface GraphqlOptions {
  introspection: boolean;
  graphiql: boolean;
  /** Bytes of a request, and of a message over a WebSocket. */
  maxBytes: number;
  maxDepth: number;
  maxAliases: number;
  maxCost: number;
  /** WebSockets and event streams together. */
  maxConnections: number;
  /** On one connection. */
  maxSubscriptions: number;
}
