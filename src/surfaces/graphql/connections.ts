import { createConnectionLimiter, type ConnectionLimiter } from "../http/connection-limiter.ts";

/** Most connections of one account, or of one address without an account. */
const own = 64;

/** Limits WebSockets and event streams together: `graphql.maxConnections` in total. */
export const createConnections = (all: number): ConnectionLimiter =>
  createConnectionLimiter({ all, own, what: "connections" });
