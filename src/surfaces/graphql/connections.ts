import { createSeats, type Seats } from "../http/seats.ts";

/** Of one account, or of one address that has none. */
const own = 64;

/** WebSockets and event streams together: `graphql.maxConnections`, and so many of one owner. */
export const createConnections = (all: number): Seats => createSeats({ all, own, what: "connections" });
