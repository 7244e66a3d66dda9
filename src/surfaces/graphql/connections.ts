import { createConnectionLimiter, type ConnectionLimiter } from "../http/connection-limiter.ts";

/** Of one account, or of one address that has none. */
const own = 64;

/** WebSockets and event streams together: `graphql.maxConnections`, and so many of one owner. */
export const createConnections = (all: number): ConnectionLimiter =>
  createConnectionLimiter({ all, own, what: "connections" });
